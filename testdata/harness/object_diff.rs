//! `diff`: objects by identity and field.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::host::{BINARY, Ended, expect, kustomize, root, run};
use crate::stories::copy;

const OLD: &str = r#"apiVersion: core.openstack.org/v1beta1
kind: OpenStackControlPlane
metadata: {name: plane, namespace: openstack}
spec:
  replicas: 1
  nova:
    customServiceConfig: |
      # a comment
      [DEFAULT]
      debug = false
      [pci]
      alias = {"name": "a"}
      alias = {"name": "b"}
  containers:
  - {name: one, image: x:1}
  - {name: two, image: y:1}
  addresses: [10.0.0.1, 10.0.0.2, 10.0.0.3]
---
apiVersion: k8s.cni.cncf.io/v1
kind: NetworkAttachmentDefinition
metadata: {name: internalapi, namespace: openstack}
spec:
  config: '{"type": "macvlan", "ipam": {"range": "172.17.0.0/24"}}'
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings-5tg8fk62kh}
data:
  run.sh: |
    echo one
    echo two
---
apiVersion: v1
kind: Secret
metadata: {name: osp-secret, namespace: openstack}
stringData: {AdminPassword: hunter2, Old: hunter3}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: gone}
"#;

fn new() -> String {
    let changed = [
        ("replicas: 1", "replicas: 3"),
        ("# a comment", "# another comment"),
        ("debug = false", "debug = true"),
        (
            "      alias = {\"name\": \"b\"}\n",
            "      alias = {\"name\": \"c\"}\n      passthrough_password = hunter4\n",
        ),
        (
            "  - {name: one, image: x:1}\n  - {name: two, image: y:1}\n",
            "  - {name: zero, image: z:1}\n  - {name: two, image: y:2}\n  - {name: one, image: x:1}\n",
        ),
        ("[10.0.0.1, 10.0.0.2, 10.0.0.3]", "[10.0.0.0, 10.0.0.1, 10.0.0.3]"),
        ("172.17.0.0/24", "172.17.1.0/24"),
        ("settings-5tg8fk62kh", "settings-2h4b6c8d9f"),
        ("echo two", "echo three"),
        ("hunter2, Old: hunter3", "hunter5, New: hunter6"),
        ("ServiceAccount\nmetadata: {name: gone}", "Namespace\nmetadata: {name: here}"),
    ];
    changed.iter().fold(OLD.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    })
}

fn folder(old: &str, new: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("old.yaml"), old).unwrap();
    fs::write(dir.path().join("new.yaml"), new).unwrap();
    dir
}

fn diff(args: &[&str], stdin: &str, cwd: &Path) -> Ended {
    run(BINARY, &[&["diff"], args].concat(), stdin.as_bytes(), cwd)
}

const EXPECTED: &str = r#"~ ConfigMap settings-2h4b6c8d9f
  - metadata.name: settings-5tg8fk62kh
  + metadata.name: settings-2h4b6c8d9f
    data[run.sh]:
  -   echo two
  +   echo three
+ Namespace here
~ NetworkAttachmentDefinition openstack/internalapi
  - spec.config.ipam.range: 172.17.0.0/24
  + spec.config.ipam.range: 172.17.1.0/24
~ OpenStackControlPlane openstack/plane
  - spec.replicas: 1
  + spec.replicas: 3
  - spec.nova.customServiceConfig [DEFAULT] debug: "false"
  + spec.nova.customServiceConfig [DEFAULT] debug: "true"
  - spec.nova.customServiceConfig [pci] alias[1].name: b
  + spec.nova.customServiceConfig [pci] alias[1].name: c
  + spec.nova.customServiceConfig [pci] passthrough_password: (hidden)
  + spec.containers[name=zero]: {"name":"zero","image":"z:1"}
  - spec.containers[name=two].image: y:1
  + spec.containers[name=two].image: y:2
  - spec.containers (order): ["one","two"]
  + spec.containers (order): ["two","one"]
  + spec.addresses[0]: 10.0.0.0
  - spec.addresses[1]: 10.0.0.2
~ Secret openstack/osp-secret
  - stringData.AdminPassword: (hidden)
  + stringData.AdminPassword: (hidden)
  + stringData.New: (hidden)
  - stringData.Old: (hidden)
- ServiceAccount gone

6 objects differ: 1 added, 1 removed, 4 changed
"#;

#[test]
fn objects_are_compared_by_field() {
    let dir = folder(OLD, &new());
    let ended = diff(&["old.yaml", "new.yaml"], "", dir.path());
    assert_eq!((ended.stdout.as_str(), ended.code), (EXPECTED, Some(1)), "{}", ended.stderr);
    let ended = diff(&["-", "new.yaml"], OLD, dir.path());
    assert_eq!(ended.stdout, EXPECTED);
    let colored = diff(&["old.yaml", "new.yaml", "--color", "always"], "", dir.path()).stdout;
    assert!(colored.contains("\u{1b}[32m  + spec.replicas: 3\u{1b}[0m\n"), "{colored}");
    let script = format!("{BINARY} diff <(cat old.yaml) <(cat new.yaml)");
    assert_eq!(run("bash", &["-c", &script], b"", dir.path()).stdout, EXPECTED);
}

