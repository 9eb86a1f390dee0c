use schemars::JsonSchema;
use serde::Deserialize;

use crate::checks::{self, AbsentSecrets, SecretPolicy, rules};
use crate::krm::{Fault, FieldPath, Function, Mistakes, Resource, Results, Validator};
use crate::model::{World, secrets};

/// Validates OpenStack secrets before they reach the cluster.
///
/// For each service that an OpenStackControlPlane deploys, the secret must have the key that the service
/// reads: its default key, or the one in its `passwordSelectors`. A missing key is an error, or a warning if
/// the service starts without it. Other errors are empty values, values of the wrong format (Heat requires 32
/// characters, Barbican 32 bytes in base64), and published defaults such as `12345678`. Well-known words such
/// as `openstack`, and the same value for all passwords of a secret, are warnings. Messages never show a
/// value.
///
/// The function reads Secrets and ExternalSecrets. A resource without a namespace matches resources in every
/// namespace. A secret that is not among the resources may exist elsewhere, so the function reports a
/// warning, or an error with `complete`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ValidateSecrets {
    /// Whether all required secrets must be among the resources.
    #[serde(default)]
    complete: bool,
    /// The reason why published defaults, well-known words and equal values are acceptable, such as
    /// `lab without users`. With a reason, these findings have the severity info and show the reason.
    accept_defaults: Option<String>,
}

impl Function for ValidateSecrets {
    const KIND: &'static str = "ValidateSecrets";
    const NAME: &'static str = "validate-secrets";

    type Ready = SecretPolicy;

    fn check(self) -> Result<SecretPolicy, Mistakes> {
        let mut mistakes = Mistakes::default();
        let accept_defaults = self.accept_defaults.map(|reason| reason.trim().to_owned());
        if accept_defaults.as_ref().is_some_and(String::is_empty) {
            let message = "must be a reason, such as `lab without users`";
            mistakes.add(FieldPath::new("spec.acceptDefaults"), message);
        }
        let absent = if self.complete { AbsentSecrets::Error } else { AbsentSecrets::Warning };
        mistakes.unless_any(|| SecretPolicy { absent, accept_defaults })
    }
}

impl Validator for SecretPolicy {
    fn validate(&self, given: &[Resource], results: &mut Results) -> Result<(), Fault> {
        let (secrets, misreads) = secrets::read(&World::new(given));
        if !misreads.is_empty() {
            // Without these fields, the services' needs are not known.
            checks::wrong_type(&misreads, results);
            return Ok(());
        }
        if secrets.needs.is_empty() {
            let message = "no OpenStackControlPlane or OpenStackDataPlaneNodeSet among the resources needs a secret; add \
                           the one whose secrets you want to validate";
            return Err(Fault::new(&rules::NO_MATCH, message));
        }
        checks::secrets(&secrets, self, given, results);
        Ok(())
    }
}
