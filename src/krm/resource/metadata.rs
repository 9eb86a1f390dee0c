//! Whether the metadata of a resource has the types that Kubernetes requires.

use super::Resource;
use crate::yaml::scalar::Scalar;
use crate::yaml::{Document, Kind, NodeId, Style};

impl Resource {
    /// Whether name, namespace, labels and annotations are strings for certain. Those of most resources are, and need no
    /// closer look.
    pub fn has_plain_metadata(&self) -> bool {
        *self.has_plain_metadata.get_or_init(|| match self.read.get() {
            Some(doc) => is_plain(doc),
            // Nobody else may need this tree, so it is not kept.
            None => self.parse(self.to_text()).is_ok_and(|doc| is_plain(&doc)),
        })
    }
}

pub(super) fn is_plain(doc: &Document) -> bool {
    let is_string = |node: NodeId| {
        let node = doc.resolve(node);
        match doc.tree().kind(node) {
            Kind::Scalar(Style::Plain) => matches!(doc.scalar(node), Some(Scalar::Str(_) | Scalar::Null)),
            Kind::Scalar(_) => matches!(doc.scalar(node), Some(Scalar::Str(_))),
            _ => false,
        }
    };
    // The value of a merge key is not a string.
    let has_strings = |node: NodeId| {
        let node = doc.resolve(node);
        match doc.tree().kind(node) {
            Kind::Mapping(_) => doc.tree().pairs(node).all(|(_, value)| is_string(value)),
            _ => doc.scalar(node) == Some(Scalar::Null),
        }
    };
    let Some([metadata]) = doc.root().map(|root| doc.entries_of(doc.resolve(root), ["metadata"])) else {
        return true;
    };
    let Some(metadata) = metadata.map(|metadata| doc.resolve(metadata)) else { return true };
    if !matches!(doc.tree().kind(metadata), Kind::Mapping(_)) {
        return false;
    }
    let [name, namespace, generate_name, labels, annotations] =
        doc.entries_of(metadata, ["name", "namespace", "generateName", "labels", "annotations"]);
    [name, namespace, generate_name].into_iter().flatten().all(is_string)
        && [labels, annotations].into_iter().flatten().all(has_strings)
}

#[cfg(test)]
mod tests {
    use crate::krm::{FieldPath, Place, Resource};

    fn resource(metadata: &str) -> Resource {
        let text = format!("kind: A\nx: &x 5\nmetadata: {metadata}\n");
        Resource::from_file(text.as_str().into(), 0..text.len(), Place::default()).unwrap()
    }

    #[test]
    fn metadata_is_plain_if_it_has_strings() {
        for plain in ["{name: a, namespace: null, labels: {a: '5', b: on}}", "{annotations: , uid: 5}", "{}"]
        {
            assert!(resource(plain).has_plain_metadata(), "{plain}");
        }
        for other in [
            "{name: 5}",
            "{namespace: 1e30}",
            "{generateName: [a]}",
            "{labels: {a: true}}",
            "{labels: {a: 'b', <<: {c: 5}}}",
            "{annotations: {a: *x}}",
            "{annotations: {a: !!int '5'}}",
            "{annotations: a}",
            "{<<: {name: 5}}",
            "a",
        ] {
            assert!(!resource(other).has_plain_metadata(), "{other}");
        }
    }

    #[test]
    fn an_edit_is_noticed() {
        let mut resource = resource("{name: a, labels: {a: 'b'}}");
        assert!(resource.has_plain_metadata());
        resource.set(&FieldPath::new("metadata.labels.a"), 5).unwrap();
        resource.release();
        assert!(!resource.has_plain_metadata());
    }
}
