//! Writes a set of files: either all of them or none.
//!
//! Each file is first written to a temporary file in the target directory and synced. When all are complete,
//! they are renamed to their targets one by one. If a rename fails, the earlier ones are rolled back. After a
//! failure, no temporary files and no new directories remain.

mod content;

pub use content::Content;

use std::collections::BTreeSet;
use std::fs::{self, Metadata, Permissions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, bail};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::causes;
use super::temporary::{Directories, Temporary, directory_of, remove_stale};
use crate::krm::{CollectOrdered, side_by_side, system_error};

/// Reading or writing a file takes about as long as this many bytes.
const COST_OF_FILE: usize = 64 << 10;

/// A file to write.
#[derive(Debug)]
pub struct NewFile<'c> {
    /// A directory that the user named. It is created if it does not exist.
    pub root: &'c Path,
    /// The path of the file relative to `root`. Symbolic links in it are not followed, because they may lead
    /// anywhere.
    pub below: PathBuf,
    pub content: Content<'c>,
}

impl NewFile<'_> {
    pub fn target(&self) -> PathBuf {
        self.root.join(&self.below)
    }
}

/// Writes the files that differ from the existing ones, and returns their paths.
pub fn write(files: &[NewFile]) -> Result<Vec<PathBuf>> {
    write_on(side_by_side::threads(files.len() * COST_OF_FILE), files)
}

fn write_on(threads: usize, files: &[NewFile]) -> Result<Vec<PathBuf>> {
    let differing = side_by_side::try_map(threads, files.len(), |position| {
        let file = &files[position];
        let existing = examine(file)?;
        let is_same = existing.as_ref().is_some_and(|metadata| file.content.is_in(&file.target(), metadata));
        anyhow::Ok((!is_same).then_some((file, existing)))
    })?;
    let differing: Vec<_> = differing.into_iter().flatten().collect();
    allow_open_files(2 * differing.len());
    let targets: Vec<PathBuf> = files.iter().map(NewFile::target).collect();
    for directory in directories_of(&targets) {
        remove_stale(directory);
    }
    let mut directories = Directories::default();
    let mut complete = Ok(());
    let create = |(file, _): &&(&NewFile, _)| {
        let target = file.target();
        complete = directories.create(directory_of(&target)).with_context(|| cannot_write(&target));
        complete.is_ok()
    };
    // The files before a directory that cannot be created may fail too, and are reported first.
    let possible = differing.iter().take_while(create).count();
    let moves = side_by_side::try_map(threads, possible, |position| {
        let (file, existing) = &differing[position];
        let target = file.target();
        let fresh = write_temporary(&target, file.content, existing.as_ref())
            .with_context(|| cannot_write(&target))?;
        anyhow::Ok(Move { fresh, target, is_over: existing.is_some() })
    })?;
    complete?;
    let written = move_all(moves)?;
    directories.keep();
    Ok(written)
}

/// Raises the limit of open files as far as necessary and possible. Each temporary file and each backup stays open, because
/// that holds its lock, and a shell usually allows 1024 files.
fn allow_open_files(count: usize) {
    const OTHERS: u64 = 64;
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let needed = count as u64 + OTHERS;
    if current.is_some_and(|current| current < needed) {
        let current = Some(maximum.map_or(needed, |maximum| maximum.min(needed)));
        // If this fails, so does a file, and that is reported.
        let _ = setrlimit(Resource::Nofile, Rlimit { current, maximum });
    }
}

/// Writes a new file with mode 0600. Fails if the file exists.
pub fn write_new(target: &Path, text: &str) -> Result<()> {
    remove_stale(directory_of(target));
    let moved = write_temporary(target, Content::Secret(text), None)
        .and_then(|mut fresh| fresh.move_to_new(target))
        .map(|()| sync(directory_of(target)));
    moved
        .map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => Error::msg("the file already exists; choose another name"),
            _ => error.into(),
        })
        .with_context(|| cannot_write(target))
}

fn cannot_write(target: &Path) -> String {
    format!("cannot write {}", target.display())
}

