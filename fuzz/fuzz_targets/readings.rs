//! Both ways of reading must agree on every text, and on every list: see testdata/harness/readings.rs.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rhoso_fn::krm::ResourceList;
use rhoso_fn::yaml::{Outline, Text, Tree, VisitedEntry};

const HEAD: &str = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n";
const JSON_HEAD: &str = "{\"apiVersion\":\"config.kubernetes.io/v1\",\"kind\":\"ResourceList\",\"items\":[";

fuzz_target!(|text: &str| {
    if let Some(fast) = Tree::parse_subset(text) {
        assert_eq!(Ok(fast), Tree::parse_events(text));
    }
    // The text as the items of a list, each at the margin that it has, and as the rest of one in JSON.
    compare_lists(format!("{HEAD}{text}"));
    compare_lists(format!("{JSON_HEAD}{text}"));
});

fn compare_lists(list: String) {
    match (ResourceList::parse(list.as_str()), ResourceList::parse_whole(list.as_str())) {
        (Ok(fast), Ok(slow)) => {
            let items = |list: &ResourceList| {
                list.items.iter().map(|item| (item.id().clone(), item.text().to_owned())).collect::<Vec<_>>()
            };
            assert_eq!(items(&fast), items(&slow));
        }
        (fast, slow) => assert_eq!(fast.is_err(), slow.is_err()),
    }
    let list = Text::from(list);
    assert_eq!(outline(&list, 0), outline(&list, 3));
}

/// The tree of a list that is read in parts, and the text of its entries.
fn outline(text: &Text, parts: usize) -> Option<(Tree, Vec<(String, bool)>)> {
    let outline = Outline::new(text, "items", parts);
    let visit = |entry: VisitedEntry<'_>| (entry.doc.source(entry.node).to_owned(), entry.is_simple);
    let parts: Option<Vec<_>> = (0..outline.part_count()).map(|part| outline.read_part(part, &visit)).collect();
    let (doc, visited) = outline.read(parts.unwrap_or_default(), &visit)?;
    Some((doc.tree().clone(), visited))
}
