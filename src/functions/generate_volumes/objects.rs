//! The objects that are made, each as the value it is.

use serde_json::{Map, Value, json};

use super::{Directory, GenerateVolumes};
use crate::formats::dns;
use crate::krm::{Fault, Resource};
use crate::platform::argocd::{self, DeletePolicy, Hook};
use crate::platform::{kubernetes, storage};

impl GenerateVolumes {
    pub(super) fn storage_class(&self) -> Result<Resource, Fault> {
        Resource::new(&json!({
            "apiVersion": "storage.k8s.io/v1",
            "kind": "StorageClass",
            "metadata": metadata(&self.storage_class, None, Map::new(), self.volume_annotations()),
            "provisioner": "kubernetes.io/no-provisioner",
            "volumeBindingMode": "WaitForFirstConsumer",
            "allowVolumeExpansion": true,
        }))
    }

    pub(super) fn volume(&self, node: &str, directory: &Directory) -> Result<Resource, Fault> {
        let name = format!("{}{}-{node}", self.storage_class, directory.number);
        let mut labels = Map::from_iter([(storage::PROVISIONED_BY.to_owned(), json!(storage::PROVISIONER))]);
        labels.extend(self.labels.iter().map(|(key, value)| (key.clone(), json!(value))));
        let mut annotations = self.volume_annotations();
        annotations.insert(storage::PROVISIONED_BY_ANNOTATION.to_owned(), json!(storage::PROVISIONER));
        Resource::new(&json!({
            "apiVersion": "v1",
            "kind": "PersistentVolume",
            "metadata": metadata(&name, None, labels, annotations),
            "spec": {
                "storageClassName": self.storage_class,
                "capacity": {"storage": self.capacity.to_string()},
                "accessModes": self.access_modes,
                "persistentVolumeReclaimPolicy": self.reclaim_policy,
                "volumeMode": "Filesystem",
                "local": {"path": directory.path},
                "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [
                    {"key": kubernetes::HOSTNAME, "operator": "In", "values": [node]},
                ]}]}},
            },
        }))
    }

    /// What the Jobs need: an account that may run privileged pods, for only those may write to a host.
    pub(super) fn permissions(&self, namespace: &str) -> Result<[Resource; 3], Fault> {
        let name = self.preparation_name();
        let metadata = || metadata(&name, Some(namespace), preparation_labels(), self.waves(|w| w.prepare));
        Ok([
            Resource::new(&json!({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata()}))?,
            Resource::new(&json!({
                "apiVersion": "rbac.authorization.k8s.io/v1",
                "kind": "Role",
                "metadata": metadata(),
                "rules": [{
                    "apiGroups": ["security.openshift.io"],
                    "resources": ["securitycontextconstraints"],
                    "resourceNames": ["privileged"],
                    "verbs": ["use"],
                }],
            }))?,
            Resource::new(&json!({
                "apiVersion": "rbac.authorization.k8s.io/v1",
                "kind": "RoleBinding",
                "metadata": metadata(),
                "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": name},
                "subjects": [{"kind": "ServiceAccount", "name": name, "namespace": namespace}],
            }))?,
        ])
    }

    /// The Job that makes the directories of one node. The node was named, so its taints do not matter.
    pub(super) fn preparation(&self, node: &str, namespace: &str) -> Result<Resource, Fault> {
        let mut annotations = self.waves(|waves| waves.prepare);
        if self.sync_waves.is_some() {
            annotations.insert(argocd::HOOK.to_owned(), json!(Hook::Sync));
            annotations
                .insert(argocd::HOOK_DELETE_POLICY.to_owned(), json!(DeletePolicy::BeforeHookCreation));
        }
        let mut command = vec!["mkdir".to_owned(), "-p".to_owned()];
        command.extend(self.directories().map(|directory| directory.path));
        let name = job_name(format!("{}-{node}", self.preparation_name()));
        Resource::new(&json!({
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": metadata(&name, Some(namespace), preparation_labels(), annotations),
            "spec": {
                "backoffLimit": 10,
                "template": {
                    "metadata": {"labels": preparation_labels()},
                    "spec": {
                        "serviceAccountName": self.preparation_name(),
                        "restartPolicy": "Never",
                        "nodeSelector": {kubernetes::HOSTNAME: node},
                        "tolerations": [{"operator": "Exists"}],
                        "containers": [{
                            "name": "mkdir",
                            "image": self.image,
                            "command": command,
                            "securityContext": {"privileged": true, "runAsUser": 0},
                            "volumeMounts": [{"name": "host", "mountPath": self.path}],
                        }],
                        "volumes": [{
                            "name": "host",
                            "hostPath": {"path": self.path, "type": "DirectoryOrCreate"},
                        }],
                    },
                },
            },
        }))
    }

    fn preparation_name(&self) -> String {
        format!("prepare-{}", self.storage_class)
    }

    fn volume_annotations(&self) -> Map<String, Value> {
        self.waves(|waves| waves.volumes)
    }

    fn waves(&self, wave: fn(&super::SyncWaves) -> i32) -> Map<String, Value> {
        let wave = self.sync_waves.as_ref().map(wave);
        wave.map(|wave| (argocd::SYNC_WAVE.to_owned(), json!(wave.to_string()))).into_iter().collect()
    }
}

fn preparation_labels() -> Map<String, Value> {
    Map::from_iter([(kubernetes::COMPONENT.to_owned(), json!(storage::PREPARATION))])
}

fn metadata(
    name: &str,
    namespace: Option<&str>,
    labels: Map<String, Value>,
    annotations: Map<String, Value>,
) -> Value {
    let mut metadata = kubernetes::metadata(name, namespace);
    for (key, map) in [("labels", labels), ("annotations", annotations)] {
        if !map.is_empty() {
            metadata.insert(key.to_owned(), Value::Object(map));
        }
    }
    Value::Object(metadata)
}

/// The name of a Job. Its pods take it as a label and as their host name, so it must be a DNS label; names of
/// nodes may have dots. A name that is too long or has dots ends in a hash of all of it, so that the Jobs of
/// two nodes differ.
fn job_name(name: String) -> String {
    if dns::is_label(&name) {
        return name;
    }
    // FNV-1a: stable for ever, unlike the standard library's hashes.
    let hash =
        name.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    let suffix = format!("-{hash:08x}");
    let head: String = name.replace('.', "-").chars().take(dns::LABEL - suffix.len()).collect();
    format!("{}{suffix}", head.trim_end_matches('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_jobs_are_labels_and_differ() {
        let long = "x".repeat(60);
        let nodes = ["worker-0", "worker.0", "worker-0.example.com", &long, &format!("{long}.a"), "a.-"];
        let names = nodes.map(|node| job_name(format!("prepare-{node}")));
        assert_eq!(names[0], "prepare-worker-0");
        for (i, name) in names.iter().enumerate() {
            assert!(dns::is_label(name), "{name}");
            assert!(!names[..i].contains(name), "{name}");
        }
    }
}
