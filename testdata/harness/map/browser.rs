//! The page in a real browser, with two instances that collide, and with ten that do not.

use std::fmt::Write;
use std::fs;

use serde_json::{Value, json};

use super::{map, plan};
use crate::host::{root, run, tool};

/// The objects of an instance on its own VLANs and subnets.
fn instance(number: u8) -> String {
    let namespace = format!("openstack{number}");
    let mut text = String::new();
    let mut networks = String::new();
    for (at, network) in ["internalapi", "storage", "tenant"].into_iter().enumerate() {
        let vlan = 20 + 10 * usize::from(number) + at;
        let prefix = format!("172.{}.{number}", 17 + at);
        writeln!(
            text,
            "apiVersion: k8s.cni.cncf.io/v1\nkind: NetworkAttachmentDefinition\nmetadata: {{name: {network}, namespace: {namespace}}}\nspec:\n  config: '{{\"type\": \"macvlan\", \"master\": \"enp6s0.{vlan}\", \"ipam\": {{\"type\": \"whereabouts\", \"range\": \"{prefix}.0/24\", \"range_start\": \"{prefix}.30\", \"range_end\": \"{prefix}.70\"}}}}'\n---\napiVersion: metallb.io/v1beta1\nkind: IPAddressPool\nmetadata: {{name: {namespace}-{network}, namespace: metallb-system}}\nspec: {{addresses: [{prefix}.80-{prefix}.90], serviceAllocation: {{namespaces: [{namespace}]}}}}\n---\napiVersion: metallb.io/v1beta1\nkind: L2Advertisement\nmetadata: {{name: {namespace}-{network}, namespace: metallb-system}}\nspec: {{ipAddressPools: [{namespace}-{network}], interfaces: [enp6s0.{vlan}]}}\n---"
        )
        .unwrap();
        writeln!(
            networks,
            "  - {{name: {network}, subnets: [{{name: subnet1, cidr: {prefix}.0/24, vlan: {vlan}, allocationRanges: [{{start: {prefix}.100, end: {prefix}.250}}]}}]}}"
        )
        .unwrap();
    }
    format!(
        "{text}\napiVersion: network.openstack.org/v1beta1\nkind: NetConfig\nmetadata: {{name: netconfig, namespace: {namespace}}}\nspec:\n  networks:\n{networks}---\n"
    )
}

#[test]
fn a_browser_shows_every_range_without_an_error() {
    let Some(chromium) = tool("chromium") else { return };
    let dir = tempfile::tempdir().unwrap();
    let ten: String = (0..10).map(instance).collect();
    for (name, text) in
        [("two", fs::read_to_string(plan().join("two-instances.yaml")).unwrap()), ("ten", ten)]
    {
        fs::create_dir(dir.path().join(name)).unwrap();
        fs::write(dir.path().join(name).join("plan.yaml"), text).unwrap();
        fs::write(dir.path().join(name).join("kustomization.yaml"), "resources: [plan.yaml]\n").unwrap();
    }
    let ended = map(&["two", "ten", "--output", "map.html"], "", dir.path());
    assert!(ended.code == Some(0), "{}", ended.stderr);
    fs::copy(root().join("testdata/harness/map/inspect.html"), dir.path().join("inspect.html")).unwrap();
    let url = format!("file://{}/inspect.html", dir.path().display());
    let profile = format!("--user-data-dir={}/profile", dir.path().display());
    let args = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        // The frame is another file.
        "--allow-file-access-from-files",
        "--enable-logging=stderr",
        "--dump-dom",
        &profile,
        &url,
    ];
    let ended = run(&chromium, &args, b"", dir.path());
    let errors: Vec<&str> = ended.stderr.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    let verdict =
        ended.stdout.split_once("<pre id=\"verdict\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let verdict = verdict.unwrap_or_else(|| panic!("{}\n{}", ended.stdout, ended.stderr)).0;
    let mut verdict: Value =
        serde_json::from_str(verdict).unwrap_or_else(|_| panic!("{verdict}\n{}", ended.stderr));
    let bad = verdict["bad"].take();
    let bad: Vec<&str> = bad.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(bad.len() == 2 && bad.iter().all(|label| label.ends_with(" · range-overlap")), "{bad:?}");
    // Three ranges in three networks of ten instances, and the rows of the table of two.
    let table = fs::read_to_string(plan().join("two-instances.txt")).unwrap();
    let rows = table.lines().filter(|line| line.starts_with("  ")).count() - 1;
    let expected = json!({"bars": 90 + rows, "bad": null, "outside": [], "withoutDetails": [], "withoutRow": [], "scripts": 0});
    assert_eq!(verdict, expected);
}
