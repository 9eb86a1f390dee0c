//! Which files `render` reads.

use crate::checks::rules;
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::formats::gitignore::Patterns;
use crate::krm::{KUSTOMIZATIONS, Results, patches};
use crate::yaml;

/// What manifests are called, by the rule of `kubectl apply -f`.
const EXTENSIONS: [&str; 3] = [".yaml", ".yml", ".json"];

/// kpt's list of files that are no part of a package.
const IGNORE_FILE: &str = ".krmignore";

/// The file that makes a directory a package of its own.
const KPTFILE: &str = "Kptfile";

/// A file, and the name that it has below the directory or file that was given.
#[derive(Debug)]
pub struct Manifest {
    pub path: PathBuf,
    pub below: PathBuf,
    /// The path without links.
    real: PathBuf,
    is_link: bool,
}

/// The files that are given, and those in directories that are given and below, in the order of their names.
///
/// Each file is read once, whatever names it has. What an earlier run wrote to the output directory is not
/// read.
pub fn find(paths: &[PathBuf], output: Option<&Path>, results: &mut Results) -> Result<Vec<Manifest>> {
    let mut search = Search {
        given: paths.iter().map(|path| resolve(path)).collect::<Result<_>>()?,
        output: output.and_then(|path| fs::canonicalize(path).ok()),
        found: Vec::new(),
        patches: HashSet::new(),
        results,
    };
    for path in paths {
        if path.is_dir() {
            search.look_into(path, path, None)?;
        } else {
            search.take(path, Path::new(path.file_name().unwrap_or(path.as_os_str())), false)?;
        }
    }
    Ok(search.finish())
}

/// The path without links.
fn resolve(path: &Path) -> Result<PathBuf> {
    fs::canonicalize(path).with_context(|| format!("{} cannot be read", path.display()))
}

struct Search<'r> {
    /// The directories and files that were given, without links.
    given: Vec<PathBuf>,
    output: Option<PathBuf>,
    found: Vec<Manifest>,
    /// Files that kustomizations list as patches, without links.
    patches: HashSet<PathBuf>,
    results: &'r mut Results,
}

impl Search<'_> {
    /// Takes the manifests in a directory and below it, by name.
    fn look_into(&mut self, directory: &Path, given: &Path, above: Option<&Ignored>) -> Result<()> {
        let cannot_read = || format!("{} cannot be read", directory.display());
        let entries = fs::read_dir(directory).with_context(cannot_read)?;
        let mut children = entries
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<io::Result<Vec<_>>>()
            .with_context(cannot_read)?;
        children.sort();
        let patterns = self.patterns(&directory.join(IGNORE_FILE))?;
        let own = patterns.map(|patterns| Ignored { directory, patterns, above });
        let ignored = own.as_ref().or(above);
        for child in children {
            let name = child.file_name().unwrap_or_default().to_string_lossy();
            let is_directory = child.is_dir();
            let is_read =
                is_directory || is_kustomization(&child) || EXTENSIONS.iter().any(|e| name.ends_with(e));
            if name.starts_with('.') || !is_read || ignored.is_some_and(|i| i.ignores(&child, is_directory)) {
                continue;
            }
            if !self.may_follow(&child)? {
                let message = "this link leads out of the given directories, so it is left out; \
                               to read it, name it or what it leads to";
                self.results.warning(&rules::LINK, message).in_file(child.display().to_string(), None);
            } else if !is_directory {
                self.take(&child, child.strip_prefix(given).unwrap_or(&child), child.is_symlink())?;
            } else if !child.is_symlink() && self.output != Some(resolve(&child)?) {
                // kpt's rule: the patterns of one package do not count in another.
                let is_package = child.join(KPTFILE).exists();
                self.look_into(&child, given, if is_package { None } else { ignored })?;
            }
        }
        Ok(())
    }

    /// Whether a path is no link, or one to something that was given, or is below it.
    fn may_follow(&self, path: &Path) -> Result<bool> {
        if !path.is_symlink() {
            return Ok(true);
        }
        let real = resolve(path)?;
        Ok(self.given.iter().any(|given| real.starts_with(given)))
    }

    fn patterns(&self, path: &Path) -> Result<Option<Patterns>> {
        if !path.is_file() || !self.may_follow(path)? {
            return Ok(None);
        }
        let text = fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
        Ok(Some(Patterns::parse(&String::from_utf8_lossy(&text))))
    }

    /// Takes a file: a kustomization for the patches that it lists, any other as a manifest.
    fn take(&mut self, path: &Path, below: &Path, is_link: bool) -> Result<()> {
        let real = resolve(path)?;
        if !real.is_file() {
            bail!("{} is neither a file nor a directory", path.display());
        }
        if is_kustomization(path) {
            self.note_patches(path)
        } else {
            self.found.push(Manifest { path: path.to_owned(), below: below.to_owned(), real, is_link });
            Ok(())
        }
    }

    fn note_patches(&mut self, kustomization: &Path) -> Result<()> {
        let bytes =
            fs::read(kustomization).with_context(|| format!("{} cannot be read", kustomization.display()))?;
        match yaml::utf8(&bytes).and_then(patches) {
            Ok(paths) => {
                let directory = kustomization.parent().unwrap_or(Path::new(""));
                self.patches
                    .extend(paths.iter().filter_map(|path| fs::canonicalize(directory.join(path)).ok()));
            }
            Err(error) => {
                let message = format!("{}; so it is not known which files are patches", error.message());
                let line = error.at.map(|at| at.line);
                self.results
                    .warning(&rules::YAML, message)
                    .in_file(kustomization.display().to_string(), line);
            }
        }
        Ok(())
    }

    /// Each file once, by the name that is no link if it has one. Patches are no objects of their own.
    fn finish(self) -> Vec<Manifest> {
        let Search { mut found, patches, .. } = self;
        let named: HashSet<PathBuf> =
            found.iter().filter(|file| !file.is_link).map(|file| file.real.clone()).collect();
        let mut seen = HashSet::new();
        found.retain(|file| {
            !patches.contains(&file.real)
                && !(file.is_link && named.contains(&file.real))
                && seen.insert(file.real.clone())
        });
        found
    }
}

fn is_kustomization(path: &Path) -> bool {
    path.file_name().is_some_and(|name| KUSTOMIZATIONS.iter().any(|kustomization| name == *kustomization))
}

/// The patterns of a directory, and of those above it in the same package.
///
/// kpt reads `.krmignore` only in the directory of a package; `render`, which needs no Kptfile, in every
/// directory. The patterns nearest to a file decide.
struct Ignored<'a> {
    directory: &'a Path,
    patterns: Patterns,
    above: Option<&'a Ignored<'a>>,
}

impl Ignored<'_> {
    fn ignores(&self, path: &Path, is_directory: bool) -> bool {
        let below = path.strip_prefix(self.directory).unwrap_or(path).to_string_lossy();
        match (self.patterns.decide(&below, is_directory), self.above) {
            (Some(is_ignored), _) => is_ignored,
            (None, Some(above)) => above.ignores(path, is_directory),
            (None, None) => false,
        }
    }
}
