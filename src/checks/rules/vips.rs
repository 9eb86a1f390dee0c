//! Rules about MetalLB's annotations, and about the addresses that services request with them.

crate::rules! {
    /// Rules about what services request from MetalLB.
    VIPS in "metallb":

    /// A service has the same MetalLB annotation under both prefixes, with different values.
    ///
    /// If a Service has both, MetalLB reads `metallb.io/…` and ignores `metallb.universe.tf/…`.
    /// PrefixAddressPools neither uses nor changes the two values. Remove one of the annotations. This is a
    /// warning for a service that is not deployed.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata:
    ///   name: dns
    ///   annotations:
    ///     metallb.io/address-pool: ctlplane
    ///     metallb.universe.tf/address-pool: internalapi
    /// spec:
    ///   type: LoadBalancer
    ///   ports: [{port: 53}]
    /// ```
    BOTH_PREFIXES = "both-prefixes", Error;

    /// A Service requests its address in `spec.loadBalancerIP`.
    ///
    /// Kubernetes deprecated this field, and MetalLB refuses a Service that has both the field and the
    /// `loadBalancerIPs` annotation. PrefixAddressPools does not move the address into the instance's pool.
    /// Request the address with the annotation, and remove the field. `check` reports this only in packages
    /// that use MetalLB.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata:
    ///   name: dns
    ///   annotations: {metallb.io/address-pool: ctlplane}
    /// spec:
    ///   type: LoadBalancer
    ///   loadBalancerIP: 192.168.122.80
    ///   ports: [{port: 53}]
    /// ```
    LOAD_BALANCER_IP = "load-balancer-ip", Warning;

    /// An OpenStackControlPlane has MetalLB annotations in a field that reaches no Service.
    ///
    /// The CRD has no service override there, so the API server drops the field or the operators ignore it,
    /// and MetalLB never sees the annotations. Move them to `override.service` of the service that you want
    /// to configure.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: core.openstack.org/v1beta1
    /// kind: OpenStackControlPlane
    /// metadata: {name: openstack, namespace: openstack}
    /// spec:
    ///   rabbitmq:
    ///     templates:
    ///       rabbitmq:
    ///         override:
    ///           statefulSet: # not `service`
    ///             metadata:
    ///               annotations:
    ///                 metallb.io/address-pool: internalapi
    /// ```
    NO_SERVICE = "no-service", Warning;

    /// A service with MetalLB annotations, or one that `ensure` lists, is not of type LoadBalancer.
    ///
    /// MetalLB serves only Services of type LoadBalancer, and the operators create Services of type ClusterIP
    /// unless the override sets another type. Set `spec.type: LoadBalancer` beside the annotations, or remove
    /// them. PrefixAddressPools reports an error if `ensure` lists a part whose override sets another type, and
    /// a warning if the part is not enabled.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: core.openstack.org/v1beta1
    /// kind: OpenStackControlPlane
    /// metadata: {name: openstack, namespace: openstack}
    /// spec:
    ///   dns:
    ///     template:
    ///       override:
    ///         service:
    ///           metadata:
    ///             annotations:
    ///               metallb.io/address-pool: ctlplane
    ///           spec:
    ///             type: ClusterIP
    /// ```
    NOT_A_LOAD_BALANCER = "not-a-load-balancer", Warning;

    /// A RabbitMQ cluster has a sharing key.
    ///
    /// All RabbitMQ clusters listen on the same ports, so each needs its own address and no `allow-shared-ip`
    /// annotation. Remove the key. If the cluster uses the address of another service, also give it another
    /// address; PrefixAddressPools reports this as an error.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: core.openstack.org/v1beta1
    /// kind: OpenStackControlPlane
    /// metadata: {name: openstack, namespace: openstack}
    /// spec:
    ///   rabbitmq:
    ///     templates:
    ///       rabbitmq:
    ///         override:
    ///           service:
    ///             metadata:
    ///               annotations:
    ///                 metallb.io/allow-shared-ip: internalapi
    ///                 metallb.io/loadBalancerIPs: 172.17.0.85
    ///             spec: {type: LoadBalancer}
    /// ```
    RABBITMQ_KEY = "rabbitmq-key", Warning;

    /// A service has an annotation in MetalLB's domain that MetalLB does not support.
    ///
    /// MetalLB ignores the annotation, so it has no effect. Annotation keys are case-sensitive:
    /// `LoadBalancerIPs` is a common misspelling of `loadBalancerIPs`. Correct the key, or remove the
    /// annotation. This is a warning for a service that is not deployed.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata:
    ///   name: dns
    ///   annotations:
    ///     metallb.io/LoadBalancerIPs: 192.168.122.80 # the key begins with a small letter
    /// spec:
    ///   type: LoadBalancer
    ///   ports: [{port: 53}]
    /// ```
    UNKNOWN_ANNOTATION = "unknown-annotation", Error;

    /// Two services request the same address but cannot share it.
    ///
    /// MetalLB assigns one address to several Services only if they have the same sharing key
    /// (`allow-shared-ip`) and different ports. Otherwise, one of them stays pending. Sharing keys apply to the
    /// whole cluster, and RabbitMQ clusters never share an address. Give one of the services another address,
    /// or, if their ports differ, set the same sharing key on both. PrefixAddressPools also reports two
    /// addresses that would become the same address in the instance's pool, and warns of two services with the
    /// same key and port of which one requests no address, because they do not share an address.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: a, annotations: {metallb.io/loadBalancerIPs: 192.168.122.80}}
    /// spec: {type: LoadBalancer, ports: [{port: 80}]}
    /// ---
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: b, annotations: {metallb.io/loadBalancerIPs: 192.168.122.80}}
    /// spec: {type: LoadBalancer, ports: [{port: 81}]}
    /// ```
    VIP_CONFLICT = "vip-conflict", Error;

    /// A service or `spec.addresses` requests an address outside its IPAddressPool.
    ///
    /// MetalLB refuses an address outside the pool that the `address-pool` annotation names, and the Service
    /// stays pending. Correct the address or the name of the pool, or add a range to the IPAddressPool. If the
    /// service names no pool, `check` warns of an address that no pool in the package contains, because another
    /// pool of the cluster may contain it. PrefixAddressPools moves an address into the new pool by its host
    /// number, or to the address that `spec.addresses` sets for the pool, and reports an address for which
    /// neither is in the pool. This is a warning for a service that is not deployed.
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
    /// metadata:
    ///   name: dns
    ///   annotations:
    ///     metallb.io/address-pool: ctlplane
    ///     metallb.io/loadBalancerIPs: 192.168.122.79
    /// spec:
    ///   type: LoadBalancer
    ///   ports: [{port: 53}]
    /// ```
    VIP_OUTSIDE_POOL = "vip-outside-pool", Error;
}
