//! Field paths: `spec.nova.template`, `spec.items[0].name`, `metadata.annotations[metallb.io/pool]`.

use std::borrow::Cow;
use std::fmt;

use serde_json::Value;

use crate::yaml::Step;

/// One step into a mapping or a list.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Segment {
    Key(Cow<'static, str>),
    Index(usize),
}

/// The path from the root of a resource to a field.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct FieldPath(Vec<Segment>);

impl FieldPath {
    /// Parses the written form. Keys with dots are in brackets, and those that would be ambiguous there are also in
    /// quotes: `["*"]`. Every string is a valid path.
    pub fn new(text: &str) -> Self {
        FieldPath(segments(text).map(Written::into_segment).collect())
    }

    #[must_use]
    pub fn key(mut self, key: impl Into<Cow<'static, str>>) -> Self {
        self.0.push(Segment::Key(key.into()));
        self
    }

    #[must_use]
    pub fn index(mut self, index: usize) -> Self {
        self.0.push(Segment::Index(index));
        self
    }

    /// The path without its last step.
    #[must_use]
    pub fn parent(mut self) -> Self {
        self.0.pop();
        self
    }

    /// The last step, if it is a key.
    pub fn last_key(&self) -> Option<&str> {
        match self.0.last()? {
            Segment::Key(key) => Some(key),
            _ => None,
        }
    }

    /// This path followed by another.
    #[must_use]
    pub fn join(mut self, below: &FieldPath) -> Self {
        self.0.extend_from_slice(&below.0);
        self
    }

    pub fn starts_with(&self, head: &FieldPath) -> bool {
        self.0.starts_with(&head.0)
    }

    /// The paths of all ancestors, from the root to the field itself.
    pub fn ancestors(&self) -> impl Iterator<Item = FieldPath> + '_ {
        (0..=self.0.len()).map(|length| FieldPath(self.0[..length].to_vec()))
    }

    /// The path with a different first key.
    #[must_use]
    pub(super) fn with_root(mut self, old: &str, new: &'static str) -> Self {
        if let Some(Segment::Key(first)) =
            self.0.first_mut().filter(|s| **s == Segment::Key(old.to_owned().into()))
        {
            *first = new.into();
        }
        self
    }

    pub(super) fn segments(&self) -> &[Segment] {
        &self.0
    }

    /// The part of a value that this path names.
    pub(super) fn lookup<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        self.0.iter().try_fold(value, |value, segment| match segment {
            Segment::Key(key) => value.get(key.as_ref()),
            Segment::Index(index) => value.get(index),
        })
    }

    /// Removes the field from a value, and returns whether it did. List elements are not removed, because the
    /// indexes of later elements would change.
    pub(super) fn take_from(&self, value: &mut Value) -> bool {
        let Some((Segment::Key(last), parents)) = self.0.split_last() else { return false };
        let parent = parents.iter().try_fold(value, |value, segment| match segment {
            Segment::Key(key) => value.get_mut(key.as_ref()),
            Segment::Index(index) => value.get_mut(index),
        });
        parent.and_then(Value::as_object_mut).is_some_and(|map| map.shift_remove(last.as_ref()).is_some())
    }

    /// The path of steps of a document.
    pub fn from_steps(steps: impl IntoIterator<Item = Step>) -> Self {
        let segment = |step| match step {
            Step::Key(key) => Segment::Key(Cow::Owned(key)),
            Step::Index(index) => Segment::Index(index),
        };
        FieldPath(steps.into_iter().map(segment).collect())
    }

    /// The path as steps of one document.
    pub fn steps(&self) -> Vec<Step> {
        self.0
            .iter()
            .map(|segment| match segment {
                Segment::Key(key) => Step::Key(key.to_string()),
                Segment::Index(index) => Step::Index(*index),
            })
            .collect()
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, segment) in self.0.iter().enumerate() {
            write_segment(f, segment, i == 0)?;
        }
        Ok(())
    }
}

pub(super) fn write_segment(f: &mut fmt::Formatter<'_>, segment: &Segment, is_first: bool) -> fmt::Result {
    let dot = if is_first { "" } else { "." };
    match segment {
        Segment::Key(key) if key.contains(['"', ']']) || key == "*" || key.is_empty() => {
            write!(f, "[{}]", Value::from(key.as_ref()))
        }
        Segment::Key(key) if key.contains(['.', '[', '/']) => write!(f, "[{key}]"),
        Segment::Key(key) => write!(f, "{dot}{key}"),
        Segment::Index(index) => write!(f, "[{index}]"),
    }
}

/// A step in its written form.
pub(super) enum Written<'t> {
    /// `*` or `[*]`: an ordinary key in a path, a wildcard in a pattern.
    Star,
    Plain(&'t str),
    Quoted(String),
    Index(usize),
}

impl Written<'_> {
    pub(super) fn into_segment(self) -> Segment {
        match self {
            Written::Star => Segment::Key(Cow::Borrowed("*")),
            Written::Plain(key) => Segment::Key(Cow::Owned(key.to_owned())),
            Written::Quoted(key) => Segment::Key(Cow::Owned(key)),
            Written::Index(index) => Segment::Index(index),
        }
    }
}

/// The steps of a written path.
pub(super) fn segments(text: &str) -> impl Iterator<Item = Written<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.strip_prefix('.').unwrap_or(rest);
        if rest.is_empty() {
            return None;
        }
        if let Some((key, after)) = quoted(rest) {
            rest = after;
            return Some(Written::Quoted(key));
        }
        if let Some((inside, after)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            rest = after;
            return Some(match (inside, inside.parse()) {
                ("*", _) => Written::Star,
                (_, Ok(index)) => Written::Index(index),
                (key, Err(_)) => Written::Plain(key),
            });
        }
        // Take at least one character, so that the loop ends.
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let ends = |byte| matches!(byte, b'.' | b'[');
        let end = rest.bytes().skip(first).position(ends).map_or(rest.len(), |i| i + first);
        let (key, after) = rest.split_at(end);
        rest = after;
        Some(if key == "*" { Written::Star } else { Written::Plain(key) })
    })
}

/// A key in brackets and quotes, and what follows it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let inside = text.strip_prefix('[').filter(|rest| rest.starts_with('"'))?;
    let mut values = serde_json::Deserializer::from_str(inside).into_iter::<String>();
    let key = values.next()?.ok()?;
    let after = inside[values.byte_offset()..].strip_prefix(']')?;
    Some((key, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_as_they_are_printed() {
        for text in [
            "spec.a[0].b",
            "metadata.annotations[metallb.io/address-pool].x",
            "data[\"*\"].c",
            "data[\"a]b.c\"][\"\"]",
            "ü.é",
            "",
            "a",
            "[0]",
        ] {
            assert_eq!(FieldPath::new(text).to_string(), text);
        }
        for key in ["*", "a.b", "[0]", "a]", "\"", "", "0", "a[b"] {
            let path = FieldPath::new("data").key(key.to_owned()).key("x");
            assert_eq!(FieldPath::new(&path.to_string()), path, "{key:?}");
        }
        let ancestors: Vec<String> = FieldPath::new("a.b[0]").ancestors().map(|p| p.to_string()).collect();
        assert_eq!(ancestors, ["", "a", "a.b", "a.b[0]"]);
        assert!(FieldPath::new("a.b").starts_with(&FieldPath::new("a")));
        assert!(!FieldPath::new("ab").starts_with(&FieldPath::new("a")));
    }
}
