//! Rules about several OpenStack instances on one cluster, which only PrefixAddressPools reports.

crate::rules! {
    /// Rules about the pools of an OpenStack instance among others.
    PREFIX_ADDRESS_POOLS in "metallb":

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

    /// An IPAddressPool is in the namespace of the OpenStack instance.
    ///
    /// MetalLB reads pools only in its own namespace, usually `metallb-system`, and ignores this one. A
    /// common cause is `namespace:` in a kustomization, which moves all of its resources. Put the pools into
    /// a separate kustomization.
    POOL_NAMESPACE = "pool-namespace", Warning;

    /// A service or an advertisement refers to an IPAddressPool that does not belong to the instance.
    ///
    /// The pool is in the package, but `spec.pools` does not list it, or another namespace owns it. The
    /// reference is not changed. If the pool belongs to the instance, list it in `spec.pools`. Otherwise,
    /// give the instance its own pool.
    POOL_NOT_SELECTED = "pool-not-selected", Warning;

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

    /// No service uses an address in `spec.addresses` of the functionConfig.
    ///
    /// No service of the instance requests an address of this IP family in the pool. Remove the address, or
    /// annotate the service that should get it.
    UNUSED_ADDRESS = "unused-address", Warning;
}
