//! What the service of a node set reads.

use super::{ComputeFile, ComputeFiles};
use crate::checks::{data_sources, nova_cells, rules};
use crate::krm::{Fault, Resource, Results, quoted};
use crate::model::control_plane::ControlPlane;
use crate::model::data_plane::{NodeSet, Service, SourceFile};
use crate::platform::dataplane;

/// Adds a ConfigMap to the sources of a service.
pub(super) fn add_config_map(name: &str, service: &Service, items: &mut [Resource]) -> Result<(), Fault> {
    if service.reads_config_map(name) {
        return Ok(());
    }
    let path = dataplane::data_sources().index(service.sources.len());
    service.item.get_mut(items).set(&path, dataplane::config_map_source(name))
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
