//! How the linter runs the checks of pools, advertisements and services, which functions use as well.

use std::collections::HashMap;

use super::claim::{Claim, load_balancers};
use super::package_pools::PackagePools;
use crate::formats::placeholder;
use crate::krm::{FieldPath, Resource, Results, Severity};
use crate::model::network::Service;
use crate::model::{Cause, Misread, Model};

/// Reports pools without addresses, and what cannot be read of the network. Placeholders have a rule of their own.
pub(super) fn misreads(model: &Model<'_>, results: &mut Results) {
    for pool in &model.network.pools {
        super::no_addresses(pool, model.items(), results);
    }
    let is_value = |misread: &&Misread| match &misread.cause {
        Cause::Text { text, .. } => !placeholder::will_be_replaced(text),
        Cause::Type(_) => !super::is_placeholder(misread, model.items()),
    };
    for misread in model.misreads.iter().filter(is_value) {
        super::network_misread(misread, &model.network, model.items(), results);
    }
}

/// Reports pools and advertisements without a name, unless the API server generates one.
pub(super) fn missing_names(model: &Model<'_>, results: &mut Results) {
    let pools = model.network.pools.iter().map(|pool| (pool.item, &pool.name));
    let advertisements = model.network.advertisements.iter().map(|it| (it.item, &it.name));
    let generate_name = FieldPath::new("metadata.generateName");
    for (item, _) in pools.chain(advertisements).filter(|(_, name)| name.is_empty()) {
        if model.world.get(item).value(&generate_name).is_ok_and(|name| name.is_none()) {
            super::missing_name(item, model.items(), results);
        }
    }
}

/// Reports pools that are too small. Which of two pools with the same name MetalLB has is not known.
pub(super) fn exhausted_pools(model: &Model<'_>, results: &mut Results) {
    let claims = load_balancers(model);
    let mut by_pool: HashMap<&str, Vec<Claim<'_>>> = HashMap::new();
    for claim in &claims {
        if let Some(pool) = &claim.request.pool {
            by_pool.entry(pool).or_default().push(*claim);
        }
    }
    let pools = PackagePools::new(model);
    for pool in pools.unique().filter(|pool| pools.knows(pool)) {
        let claims = by_pool.get(pool.name.as_str()).map(Vec::as_slice).unwrap_or_default();
        super::pool_exhausted(pool, claims, model.items(), results);
    }
}

pub(super) fn vip_conflicts(model: &Model<'_>, results: &mut Results) {
    super::vip_conflict(&load_balancers(model), model.items(), results);
}

/// A RabbitMQ that shares the address of another kind of service works, so this is a warning.
pub(super) fn rabbitmq_keys(model: &Model<'_>, results: &mut Results) {
    super::rabbitmq_key(&load_balancers(model), Severity::Warning, model.items(), results);
}

/// Reports deprecated fields in packages that use MetalLB. Other load balancers may support only the field.
pub(super) fn load_balancer_ips(model: &Model<'_>, results: &mut Results) {
    let has_pools = !model.network.pools.is_empty();
    for service in model.network.services.iter().filter(|it| has_pools || it.is_for_metallb()) {
        super::load_balancer_ip(service, model.items(), results);
    }
}

/// Runs a check on every service.
pub(super) fn each_service(
    model: &Model<'_>,
    results: &mut Results,
    check: fn(&Service, &[Resource], &mut Results),
) {
    for service in &model.network.services {
        check(service, model.items(), results);
    }
}
