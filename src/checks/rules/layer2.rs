//! Rules about interfaces, VLANs and subnets.

crate::rules! {
    /// Rules about the layer 2 networks of the address plan.
    LAYER2 in "addresses":

    /// An attachment or advertisement uses an interface that no policy of the package mentions.
    ///
    /// Pods do not start if the interface of their NetworkAttachmentDefinition is missing on the node, and
    /// MetalLB announces nothing on an interface that does not exist. Correct the name, or add the interface
    /// to a NodeNetworkConfigurationPolicy. Network cards, such as `enp6s0`, need no policy and are not
    /// reported. Packages without policies are not checked.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: nmstate.io/v1
    /// kind: NodeNetworkConfigurationPolicy
    /// metadata: {name: worker-0}
    /// spec:
    ///   desiredState:
    ///     interfaces:
    ///     - {name: enp6s0.20, type: vlan, vlan: {base-iface: enp6s0, id: 20}}
    /// ---
    /// apiVersion: k8s.cni.cncf.io/v1
    /// kind: NetworkAttachmentDefinition
    /// metadata: {name: internalapi, namespace: openstack}
    /// spec:
    ///   config: '{"type": "macvlan", "master": "enp7s0.20"}'
    /// ```
    MISSING_INTERFACE = "missing-interface", Warning;

    /// The MTUs of one network differ, or a VLAN has a larger MTU than the interface below it.
    ///
    /// Large packets are lost between interfaces with different MTUs, and connections hang. This rule compares
    /// the values that NodeNetworkConfigurationPolicies, NetworkAttachmentDefinitions and NetConfigs set.
    /// Use one MTU in each network.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: nmstate.io/v1
    /// kind: NodeNetworkConfigurationPolicy
    /// metadata: {name: worker-0}
    /// spec:
    ///   desiredState:
    ///     interfaces:
    ///     - {name: enp6s0, type: ethernet, mtu: 1500}
    ///     - {name: storage, type: vlan, mtu: 9000, vlan: {base-iface: enp6s0, id: 21}}
    /// ```
    MTU_MISMATCH = "mtu-mismatch", Warning;

    /// Two subnets of a NetConfig overlap, or have the same name in one network.
    ///
    /// The webhook of infra-operator rejects a CIDR, or the name of a network or subnet, that occurs twice.
    /// Upper and lower case are the same to infra-operator. If one CIDR is part of another, compute nodes
    /// cannot tell to which of the two networks an address belongs. Correct the CIDR or the name.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: network.openstack.org/v1beta1
    /// kind: NetConfig
    /// metadata: {name: netconfig, namespace: openstack}
    /// spec:
    ///   networks:
    ///   - name: internalapi
    ///     dnsDomain: internalapi.example.com
    ///     subnets: [{name: subnet1, cidr: 172.17.0.0/24, allocationRanges: []}]
    ///   - name: storage
    ///     dnsDomain: storage.example.com
    ///     subnets: [{name: subnet1, cidr: 172.17.0.0/24, allocationRanges: []}]
    /// ```
    SUBNET_TWICE = "subnet-twice", Error;

    /// One network has different VLAN ids in different resources.
    ///
    /// Pods, nodes and compute nodes in different VLANs cannot reach each other. This rule compares the VLAN
    /// of a subnet in a NetConfig with the interface of the NetworkAttachmentDefinition of the same network,
    /// and with the interfaces of nodes that have addresses in the subnet. Interfaces without a tag are not
    /// compared, because a switch can add it. Use one VLAN id in each network.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: network.openstack.org/v1beta1
    /// kind: NetConfig
    /// metadata: {name: netconfig, namespace: openstack}
    /// spec:
    ///   networks:
    ///   - name: internalapi
    ///     dnsDomain: internalapi.example.com
    ///     subnets: [{name: subnet1, cidr: 172.17.0.0/24, vlan: 30, allocationRanges: []}]
    /// ---
    /// apiVersion: k8s.cni.cncf.io/v1
    /// kind: NetworkAttachmentDefinition
    /// metadata: {name: internalapi, namespace: openstack}
    /// spec:
    ///   config: |
    ///     {"type": "macvlan", "master": "enp6s0.20",
    ///      "ipam": {"type": "whereabouts", "range": "172.17.0.0/24"}}
    /// ```
    VLAN_MISMATCH = "vlan-mismatch", Error;

    /// Two interfaces or networks have the same VLAN id.
    ///
    /// The kernel refuses a second VLAN interface with the same id on one network card, so NMState cannot
    /// apply the policy. Two networks of a NetConfig with one VLAN id share a layer 2 network if compute nodes
    /// have both on one card; this is a warning. Give each network its own VLAN id. Two instances may have the
    /// same network in one VLAN.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: nmstate.io/v1
    /// kind: NodeNetworkConfigurationPolicy
    /// metadata: {name: worker-0}
    /// spec:
    ///   desiredState:
    ///     interfaces:
    ///     - {name: internalapi, type: vlan, vlan: {base-iface: enp6s0, id: 20}}
    ///     - {name: storage, type: vlan, vlan: {base-iface: enp6s0, id: 20}}
    /// ```
    VLAN_TWICE = "vlan-twice", Error;
}
