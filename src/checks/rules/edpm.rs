//! Rules about the data plane: node sets, their services, and Deployments.

crate::rules! {
    /// Rules about node sets, the services that configure them, and Deployments.
    EDPM in "edpm":

    /// A Deployment names a node set that does not exist, or none at all.
    ///
    /// An OpenStackDataPlaneDeployment runs services on the node sets in `spec.nodeSets`. The API server rejects an empty
    /// list, and the Deployment fails if a node set does not exist. Correct the name, or add the
    /// OpenStackDataPlaneNodeSet. The webhook of openstack-operator rejects any change of a Deployment's spec, so a
    /// Deployment that was already applied needs a new name. Node sets are checked only if there are some in the same
    /// namespace. A name that is not close to one of theirs is a warning, because the node set may be in another package.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: dataplane.openstack.org/v1beta1
    /// kind: OpenStackDataPlaneDeployment
    /// metadata:
    ///   name: first
    /// spec:
    ///   nodeSets: []
    /// ```
    DEPLOYMENT_WITHOUT_NODE_SET = "deployment-without-node-set", Error;

    /// A data plane service reads the same file name from two ConfigMaps or Secrets.
    ///
    /// The data plane copies all `dataSources` of an OpenStackDataPlaneService into one directory, so one
    /// file overwrites the other. Rename one of the keys. In InjectGpuAlias, you can also set `configMap` in
    /// `spec.computes` to write into the existing file.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: dataplane.openstack.org/v1beta1
    /// kind: OpenStackDataPlaneService
    /// metadata:
    ///   name: nova-custom
    /// spec:
    ///   edpmServiceType: nova
    ///   dataSources:
    ///   - configMapRef:
    ///       name: a
    ///   - configMapRef:
    ///       name: b
    /// ---
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata:
    ///   name: a
    /// data:
    ///   25-nova.conf: ""
    /// ---
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata:
    ///   name: b
    /// data:
    ///   25-nova.conf: ""
    /// ```
    FILE_TWICE = "file-twice", Error;

    /// An entry of `dataSources` has its `name` outside `secretRef` or `configMapRef`.
    ///
    /// The indentation is wrong, so the reference is null. The OpenStackDataPlaneService reads nothing and
    /// reports no error. Indent `name` below the reference.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: dataplane.openstack.org/v1beta1
    /// kind: OpenStackDataPlaneService
    /// metadata:
    ///   name: nova-custom
    /// spec:
    ///   dataSources:
    ///   - secretRef:
    ///     name: nova-cell1-compute-config
    /// ```
    MISPLACED_NAME = "misplaced-name", Error;

    /// A node belongs to two node sets.
    ///
    /// Two OpenStackDataPlaneNodeSets of a namespace have a node with the same host name, which defaults to the name of
    /// the node, or with the same `ansibleHost`. Both would configure the same machine, and the operator's webhook
    /// rejects the second one. Remove the node from one of them, or correct its host name or address. Two nodes of one
    /// node set must not have the same host name or `ansibleHost` either.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: dataplane.openstack.org/v1beta1
    /// kind: OpenStackDataPlaneNodeSet
    /// metadata:
    ///   name: a
    /// spec:
    ///   nodes:
    ///     compute-0: {}
    /// ---
    /// apiVersion: dataplane.openstack.org/v1beta1
    /// kind: OpenStackDataPlaneNodeSet
    /// metadata:
    ///   name: b
    /// spec:
    ///   nodes:
    ///     compute-0: {}
    /// ```
    NODE_TWICE = "node-twice", Error;

    /// A Deployment runs the operator's service in place of a node set's own service of the same type.
    ///
    /// `servicesOverride` of an OpenStackDataPlaneDeployment replaces the services of its node sets. If a node set has
    /// its own service of type nova, and the list has `nova`, then the settings of the node set's service are not
    /// applied. Add the service to the list, or create a separate Deployment for the node set. InjectGpuAlias
    /// reports any other service in place of the one with the GPUs, as a warning. There, the severity is info if the
    /// list is correct: the spec of a Deployment is immutable, so one that was already applied with other services
    /// needs a new name.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: dataplane.openstack.org/v1beta1
    /// kind: OpenStackDataPlaneDeployment
    /// metadata:
    ///   name: update
    /// spec:
    ///   nodeSets: [gpus]
    ///   servicesOverride: [nova]
    /// ---
    /// apiVersion: dataplane.openstack.org/v1beta1
    /// kind: OpenStackDataPlaneNodeSet
    /// metadata:
    ///   name: gpus
    /// spec:
    ///   services: [libvirt, nova-gpus]
    /// ---
    /// apiVersion: dataplane.openstack.org/v1beta1
    /// kind: OpenStackDataPlaneService
    /// metadata:
    ///   name: nova-gpus
    /// spec:
    ///   edpmServiceType: nova
    /// ```
    SERVICE_OVERRIDDEN = "service-overridden", Error;

    /// A node set or a Deployment lists two services of the same type.
    ///
    /// The data plane runs the first service and ignores the second, without an error. Remove one of them. If one service
    /// is listed twice, this is a warning. A Deployment that was already applied needs a new name, because its spec cannot
    /// change. In InjectGpuAlias, this is an error for the type nova only, because it is
    /// unclear which service should get the GPUs.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: dataplane.openstack.org/v1beta1
    /// kind: OpenStackDataPlaneNodeSet
    /// metadata:
    ///   name: gpus
    /// spec:
    ///   services: [libvirt, nova, nova-gpus]
    /// ---
    /// apiVersion: dataplane.openstack.org/v1beta1
    /// kind: OpenStackDataPlaneService
    /// metadata:
    ///   name: nova-gpus
    /// spec:
    ///   edpmServiceType: nova
    /// ```
    SERVICE_TYPE_TWICE = "service-type-twice", Error;

    /// A node set or a Deployment lists a service that does not exist.
    ///
    /// It is neither one of the operator's own services nor an OpenStackDataPlaneService among the resources. The
    /// Deployment fails if it is not in the cluster either. Correct the name, or add the service. This is an error if the
    /// name is not valid, or is almost that of one of the operator's services, and a warning otherwise.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: dataplane.openstack.org/v1beta1
    /// kind: OpenStackDataPlaneNodeSet
    /// metadata:
    ///   name: computes
    /// spec:
    ///   services: [bootstrap, configure-netwrok]
    /// ```
    UNKNOWN_SERVICE = "unknown-service", Error;
}
