//! Plain files as a package, for running functions without an orchestrator.

use std::collections::HashSet;

use super::duplicates::report_duplicates;
use super::fault::Fault;
use super::id::{Kind, Place};
use super::location::Located;
use super::path::FieldPath;
use super::pattern::FieldPattern;
use super::registry::{Entry, Registry};
use super::resource::{LIST, Resource};
use super::results::Results;
use super::rules;
use crate::yaml::{Text, stream};

/// A file, with its path as the user wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    pub path: String,
    pub text: String,
}

/// The documents of some files, divided into functionConfigs and resources.
#[derive(Debug)]
pub struct Package {
    files: Vec<File>,
    configs: Vec<Resource>,
    items: Vec<Resource>,
    /// The number of the file of each item. Items after these are new.
    homes: Vec<usize>,
}

/// A file after the functions have run.
#[derive(Debug, PartialEq, Eq)]
pub struct Rendered {
    /// The number of the file that was read. None for a new file.
    pub origin: Option<usize>,
    /// The file's path, or a name for a new one.
    pub path: String,
    /// The whole file, including functionConfigs.
    pub whole: String,
    /// The resources to apply to a cluster. None if the file has none.
    pub resources: Option<String>,
    /// Whether the resources include a Secret.
    pub holds_secrets: bool,
}

impl Package {
    /// Reads files in the given order. Reports all errors, not only the first.
    ///
    /// Documents of the registry's group are functionConfigs.
    pub fn read(files: Vec<File>, registry: &Registry, results: &mut Results) -> Package {
        let mut package = Package { files, configs: Vec::new(), items: Vec::new(), homes: Vec::new() };
        for (home, file) in package.files.iter().enumerate() {
            let source: Text = file.text.as_str().into();
            let (mut line, mut counted) = (1, 0);
            for (index, range) in stream::documents(&source).into_iter().enumerate() {
                line += source[counted..range.start].matches('\n').count();
                counted = range.start;
                let origin = Place { index, ..Place::in_file(&file.path, Some(line)) };
                match Resource::from_file_with_duplicate_keys(source.clone(), range, origin) {
                    Ok(document) if document.id().group() == registry.group => package.configs.push(document),
                    Ok(document) if document.id().kind.is_empty() => {
                        let message = "skipped: not a Kubernetes object (no `kind`)";
                        results.warning(&rules::NOT_KRM, message).in_file(&file.path, Some(line));
                    }
                    Ok(document) => {
                        package.items.push(document);
                        package.homes.push(home);
                    }
                    Err(error) => {
                        let line = error.at.map(|at| at.line);
                        results.error(&rules::YAML, error.message()).in_file(&file.path, line);
                    }
                }
            }
        }
        package
    }

    /// Replaces each List by its objects, to report on them. The files of such a package cannot be written.
    pub fn open_lists(&mut self) {
        if !self.items.iter().any(|item| item.is(LIST)) {
            return;
        }
        let items = std::mem::take(&mut self.items).into_iter().zip(std::mem::take(&mut self.homes));
        for (item, home) in items {
            let items = item.members().unwrap_or_else(|| vec![item]);
            self.homes.extend(vec![home; items.len()]);
            self.items.extend(items);
        }
    }

    /// Reports Lists, whose objects are not read.
    pub fn report_lists(&self, results: &mut Results) {
        super::registry::warn_of_lists(&self.items, results);
    }

    /// Runs the functions: generators, then transformers, then validators, each in file order.
    pub fn run(&mut self, registry: &Registry, results: &mut Results) {
        if self.report_duplicate_keys(results) {
            return; // readers of such a document do not agree on its meaning
        }
        let mut calls: Vec<(&Entry, &Resource)> = Vec::new();
        for config in &self.configs {
            match registry.dispatch(config) {
                Ok(entry) => calls.push((entry, config)),
                Err(fault) => {
                    results.add(fault.into_finding());
                }
            }
        }
        // A functionConfig with a misspelt group would be treated as a manifest, and nothing would run.
        for item in &self.items {
            if let Some(entry) = registry.functions.iter().find(|entry| entry.kind == item.id().kind) {
                let message = format!(
                    "this is not a functionConfig: the apiVersion of {} is {}",
                    entry.kind,
                    registry.api_version()
                );
                results.error(&rules::FUNCTION_CONFIG, message).field(item, &FieldPath::new("apiVersion"));
            }
        }
        if self.report_duplicates(results) {
            return; // whatever a function says about two objects with one name is misleading
        }
        calls.sort_by_key(|(entry, _)| entry.shape); // stable
        for (entry, config) in calls {
            if let Err(fault) = entry.run(config, &mut self.items, results) {
                results.add(fault.into_finding());
            }
        }
    }

    /// Reports keys that a document has twice in one mapping. Returns whether there are any.
    pub fn report_duplicate_keys(&self, results: &mut Results) -> bool {
        let documents = self.configs.iter().chain(&self.items);
        documents.filter(|document| document.report_duplicate_keys(results)).count() > 0
    }

    /// Reports objects that exist twice. Returns whether there are any.
    pub fn report_duplicates(&self, results: &mut Results) -> bool {
        report_duplicates(&self.items, results)
    }

