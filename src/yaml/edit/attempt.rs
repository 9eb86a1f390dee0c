//! One attempt at an edit: finds the field, follows aliases, and lets the editor change the text. The result
//! is not checked yet.

use serde_json::Value;

use super::super::document::{Document, Step};
use super::super::error::YamlError;
use super::super::scalar::Scalar;
use super::super::tree::{Kind, NodeId};
use super::super::write;
use super::editor::{Editor, Strategy};
use super::intent::{cannot_hold, dotted, nested, set_at};
use super::reread::Edited;

/// The collection that contains a field.
enum Parent<'p> {
    /// A node of this document, and the last step of the path.
    Found(NodeId, &'p Step),
    /// The path leads through an alias. In this document a copy of the value replaces the alias.
    Expanded(Box<Document>),
}

/// What planning to set a value led to.
pub(super) enum Planned {
    /// Splices of this node, or of the lines after its last member.
    Change(NodeId),
    /// The path leads through this alias. A copy of its value must replace it first.
    Alias(NodeId),
}

impl Document {
    pub(super) fn try_set(
        &self,
        path: &[Step],
        value: &Value,
        strategy: Strategy,
    ) -> Result<Edited, YamlError> {
        let Some(root) = self.root() else {
            let text = write::document(&nested(path, value), &self.formatting());
            return Edited::read(self, 0..self.text.len(), text);
        };
        let mut editor = Editor::new(self, strategy);
        match self.plan_set(root, path, value, &mut editor)? {
            Planned::Change(_) => editor.edited(),
            Planned::Alias(alias) => self.expanded(alias, strategy)?.try_set(path, value, strategy),
        }
    }

    /// Adds the splices that set a value to those of an editor.
    pub(super) fn plan_set(
        &self,
        root: NodeId,
        path: &[Step],
        value: &Value,
        editor: &mut Editor<'_>,
    ) -> Result<Planned, YamlError> {
        let mut node = root;
        for (depth, step) in path.iter().enumerate() {
            let rest = &path[depth + 1..];
            self.refuse_if_shared(node)?;
            match (self.tree().kind(node), step) {
                (Kind::Alias, _) => return Ok(Planned::Alias(node)),
                (Kind::Mapping(_), Step::Key(key)) => match self.own_entry(node, key) {
                    Some(child) => node = child,
                    None => {
                        // A merged value is copied, so that the mapping it comes from does not change.
                        let mut new = match self.entry(node, key) {
                            Some(merged) => self.value(merged)?,
                            None => Value::Null,
                        };
                        set_at(&mut new, rest, value)?;
                        editor.insert(node, &[(key, &new)]);
                        return Ok(Planned::Change(node));
                    }
                },
                (Kind::Sequence(_), Step::Index(index)) => match self.element(node, *index) {
                    Some(child) => node = child,
                    None => {
                        editor.push(node, &[nested(rest, value)]);
                        return Ok(Planned::Change(node));
                    }
                },
                (Kind::Scalar(_), _) if self.scalar(node) == Some(Scalar::Null) => {
                    editor.replace(node, &nested(&path[depth..], value));
                    return Ok(Planned::Change(node));
                }
                _ => return Err(cannot_hold(&path[..depth], step)),
            }
        }
        if self.tree().kind(node) == Kind::Alias {
            editor.replace(node, value);
        } else {
            self.refuse_if_shared(node)?;
            editor.update(node, value)?;
        }
        Ok(Planned::Change(node))
    }

    pub(super) fn try_remove(&self, path: &[Step], strategy: Strategy) -> Result<Edited, YamlError> {
        let (node, last) = match self.parent_of(path, strategy)? {
            Parent::Found(node, last) => (node, last),
            Parent::Expanded(doc) => return doc.try_remove(path, strategy),
        };
        let index = match last {
            Step::Key(key) => self.tree().pairs(node).position(|(k, _)| self.is_key(k, key)),
            Step::Index(index) => Some(*index),
        };
        let index = index.ok_or_else(|| self.only_merged(node))?;
        let mut editor = Editor::new(self, strategy);
        editor.remove(node, index..=index);
        editor.edited()
    }

    pub(super) fn try_rename(
        &self,
        path: &[Step],
        new: &str,
        strategy: Strategy,
    ) -> Result<Edited, YamlError> {
        let (node, last) = match self.parent_of(path, strategy)? {
            Parent::Found(node, last) => (node, last),
            Parent::Expanded(doc) => return doc.try_rename(path, new, strategy),
        };
        let Step::Key(old) = last else {
            return Err(YamlError::new("a list element has no name").refusal());
        };
        let pair = self.tree().pairs(node).find(|(key, _)| self.is_key(*key, old));
        let (key, _) = pair.ok_or_else(|| self.only_merged(node))?;
        self.refuse_if_shared(key)?;
        let mut editor = Editor::new(self, strategy);
        editor.rename(key, new);
        editor.edited()
    }

