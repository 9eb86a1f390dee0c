//! The rules about GPUs for OpenStack guests: Nova's configuration, and the data plane that has the GPUs.

crate::rules! {
    /// The rules about PCI aliases in Nova and the node sets with GPUs.
    GPU_ALIAS:

    /// Nova's configuration already has an alias of this name for another device.
    ///
    /// Nova offers the devices of all aliases with one name together, so a flavor could get either GPU. The
    /// message shows both. Choose another name, or set `replace: true` to replace the existing alias.
    ALIAS_CONFLICT = "alias-conflict", Error;

    /// The name of an alias mentions another GPU or vendor than its PCI ids.
    ///
    /// Nova accepts it, but users who ask for `nvidia-a100` would get an L4. Correct the name or the ids.
    ALIAS_NAME = "alias-name", Warning;

    /// An existing `[pci] alias` in Nova's configuration is not a JSON object.
    ///
    /// Nova refuses to start with it. Write one JSON object per option, such as
    /// `alias = {"name":"nvidia", "vendor_id":"10de", "product_id":"27b8"}`, and repeat the option for more.
    ALIAS_SYNTAX = "alias-syntax", Error;

    /// Nova's configuration has several aliases of one name, and PCI devices are tracked in Placement.
    ///
    /// Nova refuses aliases with the same name once `pci_in_placement` is on. Keep one of them, or set
    /// `replace: true`.
    ALIAS_TWICE = "alias-twice", Error;

    /// The OpenStackDataPlaneService of a node set belongs to another cell than `computes` asks for.
    ///
    /// The service's `nova-<cell>-compute-config` decides which cell its hosts join. Correct `cell` in
    /// `spec.computes`, or the `secretRef` of the service.
    CELL_CONFLICT = "cell-conflict", Error;

    /// An OpenStackControlPlane does not list its cells, so Placement cannot be turned on in all of them.
    ///
    /// With `placement: true`, every cell's conductor needs `pci_in_placement`. Setting it for one cell would
    /// replace the operator's default list of cells. Write out `spec.nova.template.cellTemplates`.
    CELLS_UNKNOWN = "cells-unknown", Error;

    /// An existing `[pci] device_spec` offers more or fewer GPUs than the functionConfig asks for.
    ///
    /// Nova adds up all `device_spec` options. Beside one that offers more devices, the new one would change
    /// nothing; beside one that offers fewer, it would offer devices that are held back. The existing one is
    /// kept. List the GPUs for guests in `addresses` of `spec.computes`, set `replace: true`, or remove the
    /// existing option.
    DEVICE_SPEC = "device-spec", Warning;

    /// The device type of an alias is not the one that Nova finds for this GPU.
    ///
    /// Nova treats a card that shows SR-IOV as type-PF, its virtual functions as type-VF, and all others as
    /// type-PCI. If the alias has another type, no host matches, and guests cannot be scheduled. Correct
    /// `deviceType` or `productId`, or set `nested: true` if the compute nodes are virtual machines, which do
    /// not show SR-IOV. A type or a product id that the catalogue chose for you is reported as info.
    DEVICE_TYPE = "device-type", Warning;

    /// A data plane service reads the same file name from two ConfigMaps or Secrets.
    ///
    /// The data plane copies all `dataSources` of an OpenStackDataPlaneService into one directory, so one
    /// file replaces the other. Rename one of the keys, or let the functionConfig write into the existing
    /// file with `configMap` in `spec.computes`.
    FILE_TWICE = "file-twice", Error;

    /// A kernel argument of a node set prevents GPU passthrough.
    ///
    /// `edpm_kernel_args` turns off the IOMMU, or sets it to another value. Without the IOMMU, the host
    /// cannot pass a GPU to a guest. Remove the argument, or set `iommu: none` in `spec.computes` to leave
    /// kernel arguments alone.
    KERNEL_ARGS = "kernel-args", Error;

    /// An entry of `dataSources` has its `name` outside `secretRef` or `configMapRef`.
    ///
    /// The indentation is wrong: the reference is null, so the OpenStackDataPlaneService reads nothing there
    /// and reports no error. Indent `name` below the reference.
    MISPLACED_NAME = "misplaced-name", Error;

    /// An OpenStackDataPlaneService of type nova reads no `nova-<cell>-compute-config`.
    ///
    /// nova-compute would not know its cell. Add the Secret of the cell to `dataSources`, as a `secretRef`.
    NO_CELL = "no-cell", Error;

    /// A node set has no service of type nova.
    ///
    /// Nothing would configure the GPUs on its hosts. List `nova` in `spec.services` of the
    /// OpenStackDataPlaneNodeSet, or your own service; add its OpenStackDataPlaneService to the resources, so
    /// that its type is known.
    NO_NOVA_SERVICE = "no-nova-service", Error;

    /// An OpenStackDataPlaneService is for a cell that cannot have compute nodes.
    ///
    /// The OpenStackControlPlane of the namespace has no such cell, or the cell is cell0, which has no
    /// compute nodes. Correct the name of the Secret `nova-<cell>-compute-config`, or add the cell to the
    /// control plane.
    NO_SUCH_CELL = "no-such-cell", Error;

    /// Nova is disabled in the OpenStackControlPlane that gets the alias.
    ///
    /// The alias is written, but no service reads it. Set `spec.nova.enabled: true`, or exclude this control
    /// plane with `target`.
    NOVA_DISABLED = "nova-disabled", Warning;

    /// A node set already has its own service of type nova, so `service` in `computes` has no effect.
    ///
    /// The existing OpenStackDataPlaneService gets the GPUs, and no new one is created. Remove `service` from
    /// `spec.computes`, or list `nova` in the node set in place of its own service.
    OWN_SERVICE = "own-service", Warning;

    /// Nova's configuration turns off PCI tracking in Placement, which the functionConfig turns on.
    ///
    /// With `placement: true`, all Nova services must agree; one without the option would not know where a
    /// GPU is free. Remove the option, or set `replace: true`.
    PLACEMENT_OFF = "placement-off", Error;

    /// A node set lists two services of the same type.
    ///
    /// The data plane runs the first and ignores the second. Remove one of them. If both are of type nova,
    /// this is an error, because it is not certain which of them should get the GPUs.
    SECOND_SERVICE = "second-service", Warning;

    /// Node sets with and without these GPUs use the same service of type nova.
    ///
    /// The service would configure GPUs on hosts that do not have them. Give one of the node sets its own
    /// OpenStackDataPlaneService.
    SERVICE_SHARED = "service-shared", Error;

    /// The service that should replace `nova` on a node set exists and has another type.
    ///
    /// The node set would lose nova-compute. Choose another name for `service` in `spec.computes`.
    SERVICE_TYPE = "service-type", Error;

    /// An OpenStackDataPlaneDeployment overrides the service that configures the GPUs of a node set.
    ///
    /// The list `servicesOverride` replaces the services of the Deployment's node sets, so the service that
    /// configures the GPUs does not run. List it there, or give the node set with the GPUs a Deployment of
    /// its own. If the list is right, this is info: the spec of a Deployment is immutable, so one that was
    /// applied with other services needs a new name.
    SERVICES_OVERRIDE = "services-override", Warning;

    /// Nova does not read a file that its data plane service provides.
    ///
    /// Only files named `*nova*.conf` and `provider*.yaml` reach nova-compute; others are ignored silently.
    /// Rename the key of the ConfigMap.
    UNSEEN_FILE = "unseen-file", Error;
}
