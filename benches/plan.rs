//! An address plan without collisions, among ordinary resources: the input for measuring `check`.

use std::fmt::Write;

use crate::resources::documents;

/// The nodes of the cluster. Each has one policy with an interface for every network.
const NODES: usize = 3;
const POOLS_PER_NETWORK: usize = 5;

/// `count` resources. For every 50, there is one network with five pools, an advertisement, an attachment, and a subnet of
/// the NetConfig.
pub fn plan(count: usize) -> String {
    let networks = count / 50;
    let mut parts = Vec::new();
    for network in 0..networks {
        parts.extend((0..POOLS_PER_NETWORK).map(|number| pool(network, number)));
        parts.push(advertisement(network));
        parts.push(attachment(network));
    }
    parts.push(net_config(networks));
    parts.extend((0..NODES).map(|node| policy(node, networks)));
    let others = count.saturating_sub(parts.len());
    // Control planes would request addresses of other pools.
    let documents = documents(others + others / 10 + 25);
    let others =
        documents.split("---\n").filter(|it| !it.contains("kind: OpenStackControlPlane")).take(others);
    parts.extend(others.map(str::to_owned));
    parts.join("---\n")
}

/// The first three parts of the addresses of a network.
fn prefix(network: usize) -> String {
    format!("10.{}.{}", network / 256, network % 256)
}

fn vlan(network: usize) -> usize {
    100 + network
}

fn pool(network: usize, number: usize) -> String {
    let (prefix, first) = (prefix(network), 80 + 2 * number);
    format!(
        "apiVersion: metallb.io/v1beta1\nkind: IPAddressPool\nmetadata:\n  name: net{network}-{number}\n  namespace: metallb-system\nspec:\n  addresses:\n  - {prefix}.{first}-{prefix}.{}\n",
        first + 1
    )
}

fn advertisement(network: usize) -> String {
    let pools: String = (0..POOLS_PER_NETWORK).map(|number| format!("  - net{network}-{number}\n")).collect();
    format!(
        "apiVersion: metallb.io/v1beta1\nkind: L2Advertisement\nmetadata:\n  name: net{network}\n  namespace: metallb-system\nspec:\n  interfaces:\n  - enp6s0.{}\n  ipAddressPools:\n{pools}",
        vlan(network)
    )
}

fn attachment(network: usize) -> String {
    let (prefix, vlan) = (prefix(network), vlan(network));
    format!(
        "apiVersion: k8s.cni.cncf.io/v1\nkind: NetworkAttachmentDefinition\nmetadata:\n  name: net{network}\n  namespace: openstack\nspec:\n  config: |\n    {{\n      \"cniVersion\": \"0.3.1\",\n      \"name\": \"net{network}\",\n      \"type\": \"macvlan\",\n      \"master\": \"enp6s0.{vlan}\",\n      \"ipam\": {{\n        \"type\": \"whereabouts\",\n        \"range\": \"{prefix}.0/24\",\n        \"range_start\": \"{prefix}.30\",\n        \"range_end\": \"{prefix}.70\"\n      }}\n    }}\n"
    )
}

fn net_config(networks: usize) -> String {
    let mut out = String::from(
        "apiVersion: network.openstack.org/v1beta1\nkind: NetConfig\nmetadata:\n  name: netconfig\n  namespace: openstack\nspec:\n  networks:\n",
    );
    for network in 0..networks {
        let (prefix, vlan) = (prefix(network), vlan(network));
        let _ = write!(
            out,
            "  - name: net{network}\n    dnsDomain: net{network}.example.com\n    mtu: 1500\n    subnets:\n    - name: subnet1\n      cidr: {prefix}.0/24\n      vlan: {vlan}\n      allocationRanges:\n      - start: {prefix}.100\n        end: {prefix}.250\n"
        );
    }
    out
}

fn policy(node: usize, networks: usize) -> String {
    let mut out = format!(
        "apiVersion: nmstate.io/v1\nkind: NodeNetworkConfigurationPolicy\nmetadata:\n  name: enp6s0-worker-{node}\nspec:\n  nodeSelector:\n    kubernetes.io/hostname: worker-{node}\n  desiredState:\n    interfaces:\n"
    );
    for network in 0..networks {
        let (prefix, vlan) = (prefix(network), vlan(network));
        let _ = write!(
            out,
            "    - name: enp6s0.{vlan}\n      type: vlan\n      state: up\n      vlan:\n        base-iface: enp6s0\n        id: {vlan}\n      ipv4:\n        enabled: true\n        dhcp: false\n        address:\n        - ip: {prefix}.{}\n          prefix-length: 24\n",
            5 + node
        );
    }
    out
}
