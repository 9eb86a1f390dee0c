//! Random plans. About half of them have no mistake.

use proptest::prelude::*;
use rhoso_fn::platform::network_plan::NetworkName;
use serde_json::{Value, json};

/// The networks of the plan that have addresses.
pub fn with_addresses() -> Vec<&'static str> {
    let names = NetworkName::ALL.into_iter().filter(|name| *name != NetworkName::Datacentre);
    names.map(NetworkName::as_str).collect()
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
    let name = prop::sample::select(with_addresses());
    let network = prop_oneof![4 => network().boxed(), 1 => Just(Value::Null).boxed()];
    prop::collection::btree_map(name, network, 0..=most).prop_map(|networks| json!(networks))
}

pub fn spec() -> impl Strategy<Value = Value> {
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
