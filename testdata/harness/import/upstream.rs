//! What install_yamls generates and the files of the multi-RHOSO document, if they exist next to the project.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::Path;

use rhoso_fn::formats::ip::Subnet;
use serde_json::{Value, json};

use super::{import, rendered};
use crate::host::{files_below, shared};
use crate::stories::{assert_same_resources, resources};

type Objects = BTreeMap<String, Value>;

/// The objects of install_yamls below some directories, except ConfigMaps.
fn golden(directories: &[&str]) -> Option<Objects> {
    let mut found = Objects::new();
    for directory in directories {
        let path = shared(&format!("samples/rhoso/install_yamls-golden/{directory}"))?;
        for file in files_below(&path) {
            found.extend(resources(&std::fs::read_to_string(file).unwrap()));
        }
    }
    found.retain(|name, _| !name.starts_with("ConfigMap "));
    Some(found)
}

/// The objects of an instance that is imported from a file with this text, without its Namespace.
fn imported(text: &str) -> Objects {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("x.env"), text).unwrap();
    let ended = import(&["--nodes", "worker-0,worker-1", "x.env"], directory.path());
    let rendered = rendered(&ended.stdout);
    assert!(rendered.success, "{}", rendered.stderr);
    let mut objects = resources(&rendered.stdout);
    objects.remove("Namespace openstack");
    objects
}

/// Replaces a text in every string of a value.
fn replace(value: &mut Value, from: &str, to: &str) {
    match value {
        Value::String(text) => *text = text.replace(from, to),
        Value::Array(list) => list.iter_mut().for_each(|value| replace(value, from, to)),
        Value::Object(map) => map.values_mut().for_each(|value| replace(value, from, to)),
        _ => {}
    }
}

/// Writes addresses in one way, and the JSON of CNI as a value.
fn normalized(mut objects: Objects) -> Objects {
    fn normalize(value: &mut Value) {
        match value {
            Value::String(text) if text.starts_with('{') => {
                *value = serde_json::from_str(text).unwrap();
                normalize(value);
            }
            Value::String(text) => {
                if let Ok(ip) = text.trim().parse::<IpAddr>() {
                    *text = ip.to_string();
                } else if let Ok(subnet) = Subnet::parse(text) {
                    *text = subnet.to_string();
                }
            }
            Value::Array(list) => list.iter_mut().for_each(normalize),
            Value::Object(map) => map.values_mut().for_each(normalize),
            _ => {}
        }
    }
    objects.values_mut().for_each(normalize);
    objects
}

/// Corrections for every instance: the objects of MetalLB begin with the namespace, and only the instance may use its
/// pools; NetConfig is in the namespace; and a password is in a Secret.
fn scoped(objects: Objects) -> Objects {
    let prefix = |value: &mut Value| *value = json!(format!("openstack-{}", value.as_str().unwrap()));
    let scope = |mut object: Value| {
        match object["kind"].as_str().unwrap() {
            "IPAddressPool" => {
                prefix(&mut object["metadata"]["name"]);
                object["spec"]["serviceAllocation"] = json!({"namespaces": ["openstack"]});
            }
            "L2Advertisement" | "BGPAdvertisement" => {
                prefix(&mut object["metadata"]["name"]);
                object["spec"]["ipAddressPools"].as_array_mut().unwrap().iter_mut().for_each(prefix);
            }
            "BGPPeer" => {
                object["spec"].as_object_mut().unwrap().remove("password").unwrap();
                object["spec"]["passwordSecret"] = json!({"name": "bgp-peer-password"});
            }
            "NetConfig" => object["metadata"]["namespace"] = json!("openstack"),
            _ => {}
        }
        let metadata = &object["metadata"];
        let names = [&metadata["namespace"], &metadata["name"]].map(|name| name.as_str().unwrap_or_default());
        let name = names.join("/");
        let key = format!("{} {}", object["kind"].as_str().unwrap(), name.trim_start_matches('/'));
        (key, object)
    };
    objects.into_values().map(scope).collect()
}

