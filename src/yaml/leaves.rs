//! Every key and every scalar of a document.

use super::document::{Document, Step};
use super::tree::{Kind, NodeId};

/// A key, or a value that is a scalar.
#[derive(Debug)]
pub struct Leaf<'d, 'p> {
    /// The text, decoded: without quotes and escapes.
    pub text: &'d str,
    /// Whether it is the key of a field rather than its value.
    pub is_key: bool,
    path: &'p [LeafStep<'d>],
}

#[derive(Debug, Clone, Copy)]
enum LeafStep<'d> {
    Key(&'d str),
    Index(usize),
}

impl<'d> Leaf<'d, '_> {
    /// The path to the field.
    pub fn steps(&self) -> impl Iterator<Item = Step> {
        self.path.iter().map(|step| match step {
            LeafStep::Key(key) => Step::Key((*key).to_owned()),
            LeafStep::Index(index) => Step::Index(*index),
        })
    }

    /// The keys on the path to the field, without indexes of lists.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &'d str> {
        self.path.iter().filter_map(|step| match step {
            LeafStep::Key(key) => Some(*key),
            LeafStep::Index(_) => None,
        })
    }
}

impl Document {
    /// Visits every leaf in document order. What an alias refers to is visited once, where it is written.
    pub fn visit_leaves(&self, visit: &mut dyn FnMut(&Leaf<'_, '_>)) {
        if let Some(root) = self.root() {
            self.visit_below(root, &mut Vec::new(), visit);
        }
    }

    fn visit_below<'d>(
        &'d self,
        node: NodeId,
        path: &mut Vec<LeafStep<'d>>,
        visit: &mut dyn FnMut(&Leaf<'_, '_>),
    ) {
        match self.tree.kind(node) {
            Kind::Mapping(_) => {
                for (key, value) in self.own_pairs(node) {
                    let Some(text) = self.key_text(key) else { continue };
                    path.push(LeafStep::Key(text));
                    visit(&Leaf { text, is_key: true, path });
                    self.visit_below(value, path, visit);
                    path.pop();
                }
            }
            Kind::Sequence(_) => {
                for (index, element) in self.tree.children(node).enumerate() {
                    path.push(LeafStep::Index(index));
                    self.visit_below(element, path, visit);
                    path.pop();
                }
            }
            Kind::Scalar(_) => visit(&Leaf { text: self.tree.text(&self.text, node), is_key: false, path }),
            Kind::Alias => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_scalars_are_visited_once() {
        let doc = Document::parse("a: &x {b: \"1\\n\"}\nl:\n- 2\n- c: *x\nm: {<<: *x}\n").unwrap();
        let mut seen = Vec::new();
        doc.visit_leaves(&mut |leaf| {
            let keys: Vec<&str> = leaf.keys().collect();
            seen.push((keys.join("."), leaf.steps().count(), leaf.text.to_owned(), leaf.is_key));
        });
        let seen: Vec<(&str, usize, &str, bool)> =
            seen.iter().map(|(keys, depth, text, is_key)| (&**keys, *depth, &**text, *is_key)).collect();
        assert_eq!(
            seen,
            [
                ("a", 1, "a", true),
                ("a.b", 2, "b", true),
                ("a.b", 2, "1\n", false),
                ("l", 1, "l", true),
                ("l", 2, "2", false),
                ("l.c", 3, "c", true),
                ("m", 1, "m", true),
            ]
        );
    }
}
