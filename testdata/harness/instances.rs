//! GenerateInstances on random plans: either an error, or objects without a collision. An appended instance changes
//! nothing in the objects of the others.

mod plans;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::net::IpAddr;

use proptest::prelude::*;
use rhoso_fn::checks::{self, Selection, Stage};
use rhoso_fn::formats::ip::IpRange;
use rhoso_fn::functions::{IGNORES, REGISTRY};
use rhoso_fn::krm::{self, FieldPath, ResourceList, Results, Severity};
use serde_json::{Value, json};

use crate::fuzz::count;
use crate::host::case::wire;
use crate::host::{BINARY, expect, kustomize};
use crate::stories::{assert_same_resources, resources};

/// Runs the function, and returns the ResourceList as text, or None if it refuses the config.
fn run(spec: &Value) -> Option<String> {
    let config = json!({
        "apiVersion": "fn.rhoso.dev/v1alpha1",
        "kind": "GenerateInstances",
        "metadata": {"name": "fleet"},
        "spec": spec,
    });
    run_list(&wire(&[], &config.to_string()))
}

fn run_list(list: &str) -> Option<String> {
    let outcome = krm::run(list.as_bytes(), REGISTRY);
    let messages: Vec<String> = outcome.findings.iter().map(ToString::to_string).collect();
    assert_eq!(outcome.failed, !messages.is_empty(), "{messages:?}");
    (!outcome.failed).then_some(outcome.stdout)
}

fn parsed(list: &str) -> ResourceList {
    ResourceList::parse(list).unwrap()
}

fn values(list: &ResourceList) -> Vec<Value> {
    list.items.iter().map(|item| item.value(&FieldPath::default()).unwrap().unwrap()).collect()
}

/// Hosts of a network with what they are for.
#[derive(Debug)]
struct Taken {
    range: IpRange,
    purpose: String,
}

fn taken(first: &Value, last: &Value, purpose: String) -> Taken {
    let ip = |value: &Value| -> IpAddr { value.as_str().unwrap().parse().unwrap() };
    Taken { range: IpRange::between(ip(first), ip(last)).unwrap(), purpose }
}

/// Everything that the objects hand out or assign, read without the model.
fn all_taken(objects: &[Value]) -> Vec<Taken> {
    let mut found = Vec::new();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    for object in objects {
        let (name, spec) = (object["metadata"]["name"].as_str().unwrap(), &object["spec"]);
        match object["kind"].as_str().unwrap() {
            "NetworkAttachmentDefinition" => {
                let config: Value = serde_json::from_str(spec["config"].as_str().unwrap()).unwrap();
                let ipam = &config["ipam"];
                if ipam["range"].is_string() {
                    // Attachments of one network may overlap, because whereabouts reserves addresses for all of them.
                    let purpose = format!("attachment {}", ipam["range"]);
                    found.push(taken(&ipam["range_start"], &ipam["range_end"], purpose));
                }
            }
            "IPAddressPool" => {
                for range in list(&spec["addresses"]) {
                    let range = IpRange::parse(range.as_str().unwrap()).unwrap();
                    found.push(Taken { range, purpose: format!("pool {name}") });
                }
            }
            "NetConfig" => {
                let namespace = object["metadata"]["namespace"].as_str().unwrap();
                for network in list(&spec["networks"]) {
                    let subnet = &network["subnets"][0];
                    for (index, range) in list(&subnet["allocationRanges"]).iter().enumerate() {
                        let purpose = format!("{namespace} {} {index}", network["name"]);
                        found.push(taken(&range["start"], &range["end"], purpose));
                    }
                    if subnet["gateway"].is_string() {
                        let purpose = format!("gateway {}", subnet["gateway"]);
                        found.push(taken(&subnet["gateway"], &subnet["gateway"], purpose));
                    }
                }
            }
            "NodeNetworkConfigurationPolicy" => {
                for interface in list(&spec["desiredState"]["interfaces"]) {
                    for address in ["ipv4", "ipv6"].iter().flat_map(|key| list(&interface[key]["address"])) {
                        let purpose = format!("node {name} {}", interface["name"]);
                        found.push(taken(&address["ip"], &address["ip"], purpose));
                    }
                }
            }
            _ => {}
        }
    }
    found
}

fn assert_no_overlap(objects: &[Value]) {
    let mut all = all_taken(objects);
    all.sort_by_key(|taken| taken.range);
    for (position, one) in all.iter().enumerate() {
        for other in all[position + 1..].iter().take_while(|other| other.range.overlaps(&one.range)) {
            assert_eq!(one.purpose, other.purpose, "{one:?} overlaps {other:?}");
        }
    }
}

/// Each VLAN of a NIC has one interface, and names are short enough.
fn assert_interfaces(objects: &[Value]) {
    for object in objects.iter().filter(|object| object["kind"] == "NodeNetworkConfigurationPolicy") {
        let (mut names, mut vlans) = (BTreeSet::new(), BTreeSet::new());
        for interface in object["spec"]["desiredState"]["interfaces"].as_array().unwrap() {
            let name = interface["name"].as_str().unwrap();
            assert!(names.insert(name.to_owned()) && name.len() <= 15, "{name}");
            let vlan = &interface["vlan"];
            assert!(vlan.is_null() || vlans.insert(vlan.to_string()), "{vlan}");
        }
    }
}

