//! Kinds that configure the networks of nodes, pods and compute nodes.

use crate::krm::Kind;

/// NMState's desired state of the nodes that its selector matches.
pub const NODE_POLICY: Kind = Kind::new("nmstate.io/v1", "NodeNetworkConfigurationPolicy");

/// Multus' attachment of pods to a network; its configuration is CNI JSON in a string.
pub const ATTACHMENT: Kind = Kind::new("k8s.cni.cncf.io/v1", "NetworkAttachmentDefinition");

/// The networks of compute nodes, and the ranges that their addresses come from.
pub const NET_CONFIG: Kind = Kind::new("network.openstack.org/v1beta1", "NetConfig");
