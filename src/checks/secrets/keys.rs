//! Secrets and keys that services read and that do not exist.

use super::{AbsentSecrets, SecretPolicy};
use crate::checks::rules;
use crate::krm::{Finding, Location, Resource, Results, Severity, quoted};
use crate::model::secrets::{NeededKey, StoredSecret};

/// Reports the keys that none of the secrets has. Several secrets match where a namespace is missing, or where an
/// ExternalSecret adds keys to a Secret; the findings are about the first.
pub fn report_missing(
    first: &StoredSecret,
    secrets: &[&StoredSecret],
    needs: &[NeededKey],
    policy: &SecretPolicy,
    items: &[Resource],
    results: &mut Results,
) {
    // A Secret without any key is usually there for something else to fill.
    let may_be_filled = first.is_empty() && policy.absent == AbsentSecrets::WarningBesideOthers;
    let item = first.item.get(items);
    for NeededKey { key, by, part, without, .. } in needs {
        if secrets.iter().any(|secret| secret.may_have(key)) {
            continue;
        }
        let reader = Location::of_field(by.get(items), part);
        let (key, by) = (quoted(key), by.get(items).id());
        let (severity, message) = match without {
            None if may_be_filled => (
                Severity::Warning,
                format!(
                    "the key {key} is missing; `{part}` of {by} requires it; add it, unless it comes from elsewhere"
                ),
            ),
            None => (Severity::Error, format!("the key {key} is missing; `{part}` of {by} requires it")),
            Some(without) => (
                Severity::Warning,
                format!("the key {key} is missing; `{part}` of {by} reads it, and without it {without}"),
            ),
        };
        let finding = results.add(Finding::new(severity, &rules::MISSING_KEY, message));
        finding.field(item, &first.keys_field).related(reader, "this reads the key");
    }
}

/// Reports a secret that is not among the resources, at the field that needs its first key.
pub fn report_absent(
    name: &str,
    needs: &[NeededKey],
    policy: &SecretPolicy,
    items: &[Resource],
    results: &mut Results,
) {
    let Some(NeededKey { by, field, .. }) = needs.first() else { return };
    let required = join_keys(needs.iter().filter(|need| need.without.is_none()));
    let keys = match required.is_empty() {
        true => format!("should have {}", join_keys(needs)),
        false => format!("must have {required}"),
    };
    let is_required =
        policy.absent == AbsentSecrets::Error && needs.iter().any(|need| need.is_secret_required);
    let (severity, advice) = match is_required {
        true => (Severity::Error, "add it"),
        false => (Severity::Warning, "add it, unless it comes from elsewhere"),
    };
    let message = format!("the secret {} is not among the resources, and it {keys}; {advice}", quoted(name));
    results.add(Finding::new(severity, &rules::MISSING_SECRET, message)).field(by.get(items), field);
}

fn join_keys<'n>(needs: impl IntoIterator<Item = &'n NeededKey>) -> String {
    needs.into_iter().map(|need| need.key.as_str()).collect::<Vec<_>>().join(", ")
}
