//! The rules about objects of any kind.

crate::rules! {
    /// The rules about objects of any kind.
    OBJECTS in "objects":

    /// A field contains a placeholder such as `CHANGEME` or `_replaced_`.
    ///
    /// The value was meant to be replaced, by a person or by kustomize. The API server accepts most of these strings,
    /// and a service fails later. Replace it, or remove the field. In a ConfigMap with the annotation
    /// `config.kubernetes.io/local-config`, `_replaced_` and `_unused_` are not reported: it is a values file, which is
    /// not applied.
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
    UNUSED_IGNORE = "unused-ignore", Warning;
}