/// The checks of the linter find nothing.
fn assert_clean(list: &ResourceList) {
    let selection = Selection::new(&checks::rules_of_checks(), &["all".to_owned()], &[]).unwrap();
    let results = checks::check(&list.items, Results::default(), Stage::Rendered, &selection, IGNORES.into());
    let findings = results.into_sorted();
    let findings: Vec<String> = findings
        .iter()
        .filter(|finding| finding.severity != Severity::Info)
        .map(ToString::to_string)
        .collect();
    assert_eq!(findings, Vec::<String>::new());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: count(60) as u32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_plans_have_no_collision(spec in plans::spec()) {
        let Some(text) = run(&spec) else { return Ok(()) };
        let list = parsed(&text);
        let objects = values(&list);
        assert_no_overlap(&objects);
        assert_interfaces(&objects);
        assert_clean(&list);
        prop_assert_eq!(run_list(&text), Some(text), "the second run");
    }
}

/// A plan without mistakes, with as many instances as given.
fn fleet(instances: usize) -> Value {
    let instances: Vec<Value> =
        (0..instances).map(|number| json!({"namespace": format!("rhoso{number}")})).collect();
    json!({"nodes": ["worker-0", "worker-1"], "interface": "enp6s0", "instances": instances})
}

#[test]
fn an_appended_instance_changes_no_other() {
    let texts = |instances: usize, is_policy: bool| -> BTreeMap<String, String> {
        let list = parsed(&run(&fleet(instances)).unwrap());
        let is_wanted = |kind: &str| (kind == "NodeNetworkConfigurationPolicy") == is_policy;
        let items = list.items.iter().filter(|item| is_wanted(&item.id().kind));
        items.map(|item| (item.id().to_string(), item.text().to_owned())).collect()
    };
    for instances in 1..4 {
        let (before, after) = (texts(instances, false), texts(instances + 1, false));
        for (name, text) in before {
            assert_eq!(after.get(&name), Some(&text), "{name}");
        }
        for (name, text) in texts(instances, true) {
            let after = &texts(instances + 1, true)[&name];
            let mut lines = after.lines();
            assert!(text.lines().all(|line| lines.any(|other| other == line)), "{name} lost a line");
        }
    }
}

#[test]
fn fifty_instances_fit() {
    for mut spec in [fleet(50), wide(50)] {
        let objects = values(&parsed(&run(&spec).unwrap()));
        assert_no_overlap(&objects);
        assert_interfaces(&objects);
        // The addresses of many nodes are checked even if only one instance is rendered, which is faster.
        let nodes = if spec["networks"].is_null() { 20 } else { 100 };
        spec["nodes"] = (0..nodes).map(|node| json!(format!("worker-{node}"))).collect();
        spec["only"] = json!("rhoso49");
        assert!(run(&spec).is_some());
    }
}

/// Larger subnets for many nodes.
fn wide(instances: usize) -> Value {
    let mut spec = fleet(instances);
    for (position, name) in plans::with_addresses().into_iter().enumerate() {
        spec["networks"][name] = json!({"cidr": format!("10.{}.0.0/22", 32 + position)});
        if !["external", "octavia"].contains(&name) {
            spec["networks"][name]["nodes"] = json!(300);
        }
    }
    spec
}

/// One functionConfig for all, and a kustomization for each instance and for the nodes. The patch keeps networks that are
/// null.
#[test]
fn overlays_render_one_instance_each() {
    let Some(kustomize) = kustomize() else { return };
    let dir = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let mut spec = fleet(2);
    spec["networks"] = json!({"octavia": null});
    let function = format!("exec: {{path: {BINARY}}}");
    let metadata = json!({"name": "fleet", "annotations": {"config.kubernetes.io/function": function}});
    let config = json!({
        "apiVersion": "fn.rhoso.dev/v1alpha1", "kind": "GenerateInstances", "metadata": metadata, "spec": spec,
    });
    write("fleet/instances.yaml", &config.to_string());
    write("fleet/kustomization.yaml", "resources: [instances.yaml]\n");
    let mut rendered = Vec::new();
    for only in ["rhoso0", "rhoso1", "nodes"] {
        let patch = format!(
            "apiVersion: fn.rhoso.dev/v1alpha1\nkind: GenerateInstances\nmetadata: {{name: fleet}}\nspec: {{only: {only}}}\n"
        );
        write(&format!("{only}/fleet/only.yaml"), &patch);
        let patched = "resources: [../../fleet]\npatches: [{path: only.yaml}]\n";
        write(&format!("{only}/fleet/kustomization.yaml"), patched);
        write(&format!("{only}/kustomization.yaml"), "generators: [fleet]\n");
        let args = ["build", "--enable-alpha-plugins", "--enable-exec", only];
        rendered.extend(resources(&expect(&kustomize, &args, b"", dir.path()).stdout));
    }
    write("kustomization.yaml", "generators: [fleet]\n");
    let args = ["build", "--enable-alpha-plugins", "--enable-exec", "."];
    let all = resources(&expect(&kustomize, &args, b"", dir.path()).stdout);
    let count = rendered.len();
    let rendered: BTreeMap<_, _> = rendered.into_iter().collect();
    assert_eq!(count, rendered.len(), "no object is rendered twice");
    assert_same_resources("overlays", &all, &rendered);
    assert!(!rendered.keys().any(|name| name.contains("octavia")));
}
