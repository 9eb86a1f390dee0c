//! A file that the user names in a functionConfig: the only kind of file that a function reads.

use super::rules;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Component, Path, PathBuf};

use schemars::JsonSchema;
use serde::Deserialize;

use super::fault::Fault;
use super::message::{quoted, system_error};
use crate::yaml;

/// The maximum size of a file, about as much as a Secret can hold.
const MAX_BYTES: u64 = 1_000_000;

/// A path, relative to the working directory: that of the kustomization in kustomize, the current one in kpt
/// and `render`.
///
/// As with kustomize's own `envs:`, the file must be in that directory or below: in Argo CD, one repository
/// must not read the files of another.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct NamedFile(String);

impl NamedFile {
    /// Why the path is not allowed, if it is not.
    pub fn objection(&self) -> Option<String> {
        let path = Path::new(&self.0);
        if self.0.is_empty() || path.is_absolute() {
            return Some(format!("must be a relative path, got {}", quoted(&self.0)));
        }
        let message = || format!("must be in the working directory or below, got {}", quoted(&self.0));
        leads_up(path).then(message)
    }

    /// The text of the file. No error shows any of it.
    pub fn read(&self) -> Result<String, Fault> {
        let fault =
            |what: &str| Fault::new(&rules::UNUSABLE_FILE, format!("the file {} {what}", quoted(&self.0)));
        let unreadable = |error: io::Error| match error.kind() {
            ErrorKind::NotFound => fault(
                "does not exist; its path is relative to the directory in which the function runs, and a container has no access to your files",
            ),
            _ => fault(&format!("cannot be read: {}", system_error(&error))),
        };
        let path = self.resolve().map_err(unreadable)?.ok_or_else(|| {
            fault("is a link that points outside the working directory; copy the file into the directory")
        })?;
        if !path.is_file() {
            return Err(fault("is not a regular file"));
        }
        let file = open_regular(&path).map_err(unreadable)?;
        let mut bytes = Vec::new();
        file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(fault("is larger than 1 MB; is it the right file?"));
        }
        yaml::into_utf8(bytes).map_err(|error| match error.at {
            Some(at) => fault(&format!("is not UTF-8 on line {}", at.line)),
            None => fault("is not UTF-8"),
        })
    }

    /// The path without links, if it is below the working directory.
    fn resolve(&self) -> io::Result<Option<PathBuf>> {
        let here = fs::canonicalize(".")?;
        let path = fs::canonicalize(&self.0)?;
        Ok(path.starts_with(here).then_some(path))
    }
}

impl std::fmt::Display for NamedFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether a path, as written, leads above the directory where it starts.
fn leads_up(path: &Path) -> bool {
    let mut depth = 0_usize;
    for component in path.components() {
        match component {
            Component::ParentDir if depth == 0 => return true,
            Component::ParentDir => depth -= 1,
            Component::Normal(_) => depth += 1,
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    false
}

/// Opens a regular file for reading. A link or a pipe in its place is an error, and never blocks.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("not a regular file")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_may_not_lead_up() {
        for path in ["a", "./a", "a/../b", "a/b/../../c", "..a", "a/.."] {
            assert!(!leads_up(Path::new(path)), "{path}");
        }
        for path in ["..", "../a", "a/../../b", "./../a"] {
            assert!(leads_up(Path::new(path)), "{path}");
        }
    }
}
