//! The configuration of nova-compute, in files of the node sets.

use std::collections::HashSet;

use super::changes::{self, OptionChange};
use super::entry::ServiceEntry;
use super::selectors::{Computes, Where};
use super::{ServiceConfigs, merge};
use crate::checks::rules;
use crate::formats::ini::{Ini, IniOption};
use crate::functions::compute_files::{self, ComputeFile, ComputeFiles, FilePlace};
use crate::krm::{Fault, Resource, Results, quoted};
use crate::model::World;
use crate::model::data_plane::{self, DataPlane, NodeSet, SourceFile};
use crate::platform::{dataplane, kubernetes};

/// A file, and the entries that write it.
struct ConfigFile<'e> {
    file: ComputeFile,
    entries: Vec<&'e ServiceEntry>,
}

impl ServiceConfigs {
    pub(super) fn missing_objects(&self, given: &[Resource]) -> Result<Vec<Resource>, Fault> {
        let files = self.files(given)?;
        if files.is_empty() { Ok(Vec::new()) } else { self.compute_files(&files).missing_objects(given) }
    }

    pub(super) fn configure_computes(
        &self,
        items: &mut [Resource],
        results: &mut Results,
    ) -> Result<(), Fault> {
        let files = self.files(items)?;
        for entry in self.entries.iter().filter(|entry| matches!(entry.place, Where::Computes(_))) {
            entry.report_options(&[], results);
        }
        if files.is_empty() {
            return Ok(());
        }
        self.compute_files(&files).configure(items, results, &mut |place, items, results| {
            let entries = &files[place.index].entries;
            let all = entries
                .iter()
                .flat_map(|entry| entry.changes.iter().map(|change| (change, entry.is_replacing)));
            let changes = changes::combine(all);
            merge::apply(&changes, place.site, items, results)?;
            report_overrides(&changes, place, items, results);
            Ok(())
        })
    }

    fn compute_files<'f>(&'f self, files: &'f [ConfigFile<'_>]) -> ComputeFiles<'f> {
        let files = files.iter().map(|file| &file.file).collect();
        ComputeFiles { files, target: self.target.as_ref(), list: "spec.services" }
    }

    /// Every file, once.
    fn files(&self, items: &[Resource]) -> Result<Vec<ConfigFile<'_>>, Fault> {
        let world = World::new(items);
        let (plane, _) = data_plane::read(&world);
        let mut files: Vec<ConfigFile<'_>> = Vec::new();
        for entry in &self.entries {
            let Where::Computes(computes) = &entry.place else { continue };
            for file in self.files_of(entry, computes, &plane)? {
                if entry.changes.iter().all(OptionChange::is_removal) && !exists(&file, &world) {
                    continue;
                }
                let is_same = |other: &&mut ConfigFile<'_>| {
                    let other = &other.file;
                    (&other.node_set, &other.config_map, &other.key)
                        == (&file.node_set, &file.config_map, &file.key)
                };
                match files.iter_mut().find(is_same) {
                    Some(known) => known.entries.push(entry),
                    None => files.push(ConfigFile { file, entries: vec![entry] }),
                }
            }
        }
        Ok(files)
    }

    /// The files of one entry: one for each node set.
    fn files_of(
        &self,
        entry: &ServiceEntry,
        computes: &Computes,
        plane: &DataPlane,
    ) -> Result<Vec<ComputeFile>, Fault> {
        let file = |node_set: &str, node_set_field| ComputeFile {
            path: entry.path.clone(),
            node_set_field,
            service: compute_files::default_service(node_set),
            is_service_given: false,
            config_map: computes
                .config_map
                .clone()
                .unwrap_or_else(|| compute_files::default_config_map(node_set)),
            key: computes.key.clone(),
            cell: None,
            node_set: node_set.to_owned(),
        };
        if let Some(names) = &computes.node_sets {
            let field = |i| entry.path.clone().key("nodeSets").index(i);
            return Ok(names.iter().enumerate().map(|(i, name)| file(name, field(i))).collect());
        }
        // The file of a node set is also for those that were split off from it.
        let is_whole = |node_set: &&NodeSet| {
            let origin = node_set.split_from.as_deref();
            origin.is_none_or(|name| plane.node_set(node_set.id.namespace.as_deref(), name).is_none())
        };
        let ids = plane.node_sets.iter().filter(is_whole).map(|node_set| &node_set.id);
        let in_target =
            ids.filter(|id| self.target.as_ref().is_none_or(|target| target.has_namespace_of(id)));
        let mut seen = HashSet::new();
        let names: Vec<&str> =
            in_target.map(|id| id.name.as_str()).filter(|name| seen.insert(*name)).collect();
        if names.is_empty() {
            let message = "the resources contain no OpenStackDataPlaneNodeSet to configure";
            return Err(Fault::new(&rules::NO_MATCH, message).in_config(entry.path.clone()));
        }
        Ok(names.into_iter().map(|name| file(name, entry.path.clone())).collect())
    }
}

/// Whether a ConfigMap of a file is among the items. Removing options from a missing file needs no objects.
fn exists(file: &ComputeFile, world: &World<'_>) -> bool {
    let mut maps = world.of_kind(kubernetes::CONFIG_MAP);
    maps.any(|(_, resource)| resource.id().name == file.config_map)
}

/// Reports other files of the service that keep a change from taking effect. Nova reads the files in the order of their
/// names, and the last value of an option counts.
fn report_overrides(
    changes: &[(OptionChange, bool)],
    place: &FilePlace<'_>,
    items: &[Resource],
    results: &mut Results,
) {
    let Some(own) = place.site.path.last_key() else { return };
    let is_other = |file: &&SourceFile| {
        file.is_in_config_map && file.site != *place.site && dataplane::is_nova_config(&file.name)
    };
    for file in place.service.iter().flat_map(|service| &service.files).filter(is_other) {
        let item = file.site.item.get(items);
        let text: String = item.get(&file.site.path).ok().flatten().unwrap_or_default();
        let ini = Ini::parse(&text);
        for (change, _) in changes {
            let Some(other) = ini.all(&change.section, &change.key).last() else { continue };
            let message = match change.overridden_by(other) {
                Some(true) if file.name.as_str() > own => format!(
                    "Nova reads this file after {}, so `{} = {}` takes precedence; remove it here",
                    quoted(own),
                    change.name(),
                    other.value_in_one_line()
                ),
                Some(false) => {
                    format!("`{}` is removed from {}, but not from this file", change.name(), quoted(own))
                }
                _ => continue,
            };
            let find = |original: &str| {
                Ini::parse(original).all(&change.section, &change.key).last().map(IniOption::range)
            };
            let location = item.location_inside(&file.site.path, find);
            results.warning(&rules::OPTION_OVERRIDDEN, message).at(location);
        }
    }
}
