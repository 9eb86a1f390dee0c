//! Both ways of reading must agree on every text, and on every list: see testdata/harness/readings.rs.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rhoso_fn::krm::ResourceList;
use rhoso_fn::yaml::Tree;

const HEAD: &str = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n";

fuzz_target!(|text: &str| {
    if let Some(fast) = Tree::parse_subset(text) {
        assert_eq!(Ok(fast), Tree::parse_events(text));
    }
    // The text as the items of a list, each at the margin that it has.
    let list = format!("{HEAD}{text}");
    match (ResourceList::parse(list.as_str()), ResourceList::parse_whole(list.as_str())) {
        (Ok(fast), Ok(slow)) => {
            let items = |list: &ResourceList| {
                list.items.iter().map(|item| (item.id().clone(), item.text().to_owned())).collect::<Vec<_>>()
            };
            assert_eq!(items(&fast), items(&slow));
        }
        (fast, slow) => assert_eq!(fast.is_err(), slow.is_err()),
    }
});
