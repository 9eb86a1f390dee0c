//! Random values, documents and edits.

use proptest::prelude::*;
use proptest::strategy::Union;
use rhoso_fn::functions::REGISTRY;
use rhoso_fn::krm;
use rhoso_fn::yaml::{Document, Step, write};
use serde_json::{Map, Value, json};

use super::check_spans;
use super::edit::Edit;
use super::field::fields;

fn any_string() -> impl Strategy<Value = String> {
    Union::new_weighted(vec![
        (4, "[a-z]{1,8}".boxed()),
        (2, "[ -~]{0,12}".boxed()),
        (2, "[ \\-:#a\"'{}\\[\\]|>&*!%@`,?\n\t]{0,10}".boxed()),
        (1, "(?s).{0,12}".boxed()),
        (1, "([ a-z#:-]{0,6}\n){1,4}[a-z]{0,3}".boxed()),
        (1, prop::sample::select(crate::readers::NASTY.to_vec()).prop_map(str::to_owned).boxed()),
    ])
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        4 => any_string().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        1 => Just(Value::Null),
        1 => (-1e6f64..1e6).prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec((any_string(), inner), 0..4)
                .prop_map(|pairs| Value::Object(Map::from_iter(pairs))),
        ]
    })
}

fn any_formatting() -> impl Strategy<Value = write::Formatting> {
    (2usize..5, prop::sample::select(vec![0usize, 2, 4]), any::<bool>(), any::<bool>()).prop_map(
        |(indent, dash_indent, json, crlf)| write::Formatting {
            indent,
            dash_indent,
            literals: true,
            json,
            crlf,
        },
    )
}

/// All paths in a value, and for each collection one to a new member.
fn paths(value: &Value) -> Vec<Vec<Step>> {
    let mut found = vec![Vec::new()];
    let mut children: Vec<(Step, Option<&Value>)> = Vec::new();
    match value {
        Value::Object(map) => {
            children.extend(map.iter().map(|(key, value)| (Step::Key(key.clone()), Some(value))));
            children.push((Step::Key("new".into()), None));
        }
        Value::Array(list) => {
            children.extend(list.iter().enumerate().map(|(i, value)| (Step::Index(i), Some(value))));
            children.push((Step::Index(list.len()), None));
        }
        _ => {}
    }
    for (step, child) in children {
        match child {
            None => found.push(vec![step]),
            Some(child) => {
                found.extend(paths(child).into_iter().map(|rest| [vec![step.clone()], rest].concat()));
            }
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    /// A written value is read as the same value, in every formatting.
    #[test]
    fn written_values_are_read_as_the_same(value in any_value(), formatting in any_formatting()) {
        let text = write::document(&value, &formatting);
        let doc = Document::parse(text.as_str()).map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
        prop_assert_eq!(normal(&doc.root_value().unwrap()), normal(&value), "{}", text);
    }

    /// Any value can be set at any path of any document and then removed, without a refusal.
    #[test]
    fn any_edit_of_any_document_has_the_intended_value(
        base in any_value(), formatting in any_formatting(), new in any_value(),
        at in any::<prop::sample::Index>(), open_end in any::<bool>(),
    ) {
        let base = json!({"root": base, "tail": "t"});
        let mut text = write::document(&base, &formatting);
        if open_end {
            text.truncate(text.trim_end().len());
        }
        let Ok(doc) = Document::parse(text.as_str()) else { return Ok(()) };
        let base = doc.root_value().unwrap();
        let all = paths(&base);
        let path = &all[at.index(all.len())];
        let edited = doc.set(path, &new).map_err(|e| TestCaseError::fail(format!("{e}\n{path:?}\n{text}")))?;
        let edited = edited.unwrap_or(doc);
        let current = edited.value(edited.find(path).unwrap()).unwrap();
        prop_assert_eq!(normal(&current), normal(&new), "{}", edited.text());
        if !path.is_empty() {
            let removed = edited.remove(path).map_err(|e| TestCaseError::fail(format!("{e}\n{path:?}\n{}", edited.text())))?;
            prop_assert!(removed.is_some());
        }
    }

    /// No text causes a panic, and reading does not change the text.
    #[test]
    fn any_text_is_read_or_refused(text in "(?s)[ \\-:#ab\"'{}\\[\\]|>&*!%@`,?\n\t\r~0-9]{0,40}") {
        if let Ok(doc) = Document::parse(text.as_str()) {
            prop_assert_eq!(doc.text(), text.as_str());
            if let Some(root) = doc.root() {
                check_spans(&doc, root, &text);
                let mut all = Vec::new();
                fields(&doc, root, &mut Vec::new(), &mut all);
                for path in all {
                    // An edit of such a document may be refused, but it must not panic.
                    for edit in Edit::ALL {
                        drop(edit.apply(&doc, &path));
                    }
                }
            }
        }
        let outcome = krm::run(text.as_bytes(), REGISTRY);
        prop_assert!(outcome.failed);
    }
}

/// The value after writing and reading: whole floats become integers.
fn normal(value: &Value) -> Value {
    match value {
        Value::Number(n) => match n.as_f64() {
            Some(f) if n.as_i64().is_none() && f.fract() == 0.0 && f.abs() < 9e15 => json!(f as i64),
            _ => value.clone(),
        },
        Value::Array(list) => list.iter().map(normal).collect(),
        Value::Object(map) => Value::Object(map.iter().map(|(k, v)| (k.clone(), normal(v))).collect()),
        other => other.clone(),
    }
}
