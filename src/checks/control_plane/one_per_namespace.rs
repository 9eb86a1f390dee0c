//! Kinds of which a namespace has one object at most.

use std::collections::HashMap;

use crate::checks::rules;
use crate::krm::{FieldPath, Kind, Location, Results, Rule, quoted};
use crate::model::{ItemId, Model};
use crate::platform::network::NET_CONFIG;
use crate::platform::openstack::CONTROL_PLANE;

/// Reports `control-plane-twice`.
pub fn control_plane_twice(model: &Model<'_>, results: &mut Results) {
    twice(CONTROL_PLANE, &rules::CONTROL_PLANE_TWICE, "openstack-operator", model, results);
}

/// Reports `net-config-twice`.
pub fn net_config_twice(model: &Model<'_>, results: &mut Results) {
    twice(NET_CONFIG, &rules::NET_CONFIG_TWICE, "infra-operator", model, results);
}

fn twice(kind: Kind, rule: &'static Rule, operator: &str, model: &Model<'_>, results: &mut Results) {
    let mut first_of: HashMap<Option<&str>, ItemId> = HashMap::new();
    let named = |item: ItemId| Location::of_field(model.world.get(item), &FieldPath::new("metadata.name"));
    for (item, resource) in model.world.of_kind(kind).filter(|(_, resource)| !resource.is_local()) {
        let id = resource.id();
        let first = *first_of.entry(id.namespace.as_deref()).or_insert(item);
        let other = &model.world.get(first).id().name;
        // Two documents for one object are reported as such.
        if *other == id.name {
            continue;
        }
        let message = format!(
            "the namespace already has the {} {}, and {operator} allows one; remove one of them, or move it to another \
             namespace",
            kind.kind,
            quoted(other)
        );
        results.error(rule, message).at(named(item)).related(named(first), "the other one");
    }
}
