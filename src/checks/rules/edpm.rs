//! Rules about the data plane: node sets, their services, and Deployments.

crate::rules! {
    /// Rules about node sets, the services that configure them, and Deployments.
    EDPM in "edpm":

    /// A data plane service reads the same file name from two ConfigMaps or Secrets.
    ///
    /// The data plane copies all `dataSources` of an OpenStackDataPlaneService into one directory, so one
    /// file overwrites the other. Rename one of the keys, or set `configMap` in `spec.computes` to write into
    /// the existing file.
    FILE_TWICE = "file-twice", Error;

    /// An entry of `dataSources` has its `name` outside `secretRef` or `configMapRef`.
    ///
    /// The indentation is wrong, so the reference is null. The OpenStackDataPlaneService reads nothing and
    /// reports no error. Indent `name` below the reference.
    MISPLACED_NAME = "misplaced-name", Error;

    /// An OpenStackDataPlaneDeployment overrides the service that configures the GPUs of a node set.
    ///
    /// `servicesOverride` replaces the services of the Deployment's node sets, so the service that configures
    /// the GPUs does not run. Add the service to the list, or create a separate Deployment for the node set
    /// with the GPUs. If the list is correct, the severity is info: the spec of a Deployment is immutable, so
    /// one that was already applied with other services needs a new name.
    SERVICE_OVERRIDDEN = "service-overridden", Warning;

    /// A node set lists two services of the same type.
    ///
    /// The data plane runs the first service and ignores the second. Remove one of them. If both are of type
    /// nova, this is an error, because it is unclear which of them should get the GPUs.
    SERVICE_TYPE_TWICE = "service-type-twice", Warning;
}
