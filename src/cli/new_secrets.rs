//! `new-secrets`: strong random values, drawn once. No function draws any.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use super::{Reply, file_set};
use crate::formats::dns;
use crate::platform::secrets::{SECRETS, ValueFormat};
use crate::yaml::write;

pub fn new_secrets(namespace: Option<&str>, env: bool, output: Option<&Path>) -> Result<Reply> {
    if let Some(namespace) = namespace.filter(|namespace| !dns::is_label(namespace)) {
        bail!("\"{namespace}\" is no name of a namespace");
    }
    let text = if env { as_lines()? } else { as_manifests(namespace)? };
    let Some(path) = output else { return Ok(Reply::text(text)) };
    // Never over another: those values may be in use, and are nowhere else.
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
        documents.push(write::document(&value, &write::Habits::default()));
    }
    Ok(documents.join("---\n"))
}

fn draw(format: ValueFormat) -> Result<String> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes)
        .map_err(|error| anyhow::anyhow!("the system has no random numbers: {error}"))?;
    Ok(match format {
        ValueFormat::KeyEncryptionKey => STANDARD.encode(bytes),
        // 16 bytes are 32 characters.
        ValueFormat::Password | ValueFormat::HeatKey => {
            bytes[..16].iter().map(|byte| format!("{byte:02x}")).collect()
        }
    })
}
