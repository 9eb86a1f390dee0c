mod contents;
mod demand;

use crate::checks::rules;
use schemars::JsonSchema;
use serde::Deserialize;

use self::contents::Contents;
use self::demand::{Asked, Demand};
use crate::krm::{
    BadField, Fault, Finding, Function, Mistakes, Resource, Results, Severity, Validator, quoted,
};
use crate::platform::secrets;

/// Validates OpenStack secrets before they reach the cluster.
///
/// For each service that an OpenStackControlPlane deploys, the secret that it reads must have the key that
/// it asks for, by default or by its `passwordSelectors`. A key that the service can do without is a warning.
/// A value of the wrong form (Heat's 32 characters, Barbican's 32 bytes in base64), an empty value and a
/// known default such as `12345678` are errors; a well-known word such as `openstack`, and one value for all
/// passwords of a secret, are warnings. Messages never show a value. Secrets and ExternalSecrets are read. A
/// resource without a namespace matches those of every namespace. A secret that is not among the resources
/// may be elsewhere: that is a warning, or with `complete` an error.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ValidateSecrets {
    /// Whether every secret that is needed must be among the resources.
    #[serde(default)]
    complete: bool,
    /// Why known defaults, well-known words and equal values are acceptable: `lab without users`. With a
    /// reason, these findings do not fail; the results list them as info, with the reason.
    accept_defaults: Option<String>,
}

impl Function for ValidateSecrets {
    const KIND: &'static str = "ValidateSecrets";
    const NAME: &'static str = "validate-secrets";

    type Ready = Self;

    fn check(self) -> Result<Self, Mistakes> {
        self.checked()?;
        Ok(self)
    }
}

impl ValidateSecrets {
    fn checked(&self) -> Result<(), BadField> {
        match &self.accept_defaults {
            Some(reason) if reason.trim().is_empty() => {
                Err(BadField::new("acceptDefaults", "must be a reason, such as `lab without users`"))
            }
            _ => Ok(()),
        }
    }
}

impl Validator for ValidateSecrets {
    fn validate(&self, given: &[Resource], results: &mut Results) -> Result<(), Fault> {
        let mut found = Vec::new();
        for item in given {
            found.extend(Contents::read(item)?);
        }
        let demand = Demand::read(given)?;
        if demand.is_empty() {
            let message = "there is no OpenStackControlPlane or OpenStackDataPlaneNodeSet that needs a secret among the resources";
            return Err(Fault::new(&rules::NO_MATCH, message));
        }
        let mut unasked: Vec<&Contents<'_>> =
            found.iter().filter(|secret| secrets::is_ours(&secret.name)).collect();
        for (namespace, name, asked) in demand.iter() {
            let secrets = named(&found, namespace, name);
            match secrets.first() {
                Some(first) => first.report_missing(asked, &secrets, results),
                None => self.report_absence(name, asked, results),
            }
            for secret in secrets {
                self.check_values(secret, asked, results);
                unasked.retain(|other| !std::ptr::eq(*other, secret));
            }
        }
        // A service may ask for these later.
        for secret in unasked {
            self.check_values(secret, &[], results);
        }
        Ok(())
    }
}

/// The secrets of a name: those of the namespace, else those that may be in it.
fn named<'a, 'r>(found: &'a [Contents<'r>], namespace: Option<&str>, name: &str) -> Vec<&'a Contents<'r>> {
    let mut secrets: Vec<&Contents<'_>> =
        found.iter().filter(|s| s.name == name && s.item.id().may_be_in(namespace)).collect();
    let is_exact = |secret: &Contents<'_>| secret.item.id().namespace.as_deref() == namespace;
    if secrets.iter().any(|secret| is_exact(secret)) {
        secrets.retain(|secret| is_exact(secret));
    }
    secrets
}

impl ValidateSecrets {
    fn report_absence(&self, name: &str, asked: &[Asked<'_>], results: &mut Results) {
        let Some(Asked { by, field, .. }) = asked.first() else { return };
        let required = keys_of(asked.iter().filter(|asked| asked.without.is_none()));
        let keys = match required.is_empty() {
            true => format!("should have {}", keys_of(asked)),
            false => format!("must have {required}"),
        };
        let message = format!("the secret {} is not among the resources; it {keys}", quoted(name));
        let is_needed = self.complete && asked.iter().any(|asked| asked.is_secret_needed);
        let severity = if is_needed { Severity::Error } else { Severity::Warning };
        results.add(Finding::new(severity, &rules::MISSING_SECRET, message)).field(by, field);
    }

    fn check_values(&self, secret: &Contents<'_>, asked: &[Asked<'_>], results: &mut Results) {
        for finding in secret.weaknesses(asked, results) {
            let severity = if self.accept_defaults.is_some() { Severity::Info } else { finding.severity };
            let way_out = match &self.accept_defaults {
                Some(reason) => format!("accepted: {}", reason.trim()),
                None => "create others with `rhoso-fn new-secrets`, or accept them with a reason in `spec.acceptDefaults`".to_owned(),
            };
            let message = format!("{}; {way_out}", finding.message);
            results.add(Finding::new(severity, finding.rule, message)).field(secret.item, &finding.field);
        }
    }
}

fn keys_of<'a>(asked: impl IntoIterator<Item = &'a Asked<'a>>) -> String {
    asked.into_iter().map(|asked| asked.key.as_str()).collect::<Vec<_>>().join(", ")
}
