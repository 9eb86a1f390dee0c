//! What a secret will hold, and what is wrong with it.

use crate::checks::rules;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use super::demand::Asked;
use crate::krm::{Fault, FieldPath, FieldPattern, Resource, Results, Rule, Severity, quoted};
use crate::platform::secrets::{self, Form};
use crate::platform::{kubernetes, openstack};

/// A Secret or an ExternalSecret, and what it will hold.
pub struct Contents<'r> {
    pub item: &'r Resource,
    /// The name of the secret in the cluster.
    pub name: String,
    keys: Vec<String>,
    /// Values, by key and with where they are. An ExternalSecret has none.
    values: Vec<(String, FieldPath)>,
    /// Whether the keys are all that there will be.
    is_all: bool,
}

/// A value that everybody can guess. The message never shows it.
pub struct Weakness {
    pub severity: Severity,
    pub rule: &'static Rule,
    pub message: String,
    pub field: FieldPath,
}

impl<'r> Contents<'r> {
    pub fn read(item: &'r Resource) -> Result<Option<Self>, Fault> {
        if item.is(kubernetes::SECRET) {
            let mut values = Vec::new();
            for path in item
                .fields(&FieldPattern::new("data.*"))?
                .into_iter()
                .chain(item.fields(&FieldPattern::new("stringData.*"))?)
            {
                values.extend(path.last_key().map(|key| (key.to_owned(), path.clone())));
            }
            let keys = values.iter().map(|(key, _)| key.clone()).collect();
            return Ok(Some(Contents { item, name: item.id().name.clone(), keys, values, is_all: true }));
        }
        if !item.is(openstack::EXTERNAL_SECRET) {
            return Ok(None);
        }
        let target: Option<String> = item.get(&FieldPath::new("spec.target.name"))?;
        let mut keys = Vec::new();
        for path in item.fields(&FieldPattern::new("spec.data[*].secretKey"))? {
            keys.extend(item.get::<String>(&path)?);
        }
        let template: Option<Map<String, Value>> = item.get(&FieldPath::new("spec.target.template.data"))?;
        keys.extend(template.unwrap_or_default().keys().cloned());
        let mut is_all = true;
        for elsewhere in ["spec.dataFrom", "spec.target.template.templateFrom"] {
            is_all &= item.value(&FieldPath::new(elsewhere))?.is_none();
        }
        Ok(Some(Contents {
            item,
            name: target.unwrap_or_else(|| item.id().name.clone()),
            keys,
            values: Vec::new(),
            is_all,
        }))
    }

    fn may_have(&self, key: &str) -> bool {
        !self.is_all || self.keys.iter().any(|own| own == key)
    }

    /// Reports the keys that none of the secrets of this name has. Several match where a namespace is
    /// missing, or where an ExternalSecret adds keys to a Secret.
    pub fn report_missing(&self, asked: &[Asked<'_>], secrets: &[&Contents<'_>], results: &mut Results) {
        for Asked { key, by, part, without, .. } in asked {
            if secrets.iter().any(|secret| secret.may_have(key)) {
                continue;
            }
            let (key, by) = (quoted(key), by.id());
            match without {
                None => results.error(
                    &rules::MISSING_KEY,
                    format!("there is no key {key}, which `{part}` of {by} needs"),
                ),
                Some(without) => results.warning(
                    &rules::MISSING_KEY,
                    format!("there is no key {key}, which `{part}` of {by} reads; without it, {without}"),
                ),
            }
            .on(self.item);
        }
    }

    /// Reports values of the wrong form, and returns those that everybody can guess.
    pub fn weaknesses(&self, asked: &[Asked<'_>], results: &mut Results) -> Vec<Weakness> {
        let mut found = Vec::new();
        let mut passwords = Vec::new();
        for (key, path) in &self.values {
            let asked = asked.iter().find(|asked| asked.key == *key);
            let form = asked.map_or(Form::Password, |asked| asked.form);
            match self.value(path, form) {
                Err(objection) => {
                    results.error(&rules::SECRET_VALUE, objection).field(self.item, path);
                }
                Ok(value) if secrets::is_known(key, &value) => found.push(Weakness {
                    severity: Severity::Error,
                    rule: &rules::KNOWN_DEFAULT,
                    message: "this value is a default that everybody knows".to_owned(),
                    field: path.clone(),
                }),
                // Other keys may hold anything, such as the name of a user.
                Ok(value) if form == Form::Password && (asked.is_some() || secrets::is_password(key)) => {
                    passwords.push(Password { key, path, value });
                }
                Ok(_) => {}
            }
        }
        // kustomize sorts keys; the message is the same with and without it.
        passwords.sort_by_key(|password| password.key);
        found.extend(guessable(&passwords));
        found
    }

    fn value(&self, path: &FieldPath, form: Form) -> Result<Vec<u8>, &'static str> {
        let Ok(text) = self.item.get::<String>(path) else {
            return Err("must be a string; put it into quotes");
        };
        let text = text.unwrap_or_default();
        let value = if path.starts_with(&FieldPath::new("data")) {
            STANDARD
                .decode(text.split_ascii_whitespace().collect::<String>())
                .map_err(|_| "must be base64; plain text belongs under `stringData`")?
        } else {
            text.into_bytes()
        };
        form.objection(&value).map_or(Ok(value), Err)
    }
}

struct Password<'a> {
    key: &'a str,
    path: &'a FieldPath,
    value: Vec<u8>,
}

/// Words, or one value for everything.
fn guessable(passwords: &[Password<'_>]) -> Option<Weakness> {
    let words: Vec<&Password<'_>> = passwords.iter().filter(|p| secrets::is_word(&p.value)).collect();
    let all: Vec<&Password<'_>> = passwords.iter().collect();
    let is_one = all.windows(2).all(|pair| pair[0].value.trim_ascii() == pair[1].value.trim_ascii());
    let keys = |weak: &[&Password<'_>]| weak.iter().map(|p| p.key).collect::<Vec<_>>().join(", ");
    let (rule, weak, message) = match words.len() {
        0 if is_one && all.len() > 1 => {
            let message = format!("{} all have the same value", keys(&all));
            (&rules::EQUAL_VALUES, all, message)
        }
        0 => return None,
        1 => {
            let message = format!("the value of {} is a well-known word", keys(&words));
            (&rules::WELL_KNOWN_WORD, words, message)
        }
        _ => {
            let message = format!("the values of {} are well-known words", keys(&words));
            (&rules::WELL_KNOWN_WORD, words, message)
        }
    };
    Some(Weakness { severity: Severity::Warning, rule, message, field: weak.first()?.path.clone() })
}
