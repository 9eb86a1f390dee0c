//! `new-secrets`: creates strong random values. It is a command because functions must be deterministic.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use super::{Reply, file_set};
use crate::formats::dns;
use crate::krm::quoted;
use crate::platform::secrets::{SECRETS, ValueFormat};
use crate::yaml::write;

pub fn new_secrets(namespace: Option<&str>, env: bool, output: Option<&Path>) -> Result<Reply> {
    if let Some(namespace) = namespace.filter(|namespace| !dns::is_label(namespace)) {
        bail!(
            "{} is not a valid namespace name; use lower case letters, digits and hyphens",
            quoted(namespace)
        );
    }
    let text = if env { as_lines()? } else { as_manifests(namespace)? };
    let Some(path) = output else { return Ok(Reply::text(text)) };
    // Never overwrite a file: its values may be in use and exist nowhere else.
    file_set::write_new(path, &text)?;
    Ok(Reply::paths([&PathBuf::from(path)]))
}

fn as_lines() -> Result<String> {
    let mut text = String::from("# For GenerateSecrets. Keep this file out of Git.\n");
    for key in SECRETS.iter().flat_map(|secret| secret.keys) {
        text.push_str(&format!("{}={}\n", key.name, draw(key.format)?));
    }
    Ok(text)
}

fn as_manifests(namespace: Option<&str>) -> Result<String> {
    let mut documents = Vec::new();
    for secret in &SECRETS {
        let mut data = Map::new();
        for key in secret.keys {
            data.insert(key.name.to_owned(), Value::String(draw(key.format)?));
        }
        let value = secret.object(namespace).field("stringData", data).into_value();
        documents.push(write::document(&value, &write::Formatting::default()));
    }
    Ok(documents.join("---\n"))
}

fn draw(format: ValueFormat) -> Result<String> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes)
        .map_err(|error| anyhow::anyhow!("cannot get random numbers from the system: {error}"))?;
    Ok(match format {
        ValueFormat::KeyEncryptionKey => STANDARD.encode(bytes),
        // Heat requires exactly 32 characters, which is 16 bytes in hex.
        ValueFormat::Password | ValueFormat::HeatKey => {
            bytes[..16].iter().map(|byte| format!("{byte:02x}")).collect()
        }
    })
}
