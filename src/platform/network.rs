//! Kinds that configure the networks of nodes, pods and compute nodes, and where their fields are.

use crate::krm::Kind;

/// NMState's desired state of the nodes that its selector matches.
pub const NODE_POLICY: Kind = Kind::new("nmstate.io/v1", "NodeNetworkConfigurationPolicy");

/// Multus' attachment of pods to a network; its configuration is CNI JSON in a string.
pub const ATTACHMENT: Kind = Kind::new("k8s.cni.cncf.io/v1", "NetworkAttachmentDefinition");

/// The networks of compute nodes, and the ranges that their addresses come from.
pub const NET_CONFIG: Kind = Kind::new("network.openstack.org/v1beta1", "NetConfig");

/// The network over which Ansible reaches compute nodes, unless a node set names another one.
pub const CONTROL_PLANE_NETWORK: &str = "ctlplane";

/// The highest VLAN id: 4095 is reserved.
pub const HIGHEST_VLAN: u64 = 4094;

/// The interface of every node that leads nowhere else.
pub const LOOPBACK: &str = "lo";

/// The bridge that OVN-Kubernetes creates on every node.
pub const NODE_BRIDGE: &str = "br-ex";

/// The IPv4 addresses that nobody has on the internet: private, shared and link-local ones, those for documentation and
/// benchmarks, multicast and reserved ones (IANA's special-purpose registry).
pub const NOT_PUBLIC: [&str; 14] = [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
];

/// The fields of a NetworkAttachmentDefinition.
pub mod attachment {
    /// The CNI configuration, as JSON. Without it Multus looks for a file on the node.
    pub const CONFIG: &str = "config";

    /// The plugins of a chain. A configuration without it is one plugin.
    pub const PLUGINS: &str = "plugins";

    /// The keys by which plugins name the interface of the node that pods are attached to: macvlan, ipvlan and vlan
    /// have a master, bridge and ovs a bridge, host-device a device.
    pub const INTERFACE: [&str; 3] = ["master", "bridge", "device"];

    /// The keys of a VLAN id, in order: for bridge, sriov and ovs, for vlan, and for OVN-Kubernetes.
    pub const VLAN: [&str; 3] = ["vlan", "vlanId", "vlanID"];

    /// The plugin that creates its bridge on a node that does not have it.
    pub const BRIDGE: &str = "bridge";

    /// The plugin that moves a network card of the node into a pod.
    pub const HOST_DEVICE: &str = "host-device";

    /// The plugins that put pods into the VLAN of their configuration. Others ignore it, or have no interface.
    pub const WITH_VLAN: [&str; 3] = [BRIDGE, "ovs", "vlan"];

    /// The IPAM plugin that reserves addresses for the whole cluster.
    pub const WHEREABOUTS: &str = "whereabouts";

    /// The field in which whereabouts lists several ranges.
    pub const MORE_RANGES: &str = "ipRanges";
}

/// The fields of a NodeNetworkConfigurationPolicy.
pub mod node_policy {
    /// Labels of the nodes. If the field is missing, all nodes match. Only equality is supported.
    pub const NODE_SELECTOR: &str = "nodeSelector";

    /// The state that NMState applies.
    pub const DESIRED_STATE: &str = "desiredState";

    /// The sections besides `vlan` that name the interface below, in `base-iface`.
    pub const WITH_BASE: [&str; 3] = ["mac-vlan", "mac-vtap", "vxlan"];

    /// The sections with the ports of bridges, bonds and VRFs.
    pub const WITH_PORTS: [&str; 4] = ["bridge", "link-aggregation", "bond", "vrf"];

    /// The keys with the ports there. NMState accepts all of them.
    pub const PORTS: [&str; 3] = ["port", "ports", "ports-config"];

    /// The types of interfaces that are in the network of the interface below them, besides `mac-vlan`.
    pub const SHARE_BASE: [&str; 2] = ["mac-vtap", "ipvlan"];

    /// The types of interfaces that have no connection outside the node.
    pub const ENDS: [&str; 3] = ["dummy", "loopback", "veth"];

    /// Whether a string takes its value from the state of the node when the policy is applied.
    pub fn is_capture(text: &str) -> bool {
        let inside = text.trim().strip_prefix("{{").and_then(|rest| rest.strip_suffix("}}"));
        inside.is_some_and(|inside| inside.trim_start().starts_with("capture."))
    }
}
