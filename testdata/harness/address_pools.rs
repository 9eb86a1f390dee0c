//! PrefixAddressPools on upstream's control planes and pools, and its table of service overrides against the
//! CRD.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use rhoso_fn::functions::REGISTRY;
use rhoso_fn::krm::{self, FieldPath, FieldPattern, Place, Resource};
use rhoso_fn::platform::service_overrides::{SERVICE_OVERRIDES, is_enabled};
use serde_json::{Map, Value, json};

use crate::host::case::Case;
use crate::host::{BINARY, assert_same, expect, python, root, run, shared};

const SCOPE: &str = "  serviceAllocation:\n    namespaces:\n    - openstack2\n";

fn config(spec: &str) -> String {
    format!(
        "apiVersion: fn.rhoso.dev/v1alpha1\nkind: PrefixAddressPools\nmetadata: {{name: openstack2}}\nspec:\n  namespace: openstack2\n{spec}"
    )
}

/// Renders files in a separate directory, and renders the result again, which must change nothing.
fn render(files: &[(&str, &str)], folder: &Path) -> (Vec<String>, String) {
    for (name, text) in files {
        fs::write(folder.join(name), text).unwrap();
    }
    let out = folder.join("out");
    let args = ["render", ".", "-o", out.to_str().unwrap()];
    let ended = expect(BINARY, &args, b"", folder);
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
    let names: Vec<&str> =
        files.iter().map(|(name, _)| *name).filter(|name| *name != "config.yaml").collect();
    let first: Vec<String> = names.iter().map(|name| read(name)).collect();
    for (name, text) in names.iter().zip(&first) {
        fs::write(folder.join(name), text).unwrap();
    }
    fs::remove_dir_all(&out).unwrap();
    let again = expect(BINARY, &args, b"", folder);
    for (name, text) in names.iter().zip(&first) {
        assert_same(&format!("{name}, the second time"), text, &read(name));
    }
    assert_eq!(ended.stderr, again.stderr, "the second run reports the same findings");
    fs::remove_dir_all(&out).unwrap();
    (first, ended.stderr)
}

/// The problems that validation against the CRDs finds.
fn problems(text: &str) -> Option<String> {
    let (check, python) = (shared("tools/check-crd")?, python()?);
    let ended = run(python, &[check.to_str().unwrap()], text.as_bytes(), root());
    let lines =
        ended.stdout.lines().filter(|line| line.contains(": unknown field") || line.contains(": must be"));
    Some(lines.map(|line| format!("{line}\n")).collect())
}

fn golden(family: &str, file: &str) -> Option<String> {
    let path = shared(&format!("samples/rhoso/install_yamls-golden/{family}/metallb/{file}.yaml"))?;
    Some(fs::read_to_string(path).unwrap())
}

/// The expected result for a line, computed independently of the function.
fn moved_line(line: &str) -> String {
    let Some((head, value)) = line.split_once(": ") else { return line.to_owned() };
    match head.trim() {
        "metallb.universe.tf/address-pool" | "metallb.universe.tf/allow-shared-ip" => {
            format!("{head}: openstack2-{value}")
        }
        "metallb.universe.tf/loadBalancerIPs" => {
            let new = value.replace("172.17.0.", "172.27.0.").replace("192.168.122.80", "192.168.122.121");
            assert_ne!(value, new);
            format!("{head}: {new}")
        }
        _ => line.to_owned(),
    }
}

#[test]
fn network_isolation_samples_become_a_second_instance_and_nothing_else_changes() {
    let Some(pools) = golden("ipv4", "ipaddresspools") else { return };
    let pools = pools
        .replace("172.17.0.", "172.27.0.")
        .replace("192.168.122.80-192.168.122.90", "192.168.122.121-192.168.122.131");
    let config = config("  addresses:\n    ctlplane: 192.168.122.121\n");
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(shared("samples/rhoso").unwrap()).unwrap() {
        let path = entry.unwrap().path();
        if !path.file_name().unwrap().to_string_lossy().contains("network_isolation") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let files = [("config.yaml", config.as_str()), ("pools.yaml", &pools), ("plane.yaml", &text)];
        let (rendered, stderr) = render(&files, dir.path());
        let expected: String = text.lines().map(|line| format!("{}\n", moved_line(line))).collect();
        assert!(expected.matches("openstack2-internalapi").count() > 20, "{}", path.display());
        assert_same(&path.display().to_string(), &expected, &rendered[1]);
        // The function reports fields of upstream's samples that the CRD does not have.
        assert_eq!(stderr.contains("heatEngine"), text.contains("heatEngine:\n        override"), "{stderr}");
        before.push(text);
        after.extend(rendered.into_iter().nth(1));
    }
    assert_eq!(before.len(), 5);
    // Upstream's samples are not fully valid; the function must not add problems.
    assert_eq!(problems(&before.join("---\n")), problems(&after.join("---\n")));
}

