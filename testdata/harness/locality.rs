//! Laws 1 and 4: what was not changed comes back byte for byte, and a change stays in its lines.

use std::collections::HashSet;

use proptest::prelude::*;
use proptest::strategy::Union;
use rhoso_fn::functions::REGISTRY;
use rhoso_fn::krm;
use rhoso_fn::yaml::{Document, Kind, NodeId, Step, stream, write};
use serde_json::{Map, Value, json};

use crate::host::assert_same;
use crate::host::case::wire;
use crate::material::{self, LARGE};

const CONTROL_PLANE: &str = "apiVersion: core.openstack.org/v1beta1\nkind: OpenStackControlPlane\nmetadata:\n  name: changes\nspec: {}\n";
const CONFIG: &str = "apiVersion: fn.rhoso.dev/v1alpha1\nkind: InjectGpuAlias\nspec:\n  aliases:\n  - {name: x, vendorId: '10de', productId: '27b8', deviceType: type-PF}\n  target: {name: changes}\n";

/// Beside a resource that changes, every other one comes back byte for byte, on the wire and in files.
#[test]
fn neighbours_of_a_change_come_back_byte_for_byte() {
    let changed = {
        let outcome = krm::run(wire(&[CONTROL_PLANE], CONFIG).as_bytes(), REGISTRY);
        assert!(!outcome.failed, "{:?}", outcome.findings);
        outcome.stdout
    };
    let entry = |list: &str| {
        let items = list.split_once("items:\n").unwrap().1;
        items.split_once("functionConfig:").unwrap().0.to_owned()
    };
    let (before, after) = (entry(&wire(&[CONTROL_PLANE], CONFIG)), entry(&changed));
    let mut count = 0;
    for (name, text) in material::documents() {
        // On the wire only objects can stand, and the list has one kind of line break.
        if text.len() > LARGE
            || text.contains('\r')
            || !Document::parse(text.as_str()).is_ok_and(|doc| is_mapping(&doc))
        {
            continue;
        }
        let list = wire(&[&text, CONTROL_PLANE, &text], CONFIG);
        if Document::parse(list.as_str()).is_err() {
            continue; // two documents in one may share anchors or break indentation
        }
        let outcome = krm::run(list.as_bytes(), REGISTRY);
        assert!(!outcome.failed, "{name}: {:?}", outcome.findings);
        assert_same(&name, &list.replace(&before, &after), &outcome.stdout);
        count += 1;
    }
    assert!(count > 40, "only {count} documents were tried");
}

fn is_mapping(doc: &Document) -> bool {
    doc.root().is_some_and(|root| matches!(doc.tree().kind(root), Kind::Mapping(_)))
}

/// Documents of a stream and what parts them give the stream again.
#[test]
fn streams_are_cut_without_loss() {
    for (name, text) in material::files() {
        let mut at = 0;
        for range in stream::documents(&text) {
            let between = &text[at..range.start];
            let is_filling = |line: &str| {
                let line = line.trim().trim_start_matches('\u{feff}');
                line.is_empty() || line.starts_with('#') || line.starts_with("---") || line.starts_with("...")
            };
            assert!(between.lines().all(is_filling), "{name}: {between:?}");
            at = range.end;
        }
    }
}

/// Spans nest, follow each other, and hold what they say.
#[test]
fn spans_are_sound() {
    for (name, text) in material::documents() {
        let doc = Document::parse(text.as_str()).unwrap_or_else(|e| panic!("{name}: {e}"));
        if let Some(root) = doc.root() {
            check_spans(&doc, root, &name);
        }
    }
}

fn check_spans(doc: &Document, node: NodeId, name: &str) {
    let span = doc.tree().span(node);
    let mut at = span.start;
    for child in doc.tree().children(node) {
        let (start, end) = (doc.tree().outer_start(child), doc.tree().span(child).end);
        assert!(
            at <= start && start <= end && end <= span.end,
            "{name}: {span:?} holds {start}..{end} behind {at}"
        );
        at = end;
        check_spans(doc, child, name);
    }
}

