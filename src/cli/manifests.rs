//! Finds the files that `render` and `check` read.

use crate::checks::rules;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, bail};

use super::exclude::{Exclude, Excluded};
use crate::formats::gitignore::Patterns;
use crate::krm::{Changes, KUSTOMIZATIONS, Kustomization, Order, Results};
use crate::yaml;

/// The extensions that `kubectl apply -f` reads.
const EXTENSIONS: [&str; 3] = [".yaml", ".yml", ".json"];

/// kpt's list of files that do not belong to a package.
const IGNORE_FILE: &str = ".krmignore";

/// The file that marks the root of a kpt package.
const KPTFILE: &str = "Kptfile";

/// The names of directories with files that are no part of what the files beside them deploy.
const APART: [&str; 13] = [
    "archive", "archived", "doc", "docs", "e2e", "example", "examples", "sample", "samples", "test",
    "testdata", "tests", "vendor",
];

/// A file, and its path relative to the directory that the user named.
#[derive(Debug)]
pub struct Manifest {
    pub path: PathBuf,
    pub below: PathBuf,
    /// The canonical path, with symbolic links resolved.
    pub real: PathBuf,
    /// Whether the user named the file, and not a directory above it.
    pub is_named: bool,
    is_link: bool,
}

impl Manifest {
    /// The canonical directory of examples, tests or archived files that contains the file. A directory that the user
    /// named does not count.
    pub fn apart(&self) -> Option<&Path> {
        let levels = self.below.components().count();
        let directories = self.real.ancestors().take(levels).skip(1);
        let is_apart = |directory: &&Path| {
            directory.file_name().is_some_and(|name| APART.iter().any(|apart| name == *apart))
        };
        directories.filter(is_apart).last()
    }

    /// Whether kuttl compares the file with a cluster and does not apply it: `01-assert.yaml`, `02-errors-gone.yaml`.
    pub fn is_expectation(&self) -> bool {
        let name = self.path.file_stem().unwrap_or_default().to_string_lossy();
        let mut words = name.split('-');
        let is_step = words.next().is_some_and(|step| step.parse::<u16>().is_ok());
        is_step && words.next().is_some_and(|word| word == "assert" || word == "errors")
    }
}

/// Kustomizations and kpt packages, by their canonical directories.
#[derive(Debug, Default)]
pub struct Layout {
    pub kustomizations: BTreeMap<PathBuf, Listed>,
    /// Directories with a Kptfile.
    pub packages: BTreeSet<PathBuf>,
    /// What kustomizations refer to outside the given paths: the file of the kustomization, and the entry.
    pub elsewhere: Vec<(PathBuf, String)>,
}

/// Which files to read.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    pub paths: &'a [PathBuf],
    /// A directory that is skipped, because it contains the result of an earlier run.
    pub output: Option<&'a Path>,
    pub exclude: &'a Exclude,
}

/// What a kustomization lists.
#[derive(Debug, Default)]
pub struct Listed {
    /// Files and directories, as canonical paths.
    pub paths: Vec<PathBuf>,
    /// The files among them that configure transformers. None if it is not a file.
    pub transformers: Vec<Option<PathBuf>>,
    /// How the kustomization itself changes objects.
    pub changes: Changes,
    /// The fields that its replacements copy. None if it is not known, or the kustomization refers to something else that
    /// is not known.
    pub copied: Option<Vec<String>>,
}

/// Returns the given files and the manifests below the given directories, sorted by name.
///
/// Each file is returned once, even if several paths lead to it.
pub fn find(request: Request<'_>, results: &mut Results) -> Result<(Vec<Manifest>, Layout)> {
    let Request { paths, output, exclude } = request;
    let mut search = Search {
        given: paths.iter().map(|path| resolve(path)).collect::<Result<_>>()?,
        output: output.and_then(|path| fs::canonicalize(path).ok()),
        excluded: exclude.into(),
        found: Vec::new(),
        patches: HashSet::new(),
        layout: Layout::default(),
        results,
    };
    for path in paths {
        let is_directory = path.is_dir();
        if search.excluded.matches(path, path, is_directory) {
            continue;
        }
        if is_directory {
            search.look_into(path, path, None)?;
        } else {
            search.take(path, Path::new(path.file_name().unwrap_or(path.as_os_str())), false)?;
            search.found.iter_mut().filter(|file| file.path == *path).for_each(|file| file.is_named = true);
        }
    }
    search.excluded.report_unused(search.results);
    Ok(search.finish())
}

pub fn no_files(paths: &[PathBuf]) -> Error {
    let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    Error::msg(format!("no YAML or JSON files in {}", paths.join(", ")))
}

/// The canonical path, with symbolic links resolved.
fn resolve(path: &Path) -> Result<PathBuf> {
    fs::canonicalize(path).with_context(|| format!("cannot read {}", path.display()))
}

struct Search<'r> {
    /// The canonical paths of the given files and directories.
    given: Vec<PathBuf>,
    output: Option<PathBuf>,
    excluded: Excluded<'r>,
    found: Vec<Manifest>,
    /// The canonical paths of files that kustomizations list as patches.
    patches: HashSet<PathBuf>,
    layout: Layout,
    results: &'r mut Results,
}

