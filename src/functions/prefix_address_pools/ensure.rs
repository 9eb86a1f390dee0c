//! What a control plane should say and does not: internal LoadBalancers, and the addresses of logging.

use crate::checks::rules;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::SeqAccessDeserializer;
use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};

use super::pools::Pools;
use super::services::Service;
use crate::krm::{Fault, FieldPath, Finding, Resource, Results, Severity, quoted};
use crate::platform::metallb::{self, Annotation, Domain};
use crate::platform::service_overrides::{
    self, INTERNAL_POOL, Part, SERVICE_OVERRIDES, ServiceOverride, is_enabled,
};

/// The parts that must have an internal LoadBalancer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ensure {
    Enabled,
    These(Vec<Part>),
}

impl Default for Ensure {
    fn default() -> Self {
        Ensure::These(Vec::new())
    }
}

impl<'de> Deserialize<'de> for Ensure {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Parts;

        impl<'de> Visitor<'de> for Parts {
            type Value = Ensure;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of parts, or `enabled`")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Ensure, E> {
                match text {
                    "enabled" => Ok(Ensure::Enabled),
                    _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
                }
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Ensure, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(list)).map(Ensure::These)
            }
        }

        deserializer.deserialize_any(Parts)
    }
}

impl JsonSchema for Ensure {
    fn schema_name() -> Cow<'static, str> {
        "Ensure".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let parts = generator.subschema_for::<Vec<Part>>();
        json_schema!({"anyOf": [{"type": "string", "enum": ["enabled"]}, parts]})
    }
}

impl Ensure {
    fn wants(&self, part: Part, is_enabled: bool) -> bool {
        match self {
            Ensure::Enabled => is_enabled,
            Ensure::These(parts) => parts.contains(&part),
        }
    }
}

/// A control plane whose services are completed.
pub struct Gaps<'a> {
    pub item: usize,
    pub plane: &'a Resource,
    pub pools: &'a Pools,
    pub services: Vec<Service>,
}

