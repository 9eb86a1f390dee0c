//! Kinds of Kubernetes and OpenShift, and names in them.

use crate::formats::dns;
use crate::krm::{FieldPath, Kind};

/// The API group of roles and role bindings.
pub const RBAC: &str = "rbac.authorization.k8s.io";

pub const CLUSTER_ROLE: Kind = Kind::new("rbac.authorization.k8s.io/v1", "ClusterRole");
pub const CONFIG_MAP: Kind = Kind::new("v1", "ConfigMap");
pub const JOB: Kind = Kind::new("batch/v1", "Job");
pub const NAMESPACE: Kind = Kind::new("v1", "Namespace");
pub const NODE: Kind = Kind::new("v1", "Node");
pub const PERSISTENT_VOLUME: Kind = Kind::new("v1", "PersistentVolume");
pub const PERSISTENT_VOLUME_CLAIM: Kind = Kind::new("v1", "PersistentVolumeClaim");
pub const ROLE: Kind = Kind::new("rbac.authorization.k8s.io/v1", "Role");
pub const ROLE_BINDING: Kind = Kind::new("rbac.authorization.k8s.io/v1", "RoleBinding");
pub const SECRET: Kind = Kind::new("v1", "Secret");
pub const SERVICE: Kind = Kind::new("v1", "Service");
pub const SERVICE_ACCOUNT: Kind = Kind::new("v1", "ServiceAccount");
pub const STORAGE_CLASS: Kind = Kind::new("storage.k8s.io/v1", "StorageClass");

/// A machine that can become a node. The node gets its name.
pub const BARE_METAL_HOST: Kind = Kind::new("metal3.io/v1alpha1", "BareMetalHost");

/// The label of a node by which volumes and pods select it.
pub const HOSTNAME: &str = "kubernetes.io/hostname";

/// Whether a string can be the value of that label: a host name, no longer than the value of a label.
pub fn is_host_name(text: &str) -> bool {
    dns::is_subdomain(text) && text.len() <= dns::LABEL
}

/// The label of nodes that run workloads.
pub const WORKER_ROLE: &str = "node-role.kubernetes.io/worker";

/// The labels of a namespace that lets pods be privileged. OpenShift's own controller must not change them.
pub const PRIVILEGED: [(&str, &str); 2] = [
    ("pod-security.kubernetes.io/enforce", "privileged"),
    ("security.openshift.io/scc.podSecurityLabelSync", "false"),
];

/// The label that names the role of an object within its application.
pub const COMPONENT: &str = "app.kubernetes.io/component";

/// Annotations that kubectl and Argo CD write, and that would be wrong on any other object.
pub const OF_ONE_OBJECT: [&str; 2] =
    ["kubectl.kubernetes.io/last-applied-configuration", "argocd.argoproj.io/tracking-id"];

/// Fields that only the API server and controllers write.
pub const SERVER_FIELDS: [&str; 12] = [
    "metadata.uid",
    "metadata.resourceVersion",
    "metadata.generateName",
    "metadata.generation",
    "metadata.creationTimestamp",
    "metadata.managedFields",
    "metadata.selfLink",
    "metadata.ownerReferences",
    "metadata.finalizers",
    "metadata.deletionTimestamp",
    "spec.template.spec.providerID",
    "status",
];

/// Where ConfigMaps and Secrets contain files, by name.
pub const FILES: [&str; 3] = ["data.*", "stringData.*", "binaryData.*"];

/// A file of a ConfigMap.
pub fn config_map_data(key: &str) -> FieldPath {
    FieldPath::new("data").key(key.to_owned())
}

/// The annotations of an object.
pub fn annotations() -> FieldPath {
    FieldPath::new("metadata.annotations")
}

/// The type of a Service.
pub fn service_type() -> FieldPath {
    FieldPath::new("spec.type")
}

/// The ports of a Service.
pub fn service_ports() -> FieldPath {
    FieldPath::new("spec.ports")
}

/// The deprecated field for the address of a Service.
pub fn load_balancer_ip() -> FieldPath {
    FieldPath::new("spec.loadBalancerIP")
}

pub fn labels() -> FieldPath {
    FieldPath::new("metadata.labels")
}

pub fn annotation(key: &'static str) -> FieldPath {
    FieldPath::new("metadata.annotations").key(key)
}

/// Whether a namespace belongs to Kubernetes or OpenShift itself.
pub fn is_platform_namespace(name: &str) -> bool {
    matches!(name, "default" | "openshift") || name.starts_with("kube-") || name.starts_with("openshift-")
}