/// The metadata of an existing target. Fails if the target is not a regular file, or if a symbolic link leads
/// to it.
fn examine(file: &NewFile) -> Result<Option<Metadata>> {
    let target = file.target();
    let mut path = file.root.to_owned();
    for part in file.below.components() {
        path.push(part);
        let metadata = match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            metadata => metadata.with_context(|| cannot_write(&target))?,
        };
        let problem = match (path == target, &file.content) {
            (true, Content::Link(_)) if metadata.is_symlink() => return Ok(Some(metadata)),
            _ if metadata.is_symlink() => "a symbolic link, which is not followed; remove it",
            (true, _) if metadata.is_file() => return Ok(Some(metadata)),
            (true, _) if metadata.is_dir() => "a directory",
            (true, _) => "not a regular file",
            (false, _) if metadata.is_dir() => continue,
            (false, _) => "not a directory",
        };
        let which = if path == target { "it".to_owned() } else { path.display().to_string() };
        bail!("{}: {which} is {problem}", cannot_write(&target));
    }
    Ok(None)
}

/// Writes a temporary file next to the target. It has the final mode before the first byte is written.
fn write_temporary(target: &Path, content: Content, existing: Option<&Metadata>) -> io::Result<Temporary> {
    let directory = directory_of(target);
    if let Content::Link(destination) = content {
        return Temporary::link(directory, destination);
    }
    let new_mode = if existing.is_none() { content.mode() } else { 0o600 };
    let mut fresh = Temporary::create(directory, new_mode)?;
    let Some(file) = fresh.file() else { return Ok(fresh) };
    let mode = match (content, existing) {
        (Content::Program(_), _) => Some(0o755),
        (_, Some(existing)) => {
            // Only root can change the owner. For other users the file becomes theirs, as with an editor.
            drop(fchown(&*file, None, Some(existing.gid())));
            drop(fchown(&*file, Some(existing.uid()), None));
            Some(existing.mode() & 0o7777)
        }
        (_, None) => None,
    };
    if let Some(mode) = mode {
        file.set_permissions(Permissions::from_mode(mode))?;
    }
    let mut writer = BufWriter::new(file);
    for piece in content.pieces() {
        writer.write_all(piece)?;
    }
    writer.flush()?;
    writer.get_ref().sync_all()?;
    drop(writer);
    Ok(fresh)
}

/// A complete temporary file and its target.
struct Move {
    fresh: Temporary,
    target: PathBuf,
    is_over: bool,
}

/// Renames all temporary files to their targets, or none.
fn move_all(moves: Vec<Move>) -> Result<Vec<PathBuf>> {
    let count = moves.len();
    let mut moved: Vec<(PathBuf, Option<Temporary>)> = Vec::new();
    for (index, Move { mut fresh, target, is_over }) in moves.into_iter().enumerate() {
        // Nothing can fail after the last rename, so it needs no backup.
        let needs_backup = is_over && index + 1 < count;
        let backup = if needs_backup { Temporary::keep(&target).map(Some) } else { Ok(None) };
        match backup.and_then(|backup| fresh.move_to(&target).map(|()| backup)) {
            Ok(backup) => moved.push((target, backup)),
            Err(error) => {
                let error = Error::new(error).context(cannot_write(&target));
                return Err(move_back(moved, error));
            }
        }
    }
    let written: Vec<PathBuf> = moved.into_iter().map(|(target, _)| target).collect();
    directories_of(&written).into_iter().for_each(sync);
    Ok(written)
}

/// Restores the previous files. Adds those that cannot be restored to the error.
fn move_back(moved: Vec<(PathBuf, Option<Temporary>)>, mut error: Error) -> Error {
    for (target, backup) in moved.into_iter().rev() {
        match backup {
            None => {
                if let Err(e) = fs::remove_file(&target) {
                    error = Error::msg(format!(
                        "{}; {} is new and cannot be removed: {}",
                        causes(&error),
                        target.display(),
                        system_error(&e)
                    ));
                }
            }
            Some(mut backup) => {
                if let Err(e) = backup.move_to(&target) {
                    let kept = backup.rescue();
                    error = Error::msg(format!(
                        "{}; {} is new, and the file that it replaced cannot be moved back from {}: {}",
                        causes(&error),
                        target.display(),
                        kept.display(),
                        system_error(&e)
                    ));
                }
            }
        }
    }
    error
}

/// The directories of the targets, without duplicates.
fn directories_of(targets: &[PathBuf]) -> BTreeSet<&Path> {
    targets.iter().map(|target| directory_of(target)).collect_ordered()
}

/// Syncs a directory, so that the renames survive a crash. Errors are ignored, because some file systems
/// cannot sync directories.
fn sync(directory: &Path) {
    drop(fs::File::open(directory).and_then(|directory| directory.sync_all()));
}

#[cfg(test)]
mod tests;