impl Gaps<'_> {
    /// Writes out what logging would get by default: another instance's pool and address.
    pub fn fill_logging(&mut self, results: &mut Results) -> Result<(), Fault> {
        let logging = service_overrides::logging();
        let at = logging.clone().key("annotations");
        let is_there = self.plane.value(&logging)?.is_some_and(|value| value.is_object());
        let says_something = self.plane.value(&at)?.is_some_and(|value| !value.is_null());
        if !is_there || says_something {
            return Ok(());
        }
        // What is not deployed has no Service, whatever the default is.
        if !is_enabled(self.plane, &logging)? {
            return Ok(());
        }
        let Some(pool) = self.pools.find(INTERNAL_POOL) else {
            self.refuse_logging(&logging, results);
            return Ok(());
        };
        let over = SERVICE_OVERRIDES.iter().find(|over| over.only_owner().as_ref() == Some(&logging));
        let mut service = Service::new(self.item, at, over);
        service.ports = service_overrides::ports_of(self.plane, &service.at, over)?;
        service.pool = Some(pool.name.clone());
        service.needs_address = true;
        service.domain = self.domain();
        self.services.push(service);
        Ok(())
    }

    fn refuse_logging(&self, logging: &FieldPath, results: &mut Results) {
        let key = Annotation::AddressPool.key(self.domain());
        let example = match self.internal_pool() {
            Some(pool) => format!("such as `{key}: {}`", self.pools.names.prefixed(pool)),
            None => format!("such as `{key}` with one of the instance's pools"),
        };
        let message = format!(
            "without `annotations` this gets the CRD's default, which is the pool {} and an address of another instance; write them here, {example}, or make {0} one of the instance's pools",
            quoted(INTERNAL_POOL),
        );
        results.error(&rules::NO_MATCH, message).field(self.plane, logging);
    }

    /// The instance's pool for internal endpoints, where none has the usual name: one whose name contains
    /// it, or the one that most internal endpoints ask for.
    fn internal_pool(&self) -> Option<&str> {
        let named = self.pools.bases().find(|name| name.contains(INTERNAL_POOL));
        let is_internal = |s: &&Service| s.at.clone().parent().parent().last_key() == Some("internal");
        let mut asked: BTreeMap<&str, usize> = BTreeMap::new();
        for service in self.services.iter().filter(is_internal) {
            let pool = service.pool.as_deref().and_then(|name| self.pools.find(name));
            *asked.entry(pool.map_or("", |pool| pool.name.as_str())).or_default() += 1;
        }
        asked.remove("");
        named.or_else(|| asked.into_iter().max_by_key(|(_, count)| *count).map(|(name, _)| name))
    }

    /// Gives the wanted parts the overrides that they do not have.
    pub fn fill(&mut self, ensure: &Ensure, results: &mut Results) -> Result<(), Fault> {
        for over in SERVICE_OVERRIDES {
            let Some(part) = over.part else { continue };
            let mut owners = match over.only_owner() {
                Some(owner) => vec![owner],
                None => self.plane.fields(&over.owners())?,
            };
            // Whatever the order of the text, the same one gets the same address.
            owners.sort();
            let section = over.section();
            if ensure.wants(part, false) && self.plane.value(&section)?.is_none_or(|s| s.is_null()) {
                let message = format!(
                    "`ensure` names a part of `{section}`, which is not there; to write it would deploy the part, so write it yourself, or take the part out of `ensure`"
                );
                results.error(&rules::NO_MATCH, message).field(self.plane, &section);
                continue;
            }
            if owners.is_empty() && ensure.wants(part, false) {
                let message = format!("there is nothing at `{}` that could have a LoadBalancer", over.owner);
                results.error(&rules::NO_MATCH, message).field(self.plane, &section);
            }
            for owner in owners {
                let is_enabled = is_enabled(self.plane, &owner)?;
                if !ensure.wants(part, is_enabled) {
                    continue;
                }
                if !is_enabled {
                    let message = "this part is not enabled, so that nothing will come of its LoadBalancer";
                    results.warning(&rules::NOT_ENABLED, message).field(self.plane, &owner);
                }
                self.fill_override(over, part, &owner, results)?;
            }
        }
        Ok(())
    }

    fn fill_override(
        &mut self,
        over: &ServiceOverride,
        part: Part,
        owner: &FieldPath,
        results: &mut Results,
    ) -> Result<(), Fault> {
        let place = over.of(owner);
        let type_at = place.clone().join(&FieldPath::new("spec.type"));
        let kind: Option<String> = self.plane.get(&type_at)?;
        let exists = is_enabled(self.plane, owner)?;
        let severity = if exists { Severity::Error } else { Severity::Warning };
        if let Some(kind) = kind.as_ref().filter(|kind| *kind != metallb::LOAD_BALANCER) {
            let message = format!(
                "`ensure` wants a LoadBalancer here, and the type is {}; remove one of the two",
                quoted(kind)
            );
            results
                .add(Finding::new(severity, &rules::NOT_A_LOAD_BALANCER, message))
                .field(self.plane, &type_at);
            return Ok(());
        }
        let at = place.join(&FieldPath::new("metadata.annotations"));
        let there = self.services.iter().position(|service| service.at == at);
        if kind.is_some() && there.is_some_and(|i| self.services[i].pool.is_some()) {
            return Ok(());
        }
        // An address that is stated tells the pool.
        let stated = there.and_then(|i| self.services[i].addresses.as_ref()?.addresses().first().copied());
        let stated = stated.and_then(|ip| self.pools.iter().find(|pool| pool.contains(ip)));
        let Some(pool) = stated.or_else(|| self.pools.find(part.pool())) else {
            let message = format!(
                "`ensure` puts this into the pool {}, which is none of the instance's pools; add it to `spec.pools`, or write the override here",
                quoted(part.pool())
            );
            results.add(Finding::new(severity, &rules::NO_MATCH, message)).field(self.plane, owner);
            return Ok(());
        };
        let i = there.unwrap_or_else(|| {
            let mut new = Service::new(self.item, at, Some(over));
            new.domain = self.domain();
            self.services.push(new);
            self.services.len() - 1
        });
        let service = &mut self.services[i];
        service.type_at = kind.is_none().then_some(type_at);
        service.exists = exists;
        if service.pool.is_none() {
            service.pool = Some(pool.name.clone());
            service.needs_address = true;
        }
        Ok(())
    }

    /// What new annotations begin with: what those that are there begin with.
    fn domain(&self) -> Domain {
        let speaks = |domain| self.services.iter().any(|service| service.speaks(domain));
        match speaks(Domain::Current) && !speaks(Domain::Deprecated) {
            true => Domain::Current,
            false => Domain::Deprecated,
        }
    }
}
