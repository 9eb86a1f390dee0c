//! What the nodes of a document mean, as JSON values.

use serde_json::{Map, Number, Value};

use super::document::Document;
use super::error::YamlError;
use super::events::Style;
use super::scalar::{self, Scalar};
use super::tree::{Kind, NodeId};

/// How many more nodes than the text a value may have. Through aliases, a short text can expand to an
/// exponentially large value.
const ALIAS_ALLOWANCE: usize = 1_000_000;

/// The deepest nesting of a value. The parser limits the nesting of the text, but aliases can nest deeper and
/// would overflow the stack.
const MAX_DEPTH: usize = 256;

impl Document {
    pub fn scalar(&self, id: NodeId) -> Option<Scalar<'_>> {
        let id = self.resolve(id);
        let Kind::Scalar(style) = self.tree.kind(id) else { return None };
        let text = self.tree.text(&self.text, id);
        Some(match self.tree.properties(id).and_then(|p| p.tag.as_deref()) {
            Some(tag) => scalar::resolve_tagged(tag, text),
            None if style == Style::Plain => scalar::resolve(text),
            None => Scalar::Str(text),
        })
    }

    /// The node as a value, with aliases and merge keys resolved.
    pub fn value(&self, id: NodeId) -> Result<Value, YamlError> {
        let mut budget = self.tree.len() + ALIAS_ALLOWANCE;
        self.value_within(id, 0, &mut budget)
    }

    /// The whole document as a value.
    pub fn root_value(&self) -> Result<Value, YamlError> {
        self.root().map_or(Ok(Value::Null), |root| self.value(root))
    }

    /// The node as a value. Each of its nodes is deducted from the budget.
    fn value_within(&self, id: NodeId, depth: usize, budget: &mut usize) -> Result<Value, YamlError> {
        *budget = budget.checked_sub(1).ok_or_else(|| {
            self.error(id, "the aliases of this document expand to more than a million nodes")
        })?;
        if depth > MAX_DEPTH {
            return Err(self.error(id, "the aliases of this document are nested too deeply"));
        }
        let id = self.resolve(id);
        match self.tree.kind(id) {
            Kind::Sequence(_) => {
                self.tree.children(id).map(|child| self.value_within(child, depth + 1, budget)).collect()
            }
            Kind::Mapping(_) => {
                if let Some((key, _)) = self.own_pairs(id).find(|(key, _)| self.key_text(*key).is_none()) {
                    return Err(self.error(key, "a mapping key must be a string"));
                }
                let mut map = Map::new();
                for (key, value) in self.entries(id) {
                    map.insert(key.to_owned(), self.value_within(value, depth + 1, budget)?);
                }
                Ok(Value::Object(map))
            }
            Kind::Scalar(_) | Kind::Alias => self.scalar_value(id),
        }
    }

    fn scalar_value(&self, id: NodeId) -> Result<Value, YamlError> {
        Ok(match self.scalar(id).unwrap_or(Scalar::Null) {
            Scalar::Null => Value::Null,
            Scalar::Bool(b) => Value::Bool(b),
            Scalar::Int(i) => Value::from(i),
            Scalar::Uint(u) => Value::from(u),
            Scalar::Float(f) => {
                float_value(f).ok_or_else(|| self.error(id, "JSON cannot represent infinity and NaN"))?
            }
            Scalar::Str(s) => Value::from(s),
        })
    }
}

/// A float as JSON. Whole floats become integers, as in the API server.
fn float_value(f: f64) -> Option<Value> {
    const EXACT: f64 = 9_007_199_254_740_992.0; // 2^53
    if f.fract() == 0.0 && f.abs() <= EXACT {
        Some(Value::from(f as i64))
    } else {
        Number::from_f64(f).map(Value::Number)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::document::Step;
    use super::*;

    fn value(text: &str) -> Value {
        Document::parse(text).unwrap().root_value().unwrap()
    }

    #[test]
    fn merge_keys_add_missing_keys() {
        let text =
            "a: &a {x: 1, y: 2}\nb: &b {y: 3, z: 4}\nc:\n  !!merge <<: [*a, *b]\n  x: 0\nd:\n  <<: *b\n";
        let v = value(text);
        assert_eq!(v["c"], json!({"x": 0, "y": 2, "z": 4}));
        assert_eq!(v["d"], json!({"y": 3, "z": 4}));
        let doc = Document::parse(text).unwrap();
        let path = [Step::Key("c".into()), Step::Key("z".into())];
        assert_eq!(doc.source(doc.find(&path).unwrap()), "4");
    }

    #[test]
    fn a_quoted_merge_indicator_is_a_key() {
        assert_eq!(value("\"<<\": {a: 1}\n"), json!({"<<": {"a": 1}}));
    }

    #[test]
    fn whole_floats_are_integers() {
        assert_eq!(value("[1e3, 1.0, 0.5, 1e30]"), json!([1000, 1, 0.5, 1e30]));
    }

    #[test]
    fn an_alias_bomb_is_refused() {
        let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for i in 1..12 {
            let before = format!("*a{}, ", i - 1).repeat(10);
            text.push_str(&format!("a{i}: &a{i} [{before}]\n"));
        }
        let doc = Document::parse(text).unwrap();
        assert!(doc.root_value().unwrap_err().message().contains("aliases"));
    }

    #[test]
    fn merge_bombs_and_chains_of_aliases_are_harmless() {
        let mut bomb = String::from("a0: &a0 {x: 1}\n");
        let mut chain = bomb.clone();
        for i in 1..60 {
            let before = format!("*a{}", i - 1);
            bomb.push_str(&format!("a{i}: &a{i} {{<<: [{before}, {before}]}}\n"));
        }
        let doc = Document::parse(bomb).unwrap();
        let path = ["a59", "y"].map(|key| Step::Key(key.into()));
        assert_eq!(doc.find(&path), None);
        assert_eq!(doc.root_value().unwrap()["a59"], json!({"x": 1}));
        for i in 1..20_000 {
            chain.push_str(&format!("a{i}: &a{i} [*a{}]\n", i - 1));
        }
        let doc = Document::parse(chain).unwrap();
        assert!(doc.root_value().unwrap_err().message().contains("nested too deeply"));
        // In a list, `<<` is a string.
        assert_eq!(value("[<<, {kind: X}]"), json!(["<<", {"kind": "X"}]));
    }

    #[test]
    fn a_list_entry_is_read_like_a_document() {
        let doc = Document::parse_entry("  - # head\n    kind: A\n    n: [1]\n").unwrap();
        assert_eq!(doc.root_value().unwrap(), json!({"kind": "A", "n": [1]}));
    }
}
