//! A finding shows the line of its field.

use std::fs;

use crate::host::{BINARY, root, run};

/// The lines that `render` reports for a functionConfig and the control plane of the example.
fn reported(config: &str) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    let example = root().join("functions/inject-gpu-alias/example/controlplane.yaml");
    fs::copy(example, dir.path().join("controlplane.yaml")).unwrap();
    fs::write(dir.path().join("config.yaml"), config).unwrap();
    let ended = run(BINARY, &["render", "."], b"", dir.path());
    ended.stderr.lines().map(str::to_owned).collect()
}

#[track_caller]
fn assert_reported(config: &str, beginning: &str) {
    let lines = reported(config);
    assert!(lines.iter().any(|line| line.starts_with(beginning)), "{beginning}\n{lines:#?}");
}

#[test]
fn a_missing_field_is_reported_at_its_parent() {
    assert_reported(
        "apiVersion: fn.rhoso.dev/v1alpha1\nkind: PrefixAddressPools\nmetadata:\n  name: x\nspec:\n\n  prefix: a-\n",
        "./config.yaml:5: error: PrefixAddressPools x: `spec`: the key `namespace` is required",
    );
    assert_reported(
        "apiVersion: fn.rhoso.dev/v1alpha1\nkind: InjectGpuAlias\nmetadata: {name: x}\nspec:\n  aliases:\n  - name: a\n    gpu: L4\n  - gpu: L4\n",
        "./config.yaml:8: error: InjectGpuAlias x: `spec.aliases[1]`: the key `name` is required",
    );
}

#[test]
fn a_field_with_fields_below_it_is_reported_at_its_key() {
    assert_reported(
        "apiVersion: fn.rhoso.dev/v1alpha1\nkind: InjectGpuAlias\nmetadata:\n  name: x\nspec:\n  aliases:\n  - name: a\n    gpu: L4\n  target:\n\n    # the production instance\n    name: nope\n",
        "./config.yaml:9: error: InjectGpuAlias x: `spec.target`: ",
    );
}

#[test]
fn an_element_of_a_list_is_reported_on_its_line() {
    let config = "apiVersion: fn.rhoso.dev/v1alpha1\nkind: GenerateMachineSets\nmetadata: {name: x}\nspec:\n  machines:\n  - name: a\n    instanceType: g6.4xlarge\n  - name: b\n    instanceType: g6.4xlarge\n    zones:\n    - us-east-1a\n    - us-east-1a\n";
    assert_reported(
        config,
        "./config.yaml:12: error: GenerateMachineSets x: `spec.machines[1].zones[1]`: the zone \"us-east-1a\" is given twice",
    );
}

#[test]
fn a_long_value_gives_a_short_message() {
    let long = "A".repeat(4 << 20);
    for config in [
        format!(
            "apiVersion: fn.rhoso.dev/v1alpha1\nkind: InjectGpuAlias\nmetadata: {{name: x}}\nspec: {{aliases: [{{name: a, gpu: {long}}}]}}\n"
        ),
        format!(
            "apiVersion: fn.rhoso.dev/v1alpha1\nkind: InjectGpuAlias\nmetadata: {{name: x}}\nspec: {{aliases: {long}}}\n"
        ),
        format!(
            "apiVersion: fn.rhoso.dev/v1alpha1\nkind: InjectGpuAlias\nmetadata: {{name: x}}\nspec: {{aliases: [{{name: a, gpu: L4, numaPolicy: {long}}}]}}\n"
        ),
        format!("apiVersion: fn.rhoso.dev/v1alpha1\nkind: {long}\nmetadata: {{name: x}}\n"),
    ] {
        let lines = reported(&config);
        assert_eq!(lines.len(), 1, "{} lines", lines.len());
        assert!(lines[0].len() < 1500, "{} bytes: {:.300}", lines[0].len(), lines[0]);
    }
}
