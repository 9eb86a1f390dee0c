//! Which files `check` compares with each other, and what it says before they are rendered.

use std::fs;

use super::{check, pool};

/// Writes files, and the directories that they need.
fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

#[test]
fn overlays_and_rendered_output_are_separate_clusters() {
    let first = pool("first", "192.168.122.80-192.168.122.90");
    let second = pool("second", "192.168.122.90-192.168.122.99");
    let overlay = "resources: [../base, pools.yaml]\n";
    let dir = tree(&[
        ("base/kustomization.yaml", "resources: [a.yaml]\n"),
        ("base/a.yaml", &pool("base", "192.168.122.70-192.168.122.72")),
        ("one/kustomization.yaml", overlay),
        ("one/pools.yaml", &first),
        ("two/kustomization.yaml", overlay),
        ("two/pools.yaml", &second),
        ("two/expected.yaml", &format!("{first}---\n{}", pool("x", "192.168.123.0/24"))),
    ]);
    let ended = check(&[], "", dir.path());
    assert_eq!(ended.code, Some(0), "{}", ended.stdout);
    fs::write(dir.path().join("two/pools.yaml"), pool("second", "192.168.122.72-192.168.122.75")).unwrap();
    let ended = check(&[], "", dir.path());
    assert_eq!(ended.code, Some(1), "{}", ended.stdout);
    assert_eq!(ended.stdout.matches("error[pool-overlap]").count(), 1, "{}", ended.stdout);
    let both = check(&["one/pools.yaml", "two/expected.yaml"], "", dir.path());
    assert!(both.stdout.contains("error[duplicate-object]"), "{}", both.stdout);
}

#[test]
fn an_ignore_in_a_shared_base_counts_if_one_overlay_needs_it() {
    let range = "192.168.122.70-192.168.122.72 # rhoso-fn: ignore[pool-overlap] moved next week";
    let dir = tree(&[
        ("base/kustomization.yaml", "resources: [a.yaml]\n"),
        ("base/a.yaml", &pool("base", range)),
        ("one/kustomization.yaml", "resources: [../base, b.yaml]\n"),
        ("one/b.yaml", &pool("b", "192.168.122.71/32")),
        ("two/kustomization.yaml", "resources: [../base]\n"),
    ]);
    let ended = check(&["--strict"], "", dir.path());
    assert_eq!(ended.code, Some(0), "{}", ended.stdout);
    fs::remove_file(dir.path().join("one/b.yaml")).unwrap();
    let ended = check(&[], "", dir.path());
    assert_eq!(ended.stdout.matches("warning[unused-ignore]").count(), 1, "{}", ended.stdout);
}

#[test]
fn nothing_is_known_to_be_missing_before_a_package_is_rendered() {
    let twice = [("a.yaml", pool("x", "192.168.122.70/32")), ("b.yaml", pool("x", "192.168.122.71/32"))];
    let dir = tree(&[
        ("kustomization.yaml", "namePrefix: x-\nresources: [a.yaml, b.yaml]\n"),
        (twice[0].0, &twice[0].1),
        (twice[1].0, &twice[1].1),
    ]);
    let ended = check(&[], "", dir.path());
    assert_eq!(ended.code, Some(0), "{}", ended.stdout);
    assert!(ended.stdout.contains("One package is not rendered yet"), "{}", ended.stdout);
    fs::write(dir.path().join("kustomization.yaml"), "resources: [a.yaml, b.yaml]\n").unwrap();
    let ended = check(&[], "", dir.path());
    assert!(ended.stdout.contains("error[duplicate-object]"), "{}", ended.stdout);
    assert!(!ended.stdout.contains("not rendered"), "{}", ended.stdout);
}

