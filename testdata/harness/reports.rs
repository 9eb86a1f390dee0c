//! How `render` reports findings: one line each, source lines on a terminal, JSON; and which findings fail
//! the command.

use std::fs;
use std::process::Command;

use rhoso_fn::functions::REGISTRY;
use rhoso_fn::krm::{File, Package, Results};
use rhoso_fn::report;
use serde_json::{Value, json};

use crate::host::{BINARY, run};

const CONFIG: &str = "apiVersion: fn.rhoso.dev/v1alpha1\nkind: PrefixAddressPools\nmetadata:\n  name: x\nspec:\n  namespace: openstack2\n";

fn pool(name: &str, range: &str) -> String {
    format!(
        "apiVersion: metallb.io/v1beta1\nkind: IPAddressPool\nmetadata:\n  name: {name}\nspec:\n  addresses:\n  - {range} # of {name}\n"
    )
}

/// Two overlapping pools in two files.
fn overlapping() -> Vec<(&'static str, String)> {
    vec![
        ("a.yaml", pool("ctlplane", "192.168.122.80-192.168.122.90")),
        ("b.yaml", pool("internalapi", "192.168.122.90-192.168.122.99")),
        ("config.yaml", CONFIG.to_owned()),
    ]
}

fn folder(files: &[(&str, String)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(dir.path().join(name), text).unwrap();
    }
    dir
}

#[test]
fn json_has_both_parties_with_their_places() {
    let dir = folder(&overlapping());
    let ended = run(BINARY, &["render", "--format", "json", "--report", "report.out"], b"", dir.path());
    assert!(!ended.success);
    let report: Value = serde_json::from_str(&ended.stderr).unwrap();
    let pool = |name: &str| json!({"apiVersion": "metallb.io/v1beta1", "kind": "IPAddressPool", "namespace": null, "name": name});
    let finding = &report["findings"][0];
    assert_eq!(report["findings"].as_array().unwrap().len(), 1);
    assert_eq!((&finding["rule"], &finding["severity"]), (&json!("pool-overlap"), &json!("error")));
    assert_eq!(
        (&finding["file"], &finding["line"], &finding["column"], &finding["field"]),
        (&json!("./b.yaml"), &json!(7), &json!(5), &json!("spec.addresses[0]"))
    );
    assert_eq!(finding["resource"], pool("internalapi"));
    let related = &finding["related"][0];
    assert_eq!((&related["file"], &related["line"]), (&json!("./a.yaml"), &json!(7)));
    assert_eq!(related["resource"], pool("ctlplane"));
    assert_eq!(fs::read_to_string(dir.path().join("report.out")).unwrap(), ended.stderr);
}

#[test]
fn source_lines_show_both_parties() {
    let files: Vec<File> = overlapping()
        .into_iter()
        .map(|(path, text)| File { path: path.to_owned(), text: text.replace("# of", "# \u{202e}of").into() })
        .collect();
    let mut results = Results::default();
    let mut package = Package::read(files, REGISTRY, &mut results);
    package.run(REGISTRY, &mut results);
    let text = report::snippets(&results.into_sorted(), package.files(), false, report::Color::Plain);
    for line in [
        "error[pool-overlap]: \"192.168.122.90-192.168.122.99\" overlaps \"192.168.122.80-192.168.122.90\" in",
        " --> b.yaml:7:5",
        "7 |   - 192.168.122.90-192.168.122.99 # ",
        "  |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ IPAddressPool internalapi `spec.addresses[0]`",
        "a.yaml:7:5",
        "  |     ----------------------------- the other range",
    ] {
        assert!(text.contains(line), "{line:?} is not in\n{text}");
    }
    assert!(!text.contains('\u{202e}'), "{text:?}");
}

#[test]
fn infos_are_shown_and_warnings_fail_on_request() {
    let dir = folder(&[
        ("list.yaml", "apiVersion: v1\nkind: List\nitems:\n- kind: A\n".to_owned()),
        (
            "config.yaml",
            "apiVersion: fn.rhoso.dev/v1alpha1\nkind: SetSyncWaves\nmetadata: {name: x}\nspec: {}\n"
                .to_owned(),
        ),
    ]);
    let ended = run(BINARY, &["render"], b"", dir.path());
    assert!(ended.success && ended.stderr.contains(" warning: "), "{}", ended.stderr);
    let strict = run(BINARY, &["render", "--strict", "-o", "out"], b"", dir.path());
    assert!(!strict.success && strict.stdout.is_empty(), "{}", strict.stdout);
    assert!(!dir.path().join("out").exists(), "nothing is written");

    let alias = "apiVersion: fn.rhoso.dev/v1alpha1\nkind: InjectGpuAlias\nmetadata: {name: x}\nspec: {aliases: [{name: a, gpu: L4}]}\n";
    let plane = "apiVersion: core.openstack.org/v1beta1\nkind: OpenStackControlPlane\nmetadata: {name: openstack}\nspec: {nova: {}}\n";
    let dir = folder(&[("alias.yaml", alias.to_owned()), ("plane.yaml", plane.to_owned())]);
    let quiet = run(BINARY, &["render"], b"", dir.path());
    assert_eq!(quiet.stderr, "");
    let verbose = run(BINARY, &["render", "-v"], b"", dir.path());
    assert!(verbose.success && verbose.stderr.contains(": info: "), "{}", verbose.stderr);
}

#[test]
fn wrong_usage_has_an_exit_code_of_its_own() {
    let code = |args: &[&str]| Command::new(BINARY).args(args).output().unwrap().status.code();
    assert_eq!(code(&["render", "--no-such-option"]), Some(2));
    assert_eq!(code(&["no-such-command"]), Some(2));
    assert_eq!(code(&["render", "no-such-file"]), Some(1));
    assert_eq!(code(&["list"]), Some(0));
}
