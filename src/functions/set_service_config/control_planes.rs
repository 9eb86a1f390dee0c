//! The configuration of services that run in the control plane.

use indexmap::IndexMap;
use serde_json::Value;

use super::changes::{self, OptionChange};
use super::entry::ServiceEntry;
use super::owners::Found;
use super::selectors::{Owners, Where};
use super::{ServiceConfigs, merge};
use crate::checks::{self, rules};
use crate::krm::{Fault, FieldPath, Resource, Results, quoted};
use crate::model::control_plane::{State, state};
use crate::model::{ItemId, Site, World};
use crate::platform::{openstack, service_config};

/// The changes of each text, in the order of the entries.
type Plan<'e> = IndexMap<Site, Vec<(&'e OptionChange, bool)>>;

impl ServiceConfigs {
    pub(super) fn configure_control_planes(
        &self,
        items: &mut [Resource],
        results: &mut Results,
    ) -> Result<(), Fault> {
        let of_control_plane = |entry: &ServiceEntry| matches!(entry.place, Where::ControlPlane(_));
        if !self.entries.iter().any(of_control_plane) {
            return Ok(());
        }
        let planes: Vec<ItemId> =
            World::new(items).of_kind(openstack::CONTROL_PLANE).map(|(item, _)| item).collect();
        let targets = self.targets(&planes, items)?;
        let mut plan = Plan::new();
        for entry in &self.entries {
            if let Where::ControlPlane(owners) = &entry.place {
                entry.plan(owners, &targets, items, &mut plan, results);
            }
        }
        // A control plane has many texts, such as those of its cells, which are written together.
        let mut texts: IndexMap<ItemId, Vec<(FieldPath, Value)>> = IndexMap::new();
        for (site, changes) in plan {
            if let Some(text) = merge::changed(&changes::combine(changes.into_iter()), &site, items, results)
            {
                texts.entry(site.item).or_default().push((site.path, text.into()));
            }
        }
        texts.into_iter().try_for_each(|(item, texts)| item.get_mut(items).set_all(&texts))
    }

    /// The control planes to change.
    fn targets(&self, planes: &[ItemId], items: &[Resource]) -> Result<Vec<ItemId>, Fault> {
        let is_target =
            |plane: &ItemId| self.target.as_ref().is_none_or(|t| t.matches(plane.get(items).id()));
        let targets: Vec<ItemId> = planes.iter().copied().filter(is_target).collect();
        if targets.is_empty() {
            let names = planes.iter().map(|plane| plane.get(items).id().qualified_name());
            return Err(super::Target::no_match(self.target.as_ref(), names.collect()));
        }
        Ok(targets)
    }
}

