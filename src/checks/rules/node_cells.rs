//! Rules about Nova's cells and the node sets in them.

crate::rules! {
    /// Rules about Nova's cells and the node sets in them.
    NODE_CELLS in "nova":

    /// Two places assign a node set to different cells, or its service is for another cell.
    ///
    /// The `nova-<cell>-compute-config` Secret of an OpenStackDataPlaneService determines which cell its hosts join. In
    /// InjectGpuAlias, `cell` in `spec.computes` must be the cell of the service. In AssignNovaCells, the annotation
    /// `nova.openstack.org/cell` of a node set and `spec.cells` must agree, and an existing service `nova-<cell>` must
    /// read the Secret of that cell. Correct one of them.
    CELL_CONFLICT = "cell-conflict", Error;

    /// AssignNovaCells would move compute nodes to another cell.
    ///
    /// A node set is already in a cell: it lists a `nova-<cell>` service, or its own service of type nova reads the Secret
    /// of a cell. Nova cannot move compute nodes between cells: their guests and their records stay in the old one.
    /// Correct the cell in `spec.cells` or in the annotation. If you have removed the compute nodes from the old cell and
    /// deploy them again, set `moved: true`. The operator's service `nova` does not count.
    CELL_MOVED = "cell-moved", Error;

    /// A node set is annotated with a cell, but its services are for another cell or for none.
    ///
    /// No operator reads the annotation `nova.openstack.org/cell`. The hosts of a node set join the cell whose Secret,
    /// `nova-<cell>-compute-config`, is among the `dataSources` of its service of type nova; the operator's service
    /// `nova` is for cell1. AssignNovaCells creates the services and lists them.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: dataplane.openstack.org/v1beta1
    /// kind: OpenStackDataPlaneNodeSet
    /// metadata:
    ///   name: computes
    ///   annotations:
    ///     nova.openstack.org/cell: cell2
    /// spec:
    ///   services: [bootstrap, libvirt, nova]
    /// ```
    CELL_WITHOUT_SERVICE = "cell-without-service", Error;

    /// An OpenStackDataPlaneService of type nova reads no `nova-<cell>-compute-config`.
    ///
    /// Without this Secret, nova-compute does not know its cell. Add the Secret to `dataSources` as a `secretRef`. `check`
    /// reports this only if the service reads no other Secret, which could contain the same files, and runs the
    /// operator's playbook.
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
    ///   playbook: osp.edpm.nova
    ///   dataSources:
    ///   - secretRef:
    ///       name: nova-migration-ssh-key
    /// ```
    NO_CELL = "no-cell", Error;

    /// A node set with a cell has an invalid name, or a new one would have the name of another.
    ///
    /// The name of a node set must be a DNS label: at most 63 lower case letters, digits and hyphens. Other names are
    /// derived from it, and the data plane uses it as a label. AssignNovaCells puts nodes for another cell into the node
    /// set `<nodeSet>-<cell>`. Rename the node set.
    NODE_SET_NAME = "node-set-name", Error;

    /// A Deployment of a node set that was split also runs on the new node set.
    ///
    /// The spec of an OpenStackDataPlaneDeployment is immutable. If it was applied before the node set was split, give it
    /// a new name.
    NODE_SET_SPLIT = "node-set-split", Info;
}