/// Every field of every document: set, removed, renamed, and one added beside it. Of fields that are laid out alike
/// the one in the smallest document is enough: an edit sees lines, not words.
#[test]
fn edits_of_real_documents_stay_in_their_lines() {
    let (mut edits, mut refused) = (0, 0);
    let mut documents = material::documents();
    documents.retain(|(_, text)| text.len() <= 20_000); // longer are CRDs: thousands of fields that look alike
    documents.sort_by_key(|(_, text)| text.len());
    let mut tried = HashSet::new();
    for (name, text) in documents {
        let doc = Document::parse(text.as_str()).unwrap();
        let Some(root) = doc.root() else { continue };
        let mut paths = Vec::new();
        fields(&doc, root, &mut Vec::new(), &mut paths);
        let stride = 1 + paths.len() / 60;
        for path in paths.iter().step_by(stride) {
            // What an alias means is elsewhere in the document.
            if !tried.insert(layout(&doc, path)) && !doc.tree().has_aliases() {
                continue;
            }
            for edit in Edit::ALL {
                match edit.apply(&doc, path) {
                    Ok(Some(edited)) => {
                        edits += 1;
                        edit.check(&doc, &edited, path, &name);
                    }
                    Ok(None) => {}
                    Err(error) => {
                        refused += 1;
                        let allowed = doc.tree().has_aliases();
                        assert!(allowed, "{name}: {edit:?} of {path:?}: {error}");
                    }
                }
            }
        }
    }
    println!("{edits} edits, {refused} refused");
    assert!(edits > 1_000 && refused * 20 < edits, "{edits} edits, {refused} refused");
}

/// How a field is laid out: its lines and those around it, without their words and their margin, and where in them
/// its value begins. Of a long value the first lines and the last ones.
fn layout(doc: &Document, path: &[Step]) -> (String, usize) {
    const SHOWN: usize = 3;
    let text = doc.text();
    let node = doc.find(path).unwrap();
    let own = lines_of_field(doc, path, node);
    let start = text_line_start(text, own.start.saturating_sub(1));
    let around = &text[start..text_line_end(text, own.end)];
    let indent = |line: &&str| line.len() - line.trim_start_matches(' ').len();
    let margin = around.lines().filter(|line| !line.trim().is_empty()).map(|line| indent(&line)).min();
    let lines = around.split_inclusive('\n').map(|line| line.get(margin.unwrap_or(0)..).unwrap_or("\n"));
    let lines: Vec<&str> = lines.collect();
    let shown = match lines.len().checked_sub(2 * SHOWN) {
        Some(more) if more > 0 => [&lines[..SHOWN], &["..."], &lines[lines.len() - SHOWN..]].concat(),
        _ => lines,
    };
    let before = text.get(start..doc.tree().span(node).start).unwrap_or_default();
    (without_words(&shown.concat()), without_words(before.trim_start()).len())
}

/// A text with one letter for each run of words.
fn without_words(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let is_word = |c: &char| c.is_alphanumeric();
        if is_word(&c) {
            if !out.ends_with('w') {
                out.push('w');
            }
        } else if !(out.ends_with('w') && " -_./:".contains(c) && chars.peek().is_some_and(is_word)) {
            out.push(c);
        }
    }
    out
}

fn fields(doc: &Document, node: NodeId, path: &mut Vec<Step>, paths: &mut Vec<Vec<Step>>) {
    if !path.is_empty() {
        paths.push(path.clone());
    }
    match doc.tree().kind(node) {
        Kind::Mapping(_) => {
            for (key, value) in doc.tree().pairs(node) {
                let Some(key) = doc.key_text(key).filter(|key| *key != "<<") else { continue };
                path.push(Step::Key(key.to_owned()));
                fields(doc, value, path, paths);
                path.pop();
            }
        }
        Kind::Sequence(_) => {
            for (index, child) in doc.tree().children(node).enumerate() {
                path.push(Step::Index(index));
                fields(doc, child, path, paths);
                path.pop();
            }
        }
        _ => {}
    }
}

