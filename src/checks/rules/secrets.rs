//! The rules about the secrets of an OpenStack.

crate::rules! {
    /// The rules about Secrets and ExternalSecrets. No message shows a value.
    SECRETS:

    /// All passwords of a Secret have the same value.
    ///
    /// Whoever learns one password knows all of them. Create separate values with `rhoso-fn new-secrets`.
    /// With a reason in `spec.acceptDefaults`, this is info.
    EQUAL_VALUES = "equal-values", Warning;

    /// A Secret has a published default value.
    ///
    /// The value comes from public samples, such as install_yamls' `12345678`, and anybody can guess it.
    /// Create new values with `rhoso-fn new-secrets`. With a reason in `spec.acceptDefaults`, this is info.
    KNOWN_DEFAULT = "known-default", Error;

    /// A service needs a Secret that is not among the resources.
    ///
    /// The service that reads it would fail or wait. If the Secret comes from elsewhere, such as a vault, you
    /// can ignore this warning. With `complete: true`, a Secret that a service cannot do without is an error.
    MISSING_SECRET = "missing-secret", Warning;

    /// A value of a Secret is empty, not base64, or not in the form that its service expects.
    ///
    /// Heat's key must have exactly 32 characters, and Barbican's key-encryption key must be 32 bytes in
    /// base64; the services reject anything else. Values under `data` are base64; plain text belongs under
    /// `stringData`.
    SECRET_VALUE = "secret-value", Error;

    /// A password in a Secret is a well-known word.
    ///
    /// Words such as `openstack` are the first that an attacker tries. Create new values with
    /// `rhoso-fn new-secrets`. With a reason in `spec.acceptDefaults`, this is info.
    WELL_KNOWN_WORD = "well-known-word", Warning;
}
