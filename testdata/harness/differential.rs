//! Compares our reader with those of other tools, on randomly damaged documents.

use rhoso_fn::yaml::scalar::Scalar;
use rhoso_fn::yaml::{Document, Kind, NodeId, Style};
use serde_json::{Value, json};

use crate::fuzz;
use crate::material;
use crate::mutation::Mutation;
use crate::oracle::Oracle;

/// The value of a document as we read it, including floats that JSON cannot express.
pub fn ours(text: &str) -> Result<Value, String> {
    let doc = Document::parse(text).map_err(|e| e.to_string())?;
    Ok(doc.root().map_or(Value::Null, |root| convert(&doc, root)))
}

fn convert(doc: &Document, node: NodeId) -> Value {
    let node = doc.resolve(node);
    match doc.tree().kind(node) {
        Kind::Mapping(_) => {
            doc.entries(node).into_iter().map(|(k, v)| (k.to_owned(), convert(doc, v))).collect()
        }
        Kind::Sequence(_) => doc.tree().children(node).map(|child| convert(doc, child)).collect(),
        Kind::Scalar(_) | Kind::Alias => match doc.scalar(node).unwrap() {
            Scalar::Float(f) if f.is_nan() => json!({"not in JSON": "NaN"}),
            Scalar::Float(f) if f.is_infinite() => {
                json!({"not in JSON": if f > 0.0 { "+Inf" } else { "-Inf" }})
            }
            _ => doc.value(node).unwrap(),
        },
    }
}

/// The document in the form that the PyYAML oracle prints: scalars as text, and mappings as lists of pairs.
pub fn texts(text: &str) -> Value {
    fn walk(doc: &Document, node: NodeId) -> Value {
        let node = doc.resolve(node);
        let children = || doc.tree().children(node).map(|child| walk(doc, child));
        match doc.tree().kind(node) {
            Kind::Mapping(_) => {
                let children: Vec<Value> = children().collect();
                json!({"pairs": children.chunks(2).collect::<Vec<_>>()})
            }
            Kind::Sequence(_) => children().collect(),
            Kind::Scalar(_) | Kind::Alias => json!(doc.key_text(node)),
        }
    }
    let doc = Document::parse(text).unwrap();
    doc.root().map_or(Value::Null, |root| walk(&doc, root))
}

/// The messages for forms that go-yaml accepts and we reject. The README lists these forms.
const REFUSED: &[&str] = &[
    "a carriage return without a line feed after it",
    "a key is missing here",
    "a key must be written on one line",
    "a BOM must not appear inside a document",
    "comments must be separated from other tokens",
    "invalid indentation in multiline quoted scalar",
    "simple key expected ':'",
    "tab cannot be used as indentation",
    "tabs disallowed within this context",
    "kustomize and kubectl read U+0085, U+2028 and U+2029 as line breaks",
    "is given twice",
    "a tab indents this line",
    "did not find expected ',' or '}'",
    "put this text in quotes",
    "while parsing a tag",
    "while scanning a tag",
    "has no value",
    "contains a character that is not allowed in anchors and tags",
    "found unknown escape character",
    "plain scalar cannot start with",
    "readers disagree about the tag `!`",
    "add a space after the colon of this key",
    "only the key `<<` can have the tag `!!merge`",
    "wrongly indented line in block scalar",
];

/// Whether a key is empty. go-yaml reads `&anchor:` and `?` as an empty key, which no Kubernetes object has.
fn has_empty_key(value: &Value) -> bool {
    match value {
        Value::Object(map) => map.contains_key("") || map.values().any(has_empty_key),
        Value::Array(list) => list.iter().any(has_empty_key),
        _ => false,
    }
}

/// Whether the whole document is a block scalar. Other readers read none of its lines that begin at the margin, but no
/// manifest is a scalar.
fn is_block_scalar(text: &str) -> bool {
    let Ok(doc) = Document::parse(text) else { return false };
    let is_block = |root| matches!(doc.tree().kind(root), Kind::Scalar(Style::Literal | Style::Folded));
    doc.root().is_some_and(is_block)
}

/// We reject what other readers reject, and what we accept has the same value for them.
#[test]
fn damaged_documents_mean_the_same_to_other_readers() {
    let (Some(mut go), Some(mut python)) = (Oracle::go_yaml(), Oracle::pyyaml()) else { return };
    let material: Vec<String> =
        material::documents().into_iter().map(|(_, text)| text).filter(|text| text.len() < 1_000).collect();
    let mut mutation = Mutation::new(fuzz::seed(3));
    let (mut asked, mut accepted, mut stricter, mut python_refuses) = (0, 0, 0, 0);
    while asked < fuzz::count(2_000) {
        let text = mutation.damaged(&material);
        // Document boundaries are not part of this test.
        if ["---", "...", "%"].iter().any(|marker| text.contains(marker)) {
            continue;
        }
        asked += 1;
        match (ours(&text), go.ask(&text)) {
            (Ok(ours), Ok(theirs)) => {
                // YAML 1.1 treats these as line breaks in quoted strings.
                let folds = text.contains(['\u{85}', '\u{2028}', '\u{2029}']);
                let may_differ = folds || is_block_scalar(&text);
                if !may_differ {
                    assert_eq!(ours, theirs, "{text:?}");
                }
                accepted += 1;
                match python.ask(&text) {
                    Ok(theirs) if !may_differ => assert_eq!(texts(&text), theirs, "{text:?}"),
                    Ok(_) => {}
                    Err(_) => python_refuses += 1,
                }
            }
            // Scalars and lists do not matter, because a manifest is a mapping. kubectl reads JSON with another reader.
            (Ok(Value::Object(_)), Err(error))
                if !(text.contains("\\/") && text.trim_start().starts_with('{')) =>
            {
                panic!("we accept what go-yaml refuses ({error}): {text:?}")
            }
            (Err(error), Ok(theirs @ Value::Object(_))) if !has_empty_key(&theirs) => {
                stricter += 1;
                let is_listed = REFUSED.iter().any(|reason| error.contains(reason));
                assert!(is_listed, "we refuse what go-yaml accepts ({error}): {text:?}");
            }
            _ => {}
        }
    }
    println!(
        "{asked} damaged documents: {accepted} have the same meaning for go-yaml and us, only go-yaml accepts {stricter}, \
         {python_refuses} PyYAML refuses"
    );
    assert!(accepted * 4 > asked, "only {accepted} of {asked} were accepted");
}
