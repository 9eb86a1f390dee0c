//! The control planes whose Nova gets the aliases.

use super::{Injection, alias, placement};
use crate::checks::{nova_config, rules, wrong_type};
use crate::functions::target::Target;
use crate::krm::{Fault, Resource, Results};
use crate::model::control_plane::{self, ControlPlane, Nova};
use crate::model::{Misread, Site, World};
use crate::platform::openstack;

impl Injection {
    pub(super) fn configure_control_planes(
        &self,
        items: &mut [Resource],
        results: &mut Results,
    ) -> Result<(), Fault> {
        let (planes, misreads) = control_plane::read(&World::new(items));
        let is_target = |plane: &&ControlPlane| self.target.as_ref().is_none_or(|t| t.matches(&plane.id));
        let targets: Vec<&ControlPlane> = planes.iter().filter(is_target).collect();
        if targets.is_empty() {
            return self.no_control_plane(&planes, results);
        }
        for plane in targets {
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
        Ok(())
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
    fn no_control_plane(&self, planes: &[ControlPlane], results: &mut Results) -> Result<(), Fault> {
        if self.target.is_none() && !self.computes.is_empty() {
            let message =
                "the resources contain no OpenStackControlPlane; add the aliases to Nova's API elsewhere";
            results.warning(&rules::NO_MATCH, message);
            return Ok(());
        }
        let names = planes.iter().map(|plane| plane.id.qualified_name()).collect();
        Err(Target::no_match(self.target.as_ref(), names))
    }
}
