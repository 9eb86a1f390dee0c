//! Differences as JSON, for programs.

use serde_json::{Map, Value, json};

use super::counts;
use crate::model::differences::{ChangeKind, FieldChange, ObjectChange, Side};

/// Every object that differs. A value that is not shown is the string of `hidden`, and one that does not exist has no key.
pub fn json(changes: &[ObjectChange]) -> String {
    let [added, removed, changed] = counts(changes);
    let report = json!({
        "summary": {"added": added, "removed": removed, "changed": changed},
        "objects": changes.iter().map(object).collect::<Vec<_>>(),
    });
    format!("{report:#}\n")
}

fn object(change: &ObjectChange) -> Value {
    let (what, fields) = match &change.kind {
        ChangeKind::Added => ("added", &[][..]),
        ChangeKind::Removed => ("removed", &[][..]),
        ChangeKind::Changed(fields) => ("changed", fields.as_slice()),
    };
    let id = &change.id;
    json!({
        "change": what,
        "apiVersion": id.api_version,
        "kind": id.kind,
        "namespace": id.namespace,
        "name": id.name,
        "fields": fields.iter().map(field).collect::<Vec<_>>(),
    })
}

fn field(change: &FieldChange) -> Value {
    let mut field = Map::new();
    field.insert("path".to_owned(), json!(change.path));
    for (key, side) in [("old", &change.old), ("new", &change.new)] {
        match side {
            Some(Side::Value(value)) => {
                field.insert(key.to_owned(), value.clone());
            }
            Some(Side::Hidden) => {
                field.insert(key.to_owned(), json!("(hidden)"));
                field.insert("hidden".to_owned(), json!(true));
            }
            None => {}
        }
    }
    Value::Object(field)
}