#[test]
fn clusters_and_samples_beside_each_other_are_not_compared() {
    let pools = |range: &str| pool("ctlplane", range);
    let dir = tree(&[
        ("east/pools.yaml", &pools("192.168.122.80-192.168.122.90")),
        ("west/pools.yaml", &pools("192.168.122.80-192.168.122.90")),
        ("west/other.yaml", &pool("internalapi", "192.168.122.90-192.168.122.99")),
    ]);
    let ended = check(&[], "", dir.path());
    assert_eq!(ended.stdout.matches("error[").count(), 1, "{}", ended.stdout);
    assert!(ended.stdout.contains("error[pool-overlap]"), "{}", ended.stdout);
    // In one directory, the same object in two files is a warning, and the files are not compared.
    fs::write(dir.path().join("east/copy.yaml"), pools("192.168.122.85-192.168.122.99")).unwrap();
    let ended = check(&["east"], "", dir.path());
    assert_eq!(ended.code, Some(0), "{}", ended.stdout);
    assert_eq!(ended.stdout.matches("warning[").count(), 1, "{}", ended.stdout);
    assert!(ended.stdout.contains("warning[duplicate-object]"), "{}", ended.stdout);
    // Samples are certainly alternatives.
    let samples = tree(&[
        ("samples/one.yaml", &pools("192.168.122.80-192.168.122.90")),
        ("samples/two.yaml", &pools("192.168.122.85-192.168.122.99")),
    ]);
    let ended = check(&["--verbose"], "", samples.path());
    assert_eq!(ended.code, Some(0), "{}", ended.stdout);
    assert!(ended.stdout.contains("info[duplicate-object]"), "{}", ended.stdout);
    fs::write(dir.path().join("east/copy.yaml"), pools("10.0.0.1/32") + "---\n" + &pools("10.0.0.2/32"))
        .unwrap();
    let ended = check(&["east"], "", dir.path());
    assert_eq!(ended.stdout.matches("error[duplicate-object]").count(), 1, "{}", ended.stdout);
    assert_eq!(ended.stdout.matches("warning[duplicate-object]").count(), 1, "{}", ended.stdout);
    fs::write(dir.path().join("east/copy.yaml"), pools("10.0.0.1/32")).unwrap();
    fs::write(dir.path().join("east/Kptfile"), "apiVersion: kpt.dev/v1\nkind: Kptfile\n").unwrap();
    let ended = check(&["east"], "", dir.path());
    assert!(ended.stdout.contains("error[duplicate-object]"), "{}", ended.stdout);
    fs::remove_file(dir.path().join("east/Kptfile")).unwrap();
    let named = check(&["east/pools.yaml", "west/pools.yaml"], "", dir.path());
    assert!(named.stdout.contains("error[duplicate-object]"), "{}", named.stdout);
}

#[test]
fn what_one_sample_lacks_may_be_in_another() {
    let node_set = |name: &str| {
        format!(
            "apiVersion: dataplane.openstack.org/v1beta1\nkind: OpenStackDataPlaneNodeSet\n\
             metadata:\n  name: {name}\n---\n"
        )
    };
    let deployment = "apiVersion: dataplane.openstack.org/v1beta1\nkind: OpenStackDataPlaneDeployment\n\
                      metadata:\n  name: first\nspec:\n  nodeSets:\n  - compute-a\n";
    let dir = tree(&[
        ("samples/deployment.yaml", deployment),
        ("samples/one.yaml", &(node_set("compute-a") + &node_set("common"))),
        ("samples/two.yaml", &(node_set("compute-b") + &node_set("common"))),
    ]);
    let ended = check(&[], "", dir.path());
    assert!(ended.stdout.contains("No problems found"), "{}", ended.stdout);
    assert!(!ended.stdout.contains("not rendered"), "{}", ended.stdout);
}

fn control_plane(name: &str, spec: &str) -> String {
    format!(
        "apiVersion: core.openstack.org/v1beta1\nkind: OpenStackControlPlane\nmetadata: {{name: {name}}}\nspec: {spec}\n"
    )
}

#[test]
fn a_patch_may_add_what_a_control_plane_lacks() {
    let plane = control_plane("openstack", "{nova: {template: {cellTemplates: {cell1: {}}}}}");
    let patched = "resources: [plane.yaml]\npatches: [{path: patch.yaml}]\n";
    let patch = control_plane("openstack", "{nova: {template: {cellTemplates: {cell0: {}}}}}");
    let dir = tree(&[("kustomization.yaml", patched), ("plane.yaml", &plane), ("patch.yaml", &patch)]);
    let ended = check(&[], "", dir.path());
    assert_eq!(ended.code, Some(0), "{}", ended.stdout);
    let named = "resources: [plane.yaml]\nnamespace: openstack\n";
    fs::write(dir.path().join("kustomization.yaml"), named).unwrap();
    fs::remove_file(dir.path().join("patch.yaml")).unwrap();
    let ended = check(&[], "", dir.path());
    assert!(ended.stdout.contains("error[missing-cell]"), "{}", ended.stdout);
}

