//! One alias in the text of Nova's configuration.

use std::collections::{HashMap, HashSet};

use crate::checks::rules;
use crate::formats::ini::{Ini, IniOption, Together};
use crate::krm::{Resource, Results, Rule, quoted};
use crate::model::Site;
use crate::platform::nova::{self, PciSpec};

/// What to do about an existing alias with the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OnConflict {
    /// Reject an alias for a different device. Several aliases with the same name are allowed if one of them
    /// is for the same device.
    Refuse,
    /// Also reject several aliases with the same name, as Nova does if PCI devices are tracked in Placement.
    RefuseDuplicates,
    Replace,
}

/// Why an alias was not added.
struct Refusal {
    rule: &'static Rule,
    message: String,
    current: String,
}

/// What an alias changes.
enum Change<'i> {
    Nothing,
    Add,
    Replace(Vec<&'i IniOption>),
}

/// Adds aliases to the text of a configuration. If an existing alias conflicts with one of them, this reports the
/// conflict, and that one does not change the text.
pub(super) fn with_aliases(
    mut wanted: &[PciSpec],
    mut text: String,
    on_conflict: OnConflict,
    site: &Site,
    items: &[Resource],
    results: &mut Results,
) -> String {
    while !wanted.is_empty() {
        let (new, done) = add(wanted, &text, on_conflict, &mut |wanted, refusal| {
            let finding = results.error(refusal.rule, refusal.message).at(site.location(items));
            finding.current(refusal.current).proposed(wanted.to_string());
        });
        (text, wanted) = (new, &wanted[done..]);
    }
    text
}

/// Adds the first aliases, at least one and as many as do not affect each other, and returns how many these are. Existing
/// values that are not JSON objects are not changed.
fn add(
    wanted: &[PciSpec],
    text: &str,
    on_conflict: OnConflict,
    refuse: &mut dyn FnMut(&PciSpec, Refusal),
) -> (String, usize) {
    let ini = Ini::parse(text);
    let existing: Vec<(&IniOption, PciSpec)> =
        nova::aliases(&ini).filter_map(|(option, alias)| Some((option, alias?))).collect();
    let mut by_name: HashMap<Option<&str>, Vec<(&IniOption, &PciSpec)>> = HashMap::new();
    for (option, alias) in &existing {
        by_name.entry(alias.name()).or_default().push((option, alias));
    }
    let mut together = Together::default();
    let mut changed = HashSet::new();
    for (done, alias) in wanted.iter().enumerate() {
        let same_name = by_name.get(&alias.name()).map(Vec::as_slice).unwrap_or_default();
        let is_possible = match decide(alias, same_name, on_conflict) {
            _ if changed.contains(&alias.name()) => false,
            Ok(Change::Nothing) => continue,
            Ok(Change::Add) => together.add(alias.to_string()),
            Ok(Change::Replace(options)) => together.replace(options, alias.to_string()),
            Err(refusal) => {
                refuse(alias, refusal);
                continue;
            }
        };
        if !is_possible {
            return (together.apply(&ini, nova::ALIAS), done);
        }
        changed.insert(alias.name());
    }
    (together.apply(&ini, nova::ALIAS), wanted.len())
}

