//! Files that end without a line break keep their values, whatever follows them.

use std::fs;

use crate::host::{BINARY, Ended, assert_same, root, run, run_with};

const CONFIG: &str =
    "apiVersion: fn.rhoso.dev/v1alpha1\nkind: SetSyncWaves\nmetadata:\n  name: w\nspec: {}\n";
const OPEN: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  a: |\n    text";
const CLOSED: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  a: |-\n    text\n";
const NEXT: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n";

fn render(files: &[(&str, &str)], args: &[&str]) -> (Ended, tempfile::TempDir) {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("in")).unwrap();
    for (name, text) in files {
        fs::write(dir.path().join("in").join(name), text).unwrap();
    }
    let ended = run(BINARY, &[&["render", "in"], args].concat(), b"", dir.path());
    (ended, dir)
}

#[test]
fn printed_documents_keep_their_values() {
    let (ended, _dir) = render(&[("a.yaml", OPEN), ("b.yaml", NEXT), ("c.yaml", CONFIG)], &[]);
    assert_same("stdout", &format!("{CLOSED}---\n{NEXT}"), &ended.stdout);
    let (ended, _dir) = render(&[("a.yaml", NEXT), ("b.yaml", OPEN), ("c.yaml", CONFIG)], &[]);
    assert_same("stdout", &format!("{NEXT}---\n{CLOSED}"), &ended.stdout);
}

#[test]
fn written_files_keep_their_values() {
    let both = format!("{CONFIG}---\n{OPEN}");
    let (ended, dir) = render(&[("a.yaml", &both)], &["-o", "out"]);
    assert!(ended.success, "{}", ended.stderr);
    assert_same("out/a.yaml", CLOSED, &fs::read_to_string(dir.path().join("out/a.yaml")).unwrap());
    // The only document in a file does not change, because nothing follows it.
    let (ended, dir) = render(&[("a.yaml", OPEN), ("c.yaml", CONFIG)], &["-o", "out"]);
    assert!(ended.success, "{}", ended.stderr);
    assert_same("out/a.yaml", OPEN, &fs::read_to_string(dir.path().join("out/a.yaml")).unwrap());
}

#[test]
fn a_plugin_keeps_their_values() {
    let dir = tempfile::tempdir().unwrap();
    let config = dir.path().join("config.yaml");
    fs::write(&config, CONFIG).unwrap();
    let ended = run_with(
        BINARY,
        &[&config.display().to_string()],
        format!("{NEXT}---\n{OPEN}").as_bytes(),
        root(),
        &[("KUSTOMIZE_PLUGIN_CONFIG_STRING", CONFIG)],
    );
    assert_same("stdout", &format!("{NEXT}---\n{CLOSED}"), &ended.stdout);
}
