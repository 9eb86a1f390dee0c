//! The generated objects.

use serde_json::{Map, Value, json};

use super::{Directory, Preparation, SyncWaves, Volumes};
use crate::formats::{dns, hash};
use crate::krm::{Fault, Kind, Object, Resource};
use crate::platform::argocd::{self, DeletePolicy, Hook};
use crate::platform::{kubernetes, storage};

impl Volumes {
    pub(super) fn storage_class(&self) -> Result<Resource, Fault> {
        Object::new(kubernetes::STORAGE_CLASS, &self.storage_class)
            .annotations(self.wave_annotation(|waves| waves.volumes))
            .field("provisioner", storage::NO_PROVISIONER)
            .field("volumeBindingMode", "WaitForFirstConsumer")
            .field("allowVolumeExpansion", true)
            .build()
    }

    pub(super) fn volume(&self, node: &str, directory: &Directory) -> Result<Resource, Fault> {
        let name = format!("{}{}-{node}", self.storage_class, directory.number);
        let mut labels = Map::from_iter([(storage::PROVISIONED_BY.to_owned(), json!(storage::PROVISIONER))]);
        labels.extend(self.labels.iter().map(|(key, value)| (key.clone(), json!(value))));
        let mut annotations = self.wave_annotation(|waves| waves.volumes);
        annotations.insert(storage::PROVISIONED_BY_ANNOTATION.to_owned(), json!(storage::PROVISIONER));
        let spec = json!({
            "storageClassName": self.storage_class,
                "capacity": {"storage": self.capacity.to_string()},
                "accessModes": self.access_modes,
                "persistentVolumeReclaimPolicy": self.reclaim_policy,
                "volumeMode": "Filesystem",
                "local": {"path": directory.path},
                "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [
                    {"key": kubernetes::HOSTNAME, "operator": "In", "values": [node]},
                ]}]}},
        });
        Object::new(kubernetes::PERSISTENT_VOLUME, &name)
            .labels(labels)
            .annotations(annotations)
            .field("spec", spec)
            .build()
    }

    /// What the Jobs need: an account that may run privileged pods, because only those can write to the host.
    pub(super) fn permissions(&self, preparation: &Preparation) -> Result<[Resource; 3], Fault> {
        let (name, namespace) = (self.preparation_name(), preparation.namespace.as_str());
        let object = |kind: Kind| {
            Object::new(kind, &name)
                .namespace(Some(namespace))
                .labels(preparation_labels())
                .annotations(self.wave_annotation(|waves| waves.prepare))
        };
        let rule = json!({
            "apiGroups": ["security.openshift.io"],
            "resources": ["securitycontextconstraints"],
            "resourceNames": ["privileged"],
            "verbs": ["use"],
        });
        let role = json!({"apiGroup": kubernetes::RBAC, "kind": kubernetes::ROLE.kind, "name": name});
        let subject = json!({"kind": kubernetes::SERVICE_ACCOUNT.kind, "name": name, "namespace": namespace});
        Ok([
            object(kubernetes::SERVICE_ACCOUNT).build()?,
            object(kubernetes::ROLE).field("rules", vec![rule]).build()?,
            object(kubernetes::ROLE_BINDING)
                .field("roleRef", role)
                .field("subjects", vec![subject])
                .build()?,
        ])
    }

    /// The Job that creates the directories of one node. It tolerates every taint, because the config selects the node.
    pub(super) fn preparation_job(&self, preparation: &Preparation, node: &str) -> Result<Resource, Fault> {
        let mut annotations = self.wave_annotation(|waves| waves.prepare);
        if self.sync_waves.is_some() {
            annotations.insert(argocd::HOOK.to_owned(), json!(Hook::Sync));
            annotations
                .insert(argocd::HOOK_DELETE_POLICY.to_owned(), json!(DeletePolicy::BeforeHookCreation));
        }
        let paths = self.directories.iter().map(|directory| directory.path.as_str());
        let command: Vec<&str> = ["mkdir", "-p"].into_iter().chain(paths).collect();
        let name = job_name(format!("{}-{node}", self.preparation_name()));
        let pod = json!({
            "serviceAccountName": self.preparation_name(),
            "restartPolicy": "Never",
            "nodeSelector": {kubernetes::HOSTNAME: node},
            "tolerations": [{"operator": "Exists"}],
            "containers": [{
                "name": "mkdir",
                "image": preparation.image,
                "command": command,
                "securityContext": {"privileged": true, "runAsUser": 0},
                "volumeMounts": [{"name": "host", "mountPath": preparation.path}],
            }],
            "volumes": [{
                "name": "host",
                "hostPath": {"path": preparation.path, "type": "DirectoryOrCreate"},
            }],
        });
        let template = json!({"metadata": {"labels": preparation_labels()}, "spec": pod});
        Object::new(kubernetes::JOB, &name)
            .namespace(Some(&preparation.namespace))
            .labels(preparation_labels())
            .annotations(annotations)
            .field("spec", json!({"backoffLimit": 10, "template": template}))
            .build()
    }

    /// The name of the ServiceAccount, Role and RoleBinding. The names of the Jobs begin with it.
    fn preparation_name(&self) -> String {
        format!("prepare-{}", self.storage_class)
    }

    fn wave_annotation(&self, wave: fn(&SyncWaves) -> i32) -> Map<String, Value> {
        let wave = self.sync_waves.as_ref().map(wave);
        wave.map(|wave| (argocd::SYNC_WAVE.to_owned(), json!(wave.to_string()))).into_iter().collect()
    }
}

fn preparation_labels() -> Map<String, Value> {
    Map::from_iter([(kubernetes::COMPONENT.to_owned(), json!(storage::PREPARATION))])
}

/// The name of a Job. Its pods use it as a label and as their host name, so it must be a DNS label, while names of nodes
/// may have dots. A name that is too long or has dots ends in a hash of the whole name, so that the Jobs of two nodes
/// have different names.
fn job_name(name: String) -> String {
    if dns::is_label(&name) {
        return name;
    }
    let suffix = format!("-{:08x}", hash::fnv1a(&name));
    let head: String = name.replace('.', "-").chars().take(dns::LABEL - suffix.len()).collect();
    format!("{}{suffix}", head.trim_end_matches('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_jobs_are_dns_labels_and_unique() {
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
