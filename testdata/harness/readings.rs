//! The fast reader and the parser's events must give the same result, on all test data and on randomly
//! damaged documents. The fast reader may decline any text, but must be right about what it accepts.
//!
//! `make readings` compares them on ten million damaged documents and 2.5 million damaged lists.

use rhoso_fn::krm::{Fault, FieldPath, Finding, Id, Resource, ResourceList, Severity, rules};
use rhoso_fn::yaml::{Document, Outline, Text, Tree, VisitedEntry, stream};
use serde_json::{Value, json};

use crate::host::case::wire;
use crate::material::{self, LARGE};
use crate::mutation::Mutation;

/// Compares both readers on a document, and returns whether the fast reader accepted it.
#[track_caller]
fn compare(name: &str, text: &str) -> bool {
    let Some(fast) = Tree::parse_subset(text) else { return false };
    match Tree::parse_events(text) {
        Ok(slow) => assert!(fast == slow, "{name} is read in two ways: {text:?}\n{fast:?}\n{slow:?}"),
        Err(error) => panic!("{name} is accepted, but {error}:\n{text}"),
    }
    true
}

/// What few test cases contain: each document must take the fast way, and damaged ones are compared.
const STYLES: &str = include_str!("readings/styles.yaml");

fn styles() -> Vec<String> {
    stream::documents(STYLES).into_iter().map(|range| STYLES[range].to_owned()).collect()
}

#[test]
fn every_style_takes_the_fast_way() {
    for text in styles() {
        for text in [text.replace('\n', "\r\n"), text] {
            assert!(compare("this document", &text), "{text}");
        }
    }
}

fn cases() -> usize {
    std::env::var("READINGS").map_or(10_000, |count| count.parse().unwrap())
}

#[test]
fn material_is_read_the_same_both_ways() {
    let (mut bytes, mut fast) = (0, 0);
    for (name, text) in material::documents() {
        bytes += text.len();
        if compare(&name, &text) {
            fast += text.len();
        }
    }
    println!("{fast} of {bytes} bytes take the fast way");
}

#[test]
fn damaged_documents_are_read_the_same_both_ways() {
    let cases = cases();
    let material: Vec<String> =
        material::documents().into_iter().map(|(_, text)| text).filter(|text| text.len() < 4_000).collect();
    let styles = styles();
    let mut mutation = Mutation::new(1);
    let mut accepted = 0;
    for case in 0..cases {
        let from = if mutation.below(2) == 0 { &material } else { &styles };
        let text = mutation.damaged(from);
        let text = if mutation.below(8) == 0 { text.replace('\n', "\r\n") } else { text };
        accepted += usize::from(compare(&format!("case {case}"), &text));
    }
    println!("{accepted} of {cases} cases take the fast way");
    assert!(accepted * 20 > cases, "only {accepted} of {cases} documents were accepted");
}

const CONFIG: &str = "apiVersion: fn.rhoso.dev/v1alpha1\nkind: InjectGpuAlias\nspec: {}\n";

/// Compares both readers on a list, and returns whether the fast reader accepted it.
#[track_caller]
fn compare_lists(name: &str, text: &str) -> bool {
    match (ResourceList::parse(text), ResourceList::parse_whole(text)) {
        (Ok(mut fast), Ok(mut slow)) => {
            assert_eq!(seen(&fast), seen(&slow), "{name} is read in two ways: {text:?}");
            // Anchors decide whether an item can be edited, and braces how the list is written.
            if text.contains('&') || text.starts_with('{') {
                assert_eq!(edits(&mut fast), edits(&mut slow), "{name} is edited in two ways: {text:?}");
                assert_eq!(longer(&mut fast), longer(&mut slow), "{name} is written in two ways: {text:?}");
            }
        }
        (fast, slow) => {
            let message = |read: Result<ResourceList, Fault>| read.err().map(|f| f.into_finding().message);
            assert_eq!(message(fast), message(slow), "{name}: {text:?}");
        }
    }
    takes_the_fast_way(name, text)
}

