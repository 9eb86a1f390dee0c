//! The fields in which two objects differ.

use serde_json::Value;

use super::{texts, values};
use crate::krm::Id;
use crate::platform::credentials;
use crate::platform::kubernetes::SECRET;

/// A field that differs.
#[derive(Debug, PartialEq)]
pub struct FieldChange {
    /// The path as people write it: `spec.containers[name=nova].image`, `customServiceConfig [pci] alias`.
    pub path: String,
    /// Neither value is known if the field differs in something that has no meaning, such as a comment.
    pub old: Option<Side>,
    pub new: Option<Side>,
}

/// A value before or after.
#[derive(Debug, Clone, PartialEq)]
pub enum Side {
    Value(Value),
    /// A credential, which no report shows.
    Hidden,
}

/// An annotation with a copy of the whole object.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// What is known about the place of a value: its path, its keys, and whether it is secret.
#[derive(Debug, Clone)]
pub(super) struct At {
    path: String,
    keys: Vec<String>,
    is_secret: bool,
}

impl At {
    /// A key of a mapping.
    pub fn key(&self, key: &str, is_secret_object: bool) -> Self {
        let is_plain = !key.is_empty() && !key.contains(['.', '[', ']', '/', ' ', '"']);
        let path = match (is_plain, self.path.is_empty()) {
            (true, true) => key.to_owned(),
            (true, false) => format!("{}.{key}", self.path),
            (false, _) => format!("{}[{key}]", self.path),
        };
        let of_secret = is_secret_object
            && (self.keys.is_empty() && ["data", "stringData"].contains(&key) || key == LAST_APPLIED);
        let keys = self.keys.iter().cloned().chain([key.to_owned()]).collect();
        At { path, keys, is_secret: self.is_secret || of_secret }
    }

    /// An element of a list, by its position or name.
    pub fn element(&self, which: &str) -> Self {
        At { path: format!("{}[{which}]", self.path), ..self.clone() }
    }

    /// An option of a configuration file inside a string.
    pub fn option(&self, section: &str, key: &str) -> Self {
        let keys = self.keys.iter().cloned().chain([key.to_owned()]).collect();
        At { path: format!("{} [{section}] {key}", self.path), keys, ..self.clone() }
    }

    /// Something about the value that is not a part of it.
    pub fn note(&self, note: &str) -> Self {
        At { path: format!("{} ({note})", self.path), ..self.clone() }
    }

    fn side(&self, value: &Value) -> Side {
        if self.is_secret || self.has_credential(value) { Side::Hidden } else { Side::Value(value.clone()) }
    }

    /// Whether a value contains a credential anywhere.
    fn has_credential(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => {
                let keys: Vec<&str> = self.keys.iter().map(String::as_str).collect();
                let is_password = keys.last().is_some_and(|key| is_password(key));
                is_password
                    || credentials::find(&keys, text).is_some()
                    || text.lines().any(|line| has_password(line) || has_login(line))
                    || texts::as_json(text).is_some_and(|value| self.has_credential(&value))
            }
            Value::Array(list) => list.iter().any(|value| self.has_credential(value)),
            Value::Object(map) => map.iter().any(|(key, value)| self.key(key, false).has_credential(value)),
            _ => false,
        }
    }
}

/// Whether a configuration option is a password, by its name. Names of Secrets and of keys in them are not.
fn is_password(key: &str) -> bool {
    let key = key.to_lowercase();
    let ends = ["password", "passphrase", "_secret", "_pass", "secret_key", "encryption_key"];
    ends.iter().any(|end| key.ends_with(end))
}

/// Whether a line of any configuration file sets a password.
fn has_password(line: &str) -> bool {
    let Some((key, value)) = line.split_once(['=', ':']) else { return false };
    let trim = |text: &str| text.trim_matches([' ', '\t', '"', '\'', ',', '{', '-']).to_owned();
    is_password(&trim(key)) && !trim(value).is_empty()
}

/// Whether a text has a URL with a password, such as `rabbit://user:password@host`.
fn has_login(text: &str) -> bool {
    text.split_whitespace().any(|word| {
        let authority = word.split_once("://").map(|(_, rest)| rest.split('/').next().unwrap_or_default());
        let login = authority.and_then(|authority| authority.rsplit_once('@')).map(|(login, _)| login);
        login.and_then(|login| login.split_once(':')).is_some_and(|(_, password)| !password.is_empty())
    })
}

/// Collects the fields that differ.
#[derive(Debug)]
pub(super) struct Changes {
    pub is_secret_object: bool,
    pub found: Vec<FieldChange>,
}

impl Changes {
    pub fn add(&mut self, at: &At, old: Option<&Value>, new: Option<&Value>) {
        let side = |value: Option<&Value>| value.map(|value| at.side(value));
        self.found.push(FieldChange { path: at.path.clone(), old: side(old), new: side(new) });
    }

    /// Whether a value is secret as a whole, so that its parts are not compared: their names may be secret too.
    pub fn is_hidden(at: &At) -> bool {
        at.is_secret
    }
}

/// The fields of an object that differ.
pub fn between(id: &Id, old: &Value, new: &Value) -> Vec<FieldChange> {
    let is_secret_object = id.kind == SECRET.kind && id.group() == SECRET.group();
    let mut changes = Changes { is_secret_object, found: Vec::new() };
    let root = At { path: String::new(), keys: Vec::new(), is_secret: false };
    values::compare(&root, old, new, &mut changes);
    changes.found
}
