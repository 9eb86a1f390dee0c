//! The control planes whose Nova gets the aliases.

use super::{Injection, alias, placement};
use crate::checks::{nova_config, rules, wrong_type};
use crate::functions::target::Target;
use crate::krm::{Fault, Resource, Results, on_shares};
use crate::model::control_plane::{self, ControlPlane, Nova};
use crate::model::{Misread, Site, World};
use crate::platform::openstack;

/// What was found in a share of the items.
struct Done {
    has_target: bool,
    /// The names of other control planes.
    others: Vec<String>,
}

impl Injection {
    pub(super) fn configure_control_planes(
        &self,
        items: &mut [Resource],
        results: &mut Results,
    ) -> Result<(), Fault> {
        let done = on_shares(items, results, |items, results| self.configure_share(items, results))?;
        if done.iter().any(|share| share.has_target) {
            return Ok(());
        }
        self.no_control_plane(done.into_iter().flat_map(|share| share.others).collect(), results)
    }

    fn configure_share(&self, items: &mut [Resource], results: &mut Results) -> Result<Done, Fault> {
        let (planes, misreads) = control_plane::read(&World::new(items));
        let is_target = |plane: &ControlPlane| self.target.as_ref().is_none_or(|t| t.matches(&plane.id));
        let (targets, others): (Vec<_>, Vec<_>) = planes.into_iter().partition(is_target);
        for plane in &targets {
            let is_needed = |misread: &&Misread| misread.site.item == plane.item && self.needs(&misread.site);
            if wrong_type(misreads.iter().filter(is_needed), results) {
                continue;
            }
            match &plane.nova {
                Some(nova) => self.configure_nova(nova, items, results)?,
                // The CRD would enable a new Nova, and the webhook would require the services that it needs.
                None => nova_config::no_nova(plane, items, results),
            }
        }
        let others = others.iter().map(|plane| plane.id.qualified_name()).collect();
        Ok(Done { has_target: !targets.is_empty(), others })
    }

    /// Whether the function needs a field of a control plane. The scheduler and the cells matter for Placement only.
    fn needs(&self, site: &Site) -> bool {
        let always = [openstack::nova(), openstack::nova_enabled(), openstack::nova_api_config()];
        self.placement || always.contains(&site.path)
    }

    fn configure_nova(
        &self,
        nova: &Nova,
        items: &mut [Resource],
        results: &mut Results,
    ) -> Result<(), Fault> {
        nova_config::nova_disabled(nova, items, results);
        let config = &nova.api;
        let text = config.value.clone().unwrap_or_default();
        nova_config::alias_syntax(&text, &config.site, items, results);
        let text = alias::with_aliases(&self.aliases, text, self.on_conflict(), &config.site, items, results);
        config.site.item.get_mut(items).set(&config.site.path, text)?;
        if self.placement { placement::turn_on(nova, self.replace, items, results) } else { Ok(()) }
    }

    /// Without a target, the control plane may be elsewhere if there are node sets to configure.
    fn no_control_plane(&self, names: Vec<String>, results: &mut Results) -> Result<(), Fault> {
        if self.target.is_none() && !self.computes.is_empty() {
            let message =
                "the resources contain no OpenStackControlPlane; add the aliases to Nova's API elsewhere";
            results.warning(&rules::NO_MATCH, message);
            return Ok(());
        }
        Err(Target::no_match(self.target.as_ref(), names))
    }
}
