//! Resources that are only for local tools.

use memchr::memchr;
use serde_json::Value;

use super::Resource;
use crate::krm::path::FieldPath;
use crate::yaml::{Document, Step, Text, search};

const ANNOTATION: &str = "config.kubernetes.io/local-config";

impl Resource {
    /// Whether the resource is only for local tools, and never applied to a cluster.
    pub fn is_local(&self) -> bool {
        *self.is_local.get_or_init(|| {
            // Most resources are not, and need not be parsed to tell. A key can be written with escapes.
            let text = self.to_text();
            let bytes = text.as_bytes();
            let may_be = search::find(bytes, ANNOTATION).is_some() || memchr(b'\\', bytes).is_some();
            may_be && self.reads_as_local(text)
        })
    }

    fn reads_as_local(&self, text: Text) -> bool {
        let steps = steps();
        match (self.read.get(), self.part(&steps)) {
            (Some(doc), _) => has_true(doc, &steps),
            (None, Some((part, rest))) => has_true(&part.doc, rest),
            // Nobody else may need this tree, so it is not kept.
            (None, None) => self.parse(text).is_ok_and(|doc| has_true(&doc, &steps)),
        }
    }
}

pub(super) fn is_local(doc: &Document) -> bool {
    has_true(doc, &steps())
}

fn steps() -> Vec<Step> {
    FieldPath::new("metadata.annotations").key(ANNOTATION).steps()
}

fn has_true(doc: &Document, steps: &[Step]) -> bool {
    match doc.find(steps).map(|node| doc.value(node)) {
        Some(Ok(Value::String(text))) => text == "true",
        Some(Ok(Value::Bool(is_local))) => is_local, // not valid, but the intention is clear
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::krm::{FieldPath, Place, Resource};

    fn resource(annotation: &str) -> Resource {
        let text = format!("kind: A\nmetadata:\n  annotations:\n    {annotation}\n");
        Resource::from_file(text.as_str().into(), 0..text.len(), Place::default()).unwrap()
    }

    #[test]
    fn the_annotation_is_found_however_it_is_written() {
        for local in [
            "config.kubernetes.io/local-config: 'true'",
            "config.kubernetes.io/local-config: true",
            r#""config.kubernetes.io\x2flocal\x2dconfig": "true""#,
        ] {
            assert!(resource(local).is_local(), "{local}");
            let mut released = resource(local);
            released.release();
            assert!(released.is_local(), "{local}");
        }
        for other in ["config.kubernetes.io/local-config: 'false'", "a: config.kubernetes.io/local-config"] {
            assert!(!resource(other).is_local(), "{other}");
        }
    }

    #[test]
    fn an_edit_can_make_a_resource_local() {
        let mut resource = resource("a: b");
        assert!(!resource.is_local());
        let annotation = FieldPath::new("metadata.annotations").key(super::ANNOTATION);
        resource.set(&annotation, "true").unwrap();
        assert!(resource.is_local());
    }
}
