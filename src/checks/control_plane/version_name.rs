//! OpenStackVersions that the webhooks of openstack-operator reject.

use std::collections::HashMap;

use crate::checks::rules;
use crate::formats::placeholder;
use crate::krm::{FieldPath, Location, Resource, Results, quoted};
use crate::model::{ItemId, Model};
use crate::platform::openstack::{CONTROL_PLANE, VERSION};

/// Reports `version-name`. A second control plane of a namespace has a rule of its own.
pub fn version_name(model: &Model<'_>, results: &mut Results) {
    let named = |item: ItemId| Location::of_field(model.world.get(item), &FieldPath::new("metadata.name"));
    let is_deployed = |(_, resource): &(ItemId, &Resource)| {
        !resource.is_local() && !placeholder::is_in(&resource.id().name)
    };
    let mut expected: HashMap<Option<&str>, ItemId> = HashMap::new();
    let planes = model.world.of_kind(CONTROL_PLANE).filter(is_deployed);
    for (item, resource) in planes.chain(model.world.of_kind(VERSION).filter(is_deployed)) {
        let id = resource.id();
        let first = *expected.entry(id.namespace.as_deref()).or_insert(item);
        let other = model.world.get(first).id();
        if !resource.is(VERSION) || other.name == id.name {
            continue;
        }
        let name = quoted(&other.name);
        let message = if model.world.get(first).is(VERSION) {
            format!(
                "the namespace already has the OpenStackVersion {name}, and openstack-operator allows one; remove one of \
                 them"
            )
        } else {
            format!(
                "openstack-operator rejects a name that is not that of the OpenStackControlPlane {name}; use {name} here \
                 too"
            )
        };
        let finding = results.error(&rules::VERSION_NAME, message).at(named(item));
        finding.related(named(first), "the other object");
    }
}
