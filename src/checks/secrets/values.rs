//! Values of secrets that services cannot use, or that are easy to guess. No message shows a value.

use super::SecretPolicy;
use crate::checks::rules;
use crate::krm::{FieldPath, Finding, Order, Resource, Results, Rule, Severity};
use crate::model::secrets::{NeededKey, StoredSecret, Unreadable};
use crate::platform::secrets::{ValueFormat, is_password, is_published_default, is_well_known_word};

/// A value that is easy to guess.
struct Weakness {
    severity: Severity,
    rule: &'static Rule,
    message: String,
    field: FieldPath,
}

struct Password<'s> {
    key: &'s str,
    field: &'s FieldPath,
    value: &'s [u8],
}

pub fn check(
    secret: &StoredSecret,
    needs: &[NeededKey],
    policy: &SecretPolicy,
    items: &[Resource],
    results: &mut Results,
) {
    let item = secret.item.get(items);
    let mut weaknesses = Vec::new();
    let mut passwords = Vec::new();
    for value in &secret.values {
        let need = needs.iter().find(|need| need.key == value.key);
        let format = need.map_or(ValueFormat::Password, |need| need.format);
        match objection(&value.bytes, need.map(|need| need.format)) {
            Err(objection) => {
                results.error(&rules::SECRET_VALUE, objection).field(item, &value.field);
            }
            Ok(bytes) if is_published_default(&value.key, bytes) => weaknesses.push(Weakness {
                severity: Severity::Error,
                rule: &rules::KNOWN_DEFAULT,
                message: "this value is a published default".to_owned(),
                field: value.field.clone(),
            }),
            // Other keys may have any value, such as the name of a user.
            Ok(bytes) if format == ValueFormat::Password && (need.is_some() || is_password(&value.key)) => {
                passwords.push(Password { key: &value.key, field: &value.field, value: bytes });
            }
            Ok(_) => {}
        }
    }
    // kustomize sorts keys. The message must not depend on their order.
    passwords.order_by_key(|password| password.key);
    weaknesses.extend(guessable(&passwords));
    for weakness in weaknesses {
        report(weakness, policy, item, results);
    }
}

/// The bytes of a value that a service can use, or what is wrong with it.
/// The format does not matter if no service reads the value.
fn objection(
    bytes: &Result<Vec<u8>, Unreadable>,
    format: Option<ValueFormat>,
) -> Result<&[u8], &'static str> {
    match bytes {
        Err(Unreadable::NotAString) => Err("must be a string; put it into quotes"),
        Err(Unreadable::NotBase64) => Err("must be base64; plain text belongs under `stringData`"),
        Ok(bytes) => format.and_then(|format| format.objection(bytes)).map_or(Ok(bytes), Err),
    }
}

fn report(weakness: Weakness, policy: &SecretPolicy, item: &Resource, results: &mut Results) {
    let (severity, way_out) = match &policy.accept_defaults {
        Some(reason) => (Severity::Info, format!("accepted: {reason}")),
        None => (
            weakness.severity,
            "create new values with `rhoso-fn new-secrets`, or give a reason to keep the old ones, in an ignore or in \
             `acceptDefaults` of ValidateSecrets"
                .to_owned(),
        ),
    };
    let message = format!("{}; {way_out}", weakness.message);
    results.add(Finding::new(severity, weakness.rule, message)).field(item, &weakness.field);
}

/// Passwords that are well-known words, or else one value for all passwords.
fn guessable(passwords: &[Password<'_>]) -> Option<Weakness> {
    let words: Vec<&Password<'_>> = passwords.iter().filter(|p| is_well_known_word(p.value)).collect();
    let are_equal = passwords.windows(2).all(|pair| pair[0].value.trim_ascii() == pair[1].value.trim_ascii());
    let weak: Vec<&Password<'_>> = if words.is_empty() { passwords.iter().collect() } else { words.clone() };
    let keys = weak.iter().map(|password| password.key).collect::<Vec<_>>().join(", ");
    let (rule, message) = match words.len() {
        0 if are_equal && passwords.len() > 1 => {
            (&rules::EQUAL_VALUES, format!("the values of {keys} are all the same"))
        }
        0 => return None,
        1 => (&rules::WELL_KNOWN_WORD, format!("the value of {keys} is a well-known word")),
        _ => (&rules::WELL_KNOWN_WORD, format!("the values of {keys} are well-known words")),
    };
    Some(Weakness { severity: Severity::Warning, rule, message, field: weak.first()?.field.clone() })
}