impl Search<'_> {
    /// Collects the manifests below a directory, sorted by name.
    fn look_into(&mut self, directory: &Path, given: &Path, above: Option<&Ignored>) -> Result<()> {
        let cannot_read = || format!("cannot read {}", directory.display());
        let entries = fs::read_dir(directory).with_context(cannot_read)?;
        let mut children = entries
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<io::Result<Vec<_>>>()
            .with_context(cannot_read)?;
        children.order();
        if directory.join(KPTFILE).is_file() {
            self.layout.packages.insert(resolve(directory)?);
        }
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
            if self.excluded.matches(&child, given, is_directory) {
                continue;
            }
            if child.is_symlink() && !child.exists() {
                let message = "skipped: a symbolic link to a file that does not exist";
                self.results.warning(&rules::NOT_KRM, message).in_file(child.display().to_string(), None);
            } else if !self.may_follow(&child)? {
                let message = "this symbolic link points outside the given directories, so it is skipped; \
                               to read it, pass the link or its target as a path";
                self.results.warning(&rules::LINK, message).in_file(child.display().to_string(), None);
            } else if !is_directory {
                self.take(&child, child.strip_prefix(given).unwrap_or(&child), child.is_symlink())?;
            } else if !child.is_symlink() && self.output != Some(resolve(&child)?) {
                // As in kpt, the patterns of a package do not apply to its subpackages.
                let is_package = child.join(KPTFILE).exists();
                self.look_into(&child, given, if is_package { None } else { ignored })?;
            }
        }
        Ok(())
    }

    /// Whether a path is not a symbolic link, or a link to a given file or into a given directory.
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
        let text = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(Some(Patterns::parse(&String::from_utf8_lossy(&text))))
    }

    /// Collects a file as a manifest, or the paths that it lists if it is a kustomization.
    fn take(&mut self, path: &Path, below: &Path, is_link: bool) -> Result<()> {
        let real = resolve(path)?;
        if !real.is_file() {
            bail!("{} is neither a file nor a directory", path.display());
        }
        if is_kustomization(path) {
            self.note_kustomization(path)
        } else {
            self.found.push(Manifest {
                path: path.to_owned(),
                below: below.to_owned(),
                real,
                is_named: false,
                is_link,
            });
            Ok(())
        }
    }

    fn note_kustomization(&mut self, path: &Path) -> Result<()> {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        match yaml::utf8(&bytes).and_then(Kustomization::parse) {
            Ok(Kustomization { patches, resources, transformers, changes, copied, .. }) => {
                let directory =
                    resolve(path.parent().filter(|p| *p != Path::new("")).unwrap_or(Path::new(".")))?;
                // An entry can also be a URL or an inline object, which is no file.
                let real = |path: &String| fs::canonicalize(directory.join(path)).ok();
                self.patches.extend(patches.iter().filter_map(real));
                let is_remote = |entry: &String| !entry.contains('\n') && real(entry).is_none();
                let copied = copied.filter(|_| !resources.iter().any(is_remote));
                let paths = resources.iter().filter_map(real).collect();
                let transformers = transformers.iter().map(real).collect();
                let is_given = |real: PathBuf| self.given.iter().any(|given| real.starts_with(given));
                let is_elsewhere =
                    |entry: &&String| !entry.contains('\n') && !real(entry).is_some_and(is_given);
                let elsewhere =
                    resources.iter().filter(is_elsewhere).map(|entry| (path.to_owned(), entry.clone()));
                self.layout.elsewhere.extend(elsewhere);
                let listed = Listed { paths, transformers, changes, copied };
                self.layout.kustomizations.insert(directory.clone(), listed);
            }
            Err(error) => {
                let message = format!("{}; its patches are treated as objects", error.message());
                let line = error.at.map(|at| at.line);
                self.results.warning(&rules::YAML, message).in_file(path.display().to_string(), line);
            }
        }
        Ok(())
    }

    /// Removes patches, which are not objects themselves, and all but one path of each file. A path that is
    /// not a symbolic link is preferred.
    fn finish(self) -> (Vec<Manifest>, Layout) {
        let Search { mut found, patches, layout, .. } = self;
        let named: HashSet<PathBuf> =
            found.iter().filter(|file| !file.is_link).map(|file| file.real.clone()).collect();
        let mut seen = HashSet::new();
        found.retain(|file| {
            !patches.contains(&file.real)
                && !(file.is_link && named.contains(&file.real))
                && seen.insert(file.real.clone())
        });
        (found, layout)
    }
}

fn is_kustomization(path: &Path) -> bool {
    path.file_name().is_some_and(|name| KUSTOMIZATIONS.iter().any(|kustomization| name == *kustomization))
}

/// The patterns of a directory and of its parents in the same package.
///
/// kpt reads `.krmignore` only in the root of a package. `render` works without a Kptfile, so it reads the
/// file in every directory. The patterns nearest to a file take precedence.
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
