//! The file that a report is written to.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

/// Writes a report. Its directory must exist: a misspelt one would hide the report from whoever reads it.
pub fn write(path: &Path, report: &str) -> Result<()> {
    let written = fs::write(path, report);
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty() && !parent.exists());
    match (written, directory) {
        (Err(_), Some(directory)) => {
            bail!("cannot write {}: the directory {} does not exist", path.display(), directory.display())
        }
        (written, _) => written.with_context(|| format!("cannot write {}", path.display())),
    }
}
