//! GenerateInstances: the spec, its checked form, and the order of the objects.

mod advertisements;
mod allocation;
mod attachments;
mod check;
mod collisions;
mod control_planes;
mod drafts;
mod hosts;
mod instance_spec;
mod interfaces;
mod layers;
mod merge;
mod net_config;
mod network_spec;
mod node_addresses;
mod node_sets;
mod nodes;
mod plan;
mod policies;
mod setting;
mod sharing;
mod templates;
mod values;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use self::instance_spec::{ControlPlaneSpec, InstanceSpec, NetworkSpecs, NodeSetSpec, NodeSpec, PeerSpec};
use self::network_spec::{GivenSubnet, NetworkSpec};
use self::plan::Instance;
use self::setting::Setting;
use crate::formats::ip::Family;
use crate::krm::{Fault, Function, Generator, Mistakes, Resource, Results, Transformer};
use crate::platform::network_plan::BRIDGE;

/// Generates the networks of several OpenStack instances on one cluster from a short list of instances.
///
/// Each instance gets a Namespace, NetworkAttachmentDefinitions, a NetConfig, IPAddressPools that only its namespace may
/// use, and L2Advertisements. The names of pools and advertisements begin with the namespace:
/// `openstack2-internalapi`. Each node gets one NodeNetworkConfigurationPolicy for all instances.
///
/// The first instance has the default plan, which is that of install_yamls. Each further one has the same plan in the
/// next slot: slot n moves every subnet by n times its size (172.17.n.0/24, 192.168.(122+n).0/24,
/// fd00:bbbb:0:n::/64) and every VLAN id by 10n, and host numbers stay the same. The slot is the position in the list
/// unless `slot` is set, so an appended instance changes nothing in the objects of the others. The control plane
/// network has no VLAN: in each slot, its subnet is one more address of the nodes on the same bridge. Octavia's
/// bridge is `octbr`, then `octbr2` and so on.
///
/// The default plan of slot 0, with the hosts of nodes, pods (`attach`), services (`pool`) and compute nodes
/// (`allocate`):
///
/// - ctlplane: 192.168.122.0/24, fd00:aaaa::/64, on the bridge, nodes from 10, 30-70, 80-90, 100-120 and 150-200,
///   gateway 1
/// - internalapi: 172.17.0.0/24, fd00:bbbb::/64, VLAN 20, nodes from 5, 30-70, 80-90, 100-250
/// - storage: 172.18.0.0/24, fd00:cccc::/64, VLAN 21, the same hosts
/// - tenant: 172.19.0.0/24, fd00:dddd::/64, VLAN 22, the same hosts
/// - storagemgmt: 172.20.0.0/24, fd00:dede::/64, VLAN 23, the same hosts, no services
/// - octavia: 172.23.0.0/24, fd00:eeee::/64, VLAN 24, only pods, with a route to Octavia's management network
/// - designate: 172.28.0.0/24, fd00:eded::/64, VLAN 25, nodes and pods
/// - designateext: 172.29.0.0/24, fd00:eaea::/64, VLAN 26, nodes, pods and services
/// - external: 10.0.0.0/24, fd00:ffff::/64, only compute nodes, gateway 1
/// - datacentre: the bridge of provider networks, without addresses
///
/// It differs from install_yamls where that has mistakes: designateext is 172.29.0.0/24 instead of 172.50.0.0/24, which
/// is public address space. The attachments of designate and designateext and the interfaces of L2Advertisements
/// follow the plan, also in IPv6. The CNI name of designateext is spelled like the network. In IPv6, storagemgmt has
/// one subnet everywhere.
///
/// What you give takes precedence over the plan, in `networks` for all instances, and in the `networks` of an instance.
/// An instance that gives the `cidr` of another one shares that network: the nodes keep one address, and the instance
/// must give its own `attach`, `pool` and `allocate`. Whatever does not fit or collides is an error that names both
/// places.
///
/// Policies in the package are kept: the policy of a node is the one whose `nodeSelector` has its host name, or else
/// the one with the name `<interface>-<node>`. Interfaces, addresses and routes that it lacks are added. A node
/// that already has an address in a subnet keeps it.
///
/// In the OpenStackControlPlane and the LoadBalancer Services of an instance, the pools and addresses of MetalLB's
/// annotations change as in PrefixAddressPools. If the pool of an instance lacks the host number of a service, its
/// services move to the beginning of the pool. The bridge is added to the `nicMappings` of OVN. A functionConfig that
/// changes or copies resources must be listed under `transformers:` in kustomize.
///
/// To render each instance in its own kustomization, set `only` there.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GenerateInstances {
    /// The nodes, by the value of their label `kubernetes.io/hostname`. The position determines the addresses.
    /// Required without `nodeSelector`.
    #[serde(default)]
    nodes: Vec<NodeSpec>,
    /// Labels of Nodes or BareMetalHosts among the resources. Those that match follow the `nodes`.
    node_selector: Option<BTreeMap<String, String>>,
    /// The NIC that carries the VLANs and the bridge on all nodes. A network or a node can have another one.
    #[schemars(length(min = 1, max = 15))]
    interface: String,
    /// The bridge of the control plane network.
    #[serde(default = "default_bridge")]
    #[schemars(length(min = 1, max = 15))]
    bridge: String,
    /// The family of the default plan.
    #[serde(default)]
    ip_family: IpFamily,
    /// Changes to the default plan for all instances, by network: ctlplane, internalapi, external, storage,
    /// storagemgmt, tenant, octavia, designate, designateext or datacentre. `null` removes a network.
    ///
    /// Hosts are addresses, such as `172.17.0.80-172.17.0.90` or `172.17.0.64/26`, or host numbers, such as `80-90`:
    /// decimal in IPv4, hexadecimal in IPv6, as they appear in the address. `null` removes hosts.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Setting<NetworkSpec>>")]
    networks: NetworkSpecs,
    /// The instances. At least one is required.
    #[schemars(length(min = 1))]
    instances: Vec<InstanceSpec>,
    /// How control planes are generated and changed.
    control_plane: Option<ControlPlaneSpec>,
    /// How node sets are generated.
    node_set: Option<NodeSetSpec>,
    /// Subnets that the cluster itself uses, and that no network may overlap. Defaults to those of OpenShift:
    /// 10.128.0.0/14 and 172.30.0.0/16.
    reserved: Option<Vec<GivenSubnet>>,
    /// How MetalLB announces the addresses of services.
    #[serde(default)]
    advertise: Advertise,
    /// The BGP routers. Required if `advertise` is bgp.
    #[serde(default)]
    peers: Vec<PeerSpec>,
    /// What to render, if not everything: the namespace of one instance for its objects, or `nodes` for what the
    /// instances share, which is the policies of the nodes and the BGPPeers.
    only: Option<String>,
}

