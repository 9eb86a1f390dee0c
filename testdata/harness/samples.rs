//! Real data next to the project, if it exists: captured lists and upstream's samples.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use rhoso_fn::checks::rules;
use serde_json::Value;

use crate::host::{BINARY, diff, expect, python, run, shared};
use crate::stories::{assert_same_resources, resources};

const CONFIG: &str = "functionConfig:\n  apiVersion: fn.rhoso.dev/v1alpha1\n  kind: InjectGpuAlias\n  metadata: {name: nothing}\n  spec:\n    aliases:\n    - {name: nvidia, vendorId: '10de', productId: '27b8', deviceType: type-PF, numaPolicy: preferred}\n    target: {name: there-is-none}\n";

fn files(folder: &str) -> Vec<PathBuf> {
    let Some(path) = shared(folder) else { return Vec::new() };
    let mut found: Vec<PathBuf> = fs::read_dir(path).unwrap().map(|e| e.unwrap().path()).collect();
    found.sort();
    found.retain(|path| path.extension().is_some_and(|e| e == "yaml"));
    found
}

#[test]
fn captured_lists_come_back_byte_for_byte() {
    let dir = tempfile::tempdir().unwrap();
    let captures = files("captures");
    assert!(shared("captures").is_none() || captures.len() > 10, "{}", captures.len());
    for path in captures {
        let text = fs::read_to_string(&path).unwrap();
        // Some captures are of the legacy plugin protocol, which uses no ResourceList.
        let is_list = text.contains("kind: ResourceList");
        let input = match text.find("\nfunctionConfig:\n") {
            Some(at) => format!("{}{CONFIG}", &text[..=at]),
            None if is_list => format!("{text}{CONFIG}"),
            None => text.clone(),
        };
        let ended = run(BINARY, &[], input.as_bytes(), dir.path());
        assert!(!ended.success, "{}", path.display());
        assert_eq!(ended.stderr.lines().count(), 1, "{}: {}", path.display(), ended.stderr);
        if is_list {
            assert!(ended.stdout.starts_with(&input), "{}:\n{}", path.display(), diff(&input, &ended.stdout));
            assert!(ended.stdout[input.len()..].starts_with("results:\n"), "{}", ended.stdout);
            assert!(
                ended.stderr.contains("the resources contain no OpenStackControlPlane"),
                "{}",
                ended.stderr
            );
        } else {
            assert_eq!(ended.stdout, "", "{}", path.display());
        }
    }
}

#[test]
fn upstream_samples_get_the_alias_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let config = CONFIG
        .replace("functionConfig:\n", "")
        .replace("\n  ", "\n")
        .replace("  target: {name: there-is-none}\n", "");
    fs::write(dir.path().join("config.yaml"), config.trim_start()).unwrap();
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for path in files("samples/rhoso") {
        let text = fs::read_to_string(&path).unwrap();
        if !text.contains("kind: OpenStackControlPlane") {
            continue; // a symbolic link, stored as the name of its target
        }
        let args = ["render", "config.yaml", path.to_str().unwrap()];
        let rendered = expect(BINARY, &args, b"", dir.path()).stdout;
        let changes = diff(&text, &rendered);
        let lines = |sign: &str| {
            changes.lines().filter(|l| l.starts_with(sign)).skip(1).map(str::to_owned).collect::<Vec<_>>()
        };
        assert!(lines("-").is_empty(), "{}:\n{changes}", path.display());
        let added = lines("+");
        assert!((1..=5).contains(&added.len()), "{}:\n{changes}", path.display());
        let last = added.last().unwrap().trim_start_matches('+').trim();
        assert_eq!(
            last,
            r#"alias = { "vendor_id":"10de", "product_id":"27b8", "device_type":"type-PF", "name":"nvidia", "numa_policy":"preferred" }"#
        );
        fs::write(dir.path().join("again.yaml"), &rendered).unwrap();
        let again = expect(BINARY, &["render", "config.yaml", "again.yaml"], b"", dir.path()).stdout;
        assert_eq!(rendered, again);
        before.push(text);
        after.push(rendered);
    }
    if let (Some(check), Some(python)) = (shared("tools/check-crd"), python()) {
        // Upstream's samples are not fully valid; the function must not add problems.
        let problems = |texts: &[String]| {
            run(&python, &[check.to_str().unwrap()], texts.join("\n---\n").as_bytes(), dir.path()).stdout
        };
        assert_eq!(problems(&before), problems(&after));
    }
}

