//! Plain files as a package: the way without an orchestrator.

use std::rc::Rc;

use super::config;
use super::finding::{Fault, Finding, Results, Severity};
use super::function::{Entry, GROUP};
use super::resource::{Place, Resource};
use crate::yaml::stream;

/// A file by the name that the user knows it by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    pub path: String,
    pub text: String,
}

/// The documents of some files: functionConfigs apart from the resources they work on.
#[derive(Debug)]
pub struct Package {
    files: Vec<File>,
    configs: Vec<Resource>,
    items: Vec<Resource>,
    given: usize,
}

impl Package {
    /// Reads files in the order given. All that is wrong with them is reported at once.
    pub fn read(files: Vec<File>, results: &mut Results) -> Package {
        let (mut configs, mut items) = (Vec::new(), Vec::new());
        for file in &files {
            let source: Rc<str> = file.text.as_str().into();
            for (index, range) in stream::documents(&source).into_iter().enumerate() {
                let line = 1 + source[..range.start].matches('\n').count();
                let origin = Place { file: Some(file.path.clone()), index, line: Some(line) };
                match Resource::from_file(source.clone(), range, origin) {
                    Ok(document) if document.id().group() == GROUP => configs.push(document),
                    Ok(document) if document.id().kind.is_empty() => {
                        let message = "not a Kubernetes object (no `kind`), so left out";
                        results.warning("not-krm", message).in_file(&file.path, Some(line));
                    }
                    Ok(document) => items.push(document),
                    Err(error) => {
                        let line = error.at.map(|at| at.line);
                        results.error("yaml", error.message).in_file(&file.path, line);
                    }
                }
            }
        }
        let given = items.len();
        Package { files, configs, items, given }
    }

    /// Runs the functions: generators, then transformers, then validators, each in the order of files.
    pub fn run(&mut self, registry: &[Entry], results: &mut Results) {
        let mut calls: Vec<(&Entry, &Resource)> = Vec::new();
        for config in &self.configs {
            match config::dispatch(Some(config), registry) {
                Ok(entry) => calls.push((entry, config)),
                Err(fault) => {
                    results.add(fault.into_finding());
                }
            }
        }
        calls.sort_by_key(|(entry, _)| entry.shape); // stable
        for (entry, config) in calls {
            if let Err(fault) = entry.run(config, &mut self.items, results) {
                results.add(fault.into_finding());
            }
        }
    }

    pub fn configs(&self) -> &[Resource] {
        &self.configs
    }

    /// The resources as a stream of documents. What is marked local stays out, as in kustomize.
    pub fn to_stream(&self) -> Result<String, Fault> {
        let mut texts = Vec::new();
        for item in &self.items {
            if !is_local(item)? {
                texts.push(item.text());
            }
        }
        Ok(join(&texts))
    }

    /// What a file of [`Package::to_files`] holds once its functionConfigs have done their work: the
    /// resources alone, or none if there were only functionConfigs in it.
    pub fn rendered(&self, file: &File) -> Result<Option<String>, Fault> {
        let has_config = self.configs.iter().any(|config| config.place().file.as_deref() == Some(&file.path));
        if !has_config {
            return Ok(Some(file.text.clone()));
        }
        let texts: Vec<&str> = self
            .items
            .iter()
            .filter(|item| item.place().file.as_deref() == Some(&file.path))
            .map(Resource::text)
            .collect();
        Ok((!texts.is_empty()).then(|| join(&texts)))
    }

    /// The files as they are now, functionConfigs and all; new resources have files of their own.
    pub fn to_files(&self) -> Vec<File> {
        let mut files: Vec<File> = self
            .files
            .iter()
            .map(|file| {
                let changed = self.items[..self.given].iter().filter(|item| {
                    item.is_changed() && item.place().file.as_deref() == Some(file.path.as_str())
                });
                let mut text = String::with_capacity(file.text.len());
                let mut at = 0;
                for item in changed {
                    text.push_str(&file.text[at..item.range().start]);
                    text.push_str(item.text());
                    at = item.range().end;
                }
                text.push_str(&file.text[at..]);
                File { path: file.path.clone(), text }
            })
            .collect();
        for item in &self.items[self.given..] {
            files.push(File { path: file_name(item), text: item.text().to_owned() });
        }
        files
    }

    /// The findings, sorted; an error among them means that nothing may be written.
    pub fn conclude(results: Results) -> (Vec<Finding>, bool) {
        let findings = results.into_sorted();
        let failed = findings.iter().any(|f| f.severity == Severity::Error);
        (findings, failed)
    }
}

/// Documents as one stream.
pub(super) fn join(texts: &[&str]) -> String {
    let mut out = String::new();
    for text in texts {
        if !out.is_empty() {
            out.push_str("---\n");
        }
        out.push_str(text);
        if !out.ends_with('\n') {
            out.push('\n');
        }
    }
    out
}

fn is_local(item: &Resource) -> Result<bool, Fault> {
    Ok(item.annotation("config.kubernetes.io/local-config")?.is_some_and(|value| value == "true"))
}

/// The name that kpt would give the file of a new resource.
fn file_name(item: &Resource) -> String {
    let id = item.id();
    let name = format!("{}_{}.yaml", id.kind.to_lowercase(), id.name);
    match &id.namespace {
        Some(namespace) => format!("{namespace}/{name}"),
        None => name,
    }
}