/// What to do about an alias, where these have the same name.
fn decide<'i>(
    wanted: &PciSpec,
    same_name: &[(&'i IniOption, &PciSpec)],
    on_conflict: OnConflict,
) -> Result<Change<'i>, Refusal> {
    let options: Vec<&'i IniOption> = same_name.iter().map(|(option, _)| *option).collect();
    let differences: Vec<Vec<String>> =
        same_name.iter().map(|(_, alias)| alias.differences(wanted)).collect();
    let exists = differences.iter().any(Vec::is_empty);
    let (name, value) = (quoted(wanted.name().unwrap_or_default()), wanted.to_string());
    match options.as_slice() {
        [] => Ok(Change::Add),
        [_] if exists => Ok(Change::Nothing),
        _ if on_conflict == OnConflict::Replace => Ok(Change::Replace(options)),
        [_, second, ..] if on_conflict == OnConflict::RefuseDuplicates => Err(Refusal {
            rule: &rules::ALIAS_TWICE,
            message: format!(
                "the alias {name} is defined {} times, which Nova rejects if PCI devices are tracked in Placement; keep \
                 one, or set `replace: true`",
                options.len()
            ),
            current: second.value_in_one_line(),
        }),
        // Nova combines several aliases with the same name, and the wanted one is among them.
        _ if exists => Ok(Change::Nothing),
        [first, ..] => {
            let current = first.value_in_one_line();
            let message = format!(
                "the alias {name} already exists with a different {}: `{current}`, not `{value}`; choose another name, or \
                 set `replace: true`",
                differences[0].join(", ")
            );
            Err(Refusal { rule: &rules::ALIAS_CONFLICT, message, current })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"alias = { "vendor_id":"10de", "product_id":"27b8", "device_type":"type-PCI", "name":"nvidia", "numa_policy":"preferred" }"#;

    fn add(text: &str, replace: bool) -> Result<String, String> {
        let l4 = PciSpec::parse(LINE.split_once('=').unwrap().1).unwrap();
        let policy = if replace { OnConflict::Replace } else { OnConflict::Refuse };
        add_one(&l4, text, policy).map_err(|refusal| refusal.message)
    }

    fn add_one(wanted: &PciSpec, text: &str, policy: OnConflict) -> Result<String, Refusal> {
        let mut refused = None;
        let (text, done) =
            super::add(std::slice::from_ref(wanted), text, policy, &mut |_, refusal| refused = Some(refusal));
        assert_eq!(done, 1);
        refused.map_or(Ok(text), Err)
    }

    #[test]
    fn the_alias_is_written_as_in_the_documentation() {
        assert_eq!(add("", false), Ok(format!("[pci]\n{LINE}\n")));
    }

    #[test]
    fn other_spellings_of_the_alias_are_left_alone() {
        for existing in [
            LINE.to_owned(),
            r#"alias={"name":"nvidia","numa_policy":"preferred","product_id":"27B8","vendor_id":"10DE","device_type":"type-PCI"}"#.to_owned(),
            "alias: { \"vendor_id\":\"10de\", \"product_id\":\"27b8\",\n   \"name\":\"nvidia\", \"numa_policy\":\"preferred\",\n   \"device_type\":\"type-PCI\", \"capability_type\":\"pci\" }".to_owned(),
        ] {
            let text = format!("[PCI]\n{existing}\n");
            assert_eq!(add(&text, false), Ok(text));
        }
        let old = "[DEFAULT]\npci_alias = {\"name\":\"nvidia\",\"numa_policy\":\"preferred\",\"product_id\":\"27b8\",\"vendor_id\":\"10de\",\"device_type\":\"type-PCI\"}\n";
        assert_eq!(add(old, false), Ok(old.to_owned()));
    }

    #[test]
    fn an_alias_with_the_same_name_is_refused_or_replaced() {
        let text = "[pci]\nalias = {\"name\":\"nvidia\",\n  \"vendor_id\":\"10de\", \"product_id\":\"20f1\"}\nx = 1\n";
        let message = add(text, false).unwrap_err();
        assert!(message.contains("20f1") && message.contains("27b8"), "{message}");
        assert_eq!(add(text, true), Ok(format!("[pci]\n{LINE}\nx = 1\n")));
        let twice = format!(
            "{text}[DEFAULT]\npci_alias = {{\"name\":\"nvidia\", \"vendor_id\":\"10de\", \"product_id\":\"2235\"}}\n"
        );
        assert_eq!(add(&twice, true), Ok(format!("[pci]\n{LINE}\nx = 1\n[DEFAULT]\n")));
    }

    #[test]
    fn one_of_several_aliases_with_the_same_name_is_enough() {
        let other = r#"alias = {"name":"nvidia", "vendor_id":"10de", "product_id":"20f1"}"#;
        let both = format!("[pci]\n{other}\n{LINE}\n");
        assert_eq!(add(&both, false), Ok(both.clone()));
        assert_eq!(add(&both, true), Ok(format!("[pci]\n{LINE}\n")));
    }

    #[test]
    fn placement_allows_one_alias_of_a_name() {
        let l4 = PciSpec::parse(LINE.split_once('=').unwrap().1).unwrap();
        let refused = add_one(&l4, &format!("[pci]\n{LINE}\n{LINE}\n"), OnConflict::RefuseDuplicates);
        assert!(refused.is_err_and(|refusal| refusal.rule == &rules::ALIAS_TWICE));
        let one = format!("[pci]\n{LINE}\n");
        assert!(add_one(&l4, &one, OnConflict::RefuseDuplicates).is_ok_and(|text| text == one));
    }

    #[test]
    fn a_value_that_is_not_json_is_left_alone() {
        let text = format!("[pci]\n{LINE}\nalias = nvidia\n");
        assert_eq!(add(&text, true), Ok(text));
    }

    #[test]
    fn many_aliases_give_the_text_of_one_after_the_other() {
        let alias = |name: &str, product: &str| {
            PciSpec::parse(&format!(r#"{{"name":"{name}", "vendor_id":"10de", "product_id":"{product}"}}"#))
                .unwrap()
        };
        let line = |name: &str, product: &str| format!("alias = {}\n", alias(name, product));
        let text = format!(
            "[pci]\n{}{}x = 1\n{}[DEFAULT]\npci_{}",
            line("a", "0001"),
            line("b", "0001"),
            line("b", "0002"),
            line("c", "0001")
        );
        let wanted = [
            ("n", "0001"),
            ("a", "0002"),
            ("m", "0001"),
            ("b", "0003"),
            ("c", "0002"),
            ("o", "0001"),
            ("n", "0002"),
        ]
        .map(|(name, product)| alias(name, product));
        for policy in [OnConflict::Refuse, OnConflict::RefuseDuplicates, OnConflict::Replace] {
            let (mut together, mut rest, mut refused) = (text.clone(), &wanted[..], Vec::new());
            while !rest.is_empty() {
                let (new, done) = super::add(rest, &together, policy, &mut |alias, refusal| {
                    refused.push((alias.to_string(), refusal.message));
                });
                (together, rest) = (new, &rest[done..]);
            }
            let (mut apart, mut refused_apart) = (text.clone(), Vec::new());
            for alias in &wanted {
                match add_one(alias, &apart, policy) {
                    Ok(new) => apart = new,
                    Err(refusal) => refused_apart.push((alias.to_string(), refusal.message)),
                }
            }
            assert_eq!((together, refused), (apart, refused_apart), "{policy:?}");
        }
    }
}
