//! The facts about each provider: the fields of its providerSpec and the rules for its names.
//!
//! Every field is a path below `spec.template.spec.providerSpec.value` of a MachineSet.

use crate::platform::instance_name::TypeName;

#[derive(Debug)]
pub struct Facts {
    /// The name in messages.
    pub name: &'static str,
    /// The kind of the providerSpec.
    pub kind: &'static str,
    /// The name of the size: an instance type, a flavor, or a VM template that includes the GPU.
    pub size: Option<&'static str>,
    /// CPUs and memory, where the size does not determine them.
    pub hardware: Option<Hardware>,
    /// The list of attached GPUs.
    pub gpus: Option<&'static str>,
    pub region: Option<&'static str>,
    pub zones: Option<Zones>,
    pub spot: Option<Spot>,
    /// A reservation of capacity. The API server writes an empty string if there is none.
    pub reservation: Option<&'static str>,
    /// Ids that the installer looked up for one cluster.
    pub cluster_ids: &'static [&'static str],
    /// Whether the autoscaler can scale a MachineSet down to 0 and up again.
    pub scales_from_zero: bool,
    /// How instance types are named, for a public cloud.
    pub type_names: Option<TypeNames>,
}

#[derive(Debug)]
pub struct Hardware {
    /// The number of CPUs, or of sockets if `counts_sockets`.
    pub cpus: &'static str,
    pub counts_sockets: bool,
    /// How many CPUs a socket has; 1 if the field is missing.
    pub cpus_per_socket: &'static str,
    pub memory: &'static str,
    pub memory_format: Memory,
}

#[derive(Debug)]
pub enum Memory {
    /// A number of MiB.
    Mib,
    /// A Kubernetes quantity: `32768Mi`.
    Quantity,
}

#[derive(Debug)]
pub struct Zones {
    pub field: &'static str,
    pub names: ZoneNames,
    pub network: ZoneNetwork,
    /// Other fields that contain the zone.
    pub copies: &'static [&'static str],
    /// Names that end in `-<zone>`.
    pub suffixed: &'static [&'static str],
    /// Names and ids of things that exist in one zone only.
    pub bound: &'static [&'static str],
}

#[derive(Debug)]
pub enum ZoneNames {
    /// `<region><separator><letter>`.
    Letters {
        separator: &'static str,
        /// The zone letters that most regions have.
        usual: &'static str,
        /// Regions whose zones have different letters.
        exceptions: &'static [(&'static str, &'static str)],
        /// What follows region and separator in names of another kind, such as those of local zones.
        other_form: &'static str,
    },
    /// Numbers. Some regions have no zones.
    Numbers(&'static [&'static str]),
    /// Any name: an administrator chooses them.
    Any,
}

#[derive(Debug)]
pub enum ZoneNetwork {
    /// All zones of a cluster use the same network.
    Shared,
    /// Each zone has its own subnets.
    Subnet(Subnet),
    /// Each zone has its own hypervisor cluster and its own subnets.
    FailureDomain,
}

#[derive(Debug)]
pub struct Subnet {
    pub field: &'static str,
    pub id: &'static str,
    /// Values of filters that select the subnet by name.
    pub names: &'static str,
}

#[derive(Debug)]
pub struct Spot {
    /// The field that every release has.
    pub mark: Mark,
    /// A field of later releases, for templates that have it.
    pub newer: Option<Mark>,
    /// Whether a spot machine may have both fields.
    pub allows_both: bool,
    /// A field and its value that a spot machine cannot have.
    pub conflict: Option<(&'static str, &'static str)>,
}

/// A field that makes a machine a spot machine.
#[derive(Debug)]
pub struct Mark {
    pub field: &'static str,
    pub value: MarkValue,
}

#[derive(Debug)]
pub enum MarkValue {
    /// The presence of the field marks a spot machine, whatever its value. New fields are `{}`.
    Present,
    True,
    Text(&'static str),
}

/// What the name of an instance type says about it.
#[derive(Debug)]
pub struct TypeNames {
    /// Reads a name in this cloud's format.
    pub parse: for<'n> fn(&'n str) -> Option<TypeName<'n>>,
    /// Whether no machine of a series has GPUs. A series is the letters that begin a family's name.
    pub lacks_gpus: fn(series: &str) -> bool,
    /// The family whose machines have only attached GPUs.
    pub takes_gpus: Option<&'static str>,
    /// Whether a type has ARM processors. NVIDIA's Grace is recognised for all clouds.
    pub is_arm: fn(&str) -> bool,
}
