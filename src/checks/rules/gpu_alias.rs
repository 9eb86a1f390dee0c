//! Rules about GPUs for OpenStack guests: the Nova configuration, and the data plane nodes with the GPUs.

crate::rules! {
    /// Rules about PCI aliases in Nova and the node sets with GPUs.
    GPU_ALIAS in "nova":

    /// Nova's configuration already has an alias with this name for a different device.
    ///
    /// Nova combines the devices of all aliases with the same name, so a flavor could get either GPU. The
    /// message shows both aliases. Choose another name, or set `replace: true` to replace the existing alias.
    ALIAS_CONFLICT = "alias-conflict", Error;

    /// The name of an alias refers to a different GPU or vendor than its PCI ids.
    ///
    /// Nova accepts the alias, but users who request `nvidia-a100` could get an L4. Correct the name or the
    /// ids.
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
    ///     template:
    ///       apiServiceTemplate:
    ///         customServiceConfig: |
    ///           [pci]
    ///           alias = {"name":"nvidia-a100", "vendor_id":"10de", "product_id":"27b8"}
    /// ```
    ALIAS_NAME = "alias-name", Warning;

    /// An existing `[pci] alias` in Nova's configuration is not a JSON object.
    ///
    /// Nova does not start with this value. Write one JSON object per option, such as `alias =
    /// {"name":"nvidia", "vendor_id":"10de", "product_id":"27b8"}`, and repeat the option for each alias.
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
    ///     template:
    ///       apiServiceTemplate:
    ///         customServiceConfig: |
    ///           [pci]
    ///           alias = nvidia
    /// ```
    ALIAS_SYNTAX = "alias-syntax", Error;

    /// Several aliases have the same name, and PCI devices are tracked in Placement.
    ///
    /// Nova rejects aliases with the same name if `pci_in_placement` is enabled. Keep one of them, or set
    /// `replace: true`.
    ALIAS_TWICE = "alias-twice", Error;

    /// The aliases of Nova's API do not match the devices of the compute nodes.
    ///
    /// A flavor requests a device by an alias of Nova's API (`customServiceConfig` of the control plane). A compute node
    /// offers the devices in the `[pci] device_spec` options of its configuration (a ConfigMap that its service of type
    /// nova reads). If no `device_spec` has the ids of an alias, guests with it cannot be scheduled, and without an alias
    /// nobody can request a device. Correct the ids. The `device_type` of an alias must be the same in the API and on the
    /// compute nodes. This is an error if the ids or types contradict each other, and a warning if one side is missing.
    /// Nothing is reported unless the control plane and configuration of its compute nodes are among the resources.
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
    ///     template:
    ///       apiServiceTemplate:
    ///         customServiceConfig: |
    ///           [pci]
    ///           alias = {"name":"l4", "vendor_id":"10de", "product_id":"27b8"}
    /// ---
    /// apiVersion: dataplane.openstack.org/v1beta1
    /// kind: OpenStackDataPlaneService
    /// metadata:
    ///   name: nova-custom
    /// spec:
    ///   edpmServiceType: nova
    ///   dataSources:
    ///   - configMapRef:
    ///       name: gpus
    /// ---
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata:
    ///   name: gpus
    /// data:
    ///   03-gpu-nova.conf: |
    ///     [pci]
    ///     device_spec = {"vendor_id":"27b8", "product_id":"10de"}
    /// ```
    ALIAS_WITHOUT_DEVICE = "alias-without-device", Error;

    /// An OpenStackControlPlane does not list its cells, so Placement cannot be enabled in all of them.
    ///
    /// With `placement: true`, the conductor of every cell needs `pci_in_placement`. Setting it for one cell
    /// would replace the operator's default list of cells. List all cells in
    /// `spec.nova.template.cellTemplates`.
    CELLS_UNKNOWN = "cells-unknown", Error;

    /// Nova does not read configuration that a data plane service provides.
    ///
    /// Only files named `*nova*.conf` and `provider*.yaml` reach nova-compute. All other files of a ConfigMap are ignored
    /// without an error. Rename the key of the ConfigMap. The rule also reports `spec.configMaps` and `spec.secrets` of
    /// an OpenStackDataPlaneService: `dataSources` has replaced these fields, and the API server drops them.
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
    ///       name: gpus
    /// ---
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata:
    ///   name: gpus
    /// data:
    ///   04-pci.conf: ""
    /// ```
    CONFIG_NOT_READ = "config-not-read", Error;

    /// An existing `[pci] device_spec` offers more or fewer GPUs than the functionConfig requests.
    ///
    /// Nova combines all `device_spec` options. If the existing one offers more devices, a new one would have
    /// no effect. If it offers fewer, a new one would offer devices that the existing one withholds. The
    /// existing option is not changed. List the GPUs for guests in `addresses` of `spec.computes`, set
    /// `replace: true`, or remove the existing option.
    DEVICE_SPEC = "device-spec", Warning;

    /// The device type of an alias differs from the type that Nova detects for this GPU.
    ///
    /// Nova treats a card that shows SR-IOV as type-PF, its virtual functions as type-VF, and all other
    /// devices as type-PCI. If the alias has another type, no host matches, and guests cannot be scheduled.
    /// Correct `deviceType` or `productId`, or set `nested: true` if the compute nodes are virtual machines,
    /// which do not show SR-IOV. The severity is info if the catalogue chose the type or the product id.
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
    ///     template:
    ///       apiServiceTemplate:
    ///         customServiceConfig: |
    ///           [pci]
    ///           alias = {"name":"v100", "vendor_id":"10de", "product_id":"1db4", "device_type":"type-PF"}
    /// ```
    DEVICE_TYPE = "device-type", Warning;

    /// A kernel argument of a node set prevents GPU passthrough.
    ///
    /// `edpm_kernel_args` disables the IOMMU or sets it to another value. Without the IOMMU, the host cannot
    /// pass a GPU to a guest. Remove the argument, or set `iommu: none` in `spec.computes` to leave the
    /// kernel arguments unchanged.
    KERNEL_ARGS = "kernel-args", Error;

    /// An OpenStackControlPlane that should get an alias has no `spec.nova`.
    ///
    /// The control plane is not changed. With a new `spec.nova`, the operator would deploy Nova and require the
    /// services that Nova depends on. To deploy Nova, add `spec.nova`. Otherwise, use `target` to select other
    /// control planes.
    NO_NOVA = "no-nova", Warning;

    /// A node set has no service of type nova.
    ///
    /// Without such a service, nothing configures Nova on the hosts. Add `nova` or your own service to
    /// `spec.services` of the OpenStackDataPlaneNodeSet. For your own service, also add its
    /// OpenStackDataPlaneService to the resources, so that its type is known.
    NO_NOVA_SERVICE = "no-nova-service", Error;

    /// A service or a node of the data plane refers to a cell that cannot have compute nodes.
    ///
    /// The OpenStackControlPlane in the namespace has no such cell, or the cell is cell0, which has no
    /// compute nodes. In an OpenStackDataPlaneService, correct the name of the Secret `nova-<cell>-compute-config`, or
    /// add the cell to the control plane. For an OpenStackDataPlaneNode, correct the annotation `nova.openstack.org/cell`
    /// of the node or its role. There, this is a warning if the namespace has NovaCells but no control plane, because
    /// nova-operator may create the cell. AssignNovaCells also reports such cells in `spec.cells` and in annotations of
    /// node sets.
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
    ///   - secretRef:
    ///       name: nova-cell0-compute-config
    /// ```
    NO_SUCH_CELL = "no-such-cell", Error;

    /// Nova is disabled in the OpenStackControlPlane that gets the alias.
    ///
    /// The alias is written, but no service reads it. Set `spec.nova.enabled: true`, or exclude this control
    /// plane with `target`.
    NOVA_DISABLED = "nova-disabled", Warning;

    /// A node set already has its own service of type nova, so `service` in `computes` has no effect.
    ///
    /// The existing OpenStackDataPlaneService reads the configuration, and no new service is created. Remove
    /// `service` from `spec.computes`, or replace the node set's own service with `nova`.
    OWN_SERVICE = "own-service", Warning;

    /// Nova's configuration disables PCI tracking in Placement, but the functionConfig enables it.
    ///
    /// With `placement: true`, all Nova services must use the same setting. A service without it does not
    /// know where a GPU is free. Remove the option, or set `replace: true`.
    PLACEMENT_OFF = "placement-off", Error;

    /// Node sets with and without this configuration use the same service of type nova.
    ///
    /// The service would configure hosts for which the configuration is not meant, such as hosts without GPUs.
    /// AssignNovaCells also reports node sets of different cells that use one service. Give one of the node sets
    /// its own OpenStackDataPlaneService.
    SERVICE_SHARED = "service-shared", Error;

    /// The service that should replace `nova` on a node set exists but has another type.
    ///
    /// The node set would lose nova-compute. Choose another name for `service` in `spec.computes`. If AssignNovaCells
    /// reports this, rename the service, because `nova-<cell>` is the service of a cell.
    SERVICE_TYPE = "service-type", Error;
}
