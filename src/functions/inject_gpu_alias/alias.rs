//! One alias in the text of Nova's configuration.

use crate::checks::rules;
use crate::formats::ini::{Ini, IniOption};
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

/// Adds an alias to the text of a configuration. If an existing alias conflicts with it, this reports the
/// conflict and returns the text unchanged.
pub(super) fn with_alias(
    wanted: &PciSpec,
    text: String,
    on_conflict: OnConflict,
    site: &Site,
    items: &[Resource],
    results: &mut Results,
) -> String {
    add(wanted, &text, on_conflict).unwrap_or_else(|refusal| {
        let finding = results.error(refusal.rule, refusal.message).at(site.location(items));
        finding.current(refusal.current).proposed(wanted.to_string());
        text
    })
}

/// Adds an alias. Existing values that are not JSON objects are not changed.
fn add(wanted: &PciSpec, text: &str, on_conflict: OnConflict) -> Result<String, Refusal> {
    let ini = Ini::parse(text);
    let existing = nova::aliases(&ini).filter_map(|(option, alias)| Some((option, alias?)));
    let (options, differences): (Vec<&IniOption>, Vec<Vec<String>>) = existing
        .filter(|(_, alias)| alias.name() == wanted.name())
        .map(|(option, alias)| (option, alias.differences(wanted)))
        .unzip();
    let exists = differences.iter().any(Vec::is_empty);
    let (name, value) = (quoted(wanted.name().unwrap_or_default()), wanted.to_string());
    match options.as_slice() {
        [] => {
            let (section, key) = nova::ALIAS;
            Ok(ini.with_option(section, key, &value))
        }
        [_] if exists => Ok(text.to_owned()),
        _ if on_conflict == OnConflict::Replace => Ok(ini.with_replaced(&options, &value)),
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
        _ if exists => Ok(text.to_owned()),
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
        super::add(&l4, text, policy).map_err(|refusal| refusal.message)
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
        let refused = super::add(&l4, &format!("[pci]\n{LINE}\n{LINE}\n"), OnConflict::RefuseDuplicates);
        assert!(refused.is_err_and(|refusal| refusal.rule == &rules::ALIAS_TWICE));
        let one = format!("[pci]\n{LINE}\n");
        assert!(super::add(&l4, &one, OnConflict::RefuseDuplicates).is_ok_and(|text| text == one));
    }

    #[test]
    fn a_value_that_is_not_json_is_left_alone() {
        let text = format!("[pci]\n{LINE}\nalias = nvidia\n");
        assert_eq!(add(&text, true), Ok(text));
    }
}