/// Whether the fast reader accepts a list. How many parts it is read in must not matter.
#[track_caller]
fn takes_the_fast_way(name: &str, text: &str) -> bool {
    let text = Text::from(&text[stream::first_document(text)..]);
    let whole = outline(&text, 0);
    for parts in [2, 9] {
        assert_eq!(whole, outline(&text, parts), "{name} is read in two ways in {parts} parts: {text:?}");
    }
    whole.is_some()
}

/// The tree of a list that is read in parts, and the text of its entries.
fn outline(text: &Text, parts: usize) -> Option<(Tree, Vec<(String, bool)>)> {
    let outline = Outline::new(text, "items", parts);
    let visit = |entry: VisitedEntry<'_>| (entry.doc.source(entry.node).to_owned(), entry.is_simple);
    let parts: Option<Vec<_>> =
        (0..outline.part_count()).map(|part| outline.read_part(part, &visit)).collect();
    let (doc, visited) = outline.read(parts.unwrap_or_default(), &visit)?;
    Some((doc.tree().clone(), visited))
}

/// If the fast reader declines a part of a list, it still reads the rest.
#[test]
fn doubtful_parts_of_a_list_are_read_by_themselves() {
    let items = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  text: |\n    x\n";
    let config = "apiVersion: fn.rhoso.dev/v1alpha1\nkind: InjectGpuAlias\nmetadata:\n  name: x\n";
    let annotated = format!(
        "{config}  annotations:\n    config.kubernetes.io/function: | # how kustomize finds the program\n      exec:\n        path: rhoso-fn\n"
    );
    let flow = format!("{config}spec: {{aliases: [{{name: a, gpu: L4}}]}}\n");
    let anchored = format!("{config}spec:\n  a: &a\n    - 1\n  b: *a\n");
    for config in [config, &annotated, &flow, &anchored] {
        let list = wire(&[items, items], config);
        let (head, tail) = list.split_once("items:\n").unwrap();
        let (entries, function_config) = tail.split_once("functionConfig:\n").unwrap();
        let config_first = format!("{head}functionConfig:\n{function_config}items:\n{entries}");
        let as_json = format!(
            "{head}items:\n{entries}functionConfig: {{\"kind\": \"A\", \"l\": [1, 2]}}\nresults: [{{a: 1}}]\n"
        );
        for list in [&list, &config_first, &as_json] {
            for text in [
                list.clone(),
                format!("---\n{list}"),
                format!("# c\n\n--- # d\n{list}"),
                format!("\u{feff}{list}"),
                format!("\u{feff}---\n{list}"),
                list.trim_end().to_owned(),
            ] {
                let open_literal = !text.ends_with('\n') && text.ends_with("    x");
                assert!(compare_lists("this list", &text) || open_literal, "{text}");
            }
        }
    }
}

#[test]
fn a_bracket_does_not_begin_a_list_of_resources() {
    let text = "[\"apiVersion\": \"config.kubernetes.io/v1\", \"kind\": \"ResourceList\", \"items\": []}\n";
    assert!(!compare_lists("this list", text));
}

/// Parts of a list are read before it is known that the text is valid.
#[test]
fn a_lone_carriage_return_in_json_is_refused() {
    for item in ["{\"a\":1,\r\u{e9}: 1,\"b\":2}", "{\"a\":1,\"kind\":\r\u{e9}}", "{\"a\":[1\r\u{e9},1]}"] {
        let text =
            json!({"kind": "List", "items": []}).to_string().replace("[]", &format!("[{item},{item}]"));
        assert!(!compare_lists("this list", &text), "{text:?}");
    }
}

/// Results are replaced, but an alias still needs their anchor.
#[test]
fn results_that_an_alias_repeats_are_printed_the_same_both_ways() {
    let text = format!("{}results: &r\n  - message: a\nother: *r\n", wire(&["kind: A\n"], CONFIG));
    assert!(compare_lists("this list", &text));
}

/// The observable state of a list: the ids and spans of its items, and the output.
fn seen(list: &ResourceList) -> (Vec<(Id, String)>, String) {
    let parts = list.items.iter().chain(&list.function_config);
    let finding = Finding::new(Severity::Error, &rules::YAML, "message");
    let given = list.print_given(&[finding]).iter().map(|piece| &**piece).collect();
    (parts.map(|item| (item.id().clone(), item.text().to_owned())).collect(), given)
}

