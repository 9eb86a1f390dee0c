//! Rules about addresses and ranges.

crate::rules! {
    /// Rules about the address plan.
    ADDRESSES in "addresses":

    /// Two nodes have the same address.
    ///
    /// Both answer for the address, so connections reach one or the other at random. This rule compares the
    /// static addresses of NodeNetworkConfigurationPolicies with each other and with the nodes of
    /// OpenStackDataPlaneNodeSets, in one layer 2 network. It also reports a policy that sets a static address
    /// on several nodes. Give each node its own address, and write one policy per node, with a
    /// `kubernetes.io/hostname` selector. This is a warning if it is unknown whether both are in one network,
    /// or whether the policy selects more than one node.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: nmstate.io/v1
    /// kind: NodeNetworkConfigurationPolicy
    /// metadata: {name: worker-0}
    /// spec:
    ///   nodeSelector: {kubernetes.io/hostname: worker-0}
    ///   desiredState:
    ///     interfaces:
    ///     - name: enp6s0
    ///       ipv4: {address: [{ip: 192.168.122.10, prefix-length: 24}]}
    /// ---
    /// apiVersion: nmstate.io/v1
    /// kind: NodeNetworkConfigurationPolicy
    /// metadata: {name: worker-1}
    /// spec:
    ///   nodeSelector: {kubernetes.io/hostname: worker-1}
    ///   desiredState:
    ///     interfaces:
    ///     - name: enp6s0
    ///       ipv4: {address: [{ip: 192.168.122.10, prefix-length: 24}]}
    /// ```
    ADDRESS_TWICE = "address-twice", Error;

    /// A value is not an address, a CIDR or a range of addresses.
    ///
    /// The API server, a webhook, NMState, whereabouts or MetalLB rejects the value when it is applied. A
    /// range must not end before it begins, and its two addresses must be of one family. The `loadBalancerIPs`
    /// annotation of a service accepts one address, or one IPv4 and one IPv6 address separated by a comma.
    /// A pool accepts ranges such as `172.17.0.80-172.17.0.90` and CIDRs such as `172.17.0.64/26`; write a
    /// single address as `172.17.0.80/32`. Correct the value. This is a warning for a service that is not
    /// deployed.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: nmstate.io/v1
    /// kind: NodeNetworkConfigurationPolicy
    /// metadata: {name: worker-0}
    /// spec:
    ///   desiredState:
    ///     routes:
    ///       config:
    ///       - {destination: 0.0.0.0/0, next-hop-address: 192.168.123.1O, next-hop-interface: enp6s0}
    /// ```
    BAD_ADDRESS = "bad-address", Error;

    /// A fixed address of a compute node is outside the subnet that the node names.
    ///
    /// The webhook of infra-operator rejects the IPSet of the node, so the node gets no addresses. The subnet
    /// is that of `name` and `subnetName` in the NetConfig of the namespace. Correct the address or the name
    /// of the subnet. An address outside the allocation ranges, but inside the subnet, is correct.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: network.openstack.org/v1beta1
    /// kind: NetConfig
    /// metadata: {name: netconfig, namespace: openstack}
    /// spec:
    ///   networks:
    ///   - name: ctlplane
    ///     dnsDomain: ctlplane.example.com
    ///     subnets:
    ///     - {name: subnet1, cidr: 192.168.122.0/24, allocationRanges: [{start: 192.168.122.100, end: 192.168.122.120}]}
    /// ---
    /// apiVersion: dataplane.openstack.org/v1beta1
    /// kind: OpenStackDataPlaneNodeSet
    /// metadata: {name: edpm, namespace: openstack}
    /// spec:
    ///   nodes:
    ///     edpm-compute-0:
    ///       networks: [{name: ctlplane, subnetName: subnet1, fixedIP: 192.168.133.100}]
    /// ```
    FIXED_IP_OUTSIDE_SUBNET = "fixed-ip-outside-subnet", Error;

    /// A compute node or bare metal host has an address that MetalLB or whereabouts hands out.
    ///
    /// The address is in the range of an IPAddressPool or a NetworkAttachmentDefinition in the same layer 2
    /// network, so a service or a pod can get it too. Change the address, or the range. This is a warning if
    /// it is unknown whether both are in one network.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: metallb.io/v1beta1
    /// kind: IPAddressPool
    /// metadata: {name: ctlplane, namespace: metallb-system}
    /// spec: {addresses: [192.168.122.80-192.168.122.110]}
    /// ---
    /// apiVersion: dataplane.openstack.org/v1beta1
    /// kind: OpenStackDataPlaneNodeSet
    /// metadata: {name: edpm, namespace: openstack}
    /// spec:
    ///   nodes:
    ///     edpm-compute-0: {ansible: {ansibleHost: 192.168.122.100}}
    /// ```
    HOST_IN_RANGE = "host-in-range", Error;

    /// A static address of a node is in a range from which addresses are handed out.
    ///
    /// A NodeNetworkConfigurationPolicy sets an address that a service can get from an IPAddressPool, a pod
    /// from a NetworkAttachmentDefinition, or a compute node from a NetConfig, in the same layer 2 network.
    /// Change the address, or the range. This is a warning if it is unknown whether both are in one network.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: nmstate.io/v1
    /// kind: NodeNetworkConfigurationPolicy
    /// metadata: {name: worker-0}
    /// spec:
    ///   nodeSelector: {kubernetes.io/hostname: worker-0}
    ///   desiredState:
    ///     interfaces:
    ///     - name: enp6s0
    ///       ipv4: {address: [{ip: 172.17.0.30, prefix-length: 24}]}
    /// ---
    /// apiVersion: k8s.cni.cncf.io/v1
    /// kind: NetworkAttachmentDefinition
    /// metadata: {name: internalapi, namespace: openstack}
    /// spec:
    ///   config: |
    ///     {"type": "macvlan", "master": "enp6s0", "ipam": {"type": "whereabouts",
    ///      "range": "172.17.0.0/24", "range_start": "172.17.0.30", "range_end": "172.17.0.70"}}
    /// ```
    NODE_ADDRESS_IN_RANGE = "node-address-in-range", Error;

    /// A range, gateway or next hop is outside its subnet.
    ///
    /// The webhook of infra-operator rejects such a NetConfig. whereabouts ignores a limit outside its `range`
    /// and hands out addresses of the whole network, and pods do not start with a route through an address
    /// that they cannot reach. In a NodeNetworkConfigurationPolicy, this rule reports a next hop outside the
    /// networks of the static addresses of its interface, unless the interface also gets addresses
    /// automatically; this is a warning, because NetworkManager adds a direct route to the next hop. Correct
    /// the address or the subnet.
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
    ///     subnets:
    ///     - {name: subnet1, cidr: 172.17.0.0/24, allocationRanges: [{start: 172.17.1.100, end: 172.17.1.250}]}
    /// ```
    OUTSIDE_SUBNET = "outside-subnet", Error;

    /// Two ranges that hand out addresses in one network overlap.
    ///
    /// MetalLB, whereabouts and infra-operator do not know of each other, and infra-operator keeps the
    /// addresses of each namespace separately. So a service, a pod and a compute node can get the same
    /// address. This rule compares IPAddressPools, NetworkAttachmentDefinitions and the allocation ranges of
    /// NetConfigs in one layer 2 network. Change one of the two ranges. Two NetworkAttachmentDefinitions may
    /// have the same range, because whereabouts reserves addresses for the whole cluster. This is a warning if
    /// it is unknown whether both are in one network.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: metallb.io/v1beta1
    /// kind: IPAddressPool
    /// metadata: {name: internalapi, namespace: metallb-system}
    /// spec: {addresses: [172.17.0.60-172.17.0.90]}
    /// ---
    /// apiVersion: metallb.io/v1beta1
    /// kind: L2Advertisement
    /// metadata: {name: internalapi, namespace: metallb-system}
    /// spec: {ipAddressPools: [internalapi], interfaces: [enp6s0.20]}
    /// ---
    /// apiVersion: k8s.cni.cncf.io/v1
    /// kind: NetworkAttachmentDefinition
    /// metadata: {name: internalapi, namespace: openstack}
    /// spec:
    ///   config: |
    ///     {"type": "macvlan", "master": "enp6s0.20", "ipam": {"type": "whereabouts",
    ///      "range": "172.17.0.0/24", "range_start": "172.17.0.30", "range_end": "172.17.0.70"}}
    /// ```
    RANGE_OVERLAP = "range-overlap", Error;
}

crate::rules! {
    /// Rules about the address plan that are matters of taste.
    PEDANTIC_ADDRESSES in "pedantic":

    /// An address plan uses addresses of the public internet.
    ///
    /// If the addresses belong to someone else, nodes and pods cannot reach the real ones. Only 172.16.0.0 to
    /// 172.31.255.255 is private, so networks such as 172.32.0.0/24 and 172.50.0.0/24 are public. Use private
    /// addresses: 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16. Ignore the finding if the addresses are yours.
    /// IPv6 is not checked.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: metallb.io/v1beta1
    /// kind: IPAddressPool
    /// metadata: {name: designateext, namespace: metallb-system}
    /// spec: {addresses: [172.50.0.80-172.50.0.90]}
    /// ```
    PUBLIC_ADDRESS = "public-address", Warning;
}