/// The family of the default plan.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
enum IpFamily {
    #[default]
    IPv4,
    IPv6,
}

impl IpFamily {
    fn family(self) -> Family {
        match self {
            IpFamily::IPv4 => Family::V4,
            IpFamily::IPv6 => Family::V6,
        }
    }
}

/// How MetalLB announces addresses.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Advertise {
    /// L2Advertisements. The nodes answer ARP and NDP requests. This is the default.
    #[default]
    L2,
    /// BGPPeers and a BGPAdvertisement per instance. The pool of an instance may then be outside its subnet.
    Bgp,
}

fn default_bridge() -> String {
    BRIDGE.to_owned()
}

/// What `only` calls the nodes.
const NODES: &str = "nodes";

/// A GenerateInstances without mistakes.
#[derive(Debug)]
pub struct Fleet {
    /// The nodes that the config names.
    nodes: Vec<NodeSpec>,
    node_selector: Option<BTreeMap<String, String>>,
    interface: String,
    bridge: String,
    instances: Vec<Instance>,
    control_plane: ControlPlaneSpec,
    node_set: Option<String>,
    advertise: Advertise,
    peers: Vec<PeerSpec>,
    only: Only,
}

/// What to render.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Only {
    Everything,
    Nodes,
    /// The instance at this position.
    Instance(usize),
}

impl Function for GenerateInstances {
    const KIND: &'static str = "GenerateInstances";
    const NAME: &'static str = "generate-instances";

    type Ready = Fleet;

    fn check(self) -> Result<Fleet, Mistakes> {
        check::check(self)
    }
}

impl Fleet {
    /// The instances to render.
    fn rendered(&self) -> impl Iterator<Item = &Instance> {
        let is_rendered = |instance: &&Instance| match self.only {
            Only::Everything => true,
            Only::Nodes => false,
            Only::Instance(position) => instance.position == position,
        };
        self.instances.iter().filter(is_rendered)
    }
}

impl Generator for Fleet {
    fn generate(&self, given: &[Resource], results: &mut Results) -> Result<Vec<Resource>, Fault> {
        let mut generated = self.policies(given, results)?;
        if !matches!(self.only, Only::Instance(_)) {
            generated.extend(self.peers()?);
        }
        for instance in self.rendered() {
            generated.push(instance.namespace_object()?);
            generated.extend(self.attachments(instance)?);
            generated.extend(instance.net_config()?);
            generated.extend(instance.pools()?);
            generated.extend(self.advertisements(instance)?);
        }
        generated.extend(self.copied_control_planes(given)?);
        generated.extend(self.copied_node_sets(given)?);
        Ok(generated)
    }
}

/// Changes what already exists: control planes and node sets.
impl Transformer for Fleet {
    fn transform(&self, items: &mut [Resource], results: &mut Results) -> Result<(), Fault> {
        self.update_control_planes(items, results)?;
        self.update_node_sets(items, results)
    }
}