#[test]
fn control_planes_beside_each_other_are_alternatives_unless_they_are_listed_together() {
    let (one, two) = (control_plane("one", "{}"), control_plane("two", "{}"));
    let dir = tree(&[("one.yaml", &one), ("two.yaml", &two)]);
    let ended = check(&[], "", dir.path());
    assert_eq!(ended.code, Some(0), "{}", ended.stdout);
    let named = check(&["one.yaml", "two.yaml"], "", dir.path());
    assert!(named.stdout.contains("error[control-plane-twice]"), "{}", named.stdout);
    fs::write(dir.path().join("kustomization.yaml"), "resources: [one.yaml, two.yaml]\n").unwrap();
    let listed = check(&[], "", dir.path());
    assert!(listed.stdout.contains("error[control-plane-twice]"), "{}", listed.stdout);
}

#[test]
fn examples_and_archives_are_separate_from_what_is_deployed() {
    let dir = tree(&[
        ("cluster/pools.yaml", &pool("new", "192.168.122.80-192.168.122.90")),
        ("docs/archive/pools.yaml", &pool("old", "192.168.122.80-192.168.122.90")),
        ("docs/archive/other.yaml", &pool("other", "192.168.122.90-192.168.122.99")),
    ]);
    let ended = check(&[], "", dir.path());
    assert_eq!(ended.code, Some(0), "{}", ended.stdout);
    assert_eq!(ended.stdout.matches("warning[pool-overlap]").count(), 1, "{}", ended.stdout);
    // What the user names belongs together.
    let ended = check(&["docs/archive"], "", dir.path());
    assert_eq!(ended.stdout.matches("error[pool-overlap]").count(), 1, "{}", ended.stdout);
    let ended = check(&["cluster", "docs/archive"], "", dir.path());
    assert_eq!(ended.stdout.matches("error[pool-overlap]").count(), 2, "{}", ended.stdout);
}

#[test]
fn objects_of_one_kind_may_be_alternatives_in_a_directory_that_has_some() {
    let policy = "apiVersion: nmstate.io/v1\nkind: NodeNetworkConfigurationPolicy\nmetadata: {name: w}\nspec:\n  \
                  nodeSelector: {kubernetes.io/hostname: w}\n  desiredState:\n    interfaces:\n    - name: ospbr\n      \
                  type: linux-bridge\n      bridge: {port: [{name: enp6s0}]}\n      ipv4: {address: [{ip: 10.0.0.5, prefix-length: 24}]}\n";
    let attachment = "apiVersion: k8s.cni.cncf.io/v1\nkind: NetworkAttachmentDefinition\nmetadata: {name: n}\nspec:\n  config: \
                      '{\"type\": \"macvlan\", \"master\": \"ospbr\", \"ipam\": {\"type\": \"whereabouts\", \
                      \"range\": \"10.0.0.0/28\"}}'\n";
    let dir = tree(&[
        ("a.yaml", &pool("a", "192.168.122.80-192.168.122.90")),
        ("b.yaml", &pool("b", "192.168.122.90-192.168.122.99")),
        ("policy.yaml", policy),
        ("attachment.yaml", attachment),
    ]);
    let errors = |rule: &str| check(&[], "", dir.path()).stdout.matches(&format!("error[{rule}]")).count();
    assert_eq!((errors("pool-overlap"), errors("node-address-in-range")), (1, 1));
    for (file, data) in [("one.yaml", "1"), ("two.yaml", "2")] {
        let map =
            format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: x}}\ndata: {{a: \"{data}\"}}\n");
        fs::write(dir.path().join(file), map).unwrap();
    }
    assert_eq!((errors("pool-overlap"), errors("node-address-in-range")), (0, 1));
    assert!(check(&[], "", dir.path()).stdout.contains("warning[pool-overlap]"));
}

#[test]
fn a_control_plane_without_a_namespace_is_an_alternative_of_the_one_that_has_it() {
    let plane = |metadata: &str| {
        format!(
            "apiVersion: core.openstack.org/v1beta1\nkind: OpenStackControlPlane\nmetadata: {{{metadata}}}\nspec:\n  \
             dns:\n    template:\n      override:\n        service:\n          metadata:\n            annotations:\n              \
             metallb.universe.tf/loadBalancerIPs: 192.168.122.80\n          spec: {{type: LoadBalancer}}\n"
        )
    };
    let dir = tree(&[("a.yaml", &plane("name: a, namespace: openstack")), ("b.yaml", &plane("name: b"))]);
    let ended = check(&[], "", dir.path());
    assert!(!ended.stdout.contains("vip-conflict"), "{}", ended.stdout);
    let named = check(&["a.yaml", "b.yaml"], "", dir.path());
    assert!(named.stdout.contains("[vip-conflict]"), "{}", named.stdout);
}