impl ServiceEntry {
    /// Adds the changes of this entry to those of each text.
    fn plan<'e>(
        &'e self,
        owners: &Owners,
        targets: &[ItemId],
        items: &[Resource],
        plan: &mut Plan<'e>,
        results: &mut Results,
    ) {
        let section = owners.places.first().map(|place| place.section()).unwrap_or_default();
        let (mut cells, mut names, mut texts) = (Vec::new(), Vec::new(), Vec::new());
        let mut is_complete = true;
        for plane in targets {
            let found = self.find(owners, &section, *plane, items, results).unwrap_or_else(|fault| {
                results.add(fault.into_finding());
                None
            });
            let Some(found) = found else {
                is_complete = false;
                continue;
            };
            for owner in found.owners {
                texts.extend(context(plane.get(items), &section, &owner));
                let site = Site::new(*plane, owner.key(service_config::FIELD));
                let changes = self.changes.iter().map(|change| (change, self.is_replacing));
                plan.entry(site).or_default().extend(changes);
            }
            cells.extend(found.cells);
            names.extend(found.names);
        }
        if is_complete {
            self.unknown_names("cells", owners.cells.as_deref(), &cells, results);
            self.unknown_names("names", owners.names.as_deref(), &names, results);
        }
        self.report_options(&texts, results);
    }

    /// The owners in a control plane. None if it does not have the service; the reason is reported.
    fn find(
        &self,
        owners: &Owners,
        section: &FieldPath,
        plane: ItemId,
        items: &[Resource],
        results: &mut Results,
    ) -> Result<Option<Found>, Fault> {
        if !self.is_deployed(section, plane, items, results)? {
            return Ok(None);
        }
        let found = owners.find(plane.get(items))?;
        if let Some(empty) = found.empty.first() {
            self.nothing_listed(&Site::new(plane, empty.clone()), items, results);
            return Ok(None);
        }
        if found.owners.is_empty() && found.selects_all {
            let message =
                format!("{} is disabled everywhere in this section, so it is not configured", self.service);
            let site = Site::new(plane, section.clone());
            results.warning(&rules::SERVICE_NOT_DEPLOYED, message).at(site.location(items));
            return Ok(None);
        }
        Ok(Some(found))
    }

    /// Whether the control plane has the service. Reports one that it does not have, or does not run.
    fn is_deployed(
        &self,
        section: &FieldPath,
        plane: ItemId,
        items: &[Resource],
        results: &mut Results,
    ) -> Result<bool, Fault> {
        let resource = plane.get(items);
        if !resource.has(section)? {
            let message = format!(
                "this control plane has no `{section}`, so {} is not configured; add `{section}` to deploy it, or select \
                 other control planes with `target`",
                self.service
            );
            let site = Site::new(plane, section.clone());
            results.warning(&rules::SERVICE_NOT_DEPLOYED, message).at(site.location(items));
            return Ok(false);
        }
        // A switch of the wrong type is an error.
        resource.get::<bool>(&openstack::enabled(section.clone()))?;
        if let State::Disabled { site, is_default } = state(plane, resource, section) {
            let how = if is_default { "disabled by default" } else { "disabled" };
            let message = format!("this is {how}, so no {} reads its configuration", self.service);
            results.warning(&rules::SERVICE_NOT_DEPLOYED, message).at(site.location(items));
        }
        Ok(true)
    }

    /// Reports a mapping or list without entries.
    fn nothing_listed(&self, site: &Site, items: &[Resource], results: &mut Results) {
        if site.path == openstack::nova_cell_templates() {
            let message = format!(
                "{} must be configured in every cell; list all cells here, because the list replaces the operator's \
                 default cells",
                self.service
            );
            results.error(&rules::CELLS_UNKNOWN, message).at(site.location(items));
            return;
        }
        let message =
            format!("there is no {} to configure; list one here, or remove the entry", self.service);
        results.error(&rules::NO_MATCH, message).at(site.location(items));
    }

    /// Reports selected names that no control plane has.
    fn unknown_names(
        &self,
        field: &'static str,
        selected: Option<&[String]>,
        known: &[String],
        results: &mut Results,
    ) {
        let preposition = if field == "cells" { "in" } else { "named" };
        for (i, name) in selected.into_iter().flatten().enumerate() {
            if known.contains(name) {
                continue;
            }
            let mut all: Vec<String> = known.iter().map(quoted).collect();
            all.dedup();
            let others = if all.is_empty() {
                "there are none".to_owned()
            } else {
                format!("there are {}", all.join(", "))
            };
            let message =
                format!("no control plane has a {} {preposition} {}; {others}", self.service, quoted(name));
            results.error(&rules::NO_MATCH, message).in_config(self.path.clone().key(field).index(i));
        }
    }

    /// Reports options in `config` that the service does not have. `texts` are what else the service reads.
    pub(super) fn report_options(&self, texts: &[String], results: &mut Results) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let path = self.path.clone().key("config");
        checks::options_of_config(
            self.project,
            &self.config,
            &texts,
            self.accept_unknown.as_deref(),
            &path,
            results,
        );
    }
}

/// The texts that a service reads: its own, and that of its template. Those of the wrong type are reported when they are
/// changed.
fn context(plane: &Resource, section: &FieldPath, owner: &FieldPath) -> Vec<String> {
    let owners = [section.clone().key("template"), owner.clone()];
    let text = |owner: FieldPath| plane.get(&owner.key(service_config::FIELD)).ok().flatten();
    owners.into_iter().filter_map(text).collect()
}
