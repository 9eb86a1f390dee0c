//! Nova's configuration in a control plane or a ConfigMap.

use super::rules;
use crate::formats::ini::{Ini, IniOption};
use crate::krm::{Resource, Results};
use crate::model::Site;
use crate::model::control_plane::{ControlPlane, Nova};
use crate::platform::{nova, openstack};

/// Reports aliases that are not JSON objects.
pub fn alias_syntax(text: &str, site: &Site, items: &[Resource], results: &mut Results) {
    for (option, alias) in nova::aliases(&Ini::parse(text)) {
        if alias.is_none() {
            let message = not_an_alias(option);
            // A function has added options to the text, so the option is found in the original.
            let find = |original: &str| {
                let ini = Ini::parse(original);
                let written = nova::aliases(&ini).find(|(other, _)| other.value == option.value);
                written.map(|(written, _)| written.range())
            };
            let location = site.item.get(items).location_inside(&site.path, find);
            results.error(&rules::ALIAS_SYNTAX, message).at(location);
        }
    }
}

/// The message for an alias that is not a JSON object.
pub fn not_an_alias(option: &IniOption) -> String {
    format!(
        "`[{}] {} = {}` is not a JSON object, so Nova refuses to start; write one JSON object per option",
        option.section,
        option.key,
        option.value_in_one_line()
    )
}

/// Reports a control plane that cannot have Nova's configuration.
pub fn no_nova(plane: &ControlPlane, items: &[Resource], results: &mut Results) {
    let message = "this control plane has no `spec.nova`, so it gets no alias; add `spec.nova` to deploy Nova, or select \
                   other control planes with `target`";
    let site = Site::new(plane.item, openstack::nova());
    results.warning(&rules::NO_NOVA, message).at(site.location(items));
}

/// Reports a control plane that has Nova's configuration but not Nova.
pub fn nova_disabled(nova: &Nova, items: &[Resource], results: &mut Results) {
    let enabled = &nova.enabled;
    if enabled.value == Some(false) {
        let message = "Nova is disabled in this control plane, so no service reads the alias";
        results.warning(&rules::NOVA_DISABLED, message).at(enabled.site.location(items));
    }
}