    fn parent_of<'p>(&self, path: &'p [Step], strategy: Strategy) -> Result<Parent<'p>, YamlError> {
        let (Some(mut node), Some((last, parents))) = (self.root(), path.split_last()) else {
            return Err(YamlError::new("the path must name a field"));
        };
        for step in parents {
            self.refuse_if_shared(node)?;
            let child = match (self.tree().kind(node), step) {
                (Kind::Alias, _) => return self.expanded(node, strategy).map(Box::new).map(Parent::Expanded),
                (_, Step::Key(key)) => self.own_entry(node, key),
                (_, Step::Index(index)) => self.element(node, *index),
            };
            node = child.ok_or_else(|| self.only_merged(node))?;
        }
        if self.tree().kind(node) == Kind::Alias {
            return self.expanded(node, strategy).map(Box::new).map(Parent::Expanded);
        }
        self.refuse_if_shared(node)?;
        Ok(Parent::Found(node, last))
    }

    fn only_merged(&self, node: NodeId) -> YamlError {
        self.error(node, "this field comes from a merge key and cannot be removed or renamed here").refusal()
    }

    /// The same document with one alias replaced by a copy of its value.
    fn expanded(&self, alias: NodeId, strategy: Strategy) -> Result<Document, YamlError> {
        let mut editor = Editor::new(self, strategy);
        editor.replace(alias, &self.value(alias)?);
        editor.finish()
    }

    /// A change of an anchored node would also change the value of every alias to it.
    fn refuse_if_shared(&self, node: NodeId) -> Result<(), YamlError> {
        let places: Vec<String> =
            self.tree().aliases_of(node).map(|alias| format!("`{}`", dotted(&self.path_to(alias)))).collect();
        if places.is_empty() {
            return Ok(());
        }
        let message = format!(
            "this value is anchored and used again at {}, so a change here would also change it there; replace the alias there with a copy of the value",
            places.join(", ")
        );
        Err(self.error(node, &message).refusal())
    }

    /// The steps from the root to a node.
    fn path_to(&self, mut node: NodeId) -> Vec<Step> {
        let mut path = Vec::new();
        while let Some(parent) = self.tree().parent(node).filter(|_| Some(node) != self.root()) {
            path.push(match self.tree().key_of(node) {
                Some(key) => Step::Key(self.key_text(key).unwrap_or_default().to_owned()),
                None => {
                    Step::Index(self.tree().children(parent).position(|child| child == node).unwrap_or(0))
                }
            });
            node = parent;
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::super::document::Document;
    use super::super::expect::{path, refused, remove, set};

    #[test]
    fn an_alias_is_expanded_where_it_is_edited() {
        set("a: &x {k: 1}\nb: *x\n", "b.k", json!(2), "a: &x {k: 1}\nb:\n  k: 2\n");
        set("a: &x 1\nb: *x # c\n", "b", json!(2), "a: &x 1\nb: 2 # c\n");
        set(
            "a: &x\n  k: {l: 1, m: 2}\nb:\n  <<: *x\n  n: 1\n",
            "b.k.l",
            json!(3),
            "a: &x\n  k: {l: 1, m: 2}\nb:\n  <<: *x\n  n: 1\n  k:\n    l: 3\n    m: 2\n",
        );
        remove("a: &x {k: 1, l: 2}\nb: *x\n", "b.k", "a: &x {k: 1, l: 2}\nb:\n  l: 2\n");
    }

    #[test]
    fn a_change_that_aliases_would_copy_is_refused() {
        refused(
            "a: &x {k: 1}\nb: *x\n",
            "a.k",
            json!(2),
            "line 1, column 7: this value is anchored and used again at `b`",
        );
        refused("a: &x 1\nb: *x\n", "a", json!(2), "anchored");
        refused("a: &x {k: 1}\nb: {<<: *x}\n", "a.l", json!(2), "anchored");
        // The anchor is deep inside the replaced value, and no alias may lose it.
        assert!(Document::parse("a: {k: &x 1}\nb: *x\n").unwrap().set(&path("a"), &json!("s")).is_err());
        let merged = Document::parse("a: &x {k: 1}\nb:\n  <<: *x\n  l: 1\n").unwrap();
        assert!(merged.remove(&path("b.k")).unwrap_err().message().contains("merge key"));
    }

    #[test]
    fn only_a_collection_can_hold_a_field() {
        refused("a: text\n", "a.b", json!(1), "`a` is not a mapping, so it cannot hold `b`");
        refused("a: [1]\n", "a.5", json!(1), "`a` is not a list that can hold element 5");
    }
}