    /// The resources, without functionConfigs.
    pub fn items(&self) -> &[Resource] {
        &self.items
    }

    pub(super) fn items_mut(&mut self) -> &mut Vec<Resource> {
        &mut self.items
    }

    /// The functionConfigs.
    pub fn configs(&self) -> &[Resource] {
        &self.configs
    }

    /// The resources that were read, each with the position of its file.
    pub fn items_by_file(&self) -> impl Iterator<Item = (usize, &Resource)> {
        self.homes.iter().copied().zip(&self.items)
    }

    /// The files as they were read.
    pub fn files(&self) -> &[File] {
        &self.files
    }

    pub fn has_functions(&self) -> bool {
        !self.configs.is_empty()
    }

    /// Whether functions will change resources or add some. Validators do neither.
    pub fn will_change(&self, registry: &Registry) -> bool {
        self.configs.iter().any(|config| !registry.is_validator(config))
    }

    /// The paths of the files that contain functionConfigs of validators and nothing else.
    pub fn files_of_validators(&self, registry: &Registry) -> HashSet<String> {
        let (validators, others): (Vec<_>, Vec<_>) =
            self.configs.iter().partition(|config| registry.is_validator(config));
        let mut files: HashSet<String> =
            validators.into_iter().filter_map(|config| config.place().file).collect();
        for document in others.into_iter().chain(&self.items) {
            if let Some(file) = document.place().file {
                files.remove(&file);
            }
        }
        files
    }

    /// The resources as a stream of documents, without local ones, as in kustomize.
    pub fn to_stream(&self) -> Result<String, Fault> {
        join(self.items.iter().filter(|item| !item.is_local()))
    }

    /// The files after the functions have run. New resources are in separate files.
    pub fn to_files(&self) -> Result<Vec<Rendered>, Fault> {
        let given = self.homes.len();
        let mut rendered = Vec::new();
        let mut first = 0;
        for (home, file) in self.files.iter().enumerate() {
            // Items are in the order of their files.
            let count = self.homes[first..].iter().take_while(|h| **h == home).count();
            let items = &self.items[first..first + count];
            first += count;
            let mut whole = String::with_capacity(file.text.len());
            let mut at = 0;
            for item in items.iter().filter(|item| item.is_changed()) {
                whole.push_str(&file.text[at..item.range().start]);
                whole.push_str(item.text());
                at = item.range().end;
            }
            whole.push_str(&file.text[at..]);
            let for_cluster: Vec<&Resource> = items.iter().filter(|item| !item.is_local()).collect();
            let resources = if for_cluster.is_empty() {
                None
            } else if for_cluster.len() == stream::documents(&file.text).len() {
                Some(whole.clone())
            } else {
                Some(join(for_cluster.into_iter())?)
            };
            let holds_secrets = items.iter().any(holds_secrets);
            let path = file.path.clone();
            rendered.push(Rendered { origin: Some(home), path, whole, resources, holds_secrets });
        }
        for item in &self.items[given..] {
            let text = item.text().to_owned();
            let resources = (!item.is_local()).then(|| text.clone());
            let (path, holds_secrets) = (file_name(item), holds_secrets(item));
            rendered.push(Rendered { origin: None, path, whole: text, resources, holds_secrets });
        }
        Ok(rendered)
    }
}

/// Whether a resource is a Secret, or a list that contains one.
fn holds_secrets(item: &Resource) -> bool {
    let of_kind = |kind| item.is(Kind::new("v1", kind));
    let is_secret = |kind: &FieldPath| item.value(kind).is_ok_and(|kind| kind == Some("Secret".into()));
    of_kind("Secret")
        || of_kind("SecretList")
        || of_kind("List")
            && item.fields(&FieldPattern::new("items[*].kind")).is_ok_and(|kinds| kinds.iter().any(is_secret))
}

/// Joins documents into one stream.
pub(super) fn join<'r>(items: impl Iterator<Item = &'r Resource>) -> Result<String, Fault> {
    let mut out = String::new();
    for item in items {
        if !out.is_empty() {
            out.push_str("---\n");
        }
        out.push_str(&item.closed_text()?);
    }
    Ok(out)
}

/// The file name of a new resource, as kpt chooses it. Characters that file names must not contain are replaced.
fn file_name(item: &Resource) -> String {
    let safe = |text: &str| match text.replace(['/', '\0'], "_") {
        dots if dots.starts_with('.') => "_".to_owned() + dots.trim_start_matches('.'),
        name => name,
    };
    let id = item.id();
    let name = format!("{}_{}.yaml", safe(&id.kind.to_lowercase()), safe(&id.name));
    match &id.namespace {
        Some(namespace) => format!("{}/{name}", safe(namespace)),
        None => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_name_cannot_lead_out_of_the_directory() {
        let named = |namespace: &str, name: &str| {
            let metadata = json!({"name": name, "namespace": namespace});
            file_name(&Resource::new(&json!({"kind": "Role", "metadata": metadata})).unwrap())
        };
        assert_eq!(named("ns", "system:reader"), "ns/role_system:reader.yaml");
        assert_eq!(named("a/..", "../../x"), "a_../role___.._x.yaml");
        assert_eq!(named("..", "x"), "_/role_x.yaml");
    }
}
