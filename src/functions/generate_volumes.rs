mod objects;

use crate::checks::rules;
use std::collections::{BTreeMap, HashMap, HashSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::formats::dns;
use crate::formats::quantity::Quantity;
use crate::krm::{BadField, Fault, FieldPath, Function, Generator, Mistakes, Resource, Results, quoted};
use crate::platform::{kubernetes, storage};

/// The most volumes of one node.
const MOST: u32 = 999;

/// Makes local volumes for OpenStack: a StorageClass, PersistentVolumes, and the Jobs that prepare them.
///
/// Each node gets `count` volumes, named and laid out as install_yamls does it: `local-storage01-worker-0`
/// is the directory `<path>/pv01` of worker-0, the numbers as wide as `count`. Kubernetes does not make the
/// directories of local volumes, so with `prepare` each node gets a Job that does, with the ServiceAccount,
/// Role and RoleBinding it needs. Volumes and Jobs take the directories from one list, and cannot disagree.
/// Names of Jobs are DNS labels: where a node's name has dots or is too long, a hash of it ends the Job's.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GenerateVolumes {
    /// The nodes, by the value of their label `kubernetes.io/hostname`.
    #[serde(default)]
    nodes: Vec<String>,
    /// Labels of the Nodes or BareMetalHosts among the resources that get volumes too.
    node_selector: Option<BTreeMap<String, String>>,
    /// How many volumes each node gets, 1 to 999.
    #[schemars(range(min = 1, max = 999))]
    count: u32,
    /// The size of each volume: `10Gi`.
    capacity: Quantity,
    /// The directory on each node in which those of the volumes are, absolute.
    #[serde(default = "default_path")]
    path: String,
    /// The name of the StorageClass, with which the names of volumes begin.
    #[serde(default = "default_storage_class")]
    storage_class: String,
    /// Whether to make the StorageClass; `false` if it is there already. Two of these functions for one class,
    /// as for volumes of two sizes, go under `transformers:` in kustomize: what both make is made once.
    #[serde(default = "yes")]
    create_storage_class: bool,
    /// The namespace of the Jobs; needed with `prepare`. Its pods must be allowed to be privileged.
    namespace: Option<String>,
    /// Whether to make the Jobs that make the directories.
    #[serde(default = "yes")]
    prepare: bool,
    /// The image of the Jobs, in which there is `mkdir`. The default comes from the registry of the
    /// cluster; a cluster without one needs another.
    #[serde(default = "default_image")]
    image: String,
    /// What becomes of a volume when its claim is gone. With `Delete` it stays, as with `Retain`, until
    /// somebody frees it: no provisioner is there to do it.
    #[serde(default)]
    reclaim_policy: ReclaimPolicy,
    /// How a volume may be mounted.
    #[serde(default = "all_modes")]
    access_modes: Vec<AccessMode>,
    /// Labels of the volumes, beside `provisioned-by: crc-devsetup`, by which install_yamls finds them.
    #[serde(default)]
    labels: BTreeMap<String, String>,
    /// Waves of Argo CD. Without this there are none; SetSyncWaves can set them for everything.
    sync_waves: Option<SyncWaves>,
}

#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
enum ReclaimPolicy {
    #[default]
    Delete,
    Retain,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[allow(clippy::enum_variant_names, reason = "Kubernetes' own words")]
enum AccessMode {
    ReadWriteOnce,
    ReadWriteMany,
    ReadOnlyMany,
    ReadWriteOncePod,
}

/// Waves of what is made.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SyncWaves {
    /// The wave of the Jobs and of what they need. The Jobs become Sync hooks, made anew each time: a
    /// Job cannot be changed.
    #[serde(default = "prepare_wave")]
    prepare: i32,
    /// The wave of the StorageClass and of the volumes.
    #[serde(default = "volumes_wave")]
    volumes: i32,
}

fn default_path() -> String {
    "/mnt/openstack".to_owned()
}

fn default_storage_class() -> String {
    "local-storage".to_owned()
}

fn default_image() -> String {
    storage::TOOLS_IMAGE.to_owned()
}

fn yes() -> bool {
    true
}

fn all_modes() -> Vec<AccessMode> {
    vec![AccessMode::ReadWriteOnce, AccessMode::ReadWriteMany, AccessMode::ReadOnlyMany]
}

fn prepare_wave() -> i32 {
    -10
}

fn volumes_wave() -> i32 {
    -5
}

impl Function for GenerateVolumes {
    const KIND: &'static str = "GenerateVolumes";
    const NAME: &'static str = "generate-volumes";

    type Ready = Self;

    fn check(self) -> Result<Self, Mistakes> {
        self.checked()?;
        Ok(self)
    }
}

