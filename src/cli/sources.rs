//! Reads manifests from files and stdin, and tells which of them describe one cluster.

use std::collections::HashSet;
use std::fs;
use std::io::Read;
use std::ops::Range;
use std::path::Path;

use anyhow::{Result, bail};

use super::contents;
use super::deployments::{self, Copied, Deployment, Source};
use super::indentation::{self, Indented};
use super::manifests::{self, Layout, Manifest, Request};
use super::report_file;
use super::streams::Given;
use crate::checks::rules;
use crate::krm::{File, Kind, ObjectKey, Package, Registry, Resource, Results, Severity};
use crate::platform::network::NET_CONFIG;
use crate::platform::openstack::CONTROL_PLANE;
use crate::yaml::{self, Document, Text, YamlError, stream};

/// Kinds of which the operators' webhooks accept one object in a namespace.
const ONE_PER_NAMESPACE: [Kind; 2] = [CONTROL_PLANE, NET_CONFIG];

/// The resources of all files, and the files that are checked together.
#[derive(Debug)]
pub struct Input {
    pub package: Package,
    pub deployments: Vec<Deployment>,
    pub copied: Copied,
}

/// What is accepted without any contents. An empty stream, or nothing but an empty file, usually means that the program
/// which should have written it failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Empty {
    Nothing,
    Files,
    Anything,
}

/// Reads files and stdin (`-`). What cannot be parsed is in the results.
pub fn read(
    request: Request<'_>,
    empty: Empty,
    stdin: &mut dyn Read,
    registry: &Registry,
    results: &mut Results,
) -> Result<Input> {
    let mut sources = Sources::read(request, empty, stdin, results)?;
    let mut package = parse(std::mem::take(&mut sources.files), registry, results);
    package.open_lists();
    let (deployments, copied) = sources.deployments(&package, registry);
    Ok(Input { package, deployments, copied })
}

/// Parses files. Those that only go-yaml reads are parsed with other indentation.
fn parse(files: Vec<File>, registry: &Registry, results: &mut Results) -> Package {
    let mut found = Results::default();
    let mut package = Package::read(files, registry, &mut found);
    let mut found = found.into_sorted();
    let errors = found.iter().filter(|finding| finding.severity == Severity::Error);
    let rejected: HashSet<&str> = errors.filter_map(|error| error.location.place.file.as_deref()).collect();
    let mut files = if rejected.is_empty() { Vec::new() } else { package.files().to_vec() };
    let mut has_changed = false;
    for file in files.iter_mut().filter(|file| rejected.contains(file.path.as_str())) {
        let Some(Indented { text, line }) = indentation::indent(&file.text) else { continue };
        let message = "a quoted string continues on this line, which YAML requires to be indented, but kubectl and \
                       kustomize do not; indent the line with spaces, deeper than its key";
        results.warning(&rules::YAML, message).in_file(&file.path, Some(line));
        file.text = text.into();
        has_changed = true;
    }
    if has_changed {
        let mut again = Results::default();
        package = Package::read(files, registry, &mut again);
        found = again.into_sorted();
    }
    for finding in found {
        results.add(finding);
    }
    package
}

#[derive(Debug, Default)]
struct Sources {
    files: Vec<File>,
    /// What is known about each file; none for stdin.
    manifests: Vec<Option<Manifest>>,
    layout: Layout,
}

impl Sources {
    /// Reads the files. One that cannot be opened is an error; one that is a template is skipped with a note.
    fn read(request: Request<'_>, empty: Empty, stdin: &mut dyn Read, results: &mut Results) -> Result<Self> {
        let given = Given::read(request.paths, stdin, empty == Empty::Anything)?;
        let has_streams = !given.streams.is_empty();
        let mut sources = Sources::default();
        for (name, bytes) in given.streams {
            sources.add(name, None, yaml::into_utf8(bytes).map(Text::from), results);
        }
        let (found, layout) = manifests::find(Request { paths: &given.paths, ..request }, results)?;
        if found.is_empty() && !has_streams {
            return Err(manifests::no_files(request.paths));
        }
        let output = request.output;
        let report = output.and_then(|path| fs::canonicalize(path).ok());
        let texts = contents::read(&found)?;
        for (manifest, text) in found.into_iter().zip(texts) {
            // The report of an earlier run can be in a directory that is checked.
            if report.as_ref() == Some(&manifest.real)
                && !text.as_deref().is_ok_and(report_file::has_manifests)
            {
                continue;
            }
            sources.add(manifest.path.display().to_string(), Some(manifest), text, results);
        }
        // `kustomize build > all.yaml` leaves an empty file if it fails.
        if let [first, ..] = sources.files.as_slice()
            && sources.files.iter().all(|file| file.text.trim().is_empty())
            && empty == Empty::Nothing
        {
            bail!("{} is empty, and there is nothing else to read", first.path);
        }
        Ok(Sources { layout, ..sources })
    }

