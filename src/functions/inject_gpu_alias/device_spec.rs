//! `[pci] device_spec`: which devices of a host are for guests.

use crate::formats::ini::{Ini, IniOption};
use crate::formats::pci::PciAddress;
use crate::platform::nova::{self, PciAlias};

/// How many of the devices with certain ids a `device_spec` offers, compared with another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    Fewer,
    Same,
    More,
    /// Other devices, or devices that only the host knows.
    Other,
}

/// A `device_spec` that offers more or fewer devices with the ids of the wanted one. Nova adds all of them up:
/// beside one that offers more, the wanted one would change nothing; beside one that offers fewer, it would
/// offer devices that are held back.
#[derive(Debug)]
pub(super) struct Obstacle {
    pub spec: PciAlias,
    pub reach: Reach,
    /// Its index among those of other files.
    pub elsewhere: Option<usize>,
    pub is_replaceable: bool,
}

impl Obstacle {
    pub fn message(&self, wanted: &PciAlias) -> String {
        let (comparison, why, narrow) = match self.reach {
            Reach::More => ("more", "would change nothing and is not added", ""),
            _ => (
                "fewer",
                "is not added",
                "list the devices for guests in `addresses` of `spec.computes`, or ",
            ),
        };
        let way_out = match (self.elsewhere, self.is_replaceable) {
            (Some(_), _) => "remove this one",
            (None, true) => "set `replace: true` to replace this one",
            (None, false) => "remove this one from its list",
        };
        format!("`{}` offers {comparison} devices than `{wanted}`, which {why}; {narrow}{way_out}", self.spec)
    }
}

/// The text with a `device_spec`, unless the text or another file already has it. `others` are those of other
/// files that the same service reads.
pub(super) fn add(
    wanted: &PciAlias,
    text: &str,
    others: &[PciAlias],
    replace: bool,
) -> Result<String, Obstacle> {
    let ini = Ini::parse(text);
    let (section, key) = nova::DEVICE_SPEC;
    let own = ini.all(section, key).flat_map(|option| {
        let specs = PciAlias::parse_list(&option.value);
        // The other members of a list are not ours to remove.
        let replaceable = (specs.len() == 1).then_some(option);
        specs.into_iter().map(move |spec| (None, spec, replaceable))
    });
    let elsewhere = others.iter().enumerate().map(|(index, spec)| (Some(index), spec.clone(), None));
    let (mut obstacle, mut replaced): (Option<Obstacle>, Vec<&IniOption>) = (None, Vec::new());
    for (elsewhere, spec, replaceable) in own.chain(elsewhere) {
        match (reach(&spec, wanted), replaceable) {
            (Reach::Same, _) => return Ok(text.to_owned()),
            (Reach::Other, _) => {}
            (_, Some(option)) if replace => replaced.push(option),
            (reach, option) => {
                let is_replaceable = option.is_some();
                obstacle.get_or_insert(Obstacle { spec, reach, elsewhere, is_replaceable });
            }
        }
    }
    match (obstacle, replaced.as_slice()) {
        (Some(obstacle), _) => Err(obstacle),
        (None, []) => Ok(ini.with_option(section, key, &wanted.to_string())),
        (None, options) => Ok(ini.with_replaced(options, &wanted.to_string())),
    }
}

/// How many of the wanted devices an existing `device_spec` offers.
fn reach(existing: &PciAlias, wanted: &PciAlias) -> Reach {
    let Some(wanted_at) = wanted.address().filter(|_| existing.is_for_same_device(wanted)) else {
        return Reach::Other;
    };
    match existing.address() {
        Some(at) if at == wanted_at => Reach::Same,
        Some(at) if at.covers(&wanted_at) => Reach::More,
        Some(at) if wanted_at.covers(&at) => Reach::Fewer,
        None if wanted_at == PciAddress::ANY => Reach::Fewer,
        _ => Reach::Other,
    }
}

/// Every `device_spec` of a text.
pub(super) fn all(text: &str) -> Vec<PciAlias> {
    let (section, key) = nova::DEVICE_SPEC;
    Ini::parse(text).all(section, key).flat_map(|option| PciAlias::parse_list(&option.value)).collect()
}

