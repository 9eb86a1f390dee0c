//! The Job: an init container copies the program out of its image, and a container with `oc` runs the script.

use serde_json::{Value, json};

use super::{DiscoveryJob, NAME, object};
use crate::krm::{Fault, Resource};
use crate::platform::argocd::{self, DeletePolicy, Hook};
use crate::platform::kubernetes::JOB;

/// The sync wave of the Job, after its ServiceAccount and ConfigMap, and after the rest of the cluster.
const WAVE: &str = "5";

pub fn job(discovery: &DiscoveryJob) -> Result<Resource, Fault> {
    let annotations = [
        (argocd::HOOK, json!(Hook::Sync)),
        (argocd::HOOK_DELETE_POLICY, json!(DeletePolicy::BeforeHookCreation)),
        (argocd::SYNC_WAVE, json!(WAVE)),
    ];
    let annotations = annotations.map(|(key, value)| (key.to_owned(), value)).into_iter().collect();
    let spec = json!({"backoffLimit": 4, "template": {"spec": pod(discovery)}});
    object(JOB).annotations(annotations).field("spec", spec).build()
}

fn pod(discovery: &DiscoveryJob) -> Value {
    json!({
        "serviceAccountName": NAME,
        "restartPolicy": "Never",
        "securityContext": {"runAsNonRoot": true, "seccompProfile": {"type": "RuntimeDefault"}},
        "initContainers": [{
            "name": "rhoso-fn",
            "image": discovery.image,
            "args": ["install", "/tools"],
            "securityContext": security_context(),
            "volumeMounts": [{"name": "tools", "mountPath": "/tools"}],
        }],
        "containers": [{
            "name": "generator",
            "image": discovery.oc,
            "command": ["/bin/sh", "/config/generate.sh"],
            "workingDir": "/work",
            "env": [
                {"name": "HOME", "value": "/work"},
                {"name": "CONFIG", "value": "/config/config.yaml"},
                {"name": "RHOSO_FN", "value": "/tools/rhoso-fn"},
            ],
            "securityContext": security_context(),
            "volumeMounts": [
                {"name": "tools", "mountPath": "/tools", "readOnly": true},
                {"name": "config", "mountPath": "/config", "readOnly": true},
                {"name": "work", "mountPath": "/work"},
            ],
        }],
        "volumes": [
            {"name": "tools", "emptyDir": {}},
            {"name": "config", "configMap": {"name": NAME}},
            {"name": "work", "emptyDir": {}},
        ],
    })
}

fn security_context() -> Value {
    json!({
        "allowPrivilegeEscalation": false,
        "readOnlyRootFilesystem": true,
        "capabilities": {"drop": ["ALL"]},
    })
}
