//! `install`: the binary copies itself, because its image has no shell and no `cp`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::Reply;
use super::file_set::{self, Content, NewFile};
use crate::krm::Registry;

/// Copies this binary into a directory, creates a kustomize plugin home, or both. The directories must exist.
pub fn install(directory: Option<&Path>, plugin_home: Option<&Path>, registry: &Registry) -> Result<Reply> {
    for path in [directory, plugin_home].into_iter().flatten() {
        if !path.is_dir() {
            bail!("{} is not a directory; create it first, or mount a volume there", path.display());
        }
    }
    let own = std::env::current_exe().context("cannot find the path of this binary")?;
    let program = fs::read(&own).with_context(|| format!("cannot read {}", own.display()))?;
    let program = Content::Program(&program);
    let name = registry.program;
    let program_link = Path::new("..").join(name);
    let mut files = Vec::new();
    if let Some(root) = directory {
        files.push(NewFile { root, below: name.into(), content: program });
    }
    let mut plugins = Vec::new();
    if let Some(root) = plugin_home {
        // kustomize looks for a plugin at `<group>/<version>/<kind in lower case>/<Kind>`.
        let folder = Path::new(registry.group).join(registry.version);
        plugins.push(NewFile { root, below: folder.join(name), content: program });
        plugins.extend(registry.functions.iter().map(|entry| {
            let below = folder.join(entry.kind.to_lowercase()).join(entry.kind);
            NewFile { root, below, content: Content::Link(&program_link) }
        }));
    }
    let shown: Vec<PathBuf> = files.iter().chain(plugins.iter().skip(1)).map(NewFile::target).collect();
    files.extend(plugins);
    file_set::write(&files)?;
    Ok(Reply::paths(&shown))
}