#[test]
fn upstream_pools_change_in_name_reference_and_scope_only() {
    for family in ["ipv4", "ipv6"] {
        let names = ["ipaddresspools", "l2advertisement", "bgpadvertisement", "bgppeers", "bgpextras"];
        let files: Vec<(&str, String)> =
            names.into_iter().filter_map(|name| Some((name, golden(family, name)?))).collect();
        if files.is_empty() {
            return;
        }
        let (config, dir) = (config(""), tempfile::tempdir().unwrap());
        let file_names: Vec<String> = names.iter().map(|name| format!("{name}.yaml")).collect();
        let texts = files.iter().map(|(_, text)| text.as_str());
        let mut given: Vec<(&str, &str)> = file_names.iter().map(String::as_str).zip(texts).collect();
        given.push(("config.yaml", &config));
        let (rendered, stderr) = render(&given, dir.path());
        assert_eq!(stderr.lines().filter(|line| line.contains("warning")).count(), 0, "{stderr}");
        for ((name, before), after) in files.iter().zip(&rendered) {
            let prefixes = match *name {
                "ipaddresspools" => 5,
                "l2advertisement" => 10,
                "bgpadvertisement" => 6,
                _ => 0,
            };
            assert_eq!(after.matches("openstack2-").count(), prefixes, "{name}: {after}");
            assert_eq!(after.matches(SCOPE).count(), if *name == "ipaddresspools" { 5 } else { 0 });
            assert_same(name, before, &after.replace("openstack2-", "").replace(SCOPE, ""));
        }
        assert_eq!(problems(&rendered.concat()).unwrap_or_default(), "");
    }
}

/// The rows of the table of service overrides: path and shape.
fn rows() -> Vec<(String, String)> {
    let Some(path) = shared("data/override-paths.tsv") else { return Vec::new() };
    let text = fs::read_to_string(path).unwrap();
    let rows: Vec<(String, String)> = text
        .lines()
        .skip(1)
        .map(|line| line.split('\t').collect::<Vec<_>>())
        .map(|columns| (columns[0].replace("<*>", "*").replace("[]", "[*]"), columns[1].to_owned()))
        .collect();
    assert!(rows.len() > 30);
    rows
}

#[test]
fn the_table_is_that_of_the_crd() {
    let mut wanted: Vec<FieldPattern> = rows()
        .iter()
        .filter(|(_, shape)| shape != "other")
        .map(|(path, _)| FieldPattern::new(path))
        .collect();
    let mut known: Vec<FieldPattern> = SERVICE_OVERRIDES.iter().map(|over| over.annotations()).collect();
    wanted.sort();
    known.sort();
    assert!(wanted.is_empty() || wanted == known, "{wanted:#?}\n{known:#?}");
}

/// A value nested below the steps of a path, with one entry per wildcard.
fn nested(path: &str, value: Value) -> Value {
    path.replace("[*]", ".[*]").split('.').rev().fold(value, |value, step| match step {
        "[*]" => json!([value]),
        "*" => json!({"any-name": value}),
        key => json!({key: value}),
    })
}

#[test]
fn every_row_of_the_table_is_followed() {
    let pool = "apiVersion: metallb.io/v1beta1\nkind: IPAddressPool\nmetadata: {name: internalapi}\nspec: {addresses: [172.27.0.0/24]}\n";
    for (path, shape) in rows() {
        let annotations = json!({"metallb.universe.tf/address-pool": "internalapi", "metallb.io/loadBalancerIPs": "172.17.0.85"});
        let mut plane = nested(&path, annotations);
        plane["apiVersion"] = json!("core.openstack.org/v1beta1");
        plane["kind"] = json!("OpenStackControlPlane");
        plane["metadata"] = json!({"name": "openstack"});
        let plane = Resource::new(&plane).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let config = config("");
        let files = [("config.yaml", config.as_str()), ("plane.yaml", plane.text()), ("pool.yaml", pool)];
        let (rendered, stderr) = render(&files, dir.path());
        let expected = plane
            .text()
            .replace("internalapi", "openstack2-internalapi")
            .replace("172.17.0.85", "172.27.0.85");
        assert_same(&path, &expected, &rendered[0]);
        assert_eq!(stderr.contains("[no-service]"), shape == "other", "{path}: {stderr}");
    }
}

