//! OpenShift's machine API: MachineSets, what their providers call things, and what scales them.

use crate::krm::{FieldPath, FieldPattern, GroupKind};

pub const MACHINE_SET: GroupKind = GroupKind { group: "machine.openshift.io", kind: "MachineSet" };
pub const MACHINE_API: &str = "machine.openshift.io/v1beta1";
pub const MACHINE_AUTOSCALER: GroupKind =
    GroupKind { group: "autoscaling.openshift.io", kind: "MachineAutoscaler" };
pub const CLUSTER_AUTOSCALER: GroupKind =
    GroupKind { group: "autoscaling.openshift.io", kind: "ClusterAutoscaler" };
pub const NAMESPACE: &str = "openshift-machine-api";

/// The longest name of a MachineSet: its Machines have a hyphen and five letters more, and 63 at most.
pub const LONGEST_NAME: usize = 57;

/// The longest name that the installer gives a cluster's infrastructure.
pub const LONGEST_CLUSTER: usize = 27;

/// Labels of MachineSets and Machines: the cluster's infrastructure name, the MachineSet, the role.
pub const CLUSTER: &str = "machine.openshift.io/cluster-api-cluster";
pub const SET: &str = "machine.openshift.io/cluster-api-machineset";
pub const ROLE: &str = "machine.openshift.io/cluster-api-machine-role";

/// Labels by which Hive knows the MachineSets that it may delete.
pub const HIVE: &str = "hive.openshift.io/";

/// Labels of nodes. The accelerator's value is what limits of the autoscaler call its type.
pub const ACCELERATOR: &str = "cluster-api/accelerator";
pub const GPU_PRESENT: &str = "nvidia.com/gpu.present";
pub const GPU_ROLE: &str = "node-role.kubernetes.io/gpu";
pub const NODE_ROLE: &str = "node-role.kubernetes.io/";
pub const WORKER_ROLE: &str = "node-role.kubernetes.io/worker";
pub const STORAGE_NODE: &str = "cluster.ocs.openshift.io/openshift-storage";
pub const ARCHITECTURE: &str = "kubernetes.io/arch";

/// What a machine has, as the providers' controllers write it and the autoscaler's operator reads it.
pub const CPUS: &str = "machine.openshift.io/vCPU";
pub const MEMORY: &str = "machine.openshift.io/memoryMb";
pub const GPUS: &str = "machine.openshift.io/GPU";
pub const MAX_PODS: &str = "machine.openshift.io/maxPods";

/// The same for the autoscaler itself. Its operator fills in what is not there, and corrects nothing.
pub const CAPACITY: &str = "capacity.cluster-autoscaler.kubernetes.io/";

/// The MachineAutoscaler of a MachineSet, as the autoscaler's operator notes it there.
pub const SCALED_BY: &str = "autoscaling.openshift.io/machineautoscaler";

/// Annotations of one MachineSet that would be wrong on any other: what was applied, who scales it between
/// which sizes, and which application of Argo CD it belongs to.
pub const PERSONAL: [&str; 5] = [
    "kubectl.kubernetes.io/last-applied-configuration",
    SCALED_BY,
    "machine.openshift.io/cluster-api-autoscaler-node-group-min-size",
    "machine.openshift.io/cluster-api-autoscaler-node-group-max-size",
    "argocd.argoproj.io/tracking-id",
];

/// What the API server or a controller writes into an object, and nobody else should.
pub const SERVER_FIELDS: [&str; 11] = [
    "metadata.uid",
    "metadata.resourceVersion",
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

pub fn replicas() -> FieldPath {
    FieldPath::new("spec.replicas")
}

pub fn selector_labels() -> FieldPath {
    FieldPath::new("spec.selector.matchLabels")
}

pub fn machine_labels() -> FieldPath {
    FieldPath::new("spec.template.metadata.labels")
}

pub fn node_labels() -> FieldPath {
    FieldPath::new("spec.template.spec.metadata.labels")
}

pub fn taints() -> FieldPath {
    FieldPath::new("spec.template.spec.taints")
}

/// A field of the providerSpec.
pub fn provider_field(below: &str) -> FieldPath {
    FieldPath::new(&format!("spec.template.spec.providerSpec.value.{below}"))
}

/// Fields below `providerSpec.value`, by a pattern.
pub fn provider_fields(below: &str) -> FieldPattern {
    FieldPattern::new(&format!("spec.template.spec.providerSpec.value.{below}"))
}

/// Where machines come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Provider {
    Aws,
    Azure,
    Gcp,
    VSphere,
    OpenStack,
    Nutanix,
    BareMetal,
}

pub const PROVIDERS: [Provider; 7] = [
    Provider::Aws,
    Provider::Azure,
    Provider::Gcp,
    Provider::VSphere,
    Provider::OpenStack,
    Provider::Nutanix,
    Provider::BareMetal,
];

impl Provider {
    /// The kind of its providerSpec.
    pub fn kind(self) -> &'static str {
        match self {
            Provider::Aws => "AWSMachineProviderConfig",
            Provider::Azure => "AzureMachineProviderSpec",
            Provider::Gcp => "GCPMachineProviderSpec",
            Provider::VSphere => "VSphereMachineProviderSpec",
            Provider::OpenStack => "OpenstackProviderSpec",
            Provider::Nutanix => "NutanixMachineProviderConfig",
            Provider::BareMetal => "BareMetalMachineProviderSpec",
        }
    }

    pub fn of_kind(kind: &str) -> Option<Self> {
        PROVIDERS.into_iter().find(|provider| provider.kind() == kind)
    }

    pub fn name(self) -> &'static str {
        match self {
            Provider::Aws => "AWS",
            Provider::Azure => "Azure",
            Provider::Gcp => "GCP",
            Provider::VSphere => "vSphere",
            Provider::OpenStack => "OpenStack",
            Provider::Nutanix => "Nutanix",
            Provider::BareMetal => "bare metal",
        }
    }

    /// Whether it sells machines by type, and so has a part of the catalogue.
    pub fn is_cloud(self) -> bool {
        matches!(self, Provider::Aws | Provider::Azure | Provider::Gcp)
    }

    /// Where the name of the size stands: a type, a flavor, a VM template with the GPU in it.
    pub fn size(self) -> Option<FieldPath> {
        Some(provider_field(match self {
            Provider::Aws => "instanceType",
            Provider::Azure => "vmSize",
            Provider::Gcp => "machineType",
            Provider::VSphere => "template",
            Provider::OpenStack => "flavor",
            Provider::Nutanix | Provider::BareMetal => return None,
        }))
    }

    /// Where the zone stands, or what is like one.
    pub fn zone(self) -> Option<FieldPath> {
        Some(provider_field(match self {
            Provider::Aws => "placement.availabilityZone",
            Provider::Azure | Provider::Gcp => "zone",
            Provider::OpenStack => "availabilityZone",
            Provider::Nutanix => "failureDomain.name",
            Provider::VSphere | Provider::BareMetal => return None,
        }))
    }

    pub fn region(self) -> Option<FieldPath> {
        Some(provider_field(match self {
            Provider::Aws => "placement.region",
            Provider::Azure => "location",
            Provider::Gcp => "region",
            _ => return None,
        }))
    }

    /// Whether its MachineSets may be scaled down to nothing.
    pub fn scales_from_zero(self) -> bool {
        !matches!(self, Provider::Nutanix | Provider::BareMetal)
    }
}
