//! Temporary files next to their targets, so that a target is either complete or absent.
//!
//! Their names are random and of fixed length: `.rhoso-fn-0123456789abcdef.tmp`. A run holds an advisory lock
//! on each of its temporary files, so a file with such a name and without a lock was left by a run that was
//! killed.
//!
//! New directories are also temporary until the files in them are complete.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, symlink};
use std::path::{Path, PathBuf};

use crate::krm::open_regular;

const PREFIX: &str = ".rhoso-fn-";
const SUFFIX: &str = ".tmp";

/// A file that is removed on drop, unless it was renamed to its target.
#[derive(Debug)]
pub struct Temporary {
    pub(super) path: PathBuf,
    /// Holds the lock. `None` for a symbolic link, which exists only for a moment.
    file: Option<File>,
    is_moved: bool,
}

impl Temporary {
    /// Creates an empty file in a directory, with at most the permissions of `mode`.
    pub fn create(directory: &Path, mode: u32) -> io::Result<Self> {
        let open = |path: &Path| OpenOptions::new().write(true).create_new(true).mode(mode).open(path);
        loop {
            let (path, file) = with_new_name(directory, open)?;
            // Before this lock was taken, another run may have locked the file as stale, and may be about to
            // remove it. On file systems without locks, no run removes stale files.
            let is_taken = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
            if !is_taken && fs::symlink_metadata(&path).is_ok() {
                return Ok(Temporary { path, file: Some(file), is_moved: false });
            }
        }
    }

    /// Creates a symbolic link.
    pub fn link(directory: &Path, destination: &Path) -> io::Result<Self> {
        let (path, ()) = with_new_name(directory, |path| symlink(destination, path))?;
        Ok(Temporary { path, file: None, is_moved: false })
    }

    /// Creates a hard link to a file, or a copy if the file system has no hard links.
    pub fn keep(target: &Path) -> io::Result<Self> {
        if fs::symlink_metadata(target)?.is_symlink() {
            return Self::link(directory_of(target), &fs::read_link(target)?);
        }
        match with_new_name(directory_of(target), |path| fs::hard_link(target, path)) {
            Ok((path, ())) => {
                let file = open_regular(&path).ok().filter(|file| file.try_lock().is_ok());
                Ok(Temporary { path, file, is_moved: false })
            }
            Err(_) => {
                let mut source = open_regular(target)?;
                let mut copy = Self::create(directory_of(target), 0o600)?;
                if let Some(file) = copy.file() {
                    file.set_permissions(source.metadata()?.permissions())?;
                    io::copy(&mut source, file)?;
                    file.sync_all()?;
                }
                Ok(copy)
            }
        }
    }

    pub fn file(&mut self) -> Option<&mut File> {
        self.file.as_mut()
    }

    /// Renames the file to its target, replacing an existing file.
    pub fn move_to(&mut self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        self.is_moved = true;
        Ok(())
    }

    /// Renames the file to its target. Fails if the target exists.
    pub fn move_to_new(&mut self, target: &Path) -> io::Result<()> {
        match fs::hard_link(&self.path, target) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                // The file system has no hard links: reserve the target with an empty file.
                drop(OpenOptions::new().write(true).create_new(true).mode(0o600).open(target)?);
                self.move_to(target).inspect_err(|_| drop(fs::remove_file(target)))
            }
            linked => linked, // drop removes the temporary name
        }
    }

    /// Keeps the file under a name that no later run removes.
    pub fn rescue(mut self) -> PathBuf {
        self.is_moved = true;
        let kept = self.path.with_extension("kept");
        if fs::rename(&self.path, &kept).is_ok() { kept } else { self.path.clone() }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.is_moved {
            drop(fs::remove_file(&self.path)); // the error that caused this is the one to report
        }
    }
}

/// Directories that were created for files. They are removed on drop, unless `keep` was called.
#[derive(Debug, Default)]
pub struct Directories {
    created: Vec<PathBuf>,
}

impl Directories {
    /// Creates a directory and its missing parents.
    pub fn create(&mut self, directory: &Path) -> io::Result<()> {
        let missing: Vec<&Path> =
            directory.ancestors().take_while(|path| !path.as_os_str().is_empty() && !path.exists()).collect();
        for path in missing.into_iter().rev() {
            fs::create_dir(path)?;
            self.created.push(path.to_owned());
        }
        Ok(())
    }

    pub fn keep(mut self) {
        self.created.clear();
    }
}

impl Drop for Directories {
    fn drop(&mut self) {
        for path in self.created.iter().rev() {
            drop(fs::remove_dir(path)); // the error that caused this is the one to report
        }
    }
}

/// Removes the temporary files of killed runs from a directory.
pub fn remove_stale(directory: &Path) {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().to_str().is_some_and(is_ours)) {
        let path = entry.path();
        let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        // Hold the lock until the file is removed, so that no other run can start to use it.
        let file = open_regular(&path).ok().filter(|file| file.try_lock().is_ok());
        if is_link || file.is_some() {
            drop(fs::remove_file(&path)); // another user's file may remain
        }
    }
}

fn is_ours(name: &str) -> bool {
    let middle = name.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(SUFFIX));
    middle.is_some_and(|hex| hex.len() == 16 && hex.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')))
}

/// The directory of a file.
pub fn directory_of(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Calls `make` with random names until one is free.
fn with_new_name<T>(directory: &Path, make: impl Fn(&Path) -> io::Result<T>) -> io::Result<(PathBuf, T)> {
    loop {
        let mut bytes = [0_u8; 8];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let path = directory.join(format!("{PREFIX}{:016x}{SUFFIX}", u64::from_ne_bytes(bytes)));
        match make(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map(|made| (path, made)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn only_files_of_killed_runs_are_stale() {
        let dir = tempfile::tempdir().unwrap();
        let live = Temporary::create(dir.path(), 0o600).unwrap();
        fs::write(dir.path().join("x"), "").unwrap();
        let kept = Temporary::keep(&dir.path().join("x")).unwrap();
        for name in
            [".rhoso-fn-0123456789abcdef.tmp", ".rhoso-fn-mine.tmp", ".rhoso-fn-0123456789abcdef.kept"]
        {
            fs::write(dir.path().join(name), "").unwrap();
        }
        symlink("nowhere", dir.path().join(".rhoso-fn-00000000000000aa.tmp")).unwrap();
        fs::create_dir(dir.path().join(".rhoso-fn-00000000000000bb.tmp")).unwrap();
        remove_stale(dir.path());
        assert!(live.path.exists() && kept.path.exists());
        assert_eq!(names(dir.path()).len(), 6, "{:?}", names(dir.path()));
        drop((live, kept));
        assert_eq!(names(dir.path()).len(), 4, "{:?}", names(dir.path()));
    }

    #[test]
    fn a_new_file_never_replaces_one() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("x");
        Temporary::create(dir.path(), 0o600).unwrap().move_to_new(&target).unwrap();
        fs::write(&target, "first").unwrap();
        let error = Temporary::create(dir.path(), 0o600).unwrap().move_to_new(&target).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&target).unwrap(), "first");
        assert_eq!(names(dir.path()), ["x"]);
    }
}
