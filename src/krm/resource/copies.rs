//! Copies of resources, and updates of resources that a function generates.

use serde_json::{Map, Value};

use super::Resource;
use crate::krm::fault::Fault;
use crate::krm::id::Place;
use crate::krm::path::FieldPath;
use crate::yaml::{Document, Text};

impl Resource {
    /// A copy as a new resource, with the same formatting and comments, but without the file and the annotations of
    /// orchestrators.
    pub fn copy(&self) -> Result<Resource, Fault> {
        let root = FieldPath::default();
        let doc = self.doc()?;
        let text = doc.without_anchors().map_or_else(|| doc.standalone_text(), |doc| doc.standalone_text());
        let mut copy = match Self::from_file(text.as_str().into(), 0..text.len(), Place::default()) {
            Ok(copy) if copy.value(&root)? == self.value(&root)? && !copy.has_anchors() => copy,
            // Text that is not valid by itself, or repeats anchors of the original, is rewritten.
            _ => Self::new(&self.value(&root)?.unwrap_or(Value::Null))?,
        };
        let annotations = FieldPath::new("metadata.annotations");
        let there: Map<String, Value> = self.get(&annotations)?.unwrap_or_default();
        let (dropped, kept): (Vec<&String>, Vec<&String>) = there.keys().partition(|key| is_bookkeeping(key));
        match (kept.is_empty(), dropped.is_empty()) {
            (_, true) => {}
            (true, false) => copy.remove(&annotations)?,
            (false, false) => {
                for key in dropped {
                    copy.remove(&annotations.clone().key(key.clone()))?;
                }
            }
        }
        Ok(copy)
    }

    fn has_anchors(&self) -> bool {
        self.doc().is_ok_and(|doc| doc.tree().has_anchors(doc.text()))
    }

    /// Records that a function generated this resource in this run.
    pub fn mark_generated(&mut self) {
        self.generated_as = Some(Box::new(self.to_text()));
    }

    /// Updates this resource to match a generated one. Keeps labels and annotations that the generated one
    /// lacks, because tools and people add their own. Returns false, and changes nothing, if another function
    /// generated something else for this object.
    pub fn replace_with(&mut self, generated: &Resource) -> Result<bool, Fault> {
        let root = FieldPath::default();
        let mut value = generated.value(&root)?.unwrap_or(Value::Null);
        let made = generated.to_text();
        if self.generated_as.as_ref().is_some_and(|earlier| ***earlier != *made && !means(earlier, &value)) {
            return Ok(false);
        }
        self.generated_as = Some(Box::new(made));
        for field in ["labels", "annotations"] {
            let there: Option<Map<String, Value>> = self.get(&FieldPath::new("metadata").key(field))?;
            let Some(there) = there.filter(|map| !map.is_empty()) else { continue };
            let mut map = value
                .as_object_mut()
                .and_then(|object| object.entry("metadata").or_insert_with(empty).as_object_mut())
                .and_then(|metadata| metadata.entry(field).or_insert_with(empty).as_object_mut());
            for (key, value) in there {
                map.as_deref_mut().map(|map| map.entry(key).or_insert(value));
            }
        }
        self.set(&root, value)?;
        Ok(true)
    }
}

/// Whether a text means a value.
fn means(text: &Text, value: &Value) -> bool {
    Document::parse(text.clone()).and_then(|doc| doc.root_value()).is_ok_and(|read| read == *value)
}

/// Annotations that kustomize and kpt use to track a resource.
fn is_bookkeeping(annotation: &str) -> bool {
    let group = annotation.split('/').next().unwrap_or_default();
    matches!(
        group,
        "config.kubernetes.io"
            | "internal.config.kubernetes.io"
            | "alpha.config.kubernetes.io"
            | "config.k8s.io"
            | "internal.config.k8s.io"
            | "kustomize.config.k8s.io"
    )
}

fn empty() -> Value {
    Value::Object(Map::new())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::krm::{Id, Located};

    #[test]
    fn a_copy_has_the_words_and_not_the_place() {
        let entry = "- # head\n  kind: A\n  metadata:\n    name: a # here\n    annotations:\n      config.kubernetes.io/path: a.yaml\n  mode: 0644\n";
        let resource = Resource::in_entry(entry.into(), 0..entry.len(), Id::default());
        let copy = resource.copy().unwrap();
        assert_eq!(copy.text(), "kind: A\nmetadata:\n  name: a # here\nmode: 0644\n");
        assert_eq!((copy.id().name.as_str(), copy.place()), ("a", Place::default()));
    }
}
