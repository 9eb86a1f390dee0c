//! Reads HTML as strictly as XML, to find out whether a page is well-formed and what it contains.

use std::collections::{BTreeMap, BTreeSet};

/// Elements without an end tag.
const VOID: [&str; 2] = ["meta", "br"];

pub type Attributes = BTreeMap<String, String>;

pub struct Page {
    pub html: String,
    /// The text outside of tags, without references to characters.
    pub text: String,
    elements: Vec<(String, Attributes)>,
}

impl Page {
    /// Fails if a tag is not closed, or not read completely.
    #[track_caller]
    pub fn read(html: &str) -> Self {
        let (mut text, mut elements, mut open) = (String::new(), Vec::new(), Vec::new());
        let mut rest = html.strip_prefix("<!DOCTYPE html>\n").unwrap();
        while let Some((before, after)) = rest.split_once('<') {
            text.push_str(&unescaped(before));
            let (tag, after) = after.split_once('>').unwrap();
            rest = after;
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop().as_deref(), Some(name), "{text}");
                continue;
            }
            let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
            assert!(name.bytes().all(|b| b.is_ascii_alphanumeric()), "{tag}");
            if !VOID.contains(&name) {
                open.push(name.to_owned());
            }
            elements.push((name.to_owned(), read_attributes(attributes)));
        }
        assert_eq!((open, rest.trim()), (Vec::new(), ""));
        Page { html: html.to_owned(), text, elements }
    }

    /// The attributes of elements whose attribute starts with a text.
    pub fn all(&self, element: &str, attribute: &str, start: &str) -> Vec<&Attributes> {
        let of_kind =
            self.elements.iter().filter(|(name, _)| name == element).map(|(_, attributes)| attributes);
        of_kind.filter(|one| one.get(attribute).is_some_and(|value| value.starts_with(start))).collect()
    }

    /// The page loads nothing and runs nothing, its ids are unique, and its links lead somewhere.
    #[track_caller]
    pub fn expect_valid(&self) {
        let mut ids = BTreeSet::new();
        for (name, attributes) in &self.elements {
            assert!(!["script", "link", "img", "iframe", "object"].contains(&name.as_str()), "{name}");
            assert!(!attributes.keys().any(|key| key.starts_with("on") || key == "src"), "{attributes:?}");
            assert!(attributes.get("id").is_none_or(|id| ids.insert(id)), "{attributes:?}");
        }
        for (_, attributes) in &self.elements {
            let is_dead =
                |href: &String| !href.strip_prefix('#').is_some_and(|id| ids.contains(&id.to_owned()));
            assert!(!attributes.get("href").is_some_and(is_dead), "{attributes:?}");
        }
        assert!(!self.html.contains("://") && !self.html.contains("url(") && !self.html.contains("@import"));
    }
}

/// `a="1" b="2"`
#[track_caller]
fn read_attributes(text: &str) -> Attributes {
    let mut attributes = Attributes::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (name, after) = rest.split_once("=\"").unwrap();
        let (value, after) = after.split_once('"').unwrap();
        attributes.insert(name.to_owned(), unescaped(value));
        rest = after.trim_start();
    }
    attributes
}

fn unescaped(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
    text.replace("&amp;", "&")
}
