//! AppProjects of Argo CD, and the fields of Applications that they restrict.

use crate::krm::{FieldPath, Kind};

pub const APPLICATION: Kind = Kind::new("argoproj.io/v1alpha1", "Application");
pub const APPLICATION_SET: Kind = Kind::new("argoproj.io/v1alpha1", "ApplicationSet");
pub const APP_PROJECT: Kind = Kind::new("argoproj.io/v1alpha1", "AppProject");

/// The field with the spec of the Applications that an ApplicationSet generates.
pub fn generated_spec() -> FieldPath {
    FieldPath::new("spec.template.spec")
}

pub fn destinations() -> FieldPath {
    FieldPath::new("spec.destinations")
}

/// The kinds without a namespace that Applications may deploy.
pub fn cluster_kinds() -> FieldPath {
    FieldPath::new("spec.clusterResourceWhitelist")
}

/// The kinds in namespaces that Applications may deploy. Without this field, they may deploy all of them.
pub fn namespaced_kinds() -> FieldPath {
    FieldPath::new("spec.namespaceResourceWhitelist")
}

/// Whether objects of a kind are in namespaces. Only for kinds that models, GPUs and OpenStack need, and for those of
/// Kubernetes that people confuse; None for others.
pub fn is_namespaced(group: &str, kind: &str) -> Option<bool> {
    let is_in = |table: &[(&str, &[&str])]| {
        table.iter().any(|(known, kinds)| *known == group && kinds.contains(&kind))
    };
    match (is_in(NAMESPACED), is_in(CLUSTER_SCOPED)) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

const NAMESPACED: &[(&str, &[&str])] = &[
    (
        "",
        &[
            "ConfigMap",
            "LimitRange",
            "PersistentVolumeClaim",
            "Pod",
            "ResourceQuota",
            "Secret",
            "Service",
            "ServiceAccount",
        ],
    ),
    ("apps", &["DaemonSet", "Deployment", "StatefulSet"]),
    ("argoproj.io", &["AppProject", "Application", "ApplicationSet"]),
    ("autoscaling.openshift.io", &["MachineAutoscaler"]),
    ("batch", &["CronJob", "Job"]),
    ("k8s.cni.cncf.io", &["NetworkAttachmentDefinition"]),
    ("machine.openshift.io", &["Machine", "MachineHealthCheck", "MachineSet"]),
    ("metal3.io", &["BareMetalHost"]),
    ("metallb.io", &["BGPAdvertisement", "BGPPeer", "IPAddressPool", "L2Advertisement", "MetalLB"]),
    ("networking.k8s.io", &["Ingress", "NetworkPolicy"]),
    ("nfd.openshift.io", &["NodeFeatureDiscovery"]),
    ("operators.coreos.com", &["CatalogSource", "ClusterServiceVersion", "OperatorGroup", "Subscription"]),
    ("rbac.authorization.k8s.io", &["Role", "RoleBinding"]),
    ("route.openshift.io", &["Route"]),
    ("serving.kserve.io", &["InferenceService", "LLMInferenceService", "ServingRuntime"]),
];

const CLUSTER_SCOPED: &[(&str, &[&str])] = &[
    ("", &["Namespace", "Node", "PersistentVolume"]),
    ("apiextensions.k8s.io", &["CustomResourceDefinition"]),
    ("autoscaling.openshift.io", &["ClusterAutoscaler"]),
    ("config.openshift.io", &["Infrastructure"]),
    ("machineconfiguration.openshift.io", &["KubeletConfig", "MachineConfig", "MachineConfigPool"]),
    ("nmstate.io", &["NMState", "NodeNetworkConfigurationPolicy"]),
    ("nvidia.com", &["ClusterPolicy"]),
    ("rbac.authorization.k8s.io", &["ClusterRole", "ClusterRoleBinding"]),
    ("serving.kserve.io", &["ClusterServingRuntime", "ClusterStorageContainer"]),
    ("storage.k8s.io", &["StorageClass"]),
];