#[derive(Debug, Clone, Copy)]
enum Edit {
    Set,
    Add,
    Remove,
    Rename,
}

impl Edit {
    const ALL: [Edit; 4] = [Edit::Set, Edit::Add, Edit::Remove, Edit::Rename];

    fn apply(self, doc: &Document, path: &[Step]) -> Result<Option<Document>, rhoso_fn::yaml::YamlError> {
        let (_, parent) = path.split_last().unwrap();
        match (self, path.last().unwrap()) {
            (Edit::Set, _) => doc.set(path, &json!("a new value")),
            (Edit::Remove, _) => doc.remove(path),
            (Edit::Rename, Step::Key(_)) => doc.rename(path, "renamed by a test"),
            (Edit::Rename, Step::Index(_)) => Ok(None),
            (Edit::Add, Step::Key(_)) => {
                doc.set(&[parent, &[Step::Key("added by a test".into())]].concat(), &json!({"x": "1\n2\n"}))
            }
            (Edit::Add, Step::Index(_)) => {
                let list = doc.value(doc.find(parent).unwrap()).unwrap();
                let end = Step::Index(list.as_array().unwrap().len());
                doc.set(&[parent, &[end]].concat(), &json!({"x": "1\n2\n"}))
            }
        }
    }

    /// The text before and after differ in one run of lines; what an edit leaves alone is outside it.
    /// `Document::set` has compared the meanings already: here it is the bytes.
    fn check(self, doc: &Document, edited: &Document, path: &[Step], name: &str) {
        let (old, new) = (doc.text(), edited.text());
        let what = || format!("{name}: {self:?} of {path:?}:\n{}", crate::host::diff(old, new));
        let free = match self {
            Edit::Set | Edit::Remove => lines_of_field(doc, path, doc.find(path).unwrap()),
            // From the line that the last member ends on: that one may get a comma.
            Edit::Add => {
                let parent = doc.find(&path[..path.len() - 1]).unwrap();
                let last = doc.tree().children(parent).last().unwrap();
                text_line_start(old, old[..doc.tree().span(last).end].trim_end().len())..old.len()
            }
            Edit::Rename => {
                let parent = doc.find(&path[..path.len() - 1]).unwrap();
                let Some(Step::Key(name)) = path.last() else { unreachable!() };
                let mut keys = doc.tree().pairs(parent).map(|(key, _)| key);
                doc.tree().span(keys.find(|key| doc.key_text(*key) == Some(name)).unwrap())
            }
        };
        // An alias that is written out where it is edited moves more than its own line.
        if !doc.tree().has_aliases() {
            assert!(new.len() >= old.len() - free.len(), "{}", what());
            assert!(new.starts_with(&old[..free.start]), "{}", what());
            assert!(new.ends_with(&old[free.end..]), "{}", what());
        }
        if let Edit::Add = self {
            // Nothing goes but, in flow style, the place of a comma.
            let diff = similar::TextDiff::from_lines(old, new);
            let gone =
                diff.iter_all_changes().filter(|change| change.tag() == similar::ChangeTag::Delete).count();
            assert!(gone <= 1 || doc.tree().has_aliases(), "{}", what());
        }
    }
}

fn text_line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |i| i + 1)
}

fn text_line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |i| at + i + 1)
}

