//! `render`: functions over plain files.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use indexmap::IndexMap;

use super::Reply;
use crate::krm::{Entry, File, Finding, Package, Rendered, Results};
use crate::yaml;

/// Tell kustomize what to do, and are no resources. (A Kptfile has no extension, and so is no YAML file.)
const SKIPPED: [&str; 2] = ["kustomization.yaml", "kustomization.yml"];

/// What manifests are called, by the rule of `kubectl apply -f`.
const MANIFESTS: [&str; 3] = [".yaml", ".yml", ".json"];

pub fn render(paths: &[PathBuf], output: Option<&Path>, registry: &[Entry]) -> Result<Reply> {
    let mut search = Search::new(output);
    for path in paths {
        search.look(path, path)?;
    }
    if search.found.is_empty() {
        let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        bail!("there is no YAML or JSON file in {}", paths.join(", "));
    }
    let mut results = Results::default();
    let mut files = Vec::new();
    for Found { path, .. } in &search.found {
        let bytes = fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
        let name = path.display().to_string();
        match yaml::utf8(&bytes) {
            Ok(text) => files.push(File { path: name, text: text.to_owned() }),
            Err(error) => {
                results.error("yaml", error.message()).in_file(name, error.at.map(|at| at.line));
            }
        }
    }
    let mut package = Package::read(files, &mut results);
    // What cannot be read may hold what a function looks for: report that, not what follows from it.
    if !results.has_errors() {
        package.run(registry, &mut results);
    }
    if !package.has_functions() && !results.has_errors() {
        let message = "no functionConfig (group fn.rhoso.dev) in these files, so nothing to do";
        results.warning("no-function", message);
    }
    let failed = results.has_errors();
    let findings = results.into_sorted();
    let stdout = match output {
        _ if failed => String::new(),
        None => package.to_stream()?,
        Some(directory) => write(package.to_files()?, &search.found, directory)?,
    };
    let shown = findings.iter().filter(|f: &&Finding| f.is_for_terminal());
    let stderr = shown.map(|finding| format!("{finding}\n")).collect();
    Ok(Reply { stdout: vec![stdout.into()], stderr, failed })
}

/// A file, and the name it has below the directory or file that was given.
struct Found {
    path: PathBuf,
    below: PathBuf,
}

struct Search {
    found: Vec<Found>,
    /// Files by their real names, so that none counts twice.
    seen: HashSet<PathBuf>,
    /// What an earlier run wrote is not what this one reads.
    output: Option<PathBuf>,
}

impl Search {
    fn new(output: Option<&Path>) -> Self {
        let output = output.and_then(|path| fs::canonicalize(path).ok());
        Search { found: Vec::new(), seen: HashSet::new(), output }
    }

    /// Takes a file, or the manifests of a directory and of those below it, by name.
    fn look(&mut self, path: &Path, given: &Path) -> Result<()> {
        let real = fs::canonicalize(path).with_context(|| format!("{} cannot be read", path.display()))?;
        if real.is_file() {
            if self.seen.insert(real) {
                let below = match path.strip_prefix(given) {
                    Ok(below) if !below.as_os_str().is_empty() => below.to_owned(),
                    _ => PathBuf::from(path.file_name().unwrap_or(path.as_os_str())),
                };
                self.found.push(Found { path: path.to_owned(), below });
            }
            return Ok(());
        }
        let entries = fs::read_dir(path).with_context(|| format!("{} cannot be read", path.display()))?;
        let mut children = entries.map(|entry| entry.map(|e| e.path())).collect::<Result<Vec<_>, _>>()?;
        children.sort();
        for child in children {
            let name = child.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name.starts_with('.') || SKIPPED.contains(&name.as_str()) {
                continue;
            }
            if child.is_dir() {
                // A link to a directory may lead anywhere, back here too.
                let is_output = self.output.is_some() && fs::canonicalize(&child).ok() == self.output;
                if !child.is_symlink() && !is_output {
                    self.look(&child, given)?;
                }
            } else if MANIFESTS.iter().any(|extension| name.ends_with(extension)) {
                self.look(&child, given)?;
            }
        }
        Ok(())
    }
}

/// Writes the files that differ from what is there, all or none, and says which.
fn write(rendered: Vec<Rendered>, found: &[Found], directory: &Path) -> Result<String> {
    let mut targets: IndexMap<PathBuf, (String, String)> = IndexMap::new();
    for file in rendered {
        let origin = file.origin.and_then(|index| found.get(index));
        let target = directory.join(origin.map_or(Path::new(&file.path), |f| f.below.as_path()));
        let in_place = origin.is_some_and(|f| is_same_file(&f.path, &target));
        // Elsewhere, only what is meant for a cluster: a functionConfig has done its work.
        let Some(text) = (if in_place { Some(file.whole) } else { file.resources }) else { continue };
        if let Some((other, _)) = targets.get(&target) {
            bail!("{other} and {} would both be written to {}", file.path, target.display());
        }
        if target.is_dir() {
            bail!("{} cannot be written: it is a directory", target.display());
        }
        targets.insert(target, (file.path, text));
    }
    targets.retain(|target, (_, text)| !fs::read(target).is_ok_and(|there| there == text.as_bytes()));
    // First all of it beside its place, then into place.
    let mut fresh = Vec::new();
    for (target, (_, text)) in &targets {
        if let Err(error) = write_beside(target, text, &mut fresh) {
            for path in &fresh {
                drop(fs::remove_file(path)); // the first error is the one to tell
            }
            return Err(error);
        }
    }
    let mut written = String::new();
    for (path, target) in fresh.iter().zip(targets.keys()) {
        fs::rename(path, target).with_context(|| format!("{} cannot be written", target.display()))?;
        written.push_str(&format!("{}\n", target.display()));
    }
    Ok(written)
}

fn write_beside(target: &Path, text: &str, fresh: &mut Vec<PathBuf>) -> Result<()> {
    if let Some(parent) = target.parent() {
        fs::create_dir_all(parent).with_context(|| format!("{} cannot be made", parent.display()))?;
    }
    let path = super::beside(target);
    fs::write(&path, text).with_context(|| format!("{} cannot be written", target.display()))?;
    if let Ok(metadata) = fs::metadata(target) {
        drop(fs::set_permissions(&path, metadata.permissions())); // as it was, where that is allowed
    }
    fresh.push(path);
    Ok(())
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}