impl GenerateVolumes {
    fn checked(&self) -> Result<(), BadField> {
        if self.nodes.is_empty() && self.node_selector.is_none() {
            return Err(BadField::new("nodes", "must name at least one node, or give a `nodeSelector`"));
        }
        if self.node_selector.as_ref().is_some_and(BTreeMap::is_empty) {
            return Err(BadField::new("nodeSelector", "must have at least one label"));
        }
        let mut first_of_name = HashMap::new();
        for (i, node) in self.nodes.iter().enumerate() {
            if !is_host_name(node) {
                let message = format!("must be a node's host name, got {}", quoted(node));
                return Err(BadField::new(format!("nodes[{i}]"), message));
            }
            if let Some(first) = first_of_name.insert(node, i) {
                let message =
                    format!("the node {} is given twice, first in `spec.nodes[{first}]`", quoted(node));
                return Err(BadField::new(format!("nodes[{i}]"), message));
            }
        }
        if !(1..=MOST).contains(&self.count) {
            let message = format!("must be 1 to {MOST}, got {}", self.count);
            return Err(BadField::new("count", message));
        }
        if let Some(objection) = objection_to_path(&self.path) {
            return Err(BadField::new("path", format!("{objection}, got {}", quoted(&self.path))));
        }
        if !dns::is_subdomain(&self.storage_class) {
            let message = format!(
                "must be a name of lower case letters, digits and hyphens, got {}",
                quoted(&self.storage_class)
            );
            return Err(BadField::new("storageClass", message));
        }
        match &self.namespace {
            None if self.prepare => {
                return Err(BadField::new("namespace", "is needed for the Jobs; or set `prepare: false`"));
            }
            Some(namespace) if !dns::is_label(namespace) => {
                let message = format!("must be the name of a namespace, got {}", quoted(namespace));
                return Err(BadField::new("namespace", message));
            }
            _ => {}
        }
        let modes = &self.access_modes;
        if modes.is_empty() {
            return Err(BadField::new("accessModes", "must have at least one mode"));
        }
        if modes.len() > 1 && modes.contains(&AccessMode::ReadWriteOncePod) {
            return Err(BadField::new("accessModes", "ReadWriteOncePod cannot stand beside another mode"));
        }
        if self.image.trim().is_empty() {
            return Err(BadField::new("image", "must not be empty"));
        }
        Ok(())
    }
}

/// A node's name that can be the value of a label.
fn is_host_name(text: &str) -> bool {
    dns::is_subdomain(text) && text.len() <= dns::LABEL
}

/// What is wrong with a directory, if anything. A mount path must have no colon.
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

impl Generator for GenerateVolumes {
    fn generate(&self, given: &[Resource], results: &mut Results) -> Result<Vec<Resource>, Fault> {
        let nodes = self.all_nodes(given)?;
        let mut made = Vec::new();
        if self.create_storage_class {
            made.push(self.storage_class()?);
        }
        if let Some(namespace) = self.namespace.as_ref().filter(|_| self.prepare) {
            made.extend(self.permissions(namespace)?);
            for node in &nodes {
                made.push(self.preparation(node, namespace)?);
            }
        }
        for node in &nodes {
            for directory in self.directories() {
                made.push(self.volume(node, &directory)?);
            }
        }
        self.report_leftovers(&nodes, &made, given, results);
        Ok(made)
    }
}

impl GenerateVolumes {
    /// The nodes that are named, then those that the selector finds.
    fn all_nodes(&self, given: &[Resource]) -> Result<Vec<String>, Fault> {
        let mut nodes = self.nodes.clone();
        let Some(selector) = &self.node_selector else { return Ok(nodes) };
        let mut found = false;
        for item in given.iter().filter(|i| i.is(kubernetes::NODE) || i.is(kubernetes::BARE_METAL_HOST)) {
            if item.has_labels(selector)? {
                found = true;
                let name = item.label(kubernetes::HOSTNAME)?.unwrap_or_else(|| item.id().name.clone());
                if !is_host_name(&name) {
                    let message = format!("{} is no host name that a volume could be for", quoted(&name));
                    return Err(Fault::new(&rules::NODE_NAME, message).on(item));
                }
                if !nodes.contains(&name) {
                    nodes.push(name);
                }
            }
        }
        if found {
            return Ok(nodes);
        }
        let labels: Vec<String> = selector.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let message = format!(
            "no Node or BareMetalHost among the resources has the labels {}; kustomize gives a function \
             under `generators:` no resources, so list this one under `transformers:`",
            labels.join(", ")
        );
        Err(Fault::new(&rules::NO_MATCH, message).in_config(FieldPath::new("spec.nodeSelector")))
    }

    /// Volumes of an earlier run that this one would not make: nothing here deletes them.
    fn report_leftovers(
        &self,
        nodes: &[String],
        made: &[Resource],
        given: &[Resource],
        results: &mut Results,
    ) {
        let made: HashSet<&str> = made.iter().map(|item| item.id().name.as_str()).collect();
        let is_of_node = |rest: &str| {
            let number = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            number.len() < rest.len()
                && number.strip_prefix('-').is_some_and(|node| nodes.iter().any(|n| n == node))
        };
        for item in given.iter().filter(|item| item.is(kubernetes::PERSISTENT_VOLUME)) {
            let name = item.id().name.as_str();
            if name.strip_prefix(self.storage_class.as_str()).is_some_and(is_of_node) && !made.contains(name)
            {
                let message = "this volume is not among those that are made now, and its directory is not prepared; delete it if nobody uses it";
                results.warning(&rules::LEFT_OVER, message).on(item);
            }
        }
    }

    /// The one list: a number and a path for each volume of a node.
    fn directories(&self) -> impl Iterator<Item = Directory> + '_ {
        let width = self.count.to_string().len();
        (1..=self.count).map(move |i| {
            let number = format!("{i:0width$}");
            Directory { path: format!("{}/pv{number}", self.path), number }
        })
    }
}

/// The place of one volume on each node.
struct Directory {
    number: String,
    path: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_absolute_and_plain() {
        assert_eq!(objection_to_path("/mnt/openstack"), None);
        for path in ["", "mnt", "/", "/mnt/", "//mnt", "/mnt/../etc", "/mnt/./a", "/mnt/a:b", "/mnt/\n"] {
            assert!(objection_to_path(path).is_some(), "{path:?}");
        }
    }
}