/// The bytes that an edit of a field may touch: its lines, the comment above it, and in flow style the
/// comma beside it.
fn lines_of_field(doc: &Document, path: &[Step], node: NodeId) -> std::ops::Range<usize> {
    let text = doc.text();
    let (last, parent) = path.split_last().unwrap();
    let parent = doc.find(parent).unwrap();
    let span = doc.tree().span(parent);
    let siblings: Vec<NodeId> = doc.tree().children(parent).collect();
    let at = match last {
        Step::Key(key) => siblings.iter().step_by(2).position(|k| doc.key_text(*k) == Some(key)).unwrap() * 2,
        Step::Index(index) => *index,
    };
    let width = if matches!(last, Step::Key(_)) { 2 } else { 1 };
    // From behind the sibling before to the sibling behind: blanks, comments and commas included.
    // The only member takes the brackets with it: the parent becomes `{}` on the line of its key.
    if siblings.len() == width {
        let outer = doc.tree().outer_start(parent);
        let mut start = text_line_start(text, text[..outer].trim_end().len());
        while text[start..].trim_start().starts_with('#') && start > 0 {
            start = text_line_start(text, start - 1);
        }
        let end = span.end.max(doc.tree().span(node).end);
        return start..text_line_end(text, end);
    }
    let start = if at == 0 { span.start } else { doc.tree().span(siblings[at - 1]).end };
    let end = siblings
        .get(at + width)
        .map_or(span.end.max(doc.tree().span(node).end), |next| doc.tree().outer_start(*next));
    let mut line_start = text_line_start(text, start);
    while let Some(above) = text[..line_start].strip_suffix('\n') {
        let above = text_line_start(text, above.len());
        if !text[above..].trim_start().starts_with('#') {
            break;
        }
        line_start = above;
    }
    line_start..text_line_end(text, end)
}

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

fn any_habits() -> impl Strategy<Value = write::Habits> {
    (2usize..5, prop::sample::select(vec![0usize, 2, 4]), any::<bool>(), any::<bool>()).prop_map(
        |(indent, dash_indent, json, crlf)| write::Habits { indent, dash_indent, literals: true, json, crlf },
    )
}

/// A way through a value, or just beyond it.
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

    /// Whatever is written reads as what was meant, in every habit.
    #[test]
    fn what_is_written_is_what_is_read(value in any_value(), habits in any_habits()) {
        let text = write::document(&value, &habits);
        let doc = Document::parse(text.as_str()).map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
        prop_assert_eq!(normal(&doc.root_value().unwrap()), normal(&value), "{}", text);
    }

    /// Any value can be set at any place of any document and removed again; nothing is ever refused.
    #[test]
    fn any_edit_of_any_document_means_what_it_says(
        base in any_value(), habits in any_habits(), new in any_value(),
        at in any::<prop::sample::Index>(), open_end in any::<bool>(),
    ) {
        let base = json!({"root": base, "tail": "t"});
        let mut text = write::document(&base, &habits);
        if open_end {
            text.truncate(text.trim_end().len());
        }
        let Ok(doc) = Document::parse(text.as_str()) else { return Ok(()) };
        let base = doc.root_value().unwrap();
        let all = paths(&base);
        let path = &all[at.index(all.len())];
        let edited = doc.set(path, &new).map_err(|e| TestCaseError::fail(format!("{e}\n{path:?}\n{text}")))?;
        let edited = edited.unwrap_or(doc);
        let there = edited.value(edited.find(path).unwrap()).unwrap();
        prop_assert_eq!(normal(&there), normal(&new), "{}", edited.text());
        if !path.is_empty() {
            let removed = edited.remove(path).map_err(|e| TestCaseError::fail(format!("{e}\n{path:?}\n{}", edited.text())))?;
            prop_assert!(removed.is_some());
        }
    }

    /// No text makes the reader panic, and reading changes no text.
    #[test]
    fn any_text_is_read_or_refused(text in "(?s)[ \\-:#ab\"'{}\\[\\]|>&*!%@`,?\n\t\r~0-9]{0,40}") {
        if let Ok(doc) = Document::parse(text.as_str()) {
            prop_assert_eq!(doc.text(), text.as_str());
            if let Some(root) = doc.root() {
                check_spans(&doc, root, &text);
                let mut all = Vec::new();
                fields(&doc, root, &mut Vec::new(), &mut all);
                for path in all {
                    // Odd texts may be refused; a panic or another meaning is what must not happen.
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

/// Whole floats are integers once written.
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
