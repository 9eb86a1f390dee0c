//! Each layer of the program may use only the layers below it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::host::{files_below, root};

/// From the top down, as CONTRIBUTING.md explains them.
const LAYERS: [&str; 11] =
    ["main", "cli", "report", "docs", "functions", "checks", "model", "platform", "formats", "krm", "yaml"];

/// Layers that use no other layer.
const LOWEST: [&str; 2] = ["formats", "yaml"];

/// The names that follow `use crate::` or `use rhoso_fn::` in a file.
fn used(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for prefix in ["crate::", "rhoso_fn::"] {
        for (at, _) in text.match_indices(prefix) {
            let rest = &text[at + prefix.len()..];
            let name: String = rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
            found.insert(name);
        }
    }
    found
}

/// The layer of a file: `krm` for `src/krm.rs` and for `src/krm/list.rs`.
fn layer_of(below_src: &Path) -> String {
    let first = below_src.components().next().unwrap().as_os_str().to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

#[test]
fn arrows_point_down() {
    let src = root().join("src");
    let rank = |layer: &str| LAYERS.iter().position(|known| *known == layer);
    let mut seen = BTreeSet::new();
    for file in files_below(&src) {
        let below = file.strip_prefix(&src).unwrap();
        let layer = layer_of(below);
        // The roots of the crates, and the directories of their manifests.
        if layer == "lib" || layer == "core" || layer == "release.ld" {
            continue;
        }
        let own = rank(&layer).unwrap_or_else(|| panic!("{} belongs to no layer", below.display()));
        seen.insert(layer.clone());
        for other in used(&fs::read_to_string(&file).unwrap()) {
            let Some(other_rank) = rank(&other) else { continue };
            let is_down = other_rank > own && !LOWEST.contains(&layer.as_str());
            assert!(
                other == layer || is_down,
                "{} uses {other}, which is not below {layer}",
                below.display()
            );
        }
    }
    assert!(seen.contains("krm") && seen.contains("functions"), "only {seen:?} were looked at");
}

/// Within `krm`, modules use each other in one direction only.
#[test]
fn the_protocol_has_no_cycles() {
    let folder = root().join("src/krm");
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files_below(&folder) {
        let module = file.file_stem().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&file).unwrap();
        let others = text
            .lines()
            .filter_map(|line| line.strip_prefix("use super::"))
            .map(|rest| rest.split([':', ';', '{']).next().unwrap().to_owned());
        uses.insert(module, others.collect());
    }
    // Repeatedly remove modules that use no remaining module. If some remain at the end, they form a cycle.
    while let Some(free) = uses
        .iter()
        .find(|(_, others)| others.iter().all(|other| !uses.contains_key(other)))
        .map(|(module, _)| module.clone())
    {
        uses.remove(&free);
    }
    assert!(uses.is_empty(), "these modules use each other: {uses:#?}");
}

/// Only one module, above the protocol, contains the name of the program.
#[test]
fn the_protocol_knows_no_brand() {
    for folder in ["src/krm", "src/yaml", "src/formats"] {
        for file in files_below(&root().join(folder)) {
            let text = fs::read_to_string(&file).unwrap();
            assert!(!text.contains("rhoso"), "{} names the program", file.display());
        }
    }
}