/// Whether each item can be edited, or why not: with anchors, that depends on other items. The first text in each is
/// replaced, which may need only a part of the item, and every second one gets another field.
fn edits(list: &mut ResourceList) -> Vec<Option<String>> {
    let edit = |(index, item): (usize, &mut Resource)| {
        let text = item.document().and_then(|doc| first_text(&doc.root_value().ok()?, &FieldPath::default()));
        item.release();
        let has_text = text.is_some();
        if let Some(path) = text {
            item.set(&path, "edited")?;
        }
        if has_text && index % 2 == 0 { Ok(()) } else { item.set(&FieldPath::new("edited"), true) }
    };
    let errors = list.items.iter_mut().enumerate().map(edit).map(Result::err);
    errors.map(|error| error.map(|fault| fault.into_finding().message)).collect()
}

/// Where the first text below the second level is.
fn first_text(value: &Value, path: &FieldPath) -> Option<FieldPath> {
    match value {
        Value::String(_) => (path.steps().len() > 2).then(|| path.clone()),
        Value::Object(fields) => {
            fields.iter().find_map(|(key, value)| first_text(value, &path.clone().key(key.clone())))
        }
        Value::Array(list) => {
            let mut list = list.iter().enumerate();
            list.find_map(|(index, value)| first_text(value, &path.clone().index(index)))
        }
        _ => None,
    }
}

/// The output with one more item and a finding.
fn longer(list: &mut ResourceList) -> Option<String> {
    list.items.push(Resource::new(&json!({"kind": "B", "metadata": {"name": "new"}})).unwrap());
    let finding = Finding::new(Severity::Error, &rules::YAML, "message");
    Some(list.print(&[finding]).ok()?.iter().map(|piece| &**piece).collect())
}

/// Only the key `items` holds the resources, however it is written. A list below a merge key holds them too, and is copied
/// when it changes.
#[test]
fn the_list_in_braces_has_an_exact_key() {
    let item = r#"{"kind": "A", "metadata": {"name": "x"}}"#;
    for key in [r#""items""#, "items", "'items'", r#""item\u0073""#] {
        for other in [r#""items'""#, r#""items:""#, "items:x", r#"items"x"#, "'items '"] {
            let text = format!(
                r#"{{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", {other}: [{}], {key}: [{item}, {item}]}}"#,
                item.replace('x', "other")
            );
            compare_lists(&text, &text);
            let list = ResourceList::parse(&text).unwrap();
            assert!(list.items.iter().all(|item| item.id().name == "x"), "{text}");
        }
    }
    let text = format!(
        r#"{{apiVersion: config.kubernetes.io/v1, kind: ResourceList, <<: {{items: [{item}, {item}]}}, functionConfig: {{}}}}"#
    );
    compare_lists(&text, &text);
    let written = longer(&mut ResourceList::parse(&text).unwrap()).unwrap();
    assert!(written.starts_with(text.trim_end_matches('}')), "{written}");
}

/// An item that another one borrows an anchor from is the only one that must not change.
#[test]
fn an_alias_to_another_item_is_read_the_fast_way() {
    let item = |name: &str, rest: &str| format!("kind: A\nmetadata:\n  name: {name}\n{rest}\n");
    let odd = item("d", "? odd\n: &odd 1");
    let items = [item("a", "x: &x 1"), item("b", "y: *x"), item("c", "z: 1"), odd, item("e", "w: *odd")];
    let text = wire(&items.each_ref().map(String::as_str), CONFIG);
    assert!(compare_lists("this list", &text));
    let edits = edits(&mut ResourceList::parse(text).unwrap());
    let refused = |why: &str| -> Vec<bool> {
        edits.iter().map(|error| error.as_ref().is_some_and(|error| error.contains(why))).collect()
    };
    let lends = refused("another item of the list uses an anchor");
    assert_eq!(lends, [true, false, false, true, false], "{edits:?}");
    assert_eq!(refused("cannot be read by itself"), [false, true, false, false, true], "{edits:?}");
    // What an item is must be known.
    let named = [item("&n a", ""), item("*n", "")];
    assert!(!compare_lists("this list", &wire(&named.each_ref().map(String::as_str), CONFIG)));
}

