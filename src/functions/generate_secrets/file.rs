//! Secrets with values from a file of `KEY=VALUE` lines. No message shows a value.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use super::Secrets;
use crate::checks::rules;
use crate::formats::env;
use crate::krm::{Fault, FieldPath, Hint, NamedFile, Resource, Results, quoted};
use crate::platform::secrets::{self, Key, SECRETS, Secret};

/// The values of a file, by key.
type Values<'t> = HashMap<&'static str, &'t str>;

impl Secrets {
    pub(super) fn file_secrets(
        &self,
        file: &NamedFile,
        results: &mut Results,
    ) -> Result<Vec<Resource>, Fault> {
        let text = file.read().map_err(|fault| fault.in_config(field()))?;
        let values = values(&text, file, results)?;
        let keys = self.secrets.iter().flat_map(|secret| secret.keys);
        let missing: Vec<&str> = keys.map(|key| key.name).filter(|key| !values.contains_key(key)).collect();
        if !missing.is_empty() {
            let message = format!("the file {} lacks {}", quoted(file), missing.join(", "));
            results.error(&rules::MISSING_KEY, message).in_config(field());
        }
        self.secrets.iter().map(|secret| self.secret(secret, &values)).collect()
    }

    fn secret(&self, secret: &Secret, values: &Values<'_>) -> Result<Resource, Fault> {
        let encoded = |key: &Key| Some((key.name.to_owned(), json!(STANDARD.encode(values.get(key.name)?))));
        let data: Map<String, Value> = secret.keys.iter().filter_map(encoded).collect();
        secret.object(Some(&self.namespace)).field("data", data).build()
    }
}

fn field() -> FieldPath {
    FieldPath::new("spec.file")
}

/// The values of the known keys. Reports unknown and repeated keys, and values that no service can use.
fn values<'t>(text: &'t str, file: &NamedFile, results: &mut Results) -> Result<Values<'t>, Fault> {
    let pairs = env::parse(text).map_err(|bad| {
        Fault::new(&rules::UNUSABLE_FILE, format!("{file}:{}: this line is not `KEY=VALUE`", bad.0))
            .in_config(field())
    })?;
    let known = || SECRETS.iter().flat_map(|secret| secret.keys);
    let mut values = Values::new();
    for (line, name, value) in pairs {
        let mut refuse = |message: String| {
            results.error(&rules::UNUSABLE_FILE, format!("{file}:{line}: {message}")).in_config(field());
        };
        let Some(key) = known().find(|key| key.name == name) else {
            // The name is not shown, because it may be part of a multi-line value.
            let hint = Hint::among(name, known().map(|key| key.name))
                .or(|| "`rhoso-fn new-secrets --env` prints all keys".to_owned());
            refuse(format!("the key on this line is unknown; {hint}"));
            continue;
        };
        if let Some(objection) = key.format.objection(value.as_bytes()) {
            refuse(format!("{} {objection}", quoted(name)));
        }
        if secrets::is_published_default(name, value.as_bytes()) {
            refuse(format!(
                "{} is a published default; `rhoso-fn new-secrets` creates new values",
                quoted(name)
            ));
        }
        if values.insert(key.name, value).is_some() {
            refuse(format!("{} is set twice; remove one of the lines", quoted(name)));
        }
    }
    Ok(values)
}
