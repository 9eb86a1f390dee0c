//! The files that a kustomization refers to.

use serde_json::Value;

use super::id::Place;
use super::path::FieldPath;
use super::resource::Resource;
use crate::yaml::{Document, YamlError, stream};

/// The file names of a kustomization.
pub const KUSTOMIZATIONS: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

/// The fields that list patches.
const PATCHES: &[&str] = &["patches", "patchesStrategicMerge", "patchesJson6902"];

/// The fields that list files with objects, and directories with other kustomizations.
const RESOURCES: &[&str] = &["resources", "bases", "components", "generators", "transformers", "validators"];

/// The fields that list functionConfigs.
const FUNCTIONS: &[&str] = &["generators", "transformers", "validators"];

/// The fields that change what objects are called, and with it what exists twice and what refers to what.
const NAMES: &[&str] = &["namePrefix", "nameSuffix", "namespace"];

/// The fields that can change every field of an object.
const ANY_FIELD: &[&str] =
    &["patches", "patchesJson6902", "patchesStrategicMerge", "replacements", "replicas", "vars"];

/// How a kustomization changes the objects that it lists.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Changes {
    #[default]
    None,
    Names,
    AnyField,
}

/// What a kustomization refers to, relative to its directory.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Kustomization {
    /// Files that look like objects, but change objects of other files.
    pub patches: Vec<String>,
    /// Files with objects, and directories with other kustomizations.
    pub resources: Vec<String>,
    /// The files among `resources` that configure transformers, which can change every field of an object.
    pub transformers: Vec<String>,
    /// The entries among `resources` that are functionConfigs, or directories with them.
    pub functions: Vec<String>,
    /// How the objects of these files differ from what reaches the cluster.
    pub changes: Changes,
    /// Whether it may change more than the metadata of objects.
    pub changes_content: bool,
    /// The fields that replacements copy, as kustomize writes them: `data.ctlplane.subnets`. None if some replacements are
    /// in another file.
    pub copied: Option<Vec<String>>,
}

impl Kustomization {
    pub fn parse(text: &str) -> Result<Self, YamlError> {
        let mut kustomization = Kustomization { copied: Some(Vec::new()), ..Kustomization::default() };
        for range in stream::documents(text) {
            let document = Resource::from_file(text.into(), range, Place::default())?;
            kustomization.patches.extend(PATCHES.iter().flat_map(|field| paths(&document, field)));
            kustomization.resources.extend(RESOURCES.iter().flat_map(|field| paths(&document, field)));
            kustomization.transformers.extend(paths(&document, "transformers"));
            kustomization.functions.extend(FUNCTIONS.iter().flat_map(|field| paths(&document, field)));
            let changes = if has_any(&document, ANY_FIELD) {
                Changes::AnyField
            } else if has_any(&document, NAMES) {
                Changes::Names
            } else {
                Changes::None
            };
            kustomization.changes = kustomization.changes.max(changes);
            kustomization.changes_content |=
                changes == Changes::AnyField && !patches_only_metadata(&document);
            kustomization.copied =
                kustomization.copied.zip(copied(&document)).map(|(all, own)| [all, own].concat());
        }
        Ok(kustomization)
    }
}

