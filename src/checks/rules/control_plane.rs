//! Rules about OpenStackControlPlanes.

crate::rules! {
    /// Rules about OpenStackControlPlanes, as the webhook of openstack-operator checks them.
    CONTROL_PLANE in "control-plane":

    /// The message bus for all services has a `user`.
    ///
    /// The webhook of openstack-operator rejects `user` in `spec.messagingBus` and `spec.notificationsBus`: each service
    /// has its own user. Remove it, or set it in the template of a service.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: core.openstack.org/v1beta1
    /// kind: OpenStackControlPlane
    /// metadata:
    ///   name: openstack
    /// spec:
    ///   messagingBus:
    ///     cluster: rabbitmq
    ///     user: openstack
    /// ```
    BUS_USER = "bus-user", Error;

    /// A namespace has two OpenStackControlPlanes.
    ///
    /// The webhook of openstack-operator rejects the second one. Remove one of them, or move it to another namespace.
    /// Files beside each other that no kustomization lists are alternatives, so their control planes are not compared
    /// unless you name the files.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: core.openstack.org/v1beta1
    /// kind: OpenStackControlPlane
    /// metadata:
    ///   name: openstack
    ///   namespace: openstack
    /// ---
    /// apiVersion: core.openstack.org/v1beta1
    /// kind: OpenStackControlPlane
    /// metadata:
    ///   name: openstack-galera
    ///   namespace: openstack
    /// ```
    CONTROL_PLANE_TWICE = "control-plane-twice", Error;

    /// A control plane uses a field that newer releases replace.
    ///
    /// Since RHOSO 18.0 Feature Release 5, `messagingBus.cluster` and `notificationsBus.cluster` name the RabbitMQ cluster
    /// of a service, in place of `rabbitMqClusterName`, `apiMessageBusInstance`, `cellMessageBusInstance` and
    /// `notificationsBusInstance`. The webhook of openstack-operator moves the values to the new fields and removes the
    /// deprecated ones, so that Argo CD reports a difference between Git and the cluster. If both fields have a value,
    /// the deprecated one is ignored. Use the new fields. Earlier releases do not know them, so the severity is info
    /// unless the control plane already uses one of them.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: core.openstack.org/v1beta1
    /// kind: OpenStackControlPlane
    /// metadata:
    ///   name: openstack
    /// spec:
    ///   notificationsBus:
    ///     cluster: rabbitmq-notifications
    ///   cinder:
    ///     template:
    ///       rabbitMqClusterName: rabbitmq
    /// ```
    DEPRECATED_FIELD = "deprecated-field", Warning;

    /// A control plane refers to a Topology in another namespace.
    ///
    /// The webhooks of the operators reject a `topologyRef` with another namespace than that of the control plane. Remove
    /// `namespace`, and create the Topology in the namespace of the control plane. Services that are disabled, and control
    /// planes without a namespace, are not checked.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: core.openstack.org/v1beta1
    /// kind: OpenStackControlPlane
    /// metadata:
    ///   name: openstack
    ///   namespace: openstack
    /// spec:
    ///   topologyRef:
    ///     name: spread
    ///     namespace: default
    /// ```
    FOREIGN_TOPOLOGY = "foreign-topology", Error;

    /// A service is disabled although an enabled one requires it.
    ///
    /// The webhook of openstack-operator rejects such a control plane. Nova, for example, requires Galera, Memcached,
    /// RabbitMQ, Keystone, Placement, Neutron and Glance. Enable the service, or disable those that require it. Heat,
    /// Horizon, Octavia and some others are disabled unless their section has `enabled: true`. A service without a section
    /// is not reported, because the rest of the control plane may be in another file.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: core.openstack.org/v1beta1
    /// kind: OpenStackControlPlane
    /// metadata:
    ///   name: openstack
    /// spec:
    ///   nova:
    ///     template: {}
    ///   placement:
    ///     enabled: false
    /// ```
    MISSING_DEPENDENCY = "missing-dependency", Error;

    /// The TLS settings of a Route have no certificate or no key.
    ///
    /// The webhook of openstack-operator rejects `route.spec.tls` without `certificate` and `key`. Add both, or remove
    /// `tls`: the operator then creates a certificate. Services that are disabled are not checked.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: core.openstack.org/v1beta1
    /// kind: OpenStackControlPlane
    /// metadata:
    ///   name: openstack
    /// spec:
    ///   keystone:
    ///     apiOverride:
    ///       route:
    ///         spec:
    ///           tls:
    ///             termination: reencrypt
    /// ```
    ROUTE_CERTIFICATE = "route-certificate", Error;

    /// A service override is for an endpoint that does not exist.
    ///
    /// The overrides of most APIs are listed by endpoint, which is `internal` or `public`. The webhooks of the operators
    /// reject any other name, including the fields of an override without an endpoint above them. Correct the name, or
    /// move the fields below an endpoint. This is a warning for a service that is not deployed.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: core.openstack.org/v1beta1
    /// kind: OpenStackControlPlane
    /// metadata:
    ///   name: openstack
    /// spec:
    ///   keystone:
    ///     template:
    ///       override:
    ///         service:
    ///           interal:
    ///             endpointURL: http://keystone.example.com
    /// ```
    UNKNOWN_ENDPOINT = "unknown-endpoint", Error;

    /// An OpenStackVersion does not have the name of the OpenStackControlPlane.
    ///
    /// openstack-operator creates an OpenStackVersion with the name of the control plane, and its webhooks reject a control
    /// plane with another name than the existing OpenStackVersion, and a second OpenStackVersion in a namespace. Give both
    /// objects the same name.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: core.openstack.org/v1beta1
    /// kind: OpenStackControlPlane
    /// metadata:
    ///   name: openstack
    ///   namespace: openstack
    /// ---
    /// apiVersion: core.openstack.org/v1beta1
    /// kind: OpenStackVersion
    /// metadata:
    ///   name: openstack-galera
    ///   namespace: openstack
    /// ```
    VERSION_NAME = "version-name", Error;
}
