//! The files that a kustomization refers to.

use serde_json::Value;

use super::id::Place;
use super::path::FieldPath;
use super::resource::Resource;
use crate::yaml::{YamlError, stream};

/// The file names of a kustomization.
pub const KUSTOMIZATIONS: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

/// The files that a kustomization lists as patches, relative to its directory. They look like objects, but
/// change objects of other files.
pub fn patches(text: &str) -> Result<Vec<String>, YamlError> {
    let mut paths = Vec::new();
    for range in stream::documents(text) {
        let kustomization = Resource::from_file(text.into(), range, Place::default())?;
        for field in ["patches", "patchesStrategicMerge", "patchesJson6902"] {
            let Ok(Some(Value::Array(entries))) = kustomization.value(&FieldPath::new(field)) else {
                continue;
            };
            paths.extend(entries.into_iter().filter_map(|entry| match entry {
                // The entry can also be an inline patch, which matches no file.
                Value::String(path) => Some(path),
                Value::Object(entry) => entry.get("path").and_then(Value::as_str).map(str::to_owned),
                _ => None,
            }));
        }
    }
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_patch_counts() {
        let text = "resources: [a.yaml]\npatches:\n- path: b.yaml\n- patch: |-\n    - op: add\n  target: {kind: A}\n- old.yaml\npatchesStrategicMerge: [c.yaml]\npatchesJson6902:\n- target: {kind: A}\n  path: d.json\n";
        assert_eq!(patches(text).unwrap(), ["b.yaml", "old.yaml", "c.yaml", "d.json"]);
        assert_eq!(patches("patches: x\n").unwrap(), [""; 0]);
        assert!(patches("a: [\n").is_err());
    }
}
