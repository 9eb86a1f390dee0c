//! `init`: functionConfigs to fill in, and examples.

use std::fs;
use std::path::Path;

use rhoso_fn::docs;
use rhoso_fn::functions::REGISTRY;

use crate::host::{BINARY, Ended, expect, files_below, kustomize, root, run};
use crate::stories::copy;

/// The values that a user would fill in, by field, so that the functionConfig fits the example of the function.
const VALUES: [(&str, &[(&str, &str)]); 9] = [
    (
        "GenerateApplications",
        &[("repoURL", "https://git.example.com/a.git"), ("name", "a"), ("path", "a"), ("destination", "a")],
    ),
    ("GenerateInstances", &[("nodes", "[worker-0]"), ("interface", "enp6s0"), ("namespace", "openstack")]),
    ("GenerateMachineSets", &[("instanceType", "g6.12xlarge")]),
    ("GenerateSecrets", &[("namespace", "rhoso1"), ("store", "vault")]),
    ("GenerateVolumes", &[("nodes", "[worker-0]"), ("capacity", "10Gi"), ("namespace", "rhoso1")]),
    ("InjectGpuAlias", &[("name", "nvidia"), ("gpu", "L4")]),
    ("PrefixAddressPools", &[("namespace", "openstack2"), ("#addresses", "{ctlplane: 192.168.122.121}")]),
    ("SetModelEnvironment", &[("environment", "production")]),
    (
        "SetServiceConfig",
        &[("service", "nova-scheduler"), ("config", "\"[scheduler]\\nmax_attempts = 5\\n\"")],
    ),
];

/// The text with the value of each field replaced. A field with `#` is optional.
fn filled(kind: &str, text: &str) -> String {
    let values =
        VALUES.iter().find(|(other, _)| *other == kind).map(|(_, values)| *values).unwrap_or_default();
    let mut out = String::new();
    let mut used = 0;
    let mut in_spec = false;
    for line in text.lines() {
        in_spec |= line.starts_with("spec:");
        let found = values.iter().find(|(field, _)| {
            line.trim_start_matches([' ', '-']).starts_with(&format!("{field}:")) && in_spec
        });
        match found {
            Some((field, value)) => {
                used += 1;
                let (head, _) = line.split_once(field).unwrap();
                out.push_str(&format!("{head}{}: {value}\n", field.trim_start_matches('#')));
            }
            None => out.push_str(&format!("{line}\n")),
        }
    }
    assert!(used >= values.len() && !out.contains("CHANGEME"), "{kind}:\n{out}");
    out
}

/// The example of a function with another functionConfig.
fn rendered(name: &str, config: &str) -> Ended {
    let dir = tempfile::tempdir().unwrap();
    copy(&root().join("functions").join(name).join("example"), dir.path());
    let is_config = |path: &&std::path::PathBuf| {
        fs::read_to_string(path).unwrap().starts_with("apiVersion: fn.rhoso.dev")
    };
    let path = files_below(dir.path()).iter().find(is_config).unwrap().clone();
    fs::write(path, config).unwrap();
    run(BINARY, &["render", "."], b"", dir.path())
}

#[test]
fn every_function_accepts_its_config_once_it_is_filled_in() {
    for entry in REGISTRY.functions {
        let text = expect(BINARY, &["init", entry.kind, "my-name"], b"", root()).stdout;
        let start = format!("# yaml-language-server: $schema=schemas/{}.json\n# ", entry.kind);
        assert!(text.starts_with(&start) && text.contains("\n  name: my-name\n"), "{text}");
        for annotation in ["config.kubernetes.io/local-config: \"true\"", "config.kubernetes.io/function: |"]
        {
            assert!(text.contains(annotation), "{text}");
        }
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
        let config = filled(entry.kind, &text);
        let ended = rendered(entry.name, &config);
        assert!(ended.success, "{}: {}\n{config}", entry.name, ended.stderr);
        // Every optional field exists under its name, at its place.
        let uncommented: Vec<String> = config
            .lines()
            .map(|line| {
                let (margin, rest) = line.split_at(line.len() - line.trim_start().len());
                match rest.strip_prefix('#').filter(|rest| rest.starts_with(|c: char| c.is_alphabetic())) {
                    Some(field) => format!("{margin}{field}\n"),
                    None => format!("{}\n", line.replace("spec: {} #", "spec: #")),
                }
            })
            .collect();
        let uncommented = uncommented.concat();
        let ended = rendered(entry.name, &uncommented);
        for rule in ["[unknown-key]", "[yaml]", "[duplicate-key]", "[missing-key]"] {
            assert!(!ended.stderr.contains(rule), "{}: {}\n{uncommented}", entry.name, ended.stderr);
        }
        let fields = docs::open_api(entry);
        for field in fields["properties"]["spec"]["properties"].as_object().unwrap().keys() {
            assert!(uncommented.contains(&format!("\n  {field}:")), "{}: {field}\n{uncommented}", entry.name);
        }
    }
}

#[test]
fn names_and_schemas_can_be_chosen() {
    let text =
        expect(BINARY, &["init", "inject-gpu-alias", "--schemas", "https://example.com/s/"], b"", root())
            .stdout;
    assert!(
        text.starts_with("# yaml-language-server: $schema=https://example.com/s/InjectGpuAlias.json\n"),
        "{text}"
    );
    assert!(text.contains("\n  name: inject-gpu-alias\n"), "{text}");
    for (args, message) in [
        (&["init", "InjectGpuAlas"][..], "did you mean \"InjectGpuAlias\"?"),
        (&["init", "InjectGpuAlias", "A name"], "is not a name of a Kubernetes object"),
        (&["init"], "required arguments"),
        (&["init", "--example", "multi-roso", "x"], "did you mean \"multi-rhoso\"?"),
    ] {
        let ended = run(BINARY, args, b"", root());
        assert!(!ended.success && ended.stderr.contains(message), "{args:?}: {}", ended.stderr);
    }
}

/// What an example contains, except for the result that tests compare it with.
fn contents(dir: &Path) -> Vec<(String, String)> {
    let below = |path: &Path| path.strip_prefix(dir).unwrap().display().to_string();
    let all = files_below(dir).into_iter().map(|path| (below(&path), fs::read_to_string(&path).unwrap()));
    all.filter(|(path, _)| path != "expected.yaml").collect()
}

#[test]
fn examples_are_written_and_run() {
    let names = docs::example_names();
    for required in ["gpu-machinesets", "multi-rhoso", "nvidia-l4-passthrough"] {
        assert!(names.iter().any(|name| name == required), "{names:?}");
    }
    for name in names {
        let dir = tempfile::tempdir().unwrap();
        let written = expect(BINARY, &["init", "--example", &name, "new/package"], b"", dir.path()).stdout;
        let package = dir.path().join("new/package");
        let committed = contents(&root().join("examples").join(&name));
        assert_eq!(contents(&package), committed, "{name}");
        assert_eq!(written.lines().count(), committed.len(), "{written}");
        if let Some(kustomize) = kustomize() {
            let args = ["build", "--enable-alpha-plugins", "--enable-exec", "."];
            assert!(expect(kustomize, &args, b"", &package).stdout.contains("kind: "), "{name}");
        }
        // Nothing is replaced, and nothing is added to what exists.
        let removed = files_below(&package)[0].clone();
        fs::remove_file(&removed).unwrap();
        let again = run(BINARY, &["init", "--example", &name, "new/package"], b"", dir.path());
        assert!(again.stderr.contains(" already exists; choose an empty directory"), "{}", again.stderr);
        assert!(!again.success && !removed.exists());
    }
}
