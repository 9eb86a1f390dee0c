//! Locality: text that a function does not change is preserved byte for byte, and a change stays within the
//! lines of its field.

mod edit;
mod field;
mod random;
mod real;

use rhoso_fn::functions::REGISTRY;
use rhoso_fn::krm;
use rhoso_fn::yaml::{Document, Kind, NodeId, stream};

use crate::host::assert_same;
use crate::host::case::wire;
use crate::material::{self, LARGE};

const CONTROL_PLANE: &str = "apiVersion: core.openstack.org/v1beta1\nkind: OpenStackControlPlane\nmetadata:\n  name: changes\nspec:\n  nova: {}\n";
const CONFIG: &str = "apiVersion: fn.rhoso.dev/v1alpha1\nkind: InjectGpuAlias\nspec:\n  aliases:\n  - {name: x, vendorId: '10de', productId: '27b8', deviceType: type-PF}\n  target: {name: changes}\n";

/// All other resources of a list are preserved byte for byte when one resource changes.
#[test]
fn neighbours_of_a_change_are_preserved() {
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
        // Items must be objects, and the list has one kind of line break.
        if text.len() > LARGE
            || text.contains('\r')
            || !Document::parse(text.as_str()).is_ok_and(|doc| is_mapping(&doc))
        {
            continue;
        }
        let list = wire(&[&text, CONTROL_PLANE, &text], CONFIG);
        if Document::parse(list.as_str()).is_err() {
            continue; // the document occurs twice, so its anchors may collide, or its indentation may not fit
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

/// Only markers, comments and blank lines are outside the documents of a stream.
#[test]
fn streams_are_split_without_loss() {
    for (name, text) in material::files() {
        let mut at = 0;
        for range in stream::documents(&text) {
            let between = &text[at..range.start];
            let is_separator = |line: &str| {
                let line = line.trim().trim_start_matches('\u{feff}');
                line.is_empty() || line.starts_with('#') || line.starts_with("---") || line.starts_with("...")
            };
            assert!(between.lines().all(is_separator), "{name}: {between:?}");
            at = range.end;
        }
    }
}

/// The spans of children are in order and within the span of their parent.
#[test]
fn spans_are_nested_and_in_order() {
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
            "{name}: {span:?} contains {start}..{end} after {at}"
        );
        at = end;
        check_spans(doc, child, name);
    }
}
