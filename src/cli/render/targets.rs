//! Where `render` writes each file.

use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Result, bail};
use indexmap::IndexMap;

use super::parts::parts;
use crate::cli::file_set::{Content, NewFile};
use crate::cli::manifests::Manifest;
use crate::krm::{File, Pieces, Rendered, has_same_bytes, side_by_side};
use crate::report::{self, Color, FileChange, Part};
use crate::yaml::Text;

/// What the user named, and the files that were found there.
#[derive(Debug, Clone, Copy)]
pub struct Found<'a> {
    pub manifests: &'a [Manifest],
    /// The number of streams, which come before the manifests.
    pub streams: usize,
    pub paths: &'a [PathBuf],
}

impl Found<'_> {
    /// The manifest of a file. None for a stream and for a new file.
    fn manifest(&self, origin: Option<usize>) -> Option<&Manifest> {
        self.manifests.get(origin?.checked_sub(self.streams)?)
    }
}

/// A file to write, or to compare with what is there.
#[derive(Debug)]
pub struct Target<'t> {
    pub path: PathBuf,
    below: PathBuf,
    /// The text that was read from this path. None if the path may have anything else, or nothing.
    given: Option<&'t Text>,
    new: &'t Pieces,
    is_secret: bool,
    /// The path of the file that it is made from, for messages.
    source: &'t str,
    shown: String,
}

impl Target<'_> {
    pub fn is_changed(&self) -> bool {
        let new = self.new.iter().map(str::as_bytes);
        let is_same = match self.given {
            Some(given) => has_same_bytes(given.as_bytes(), new),
            // Reading a pipe would block.
            None if !is_file(&self.path) => Ok(false),
            None => fs::File::open(&self.path).and_then(|file| has_same_bytes(file, new)),
        };
        !is_same.unwrap_or(false)
    }

    /// The unified diff.
    pub fn diff(&self, is_terminal: bool, color: Color) -> String {
        let (path, is_secret) = (self.shown.as_str(), self.is_secret);
        let diff = |is_new, parts| {
            report::unified(&FileChange { path, is_new, parts, is_secret }, is_terminal, color)
        };
        if let Some(parts) = self.given.and_then(|given| parts(given, self.new)) {
            return diff(false, parts);
        }
        let old = match self.given {
            Some(given) => Some(given.to_string()),
            None if !is_file(&self.path) => None,
            None => fs::read_to_string(&self.path).ok(),
        };
        let (is_new, old, new) = (old.is_none(), old.unwrap_or_default(), self.new.to_string());
        diff(is_new, vec![Part::Changed { old: &old, new: &new }])
    }

    pub fn new_file<'f>(&'f self, root: &'f Path) -> NewFile<'f> {
        let content = Content::Pieces { pieces: self.new, is_secret: self.is_secret };
        NewFile { root, below: self.below.clone(), content }
    }
}

/// The number of threads for reading and comparing all files.
pub fn threads(targets: &[Target<'_>]) -> usize {
    side_by_side::threads(targets.iter().map(|target| target.new.len()).sum())
}

/// Every file that is written to the output directory, or without one, every file in its own place.
pub fn plan<'t>(
    rendered: &'t [Rendered],
    found: Found<'_>,
    files: &'t [File],
    output: Option<&Path>,
) -> Result<Vec<Target<'t>>> {
    let mut targets: IndexMap<PathBuf, Target<'t>> = IndexMap::new();
    for file in rendered {
        let manifest = found.manifest(file.origin);
        let (path, below, is_in_place) = match (output, manifest) {
            (Some(output), Some(manifest)) => {
                let below = below(manifest, output, found.paths)?;
                let path = output.join(&below);
                let is_in_place = is_same_file(&manifest.path, &path);
                (path, below, is_in_place)
            }
            (Some(output), None) => (output.join(&file.path), PathBuf::from(&file.path), false),
            (None, Some(manifest)) => (manifest.path.clone(), manifest.below.clone(), true),
            (None, None) => (beside(found.paths).join(&file.path), PathBuf::from(&file.path), true),
        };
        // Another directory gets only what belongs in the cluster, so functionConfigs are left out.
        let Some(new) = (if is_in_place { Some(&file.whole) } else { file.for_cluster() }) else {
            continue;
        };
        if let Some(other) = targets.get(&path) {
            bail!("cannot write both {} and {} to {}", other.source, file.path, path.display());
        }
        let before = file.origin.and_then(|origin| files.get(origin)).filter(|_| output.is_none());
        let given = before.map(|before| &before.text);
        let shown = path.display().to_string();
        let (is_secret, source) = (file.holds_secrets, file.path.as_str());
        targets.insert(path.clone(), Target { path, below, given, new, is_secret, source, shown });
    }
    Ok(targets.into_values().collect())
}

/// The path of a file in the output directory. A file that is already there keeps its path. Otherwise, several paths on
/// the command line keep their prefixes, because their files may have the same names.
fn below(manifest: &Manifest, output: &Path, paths: &[PathBuf]) -> Result<PathBuf> {
    let directory =
        manifest.path.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
    let name = manifest.path.file_name().unwrap_or_default();
    let real = fs::canonicalize(directory).ok().map(|directory| directory.join(name));
    let real_output = fs::canonicalize(output).ok();
    if let (Some(real), Some(output)) = (&real, &real_output)
        && let Ok(below) = real.strip_prefix(output)
    {
        return Ok(below.to_owned());
    }
    let given: Vec<PathBuf> = paths.iter().filter_map(|path| fs::canonicalize(path).ok()).collect();
    let (Some(real), [_, _, ..]) = (real, given.as_slice()) else { return Ok(manifest.below.clone()) };
    let is_plain = |part: Component| matches!(part, Component::Normal(_) | Component::CurDir);
    if manifest.path.components().all(is_plain) {
        return Ok(manifest.path.components().filter(|part| matches!(part, Component::Normal(_))).collect());
    }
    // Absolute paths, and those with `..`, keep what they do not share.
    let contains_all = |directory: &&Path| given.iter().all(|path| path.starts_with(directory));
    let shared = real.ancestors().skip(1).find(contains_all).unwrap_or(Path::new("/"));
    Ok(real.strip_prefix(shared).unwrap_or(&manifest.below).to_owned())
}

/// Where new files are shown if there is no output directory: in the only given directory.
fn beside(paths: &[PathBuf]) -> &Path {
    match paths {
        [only] if only.is_dir() => only,
        _ => Path::new(""),
    }
}

fn is_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}
