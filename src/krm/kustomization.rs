//! The files that a kustomization refers to.

use serde_json::Value;

use super::id::Place;
use super::path::FieldPath;
use super::resource::Resource;
use crate::yaml::{YamlError, stream};

/// The file names of a kustomization.
pub const KUSTOMIZATIONS: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

/// The fields that list patches.
const PATCHES: &[&str] = &["patches", "patchesStrategicMerge", "patchesJson6902"];

/// The fields that list files with objects, and directories with other kustomizations.
const RESOURCES: &[&str] = &["resources", "bases", "components", "generators", "transformers", "validators"];

/// The fields that change names, namespaces or other fields that rules compare.
const CHANGES: &[&str] = &[
    "components",
    "namePrefix",
    "nameSuffix",
    "namespace",
    "patches",
    "patchesJson6902",
    "patchesStrategicMerge",
    "replacements",
    "replicas",
    "transformers",
    "vars",
];

/// What a kustomization refers to, relative to its directory.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Kustomization {
    /// Files that look like objects, but change objects of other files.
    pub patches: Vec<String>,
    /// Files with objects, and directories with other kustomizations.
    pub resources: Vec<String>,
    /// Whether it changes the objects of these files, so that they are not what reaches the cluster.
    pub changes_objects: bool,
}

impl Kustomization {
    pub fn parse(text: &str) -> Result<Self, YamlError> {
        let mut kustomization = Kustomization::default();
        for range in stream::documents(text) {
            let document = Resource::from_file(text.into(), range, Place::default())?;
            kustomization.patches.extend(PATCHES.iter().flat_map(|field| paths(&document, field)));
            kustomization.resources.extend(RESOURCES.iter().flat_map(|field| paths(&document, field)));
            let has = |field: &&str| {
                document.value(&FieldPath::default().key((*field).to_owned())).is_ok_and(|v| v.is_some())
            };
            kustomization.changes_objects |= CHANGES.iter().any(has);
        }
        Ok(kustomization)
    }
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
        let changes = |text| Kustomization::parse(text).unwrap().changes_objects;
        assert!(
            changes(text)
                && changes("namespace: x\n")
                && !changes("resources: [a.yaml]\nvalidators: [v.yaml]\n")
        );
    }
}