#[test]
fn differences_as_json_have_both_values_and_no_secret() {
    let dir = folder(OLD, &new());
    let ended = diff(&["old.yaml", "new.yaml", "--format", "json"], "", dir.path());
    let report: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(report["summary"], json!({"added": 1, "removed": 1, "changed": 4}));
    let plane =
        report["objects"].as_array().unwrap().iter().find(|object| object["name"] == "plane").unwrap();
    assert_eq!(plane["fields"][0], json!({"path": "spec.replicas", "old": 1, "new": 3}));
    for format in ["text", "json", "markdown"] {
        let shown = diff(&["old.yaml", "new.yaml", "--format", format], "", dir.path()).stdout;
        assert!(!shown.contains("hunter"), "{shown}");
    }
}

#[test]
fn a_comment_is_folded_when_it_is_long_and_never_too_long() {
    let dir = folder("kind: A\nmetadata: {name: x}\na: 1\n", "kind: A\nmetadata: {name: x}\na: \"```\"\n");
    let markdown = |dir: &Path| diff(&["old.yaml", "new.yaml", "--format", "markdown"], "", dir).stdout;
    assert_eq!(
        markdown(dir.path()),
        "**1 object differs: 0 added, 0 removed, 1 changed**\n\nA x (1 field)\n\n````diff\n- a: 1\n+ a: \"```\"\n````\n"
    );
    let many = |value: &str| -> String {
        (0..1500).map(|n| format!("---\nkind: A\nmetadata: {{name: \"<b>{n}\"}}\na: {value}\n")).collect()
    };
    let dir = folder(&many("1"), &many("2"));
    let long = markdown(dir.path());
    assert!(long.contains("<details><summary>A &lt;b&gt;0 (1 field)</summary>\n\n```diff\n- a: 1\n+ a: 2\n```\n\n</details>\n"), "{long}");
    assert!(
        long.len() < 65_536 && long.ends_with(" more, which do not fit into a comment.\n"),
        "{}",
        long.len()
    );
}

#[test]
fn equal_objects_in_other_words_are_equal() {
    let dir = folder(
        "kind: A\nmetadata: {name: x}\n---\nkind: B\nmetadata: {name: y}\nl: [1]\n",
        "# moved\nkind: B\nl:\n- 1\nmetadata:\n  name: y\n---\nmetadata: {\"name\": x}\nkind: A\n",
    );
    for (format, text) in [("text", ""), ("markdown", "No object differs.\n")] {
        let ended = diff(&["old.yaml", "new.yaml", "--format", format], "", dir.path());
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), text), "{}", ended.stderr);
    }
    // What changes only in form is still a difference of a string.
    let config = |text: &str| format!("kind: A\nmetadata: {{name: x}}\nc: {}\n", json!(text));
    for (old, new, line) in [
        ("[a]\nb = 1\n", "# why\n[a]\nb = 1\n", "  ~ c (comments, blank lines or order)\n"),
        ("{\"a\": 1}", "{\"a\":1}", "  ~ c (formatting of the JSON)\n"),
        ("[a]\nx_password = hunter2\n", "[b]\n", "  - c: (hidden)\n"),
        ("rabbit://u:hunter2@host/", "none", "  - c: (hidden)\n  + c: none\n"),
    ] {
        let dir = folder(&config(old), &config(new));
        let ended = diff(&["old.yaml", "new.yaml"], "", dir.path());
        assert!(
            ended.code == Some(1) && ended.stdout.contains(line) && !ended.stdout.contains("hunter"),
            "{}",
            ended.stdout
        );
    }
}

/// A pull request may add the first manifests.
#[test]
fn everything_is_new_beside_an_empty_file() {
    let dir = folder("", &new());
    let ended = diff(&["old.yaml", "new.yaml"], "", dir.path());
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert!(ended.stdout.contains(" added, 0 removed, 0 changed"), "{}", ended.stdout);
}

#[test]
fn what_cannot_be_read_is_not_a_difference() {
    let dir = folder("kind: A\n", "a: [\n");
    for args in [
        &["old.yaml", "new.yaml"][..],
        &["old.yaml", "missing.yaml"],
        &["old.yaml"],
        &["-", "-"],
        &["-", "old.yaml"],
        &["old.yaml", "old.yaml", "--format", "xml"],
    ] {
        let ended = diff(args, "", dir.path());
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{args:?}: {}", ended.stderr);
        assert!(!ended.stderr.is_empty() && !ended.stderr.contains("os error"), "{args:?}: {}", ended.stderr);
    }
}

/// A package of which one field changes between two revisions, as kustomize builds them.
#[test]
fn builds_of_two_revisions_are_compared() {
    let Some(kustomize) = kustomize() else { return };
    let dir = tempfile::tempdir().unwrap();
    let build = |to: &str| {
        let args = ["build", "--enable-alpha-plugins", "--enable-exec", "package"];
        fs::write(dir.path().join(to), expect(&kustomize, &args, b"", dir.path()).stdout).unwrap();
    };
    copy(&root().join("functions/inject-gpu-alias/example"), &dir.path().join("package"));
    build("old.yaml");
    let config = dir.path().join("package/gpu-alias.yaml");
    let text = fs::read_to_string(&config).unwrap();
    fs::write(&config, text.replace("numaPolicy: preferred", "numaPolicy: required")).unwrap();
    build("new.yaml");
    let ended = diff(&["old.yaml", "new.yaml"], "", dir.path());
    assert_eq!(
        ended.stdout,
        "~ OpenStackControlPlane rhoso1/openstack\n  - spec.nova.template.apiServiceTemplate.customServiceConfig [pci] alias.numa_policy: preferred\n  + spec.nova.template.apiServiceTemplate.customServiceConfig [pci] alias.numa_policy: required\n\n1 object differs: 0 added, 0 removed, 1 changed\n"
    );
}
