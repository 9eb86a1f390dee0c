//! `render`: functions over plain files.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::Reply;
use crate::krm::{Entry, File, Package, Results, Severity};
use crate::yaml;

/// Files that tell kustomize and kpt what to do, and are no resources.
const SKIPPED: [&str; 5] =
    ["kustomization.yaml", "kustomization.yml", "Kustomization", "Kptfile", ".krmignore"];

pub fn render(paths: &[PathBuf], output: Option<&Path>, registry: &[Entry]) -> Result<Reply> {
    let mut found = Vec::new();
    for path in paths {
        collect(path, path, &mut found)?;
    }
    if found.is_empty() {
        bail!(
            "there is no YAML file in {}",
            paths.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(", ")
        );
    }
    let mut results = Results::default();
    let mut files = Vec::new();
    for Found { path, .. } in &found {
        let bytes = fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
        match yaml::utf8(&bytes) {
            Ok(text) => files.push(File { path: path.display().to_string(), text: text.to_owned() }),
            Err(error) => {
                let line = error.at.map(|at| at.line);
                results.error("yaml", error.message).in_file(path.display().to_string(), line);
            }
        }
    }
    let mut package = Package::read(files, &mut results);
    if package.configs().is_empty() && !results.has_errors() {
        results.warning(
            "no-function",
            "no functionConfig (group fn.rhoso.dev) in these files, so nothing to do",
        );
    }
    // What cannot be read may hold what a function looks for: report that, not what follows from it.
    if !results.has_errors() {
        package.run(registry, &mut results);
    }
    let (findings, failed) = Package::conclude(results);
    let stderr = findings.iter().filter(|f| f.severity != Severity::Info).map(|f| format!("{f}\n")).collect();
    let stdout = match output {
        _ if failed => String::new(),
        None => package.to_stream()?,
        Some(directory) => write_changed(&package, &found, directory)?,
    };
    Ok(Reply { stdout, stderr, failed })
}

/// A file, and the name it has below the directory or file that was given.
struct Found {
    path: PathBuf,
    below: PathBuf,
}

fn collect(path: &Path, given: &Path, found: &mut Vec<Found>) -> Result<()> {
    let metadata = fs::metadata(path).with_context(|| format!("{} cannot be read", path.display()))?;
    if metadata.is_file() {
        let below = match path.strip_prefix(given) {
            Ok(below) if !below.as_os_str().is_empty() => below.to_owned(),
            _ => PathBuf::from(path.file_name().unwrap_or(path.as_os_str())),
        };
        found.push(Found { path: path.to_owned(), below });
        return Ok(());
    }
    let entries = fs::read_dir(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let mut names = entries.map(|entry| entry.map(|e| e.path())).collect::<Result<Vec<_>, _>>()?;
    names.sort();
    for child in names {
        let name = child.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_yaml = name.ends_with(".yaml") || name.ends_with(".yml");
        if name.starts_with('.') || SKIPPED.contains(&name.as_str()) {
            continue;
        }
        if is_yaml || child.is_dir() {
            collect(&child, given, found)?;
        }
    }
    Ok(())
}

/// Writes the files that differ from what is there, and says which.
fn write_changed(package: &Package, found: &[Found], directory: &Path) -> Result<String> {
    let mut written = String::new();
    for file in package.to_files() {
        let origin = found.iter().find(|f| f.path.display().to_string() == file.path);
        let target = directory.join(origin.map_or(Path::new(&file.path), |f| f.below.as_path()));
        let in_place = origin.is_some_and(|f| is_same_file(&f.path, &target));
        // Elsewhere, only what was rendered: a functionConfig has done its work.
        let text = if in_place { Some(file.text.clone()) } else { package.rendered(&file)? };
        let Some(text) = text else { continue };
        if fs::read(&target).is_ok_and(|there| there == text.as_bytes()) {
            continue;
        }
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent).with_context(|| format!("{} cannot be made", parent.display()))?;
        }
        fs::write(&target, text).with_context(|| format!("{} cannot be written", target.display()))?;
        written.push_str(&format!("{}\n", target.display()));
    }
    Ok(written)
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}
