//! The rules about objects of any kind.

crate::rules! {
    /// The rules about objects of any kind.
    OBJECTS in "objects":

    /// A control plane or a claim names a StorageClass that does not exist.
    ///
    /// The name must match exactly. Otherwise, the claims of the service stay pending, and its pods do not start. Correct
    /// the name, or add the StorageClass. This is reported only if there are StorageClasses among the resources, and not
    /// for services that are disabled, or for classes that operators create, such as `ocs-storagecluster-ceph-rbd`.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: core.openstack.org/v1beta1
    /// kind: OpenStackControlPlane
    /// metadata:
    ///   name: openstack
    /// spec:
    ///   storageClass: local-storge
    /// ---
    /// apiVersion: storage.k8s.io/v1
    /// kind: StorageClass
    /// metadata:
    ///   name: local-storage
    /// provisioner: kubernetes.io/no-provisioner
    /// ```
    MISSING_STORAGE_CLASS = "missing-storage-class", Warning;

    /// A field contains a placeholder such as `CHANGEME` or `_replaced_`.
    ///
    /// The value was meant to be replaced, by a person or by kustomize. The API server accepts most of these strings,
    /// and a service fails later. Replace it, or remove the field. In a ConfigMap with the annotation
    /// `config.kubernetes.io/local-config`, `_replaced_` and `_unused_` are not reported: it is a values file, which is
    /// not applied. Neither are they in files that a kustomization with patches or replacements lists.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: core.openstack.org/v1beta1
    /// kind: OpenStackControlPlane
    /// metadata:
    ///   name: openstack
    /// spec:
    ///   storageClass: CHANGEME
    /// ```
    PLACEHOLDER = "placeholder", Warning;

    /// A password or private key is in clear text outside a Secret.
    ///
    /// Everyone who can read the repository or the object can read it: the login of a container registry, the password
    /// or activation key of a Red Hat account, Ansible's login to a host, or a private key. Change it, put the new one
    /// into a Secret, and keep that out of Git. A node set reads a Secret with `ansibleVarsFrom`. References such as
    /// `{{ subscription_manager_password }}` are not reported, and no report shows the value.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: dataplane.openstack.org/v1beta1
    /// kind: OpenStackDataPlaneNodeSet
    /// metadata:
    ///   name: computes
    /// spec:
    ///   nodeTemplate:
    ///     ansible:
    ///       ansibleVars:
    ///         edpm_container_registry_logins:
    ///           quay.io:
    ///             robot: correct-horse-battery-staple
    /// ```
    PLAIN_CREDENTIAL = "plain-credential", Warning;

    /// An ignore comment or annotation has no effect.
    ///
    /// Nothing at that place violates the rule, the rule does not exist, or the ignore has no reason. An ignore that
    /// is left over would hide the next defect. Remove it, or correct the name of the rule.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: metallb.io/v1beta1
    /// kind: IPAddressPool
    /// metadata: {name: ctlplane, namespace: metallb-system}
    /// spec:
    ///   addresses:
    ///   - 192.168.122.80-192.168.122.90 # rhoso-fn: ignore[pool-overlap] moved next week
    /// ```
    UNUSED_IGNORE = "unused-ignore", Warning;

    /// A StorageClass has fewer PersistentVolumes than OpenStack claims.
    ///
    /// Local volumes are not created on demand, so some pods would never start. The rule counts one volume for each
    /// replica of Galera, RabbitMQ, the OVN databases, Swift and Glance (two sets of replicas if the API is split, and
    /// one more volume for an image cache), and one for each PersistentVolumeClaim. Other services may claim more. Add
    /// PersistentVolumes, or reduce the replicas. This is reported only if the class has PersistentVolumes among the
    /// resources and no provisioner.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: core.openstack.org/v1beta1
    /// kind: OpenStackControlPlane
    /// metadata:
    ///   name: openstack
    /// spec:
    ///   storageClass: local-storage
    ///   galera:
    ///     templates:
    ///       openstack:
    ///         replicas: 3
    /// ---
    /// apiVersion: v1
    /// kind: PersistentVolume
    /// metadata:
    ///   name: local-storage01
    /// spec:
    ///   storageClassName: local-storage
    /// ```
    VOLUMES_SHORT = "volumes-short", Warning;
}
