//! Checks a functionConfig, and returns what is ready to run if it has no mistakes.

use super::{AccessMode, Directory, GenerateVolumes, Preparation, Volumes};
use crate::formats::dns;
use crate::functions::named_nodes;
use crate::krm::{FieldPath, Mistakes, quoted};

/// The maximum number of volumes on a node.
const MAX_COUNT: u32 = 999;

pub fn check(spec: GenerateVolumes) -> Result<Volumes, Mistakes> {
    let mut mistakes = Mistakes::default();
    let names: Vec<&str> = spec.nodes.iter().map(String::as_str).collect();
    named_nodes::check(&names, spec.node_selector.as_ref(), &mut mistakes);
    check_places(&spec, &mut mistakes);
    check_modes(&spec.access_modes, &mut mistakes);
    if !(1..=MAX_COUNT).contains(&spec.count) {
        mistakes.add(field("count"), format!("must be from 1 to {MAX_COUNT}, got {}", spec.count));
    }
    if spec.image.trim().is_empty() {
        mistakes.add(field("image"), "must not be empty");
    }
    mistakes.unless_any(|| ready(spec))
}

fn ready(spec: GenerateVolumes) -> Volumes {
    let width = spec.count.to_string().len();
    let numbers = (1..=spec.count).map(|number| format!("{number:0width$}"));
    let directories =
        numbers.map(|number| Directory { path: format!("{}/pv{number}", spec.path), number }).collect();
    let (path, image) = (spec.path, spec.image);
    let namespace = spec.namespace.filter(|_| spec.prepare);
    Volumes {
        nodes: spec.nodes,
        node_selector: spec.node_selector,
        directories,
        capacity: spec.capacity,
        storage_class: spec.storage_class,
        create_storage_class: spec.create_storage_class,
        preparation: namespace.map(|namespace| Preparation { namespace, image, path }),
        reclaim_policy: spec.reclaim_policy,
        access_modes: spec.access_modes,
        labels: spec.labels,
        sync_waves: spec.sync_waves,
    }
}

fn field(name: &'static str) -> FieldPath {
    FieldPath::new("spec").key(name)
}

/// The directory, the StorageClass and the namespace.
fn check_places(spec: &GenerateVolumes, mistakes: &mut Mistakes) {
    if let Some(objection) = objection_to_path(&spec.path) {
        mistakes.add(field("path"), format!("{objection}, got {}", quoted(&spec.path)));
    }
    if !dns::is_subdomain(&spec.storage_class) {
        let message = format!(
            "must consist of lower case letters, digits, hyphens and dots, got {}",
            quoted(&spec.storage_class)
        );
        mistakes.add(field("storageClass"), message);
    }
    match &spec.namespace {
        None if spec.prepare => {
            mistakes.add(field("namespace"), "is required for the Jobs; or set `prepare: false`");
        }
        Some(namespace) if !dns::is_label(namespace) => {
            let message = format!("must be the name of a namespace, got {}", quoted(namespace));
            mistakes.add(field("namespace"), message);
        }
        _ => {}
    }
}

fn check_modes(modes: &[AccessMode], mistakes: &mut Mistakes) {
    if modes.is_empty() {
        mistakes.add(field("accessModes"), "must have at least one mode");
    }
    if modes.len() > 1 && modes.contains(&AccessMode::ReadWriteOncePod) {
        let message = "`ReadWriteOncePod` cannot be combined with another mode; remove one of them";
        mistakes.add(field("accessModes"), message);
    }
}

/// What is wrong with a directory, if anything. The path of a volume mount cannot have a colon.
fn objection_to_path(path: &str) -> Option<&'static str> {
    let Some(below) = path.strip_prefix('/') else { return Some("must be an absolute path") };
    if below.is_empty() {
        Some("must be a directory below the root")
    } else if below.split('/').any(|part| matches!(part, "" | "." | "..")) {
        Some("must be a path without `.`, `..` and empty parts")
    } else if path.contains(|c: char| c.is_control() || c == ':') {
        Some("must be a path without colons and control characters")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_absolute_and_normalized() {
        assert_eq!(objection_to_path("/mnt/openstack"), None);
        for path in ["", "mnt", "/", "/mnt/", "//mnt", "/mnt/../etc", "/mnt/./a", "/mnt/a:b", "/mnt/\n"] {
            assert!(objection_to_path(path).is_some(), "{path:?}");
        }
    }
}
