//! Which kinds are cluster-scoped, and which are in namespaces.

/// Where the objects of a kind are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    Cluster,
    Namespaced,
}

use Scope::{Cluster, Namespaced};

/// Scope, API group and kinds. The kinds that packages for OpenShift, OpenStack and OpenShift AI contain. The first group
/// that has a kind is the one that people mean by its name.
const KINDS: &[(Scope, &str, &[&str])] = &[
    (Cluster, "", &["Namespace", "Node", "PersistentVolume"]),
    (
        Cluster,
        "admissionregistration.k8s.io",
        &["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"],
    ),
    (Cluster, "apiextensions.k8s.io", &["CustomResourceDefinition"]),
    (Cluster, "autoscaling.openshift.io", &["ClusterAutoscaler"]),
    (Cluster, "config.openshift.io", &["Infrastructure"]),
    (Cluster, "datasciencecluster.opendatahub.io", &["DataScienceCluster"]),
    (Cluster, "dscinitialization.opendatahub.io", &["DSCInitialization"]),
    (Cluster, "external-secrets.io", &["ClusterExternalSecret", "ClusterSecretStore"]),
    (Cluster, "machineconfiguration.openshift.io", &["KubeletConfig", "MachineConfig", "MachineConfigPool"]),
    (Cluster, "nmstate.io", &["NMState", "NodeNetworkConfigurationPolicy"]),
    (Cluster, "nvidia.com", &["ClusterPolicy"]),
    (Cluster, "rbac.authorization.k8s.io", &["ClusterRole", "ClusterRoleBinding"]),
    (Cluster, "scheduling.k8s.io", &["PriorityClass"]),
    (Cluster, "security.openshift.io", &["SecurityContextConstraints"]),
    (Cluster, "serving.kserve.io", &["ClusterServingRuntime"]),
    (Cluster, "storage.k8s.io", &["StorageClass"]),
    (
        Namespaced,
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
    (Namespaced, "apps", &["DaemonSet", "Deployment", "StatefulSet"]),
    (Namespaced, "argoproj.io", &["AppProject", "Application", "ApplicationSet"]),
    (Namespaced, "autoscaling", &["HorizontalPodAutoscaler"]),
    (Namespaced, "autoscaling.openshift.io", &["MachineAutoscaler"]),
    (Namespaced, "batch", &["CronJob", "Job"]),
    (Namespaced, "core.openstack.org", &["OpenStackControlPlane", "OpenStackVersion"]),
    (
        Namespaced,
        "dataplane.openstack.org",
        &["OpenStackDataPlaneDeployment", "OpenStackDataPlaneNodeSet", "OpenStackDataPlaneService"],
    ),
    (Namespaced, "external-secrets.io", &["ExternalSecret", "SecretStore"]),
    (Namespaced, "infrastructure.opendatahub.io", &["HardwareProfile"]),
    (Namespaced, "k8s.cni.cncf.io", &["NetworkAttachmentDefinition"]),
    (Namespaced, "kubeflow.org", &["Notebook"]),
    (Namespaced, "machine.openshift.io", &["MachineSet"]),
    (Namespaced, "metal3.io", &["BareMetalHost"]),
    (
        Namespaced,
        "metallb.io",
        &[
            "BFDProfile",
            "BGPAdvertisement",
            "BGPPeer",
            "Community",
            "IPAddressPool",
            "L2Advertisement",
            "MetalLB",
        ],
    ),
    (Namespaced, "monitoring.coreos.com", &["PodMonitor", "PrometheusRule", "ServiceMonitor"]),
    (Namespaced, "network.openstack.org", &["NetConfig"]),
    (Namespaced, "networking.k8s.io", &["Ingress", "NetworkPolicy"]),
    (Namespaced, "nfd.openshift.io", &["NodeFeatureDiscovery"]),
    (Namespaced, "operator.openstack.org", &["OpenStack"]),
    (Namespaced, "operators.coreos.com", &["CatalogSource", "OperatorGroup", "Subscription"]),
    (Namespaced, "policy", &["PodDisruptionBudget"]),
    (Namespaced, "rbac.authorization.k8s.io", &["Role", "RoleBinding"]),
    (Namespaced, "route.openshift.io", &["Route"]),
    (Namespaced, "serving.kserve.io", &["InferenceService", "LLMInferenceService", "ServingRuntime"]),
    (Namespaced, "tekton.dev", &["Pipeline", "PipelineRun", "Task", "TaskRun"]),
];

/// The group and the scope of a kind that is named without its group.
pub fn named(kind: &str) -> Option<(&'static str, Scope)> {
    KINDS.iter().find(|(_, _, kinds)| kinds.contains(&kind)).map(|(scope, group, _)| (*group, *scope))
}

/// The scope of a kind, if it is known.
pub fn of(group: &str, kind: &str) -> Option<Scope> {
    KINDS.iter().find(|(_, own, kinds)| *own == group && kinds.contains(&kind)).map(|(scope, _, _)| *scope)
}

/// The names of all kinds of a scope.
pub fn names(scope: Scope) -> impl Iterator<Item = &'static str> {
    KINDS.iter().filter(move |(own, _, _)| *own == scope).flat_map(|(_, _, kinds)| kinds.iter().copied())
}
