//! Local storage as install_yamls lays it out.

/// Marks volumes that install_yamls made: its clean-up finds them by this label, and Kubernetes leaves
/// a released volume with this annotation to whom it names.
pub const PROVISIONED_BY: &str = "provisioned-by";
pub const PROVISIONED_BY_ANNOTATION: &str = "pv.kubernetes.io/provisioned-by";
pub const PROVISIONER: &str = "crc-devsetup";

/// What marks the Jobs that make directories, and what they need.
pub const PREPARATION: &str = "storage-preparation";

/// OpenShift's own image with a shell and tools, from the registry inside the cluster.
pub const TOOLS_IMAGE: &str = "image-registry.openshift-image-registry.svc:5000/openshift/tools:latest";
