//! `install`: the binary copies itself, for images that have no shell and no `cp`.

use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::Reply;
use crate::krm::{Entry, GROUP, VERSION};

const NAME: &str = "rhoso-fn";

/// Copies this program into a directory that is there.
pub fn install(directory: &Path) -> Result<Reply> {
    let target = copy_into(directory)?;
    Ok(Reply::text(format!("{}\n", target.display())))
}

/// Lays out a kustomize plugin home: `<group>/<version>/<kind in lower case>/<Kind>` for every kind.
pub fn install_plugins(home: &Path, registry: &[Entry]) -> Result<Reply> {
    if !home.is_dir() {
        bail!("{} is not a directory; make it first", home.display());
    }
    let folder = home.join(GROUP).join(VERSION);
    fs::create_dir_all(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    copy_into(&folder)?;
    let mut made = String::new();
    for entry in registry {
        let place = folder.join(entry.kind.to_lowercase());
        fs::create_dir_all(&place).with_context(|| format!("{} cannot be made", place.display()))?;
        let link = place.join(entry.kind);
        replace(&link, |fresh| symlink(Path::new("..").join(NAME), fresh))?;
        made.push_str(&format!("{}\n", link.display()));
    }
    Ok(Reply::text(made))
}

fn copy_into(directory: &Path) -> Result<PathBuf> {
    if !directory.is_dir() {
        bail!("{} is not a directory; make it first, or mount a volume there", directory.display());
    }
    let own = std::env::current_exe().context("this program does not know where it is")?;
    let target = directory.join(NAME);
    replace(&target, |fresh| {
        fs::copy(&own, fresh)?;
        fs::set_permissions(fresh, fs::Permissions::from_mode(0o755))
    })?;
    Ok(target)
}

/// Makes a file beside its place and moves it there.
fn replace(target: &Path, make: impl Fn(&Path) -> io::Result<()>) -> Result<()> {
    let fresh = super::beside(target);
    let made = make(&fresh).and_then(|()| fs::rename(&fresh, target));
    if made.is_err() {
        drop(fs::remove_file(&fresh)); // there may be none; the first error is the one to tell
    }
    made.with_context(|| format!("{} cannot be written", target.display()))
}
