//! `check --ran`: notices that kustomize skipped a function.

use std::fs;
use std::path::Path;

use rhoso_fn::functions::REGISTRY;
use rhoso_fn::krm::Shape;

use crate::host::{BINARY, Ended, expect, kustomize, root, run};
use crate::stories::copy;

const ENABLED: [&str; 2] = ["--enable-alpha-plugins", "--enable-exec"];

fn build(flags: &[&str], package: &str, cwd: &Path) -> Option<String> {
    let kustomize = kustomize()?;
    Some(expect(kustomize, &[&["build"], flags, &[package]].concat(), b"", cwd).stdout)
}

fn check(ran: &str, manifests: &str, cwd: &Path) -> Ended {
    run(BINARY, &["check", "--ran", ran, "-"], manifests.as_bytes(), cwd)
}

fn is_reported(ended: &Ended) -> bool {
    assert!(ended.code.is_some_and(|code| code < 2), "{}{}", ended.stdout, ended.stderr);
    ended.stdout.contains("this function has not run: ")
}

/// Without `--enable-exec`, kustomize succeeds and skips every function.
#[test]
fn every_function_that_kustomize_skips_is_reported() {
    for entry in REGISTRY.functions.iter().filter(|entry| entry.shape != Shape::Validator) {
        let example = root().join("functions").join(entry.name).join("example");
        let Some(ran) = build(&ENABLED, ".", &example) else { return };
        let ended = check(".", &ran, &example);
        assert!(!is_reported(&ended), "{}: {}", entry.name, ended.stdout);
        // Empty if the function generates all resources.
        let Some(skipped) = build(&ENABLED[..1], ".", &example) else { return };
        let ended = check(".", &skipped, &example);
        assert!(
            is_reported(&ended) && ended.code == Some(1),
            "{}: {}{}",
            entry.name,
            ended.stdout,
            ended.stderr
        );
    }
}

/// The kustomization of an overlay refers to functions in other directories.
#[test]
fn complete_deployments_have_run() {
    for (story, package) in [
        ("nvidia-l4-passthrough", "overlays/rhoso1"),
        ("nvidia-l4-passthrough", "."),
        ("multi-rhoso", "overlays/openstack2"),
        ("multi-rhoso", "."),
        ("edpm-cells", "."),
        ("gpu-machinesets", "."),
    ] {
        let folder = root().join("examples").join(story);
        let Some(ran) = build(&ENABLED, package, &folder) else { return };
        let ended = check(package, &ran, &folder);
        assert!(!is_reported(&ended), "{story}/{package}: {}", ended.stdout);
        // The overlays of this story patch the functionConfig, so what runs is not in a file.
        let is_patched =
            ended.stdout.contains("warning: GenerateInstances fleet: not verified: the kustomization in ");
        assert_eq!(
            is_patched,
            story == "multi-rhoso" && package != ".",
            "{story}/{package}: {}",
            ended.stdout
        );
    }
}

#[test]
fn the_message_names_the_function_and_what_it_would_change() {
    let dir = tempfile::tempdir().unwrap();
    let package = dir.path().join("package");
    copy(&root().join("functions/inject-gpu-alias/example"), &package);
    let unrendered = fs::read_to_string(package.join("controlplane.yaml")).unwrap();
    let rendered = expect(BINARY, &["render", "package"], b"", dir.path()).stdout;
    for ran in ["package", "package/gpu-alias.yaml"] {
        let ended = check(ran, &unrendered, dir.path());
        let line = "package/gpu-alias.yaml:1: error: InjectGpuAlias nvidia-l4: this function has not run: it would still change OpenStackControlPlane rhoso1/openstack; build with `--enable-alpha-plugins --enable-exec`, and list the function under `transformers` or `generators` [function-not-run]\n";
        assert!(ended.stdout.contains(line) && ended.code == Some(1), "{ran}: {}", ended.stdout);
        assert!(!is_reported(&check(ran, &rendered, dir.path())), "{ran}");
    }
    // An inline functionConfig, and a package without a kustomization.
    let config = fs::read_to_string(package.join("gpu-alias.yaml")).unwrap().replace('\n', "\n  ");
    fs::write(
        package.join("kustomization.yaml"),
        format!("resources: [controlplane.yaml]\ntransformers:\n- |\n  {config}\n"),
    )
    .unwrap();
    assert!(is_reported(&check("package", &unrendered, dir.path())));
    fs::remove_file(package.join("kustomization.yaml")).unwrap();
    assert!(is_reported(&check("package", &unrendered, dir.path())));
    let sarif = run(
        BINARY,
        &["check", "--format", "sarif", "--ran", "package", "package/controlplane.yaml"],
        b"",
        dir.path(),
    );
    assert!(sarif.code == Some(1) && sarif.stdout.contains("\"function-not-run\""), "{}", sarif.stdout);
    // What a function cannot run on, it has not run on.
    let ended = check("package/gpu-alias.yaml", "kind: A\nmetadata: {name: a}\n", dir.path());
    assert!(
        ended.stdout.contains("it fails on these resources: the resources contain no OpenStackControlPlane"),
        "{}",
        ended.stdout
    );
}

#[test]
fn a_generator_has_run_if_its_objects_exist_under_another_name() {
    let dir = tempfile::tempdir().unwrap();
    copy(&root().join("functions/generate-volumes/example"), dir.path());
    let path = dir.path().join("kustomization.yaml");
    let kustomization = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{kustomization}namePrefix: east-\nnamespace: storage\n")).unwrap();
    let Some(ran) = build(&ENABLED, ".", dir.path()) else { return };
    let ended = check(".", &ran, dir.path());
    assert!(ran.contains("east-") && !is_reported(&ended), "{}", ended.stdout);
}

/// A validator leaves no trace, so `--ran` runs it.
#[test]
fn a_validator_runs_again() {
    let dir = tempfile::tempdir().unwrap();
    copy(&root().join("functions/validate-secrets/example"), dir.path());
    let ended = check("secrets.yaml", "kind: A\nmetadata: {name: a}\n", dir.path());
    assert!(ended.code == Some(1) && ended.stdout.contains("[no-match]"), "{}", ended.stdout);
}

#[test]
fn a_package_without_functions_is_a_mistake() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.yaml"), "kind: A\n").unwrap();
    for (ran, message) in [
        ("a.yaml", "no functionConfig (API group fn.rhoso.dev) in a.yaml"),
        (".", "in ."),
        ("b", "cannot read b: No such file"),
    ] {
        let ended = check(ran, "kind: A\n", dir.path());
        assert!(ended.code == Some(2) && ended.stderr.contains(message), "{}", ended.stderr);
    }
}
