//! SetServiceConfig, with oslo.config as the judge of the merged texts.

use std::collections::BTreeMap;

use rhoso_fn::functions::REGISTRY;
use rhoso_fn::krm::{self, Place, Resource};
use rhoso_fn::platform::service_config::{ConfigPlace, PLACES};
use rhoso_fn::yaml::stream;
use serde_json::{Value, json};

use crate::host::case::Case;
use crate::host::python;
use crate::ini_oracle::read_all;
use crate::mutation::Mutation;

/// Sections and options of Nova, those with several values last.
const SINGLE: [(&str, &str); 5] = [
    ("DEFAULT", "debug"),
    ("filter_scheduler", "enabled_filters"),
    ("scheduler", "workers"),
    ("Database", "connection"),
    ("vendor", "option"),
];
const SEVERAL: [(&str, &str); 2] = [("pci", "alias"), ("pci", "device_spec")];

/// The values of each option, in the order of the text.
type Options = BTreeMap<(String, String), Vec<String>>;

struct Merge {
    before: String,
    config: String,
    remove: Vec<(&'static str, &'static str)>,
    after: String,
}

/// An existing text, with whatever people write.
fn text(random: &mut Mutation) -> String {
    let newline = if random.below(5) == 0 { "\r\n" } else { "\n" };
    let mut text = String::new();
    for _ in 0..random.below(5) {
        let (section, key) = option(random);
        let header = if random.below(3) == 0 { section.to_uppercase() } else { section.to_owned() };
        text.push_str(&format!("[{header}]{newline}"));
        for _ in 0..random.below(4) {
            let key = if random.below(2) == 0 { key } else { option(random).1 };
            let line = match random.below(8) {
                0 => format!("# {key} = commented"),
                1 => String::new(),
                2 => format!("{key} : {}", random.below(4)),
                3 => format!("{key}={}{newline}  and more", random.below(4)),
                4 => format!("{key} ={newline}\tbelow"),
                5 => format!("{key} = \"{}\"", random.below(4)),
                _ => format!("{key} = {}", random.below(4)),
            };
            text.push_str(&format!("{line}{newline}"));
        }
    }
    if random.below(4) == 0 { text.trim_end().to_owned() } else { text }
}

fn option(random: &mut Mutation) -> (&'static str, &'static str) {
    let at = random.below(SINGLE.len() + SEVERAL.len());
    SINGLE.get(at).copied().unwrap_or_else(|| SEVERAL[at - SINGLE.len()])
}

/// A functionConfig's text, in which each option with one value occurs once.
fn config(random: &mut Mutation) -> String {
    let mut text = String::new();
    for (section, key) in SINGLE.iter().chain(&SEVERAL) {
        if random.below(3) > 0 {
            continue;
        }
        let line = match random.below(4) {
            0 => format!("{key} = {}\n   or more", random.below(4)),
            1 => format!("{key} =\n  below"),
            2 => format!("{key}: '{}'", random.below(4)),
            _ => format!("{key} = {}", random.below(4)),
        };
        text.push_str(&format!("[{section}]\n{line}\n"));
    }
    text
}

/// Runs the function on one text, twice.
fn run(before: &str, config: &str, remove: &[(&str, &str)]) -> String {
    let remove: Vec<String> = remove.iter().map(|(section, key)| format!("{section}/{key}")).collect();
    let mut text = before.to_owned();
    for round in 0..2 {
        let list = json!({
            "apiVersion": "config.kubernetes.io/v1",
            "kind": "ResourceList",
            "functionConfig": {
                "apiVersion": "fn.rhoso.dev/v1alpha1",
                "kind": "SetServiceConfig",
                "spec": {"services": [{
                    "service": "nova-api", "config": config, "remove": remove, "acceptUnknown": "random",
                }]},
            },
            "items": [{
                "apiVersion": "core.openstack.org/v1beta1",
                "kind": "OpenStackControlPlane",
                "metadata": {"name": "openstack"},
                "spec": {"nova": {"template": {"apiServiceTemplate": {"customServiceConfig": text}}}},
            }],
        });
        let outcome = krm::run(list.to_string().as_bytes(), REGISTRY);
        assert!(!outcome.failed, "{:?}\n{before}\n+\n{config}", outcome.findings);
        let printed: Value = serde_json::from_str(&outcome.stdout).unwrap();
        let path = "/items/0/spec/nova/template/apiServiceTemplate/customServiceConfig";
        let after = printed.pointer(path).and_then(Value::as_str).unwrap_or_default().to_owned();
        assert!(round == 0 || after == text, "a second run changes\n{text}\nto\n{after}");
        text = after;
    }
    text
}

