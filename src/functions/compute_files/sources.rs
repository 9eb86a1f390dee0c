//! What the service of a node set reads.

use serde_json::Value;

use super::{ComputeFile, ComputeFiles};
use crate::checks::{data_sources, nova_cells, rules};
use crate::krm::{Fault, Resource, Results, quoted};
use crate::model::control_plane::ControlPlane;
use crate::model::data_plane::{NodeSet, Service, SourceFile};
use crate::platform::dataplane;

/// Adds a ConfigMap to the sources of a service. If functions have written all of them, the ConfigMaps are in alphabetical
/// order, so that the order of the functions does not matter.
pub(super) fn add_config_map(name: &str, service: &Service, items: &mut [Resource]) -> Result<(), Fault> {
    if service.reads_config_map(name) {
        return Ok(());
    }
    let list = dataplane::data_sources();
    let mut last = name.to_owned();
    for (index, current) in written_config_maps(service, items)? {
        if current > last {
            let path = list.clone().index(index);
            service.item.get_mut(items).set(&path, dataplane::config_map_source(&last))?;
            last = current;
        }
    }
    let path = list.index(service.sources.len());
    service.item.get_mut(items).set(&path, dataplane::config_map_source(&last))
}

/// The positions and names of the ConfigMaps, if the sources are those of a service that functions create: those of the
/// operator's `nova`, and ConfigMaps before and after them.
fn written_config_maps(service: &Service, items: &[Resource]) -> Result<Vec<(usize, String)>, Fault> {
    let required = service.sources.iter().enumerate().filter(|(_, source)| !source.is_optional);
    let maps: Vec<(usize, String)> =
        required.filter_map(|(index, source)| Some((index, source.config_map.clone()?))).collect();
    let (Some(((_, first), others)), Some(cell)) = (maps.split_first(), service.cell()) else {
        return Ok(Vec::new());
    };
    let item = service.item.get(items);
    // The name of the Secret may just have changed.
    let cell: Option<String> = item.get(&cell.site.path)?;
    let cell = cell.as_deref().and_then(dataplane::cell_of_secret).unwrap_or_default();
    let mut written = dataplane::nova_sources(cell, Some(first));
    written.extend(others.iter().map(|(_, name)| dataplane::config_map_source(name)));
    let sources = item.value(&dataplane::data_sources())?;
    Ok(if sources == Some(Value::Array(written)) { maps } else { Vec::new() })
}

/// Reports sources that do not work, and a cell that differs from the functionConfig's.
pub(super) fn check(
    (own, node_set): (&ComputeFile, &NodeSet),
    all: &ComputeFiles<'_>,
    service: &Service,
    planes: &[ControlPlane],
    items: &[Resource],
    results: &mut Results,
) {
    data_sources::misplaced_name(service, items, results);
    for file in data_sources::unread_files(service) {
        data_sources::config_not_read(file, service, items, results);
    }
    for (first, second) in data_sources::files_of_one_name(service) {
        let advice = advice(all, first, second, items);
        data_sources::file_twice((first, second), &advice, service, items, results);
    }
    nova_cells::no_cell(service, items, results);
    nova_cells::no_such_cell(service, planes, items, results);
    if let (Some(cell), Some(wanted)) = (service.cell(), own.cell_for(node_set))
        && cell.value != wanted
    {
        let message = format!(
            "this service is for {}, but `{}` specifies {}",
            quoted(cell.value),
            all.list,
            quoted(wanted)
        );
        results.error(&rules::CELL_CONFLICT, message).at(cell.site.location(items));
    }
}

/// What to do about two files with the same name. If the function writes one of them, the functionConfig can
/// avoid the conflict.
fn advice(all: &ComputeFiles<'_>, first: &SourceFile, second: &SourceFile, items: &[Resource]) -> String {
    let name_of = |file: &SourceFile| file.site.item.get(items).id().name.clone();
    let is_own = |file: &SourceFile| {
        let name = name_of(file);
        file.is_in_config_map && all.files.iter().any(|own| own.config_map == name)
    };
    let list = all.list;
    let other = match (is_own(first), is_own(second)) {
        (true, false) => second,
        (false, true) => first,
        (true, true) => return format!("set `key` in `{list}` to different file names"),
        (false, false) => return "rename one of them".to_owned(),
    };
    let rename = format!("set `key` in `{list}` to another file name");
    if other.is_in_config_map {
        let map = name_of(other);
        format!("set `configMap: {map}` in `{list}` to write into that file, or {rename}")
    } else {
        rename
    }
}
