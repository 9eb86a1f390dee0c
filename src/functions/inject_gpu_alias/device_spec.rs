//! `[pci] device_spec`: which of a host's devices guests may use.

use crate::formats::ini::{Ini, IniOption};
use crate::formats::pci::PciAddress;
use crate::model::{Site, Sited};
use crate::platform::nova::{self, PciSpec};

/// How many of the devices with certain ids a `device_spec` offers, compared with another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    Fewer,
    Same,
    More,
    /// Other devices, or devices that only the host knows.
    Other,
}

/// A `device_spec` that offers more or fewer devices with the ids of the wanted one. Nova adds all of them
/// up. Together with one that offers more, the wanted one has no effect. Together with one that offers fewer,
/// it offers devices that the other one withholds.
#[derive(Debug)]
pub(super) struct Obstacle {
    pub spec: PciSpec,
    reach: Reach,
    /// Its site, if it is in another file.
    pub elsewhere: Option<Site>,
    is_replaceable: bool,
}

impl Obstacle {
    pub fn message(&self, wanted: &PciSpec) -> String {
        let (comparison, why, alternative) = match self.reach {
            Reach::More => ("more", "because it would have no effect", ""),
            _ => (
                "fewer",
                "because it would offer the others too",
                "list the devices for guests in `addresses` of `spec.computes`, or ",
            ),
        };
        let advice = match (&self.elsewhere, self.is_replaceable) {
            (Some(_), _) => "remove this one",
            (None, true) => "set `replace: true` to replace this one",
            (None, false) => "remove this one from its list",
        };
        format!(
            "`{}` offers {comparison} devices than `{wanted}`, which is not added {why}; {alternative}{advice}",
            self.spec
        )
    }
}

/// The text with a `device_spec`, unless the text or another file already has it. `others` are those of the other files
/// that the service reads.
pub(super) fn add(
    wanted: &PciSpec,
    text: &str,
    others: &[Sited<PciSpec>],
    replace: bool,
) -> Result<String, Box<Obstacle>> {
    let ini = Ini::parse(text);
    let (section, key) = nova::DEVICE_SPEC;
    let own = ini.all(section, key).flat_map(|option| {
        let specs = PciSpec::parse_list(&option.value);
        // Replacing the option would remove the other members of a list.
        let replaceable = (specs.len() == 1).then_some(option);
        specs.into_iter().map(move |spec| (None, spec, replaceable))
    });
    let elsewhere = others.iter().map(|other| (Some(&other.site), other.value.clone(), None));
    let (mut obstacle, mut replaced): (Option<Obstacle>, Vec<&IniOption>) = (None, Vec::new());
    for (elsewhere, spec, replaceable) in own.chain(elsewhere) {
        match (reach(&spec, wanted), replaceable) {
            (Reach::Same, _) => return Ok(text.to_owned()),
            (Reach::Other, _) => {}
            (_, Some(option)) if replace => replaced.push(option),
            (reach, option) => {
                let (elsewhere, is_replaceable) = (elsewhere.cloned(), option.is_some());
                obstacle.get_or_insert(Obstacle { spec, reach, elsewhere, is_replaceable });
            }
        }
    }
    match (obstacle, replaced.as_slice()) {
        (Some(obstacle), _) => Err(Box::new(obstacle)),
        (None, []) => Ok(ini.with_option(section, key, &wanted.to_string())),
        (None, options) => Ok(ini.with_replaced(options, &wanted.to_string())),
    }
}

/// How many of the wanted devices an existing `device_spec` offers.
fn reach(existing: &PciSpec, wanted: &PciSpec) -> Reach {
    let Some(wanted_at) = wanted.address().filter(|_| existing.has_same_ids(wanted)) else {
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

/// The text without the devices of replaced aliases: devices that had an alias before and have none now. Devices that
/// never had one, such as network cards, are kept.
pub(super) fn without_replaced(before: &str, text: &str) -> String {
    let aliases = |ini: &Ini<'_>| nova::aliases(ini).filter_map(|(_, alias)| alias).collect::<Vec<_>>();
    let ini = Ini::parse(text);
    let (before, now) = (aliases(&Ini::parse(before)), aliases(&ini));
    let has = |aliases: &[PciSpec], spec: &PciSpec| aliases.iter().any(|alias| alias.has_same_ids(spec));
    let unused: Vec<&IniOption> = ini
        .all(nova::DEVICE_SPEC.0, nova::DEVICE_SPEC.1)
        .filter(|option| {
            PciSpec::parse(&option.value).is_some_and(|spec| has(&before, &spec) && !has(&now, &spec))
        })
        .collect();
    ini.without(&unused)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::krm::{FieldPath, Resource};
    use crate::model::World;
    use serde_json::json;

    fn spec(address: &str) -> String {
        format!(r#"{{"product_id":"27B8", "vendor_id":"10de"{address}}}"#)
    }

    fn wanted(address: &str) -> PciSpec {
        PciSpec::parse(&spec(address)).unwrap()
    }

    const SLOT: &str = r#", "address":"0000:65:00.0""#;
    const ANY_BUS: &str = r#", "address":"0000:*:00.0""#;

    #[test]
    fn the_reach_of_a_spec_is_that_of_its_address() {
        let other = PciSpec::parse(r#"{"product_id":"27b9", "vendor_id":"10de"}"#).unwrap();
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
    fn a_spec_with_another_reach_is_kept_or_replaced() {
        let text = format!("[pci]\ndevice_spec = {}\nx = 1\n", spec(SLOT));
        let kept = add(&wanted(""), &text, &[], false).unwrap_err();
        assert!(kept.reach == Reach::Fewer && kept.elsewhere.is_none() && kept.is_replaceable);
        assert_eq!(
            add(&wanted(""), &text, &[], true).unwrap(),
            format!("[pci]\ndevice_spec = {}\nx = 1\n", wanted(""))
        );
        let item = Resource::new(&json!({"kind": "ConfigMap"})).unwrap();
        let (id, _) = World::new(std::slice::from_ref(&item)).items().next().unwrap();
        let elsewhere = Sited::new(wanted(SLOT), id, FieldPath::new("data.x"));
        let other = add(&wanted(""), "", std::slice::from_ref(&elsewhere), true).unwrap_err();
        assert!(other.elsewhere == Some(elsewhere.site) && !other.is_replaceable);
        let list = format!("[pci]\ndevice_spec = [{}, {{\"address\":\"0000:05:00.0\"}}]\n", spec(""));
        let kept = add(&wanted(SLOT), &list, &[], true).unwrap_err();
        assert!(kept.reach == Reach::More && !kept.is_replaceable);
        assert_eq!(add(&wanted(""), &list, &[], true).unwrap(), list);
    }

    #[test]
    fn only_the_devices_of_replaced_aliases_are_removed() {
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