#[test]
fn every_row_of_the_table_has_a_golden_case() {
    let case = |name: &str| {
        let text = Case::named("prefix-address-pools", name).after().to_owned();
        let ranges = rhoso_fn::yaml::stream::documents(&text);
        let planes = ranges
            .into_iter()
            .map(|range| Resource::from_file(text.as_str().into(), range, Place::default()).unwrap());
        planes.into_iter().find(|item| item.id().kind == "OpenStackControlPlane").unwrap()
    };
    let (services, others) = (
        case("finds-every-override-of-the-control-plane"),
        case("warns-about-annotations-that-reach-no-service"),
    );
    for (path, shape) in rows() {
        let plane = if shape == "other" { &others } else { &services };
        let found = plane.fields(&FieldPattern::new(&path)).unwrap();
        assert!(!found.is_empty(), "no golden case has {path}");
        for at in found {
            let pool: String = plane.get(&at.key("metallb.universe.tf/address-pool")).unwrap().unwrap();
            assert!(pool.starts_with("openstack2-"), "{path}: {pool}");
        }
    }
}

#[test]
fn golden_cases_have_no_field_that_the_crds_do_not_know() {
    let cases = Case::of("prefix-address-pools");
    let all = |text: fn(&Case) -> &str| {
        let texts: Vec<&str> = cases.iter().filter(|case| !case.must_fail()).map(text).collect();
        problems(&texts.join("---\n"))
    };
    assert_eq!(all(|case| &case.input), all(Case::after));
}

#[test]
fn what_is_off_by_default_is_what_the_crd_says() {
    let Some(path) = shared("crds/core.openstack.org_openstackcontrolplanes.yaml") else { return };
    let text = fs::read_to_string(path).unwrap();
    let start = text.find("apiVersion:").unwrap();
    let crd = Resource::from_file(text.as_str().into(), start..text.len(), Place::default()).unwrap();
    let schema = |path: &FieldPath| {
        let way = path.steps().into_iter().fold(
            "spec.versions[0].schema.openAPIV3Schema".to_owned(),
            |way, step| {
                let rhoso_fn::yaml::Step::Key(key) = step else { return way };
                if key == "*" {
                    format!("{way}.additionalProperties")
                } else {
                    format!("{way}.properties.{key}")
                }
            },
        );
        FieldPath::new(&way)
    };
    let mut tried = 0;
    for over in SERVICE_OVERRIDES {
        let ends = over.owner.match_indices('.').map(|(end, _)| end).chain([over.owner.len()]);
        for part in ends.map(|end| &over.owner[..end]) {
            let path = schema(&FieldPath::new(part).key("enabled")).key("default");
            let Some(default) = crd.get::<bool>(&path).unwrap() else { continue };
            let mut plane = nested(part, json!({}));
            plane["kind"] = json!("OpenStackControlPlane");
            let plane = Resource::new(&plane).unwrap();
            let field = plane.fields(&FieldPattern::new(part)).unwrap().remove(0);
            // A parent must not be the reason that it is disabled.
            let is_on = is_enabled(&plane, &field).unwrap();
            assert_eq!(is_on, default, "{part}");
            tried += 1;
        }
    }
    assert!(tried > 30, "{tried}");
}

fn list(items: &[Value], spec: &Value) -> String {
    let config = json!({"apiVersion": "fn.rhoso.dev/v1alpha1", "kind": "PrefixAddressPools", "metadata": {"name": "x"}, "spec": spec});
    let list = json!({"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": items, "functionConfig": config});
    list.to_string()
}

fn pool(metadata: &Value, ranges: &[String]) -> Value {
    json!({"apiVersion": "metallb.io/v1beta1", "kind": "IPAddressPool", "metadata": metadata, "spec": {"addresses": ranges}})
}

/// These are not golden cases, because hosts reject them with their own messages.
#[test]
fn a_pool_without_a_name_of_its_own_is_refused() {
    let range = |third: u8| vec![format!("172.{third}.0.80-172.{third}.0.90")];
    let (unnamed, named) = (json!({}), json!({"name": "internalapi"}));
    for (second, message) in
        [(&unnamed, "has no name"), (&named, "the package already has a pool \"internalapi\"")]
    {
        let items = [pool(&named, &range(17)), pool(second, &range(27))];
        let outcome = krm::run(list(&items, &json!({"namespace": "openstack2"})).as_bytes(), REGISTRY);
        let errors: Vec<String> = outcome.findings.iter().map(ToString::to_string).collect();
        assert!(outcome.failed && errors.len() == 1 && errors[0].contains(message), "{errors:?}");
    }
}

/// kpt may send an object twice; `render` rejects duplicates earlier.
#[test]
fn an_object_that_a_list_holds_twice_is_no_rival_of_itself() {
    let asking =
        Asking { pool: true, key: true, address: Some("172.17.0.80".to_owned()), kind: true, enabled: true };
    let plane = control_plane(&[Some(asking), None, None, None], &[None, None], false);
    let ranges = vec!["172.17.0.80-172.17.0.90".to_owned()];
    let items = [pool(&json!({"name": "internalapi"}), &ranges), plane.clone(), plane];
    let outcome = krm::run(list(&items, &json!({"namespace": "openstack2"})).as_bytes(), REGISTRY);
    let messages: Vec<String> = outcome.findings.iter().map(ToString::to_string).collect();
    assert!(
        !messages.iter().any(|message| message.contains("also requests") || message.contains("this and")),
        "{messages:#?}"
    );
}

