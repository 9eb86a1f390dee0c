//! Writes a set of files: either all of them or none.
//!
//! Each file is first written to a temporary file in the target directory and synced. When all are complete,
//! they are renamed to their targets one by one. If a rename fails, the earlier ones are rolled back. After a
//! failure, no temporary files and no new directories remain.

use std::collections::BTreeSet;
use std::fs::{self, Metadata, Permissions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, bail};

use super::causes;
use super::temporary::{Directories, Temporary, directory_of, remove_stale};
use crate::krm::system_error;

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

/// The content of a file, which determines the mode of a new file. An existing file keeps its mode.
#[derive(Debug, Clone, Copy)]
pub enum Content<'c> {
    Text(&'c str),
    /// Mode 0600.
    Secret(&'c str),
    /// Mode 0755, even if the existing file has a different mode.
    Program(&'c [u8]),
    Link(&'c Path),
}

impl Content<'_> {
    fn bytes(&self) -> &[u8] {
        match self {
            Content::Text(text) | Content::Secret(text) => text.as_bytes(),
            Content::Program(bytes) => bytes,
            Content::Link(_) => &[],
        }
    }

    /// Whether the target already has this content.
    fn is_in(&self, target: &Path, metadata: &Metadata) -> bool {
        match self {
            Content::Link(destination) => fs::read_link(target).is_ok_and(|there| there == *destination),
            Content::Program(_) if metadata.mode() & 0o777 != 0o755 => false,
            _ => {
                let has_size = metadata.len() == self.bytes().len() as u64;
                has_size && fs::read(target).is_ok_and(|there| there == self.bytes())
            }
        }
    }
}

impl NewFile<'_> {
    pub fn target(&self) -> PathBuf {
        self.root.join(&self.below)
    }
}

/// Writes the files that differ from the existing ones, and returns their paths.
pub fn write(files: &[NewFile]) -> Result<Vec<PathBuf>> {
    let mut differing = Vec::new();
    for file in files {
        let existing = examine(file)?;
        if !existing.as_ref().is_some_and(|metadata| file.content.is_in(&file.target(), metadata)) {
            differing.push((file, existing));
        }
    }
    let targets: Vec<PathBuf> = files.iter().map(NewFile::target).collect();
    for directory in directories_of(&targets) {
        remove_stale(directory);
    }
    let mut directories = Directories::default();
    let mut moves = Vec::new();
    for (file, existing) in differing {
        let target = file.target();
        let cannot_write = || cannot_write(&target);
        directories.create(directory_of(&target)).with_context(cannot_write)?;
        let fresh = write_temporary(&target, file.content, existing.as_ref()).with_context(cannot_write)?;
        moves.push(Move { fresh, target, is_over: existing.is_some() });
    }
    let written = move_all(moves)?;
    directories.keep();
    Ok(written)
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
    let new_mode = match content {
        Content::Link(destination) => return Temporary::link(directory, destination),
        Content::Text(_) if existing.is_none() => 0o666, // the umask applies
        _ => 0o600,
    };
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
    file.write_all(content.bytes())?;
    file.sync_all()?;
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
    targets.iter().map(|target| directory_of(target)).collect()
}

/// Syncs a directory, so that the renames survive a crash. Errors are ignored, because some file systems
/// cannot sync directories.
fn sync(directory: &Path) {
    drop(fs::File::open(directory).and_then(|directory| directory.sync_all()));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    fn count(directory: &Path) -> usize {
        fs::read_dir(directory).unwrap().count()
    }

    fn prepared(target: PathBuf, text: &str) -> Move {
        let existing = fs::metadata(&target).ok();
        let fresh = write_temporary(&target, Content::Text(text), existing.as_ref()).unwrap();
        Move { fresh, target, is_over: existing.is_some() }
    }

    #[test]
    fn a_failed_rename_restores_all_files() {
        let dir = tempfile::tempdir().unwrap();
        let place = |name: &str| dir.path().join(name);
        fs::write(place("old"), "before").unwrap();
        fs::set_permissions(place("old"), Permissions::from_mode(0o640)).unwrap();
        let moves = vec![
            prepared(place("old"), "after"),
            prepared(place("new"), "after"),
            prepared(place("lost"), ""),
            prepared(place("last"), ""),
        ];
        assert_eq!(mode(&moves[0].fresh.path), 0o640, "not readable by more users than the replaced file");
        fs::remove_file(&moves[2].fresh.path).unwrap(); // makes the rename fail
        let error = move_all(moves).unwrap_err();
        assert!(format!("{error:#}").contains("/lost: "), "{error:#}");
        assert_eq!(fs::read_to_string(place("old")).unwrap(), "before");
        assert_eq!(mode(&place("old")), 0o640);
        assert_eq!(count(dir.path()), 1, "only the old file remains");
        assert_eq!(
            move_all(vec![prepared(place("old"), "after"), prepared(place("new"), "")]).unwrap().len(),
            2
        );
        assert_eq!(fs::read_to_string(place("old")).unwrap(), "after");
        assert_eq!((mode(&place("old")), count(dir.path())), (0o640, 2));
    }

    #[test]
    fn a_backup_that_cannot_be_restored_is_kept_and_reported() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("old");
        fs::write(&target, "before").unwrap();
        let backup = Temporary::keep(&target).unwrap();
        fs::remove_file(&target).unwrap();
        fs::create_dir(&target).unwrap(); // makes the rename fail
        let error = move_back(vec![(target, Some(backup))], Error::msg("first")).to_string();
        let kept = error.split(" from ").nth(1).and_then(|rest| rest.split(": ").next()).unwrap();
        assert!(error.starts_with("first; ") && kept.ends_with(".kept"), "{error}");
        assert_eq!(fs::read_to_string(kept).unwrap(), "before");
    }
}
