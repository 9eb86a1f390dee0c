//! Which parts of OpenStack a control plane deploys.

use crate::krm::{FieldPath, Resource};
use crate::model::{ItemId, Site};
use crate::platform::{openstack, service_overrides};

/// What a control plane says about a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    Enabled,
    /// It is disabled at this site: the field with the value, or the section, if that is the default.
    Disabled {
        site: Site,
        is_default: bool,
    },
    /// Its section, or one above it, is missing or has the wrong type.
    Unknown,
}

/// The state of the part with a section.
pub fn state(item: ItemId, plane: &Resource, section: &FieldPath) -> State {
    // From `spec.<part>` on.
    for part in section.ancestors().skip(2) {
        if !matches!(plane.value(&part), Ok(Some(value)) if value.is_object()) {
            return State::Unknown;
        }
        let switch = openstack::enabled(part.clone());
        let (is_enabled, is_default) = match plane.get(&switch) {
            Ok(Some(value)) => (value, false),
            Ok(None) => (service_overrides::is_on_by_default(&part), true),
            Err(_) => return State::Unknown,
        };
        if !is_enabled {
            let site = Site::new(item, if is_default { part } else { switch });
            return State::Disabled { site, is_default };
        }
    }
    State::Enabled
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::krm::Object;
    use crate::model::World;

    fn state_of(section: &str, spec: Value) -> String {
        let items = [Object::new(openstack::CONTROL_PLANE, "openstack").field("spec", spec).build().unwrap()];
        let (item, plane) = World::new(&items).items().next().unwrap();
        match state(item, plane, &FieldPath::new(section)) {
            State::Enabled => "enabled".to_owned(),
            State::Disabled { site, is_default } => format!("{} {is_default}", site.path),
            State::Unknown => "unknown".to_owned(),
        }
    }

    #[test]
    fn a_part_has_a_state_if_its_section_exists() {
        for spec in [json!({}), json!({"galera": null}), json!({"galera": []}), json!(null)] {
            assert_eq!(state_of("spec.galera", spec), "unknown");
        }
        assert_eq!(state_of("spec.galera", json!({"galera": {}})), "enabled");
        assert_eq!(state_of("spec.galera", json!({"galera": {"enabled": "no"}})), "unknown");
        assert_eq!(
            state_of("spec.galera", json!({"galera": {"enabled": false}})),
            "spec.galera.enabled false"
        );
        assert_eq!(state_of("spec.heat", json!({"heat": {}})), "spec.heat true");
    }

    #[test]
    fn a_part_inside_another_is_disabled_with_it() {
        let section = "spec.telemetry.template.ceilometer";
        let off = json!({"telemetry": {"enabled": false, "template": {"ceilometer": {"enabled": true}}}});
        assert_eq!(state_of(section, off), "spec.telemetry.enabled false");
        assert_eq!(state_of(section, json!({"telemetry": {"template": {}}})), "unknown");
        assert_eq!(state_of(section, json!({"telemetry": {"template": {"ceilometer": {}}}})), "enabled");
    }
}
