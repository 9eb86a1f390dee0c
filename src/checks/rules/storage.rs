//! The rules about local volumes.

crate::rules! {
    /// The rules about PersistentVolumes and the nodes that hold them.
    STORAGE:

    /// A PersistentVolume of an earlier run is no longer generated.
    ///
    /// GenerateVolumes deletes nothing, and no Job prepares the volume's directory any more, while a pod
    /// cannot mount a local volume without a directory. Delete the PersistentVolume if no claim uses it.
    LEFT_OVER = "left-over", Warning;

    /// A Node or BareMetalHost has a name that cannot be a host name.
    ///
    /// A PersistentVolume finds its node by the label `kubernetes.io/hostname`, whose value has at most 63
    /// lower case letters, digits, dots and hyphens. Correct the label or the name, or choose other nodes
    /// with `nodeSelector`.
    NODE_NAME = "node-name", Error;
}
