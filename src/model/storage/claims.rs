//! The volumes that the services of a control plane claim.

use serde_json::Value;

use super::{is_deployed, named};
use crate::krm::{FieldPath, FieldPattern};
use crate::model::Sited;
use crate::model::item_reader::ItemReader;
use crate::platform::storage_claims::{CLAIMANTS, default_class, glance};

/// Volumes of one class that something needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The class, where it is named.
    pub class: Sited<String>,
    pub count: u64,
    /// The service, such as `galera openstack`. Empty for a PersistentVolumeClaim.
    pub what: String,
}

pub fn of_control_plane(fields: &mut ItemReader<'_, '_>) -> Vec<Claim> {
    let default = named(default_class(), fields);
    let mut claims = Vec::new();
    for claimant in CLAIMANTS {
        for owner in deployed(claimant.owners, fields) {
            let own = named(owner.clone().join(&FieldPath::new(claimant.class)), fields);
            let (Some(class), Some(count)) = (own.or_else(|| default.clone()), replicas(&owner, fields))
            else {
                continue;
            };
            claims.push(Claim { class, count, what: describe(claimant.name, &owner) });
        }
    }
    claims.extend(of_glance(default.as_ref(), fields));
    claims.retain(|claim| claim.count > 0);
    claims
}

fn of_glance(default: Option<&Sited<String>>, fields: &mut ItemReader<'_, '_>) -> Vec<Claim> {
    let class_of = |owner: FieldPath, fields: &mut ItemReader<'_, '_>| {
        named(owner.key("storage").key("storageClass"), fields)
    };
    let shared = class_of(glance::template(), fields).or_else(|| default.cloned());
    let mut claims = Vec::new();
    for api in deployed(glance::APIS, fields) {
        let class = class_of(api.clone(), fields).or_else(|| shared.clone());
        let (Some(class), Some(replicas)) = (class, replicas(&api, fields)) else { continue };
        let mut has = |field: &FieldPath| {
            [api.clone(), glance::template()].into_iter().any(|owner| {
                let value = fields.non_null(&owner.join(field));
                value.is_some_and(|value| value != Value::Bool(false) && value != "")
            })
        };
        let images = u64::from(!has(&FieldPath::new("storage.external")));
        let cache = u64::from(has(&FieldPath::new("imageCache.size")));
        let layout: Option<String> = fields.get(&api.clone().key("type"));
        let sets = if layout.is_none_or(|layout| layout == glance::SPLIT) { 2 } else { 1 };
        let count = replicas.saturating_mul(sets * (images + cache));
        claims.push(Claim { class, count, what: describe("glance", &api) });
    }
    claims
}

/// The owners that exist and are deployed.
fn deployed(owners: &'static str, fields: &mut ItemReader<'_, '_>) -> Vec<FieldPath> {
    let mut paths = fields.fields(&FieldPattern::new(owners));
    paths.retain(|path| is_deployed(fields.resource, path));
    paths
}

/// The number of replicas, which defaults to 1. None if it cannot be read.
fn replicas(owner: &FieldPath, fields: &mut ItemReader<'_, '_>) -> Option<u64> {
    fields.try_get(&owner.clone().key("replicas")).ok().map(|count| count.unwrap_or(1))
}

fn describe(service: &str, owner: &FieldPath) -> String {
    format!("{service} {}", owner.last_key().unwrap_or_default())
}