    fn add(
        &mut self,
        path: String,
        manifest: Option<Manifest>,
        text: Result<Text, YamlError>,
        results: &mut Results,
    ) {
        match text {
            Ok(text) => match reason_to_skip(&text, manifest.as_ref()) {
                Some(reason) => {
                    results.warning(&rules::NOT_KRM, format!("skipped: {reason}")).in_file(path, None);
                }
                None => {
                    self.files.push(File { path, text });
                    self.manifests.push(manifest);
                }
            },
            Err(error) => {
                results.error(&rules::YAML, error.message()).in_file(path, error.at.map(|at| at.line));
            }
        }
    }

    /// The files that are checked together. `package` was read from these files.
    fn deployments(&self, package: &Package, registry: &Registry) -> (Vec<Deployment>, Copied) {
        let mut objects: Vec<Vec<ObjectKey>> = vec![Vec::new(); package.files().len()];
        for (file, item) in package.items_by_file() {
            if !item.id().name.is_empty() && !item.is_local() {
                objects[file].push(object_key(item, package));
            }
        }
        let validators = package.files_of_validators(registry);
        let mut sources = Vec::new();
        for ((file, manifest), objects) in package.files().iter().zip(&self.manifests).zip(objects) {
            let manifest = manifest.as_ref();
            sources.push(Source {
                real: manifest.map(|manifest| manifest.real.clone()),
                apart: manifest.and_then(Manifest::apart).map(Path::to_owned),
                text: &file.text,
                objects,
                is_named: manifest.is_none_or(|manifest| manifest.is_named),
                is_validator: validators.contains(&file.path),
            });
        }
        let (deployments, copied) = deployments::divide(&sources, &self.layout);
        (deployments.into_iter().collect(), copied)
    }
}

/// What only one object in a cluster can have.
fn object_key(item: &Resource, package: &Package) -> ObjectKey {
    let mut key = item.id().object_key();
    if let Some(kind) = ONE_PER_NAMESPACE.iter().find(|kind| item.is(**kind)) {
        key.3.clear();
        // An object without a namespace is probably for the only namespace that others of its kind name.
        let others = package.items().iter().filter(|other| other.is(*kind));
        let mut namespaces = others.filter_map(|other| other.id().namespace.as_ref());
        if let (None, Some(first)) = (&key.2, namespaces.next())
            && namespaces.all(|namespace| namespace == first)
        {
            key.2 = Some(first.clone());
        }
    }
    key
}

/// Why a file is no manifest, although its name ends like one. What the user named is a manifest, unless it is a template.
fn reason_to_skip(text: &str, manifest: Option<&Manifest>) -> Option<&'static str> {
    let found = manifest.filter(|manifest| !manifest.is_named);
    // Templates of Helm, Jinja or Go. Those inside strings are YAML.
    if ["{{", "{%"].iter().any(|mark| text.contains(mark)) && !is_yaml(text) {
        Some("a template, which is not YAML until it is rendered")
    } else if found.is_some_and(Manifest::is_expectation) {
        Some("what a kuttl test expects, which is no complete object")
    } else if found.is_some() && !text.contains("apiVersion") && !is_yaml(text) {
        Some("not a Kubernetes object (no `apiVersion`), and not valid YAML")
    } else {
        None
    }
}

fn is_yaml(text: &str) -> bool {
    let is_yaml = |range: Range<usize>| Document::parse_with_duplicate_keys(&text[range]).is_ok();
    stream::documents(text).into_iter().all(is_yaml)
}