/// The MetalLB annotations of a service in the property test below.
#[derive(Debug, Clone)]
struct Asking {
    pool: bool,
    key: bool,
    address: Option<String>,
    kind: bool,
    enabled: bool,
}

impl Asking {
    fn section(asking: Option<&Asking>, shape: fn(Value) -> Value) -> Value {
        let Some(asking) = asking else { return json!({}) };
        let mut annotations = Map::new();
        let values = [
            ("address-pool", asking.pool.then(|| "internalapi".to_owned())),
            ("allow-shared-ip", asking.key.then(|| "internalapi".to_owned())),
            ("loadBalancerIPs", asking.address.clone()),
        ];
        for (name, value) in values {
            annotations.extend(value.map(|value| (format!("metallb.universe.tf/{name}"), json!(value))));
        }
        let mut service = json!({"metadata": {"annotations": annotations}});
        if asking.kind {
            service["spec"] = json!({"type": "LoadBalancer"});
        }
        json!({"override": {"service": shape(service)}})
    }
}

fn asking(can_share: bool) -> impl Strategy<Value = Option<Asking>> {
    let network = prop::sample::select(vec!["172.17.0", "172.27.0", "172.18.0"]);
    let address = (network, 78u8..92).prop_map(|(network, host)| format!("{network}.{host}"));
    let requests = (
        prop::bool::weighted(0.9),
        prop::bool::weighted(0.7),
        prop::option::weighted(0.8, address),
        prop::bool::weighted(0.8),
        prop::bool::weighted(0.8),
    );
    prop::option::of(requests.prop_map(move |(pool, key, address, kind, enabled)| Asking {
        pool,
        key: key && can_share,
        address,
        kind,
        enabled,
    }))
}

fn control_plane(endpoints: &[Option<Asking>], rabbits: &[Option<Asking>], logging: bool) -> Value {
    let mut spec = json!({});
    for (name, asking) in ["keystone", "placement"].into_iter().zip(endpoints) {
        let template = Asking::section(asking.as_ref(), |service| json!({"internal": service}));
        spec[name] = json!({"enabled": asking.as_ref().is_none_or(|a| a.enabled), "template": template});
    }
    // Two services with the same port, which cannot share an address.
    for (name, asking) in ["default", "edge"].into_iter().zip(&endpoints[2..]) {
        let api = Asking::section(asking.as_ref(), |service| json!({"internal": service}));
        spec["glance"]["template"]["glanceAPIs"][name] = api;
    }
    spec["rabbitmq"]["enabled"] = json!(rabbits[0].as_ref().is_none_or(|a| a.enabled));
    for (name, asking) in ["rabbitmq", "rabbitmq-cell1"].into_iter().zip(rabbits) {
        spec["rabbitmq"]["templates"][name] = Asking::section(asking.as_ref(), |service| service);
    }
    spec["telemetry"] = json!({"template": {"logging": {"enabled": logging}}});
    json!({"apiVersion": "core.openstack.org/v1beta1", "kind": "OpenStackControlPlane", "metadata": {"name": "openstack", "namespace": "openstack2"}, "spec": spec})
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// If a run succeeds, the next one succeeds and changes nothing.
    #[test]
    fn addresses_stay_where_the_first_run_puts_them(
        endpoints in prop::collection::vec(asking(true), 4), rabbits in prop::collection::vec(asking(false), 2),
        first in 78u8..84, last in 84u8..92, given in prop::option::of(78u8..92),
        ensure in prop::option::of(prop::sample::select(vec![json!("enabled"), json!(["keystone", "rabbitmq"])])),
        logging in any::<bool>(), elsewhere in prop::bool::weighted(0.2),
    ) {
        let mut items = vec![control_plane(&endpoints, &rabbits, logging)];
        let mut spec = json!({"namespace": "openstack2", "pools": ["internalapi"]});
        if !elsewhere {
            items.push(pool(&json!({"name": "internalapi"}), &[format!("172.27.0.{first}-172.27.0.{last}")]));
        }
        if let Some(host) = given {
            spec["addresses"] = json!({"internalapi": format!("172.27.0.{host}")});
        }
        if let Some(ensure) = ensure {
            spec["ensure"] = ensure;
        }
        let once = krm::run(list(&items, &spec).as_bytes(), REGISTRY);
        if !once.failed {
            let again = krm::run(once.stdout.as_bytes(), REGISTRY);
            prop_assert_eq!(&once.stdout, &again.stdout);
        }
    }
}
