//! The rules about MetalLB: IPAddressPools, advertisements, and the annotations of services.

crate::rules! {
    /// The rules about MetalLB's pools and the services that use them.
    ADDRESS_POOLS:

    /// A service or `spec.addresses` asks for an address outside its IPAddressPool.
    ///
    /// MetalLB refuses an address outside the pool that the annotation `address-pool` names, and the Service
    /// stays pending. Addresses move into the new pool by their host number, or to the address that
    /// `spec.addresses` of the functionConfig gives; if neither leads into the pool, change the address, add
    /// a range to the IPAddressPool, or give an address in `spec.addresses`. For a service that is not
    /// deployed, this is a warning.
    ADDRESS_OUTSIDE_POOL = "address-outside-pool", Error;

    /// Two services ask for one address and cannot share it.
    ///
    /// MetalLB gives an address to several Services only if they have the same sharing key
    /// (`allow-shared-ip`) and different ports; otherwise one of them stays pending. RabbitMQ clusters never
    /// share. Two different addresses that would become one in the instance's pool are reported as well. Give
    /// one of the services another address, or both the same key.
    ADDRESS_TWICE = "address-twice", Error;

    /// An L2Advertisement or BGPAdvertisement has no name.
    ///
    /// PrefixAddressPools cannot put the instance's prefix in front of a name that does not exist. Set
    /// `metadata.name`.
    ADVERTISEMENT_NAME = "advertisement-name", Error;

    /// A service has one MetalLB annotation under both prefixes, with different values.
    ///
    /// MetalLB reads `metallb.io/…` and ignores `metallb.universe.tf/…` if a Service has both. Neither value
    /// is followed or changed until you remove one of them. For a service that is not deployed, this is a
    /// warning.
    ANNOTATION_CONFLICT = "annotation-conflict", Error;

    /// The annotation `loadBalancerIPs` of a service is not a list of IP addresses that MetalLB can use.
    ///
    /// MetalLB accepts one address, or one of each family (IPv4 and IPv6) with a comma between them. A
    /// Service with anything else stays pending. Correct the annotation. For a service that is not deployed,
    /// this is a warning.
    BAD_ADDRESS = "bad-address", Error;

    /// An IPAddressPool has no addresses, or a range that MetalLB cannot read.
    ///
    /// MetalLB's webhook refuses the pool. Write each range as `172.17.0.80-172.17.0.90`, lower address
    /// first, or as a CIDR such as `172.17.0.64/26`; a single address is `172.17.0.80/32`.
    BAD_RANGE = "bad-range", Error;

    /// An IPAddressPool, or a reference to one, has the prefix of another instance.
    ///
    /// The base was written for another instance, so a second prefix would be added to the first, or a
    /// service would ask for a pool that its namespace may not use. Set `from` to the prefix that the base
    /// has: the instance's prefix replaces it. If the name is right, list it in `spec.pools`. For a service
    /// that is not deployed, this is a warning.
    FOREIGN_PREFIX = "foreign-prefix", Error;

    /// A Service asks for its address in `spec.loadBalancerIP`.
    ///
    /// Kubernetes has deprecated this field, and PrefixAddressPools does not move its address into the
    /// instance's pool. Ask for the address with MetalLB's annotation `loadBalancerIPs`, and remove the
    /// field.
    LOAD_BALANCER_IP = "load-balancer-ip", Warning;

    /// An object would get the name of another one.
    ///
    /// The function generates or renames two objects with the same name, and a cluster would keep only one of them. Rename
    /// or remove one of the two. For a MachineSet, set `name` in `spec.machines`; if the name is the template's, use another
    /// `template`.
    NAME_TAKEN = "name-taken", Error;

    /// An OpenStackControlPlane has MetalLB annotations in a place that reaches no Service.
    ///
    /// The field is not a service override of the CRD, so the API server drops it or the operators ignore it,
    /// and MetalLB never sees the annotations. Move them to `override.service` of the service that you mean.
    NO_SERVICE = "no-service", Warning;

    /// A service that `ensure` lists has a type other than LoadBalancer.
    ///
    /// The functionConfig asks for an internal LoadBalancer, and the OpenStackControlPlane sets another
    /// `spec.type` in the same service override. Remove the type, or take the part out of `ensure`. If the
    /// part is not enabled, this is a warning.
    NOT_A_LOAD_BALANCER = "not-a-load-balancer", Error;

    /// A part that `ensure` lists is not enabled in the OpenStackControlPlane.
    ///
    /// The override is written, but the operator deploys no Service for it. Enable the part, or take it out
    /// of `ensure`.
    NOT_ENABLED = "not-enabled", Warning;

    /// An IPAddressPool belongs to a namespace other than that of the instance or the service.
    ///
    /// A pool of another instance is left alone: another namespace's control plane asks for it, its name
    /// begins with that namespace, or only other namespaces may use it (`serviceAllocation`). If it is the
    /// instance's and no other control plane in the package uses it, list it in `spec.pools`. A service that
    /// asks from another namespace for one of the instance's pools is reported as well, because MetalLB would
    /// refuse it: check both namespaces. This is an error if `spec.pools` lists a pool of another control
    /// plane, and info if the pool's name already shows its owner.
    OTHER_NAMESPACE = "other-namespace", Warning;

    /// A service or `spec.pools` names an IPAddressPool that is not among the resources.
    ///
    /// Its ranges are unknown, so addresses in it are not checked. A pool that `spec.pools` lists gets the
    /// prefix in references to it, and its addresses move only to those in `spec.addresses`; any other keeps
    /// its name. Check the spelling, or add the pool to the package.
    POOL_ELSEWHERE = "pool-elsewhere", Warning;

    /// An IPAddressPool has fewer addresses than the instance's services need.
    ///
    /// MetalLB leaves the services pending that get no address. Add a range to the pool, or let services
    /// share an address with a common `allow-shared-ip`.
    POOL_EXHAUSTED = "pool-exhausted", Error;

    /// An IPAddressPool has no name.
    ///
    /// PrefixAddressPools cannot tell which instance the pool belongs to. Set `metadata.name`.
    POOL_NAME = "pool-name", Error;

    /// An IPAddressPool is in the namespace of the OpenStack instance.
    ///
    /// MetalLB reads pools in its own namespace only, usually `metallb-system`, and ignores this one. A
    /// `namespace:` in a kustomization often moves pools by mistake: put them into a kustomization of their
    /// own.
    POOL_NAMESPACE = "pool-namespace", Warning;

    /// A service or an advertisement refers to an IPAddressPool that is not one of the instance's.
    ///
    /// The pool is in the package, but `spec.pools` does not list it, or another namespace owns it. The
    /// reference is left unchanged. List the pool in `spec.pools` if it is the instance's, or give the
    /// instance its own pool.
    POOL_NOT_SELECTED = "pool-not-selected", Warning;

    /// Two ranges of IPAddressPools overlap.
    ///
    /// MetalLB refuses pools that overlap, within one pool and between two. Change one of the two ranges.
    /// Pools in different namespaces are not compared, because MetalLB reads one namespace only.
    POOL_OVERLAP = "pool-overlap", Error;

    /// Two IPAddressPools have the same name.
    ///
    /// A cluster keeps one of two pools in the same namespace, and MetalLB reads one of two namespaces.
    /// Remove the pool that is not meant.
    POOL_TWICE = "pool-twice", Error;

    /// Two services with one sharing key listen on the same port.
    ///
    /// MetalLB lets Services share an address only if their ports differ, so one of them stays pending. Give
    /// one of them its own address and no key. If one of them names no address, MetalLB can give it
    /// another, and this is a warning.
    PORT_TWICE = "port-twice", Error;

    /// A RabbitMQ cluster has a sharing key.
    ///
    /// All RabbitMQ clusters listen on the same ports, so each needs an address of its own and no
    /// `allow-shared-ip`. Remove the key. If the cluster shares the address of another service, this is an
    /// error: give it another address.
    RABBITMQ_KEY = "rabbitmq-key", Warning;

    /// An IPAddressPool of the instance is open to other namespaces.
    ///
    /// PrefixAddressPools reserves the pool for the instance's namespace. If `serviceAllocation.namespaces`
    /// lists other namespaces, they would lose the pool, which is an error: list the pool in `spec.pools` to
    /// take it, or set `scope: false` as well to keep it open. Namespaces that `namespaceSelectors` matches
    /// keep access, which is a warning: remove the selectors if only the instance may use the pool.
    SCOPE = "scope", Error;

    /// An L2Advertisement or BGPAdvertisement announces pools of this instance and others.
    ///
    /// It keeps its name, because a prefix would be wrong for the other pools; only the references to the
    /// instance's pools change. Give the instance its own advertisement.
    SHARED_ADVERTISEMENT = "shared-advertisement", Warning;

    /// A service has an annotation of MetalLB's domain that MetalLB does not know.
    ///
    /// MetalLB ignores it, and the Service does not get what you asked for. Annotation keys are
    /// case-sensitive: `LoadBalancerIPs` is a common mistake for `loadBalancerIPs`. For a service that is not
    /// deployed, this is a warning.
    UNKNOWN_ANNOTATION = "unknown-annotation", Error;

    /// An address in `spec.addresses` of the functionConfig is not used by any service.
    ///
    /// No service of the instance asks for an address of this family in the pool. Remove the address, or
    /// annotate the service that should get it.
    UNUSED_ADDRESS = "unused-address", Warning;
}
