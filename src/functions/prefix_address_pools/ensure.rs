//! What a control plane should say and does not: internal LoadBalancers, and the addresses of logging.

use std::borrow::Cow;
use std::fmt;
use std::net::IpAddr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::SeqAccessDeserializer;
use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};

use super::pools::Pools;
use super::services::Service;
use super::vips::shared_address;
use crate::formats::ip::{Family, IpList};
use crate::krm::{Fault, FieldPath, Resource, Results, quoted};
use crate::platform::metallb::{self, Domain};
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
    pub fn fill_logging(&mut self) -> Result<(), Fault> {
        let logging = service_overrides::logging();
        let at = logging.clone().key("annotations");
        let is_there = self.plane.value(&logging)?.is_some_and(|value| value.is_object());
        let says_something = self.plane.value(&at)?.is_some_and(|value| !value.is_null());
        if is_there && !says_something && self.pools.find(INTERNAL_POOL).is_some() {
            let over = SERVICE_OVERRIDES.iter().find(|over| over.owner() == logging);
            let mut service = Service::new(self.item, at, over);
            service.pool = Some(INTERNAL_POOL.to_owned());
            service.key = Some(INTERNAL_POOL.to_owned());
            service.addresses = self.usual_address(INTERNAL_POOL);
            service.exists = is_enabled(self.plane, &logging)?;
            service.domain = self.domain();
            self.services.push(service);
        }
        Ok(())
    }

    /// Gives the wanted parts the overrides that they do not have.
    pub fn fill(&mut self, ensure: &Ensure, results: &mut Results) -> Result<(), Fault> {
        for over in SERVICE_OVERRIDES {
            let Some(part) = over.part else { continue };
            let mut owners =
                if over.is_one_of_many() { self.plane.fields(&over.owner())? } else { vec![over.owner()] };
            // Whatever the order of the text, the same one gets the same address.
            owners.sort();
            if owners.is_empty() && ensure.wants(part, false) {
                let message =
                    format!("there is nothing at `{}` that could have a LoadBalancer", over.owner());
                results.error("no-match", message).field(self.plane, &over.owner());
            }
            for owner in owners {
                let is_enabled = is_enabled(self.plane, &owner)?;
                if !ensure.wants(part, is_enabled) {
                    continue;
                }
                if !is_enabled {
                    let message = "this part is not enabled, so that nothing will come of its LoadBalancer";
                    results.warning("not-enabled", message).field(self.plane, &owner);
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
        if let Some(kind) = kind.as_ref().filter(|kind| *kind != metallb::LOAD_BALANCER) {
            let message = format!(
                "`ensure` wants a LoadBalancer here, and the type is {}; remove one of the two",
                quoted(kind)
            );
            results.error("not-a-load-balancer", message).field(self.plane, &type_at);
            return Ok(());
        }
        let at = place.join(&FieldPath::new("metadata.annotations"));
        let there = self.services.iter().position(|service| service.at == at);
        if kind.is_some() && there.is_some_and(|i| self.services[i].pool.is_some()) {
            return Ok(());
        }
        let Some(pool) = self.pools.find(part.pool()) else {
            let message = format!(
                "`ensure` puts this into the pool {}, which is none of the instance's pools; add it to `spec.pools`, or write the override here",
                quoted(part.pool())
            );
            results.error("no-match", message).field(self.plane, owner);
            return Ok(());
        };
        let (usual, domain) = (self.usual_address(part.pool()), self.domain());
        let i = there.unwrap_or_else(|| {
            self.services.push(Service::new(self.item, at, Some(over)));
            self.services.len() - 1
        });
        let service = &mut self.services[i];
        service.domain = domain;
        service.type_at = kind.is_none().then_some(type_at);
        service.exists = is_enabled(self.plane, owner)?;
        if service.pool.is_none() {
            service.pool = Some(pool.name.clone());
            service.needs_address = service.is_alone && service.addresses.is_none();
            if !service.is_alone {
                service.key = service.key.take().or(Some(pool.name.clone()));
                service.addresses = service.addresses.take().or(usual);
            }
        }
        Ok(())
    }

    /// The address that services of a pool share here, or that upstream gives them; none where the range
    /// is not known.
    fn usual_address(&self, name: &str) -> Option<IpList> {
        let pool = self.pools.find(name)?;
        let fits = |ip: &IpAddr| pool.sizes().contains_key(&Family::of(*ip));
        let upstream = || service_overrides::usual_vips(name).into_iter().find(fits).map(IpList::one);
        shared_address(self.pools, pool, &self.services).or_else(upstream)
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