/// The text without the devices of aliases that were replaced: those that an alias had before, and none has
/// now. Devices without an alias, such as network cards, stay.
pub(super) fn without_replaced(before: &str, text: &str) -> String {
    let aliases = |ini: &Ini| -> Vec<PciAlias> {
        let options = [nova::ALIAS, nova::OLD_ALIAS].map(|(section, key)| ini.all(section, key));
        options.into_iter().flatten().filter_map(|option| PciAlias::parse(&option.value)).collect()
    };
    let ini = Ini::parse(text);
    let (before, now) = (aliases(&Ini::parse(before)), aliases(&ini));
    let has = |aliases: &[PciAlias], spec: &PciAlias| aliases.iter().any(|a| a.is_for_same_device(spec));
    let stray: Vec<&IniOption> = ini
        .all(nova::DEVICE_SPEC.0, nova::DEVICE_SPEC.1)
        .filter(|option| {
            PciAlias::parse(&option.value).is_some_and(|spec| has(&before, &spec) && !has(&now, &spec))
        })
        .collect();
    ini.without(&stray)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(address: &str) -> String {
        format!(r#"{{"product_id":"27B8", "vendor_id":"10de"{address}}}"#)
    }

    fn wanted(address: &str) -> PciAlias {
        PciAlias::parse(&spec(address)).unwrap()
    }

    const SLOT: &str = r#", "address":"0000:65:00.0""#;
    const ANY_BUS: &str = r#", "address":"0000:*:00.0""#;

    #[test]
    fn the_reach_of_a_spec_is_that_of_its_address() {
        let other = PciAlias::parse(r#"{"product_id":"27b9", "vendor_id":"10de"}"#).unwrap();
        assert_eq!(reach(&other, &wanted("")), Reach::Other);
        for (existing, asked, expected) in [
            ("", "", Reach::Same),
            (r#", "managed":"no""#, "", Reach::Same),
            (r#", "address":":*:""#, "", Reach::Same),
            (SLOT, "", Reach::Fewer),
            (SLOT, ANY_BUS, Reach::Fewer),
            (r#", "address":"65:0.0""#, ANY_BUS, Reach::Other),
            (r#", "address":{"bus":"65"}"#, "", Reach::Fewer),
            (r#", "address":{"bus":"65"}"#, SLOT, Reach::Other),
            ("", SLOT, Reach::More),
            (r#", "address":"0000:66:00.0""#, SLOT, Reach::Other),
        ] {
            assert_eq!(reach(&wanted(existing), &wanted(asked)), expected, "{existing} {asked}");
        }
    }

    #[test]
    fn what_is_in_the_way_is_kept_or_replaced() {
        let text = format!("[pci]\ndevice_spec = {}\nx = 1\n", spec(SLOT));
        let kept = add(&wanted(""), &text, &[], false).unwrap_err();
        assert!(kept.reach == Reach::Fewer && kept.elsewhere.is_none() && kept.is_replaceable);
        assert_eq!(
            add(&wanted(""), &text, &[], true).unwrap(),
            format!("[pci]\ndevice_spec = {}\nx = 1\n", wanted(""))
        );
        let other = add(&wanted(""), "", &[wanted(SLOT)], true).unwrap_err();
        assert!(other.elsewhere == Some(0) && !other.is_replaceable);
        let list = format!("[pci]\ndevice_spec = [{}, {{\"address\":\"0000:05:00.0\"}}]\n", spec(""));
        let kept = add(&wanted(SLOT), &list, &[], true).unwrap_err();
        assert!(kept.reach == Reach::More && !kept.is_replaceable);
        assert_eq!(add(&wanted(""), &list, &[], true).unwrap(), list);
    }

    #[test]
    fn only_the_devices_of_replaced_aliases_go() {
        let alias = |product: &str| {
            format!(r#"alias = {{"name":"a", "vendor_id":"10de", "product_id":"{product}"}}"#)
        };
        let specs = format!(
            "device_spec = {}\ndevice_spec = {{\"address\":\"0000:05:00.*\", \"physical_network\":\"a\"}}\n",
            spec("")
        );
        let before = format!("[pci]\n{}\n{specs}", alias("27b8"));
        assert_eq!(without_replaced(&before, &before), before);
        let now = format!("[pci]\n{}\n{specs}", alias("20f1"));
        let left = without_replaced(&before, &now);
        assert!(!left.contains("27B8") && left.contains("physical_network"), "{left}");
    }
}