#[test]
fn what_kustomize_replaces_is_no_placeholder_before_it_has_run() {
    let template = pool("x", "_replaced_");
    let dir = tree(&[
        ("base/kustomization.yaml", "kind: Component\nresources: [a.yaml]\n"),
        ("base/a.yaml", &template),
        ("base/forgotten.yaml", &pool("y", "CTLPLANE_RANGE")),
        (
            "one/kustomization.yaml",
            "components: [../base]\nreplacements:\n- source: {kind: A, fieldPath: b}\n",
        ),
    ]);
    let ended = check(&[], "", dir.path());
    assert!(ended.stdout.starts_with("No problems found"), "{}", ended.stdout);
    fs::write(dir.path().join("one/rendered.yaml"), &template).unwrap();
    let ended = check(&[], "", dir.path());
    assert_eq!(ended.stdout.matches("warning[placeholder]").count(), 1, "{}", ended.stdout);
}

#[test]
fn subnets_that_kustomize_does_not_copy_are_not_compared() {
    let values = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: network-values\n  annotations:\n    \
                  config.kubernetes.io/local-config: \"true\"\ndata:\n";
    let network = |name: &str| {
        format!(
            "  {name}:\n    dnsDomain: {name}.example.com\n    subnets:\n    - name: subnet1\n      cidr: 192.168.122.0/24\n      \
             allocationRanges: [{{start: 192.168.122.100, end: 192.168.122.120}}]\n"
        )
    };
    let copy = |name: &str| {
        format!("- source: {{kind: ConfigMap, name: network-values, fieldPath: data.{name}.subnets}}\n")
    };
    let dir = tree(&[
        ("lib/kustomization.yaml", &format!("kind: Component\nreplacements:\n{}", copy("ctlplane"))),
        ("kustomization.yaml", "components: [lib]\nresources: [values.yaml]\n"),
        ("values.yaml", &format!("{values}{}{}", network("ctlplane"), network("external"))),
    ]);
    let errors = || check(&[], "", dir.path()).stdout.matches("error[subnet-twice]").count();
    assert_eq!(errors(), 0);
    let both = format!("kind: Component\nreplacements:\n{}{}", copy("ctlplane"), copy("external"));
    fs::write(dir.path().join("lib/kustomization.yaml"), both).unwrap();
    assert_eq!(errors(), 1);
    // Replacements of another file are not known.
    fs::write(dir.path().join("lib/kustomization.yaml"), "replacements:\n- path: r.yaml\n").unwrap();
    assert_eq!(errors(), 1);
}

#[test]
fn a_validator_changes_nothing() {
    let config = |kind: &str, spec: &str| {
        format!("apiVersion: fn.rhoso.dev/v1alpha1\nkind: {kind}\nmetadata: {{name: x}}\nspec: {spec}\n")
    };
    let pools = pool("a", "192.168.122.70-192.168.122.80")
        + "---\n"
        + &pool("b", "192.168.122.80/32 # rhoso-fn: ignore[pool-overlap] until next week");
    let dir = tree(&[
        ("kustomization.yaml", "resources: [pools.yaml]\ntransformers: [config.yaml]\n"),
        ("config.yaml", &config("ValidatePlatform", "{}")),
        ("pools.yaml", &pools.replace("# rhoso-fn", "# no")),
    ]);
    let ended = check(&[], "", dir.path());
    assert!(ended.stdout.contains("error[pool-overlap]"), "{}", ended.stdout);
    assert!(!ended.stdout.contains("not rendered"), "{}", ended.stdout);
    // A transformer may resolve the overlap. So it is not reported, and to ignore it is not wrong.
    fs::write(dir.path().join("config.yaml"), config("PrefixAddressPools", "{prefix: x-}")).unwrap();
    fs::write(dir.path().join("pools.yaml"), &pools).unwrap();
    let ended = check(&[], "", dir.path());
    assert!(ended.stdout.starts_with("No problems found"), "{}", ended.stdout);
    assert!(ended.stdout.contains("One package is not rendered yet"), "{}", ended.stdout);
}
