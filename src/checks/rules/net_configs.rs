//! Rules about NetConfigs.

crate::rules! {
    /// Rules about NetConfigs, as the webhook of infra-operator checks them.
    NET_CONFIGS in "addresses":

    /// The `dnsDomain` of a network or subnet is not a domain name.
    ///
    /// The webhook of infra-operator accepts labels of letters, digits and hyphens, and a top-level domain of at least two
    /// letters, such as `ctlplane.example.com`. A single label such as `ctlplane` is rejected. Correct the domain.
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
    ///     dnsDomain: ctlplane
    ///     subnets: [{name: subnet1, cidr: 192.168.122.0/24, allocationRanges: []}]
    /// ```
    BAD_DOMAIN = "bad-domain", Error;

    /// Two networks of a NetConfig, or two subnets of a network, have the same `dnsDomain`.
    ///
    /// The webhook of infra-operator rejects a domain that occurs twice. Change one of them. A subnet without a domain
    /// uses the one of its network.
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
    ///     dnsDomain: example.com
    ///     subnets: [{name: subnet1, cidr: 172.17.0.0/24, allocationRanges: []}]
    ///   - name: storage
    ///     dnsDomain: example.com
    ///     subnets: [{name: subnet1, cidr: 172.18.0.0/24, allocationRanges: []}]
    /// ```
    DOMAIN_TWICE = "domain-twice", Error;

    /// A namespace has two NetConfigs.
    ///
    /// The webhook of infra-operator rejects the second one. Put all networks of a namespace into one NetConfig. Files
    /// beside each other that no kustomization lists are alternatives, so their NetConfigs are not compared unless you
    /// name the files.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: network.openstack.org/v1beta1
    /// kind: NetConfig
    /// metadata: {name: netconfig, namespace: openstack}
    /// spec: {networks: []}
    /// ---
    /// apiVersion: network.openstack.org/v1beta1
    /// kind: NetConfig
    /// metadata: {name: storage, namespace: openstack}
    /// spec: {networks: []}
    /// ```
    NET_CONFIG_TWICE = "net-config-twice", Error;
}
