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
    self, INTERNAL_POOL, Part, SERVICE_OVERRIDES, ServiceOverride, is_enabled, logging as logging_path,
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

    /// Completes the services of a control plane.
    pub fn complete(
        &self,
        item: usize,
        plane: &Resource,
        pools: &Pools,
        services: &mut Vec<Service>,
        results: &mut Results,
    ) -> Result<(), Fault> {
        for over in SERVICE_OVERRIDES {
            let Some(part) = over.part else { continue };
            let mut owners =
                if over.is_one_of_many() { plane.fields(&over.owner())? } else { vec![over.owner()] };
            // Whatever the order of the text, the same one gets the same address.
            owners.sort();
            if owners.is_empty() && self.wants(part, false) {
                let message =
                    format!("there is nothing at `{}` that could have a LoadBalancer", over.owner());
                results.error("no-match", message).field(plane, &over.owner());
            }
            for owner in owners {
                let is_enabled = is_enabled(plane, &owner)?;
                if !self.wants(part, is_enabled) {
                    continue;
                }
                if !is_enabled {
                    let message = "this part is not enabled, so that nothing will come of its LoadBalancer";
                    results.warning("not-enabled", message).field(plane, &owner);
                }
                complete_one(item, plane, pools, services, (over, part, &owner), results)?;
            }
        }
        Ok(())
    }
}

fn complete_one(
    item: usize,
    plane: &Resource,
    pools: &Pools,
    services: &mut Vec<Service>,
    (over, part, owner): (&ServiceOverride, Part, &FieldPath),
    results: &mut Results,
) -> Result<(), Fault> {
    let place = over.of(owner);
    let type_at = place.clone().join(&FieldPath::new("spec.type"));
    let kind: Option<String> = plane.get(&type_at)?;
    if let Some(kind) = kind.as_ref().filter(|kind| *kind != metallb::LOAD_BALANCER) {
        let message = format!(
            "`ensure` wants a LoadBalancer here, and the type is {}; remove one of the two",
            quoted(kind)
        );
        results.error("not-a-load-balancer", message).field(plane, &type_at);
        return Ok(());
    }
    let at = place.join(&FieldPath::new("metadata.annotations"));
    let there = services.iter().position(|service| service.at == at);
    if kind.is_some() && there.is_some_and(|i| services[i].pool.is_some()) {
        return Ok(());
    }
    let Some(pool) = pools.find(part.pool()) else {
        let message = format!(
            "`ensure` puts this into the pool {}, which is none of the instance's pools; add it to `spec.pools`, or write the override here",
            quoted(part.pool())
        );
        results.error("no-match", message).field(plane, owner);
        return Ok(());
    };
    let usual = usual_address(pools, part.pool(), services);
    let domain = domain_of(services);
    let i = there.unwrap_or_else(|| {
        services.push(Service::new(item, at, Some(over)));
        services.len() - 1
    });
    let service = &mut services[i];
    service.domain = domain;
    service.type_at = kind.is_none().then_some(type_at);
    service.exists = is_enabled(plane, owner)?;
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

/// Writes out what logging would get by default: another instance's pool and address.
pub fn logging(
    item: usize,
    plane: &Resource,
    pools: &Pools,
    services: &mut Vec<Service>,
) -> Result<(), Fault> {
    let logging = logging_path();
    let at = logging.clone().key("annotations");
    let is_there = plane.value(&logging)?.is_some_and(|value| value.is_object());
    let says_something = plane.value(&at)?.is_some_and(|value| !value.is_null());
    let over = SERVICE_OVERRIDES.iter().find(|over| over.owner() == logging);
    if is_there && !says_something && pools.find(INTERNAL_POOL).is_some() {
        let mut service = Service::new(item, at, over);
        service.pool = Some(INTERNAL_POOL.to_owned());
        service.key = Some(INTERNAL_POOL.to_owned());
        service.addresses = usual_address(pools, INTERNAL_POOL, services);
        service.exists = is_enabled(plane, &logging)?;
        service.domain = domain_of(services);
        services.push(service);
    }
    Ok(())
}

/// The address that services of a pool share here, or that upstream gives them; none where the range is
/// not known.
fn usual_address(pools: &Pools, name: &str, services: &[Service]) -> Option<IpList> {
    let pool = pools.find(name)?;
    let upstream = || {
        let fits = |ip: &IpAddr| pool.ranges.iter().any(|range| range.family() == Family::of(*ip));
        service_overrides::usual_vips(name).into_iter().find(fits).map(IpList::one)
    };
    shared_address(pools, pool, services).or_else(upstream)
}

/// What new annotations begin with: what those that are there begin with.
fn domain_of(services: &[Service]) -> Domain {
    let speaks = |domain| services.iter().any(|service: &Service| service.speaks(domain));
    if speaks(Domain::Current) && !speaks(Domain::Deprecated) { Domain::Current } else { Domain::Deprecated }
}
