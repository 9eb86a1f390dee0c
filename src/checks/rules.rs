//! The registry of all rules, one module per subject. `krm` defines the rules of the protocol.

use crate::krm::{Order, Rule};

mod address_pools;
mod addresses;
mod cells;
mod config;
mod control_plane;
mod edpm;
mod external_computes;
mod fields;
mod gpu_alias;
mod instances;
mod layer2;
mod machine_sets;
mod net_configs;
mod node_cells;
mod objects;
mod prefix_address_pools;
mod secrets;
mod service_config;
mod serving;
mod storage;
mod vips;
mod waves;

pub use crate::krm::rules::*;
pub use address_pools::*;
pub use addresses::*;
pub use cells::*;
pub use config::*;
pub use control_plane::*;
pub use edpm::*;
pub use external_computes::*;
pub use fields::*;
pub use gpu_alias::*;
pub use instances::*;
pub use layer2::*;
pub use machine_sets::*;
pub use net_configs::*;
pub use node_cells::*;
pub use objects::*;
pub use prefix_address_pools::*;
pub use secrets::*;
pub use service_config::*;
pub use serving::*;
pub use storage::*;
pub use vips::*;
pub use waves::*;

/// The rules by subject, each list in alphabetical order.
static GROUPS: &[&[&Rule]] = &[
    ADDRESS_POOLS,
    ADDRESSES,
    CELLS,
    CONFIG,
    CONTROL_PLANE,
    DUPLICATES,
    EDPM,
    EXTERNAL_COMPUTES,
    FIELDS,
    GPU_ALIAS,
    INSTANCES,
    LAYER2,
    MACHINE_SETS,
    NET_CONFIGS,
    NODE_CELLS,
    OBJECTS,
    PEDANTIC_ADDRESSES,
    PREFIX_ADDRESS_POOLS,
    PROTOCOL,
    SECRETS,
    SERVICE_CONFIG,
    SERVING,
    STORAGE,
    VIPS,
    WAVES,
];

/// Every rule of the program, by id.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    let mut rules: Vec<&Rule> = GROUPS.iter().copied().flatten().copied().collect();
    rules.order_by_key(|rule| rule.id);
    rules.into_iter()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    fn files_below(directory: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
        entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
    }

    /// The ids in a golden file, as `rule: <id>`.
    fn ids_in(text: &str) -> impl Iterator<Item = &str> {
        let lines = text.lines().map(|line| line.trim_start_matches([' ', '-']));
        lines.filter_map(|line| line.strip_prefix("rule: ")).map(|id| id.trim_matches(['"', '\'']))
    }

    #[test]
    fn ids_are_unique_and_in_kebab_case() {
        let ids: Vec<&str> = all().map(|rule| rule.id).collect();
        assert!(ids.is_sorted_by(|a, b| a < b), "an id is registered twice: {ids:?}");
        for id in ids {
            let is_word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase());
            assert!(id.split('-').all(is_word), "{id}");
        }
    }

    #[test]
    fn groups_are_in_alphabetical_order() {
        for group in GROUPS {
            let ids: Vec<&str> = group.iter().map(|rule| rule.id).collect();
            assert!(ids.is_sorted(), "{ids:?}");
        }
    }

    #[test]
    fn manuals_begin_with_one_short_sentence() {
        for rule in all() {
            let lines = rule.manual.lines().map(str::trim).take_while(|line| !line.is_empty());
            let first = lines.collect::<Vec<_>>().join(" ");
            assert!(first.len() <= 100, "{}: {} characters: {first}", rule.id, first.len());
            assert!(first.ends_with('.') && !first.contains(". "), "{}: {first}", rule.id);
        }
    }

    #[test]
    fn every_rule_of_the_golden_results_is_registered() {
        let registered: BTreeSet<&str> = all().map(|rule| rule.id).collect();
        let mut seen = 0;
        for file in files_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata")) {
            let name = file.file_name().unwrap().to_string_lossy();
            if !name.ends_with(".yaml") {
                continue;
            }
            for id in ids_in(&fs::read_to_string(&file).unwrap()) {
                assert!(registered.contains(id), "{}: the rule {id} is not registered", file.display());
                seen += 1;
            }
        }
        assert!(seen > 100, "only {seen} golden results were found");
    }
}
