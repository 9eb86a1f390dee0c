//! Kinds with pods, and kinds that name what pods and models use.

use crate::krm::Kind;

pub const DAEMON_SET: Kind = Kind::new("apps/v1", "DaemonSet");

/// Kinds with pods, and where they describe them.
pub const PODS: [(Kind, &str); 7] = [
    (DAEMON_SET, "spec.template.spec"),
    (Kind::new("apps/v1", "Deployment"), "spec.template.spec"),
    (Kind::new("apps/v1", "StatefulSet"), "spec.template.spec"),
    (Kind::new("batch/v1", "CronJob"), "spec.jobTemplate.spec.template.spec"),
    (Kind::new("batch/v1", "Job"), "spec.template.spec"),
    // A workbench of OpenShift AI.
    (Kind::new("kubeflow.org/v1", "Notebook"), "spec.template.spec"),
    (Kind::new("v1", "Pod"), "spec"),
];

/// A chain of InferenceServices.
pub const INFERENCE_GRAPH: Kind = Kind::new("serving.kserve.io/v1alpha1", "InferenceGraph");
pub const SERVICES_OF_GRAPH: [&str; 1] = ["spec.nodes.*.steps[*].serviceName"];

/// Kinds that give roles to accounts.
pub const BINDINGS: [Kind; 2] = [
    Kind::new("rbac.authorization.k8s.io/v1", "ClusterRoleBinding"),
    Kind::new("rbac.authorization.k8s.io/v1", "RoleBinding"),
];
