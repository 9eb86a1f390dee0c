//! Values files of one topology, as in openstack-k8s-operators/architecture.
//!
//! A topology has one `network-values` for each of its OpenStack instances, such as `control-plane/nncp/values.yaml` and
//! `control-plane2/nncp/values.yaml`, and other values files beside them. A tree can contain many topologies.

use crate::krm::Order;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::Source;
use crate::platform::machine::LOCAL_CONFIG;

/// The values files of each topology, as positions.
pub fn find(files: &[Source<'_>]) -> Vec<Vec<usize>> {
    let of = |is_kind: fn(&str) -> bool| -> Vec<(usize, &Path)> {
        let kind = |(position, file): (usize, &'_ Source<'_>)| is_kind(file.text).then_some(position);
        let positions = files.iter().enumerate().filter_map(kind);
        positions.filter_map(|position| Some((position, files[position].real.as_deref()?))).collect()
    };
    let networks = Networks::new(of(is_network_values));
    let mut topologies: BTreeMap<&Path, Vec<usize>> = BTreeMap::new();
    for (position, path) in of(is_values) {
        if let Some(directory) = networks.topology_of(path) {
            topologies.entry(directory).or_default().push(position);
        }
    }
    let with_networks = |(directory, mut members): (&Path, Vec<usize>)| {
        members.extend(networks.below(directory));
        members.order();
        members.dedup();
        members
    };
    topologies.into_iter().map(with_networks).collect()
}

/// Whether a text has a ConfigMap with values. It is not parsed: a mistake would only cost a comparison.
fn is_values(text: &str) -> bool {
    text.contains(LOCAL_CONFIG) && names(text).any(|name| name.contains("-values"))
}

fn is_network_values(text: &str) -> bool {
    text.contains(LOCAL_CONFIG) && names(text).any(|name| name == "network-values")
}

fn names(text: &str) -> impl Iterator<Item = &str> {
    let values = text.lines().filter_map(|line| line.trim_start().strip_prefix("name:"));
    values.map(|value| value.trim().trim_matches(['"', '\'']))
}

/// The files with `network-values`, by every directory above them.
struct Networks<'p> {
    by_directory: BTreeMap<&'p Path, Vec<(usize, &'p Path)>>,
}

impl<'p> Networks<'p> {
    fn new(files: Vec<(usize, &'p Path)>) -> Self {
        let mut by_directory: BTreeMap<&Path, Vec<(usize, &Path)>> = BTreeMap::new();
        for (position, path) in files {
            for directory in path.ancestors().skip(1) {
                by_directory.entry(directory).or_default().push((position, path));
            }
        }
        Networks { by_directory }
    }

    fn below(&self, directory: &Path) -> impl Iterator<Item = usize> {
        self.by_directory.get(directory).into_iter().flatten().map(|(position, _)| *position)
    }

    /// The nearest directory above a values file that also contains other `network-values`. None if they belong to
    /// different topologies, so that it is not known which is meant.
    fn topology_of(&self, values: &'p Path) -> Option<&'p Path> {
        let has_others = |directory: &&Path| {
            let found = self.by_directory.get(directory).into_iter().flatten();
            found.into_iter().any(|(_, path)| *path != values)
        };
        let directory = values.ancestors().skip(1).find(has_others)?;
        let mut places = self.by_directory[directory].iter().map(|(_, path)| place(path, directory));
        let first = places.next()?;
        places.all(|place| place == first).then_some(directory)
    }
}

/// The path below a directory, without the numbers that tell the instances of one topology apart.
fn place(path: &Path, directory: &Path) -> PathBuf {
    let below = path.strip_prefix(directory).unwrap_or(path);
    let without_number = |part: &std::ffi::OsStr| {
        part.to_string_lossy().trim_end_matches(|c: char| c.is_ascii_digit()).to_owned()
    };
    below.iter().map(without_number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NETWORK: &str = "kind: ConfigMap\nmetadata:\n  name: network-values\n  annotations: {config.kubernetes.io/local-config: \"true\"}\n";
    const NODES: &str = "kind: ConfigMap\nmetadata:\n  name: edpm-nodeset-values\n  annotations: {config.kubernetes.io/local-config: \"true\"}\n";

    fn found(files: &[(&str, &str)]) -> Vec<Vec<usize>> {
        let sources: Vec<Source<'_>> = files
            .iter()
            .map(|(path, text)| Source {
                real: Some(path.into()),
                apart: None,
                text,
                objects: Vec::new(),
                is_named: false,
                is_validator: false,
            })
            .collect();
        find(&sources)
    }

    #[test]
    fn values_of_one_topology_are_joined_and_never_of_two() {
        let two = [
            ("/dt/a/control-plane/nncp/values.yaml", NETWORK),
            ("/dt/a/edpm/values.yaml", NODES),
            ("/dt/b/control-plane/nncp/values.yaml", NETWORK),
            ("/dt/b/edpm/values.yaml", NODES),
            ("/dt/c/edpm/values.yaml", NODES),
            ("/dt/a/x.yaml", "kind: ConfigMap\n"),
        ];
        assert_eq!(found(&two), [vec![0, 1], vec![2, 3]]);
        assert_eq!(found(&two[..2]), [vec![0, 1]]);
        assert_eq!(found(&two[..1]), Vec::<Vec<usize>>::new());
    }

    #[test]
    fn instances_of_one_topology_differ_in_a_number() {
        let instances = [
            ("/dt/m/control-plane/nncp/values.yaml", NETWORK),
            ("/dt/m/control-plane2/nncp/values.yaml", NETWORK),
            ("/dt/m/edpm2/nodeset/values.yaml", NODES),
        ];
        assert_eq!(found(&instances), [vec![0, 1, 2]]);
        assert_eq!(found(&instances[..2]), [vec![0, 1]]);
    }
}
