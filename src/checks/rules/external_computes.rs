//! Rules about the nodes of the data plane of 2023, and their computes.

crate::rules! {
    /// Rules about the computes of OpenStackDataPlaneNodes.
    EXTERNAL_COMPUTES in "external-computes":

    /// A NovaExternalCompute belongs to another cell than the annotation of its node.
    ///
    /// Nova cannot move a compute to another cell, so `cellName` must not change after the object is created. The cell is
    /// the annotation `nova.openstack.org/cell` of the OpenStackDataPlaneNode, or else of its OpenStackDataPlaneRole.
    /// Restore the annotation. To keep a single node in its cell, annotate the node. If the compute was removed from its
    /// cell, delete the NovaExternalCompute, so that a new one is generated.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: dataplane.openstack.org/v1beta1
    /// kind: OpenStackDataPlaneNode
    /// metadata:
    ///   name: edpm-compute-0
    ///   annotations:
    ///     nova.openstack.org/cell: cell2
    /// spec:
    ///   role: edpm-compute
    /// ---
    /// apiVersion: nova.openstack.org/v1beta1
    /// kind: NovaExternalCompute
    /// metadata:
    ///   name: edpm-compute-0
    /// spec:
    ///   cellName: cell1
    ///   inventoryConfigMapName: dataplanenode-edpm-compute-0
    ///   sshKeySecretName: dataplane-ansible-ssh-private-key-secret
    /// ```
    CELL_CHANGED = "cell-changed", Error;

    /// The annotation `nova.openstack.org/cell` is not a valid name of a cell.
    ///
    /// Its value is the name of a NovaCell, such as `nova-cell1`, or of the cell alone, such as `cell1`: at most 63 lower
    /// case letters, digits and hyphens. Correct it. To leave out a node, remove the annotation from the node and from
    /// its role.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: dataplane.openstack.org/v1beta1
    /// kind: OpenStackDataPlaneNode
    /// metadata:
    ///   name: edpm-compute-0
    ///   annotations:
    ///     nova.openstack.org/cell: Cell 1
    /// spec:
    ///   role: edpm-compute
    /// ```
    CELL_NAME = "cell-name", Error;

    /// An annotation has almost the key `nova.openstack.org/cell`.
    ///
    /// GenerateNovaExternalComputes ignores it. The node would get no NovaExternalCompute, or one in the cell of its role.
    /// Correct the key.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: dataplane.openstack.org/v1beta1
    /// kind: OpenStackDataPlaneNode
    /// metadata:
    ///   name: edpm-compute-0
    ///   annotations:
    ///     nova.openstack.org/cel: cell1
    /// spec:
    ///   role: edpm-compute
    /// ```
    MISSPELT_CELL = "misspelt-cell", Warning;

    /// Neither an OpenStackDataPlaneNode with a cell nor its role names an SSH key.
    ///
    /// A NovaExternalCompute must name the Secret with the key for Ansible (`sshKeySecretName`). Set
    /// `spec.node.ansibleSSHPrivateKeySecret` of the node, or `spec.nodeTemplate.ansibleSSHPrivateKeySecret` of the
    /// OpenStackDataPlaneRole.
    NO_SSH_KEY = "no-ssh-key", Error;

    /// An OpenStackDataPlaneNode refers to a role that does not exist.
    ///
    /// The node inherits its cell, its SSH key, its networks and its deploy strategy from the OpenStackDataPlaneRole
    /// that `spec.role` names, in the namespace of the node. Correct the name, or add the role to the resources.
    UNKNOWN_ROLE = "unknown-role", Error;
}
