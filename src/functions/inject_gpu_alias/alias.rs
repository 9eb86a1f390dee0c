//! One alias in the text of Nova's configuration.

use crate::checks::rules;
use crate::formats::ini::{Ini, IniOption};
use crate::krm::Rule;
use crate::krm::quoted;
use crate::platform::nova::{self, PciAlias};

/// What to do with an alias of the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Namesakes {
    /// One for another device is refused, one for the same is enough.
    Refuse,
    /// As above, and there must be only one: with PCI in Placement, Nova refuses a second.
    RefuseAll,
    Replace,
}

/// Why an alias was not added.
pub(super) struct Refusal {
    pub rule: &'static Rule,
    pub message: String,
    pub current: Option<String>,
}

/// The text with the alias in it.
pub(super) fn add(wanted: &PciAlias, text: &str, policy: Namesakes) -> Result<String, Refusal> {
    let ini = Ini::parse(text);
    let (mut namesakes, mut differences): (Vec<&IniOption>, Vec<Vec<String>>) = (Vec::new(), Vec::new());
    for (section, key) in [nova::ALIAS, nova::OLD_ALIAS] {
        for option in ini.all(section, key) {
            let alias = read(option)?;
            if alias.name() == wanted.name() {
                namesakes.push(option);
                differences.push(alias.differences(wanted));
            }
        }
    }
    let is_there = differences.iter().any(Vec::is_empty);
    let (name, value) = (quoted(wanted.name().unwrap_or_default()), wanted.to_string());
    match namesakes.as_slice() {
        [] => {
            let (section, key) = nova::ALIAS;
            Ok(ini.with_option(section, key, &value))
        }
        [_] if is_there => Ok(text.to_owned()),
        _ if policy == Namesakes::Replace => Ok(ini.with_replaced(&namesakes, &value)),
        [_, second, ..] if policy == Namesakes::RefuseAll => Err(Refusal {
            rule: &rules::ALIAS_TWICE,
            message: format!(
                "the alias {name} is there {} times, which Nova refuses with PCI in Placement; \
                 leave one, or set `replace: true`",
                namesakes.len()
            ),
            current: Some(one_line(&second.value)),
        }),
        // Nova takes several aliases of one name together; the one that is wanted is among them.
        _ if is_there => Ok(text.to_owned()),
        [first, ..] => {
            let there = one_line(&first.value);
            let keys = differences[0].join(", ");
            Err(Refusal {
                rule: &rules::ALIAS_CONFLICT,
                message: format!(
                    "the alias {name} is there already with another {keys}: there `{there}`, wanted `{value}`; \
                     choose another name, or set `replace: true`"
                ),
                current: Some(there),
            })
        }
    }
}

fn read(option: &IniOption) -> Result<PciAlias, Refusal> {
    let (section, key, value) = (&option.section, &option.key, one_line(&option.value));
    PciAlias::parse(&option.value).ok_or_else(|| Refusal {
        rule: &rules::ALIAS_SYNTAX,
        message: format!(
            "`[{section}] {key} = {value}` is not a JSON object, and Nova will refuse to start with it"
        ),
        current: None,
    })
}

fn one_line(text: &str) -> String {
    text.split('\n').map(str::trim).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"alias = { "vendor_id":"10de", "product_id":"27b8", "device_type":"type-PCI", "name":"nvidia", "numa_policy":"preferred" }"#;

    fn add(text: &str, replace: bool) -> Result<String, String> {
        let l4 = PciAlias::parse(LINE.split_once('=').unwrap().1).unwrap();
        let policy = if replace { Namesakes::Replace } else { Namesakes::Refuse };
        super::add(&l4, text, policy).map_err(|refusal| refusal.message)
    }

    #[test]
    fn the_alias_is_written_as_the_documentation_spells_it() {
        assert_eq!(add("", false), Ok(format!("[pci]\n{LINE}\n")));
    }

    #[test]
    fn other_spellings_of_the_alias_are_left_alone() {
        for there in [
            LINE.to_owned(),
            r#"alias={"name":"nvidia","numa_policy":"preferred","product_id":"27B8","vendor_id":"10DE","device_type":"type-PCI"}"#.to_owned(),
            "alias: { \"vendor_id\":\"10de\", \"product_id\":\"27b8\",\n   \"name\":\"nvidia\", \"numa_policy\":\"preferred\",\n   \"device_type\":\"type-PCI\", \"capability_type\":\"pci\" }".to_owned(),
        ] {
            let text = format!("[PCI]\n{there}\n");
            assert_eq!(add(&text, false), Ok(text));
        }
        let old = "[DEFAULT]\npci_alias = {\"name\":\"nvidia\",\"numa_policy\":\"preferred\",\"product_id\":\"27b8\",\"vendor_id\":\"10de\",\"device_type\":\"type-PCI\"}\n";
        assert_eq!(add(old, false), Ok(old.to_owned()));
    }

    #[test]
    fn a_namesake_is_refused_or_replaced() {
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
    fn one_of_several_namesakes_is_enough() {
        let other = r#"alias = {"name":"nvidia", "vendor_id":"10de", "product_id":"20f1"}"#;
        let both = format!("[pci]\n{other}\n{LINE}\n");
        assert_eq!(add(&both, false), Ok(both.clone()));
        assert_eq!(add(&both, true), Ok(format!("[pci]\n{LINE}\n")));
    }

    #[test]
    fn two_namesakes_are_too_many_for_placement() {
        let l4 = PciAlias::parse(LINE.split_once('=').unwrap().1).unwrap();
        let refused = super::add(&l4, &format!("[pci]\n{LINE}\n{LINE}\n"), Namesakes::RefuseAll);
        assert!(refused.is_err_and(|refusal| refusal.rule == &rules::ALIAS_TWICE));
        let one = format!("[pci]\n{LINE}\n");
        assert!(super::add(&l4, &one, Namesakes::RefuseAll).is_ok_and(|text| text == one));
    }

    #[test]
    fn a_broken_alias_is_named() {
        assert!(add(&format!("[pci]\n{LINE}\nalias = nvidia\n"), false).is_err());
        assert!(add("[pci]\nalias = nvidia\n", false).unwrap_err().contains("not a JSON object"));
    }
}