/// Of BGP, only the peers and the advertisement are compared.
fn only_bgp(mut objects: Objects) -> Objects {
    objects.retain(|name, _| name.starts_with("BGP"));
    objects
}

fn without_bgp(mut objects: Objects) -> Objects {
    objects.retain(|name, _| !name.starts_with("BGP"));
    objects
}

const DESIGNATE_EXT: &str = "NetworkAttachmentDefinition openstack/designateext";
const DESIGNATE: &str = "NetworkAttachmentDefinition openstack/designate";

#[test]
fn defaults_are_those_of_install_yamls_with_corrections() {
    let Some(golden) = golden(&["ipv4", "netconfig"]) else { return };
    let mut expected = scoped(without_bgp(golden));
    // designateext is private address space.
    expected.values_mut().for_each(|object| replace(object, "172.50.0.", "172.29.0."));
    // The CNI name of designateext is spelled like the network.
    replace(expected.get_mut(DESIGNATE_EXT).unwrap(), "designatext", "designateext");
    assert_same_resources("IPv4", &normalized(expected), &normalized(imported("")));
}

#[test]
fn ipv6_defaults_are_those_of_install_yamls_with_corrections() {
    let Some(golden) = golden(&["ipv6"]) else { return };
    let mut expected = scoped(without_bgp(golden));
    // The attachments of designate have IPv6 addresses, as its interfaces on the nodes.
    for (name, v4, v6) in [(DESIGNATE, "172.28.0", "fd00:eded:"), (DESIGNATE_EXT, "172.50.0", "fd00:eaea:")] {
        let attachment = expected.get_mut(name).unwrap();
        replace(attachment, &format!("{v4}.0/24"), &format!("{v6}:/64"));
        replace(attachment, &format!("{v4}."), &format!("{v6}:"));
    }
    replace(expected.get_mut(DESIGNATE_EXT).unwrap(), "designatext", "designateext");
    let mut actual = imported("NETWORK_ISOLATION_IPV4=false\nNETWORK_ISOLATION_IPV6=true\n");
    // The NetConfig of install_yamls is not among the samples.
    let netconfig = actual.remove("NetConfig openstack/netconfig").unwrap();
    // It has one subnet of storagemgmt, the same as the nodes.
    assert_eq!(netconfig["spec"]["networks"][4]["subnets"][0]["cidr"], "fd00:dede::/64");
    assert_same_resources("IPv6", &normalized(expected), &normalized(actual));
}

#[test]
fn bgp_peers_are_those_of_install_yamls_with_a_secret() {
    let Some(golden) = golden(&["ipv4/metallb"]) else { return };
    let actual = only_bgp(imported("NETWORK_BGP=true\n"));
    assert_eq!(actual.len(), 3);
    assert_same_resources("BGP", &scoped(only_bgp(golden)), &actual);
}

/// The document's second instance takes its services from a range that NetConfig hands out, and has public subnets.
#[test]
fn collisions_of_the_document_are_found() {
    let Some(directory) = shared("samples/rhoso") else { return };
    let ended = import(&["rhoso1-config.env", "rhoso2-config.env"], Path::new(&directory));
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let instances = ended.stdout.lines().filter(|line| line.starts_with("  - namespace: "));
    assert_eq!(
        instances.collect::<Vec<_>>(),
        ["  - namespace: openstack # rhoso1-config.env", "  - namespace: openstack2 # rhoso2-config.env"]
    );
    let is_reported = |texts: &[&str]| {
        let mut lines = ended.stderr.lines();
        lines.any(|line| line.contains(": warning: ") && texts.iter().all(|text| line.contains(text)))
    };
    assert!(is_reported(&[
        "rhoso2-config.env:61:",
        "`pool` 192.168.122.110-192.168.122.120",
        "overlaps `allocate` 192.168.122.100-192.168.122.120",
    ]));
    for subnet in ["172.32.0.0/24", "172.38.0.0/24", "172.51.0.0/24"] {
        assert!(is_reported(&["rhoso2-config.env:", subnet, "is public address space"]), "{}", ended.stderr);
    }
    assert!(ended.stderr.contains("credentials: PASSWORD\n"), "{}", ended.stderr);
}
