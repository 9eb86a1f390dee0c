//! Local storage in the layout of install_yamls.

use crate::krm::FieldPath;

/// Marks the volumes of install_yamls. Its clean-up finds them by the label, and Kubernetes leaves a released volume to
/// the provisioner that the annotation names.
pub const PROVISIONED_BY: &str = "provisioned-by";
pub const PROVISIONED_BY_ANNOTATION: &str = "pv.kubernetes.io/provisioned-by";
pub const PROVISIONER: &str = "crc-devsetup";

/// The component label of the Jobs that create directories, and of what they need.
pub const PREPARATION: &str = "storage-preparation";

/// OpenShift's image with a shell and tools, in the cluster's internal registry.
pub const TOOLS_IMAGE: &str = "image-registry.openshift-image-registry.svc:5000/openshift/tools:latest";

/// The provisioner of a StorageClass whose volumes exist before they are claimed.
pub const NO_PROVISIONER: &str = "kubernetes.io/no-provisioner";

/// Whether an operator creates a StorageClass of this name: OpenShift Data Foundation for a StorageCluster, LVM Storage
/// for a device class, and OpenShift for the platform that it is installed on.
pub fn is_class_of_operator(name: &str) -> bool {
    const OF_CLUSTERS: [&str; 3] = ["-ceph-rbd", "-cephfs", "-ceph-rgw"];
    OF_CLUSTERS.iter().any(|suffix| name.ends_with(suffix))
        || name.starts_with("lvms-")
        || name.ends_with("-csi")
}

/// The StorageClass of a PersistentVolume or PersistentVolumeClaim.
pub fn class_of_volume() -> FieldPath {
    FieldPath::new("spec.storageClassName")
}
