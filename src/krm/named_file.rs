//! A file that the user names in a functionConfig: the only kind of file that a function reads.

use std::path::Path;

use schemars::JsonSchema;
use serde::Deserialize;

use super::finding::{Fault, quoted};
use crate::yaml;

/// A path, relative to the directory in which the function runs: that of the kustomization in kustomize,
/// the current one in kpt and `render`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct NamedFile(String);

impl NamedFile {
    /// What is wrong with the path, if anything.
    pub fn objection(&self) -> Option<String> {
        let is_bad = self.0.is_empty() || Path::new(&self.0).is_absolute();
        is_bad.then(|| format!("must be a relative path, got {}", quoted(&self.0)))
    }

    pub fn read(&self) -> Result<String, Fault> {
        let fault = |what: &str| Fault::new("file", format!("the file {} {what}", quoted(&self.0)));
        let bytes = std::fs::read(&self.0).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => fault(
                "is not there; its path counts from the directory in which the function runs, and in a container there is none",
            ),
            _ => fault(&format!("cannot be read: {error}")),
        })?;
        yaml::utf8(&bytes).map(str::to_owned).map_err(|_| fault("is not UTF-8"))
    }
}

impl std::fmt::Display for NamedFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
