//! Rules about GPU MachineSets and their autoscalers.

crate::rules! {
    /// Rules about MachineSets, MachineAutoscalers and the ClusterAutoscaler.
    MACHINE_SETS in "machine-sets":

    /// The image of the template MachineSet may not run on the architecture of the new machines.
    ///
    /// An amd64 image does not boot on an arm64 machine such as `g5g.xlarge`. Set `template` to a MachineSet
    /// of that architecture, or add a worker MachineSet of that architecture to the resources. This is a
    /// warning if nothing in the template shows its architecture: check the image.
    ARCHITECTURE = "architecture", Error;

    /// A template MachineSet has a setting that belongs to its zone, but the copy is for another zone.
    ///
    /// Placement groups, dedicated hosts and capacity reservations may not be available in the new zone. The
    /// cloud would then refuse to create the machines. Check the field, or use the worker MachineSet of the
    /// new zone as the template.
    BOUND_TO_ZONE = "bound-to-zone", Warning;

    /// A ClusterAutoscaler is not named `default`.
    ///
    /// The operator ignores a ClusterAutoscaler with any other name. Rename it to `default`.
    CLUSTER_AUTOSCALER_NAME = "cluster-autoscaler-name", Warning;

    /// The CPUs in `capacity` are not a multiple of the template MachineSet's CPUs per socket.
    ///
    /// vSphere (`numCoresPerSocket`) and Nutanix (`vcpusPerSocket`) divide the CPUs into sockets of equal
    /// size. Change `capacity.cpus` or the template.
    CPUS_PER_SOCKET = "cpus-per-socket", Error;

    /// The subnet of a MachineSet in another zone is derived from the name of the template's subnet.
    ///
    /// The resources contain no worker MachineSet of the new zone, so the zone in the name of the subnet is
    /// replaced. If no subnet has this name, AWS creates no machines. Check that the subnet exists, or add
    /// the worker MachineSet of the zone to the resources.
    DERIVED_SUBNET = "derived-subnet", Warning;

    /// A template MachineSet of another cluster is part of the output.
    ///
    /// The new cluster would create machines from it, with the security groups and subnets of the other
    /// cluster. Set `keepTemplate: false` to remove the template from the output, or `keepTemplate: true` if
    /// you want to apply it.
    FOREIGN_TEMPLATE = "foreign-template", Warning;

    /// Labels of the template MachineSet that describe its GPUs are not copied.
    ///
    /// Labels such as `nvidia.com/gpu.product` would be wrong on machines of another size. If pods select
    /// nodes by these labels, set them in `spec.labels`.
    GPU_LABEL = "gpu-label", Info;

    /// The template is itself a GPU MachineSet.
    ///
    /// The copies keep its other GPU settings, which may not fit the new machines. Use a worker MachineSet as
    /// the template.
    GPU_TEMPLATE = "gpu-template", Warning;

    /// A bare metal MachineSet would use any available BareMetalHost.
    ///
    /// Without a `hostSelector`, the machines may run on hosts without GPUs. Set
    /// `spec.machines[].hostSelector` to the labels of the hosts with GPUs.
    HOST_SELECTOR = "host-selector", Error;

    /// A MachineSet for another cluster contains an id from the template's cluster.
    ///
    /// The ids of subnets, security groups, images and similar objects belong to one installation. With the
    /// ids of another cluster, machines are not created or join the wrong network. Replace the id in the
    /// template, or use a MachineSet of the right cluster as the template.
    ID_OF_ANOTHER_CLUSTER = "id-of-another-cluster", Warning;

    /// An Azure VM size requires a generation 2 image, but the template MachineSet has an older one.
    ///
    /// Azure refuses to start such a VM. This rule checks only the name of the image: installer images end in
    /// `-gen2`, and Azure Red Hat OpenShift images in `-v2`. Change the image in the template.
    IMAGE_GENERATION = "image-generation", Warning;

    /// The GPU minimum of a ClusterAutoscaler is higher than the MachineSets require.
    ///
    /// The existing `min` in `resourceLimits.gpus` is not changed, because it may be intentional. Lower it if
    /// you want fewer GPUs.
    KEPT_GPU_MINIMUM = "kept-gpu-minimum", Info;

    /// A GPU limit of a ClusterAutoscaler matches no node.
    ///
    /// The autoscaler compares the `type` of a limit with the node label `cluster-api/accelerator`. A `type`
    /// such as `nvidia.com/gpu` cannot be the value of a label, so the limit never applies. Use the value of
    /// the label, such as `nvidia-l4`.
    LIMIT_WITHOUT_EFFECT = "limit-without-effect", Warning;

    /// The machines of a MachineSet cannot have the GPUs that `capacity` specifies.
    ///
    /// On GCP, only N1 machines support attached GPUs, and only some models. On Nutanix, the PCI id of the
    /// GPU is required: set `capacity.deviceId`. In other cases, choose another instance type or GPU. On AWS
    /// and Azure, an instance type of a series without GPUs is a warning, because only its name shows this.
    MACHINE_GPU = "machine-gpu", Error;

    /// The name of a generated MachineSet would be too long or contain invalid characters.
    ///
    /// The name consists of the infrastructure name, the name of the machines and the zone. It can have at
    /// most 57 characters, so that the names of its Machines have at most 63. Set a shorter `name` in
    /// `spec.machines`.
    MACHINE_SET_NAME = "machine-set-name", Error;

    /// An existing ClusterAutoscaler and the functionConfig have different values for `maxNodesTotal`.
    ///
    /// The existing value is not changed, because it limits the whole cluster. Use the same value in both.
    MAX_NODES = "max-nodes", Warning;

    /// A template MachineSet does not name its cluster.
    ///
    /// The names and labels of all machines contain the infrastructure name. Add the label
    /// `machine.openshift.io/cluster-api-cluster` to the template. Every MachineSet that the installer
    /// creates has this label.
    NO_CLUSTER = "no-cluster", Error;

    /// The functionConfig sets `autoscale`, but the resources contain no ClusterAutoscaler.
    ///
    /// Without a ClusterAutoscaler in the cluster, nothing scales the machines. Set `spec.clusterAutoscaler:
    /// {}` to create one, unless the cluster already has one.
    NO_CLUSTER_AUTOSCALER = "no-cluster-autoscaler", Info;

    /// A template MachineSet uses a capacity reservation.
    ///
    /// The reservation is for the template's instance type, and the cloud refuses machines of another type in
    /// it. Remove the reservation from the template, or replace it with a reservation for the new type.
    RESERVATION = "reservation", Warning;

    /// The autoscaler cannot start the first machine of a MachineSet with a fraction of a GPU.
    ///
    /// The cloud reports no GPU for these instance types, so the autoscaler does not expect a new machine
    /// to help a pod that requests one. Set `autoscale.min` to 1, or describe the GPUs of one machine in
    /// `capacity`.
    SCALE_FROM_ZERO = "scale-from-zero", Warning;

    /// A MachineAutoscaler already scales a MachineSet that the functionConfig sizes differently.
    ///
    /// A MachineSet can have only one MachineAutoscaler: the operator rejects a second one, and an autoscaler
    /// would undo a fixed number of replicas. Delete the existing MachineAutoscaler, or add or remove
    /// `autoscale` in `spec.machines`, as the message says.
    SCALED_TWICE = "scaled-twice", Error;

    /// The selector of an existing MachineSet does not match its name.
    ///
    /// The API server rejects changes to the selector of a MachineSet. Delete the MachineSet here and in the
    /// cluster, or set another `name` in `spec.machines` to create a new one.
    SELECTOR = "selector", Error;

    /// The worker MachineSets among the resources belong to several clusters.
    ///
    /// It is unclear which cluster the new machines are for. Set `spec.template` to the MachineSet to copy.
    SEVERAL_CLUSTERS = "several-clusters", Error;

    /// The machines of a MachineSet cannot be spot machines.
    ///
    /// Only AWS, Azure and GCP offer spot machines. Reserved capacity is never available as spot, and GCP
    /// rejects spot machines with `restartPolicy: Always`. Choose another template, or remove `spot` from
    /// `spec.machines`.
    SPOT = "spot", Error;

    /// The template MachineSet creates spot machines, and so does its copy.
    ///
    /// The cloud can reclaim spot machines at any time. Set `spot` in `spec.machines` to true or false to
    /// choose explicitly.
    SPOT_TEMPLATE = "spot-template", Warning;

    /// The template MachineSet is for a platform that is not supported.
    ///
    /// The `kind` of its `providerSpec` determines which fields contain the size, the zone and the GPUs. Use
    /// a template with one of the kinds that the message lists.
    UNKNOWN_PROVIDER = "unknown-provider", Error;

    /// The zone that the functionConfig names may not exist in the region of the MachineSet.
    ///
    /// The zone is not in the built-in list of zones, or the template on Azure uses no zones. If the zone
    /// does not exist, no machine is created. Check the spelling, and whether the zone exists.
    UNLISTED_ZONE = "unlisted-zone", Warning;

    /// Only one of the zones with worker MachineSets gets a GPU MachineSet.
    ///
    /// Without `zones`, the first worker MachineSet by name determines the zone. To use other zones as well,
    /// list them in `spec.machines[].zones`.
    UNSERVED_ZONES = "unserved-zones", Info;

    /// An entry of `spec.machines` does not fit the platform of the template MachineSet.
    ///
    /// The instance type belongs to another cloud, the field is for another platform, or the autoscaler
    /// cannot start from 0 machines, as on Nutanix and bare metal. Correct the entry, or use another
    /// template.
    WRONG_PLATFORM = "wrong-platform", Error;

    /// A MachineSet cannot be created in the zone that the functionConfig names.
    ///
    /// The zone is not in the template's region, the platform has no zones, or the zone needs a subnet that
    /// the template does not specify. Correct the zone, or add the worker MachineSet of the zone to the
    /// resources.
    WRONG_ZONE = "wrong-zone", Error;
}
