//! Rules about local volumes.

crate::rules! {
    /// Rules about PersistentVolumes and their nodes.
    STORAGE in "storage":

    /// A PersistentVolume from an earlier run is no longer generated.
    ///
    /// GenerateVolumes deletes nothing, but Jobs no longer prepare the directory of this volume, and a pod
    /// cannot mount a local volume without its directory. Delete the PersistentVolume if no claim uses it.
    LEFT_OVER = "left-over", Warning;

    /// The name of a Node or BareMetalHost is not a valid host name.
    ///
    /// A PersistentVolume selects its node by the label `kubernetes.io/hostname`, whose value has at most 63
    /// lower case letters, digits, dots and hyphens. Correct the label or the name, or select other nodes
    /// with `nodeSelector`.
    NODE_NAME = "node-name", Error;
}
