//! Rules about MetalLB: IPAddressPools, advertisements, and annotations of services.

crate::rules! {
    /// Rules about MetalLB's pools and the services that use them.
    ADDRESS_POOLS in "metallb":

    /// A service or `spec.addresses` requests an address outside its IPAddressPool.
    ///
    /// MetalLB refuses an address outside the pool that the `address-pool` annotation names, and the Service
    /// stays pending. PrefixAddressPools moves an address into the new pool by its host number, or to the
    /// address that `spec.addresses` sets for the pool. If neither is in the pool, change the address, add a
    /// range to the IPAddressPool, or set an address in `spec.addresses`. This is a warning for a service
    /// that is not deployed.
    ADDRESS_OUTSIDE_POOL = "address-outside-pool", Error;

    /// A service has the same MetalLB annotation under both prefixes, with different values.
    ///
    /// If a Service has both, MetalLB reads `metallb.io/…` and ignores `metallb.universe.tf/…`.
    /// PrefixAddressPools neither uses nor changes the two values. Remove one of the annotations. This is a
    /// warning for a service that is not deployed.
    ANNOTATION_CONFLICT = "annotation-conflict", Error;

    /// An IPAddressPool has no addresses, or a range that MetalLB cannot parse.
    ///
    /// MetalLB's webhook rejects the pool. Write each range as `172.17.0.80-172.17.0.90`, with the lower
    /// address first, or as a CIDR such as `172.17.0.64/26`. Write a single address as `172.17.0.80/32`.
    BAD_RANGE = "bad-range", Error;

    /// An IPAddressPool belongs to another OpenStack instance.
    ///
    /// PrefixAddressPools does not change the pools of other instances. A pool belongs to another instance if
    /// a control plane in another namespace requests it, if its name begins with that namespace, if an
    /// advertisement with such a name announces it, or if only other namespaces may use it
    /// (`serviceAllocation`). If no other control plane in the package uses the pool and it belongs to this
    /// instance, list it in `spec.pools`. This is an error if `spec.pools` lists a pool of another control
    /// plane, and info if the name of the pool already shows its owner.
    FOREIGN_POOL = "foreign-pool", Warning;

    /// The name of an IPAddressPool, or a reference to one, has the prefix of another instance.
    ///
    /// The base was written for another instance. Adding a prefix would result in two prefixes, or a service
    /// would request a pool that its namespace may not use. Set `from` to the existing prefix to replace it.
    /// If the name is correct, list it in `spec.pools`. This is a warning for a service that is not deployed.
    FOREIGN_PREFIX = "foreign-prefix", Error;

    /// A Service requests its address in `spec.loadBalancerIP`.
    ///
    /// Kubernetes deprecated this field, and PrefixAddressPools does not move its address into the instance's
    /// pool. Request the address with MetalLB's `loadBalancerIPs` annotation, and remove the field.
    LOAD_BALANCER_IP = "load-balancer-ip", Warning;

    /// An IPAddressPool, L2Advertisement or BGPAdvertisement has no name.
    ///
    /// The API server rejects it, and PrefixAddressPools can neither determine which instance it belongs to
    /// nor add a prefix. Set `metadata.name`.
    MISSING_NAME = "missing-name", Error;

    /// An object would get the same name as another object.
    ///
    /// The function generates or renames an object so that two objects have the same name, and a cluster
    /// would keep only one of them. Rename or remove one of the two. For a MachineSet, set `name` in
    /// `spec.machines`. If the template has the same name, use another `template`.
    NAME_TAKEN = "name-taken", Error;

    /// `namespaceSelectors` open an IPAddressPool of the instance to other namespaces.
    ///
    /// PrefixAddressPools reserves the pool for the instance's namespace in `serviceAllocation.namespaces`.
    /// Namespaces that the selectors match can still use it. Remove the selectors if only the instance may
    /// use the pool.
    NAMESPACE_SELECTORS = "namespace-selectors", Warning;

    /// An OpenStackControlPlane has MetalLB annotations in a field that reaches no Service.
    ///
    /// The CRD has no service override there, so the API server drops the field or the operators ignore it,
    /// and MetalLB never sees the annotations. Move them to `override.service` of the service that you want
    /// to configure.
    NO_SERVICE = "no-service", Warning;

    /// A service that `ensure` lists has a type other than LoadBalancer.
    ///
    /// The functionConfig requests an internal LoadBalancer, but the OpenStackControlPlane sets another
    /// `spec.type` in the same service override. Remove the type, or remove the part from `ensure`. This is a
    /// warning if the part is not enabled.
    NOT_A_LOAD_BALANCER = "not-a-load-balancer", Error;

    /// A part that `ensure` lists is not enabled in the OpenStackControlPlane.
    ///
    /// PrefixAddressPools writes the override, but the operator deploys no Service for it. Enable the part,
    /// or remove it from `ensure`.
    NOT_ENABLED = "not-enabled", Warning;

    /// `spec.pools` lists an IPAddressPool that is not among the resources.
    ///
    /// The ranges of the pool are unknown, so its addresses are not checked. References to the pool get the
    /// prefix, and its addresses change only to those in `spec.addresses`. Check the spelling, or add the
    /// pool to the package.
    POOL_ELSEWHERE = "pool-elsewhere", Warning;

    /// An IPAddressPool has fewer addresses than the instance's services need.
    ///
    /// Services that get no address from MetalLB stay pending. Add a range to the pool, or let services share
    /// an address with the same `allow-shared-ip` key.
    POOL_EXHAUSTED = "pool-exhausted", Error;

    /// An IPAddressPool is in the namespace of the OpenStack instance.
    ///
    /// MetalLB reads pools only in its own namespace, usually `metallb-system`, and ignores this one. A
    /// common cause is `namespace:` in a kustomization, which moves all of its resources. Put the pools into
    /// a separate kustomization.
    POOL_NAMESPACE = "pool-namespace", Warning;

    /// A service requests an IPAddressPool that its namespace may not use.
    ///
    /// The pool is reserved for the namespace of an instance, so MetalLB refuses the request of a service in
    /// another namespace, and the Service stays pending. Check both namespaces, or give the service its own
    /// pool.
    POOL_NOT_ALLOWED = "pool-not-allowed", Warning;

    /// A service or an advertisement refers to an IPAddressPool that does not belong to the instance.
    ///
    /// The pool is in the package, but `spec.pools` does not list it, or another namespace owns it. The
    /// reference is not changed. If the pool belongs to the instance, list it in `spec.pools`. Otherwise,
    /// give the instance its own pool.
    POOL_NOT_SELECTED = "pool-not-selected", Warning;

    /// Two ranges of IPAddressPools overlap.
    ///
    /// MetalLB rejects overlapping ranges, within one pool and between pools. Change one of the two ranges.
    /// Pools in different namespaces are not compared, because MetalLB reads only one namespace.
    POOL_OVERLAP = "pool-overlap", Error;

    /// Two IPAddressPools have the same name.
    ///
    /// In one namespace, the cluster would keep only one of them; in two namespaces, MetalLB would read only
    /// one of them. Remove the pool that you do not need.
    POOL_TWICE = "pool-twice", Error;

    /// Two services with the same sharing key listen on the same port.
    ///
    /// MetalLB lets Services share an address only if their ports differ, so one of them stays pending. Give
    /// one of them its own address, and remove its sharing key. This is a warning if one of them requests no
    /// address, because MetalLB can then assign another one.
    PORT_TWICE = "port-twice", Error;

    /// A RabbitMQ cluster has a sharing key.
    ///
    /// All RabbitMQ clusters listen on the same ports, so each needs its own address and no `allow-shared-ip`
    /// annotation. Remove the key. This is an error if the cluster uses the address of another service: give
    /// it another address.
    RABBITMQ_KEY = "rabbitmq-key", Warning;

    /// An L2Advertisement or BGPAdvertisement announces pools of this instance and others.
    ///
    /// The advertisement keeps its name, because the prefix would be wrong for the other pools. Only the
    /// references to the instance's pools change. Create a separate advertisement for the instance.
    SHARED_ADVERTISEMENT = "shared-advertisement", Warning;

    /// Other namespaces may use an IPAddressPool that would be reserved for the instance.
    ///
    /// `serviceAllocation.namespaces` lists other namespaces. They would lose access to the pool, because
    /// PrefixAddressPools reserves it for the instance's namespace. List the pool in `spec.pools` to reserve
    /// it anyway, or also set `scope: false` to keep it open.
    SHARED_POOL = "shared-pool", Error;

    /// A service has an annotation in MetalLB's domain that MetalLB does not support.
    ///
    /// MetalLB ignores the annotation, so it has no effect. Annotation keys are case-sensitive:
    /// `LoadBalancerIPs` is a common misspelling of `loadBalancerIPs`. Correct the key, or remove the
    /// annotation. This is a warning for a service that is not deployed.
    UNKNOWN_ANNOTATION = "unknown-annotation", Error;

    /// A service or an advertisement refers to an IPAddressPool that is not among the resources.
    ///
    /// Its ranges are unknown, so its addresses are not checked, and the reference keeps its name. Check the
    /// spelling, add the pool to the package, or list it in `spec.pools` if it belongs to the instance.
    UNKNOWN_POOL = "unknown-pool", Warning;

    /// No service uses an address in `spec.addresses` of the functionConfig.
    ///
    /// No service of the instance requests an address of this IP family in the pool. Remove the address, or
    /// annotate the service that should get it.
    UNUSED_ADDRESS = "unused-address", Warning;

    /// Two services request the same address but cannot share it.
    ///
    /// MetalLB assigns one address to several Services only if they have the same sharing key
    /// (`allow-shared-ip`) and different ports. Otherwise, one of them stays pending. RabbitMQ clusters never
    /// share an address. This rule also reports two different addresses that would become the same address in
    /// the instance's pool. Give one of the services another address, or set the same sharing key on both.
    VIP_CONFLICT = "vip-conflict", Error;
}