fn options(read: &Value) -> Options {
    let mut options = Options::new();
    for option in read.as_array().unwrap() {
        let part = |at: usize| option[at].as_str().unwrap().to_owned();
        options.entry((part(0), part(1))).or_default().push(part(2));
    }
    options
}

fn normal(section: &str) -> String {
    if section == "DEFAULT" { section.to_owned() } else { section.to_lowercase() }
}

/// What the text should say after the merge.
fn intended(before: &Options, config: &Options, remove: &[(&str, &str)]) -> Options {
    let is_several = |key: &str| SEVERAL.iter().any(|(_, several)| *several == key);
    let mut options = before.clone();
    for (section, key) in remove {
        options.remove(&(normal(section), (*key).to_owned()));
    }
    for (name, values) in config {
        let existing = options.entry(name.clone()).or_default();
        if is_several(&name.1) {
            let new: Vec<String> = values.iter().filter(|value| !existing.contains(value)).cloned().collect();
            existing.extend(new);
        } else {
            existing.pop();
            existing.push(values[0].clone());
        }
    }
    options
}

#[test]
fn oslo_config_reads_what_was_merged() {
    let Some(python) = python() else { return };
    let mut random = Mutation::new(17);
    let mut merges = Vec::new();
    while merges.len() < 400 {
        let (before, config) = (text(&mut random), config(&mut random));
        let remove: Vec<_> = (0..random.below(3)).map(|_| option(&mut random)).collect();
        if config.is_empty() && remove.is_empty() {
            continue;
        }
        let after = run(&before, &config, &remove);
        merges.push(Merge { before, config, remove, after });
    }
    let texts: Vec<&String> = merges.iter().flat_map(|m| [&m.before, &m.config, &m.after]).collect();
    let read = read_all(&python, &texts);
    let mut judged = 0;
    for (merge, read) in merges.iter().zip(read.chunks(3)) {
        if read[0].is_null() {
            continue;
        }
        let Merge { before, config, remove, after } = merge;
        assert!(!read[2].is_null(), "oslo.config refuses\n{after}\n=\n{before}\n+\n{config}");
        let intended = intended(&options(&read[0]), &options(&read[1]), remove);
        assert_eq!(options(&read[2]), intended, "{after}\n=\n{before}\n+\n{config}\n-\n{remove:?}");
        judged += 1;
    }
    assert!(judged > 200, "oslo.config accepts only {judged} of the texts");
}

/// The texts at a place of all control planes, each with its path.
fn texts_at(place: &ConfigPlace, resources: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for range in stream::documents(resources) {
        let resource = Resource::from_file(resources.into(), range, Place::default()).unwrap();
        for path in resource.fields(&place.texts()).unwrap() {
            let text = resource.get(&path).ok().flatten().unwrap_or_default();
            found.push((format!("{} {path}", resource.id()), text));
        }
    }
    found
}

/// Two places can share the name of a service, so a case must change the place, not only name the service.
#[test]
fn every_place_has_a_golden_case() {
    let cases = Case::of("set-service-config");
    for place in &PLACES {
        let entry = format!("- service: {}\n", place.name);
        let changes_it = |case: &&Case| {
            case.config.contains(&entry) && texts_at(place, &case.input) != texts_at(place, case.after())
        };
        let case = cases.iter().filter(|case| !case.must_fail()).find(changes_it);
        assert!(case.is_some(), "no case of {} changes {}", place.name, place.written());
    }
}
