//! Rules about OpenStack secrets.

crate::rules! {
    /// Rules about Secrets and ExternalSecrets. No message shows a value.
    SECRETS in "secrets":

    /// All passwords in a Secret have the same value.
    ///
    /// Anyone who learns one password knows all of them. Create separate values with `rhoso-fn new-secrets`.
    /// The severity is info if `spec.acceptDefaults` of ValidateSecrets gives a reason.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: v1
    /// kind: Secret
    /// metadata: {name: osp-secret, namespace: openstack}
    /// stringData:
    ///   AdminPassword: one-value-for-all
    ///   GlancePassword: one-value-for-all
    /// ```
    EQUAL_VALUES = "equal-values", Warning;

    /// A Secret contains a published default value.
    ///
    /// The value comes from public samples, such as `12345678` in install_yamls, and is easy to guess. Create
    /// new values with `rhoso-fn new-secrets`. The severity is info if `spec.acceptDefaults` of ValidateSecrets
    /// gives a reason.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: v1
    /// kind: Secret
    /// metadata: {name: osp-secret, namespace: openstack}
    /// stringData:
    ///   AdminPassword: "12345678"
    /// ```
    KNOWN_DEFAULT = "known-default", Error;

    /// A service needs a Secret that is not among the resources.
    ///
    /// Without the Secret, the service fails or waits. You can ignore this warning if the Secret comes from
    /// elsewhere, such as a vault. `check` reports it only if the package has another secret of the same
    /// OpenStack. With `complete: true` of ValidateSecrets, this is an error if the service requires the Secret.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: core.openstack.org/v1beta1
    /// kind: OpenStackControlPlane
    /// metadata: {name: openstack, namespace: openstack}
    /// spec:
    ///   secret: osp-secret
    ///   glance: {}
    ///   placement:
    ///     template: {secret: placement-secret}
    /// ---
    /// apiVersion: v1
    /// kind: Secret
    /// metadata: {name: osp-secret, namespace: openstack}
    /// stringData: {GlancePassword: a-value-of-glance}
    /// ```
    MISSING_SECRET = "missing-secret", Warning;

    /// A value in a Secret is empty, not base64, or not in the format that its service requires.
    ///
    /// Heat's key must have exactly 32 characters, and Barbican's key-encryption key must be 32 bytes in
    /// base64. The services reject any other value. Write base64 under `data` and plain text under
    /// `stringData`. The format of a value that no deployed service reads is not checked, and neither are values
    /// that SOPS has encrypted or that another tool replaces, such as `<path:…>` and `${…}`.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: v1
    /// kind: Secret
    /// metadata: {name: osp-secret, namespace: openstack}
    /// data:
    ///   AdminPassword: plain text
    /// ```
    SECRET_VALUE = "secret-value", Error;

    /// A password in a Secret is a well-known word.
    ///
    /// Attackers try words such as `openstack` first. Create new values with `rhoso-fn new-secrets`. This is
    /// info if `spec.acceptDefaults` of ValidateSecrets gives a reason.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: v1
    /// kind: Secret
    /// metadata: {name: osp-secret, namespace: openstack}
    /// stringData:
    ///   AdminPassword: openstack
    /// ```
    WELL_KNOWN_WORD = "well-known-word", Warning;
}
