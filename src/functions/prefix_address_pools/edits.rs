//! Writes the plan into the resources.

use std::collections::HashSet;

use serde_json::Value;

use super::advertisements::{self, Advertisements, Announces};
use super::instance::Instance;
use super::plan::Planned;
use super::pools::Pools;
use super::scope;
use crate::checks::rules;
use crate::krm::{Fault, FieldPath, Resource, Results};
use crate::model::ItemId;
use crate::model::network::{AnnotationLine, Network, Pool};
use crate::platform::metallb::{self, Annotation, Domain};

/// Writes the names and scopes of pools.
pub fn write_pools(
    instance: &Instance,
    pools: &Pools<'_>,
    network: &Network,
    items: &mut [Resource],
    results: &mut Results,
) -> Result<(), Fault> {
    let own: HashSet<ItemId> = pools.iter().filter_map(|(_, pool)| pool.item).collect();
    for pool in network.pools.iter().filter(|pool| own.contains(&pool.item)) {
        let resource = pool.item.get_mut(items);
        resource.set(&FieldPath::new("metadata.name"), instance.names.prefixed(&pool.name))?;
        if instance.is_scoped {
            resource.set(&metallb::allowed_namespaces(), vec![instance.namespace.as_str()])?;
            scope::warn_selectors(pool, instance, items, results);
        }
        warn_namespace(pool, instance, items, results);
    }
    Ok(())
}

fn warn_namespace(pool: &Pool, instance: &Instance, items: &[Resource], results: &mut Results) {
    if pool.namespace.as_ref() == Some(&instance.namespace) {
        let message = "MetalLB reads pools only in its own namespace, but this is the namespace of the instance; does `namespace:` in a kustomization move it?";
        let path = FieldPath::new("metadata.namespace");
        results.warning(&rules::POOL_NAMESPACE, message).field(pool.item.get(items), &path);
    }
}

/// Writes the names of advertisements, and their references to pools.
pub fn write_advertisements(
    pools: &Pools<'_>,
    advertisements: &Advertisements<'_>,
    items: &mut [Resource],
    results: &mut Results,
) -> Result<(), Fault> {
    for (advertisement, announces) in advertisements.iter() {
        let resource = advertisement.item.get_mut(items);
        match announces {
            Announces::OnlyOthers => continue,
            Announces::OnlyOwn => {
                let name = pools.names.prefixed(&advertisement.name);
                resource.set(&FieldPath::new("metadata.name"), name)?;
            }
            Announces::OthersToo => {
                let message = "this also announces pools that do not belong to the instance, so it keeps its name; give the instance its own advertisement";
                let path = metallb::advertised_pools();
                results.warning(&rules::SHARED_ADVERTISEMENT, message).field(resource, &path);
            }
        }
        let own = advertisement.pools.iter().filter(|name| advertisements::is_own(pools, &name.value));
        let names = own.map(|name| (name.site.path.clone(), pools.names.prefixed(&name.value).into()));
        resource.set_all(&names.collect::<Vec<_>>())?;
    }
    Ok(())
}

/// Writes the annotations of services. All get `domain`, if it is given.
pub fn write_services(
    services: &[Planned<'_>],
    domain: Option<Domain>,
    items: &mut [Resource],
) -> Result<(), Fault> {
    let is_new = |planned: &&Planned<'_>| planned.service().annotations.is_empty();
    let (new, existing): (Vec<_>, Vec<_>) = services.iter().partition(is_new);
    // An alias must be written out before the value of its anchor changes, so the last service comes first.
    let ordered: Vec<&Planned<'_>> = existing.into_iter().rev().chain(new).collect();
    // A control plane has many services, whose fields are set together.
    for same in ordered.chunk_by(|one, next| one.service().site.item == next.service().site.item) {
        let Some(first) = same.first() else { continue };
        let mut writer = Writer { resource: first.service().site.item.get_mut(items), pending: Vec::new() };
        for planned in same {
            writer.write(planned, domain)?;
        }
        writer.flush()?;
    }
    Ok(())
}

/// Writes services of one resource.
struct Writer<'i> {
    resource: &'i mut Resource,
    /// Fields to set, before anything else changes.
    pending: Vec<(FieldPath, Value)>,
}

impl Writer<'_> {
    fn write(&mut self, planned: &Planned<'_>, domain: Option<Domain>) -> Result<(), Fault> {
        let service = planned.service();
        let path = |annotation: Annotation, domain| service.site.path.clone().key(annotation.key(domain));
        for annotation in Annotation::ALL {
            let lines: Vec<&AnnotationLine> =
                service.annotations.iter().filter(|line| line.annotation == annotation).collect();
            for line in &lines {
                if let Some(value) = value(planned, annotation, &line.value) {
                    self.pending.push((path(annotation, line.domain), value.into()));
                }
            }
            if lines.is_empty()
                && let Some(value) = value(planned, annotation, "")
            {
                self.pending.push((path(annotation, domain.unwrap_or(service.domain)), value.into()));
            }
            let Some(domain) = domain else { continue };
            let has_domain = lines.iter().any(|line| line.domain == domain);
            for line in lines.iter().filter(|line| line.domain != domain) {
                self.flush()?;
                let old = path(annotation, line.domain);
                if has_domain {
                    self.resource.remove(&old)?;
                } else {
                    self.resource.rename(&old, &annotation.key(domain))?;
                }
            }
        }
        if let Some(path) = &planned.draft.added_type {
            self.pending.push((path.clone(), metallb::LOAD_BALANCER.into()));
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Fault> {
        self.resource.set_all(&std::mem::take(&mut self.pending))
    }
}

/// The planned value of an annotation. Addresses keep the spelling of the old value where they are equal.
fn value(planned: &Planned<'_>, annotation: Annotation, old: &str) -> Option<String> {
    let request = &planned.request;
    match annotation {
        Annotation::AddressPool => request.pool.clone(),
        Annotation::AllowSharedIp => request.sharing_key.clone(),
        Annotation::LoadBalancerIps => request.addresses.as_ref().map(|list| list.written_like(old)),
        Annotation::AllocatedFromPool => None,
    }
}
