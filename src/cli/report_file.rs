//! The file that a report is written to.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::krm::{Place, Resource};
use crate::yaml::stream;

/// Writes a report. Its directory must exist: a misspelt one would hide the report from whoever reads it.
pub fn write(path: &Path, report: &str) -> Result<()> {
    if fs::read_to_string(path).is_ok_and(|text| has_manifests(&text)) {
        bail!("cannot write {}: the file contains manifests, which the report would replace", path.display());
    }
    let written = fs::write(path, report);
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty() && !parent.exists());
    match (written, directory) {
        (Err(_), Some(directory)) => {
            bail!("cannot write {}: the directory {} does not exist", path.display(), directory.display())
        }
        (written, _) => written.with_context(|| format!("cannot write {}", path.display())),
    }
}

/// Whether a text has a Kubernetes object. The report of an earlier run has none.
pub fn has_manifests(text: &str) -> bool {
    stream::documents(text).into_iter().any(|range| {
        let document = Resource::from_file_with_duplicate_keys(text.into(), range, Place::default());
        document.is_ok_and(|document| !document.id().kind.is_empty())
    })
}
