//! `[pci] device_spec`: which of a host's devices guests may use.

mod obstacle;

use std::collections::{HashMap, HashSet};

use self::obstacle::{Obstacle, Reach, reach};
use crate::formats::ini::{Ini, IniOption, Together};
use crate::formats::pci::PciAddress;
use crate::model::{Site, Sited};
use crate::platform::nova::{self, PciSpec};

/// A `device_spec` of the text or of another file.
struct Existing<'i> {
    spec: PciSpec,
    at: Option<PciAddress>,
    elsewhere: Option<&'i Site>,
    /// Its option, if that has no other specs. Replacing it would remove them.
    option: Option<&'i IniOption>,
    /// Whether it was just added.
    is_new: bool,
}

/// What a `device_spec` changes.
enum Change<'i> {
    Nothing,
    Add,
    Replace(Vec<&'i IniOption>),
    /// It depends on another one that was just added.
    Later,
}

/// Adds each `device_spec`, unless the text or another file already has it. `others` are those of the other files that the
/// service reads.
pub(super) fn add_all(
    mut wanted: &[PciSpec],
    mut text: String,
    others: &[Sited<PciSpec>],
    replace: bool,
    refuse: &mut dyn FnMut(&PciSpec, Obstacle),
) -> String {
    while !wanted.is_empty() {
        let (new, done) = add(wanted, &text, others, replace, refuse);
        (text, wanted) = (new, &wanted[done..]);
    }
    text
}

/// Adds the first ones, at least one and as many as do not affect each other, and returns how many these are.
fn add(
    wanted: &[PciSpec],
    text: &str,
    others: &[Sited<PciSpec>],
    replace: bool,
    refuse: &mut dyn FnMut(&PciSpec, Obstacle),
) -> (String, usize) {
    let ini = Ini::parse(text);
    let mut by_ids: HashMap<_, Vec<Existing<'_>>> = HashMap::new();
    for existing in all(&ini, others) {
        by_ids.entry(existing.spec.ids()).or_default().push(existing);
    }
    let mut together = Together::default();
    let mut replaced = HashSet::new();
    for (done, spec) in wanted.iter().enumerate() {
        let same_ids = by_ids.entry(spec.ids()).or_default();
        let is_possible = match decide(spec, same_ids, replace) {
            _ if replaced.contains(&spec.ids()) => false,
            Ok(Change::Nothing) => continue,
            Ok(Change::Later) => false,
            Ok(Change::Add) => {
                let (at, spec) = (spec.address(), spec.clone());
                let is_added = together.add(spec.to_string());
                same_ids.push(Existing { spec, at, elsewhere: None, option: None, is_new: true });
                is_added
            }
            Ok(Change::Replace(options)) => {
                replaced.insert(spec.ids());
                together.replace(options, spec.to_string())
            }
            Err(obstacle) => {
                refuse(spec, *obstacle);
                continue;
            }
        };
        if !is_possible {
            return (together.apply(&ini, nova::DEVICE_SPEC), done);
        }
    }
    (together.apply(&ini, nova::DEVICE_SPEC), wanted.len())
}

/// Those of the text, and then those of other files.
fn all<'i>(ini: &'i Ini<'_>, others: &'i [Sited<PciSpec>]) -> impl Iterator<Item = Existing<'i>> {
    let own = ini.all(nova::DEVICE_SPEC.0, nova::DEVICE_SPEC.1).flat_map(|option| {
        let specs = PciSpec::parse_list(&option.value);
        let option = (specs.len() == 1).then_some(option);
        specs.into_iter().map(move |spec| (None, spec, option))
    });
    let elsewhere = others.iter().map(|other| (Some(&other.site), other.value.clone(), None));
    own.chain(elsewhere).map(|(elsewhere, spec, option)| {
        let at = spec.address();
        Existing { spec, at, elsewhere, option, is_new: false }
    })
}

