//! The files that `render` and functions read: duplicates, patches, `.krmignore`, symbolic links.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use rhoso_fn::functions::REGISTRY;

use crate::host::{BINARY, Ended, assert_same, expect, files_below, root, run, tool};

/// A directory with these files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        write(dir.path(), name, text);
    }
    dir
}

fn write(dir: &Path, name: &str, text: &str) {
    let path = dir.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn config_map(name: &str) -> String {
    format!("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n")
}

fn render(dir: &Path, args: &[&str]) -> Ended {
    run(BINARY, &[&["render"], args].concat(), b"", dir)
}

/// The names of the ConfigMaps in the output. The only finding must be that there are no functions.
#[track_caller]
fn names(dir: &Path, args: &[&str]) -> Vec<String> {
    let ended = render(dir, args);
    assert!(ended.success, "{}", ended.stderr);
    assert!(ended.stderr.lines().all(|line| line.ends_with("[no-function]")), "{}", ended.stderr);
    ended.stdout.lines().filter_map(|line| line.strip_prefix("  name: ")).map(str::to_owned).collect()
}

#[test]
fn an_object_that_exists_twice_is_an_error_in_every_function() {
    for entry in REGISTRY.functions {
        let example = root().join("functions").join(entry.name).join("example");
        let dir = folder(&[
            ("0.yaml", &config_map("a")),
            ("b/copy.yaml", &format!("# a\n---\n{}", config_map("a"))),
        ]);
        for path in files_below(&example) {
            fs::copy(&path, dir.path().join(path.file_name().unwrap())).unwrap();
        }
        let ended = render(dir.path(), &[".", "-o", "out"]);
        assert!(!ended.success && ended.stdout.is_empty() && !dir.path().join("out").exists());
        assert_eq!(
            ended.stderr,
            "./b/copy.yaml:6: error: ConfigMap a: `metadata.name`: this object is also in ./0.yaml:4; keep one of them, pass only one of the files, or list the other in `.krmignore` [duplicate-object]\n",
            "{}",
            entry.name
        );
        fs::remove_file(dir.path().join("0.yaml")).unwrap();
        assert!(render(dir.path(), &["."]).success, "{}", entry.name);
    }
}

#[test]
fn only_what_a_cluster_takes_for_one_object_exists_twice() {
    let versions = "apiVersion: apps/v1beta1\nkind: A\nmetadata: {name: x, namespace: n}\n---\napiVersion: apps/v1\nkind: A\nmetadata: {name: x, namespace: n}\n";
    let ended = render(folder(&[("a.yaml", versions)]).path(), &[]);
    assert!(
        ended
            .stderr
            .starts_with("./a.yaml:7: error: A n/x: `metadata.name`: this object is also on line 3; "),
        "{}",
        ended.stderr
    );
    let different = [
        "apiVersion: v1\nkind: A\nmetadata: {name: x}\n",
        "apiVersion: v1\nkind: A\nmetadata: {name: x, namespace: n}\n",
        "apiVersion: v1\nkind: B\nmetadata: {name: x}\n",
        "apiVersion: b/v1\nkind: B\nmetadata: {name: x}\n",
        "apiVersion: v1\nkind: A\nmetadata: {generateName: x}\n",
        "apiVersion: v1\nkind: A\nmetadata: {generateName: x}\n",
        "apiVersion: v1\nkind: A\nmetadata: {name: x, annotations: {config.kubernetes.io/local-config: \"true\"}}\n",
        "kind: A\n",
        "kind: A\n",
    ];
    let dir = folder(&[("a.yaml", &different.join("---\n"))]);
    assert!(render(dir.path(), &[]).success, "{}", render(dir.path(), &[]).stderr);
    // A functionConfig is not an object, so two overlays may have one with the same name.
    let config =
        fs::read_to_string(root().join("functions/inject-gpu-alias/example/gpu-alias.yaml")).unwrap();
    let plane =
        fs::read_to_string(root().join("functions/inject-gpu-alias/example/controlplane.yaml")).unwrap();
    let dir = folder(&[("a/c.yaml", &config), ("b/c.yaml", &config), ("plane.yaml", &plane)]);
    assert!(render(dir.path(), &[]).success, "{}", render(dir.path(), &[]).stderr);
}

/// In a kustomize package, a patch has the same name as the object that it patches.
#[test]
fn patches_of_a_kustomization_are_no_objects() {
    let patch = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata: {x: \"1\"}\n";
    let dir = folder(&[
        ("base/kustomization.yaml", "resources: [a.yaml]\n"),
        ("base/a.yaml", &config_map("a")),
        (
            "one/kustomization.yml",
            "resources: [../base]\npatches:\n- path: a-patch.yaml\n- path: ../more/p.yaml\n",
        ),
        ("one/a-patch.yaml", patch),
        (
            "two/Kustomization",
            "resources: [../base]\npatchesStrategicMerge:\n- a.yaml\n- |-\n  kind: A\npatchesJson6902:\n- path: ops.json\n",
        ),
        ("two/a.yaml", patch),
        ("two/ops.json", "[{\"op\": \"remove\", \"path\": \"/data\"}]"),
        ("two/own.yaml", &config_map("own")),
        ("more/p.yaml", patch),
    ]);
    assert_eq!(names(dir.path(), &["."]), ["a", "own"]);
    assert_eq!(names(dir.path(), &["base", "two"]), ["a", "own"]);
    // All files by name, including kustomizations, as a shell expands `*/*.yaml`.
    assert_eq!(names(dir.path(), &["base/a.yaml", "one/a-patch.yaml", "one/kustomization.yml"]), ["a"]);
    expect(BINARY, &["render", ".", "-o", "out"], b"", dir.path());
    assert_eq!(files_below(&dir.path().join("out")).len(), 2);
    fs::remove_dir_all(dir.path().join("out")).unwrap();
    expect(BINARY, &["render", ".", "-o", "."], b"", dir.path());
    assert_same("a patch", patch, &fs::read_to_string(dir.path().join("two/a.yaml")).unwrap());
    // Without the kustomization that lists it, a patch is an object.
    let ended = render(dir.path(), &["base", "more"]);
    assert!(!ended.success && ended.stderr.contains("[duplicate-object]"), "{}", ended.stderr);
    write(dir.path(), "two/Kustomization", "patches: [\n");
    let ended = render(dir.path(), &["."]);
    assert!(ended.stderr.starts_with("./two/Kustomization:1: warning: "), "{}", ended.stderr);
}

/// `render` reads the same files as kpt, which reads patterns only in the root of a package.
#[test]
fn files_in_krmignore_are_left_out() {
    let kptfile = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: k\n";
    let patterns = "# not these\nexpected.yaml\n/d/e/x.yaml\ngone\n!n.yaml\nkeep/*.yaml\nz/q/\n[ab]1.yaml\n";
    let paths = [
        "0.yaml",
        "expected.yaml",
        "a1.yaml",
        "c1.yaml",
        "d/e/f/x.yaml",
        "d/e/x.yaml",
        "d/x.yaml",
        "gone/g.yaml",
        "keep/k.yaml",
        "keep/n.yaml",
        "sub/expected.yaml",
        "sub/s.yaml",
        "w/z/q/z.yaml",
        "z/q.yaml",
    ];
    let dir = folder(&[
        (".krmignore", patterns),
        ("sub/.krmignore", "s.yaml\n"),
        ("Kptfile", kptfile),
        ("sub/Kptfile", kptfile),
    ]);
    for path in paths {
        write(dir.path(), path, &config_map(&path.replace(['/', '.'], "-")));
    }
    let left =
        ["0-yaml", "c1-yaml", "d-e-f-x-yaml", "d-x-yaml", "keep-n-yaml", "sub-expected-yaml", "z-q-yaml"];
    assert_eq!(names(dir.path(), &["."]), left);
    if let Some(kpt) = tool("kpt") {
        let list = expect(kpt, &["fn", "source", "."], b"", dir.path()).stdout;
        let of_kpt =
            list.lines().filter_map(|line| line.strip_prefix("    name: ")).filter(|name| *name != "k");
        assert_eq!(of_kpt.collect::<Vec<_>>(), left);
    }
    // A `.krmignore` in any directory applies in addition to those of its parents. Files named as arguments
    // are read anyway.
    write(dir.path(), "d/.krmignore", "/x.yaml\n!/e/x.yaml\n");
    assert_eq!(names(dir.path(), &["d", "gone/g.yaml"]), ["d-e-f-x-yaml", "d-e-x-yaml", "gone-g-yaml"]);
    assert_eq!(names(dir.path(), &["."])[2..4], ["d-e-f-x-yaml", "d-e-x-yaml"]);
}

#[test]
fn links_are_not_followed_out_of_the_given_directories() {
    let dir = folder(&[
        ("in/a.yaml", &config_map("a")),
        ("in/..data/m.yaml", &config_map("mounted")),
        ("out/b.yaml", &config_map("b")),
        ("out/kustomization.yaml", "patches: [{path: ../in/a.yaml}]\n"),
        ("out/.krmignore", "a.yaml\n"),
    ]);
    let link = |destination: &str, name: &str| symlink(destination, dir.path().join(name)).unwrap();
    link("..data/m.yaml", "in/m.yaml"); // as in a mounted ConfigMap
    link("a.yaml", "in/0.yaml");
    link(".", "in/loop");
    assert_eq!(names(dir.path(), &["in"]), ["a", "mounted"]);
    // A file is written under its own name, not that of a link to it.
    assert_eq!(
        expect(BINARY, &["render", "in", "-o", "in2"], b"", dir.path()).stdout,
        "in2/a.yaml\nin2/m.yaml\n"
    );
    for (destination, name) in [
        ("../out/b.yaml", "in/b.yaml"),
        ("../out", "in/c"),
        ("../out/kustomization.yaml", "in/kustomization.yaml"),
        ("../out/.krmignore", "in/.krmignore"),
    ] {
        link(destination, name);
    }
    let ended = render(dir.path(), &["in"]);
    assert!(ended.success && !ended.stdout.contains("name: b"), "{}", ended.stdout);
    let warned: Vec<&str> = ended.stderr.lines().filter(|line| line.ends_with("[link]")).collect();
    assert_eq!(warned.len(), 3, "{}", ended.stderr);
    assert!(
        warned[0].starts_with("in/b.yaml: warning: this symbolic link points outside the given directories"),
        "{}",
        warned[0]
    );
    for given in ["out/b.yaml", "in/b.yaml"] {
        fs::remove_file(dir.path().join("in/kustomization.yaml")).ok();
        fs::remove_file(dir.path().join("in/c")).ok();
        assert_eq!(names(dir.path(), &["in", given]), ["a", "mounted", "b"]);
    }
    symlink("/dev/zero", dir.path().join("in/z.yaml")).unwrap();
    assert!(
        render(dir.path(), &["in/z.yaml"]).stderr.contains("in/z.yaml is neither a file nor a directory")
    );
}

/// In Argo CD, a repository must not read the files of another repository, or show them in an error message.
#[test]
fn a_named_file_is_a_small_regular_file_below_the_working_directory() {
    let dir = folder(&[
        ("here/plain.yaml", ""),
        ("secret.env", "hunter2\n"),
        ("here/sub/ok.env", "hunter2=x\nLibvirtPassword=y\n"),
    ]);
    let here = dir.path().join("here");
    let link = |destination: &str, name: &str| symlink(destination, here.join(name)).unwrap();
    link("../secret.env", "link.env");
    link("..", "up");
    link("/dev/zero", "zero.env");
    link("sub/ok.env", "ok.env");
    fs::write(here.join("large.env"), "LibvirtPassword=".to_owned() + &"x".repeat(1_000_000)).unwrap();
    fs::write(here.join("full.env"), "#".repeat(1_000_000 - 18) + "\nLibvirtPassword=x").unwrap();
    fs::write(here.join("bytes.env"), b"LibvirtPassword=y\nhunter2\xff\n").unwrap();
    expect("mkfifo", &["pipe.env"], b"", &here);
    for (file, message) in [
        (
            "../secret.env",
            "`spec.file`: must be in the working directory or below, got \"../secret.env\" [wrong-value]",
        ),
        ("sub/../../secret.env", "must be in the working directory or below"),
        (
            "link.env",
            "`spec.file`: the file \"link.env\" is a link that points outside the working directory; ",
        ),
        ("up/secret.env", "is a link that points outside the working directory"),
        ("zero.env", "is a link that points outside the working directory"),
        ("pipe.env", "the file \"pipe.env\" is not a regular file"),
        ("sub", "is not a regular file"),
        ("large.env", "the file \"large.env\" is larger than 1 MB"),
        ("bytes.env", "the file \"bytes.env\" is not UTF-8 on line 2"),
        ("missing.env", "the file \"missing.env\" does not exist"),
        ("ok.env", "ok.env:1: the key on this line is unknown; "),
        ("full.env", ""),
    ] {
        let config = format!(
            "apiVersion: fn.rhoso.dev/v1alpha1\nkind: GenerateSecrets\nmetadata: {{name: x}}\nspec: {{namespace: n, secrets: [libvirt-secret], file: {file}}}\n"
        );
        fs::write(here.join("plain.yaml"), config).unwrap();
        let ended = render(&here, &["plain.yaml"]);
        assert_eq!(ended.success, message.is_empty(), "{file}: {}", ended.stderr);
        assert!(ended.stderr.contains(message), "{file}: {}", ended.stderr);
        assert!(!ended.stderr.contains("hunter2"), "{}", ended.stderr);
    }
}
