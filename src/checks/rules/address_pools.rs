//! Rules about MetalLB's IPAddressPools, and about what refers to them.

crate::rules! {
    /// Rules about MetalLB's pools.
    ADDRESS_POOLS in "metallb":

    /// An IPAddressPool, an advertisement or an OpenStackDataPlaneNode has no name.
    ///
    /// The API server rejects it, and nothing can refer to it. Set `metadata.name`.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: metallb.io/v1beta1
    /// kind: IPAddressPool
    /// metadata: {namespace: metallb-system}
    /// spec:
    ///   addresses:
    ///   - 192.168.122.80-192.168.122.90
    /// ```
    MISSING_NAME = "missing-name", Error;

    /// An IPAddressPool has no addresses.
    ///
    /// MetalLB's webhook rejects the pool. Add a range to `spec.addresses`, or remove the pool.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: metallb.io/v1beta1
    /// kind: IPAddressPool
    /// metadata: {name: ctlplane, namespace: metallb-system}
    /// spec: {}
    /// ```
    NO_ADDRESSES = "no-addresses", Error;

    /// An IPAddressPool has fewer addresses than its services need.
    ///
    /// Services that get no address from MetalLB stay pending. Services with the same sharing key are counted as
    /// one, and disabled services are not counted. Add a range to the pool, or let services share an address
    /// with the same `allow-shared-ip` key.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: metallb.io/v1beta1
    /// kind: IPAddressPool
    /// metadata: {name: web, namespace: metallb-system}
    /// spec:
    ///   addresses:
    ///   - 192.168.122.80/32
    /// ---
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: a, annotations: {metallb.io/address-pool: web}}
    /// spec: {type: LoadBalancer, ports: [{port: 80}]}
    /// ---
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: b, annotations: {metallb.io/address-pool: web}}
    /// spec: {type: LoadBalancer, ports: [{port: 80}]}
    /// ```
    POOL_EXHAUSTED = "pool-exhausted", Error;

    /// No advertisement in the package announces an IPAddressPool.
    ///
    /// MetalLB assigns addresses of the pool, but answers no requests for them, so clients cannot reach the
    /// services. Name the pool in `ipAddressPools` of an L2Advertisement or BGPAdvertisement. You can ignore
    /// this warning if an advertisement outside the package announces the pool. Packages without any
    /// advertisement are not checked.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: metallb.io/v1beta1
    /// kind: IPAddressPool
    /// metadata: {name: ctlplane, namespace: metallb-system}
    /// spec:
    ///   addresses:
    ///   - 192.168.122.80-192.168.122.90
    /// ---
    /// apiVersion: metallb.io/v1beta1
    /// kind: IPAddressPool
    /// metadata: {name: internalapi, namespace: metallb-system}
    /// spec:
    ///   addresses:
    ///   - 172.17.0.80-172.17.0.90
    /// ---
    /// apiVersion: metallb.io/v1beta1
    /// kind: L2Advertisement
    /// metadata: {name: ctlplane, namespace: metallb-system}
    /// spec:
    ///   ipAddressPools: [ctlplane]
    /// ```
    POOL_NOT_ADVERTISED = "pool-not-advertised", Warning;

    /// A service requests an IPAddressPool that its namespace may not use.
    ///
    /// `serviceAllocation.namespaces` of the pool does not list the namespace, so MetalLB refuses the request,
    /// and the Service stays pending. Add the namespace to the list, or give the service its own pool. Logging
    /// without `annotations` requests the pool `internalapi`, which is the CRD's default. PrefixAddressPools
    /// reports a warning if it reserves a pool that another namespace requests.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: metallb.io/v1beta1
    /// kind: IPAddressPool
    /// metadata: {name: internalapi, namespace: metallb-system}
    /// spec:
    ///   addresses:
    ///   - 172.17.0.80-172.17.0.90
    ///   serviceAllocation: {namespaces: [openstack]}
    /// ---
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web, namespace: openstack2, annotations: {metallb.io/address-pool: internalapi}}
    /// spec: {type: LoadBalancer, ports: [{port: 80}]}
    /// ```
    POOL_NOT_ALLOWED = "pool-not-allowed", Error;

    /// Two ranges of IPAddressPools overlap.
    ///
    /// MetalLB rejects overlapping ranges, within one pool and between pools. Change one of the two ranges.
    /// Pools in different namespaces are not compared, because MetalLB reads only one namespace.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: metallb.io/v1beta1
    /// kind: IPAddressPool
    /// metadata: {name: ctlplane, namespace: metallb-system}
    /// spec:
    ///   addresses:
    ///   - 192.168.122.80-192.168.122.90
    /// ---
    /// apiVersion: metallb.io/v1beta1
    /// kind: IPAddressPool
    /// metadata: {name: internalapi, namespace: metallb-system}
    /// spec:
    ///   addresses:
    ///   - 192.168.122.90-192.168.122.99
    /// ```
    POOL_OVERLAP = "pool-overlap", Error;

    /// Two IPAddressPools have the same name.
    ///
    /// MetalLB reads the pools of one namespace, usually `metallb-system`, and ignores those of all others, so
    /// one of the two pools has no effect. Remove it. Two pools with the same name in one namespace are also
    /// one object; for these, `check` reports `duplicate-object`.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: metallb.io/v1beta1
    /// kind: IPAddressPool
    /// metadata: {name: ctlplane, namespace: metallb-system}
    /// spec:
    ///   addresses:
    ///   - 192.168.122.80-192.168.122.90
    /// ---
    /// apiVersion: metallb.io/v1beta1
    /// kind: IPAddressPool
    /// metadata: {name: ctlplane, namespace: openstack}
    /// spec:
    ///   addresses:
    ///   - 192.168.122.80-192.168.122.90
    /// ```
    POOL_TWICE = "pool-twice", Error;

    /// A service or an advertisement refers to an IPAddressPool that is not in the package.
    ///
    /// If the cluster does not have the pool either, the Service stays pending, and the advertisement does not
    /// announce it. Check the spelling, or add the pool to the package. You can ignore this warning if the pool
    /// is defined elsewhere. Packages without any pool are not checked. PrefixAddressPools does not change such
    /// a reference, and does not check the addresses; list the pool in `spec.pools` if it belongs to the
    /// instance.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: metallb.io/v1beta1
    /// kind: IPAddressPool
    /// metadata: {name: ctlplane, namespace: metallb-system}
    /// spec:
    ///   addresses:
    ///   - 192.168.122.80-192.168.122.90
    /// ---
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: dns, annotations: {metallb.io/address-pool: ctlplan}}
    /// spec: {type: LoadBalancer, ports: [{port: 53}]}
    /// ```
    UNKNOWN_POOL = "unknown-pool", Warning;
}