/// Our volumes are the same as upstream's, except for `local.type`, which is not a field of a local volume.
#[test]
fn volumes_are_those_of_install_yamls() {
    let Some(path) = shared("samples/rhoso/install_yamls-golden/storage/crc/storage.yaml") else { return };
    let upstream = fs::read_to_string(path).unwrap();
    let count = upstream.matches("local-storage01-").count();
    let per_node = upstream.matches("kind: PersistentVolume\n").count() / count;
    let nodes: Vec<&str> = upstream
        .lines()
        .filter_map(|line| line.trim().strip_prefix("name: \"local-storage01-")?.strip_suffix('"'))
        .collect();
    let dir = tempfile::tempdir().unwrap();
    let config = format!(
        "apiVersion: fn.rhoso.dev/v1alpha1\nkind: GenerateVolumes\nmetadata: {{name: crc}}\nspec:\n  nodes: [{}]\n  count: {per_node}\n  capacity: 10Gi\n  prepare: false\n",
        nodes.join(", ")
    );
    fs::write(dir.path().join("config.yaml"), config).unwrap();
    let made = expect(BINARY, &["render", "."], b"", dir.path()).stdout;
    let (volumes, _claim) =
        upstream.split_once("---\napiVersion: v1\nkind: PersistentVolumeClaim\n").unwrap();
    let upstream = volumes.replace("    type: DirectoryOrCreate\n", "");
    assert!(count > 0 && per_node > 1, "{count} nodes with {per_node} volumes");
    assert_same_resources("volumes", &resources(&upstream), &resources(&made));
}

/// Upstream's samples have no defect that the linter calls an error, each checked by itself, and the data plane and the
/// address plans of install_yamls as sets.
#[test]
fn upstream_samples_have_no_errors() {
    let Some(rhoso) = shared("samples/rhoso") else { return };
    let mut sets: Vec<Vec<PathBuf>> = files("samples/rhoso").into_iter().map(|file| vec![file]).collect();
    sets.extend([vec![rhoso.join("dataplane")], vec![rhoso.join("../gpu")]]);
    let golden = rhoso.join("install_yamls-golden");
    for family in ["ipv4", "ipv4-bgp", "ipv6"] {
        sets.push(vec![golden.join(family), golden.join("netconfig"), golden.join("input")]);
    }
    assert!(sets.len() > 10, "{}", sets.len());
    for set in sets {
        let paths: Vec<&str> = set.iter().map(|path| path.to_str().unwrap()).collect();
        let ended = run(BINARY, &[&["check", "-v"], paths.as_slice()].concat(), b"", &rhoso);
        assert_eq!(ended.code, Some(0), "{paths:?}: {}{}", ended.stdout, ended.stderr);
        // Their services have all options of their configuration, under current names and in Antelope.
        let of_config = rules::all().filter(|rule| rule.group == "config").map(|rule| rule.id);
        let found: Vec<&str> = of_config.filter(|rule| ended.stdout.contains(rule)).collect();
        assert!(found.is_empty(), "{paths:?}: {found:?}: {}", ended.stdout);
    }
}

/// The unknown fields of upstream's samples, all of which the API server drops.
#[test]
fn upstream_samples_have_these_unknown_fields() {
    let Some(samples) = shared("samples") else { return };
    let mut found = BTreeSet::new();
    for folder in ["rhoso", "rhoso/dataplane", "gpu"] {
        for file in files(&format!("samples/{folder}")) {
            let args = ["check", "--select", "fields", "--format", "json", file.to_str().unwrap()];
            let report: Value = serde_json::from_str(&run(BINARY, &args, b"", &samples).stdout).unwrap();
            let findings = report["findings"].as_array().unwrap().iter();
            found.extend(findings.filter_map(|finding| finding["field"].as_str().map(str::to_owned)));
        }
    }
    let expected = [
        "spec.heat.template.heatEngine.override",
        "spec.telemetry.template.autoscaling.aodh.passwordSelectors",
        "spec.telemetry.template.logging.ipaddr",
    ];
    assert_eq!(found.into_iter().collect::<Vec<_>>(), expected);
}
