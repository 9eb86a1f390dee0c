//! The rules about MachineSets for GPUs, and about the autoscalers that scale them.

crate::rules! {
    /// The rules about MachineSets, MachineAutoscalers and the ClusterAutoscaler.
    MACHINE_SETS:

    /// The image of the template MachineSet may not run on machines of another architecture.
    ///
    /// An amd64 image does not boot on an arm64 machine such as `g5g.xlarge`. Name a template of that
    /// architecture, or add a worker MachineSet of it to the resources. If nothing in the template shows its
    /// architecture, this is a warning: check the image.
    ARCHITECTURE = "architecture", Error;

    /// A template MachineSet has a setting that belongs to its zone, and the copy is for another zone.
    ///
    /// Placement groups, dedicated hosts and capacity reservations may not be available in the new zone, and
    /// the cloud would then refuse to create the machines. Check the field, or use the worker MachineSet of
    /// that zone as the template.
    BOUND_TO_ZONE = "bound-to-zone", Warning;

    /// A ClusterAutoscaler is not named `default`.
    ///
    /// The operator ignores a ClusterAutoscaler with any other name. Rename it.
    CLUSTER_AUTOSCALER_NAME = "cluster-autoscaler-name", Warning;

    /// The CPUs in `capacity` are not a multiple of the template MachineSet's CPUs per socket.
    ///
    /// vSphere (`numCoresPerSocket`) and Nutanix (`vcpusPerSocket`) divide the CPUs into sockets of equal
    /// size. Change `capacity.cpus`, or the template.
    CPUS_PER_SOCKET = "cpus-per-socket", Error;

    /// The subnet of a MachineSet in another zone is derived from the name of the template's subnet.
    ///
    /// No worker MachineSet of the zone is among the resources, so the zone is replaced in the subnet's name.
    /// If no subnet has that name, AWS creates no machines. Check that it exists, or add the worker
    /// MachineSet of the zone to the resources.
    DERIVED_SUBNET = "derived-subnet", Warning;

    /// A template MachineSet of another cluster is rendered together with its copies.
    ///
    /// The new cluster would create machines from it, with security groups and subnets of the other cluster.
    /// Set `keepTemplate: false` to leave the template out, or `true` if you want to apply it.
    FOREIGN_TEMPLATE = "foreign-template", Warning;

    /// Labels of the template MachineSet that describe its GPUs are left out of the copy.
    ///
    /// Labels such as `nvidia.com/gpu.product` would be wrong on machines of another size. If pods select
    /// nodes by such labels, set them in `spec.labels`.
    GPU_LABEL = "gpu-label", Info;

    /// The template is itself a MachineSet for GPUs.
    ///
    /// Its other settings for GPUs remain in the copies. A worker MachineSet is a better template.
    GPU_TEMPLATE = "gpu-template", Warning;

    /// A MachineSet for bare metal would use any free BareMetalHost.
    ///
    /// Without a `hostSelector`, the machines may run on hosts without GPUs. List the labels of the hosts
    /// that have GPUs in `spec.machines[].hostSelector`.
    HOST_SELECTOR = "host-selector", Error;

    /// A MachineSet for another cluster keeps an id that was looked up in the template's cluster.
    ///
    /// Ids of subnets, security groups, images and the like belong to one installation. With those of
    /// another, machines are not created, or join the wrong network. Replace the id in the template, or use a
    /// MachineSet of the right cluster as the template.
    ID_OF_ANOTHER_CLUSTER = "id-of-another-cluster", Warning;

    /// A VM size of Azure needs a generation 2 image, and the template MachineSet has an older one.
    ///
    /// Azure refuses to start such a VM. The message is based on the image's name: images of the installer
    /// end in `-gen2`, those of Azure Red Hat OpenShift in `-v2`. Change the image in the template.
    IMAGE_GENERATION = "image-generation", Warning;

    /// A ClusterAutoscaler keeps more GPUs than the MachineSets need at least.
    ///
    /// The existing `min` in `resourceLimits.gpus` is its owner's choice and stays. Lower it if you want
    /// fewer.
    KEPT_GPU_MINIMUM = "kept-gpu-minimum", Info;

    /// A GPU limit of a ClusterAutoscaler applies to no node.
    ///
    /// The `type` of a limit is compared with the node label `cluster-api/accelerator`. A text such as
    /// `nvidia.com/gpu` cannot be the value of a label, so the limit never applies. Use the value of the
    /// label, such as `nvidia-l4`.
    LIMIT_WITHOUT_EFFECT = "limit-without-effect", Warning;

    /// The machines of a MachineSet cannot have the GPUs that `capacity` states.
    ///
    /// On GCP, only N1 machines accept attached GPUs, and only some models. On Nutanix, the GPU's PCI id must
    /// be known: set `capacity.deviceId`. Choose another instance type or GPU. On AWS and Azure, an instance
    /// type of a series without GPUs is a warning, because only its name shows this.
    MACHINE_GPU = "machine-gpu", Error;

    /// A MachineSet would get a name that is too long or has characters that names cannot have.
    ///
    /// The name consists of the infrastructure name, the machines' name and the zone. It may have 57
    /// characters, so that its Machines' names have at most 63. Set a shorter `name` in `spec.machines`.
    MACHINE_SET_NAME = "machine-set-name", Error;

    /// An existing ClusterAutoscaler has another `maxNodesTotal` than the functionConfig.
    ///
    /// The existing value stays, because it limits the whole cluster. Change one of the two.
    MAX_NODES = "max-nodes", Warning;

    /// A template MachineSet does not name its cluster.
    ///
    /// The infrastructure name is part of the names and labels of all machines. Add the label
    /// `machine.openshift.io/cluster-api-cluster` to the template, as every MachineSet of the installer has
    /// it.
    NO_CLUSTER = "no-cluster", Error;

    /// The functionConfig sets `autoscale`, and the resources have no ClusterAutoscaler.
    ///
    /// Without a ClusterAutoscaler in the cluster, nothing scales the machines. Set
    /// `spec.clusterAutoscaler: {}` to create one, unless the cluster already has one.
    NO_CLUSTER_AUTOSCALER = "no-cluster-autoscaler", Info;

    /// A template MachineSet uses a capacity reservation.
    ///
    /// The reservation is for the template's instance type; the cloud refuses machines of another type in it.
    /// Remove the reservation from the template, or replace it with one for the new type.
    RESERVATION = "reservation", Warning;

    /// The autoscaler cannot start the first machine of a MachineSet with a fraction of a GPU.
    ///
    /// The cloud counts no GPU on such instance types, so the autoscaler does not expect a new machine to
    /// help a pod that asks for one. Set `autoscale.min` to 1, or state in `capacity` what a machine has.
    SCALE_FROM_ZERO = "scale-from-zero", Warning;

    /// A MachineAutoscaler already scales a MachineSet that the functionConfig sizes otherwise.
    ///
    /// A MachineSet can have one MachineAutoscaler: the operator rejects a second, and an autoscaler would
    /// undo a fixed number of replicas. Delete the existing MachineAutoscaler, or add or remove `autoscale`
    /// in `spec.machines`, as the message says.
    SCALED_TWICE = "scaled-twice", Error;

    /// An existing MachineSet has another selector than the one that belongs to its name.
    ///
    /// The API server refuses to change the selector of a MachineSet. Delete the MachineSet here and in the
    /// cluster, or set another `name` in `spec.machines` to create a new one.
    SELECTOR = "selector", Error;

    /// The worker MachineSets among the resources belong to several clusters.
    ///
    /// Nothing shows which cluster the new machines are for. Name the MachineSet to copy in `spec.template`.
    SEVERAL_CLUSTERS = "several-clusters", Error;

    /// The machines of a MachineSet cannot be spot machines.
    ///
    /// Only AWS, Azure and GCP have spot machines. Reserved capacity is never sold as spot, and GCP refuses
    /// spot machines with `restartPolicy: Always`. Choose another template, or remove `spot` from
    /// `spec.machines`.
    SPOT = "spot", Error;

    /// The template MachineSet creates spot machines, and so does its copy.
    ///
    /// The cloud may take spot machines back at any time. Set `spot` in `spec.machines` to true or false to
    /// show what you want.
    SPOT_TEMPLATE = "spot-template", Warning;

    /// The template MachineSet is for a platform that the program does not know.
    ///
    /// The `kind` of its `providerSpec` decides which fields hold the size, the zone and the GPUs. The
    /// message lists the kinds that are supported.
    UNKNOWN_PROVIDER = "unknown-provider", Error;

    /// The region of a MachineSet may not have the zone that the functionConfig names.
    ///
    /// The program's list of zones does not contain it, or the template on Azure uses no zones. In a zone
    /// that does not exist, no machine is created. Check the spelling, and whether the zone exists.
    UNLISTED_ZONE = "unlisted-zone", Warning;

    /// Only one of the zones with worker MachineSets gets a MachineSet for GPUs.
    ///
    /// Without `zones`, the first worker MachineSet by name decides the zone. List the zones in
    /// `spec.machines[].zones` to serve others, too.
    UNSERVED_ZONES = "unserved-zones", Info;

    /// An entry of `spec.machines` does not fit the platform of the template MachineSet.
    ///
    /// The instance type belongs to another cloud, the field is for another platform, or the autoscaler
    /// cannot start from 0 machines on Nutanix and bare metal. Correct the entry, or use another template.
    WRONG_PLATFORM = "wrong-platform", Error;

    /// A MachineSet cannot be created in the zone that the functionConfig names.
    ///
    /// The zone is not in the template's region, the platform has no zones, or the zone needs a subnet that
    /// the template does not show. Correct the zone, or add the worker MachineSet of the zone to the
    /// resources.
    WRONG_ZONE = "wrong-zone", Error;
}