/// An alias means the last anchor of its name, wherever the list is divided, and an item that looks like an entry of the
/// list but belongs to something else is not one.
#[test]
fn parts_of_a_list_agree_on_anchors_and_ends() {
    let item = |rest: &str| format!("kind: A\n{rest}\n");
    let borrowing = "x: *x\ny: &x 2\nz: *y";
    let items =
        ["x: &x 1\ny: &y 1", "x: &x 1", borrowing, "? odd\n: &x 1", "x: *x", "x: [\n  1]", "x: \"a\u{85}b\""];
    let items = items.map(item);
    for count in 1..=items.len() {
        let block = wire(&items[..count].iter().map(String::as_str).collect::<Vec<_>>(), CONFIG);
        let wide = block.replace("\n  ", "\n    ").replace("\n- ", "\n  - ");
        for text in [block, wide] {
            let decoy = format!("{text}results:\n- kind: B\n- kind: C\nother:\n  - kind: D\n");
            assert!(compare_lists("this list", &text) & compare_lists("this list", &decoy), "{text}");
        }
    }
    let nested = json!({"kind": "List", "items": [{"kind": "A", "items": [{"kind": "B"}, {"kind": "C"}]}, {"kind": "D"}]});
    for text in [nested.to_string(), format!("{nested:#}"), nested.to_string().replace(',', ", ")] {
        assert!(takes_the_fast_way("this list", &text), "{text}");
    }
    assert!(!takes_the_fast_way("this list", &nested.to_string().replace("}]}", "},]}")));
}

/// A list of these items in JSON, on one line or indented.
fn as_json(items: &[&str], is_indented: bool) -> String {
    let value = |text: &str| Document::parse(text).ok().and_then(|doc| doc.root_value().ok());
    let items: Vec<Value> = items.iter().filter_map(|text| value(text)).collect();
    let list = json!({"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": items,
                      "functionConfig": value(CONFIG)});
    if is_indented { format!("{list:#}") } else { list.to_string() }
}

#[test]
fn lists_of_material_are_read_the_same_both_ways() {
    let (mut lists, mut fast) = (0, 0);
    let mut try_list = |name: &str, text: &str| {
        lists += 1;
        fast += usize::from(compare_lists(name, text));
    };
    for (name, text) in material::files() {
        try_list(&name, &text);
    }
    for (name, text) in material::documents().into_iter().filter(|(_, text)| text.len() <= LARGE) {
        try_list(&name, &wire(&[&text], CONFIG));
        let wide = wire(&[&text, "kind: A\n"], CONFIG).replace("\n  ", "\n    ").replace("\n- ", "\n  - ");
        try_list(&name, &wide);
        if Document::parse(text.as_str()).is_ok_and(|doc| doc.root_value().is_ok()) {
            let (line, indented) = (as_json(&[&text], false), as_json(&[&text, "kind: A\n"], true));
            try_list(&name, &line);
            try_list(&name, &indented);
        }
    }
    println!("{fast} of {lists} lists take the fast way");
    assert!(fast * 2 > lists, "only {fast} of {lists}");
}

#[test]
fn damaged_lists_are_read_the_same_both_ways() {
    let cases = cases() / 4;
    let material: Vec<String> =
        material::documents().into_iter().map(|(_, text)| text).filter(|text| text.len() < 1_000).collect();
    let styles = styles();
    let mut mutation = Mutation::new(2);
    let mut accepted = 0;
    for case in 0..cases {
        let items = (0..mutation.below(4)).map(|_| {
            let from = if mutation.below(2) == 0 { &material } else { &styles };
            from[mutation.below(from.len())].as_str()
        });
        let items: Vec<&str> = items.collect();
        let list = match mutation.below(8) {
            0 => wire(&items, CONFIG).replace('\n', "\r\n"),
            1 => as_json(&items, false),
            2 => as_json(&items, true),
            _ => wire(&items, CONFIG),
        };
        let text = mutation.damaged(&[list]);
        accepted += usize::from(compare_lists(&format!("list {case}"), &text));
    }
    println!("{accepted} of {cases} damaged lists take the fast way");
    assert!(accepted * 20 > cases, "only {accepted} of {cases}");
}