fn has_any(document: &Resource, fields: &[&'static str]) -> bool {
    let has =
        |field: &&'static str| document.value(&FieldPath::new(field)).is_ok_and(|value| value.is_some());
    fields.iter().any(has)
}

/// Whether all changes are inline JSON patches of metadata.
fn patches_only_metadata(document: &Resource) -> bool {
    let others: Vec<&'static str> = ANY_FIELD.iter().copied().filter(|field| *field != "patches").collect();
    let Ok(Some(Value::Array(patches))) = document.value(&FieldPath::new("patches")) else { return false };
    let is_of_metadata = |patch: &Value| {
        let text = patch.get("patch").and_then(Value::as_str).unwrap_or_default();
        let operations = Document::parse(text).and_then(|patch| patch.root_value());
        let is_metadata = |operation: &Value| {
            operation.get("path").and_then(Value::as_str).is_some_and(|path| path.starts_with("/metadata/"))
        };
        matches!(operations, Ok(Value::Array(all)) if all.iter().all(is_metadata))
    };
    !has_any(document, &others) && patches.iter().all(is_of_metadata)
}

/// The fields that replacements copy. None if some are in another file.
fn copied(document: &Resource) -> Option<Vec<String>> {
    let Ok(Some(Value::Array(entries))) = document.value(&FieldPath::new("replacements")) else {
        return Some(Vec::new());
    };
    let field = |entry: &Value| Some(entry.pointer("/source/fieldPath")?.as_str()?.to_owned());
    entries.iter().map(field).collect()
}

/// The paths in a list. An entry can also be an inline object or patch, which matches no file.
fn paths(document: &Resource, field: &'static str) -> Vec<String> {
    let Ok(Some(Value::Array(entries))) = document.value(&FieldPath::new(field)) else { return Vec::new() };
    let path = |entry| match entry {
        Value::String(path) => Some(path),
        Value::Object(entry) => entry.get("path").and_then(Value::as_str).map(str::to_owned),
        _ => None,
    };
    entries.into_iter().filter_map(path).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_reference_counts() {
        let patches = |text| Kustomization::parse(text).map(|kustomization| kustomization.patches);
        let text = "resources: [a.yaml]\npatches:\n- path: b.yaml\n- patch: |-\n    - op: add\n  target: {kind: A}\n- old.yaml\npatchesStrategicMerge: [c.yaml]\npatchesJson6902:\n- target: {kind: A}\n  path: d.json\n";
        assert_eq!(patches(text).unwrap(), ["b.yaml", "old.yaml", "c.yaml", "d.json"]);
        assert_eq!(patches("patches: x\n").unwrap(), [""; 0]);
        assert!(patches("a: [\n").is_err());
        let text = "resources: [a.yaml, ../base]\ncomponents: [c]\ngenerators: [f.yaml]\nvalidators:\n- |-\n  kind: V\n";
        let resources = Kustomization::parse(text).unwrap().resources;
        assert_eq!(resources, ["a.yaml", "../base", "c", "f.yaml", "kind: V"]);
        let changes = |text| Kustomization::parse(text).unwrap().changes;
        assert_eq!(changes("resources: [a.yaml]\nvalidators: [v.yaml]\n"), Changes::None);
        let transformers = Kustomization::parse("transformers: [t.yaml]\n").unwrap();
        assert_eq!(
            (transformers.changes, transformers.transformers),
            (Changes::None, vec!["t.yaml".to_owned()])
        );
        let copied = |text| Kustomization::parse(text).unwrap().copied;
        let text = "replacements:\n- source: {kind: ConfigMap, fieldPath: data.a.subnets}\n  targets: []\n";
        assert_eq!(copied(text), Some(vec!["data.a.subnets".to_owned()]));
        assert_eq!(copied("replacements:\n- path: r.yaml\n"), None);
        assert_eq!(copied("resources: [a.yaml]\n"), Some(Vec::new()));
        let content = |text: &str| Kustomization::parse(text).unwrap().changes_content;
        let patch = |path| {
            format!("patches:\n- target: {{kind: A}}\n  patch: |\n    - op: remove\n      path: {path}\n")
        };
        assert!(!content(&patch("/metadata/annotations/a")) && content(&patch("/spec/a")));
        assert!(
            content(&(patch("/metadata/annotations/a") + "replicas: []\n"))
                && content("patches: [{path: p.yaml}]\n")
        );
        assert_eq!(changes("namespace: x\n"), Changes::Names);
        assert_eq!(changes("namePrefix: x-\npatches: []\n"), Changes::AnyField);
    }
}
