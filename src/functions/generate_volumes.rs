//! GenerateVolumes: the spec, its checked form, and the order of the objects.

mod check;
mod left_over;
mod objects;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::formats::quantity::Quantity;
use crate::functions::named_nodes;
use crate::krm::{Fault, Function, Generator, Mistakes, Resource, Results};
use crate::platform::storage;

/// Generates local volumes for OpenStack: a StorageClass, PersistentVolumes, and Jobs that prepare their directories.
///
/// Each node gets `count` volumes. Names and directories follow install_yamls: the volume
/// `local-storage01-worker-0` is the directory `<path>/pv01` on worker-0. Numbers are padded to as many
/// digits as `count` has.
///
/// Kubernetes does not create the directories of local volumes. With `prepare`, each node gets a Job that
/// creates them, together with the ServiceAccount, Role and RoleBinding that the Job needs. The name of a Job
/// must be a DNS label, so if a node's name has dots or is too long, the name of its Job ends in a hash.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GenerateVolumes {
    /// The nodes, by the value of their label `kubernetes.io/hostname`. Required without `nodeSelector`.
    #[serde(default)]
    nodes: Vec<String>,
    /// Labels of Nodes or BareMetalHosts among the resources. Those that match get volumes too.
    node_selector: Option<BTreeMap<String, String>>,
    /// The number of volumes on each node, from 1 to 999.
    #[schemars(range(min = 1, max = 999))]
    count: u32,
    /// The size of each volume, such as `10Gi`.
    capacity: Quantity,
    /// The directory on each node that contains the directories of the volumes. It must be an absolute path.
    #[serde(default = "default_path")]
    path: String,
    /// The name of the StorageClass. The names of the volumes begin with it.
    #[serde(default = "default_storage_class")]
    storage_class: String,
    /// Whether to generate the StorageClass. Set this to `false` if it already exists. If two functionConfigs
    /// use the same class, such as for volumes of two sizes, list them under `transformers:` in kustomize:
    /// there, the second one finds the StorageClass of the first.
    #[serde(default = "yes")]
    create_storage_class: bool,
    /// The namespace of the Jobs. Required with `prepare`. It must allow privileged pods.
    namespace: Option<String>,
    /// Whether to generate the Jobs that create the directories.
    #[serde(default = "yes")]
    prepare: bool,
    /// The image of the Jobs. It must contain `mkdir`. The default image is in the cluster's internal registry; set
    /// another image if the cluster has no registry.
    #[serde(default = "default_image")]
    image: String,
    /// What happens to a volume after its claim is deleted. No provisioner deletes local volumes, so with both policies
    /// the volume stays until you delete it or remove its `claimRef`.
    #[serde(default)]
    reclaim_policy: ReclaimPolicy,
    /// How the volumes can be mounted.
    #[serde(default = "default_modes")]
    access_modes: Vec<AccessMode>,
    /// Labels of the volumes, in addition to `provisioned-by: crc-devsetup`, which install_yamls uses to find
    /// them.
    #[serde(default)]
    labels: BTreeMap<String, String>,
    /// Sets Argo CD's sync waves. To set the waves of all resources, use SetSyncWaves instead.
    sync_waves: Option<SyncWaves>,
}

#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
enum ReclaimPolicy {
    #[default]
    Delete,
    Retain,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[allow(clippy::enum_variant_names, reason = "these are the names of the Kubernetes API")]
enum AccessMode {
    ReadWriteOnce,
    ReadWriteMany,
    ReadOnlyMany,
    ReadWriteOncePod,
}

/// Sync waves of the generated resources.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SyncWaves {
    /// The wave of the Jobs and of their ServiceAccount, Role and RoleBinding. The Jobs become Sync hooks that each
    /// sync recreates, because a Job cannot be changed.
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

fn default_modes() -> Vec<AccessMode> {
    vec![AccessMode::ReadWriteOnce, AccessMode::ReadWriteMany, AccessMode::ReadOnlyMany]
}

fn prepare_wave() -> i32 {
    -10
}

fn volumes_wave() -> i32 {
    -5
}

/// A GenerateVolumes without mistakes.
#[derive(Debug)]
pub struct Volumes {
    /// The nodes that the config names.
    nodes: Vec<String>,
    node_selector: Option<BTreeMap<String, String>>,
    /// One for each volume of a node. Volumes and Jobs use this list, so they cannot differ.
    directories: Vec<Directory>,
    capacity: Quantity,
    storage_class: String,
    create_storage_class: bool,
    preparation: Option<Preparation>,
    reclaim_policy: ReclaimPolicy,
    access_modes: Vec<AccessMode>,
    labels: BTreeMap<String, String>,
    sync_waves: Option<SyncWaves>,
}

/// The directory of one volume on each node.
#[derive(Debug)]
struct Directory {
    /// The number in the volume's name, with leading zeros.
    number: String,
    path: String,
}

/// The Jobs that create the directories.
#[derive(Debug)]
struct Preparation {
    namespace: String,
    image: String,
    /// The parent of all directories.
    path: String,
}

impl Function for GenerateVolumes {
    const KIND: &'static str = "GenerateVolumes";
    const NAME: &'static str = "generate-volumes";

    type Ready = Volumes;

    fn check(self) -> Result<Volumes, Mistakes> {
        check::check(self)
    }
}

impl Generator for Volumes {
    fn generate(&self, given: &[Resource], results: &mut Results) -> Result<Vec<Resource>, Fault> {
        let named: Vec<&str> = self.nodes.iter().map(String::as_str).collect();
        let nodes = named_nodes::find(&named, self.node_selector.as_ref(), given, results)?;
        let mut generated = Vec::new();
        if self.create_storage_class {
            generated.push(self.storage_class()?);
        }
        if let Some(preparation) = &self.preparation {
            generated.extend(self.permissions(preparation)?);
            for node in &nodes {
                generated.push(self.preparation_job(preparation, node)?);
            }
        }
        for node in &nodes {
            for directory in &self.directories {
                generated.push(self.volume(node, directory)?);
            }
        }
        self.report_left_over(&nodes, &generated, given, results);
        Ok(generated)
    }
}