/// What to do about a `device_spec`, where these have the same ids.
fn decide<'i>(
    wanted: &PciSpec,
    same_ids: &[Existing<'i>],
    replace: bool,
) -> Result<Change<'i>, Box<Obstacle>> {
    let wanted_at = wanted.address();
    let reach = |existing: &Existing<'_>| reach(existing.at, wanted_at);
    if same_ids.iter().any(|existing| reach(existing) == Reach::Same) {
        return Ok(Change::Nothing);
    }
    let mut replaced = Vec::new();
    for existing in same_ids.iter().filter(|existing| reach(existing) != Reach::Other) {
        match existing.option {
            _ if existing.is_new => return Ok(Change::Later),
            Some(option) if replace => replaced.push(option),
            option => {
                return Err(Box::new(Obstacle {
                    spec: existing.spec.clone(),
                    reach: reach(existing),
                    elsewhere: existing.elsewhere.cloned(),
                    is_replaceable: option.is_some(),
                }));
            }
        }
    }
    Ok(if replaced.is_empty() { Change::Add } else { Change::Replace(replaced) })
}

/// The text without the devices of replaced aliases: devices that had an alias before and have none now. Devices that
/// never had one, such as network cards, are kept.
pub(super) fn without_replaced(before: &str, text: &str) -> String {
    let aliases = |ini: &Ini<'_>| {
        nova::aliases(ini).filter_map(|(_, alias)| Some(alias?.ids())).collect::<HashSet<_>>()
    };
    let ini = Ini::parse(text);
    let (before, now) = (aliases(&Ini::parse(before)), aliases(&ini));
    let unused: Vec<&IniOption> = ini
        .all(nova::DEVICE_SPEC.0, nova::DEVICE_SPEC.1)
        .filter(|option| {
            let ids = PciSpec::parse(&option.value).map(|spec| spec.ids());
            ids.is_some_and(|ids| before.contains(&ids) && !now.contains(&ids))
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

    fn add(
        wanted: &PciSpec,
        text: &str,
        others: &[Sited<PciSpec>],
        replace: bool,
    ) -> Result<String, Box<Obstacle>> {
        let mut refused = None;
        let text =
            add_all(std::slice::from_ref(wanted), text.to_owned(), others, replace, &mut |_, obstacle| {
                refused = Some(Box::new(obstacle));
            });
        refused.map_or(Ok(text), Err)
    }

    const SLOT: &str = r#", "address":"0000:65:00.0""#;
    const ANY_BUS: &str = r#", "address":"0000:*:00.0""#;

    #[test]
    fn the_reach_of_a_spec_is_that_of_its_address() {
        let other = PciSpec::parse(r#"{"product_id":"27b9", "vendor_id":"10de"}"#).unwrap();
        assert_ne!(other.ids(), wanted("").ids());
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
            let found = reach(wanted(existing).address(), wanted(asked).address());
            assert_eq!(found, expected, "{existing} {asked}");
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

    #[test]
    fn many_specs_give_the_text_of_one_after_the_other() {
        const OTHER_SLOT: &str = r#", "address":"0000:66:00.0""#;
        let text =
            format!("[pci]\ndevice_spec = {}\ndevice_spec = {}\nx = 1\n", spec(SLOT), spec(OTHER_SLOT));
        let other = PciSpec::parse(r#"{"product_id":"27b9", "vendor_id":"10de"}"#).unwrap();
        let orders = [
            vec![other.clone(), wanted(SLOT), wanted(""), wanted(ANY_BUS)],
            vec![wanted(r#", "address":"0000:67:00.0""#), wanted(ANY_BUS), other],
        ];
        for (all, replace) in orders.iter().flat_map(|all| [(all, false), (all, true)]) {
            let mut refused = Vec::new();
            let together = add_all(all, text.clone(), &[], replace, &mut |wanted, obstacle| {
                refused.push(obstacle.message(wanted));
            });
            let (mut apart, mut refused_apart) = (text.clone(), Vec::new());
            for wanted in all {
                match add(wanted, &apart, &[], replace) {
                    Ok(new) => apart = new,
                    Err(obstacle) => refused_apart.push(obstacle.message(wanted)),
                }
            }
            assert_eq!((together, refused), (apart, refused_apart));
        }
    }
}
