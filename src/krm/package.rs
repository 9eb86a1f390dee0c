//! Plain files as a package, for running functions without an orchestrator.

mod documents;
mod rendered;

pub use rendered::Rendered;
pub(super) use rendered::join;

use std::collections::HashSet;

use self::documents::Read;
use super::duplicates::report_duplicates;
use super::location::Located;
use super::path::FieldPath;
use super::registry::{Entry, Registry};
use super::resource::{LIST, Resource};
use super::results::Results;
use super::rules;
use super::side_by_side;
use crate::yaml::{Order as _, Text};

/// A file, with its path as the user wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    pub path: String,
    pub text: Text,
}

/// The documents of some files, divided into functionConfigs and resources.
#[derive(Debug)]
pub struct Package {
    files: Vec<File>,
    configs: Vec<Resource>,
    items: Vec<Resource>,
    /// The number of the file of each item. Items after these are new.
    homes: Vec<usize>,
    /// The number of documents of each file.
    document_counts: Vec<usize>,
}

impl Package {
    /// Reads files in the given order. Reports all errors, not only the first.
    ///
    /// Documents of the registry's group are functionConfigs.
    pub fn read(files: Vec<File>, registry: &Registry, results: &mut Results) -> Package {
        let threads = side_by_side::threads(files.iter().map(|file| file.text.len()).sum());
        Package::read_on(threads, files, registry, results)
    }

    fn read_on(threads: usize, files: Vec<File>, registry: &Registry, results: &mut Results) -> Package {
        let document_counts = vec![0; files.len()];
        let (configs, items, homes) = (Vec::new(), Vec::new(), Vec::new());
        let mut package = Package { files, configs, items, homes, document_counts };
        let documents = documents::read(threads, &package.files);
        package.items.reserve_exact(documents.len());
        package.homes.reserve_exact(documents.len());
        for Read { home, line, document } in documents {
            let path = &package.files[home].path;
            package.document_counts[home] += 1;
            match document {
                Ok(document) if document.id().group() == registry.group => package.configs.push(document),
                Ok(document) if document.id().kind.is_empty() => {
                    let message = "skipped: not a Kubernetes object (no `kind`)";
                    results.warning(&rules::NOT_KRM, message).in_file(path, Some(line));
                }
                Ok(document) => {
                    package.items.push(document);
                    package.homes.push(home);
                }
                Err(error) => {
                    let line = error.at.map(|at| at.line);
                    results.error(&rules::YAML, error.message()).in_file(path, line);
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
        calls.order_by_key(|(entry, _)| entry.shape); // stable
        for (entry, config) in calls {
            if let Err(fault) = entry.run(config, &mut self.items, results) {
                results.add(fault.into_finding());
            }
            self.items.iter_mut().for_each(Resource::release);
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outcome_does_not_depend_on_the_number_of_threads() {
        let registry = Registry { program: "p", group: "fn.example.com", version: "v1", functions: &[] };
        let file = |number: usize| {
            let config = "apiVersion: fn.example.com/v1\nkind: Configure\n---\n";
            let odd = ["a: 1", "kind: [", "kind: A\nkind: B", "# nothing", "kind: \"é"][number % 5];
            let text = format!("{config}---\nkind: A\nmetadata: {{name: a{number}}}\n--- # comment\n{odd}\n");
            File { path: format!("{number}.yaml"), text: text.into() }
        };
        let files: Vec<File> = (0..50).map(file).collect();
        let read = |threads| {
            let mut results = Results::default();
            let package = Package::read_on(threads, files.clone(), &registry, &mut results);
            package.report_duplicate_keys(&mut results);
            (format!("{package:?}"), results.into_sorted())
        };
        let (alone, findings) = read(1);
        assert_eq!((findings.len(), alone.matches("\"Configure\"").count()), (40, 50));
        for threads in [2, 4, 9] {
            assert_eq!(read(threads), (alone.clone(), findings.clone()));
        }
    }
}
