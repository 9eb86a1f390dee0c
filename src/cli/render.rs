//! `render`: runs functions on plain files.

use crate::checks::rules;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use indexmap::IndexMap;

use super::file_set::{self, Content, NewFile};
use super::manifests::{self, Manifest};
use super::report_file;
use super::{Console, FAILURE, Format, Reply, Reporting};
use crate::krm::{File, Package, Registry, Rendered, Results};
use crate::report::{self, Color};
use crate::yaml;

pub fn render(
    paths: &[PathBuf],
    output: Option<&Path>,
    reporting: &Reporting,
    console: Console,
    registry: &Registry,
) -> Result<Reply> {
    let mut results = Results::default();
    let (found, _) = manifests::find(paths, output, &mut results)?;
    if found.is_empty() {
        let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        bail!("no YAML or JSON files in {}", paths.join(", "));
    }
    let mut files = Vec::new();
    for Manifest { path, .. } in &found {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let name = path.display().to_string();
        match yaml::utf8(&bytes) {
            Ok(text) => files.push(File { path: name, text: text.to_owned() }),
            Err(error) => {
                results.error(&rules::YAML, error.message()).in_file(name, error.at.map(|at| at.line));
            }
        }
    }
    let mut package = Package::read(files, registry, &mut results);
    // An unreadable file may contain what a function looks for, so report only the unreadable files.
    if results.has_errors() {
        package.report_duplicate_keys(&mut results);
    } else {
        package.run(registry, &mut results);
    }
    if !package.has_functions() && !results.has_errors() {
        let message =
            format!("no functionConfig (API group {}) in these files, so no function runs", registry.group);
        results.warning(&rules::NO_FUNCTION, message);
    }
    let failed = results.has_errors() || reporting.strict && results.has_warnings();
    let findings = results.into_sorted();
    let reply = match output {
        _ if failed => Reply::default(),
        None => Reply::text(package.to_stream()?),
        Some(directory) => Reply::paths(&write(&package.to_files()?, &found, directory)?),
    };
    let stderr = match reporting.format {
        Format::Json => report::json(&findings)?,
        Format::Text if console.stderr_is_terminal => {
            report::snippets(&findings, package.files(), reporting.verbose, Color::Plain)
        }
        Format::Text => report::lines(&findings, reporting.verbose),
    };
    if let Some(path) = &reporting.report {
        report_file::write(path, &report::json(&findings)?)?;
    }
    Ok(Reply { stderr, code: if failed { FAILURE } else { 0 }, ..reply })
}

/// Writes the files that differ from those in the directory, either all or none, and returns their paths.
fn write(rendered: &[Rendered], found: &[Manifest], directory: &Path) -> Result<Vec<PathBuf>> {
    let mut files: IndexMap<PathBuf, (&str, NewFile)> = IndexMap::new();
    for file in rendered {
        let origin = file.origin.and_then(|index| found.get(index));
        let below = origin.map_or(Path::new(&file.path), |manifest| &manifest.below).to_owned();
        let target = directory.join(&below);
        let in_place = origin.is_some_and(|manifest| is_same_file(&manifest.path, &target));
        // Another directory gets only what belongs in the cluster, so functionConfigs are left out.
        let text = if in_place { Some(&file.whole) } else { file.resources.as_ref() };
        let Some(text) = text else { continue };
        if let Some((other, _)) = files.get(&target) {
            bail!("cannot write both {other} and {} to {}", file.path, target.display());
        }
        let content = if file.holds_secrets { Content::Secret(text) } else { Content::Text(text) };
        files.insert(target, (&file.path, NewFile { root: directory, below, content }));
    }
    let files: Vec<NewFile> = files.into_values().map(|(_, file)| file).collect();
    file_set::write(&files)
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}
