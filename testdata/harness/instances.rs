//! GenerateInstances on random plans: either an error, or objects without a collision. An appended instance changes
//! nothing in the objects of the others.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

use proptest::prelude::*;
use rhoso_fn::checks::{self, Selection, Stage};
use rhoso_fn::formats::ip::IpRange;
use rhoso_fn::functions::{IGNORES, REGISTRY};
use rhoso_fn::krm::{self, FieldPath, ResourceList, Results, Severity};
use serde_json::{Value, json};

use crate::fuzz::count;
use crate::host::case::wire;

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
    let selection = Selection::new(&checks::rules_of_checks(), &[], &[]).unwrap();
    let results = checks::check(&list.items, Results::default(), Stage::Rendered, &selection, IGNORES);
    let findings = results.into_sorted();
    let findings: Vec<String> = findings
        .iter()
        .filter(|finding| finding.severity != Severity::Info)
        .map(ToString::to_string)
        .collect();
    assert_eq!(findings, Vec::<String>::new());
}

fn network() -> impl Strategy<Value = Value> {
    let cidr = prop_oneof![
        Just(json!("172.17.0.0/24")),
        Just(json!("10.17.0.0/22")),
        Just(json!("10.17.4.0/22")),
        Just(json!("10.18.0.0/25")),
        Just(json!("10.19.0.0/20")),
        Just(json!("fd00:1::/64")),
        Just(json!("fd00:2::/120")),
        Just(json!("192.168.124.0/24")),
    ];
    let vlan = prop_oneof![Just(json!(20)), Just(json!(31)), Just(json!(500)), Just(Value::Null)];
    let range = prop_oneof![
        (1_u32..250, 0_u32..30).prop_map(|(first, size)| json!(format!("{first}-{}", first + size))),
        Just(Value::Null),
        Just(json!("10.17.0.64/28")),
    ];
    let allocate = prop_oneof![
        (100_u32..200, 0_u32..50).prop_map(|(first, size)| json!(format!("{first}-{}", first + size))),
        Just(json!(["200-210", "220-230"])),
        Just(Value::Null),
    ];
    let nodes = prop_oneof![(1_u32..300).prop_map(|first| json!(first)), Just(Value::Null)];
    let maybe = |value: BoxedStrategy<Value>| prop::option::weighted(0.3, value);
    let fields = (
        maybe(cidr.boxed()),
        maybe(vlan.boxed()),
        maybe(range.clone().boxed()),
        maybe(range.boxed()),
        maybe(allocate.boxed()),
        maybe(nodes.boxed()),
    );
    fields.prop_map(|(cidr, vlan, attach, pool, allocate, nodes)| {
        let fields = [
            ("cidr", cidr),
            ("vlan", vlan),
            ("attach", attach),
            ("pool", pool),
            ("allocate", allocate),
            ("nodes", nodes),
        ];
        fields.into_iter().filter_map(|(key, value)| Some((key, value?))).collect()
    })
}

fn networks(most: usize) -> impl Strategy<Value = Value> {
    let name = prop::sample::select(vec![
        "ctlplane",
        "internalapi",
        "external",
        "storage",
        "storagemgmt",
        "tenant",
        "octavia",
        "designate",
        "designateext",
    ]);
    let network = prop_oneof![4 => network().boxed(), 1 => Just(Value::Null).boxed()];
    prop::collection::btree_map(name, network, 0..=most).prop_map(|networks| json!(networks))
}

fn spec() -> impl Strategy<Value = Value> {
    let instance = (networks(1), prop::option::weighted(0.2, 0_u32..60));
    let instances = prop::collection::vec(instance, 1..5);
    let bgp = json!([{"peerAddress": "100.64.0.1", "peerASN": 64512, "myASN": 64512}]);
    (networks(2), instances, 1_usize..6, any::<bool>(), prop::bool::weighted(0.2)).prop_map(
        move |(networks, instances, nodes, is_ipv6, is_bgp)| {
            let instances: Vec<Value> = instances
                .into_iter()
                .enumerate()
                .map(|(position, (networks, slot))| {
                    let mut instance = json!({"namespace": format!("rhoso{position}"), "networks": networks});
                    if let Some(slot) = slot {
                        instance["slot"] = json!(slot);
                    }
                    instance
                })
                .collect();
            let nodes: Vec<String> = (0..nodes).map(|node| format!("worker-{node}")).collect();
            let family = if is_ipv6 { "IPv6" } else { "IPv4" };
            let mut spec = json!({
                "nodes": nodes, "interface": "enp6s0", "ipFamily": family, "networks": networks, "instances": instances,
            });
            if is_bgp {
                spec["advertise"] = json!("bgp");
                spec["peers"] = bgp.clone();
            }
            spec
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: count(60) as u32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_plans_have_no_collision(spec in spec()) {
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
    let names = [
        "ctlplane",
        "internalapi",
        "external",
        "storage",
        "storagemgmt",
        "tenant",
        "octavia",
        "designate",
        "designateext",
    ];
    for (position, name) in names.iter().enumerate() {
        spec["networks"][name] = json!({"cidr": format!("10.{}.0.0/22", 32 + position)});
        if !["external", "octavia"].contains(name) {
            spec["networks"][name]["nodes"] = json!(300);
        }
    }
    spec
}
