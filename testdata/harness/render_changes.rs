//! `render --diff`, `--check`, `--exclude`, stdin, and where `--output` writes.

use std::fs;
use std::path::Path;

use crate::host::{BINARY, Ended, expect, files_below, root, run, run_with, tool_if_present};
use crate::stories::copy;

const CONFIG: &str = "apiVersion: fn.rhoso.dev/v1alpha1\nkind: SetSyncWaves\nmetadata:\n  name: waves\n  annotations:\n    config.kubernetes.io/local-config: \"true\"\nspec:\n  rules:\n  - match: {kind: ConfigMap}\n    wave: 3\n";

fn config_map(name: &str) -> String {
    format!("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n")
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

fn render(args: &[&str], stdin: &str, cwd: &Path) -> Ended {
    run(BINARY, &[&["render"], args].concat(), stdin.as_bytes(), cwd)
}

fn texts(dir: &Path) -> Vec<(String, String)> {
    let below = |path: &Path| path.strip_prefix(dir).unwrap().display().to_string();
    files_below(dir).iter().map(|path| (below(path), fs::read_to_string(path).unwrap())).collect()
}

/// `git apply` accepts the diff of every example, and what it writes is what `--output` writes.
#[test]
fn a_diff_can_be_applied() {
    let Some(git) = tool_if_present("git") else { return };
    for example in ["inject-gpu-alias", "generate-volumes", "prefix-address-pools", "generate-machine-sets"] {
        let (before, written) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for dir in [&before, &written] {
            copy(&root().join("functions").join(example).join("example"), dir.path());
        }
        let diff = expect(BINARY, &["render", "--diff", "."], b"", before.path()).stdout;
        assert!(diff.contains("\n@@ -") && !diff.contains('\u{1b}'), "{example}: {diff}");
        expect(&git, &["apply", "-"], diff.as_bytes(), before.path());
        expect(BINARY, &["render", ".", "-o", "."], b"", written.path());
        assert_eq!(texts(before.path()), texts(written.path()), "{example}");
        assert_eq!(expect(BINARY, &["render", "--diff", "."], b"", before.path()).stdout, "");
    }
}

#[test]
fn a_diff_shows_new_files_and_files_without_a_last_line_break() {
    let dir = folder(&[("waves.yaml", CONFIG), ("a.yaml", config_map("a").trim_end())]);
    let ended = expect(BINARY, &["render", "--diff"], b"", dir.path());
    assert_eq!(
        ended.stdout,
        "--- a/a.yaml\n+++ b/a.yaml\n@@ -1,4 +1,6 @@\n apiVersion: v1\n kind: ConfigMap\n metadata:\n-  name: a\n\\ No newline at end of file\n+  name: a\n+  annotations:\n+    argocd.argoproj.io/sync-wave: \"3\"\n\\ No newline at end of file\n"
    );
    let against = expect(BINARY, &["render", "--diff", "-o", "out"], b"", dir.path()).stdout;
    assert!(
        against.starts_with("--- /dev/null\n+++ b/out/a.yaml\n@@ -0,0 +1,6 @@\n+apiVersion: v1\n"),
        "{against}"
    );
    assert!(!dir.path().join("out").exists());
    let colored = expect(BINARY, &["render", "--diff", "--color", "always"], b"", dir.path()).stdout;
    assert!(colored.contains("\n\u{1b}[32m+  annotations:\u{1b}[0m\n"), "{colored}");
}

/// Each file stays open until all are complete, so the program raises the limit.
#[test]
fn more_files_are_written_than_a_shell_allows_to_open() {
    let names: Vec<String> = (0..100).map(|number| format!("{number}.yaml")).collect();
    let texts: Vec<String> = names.iter().map(|name| config_map(name)).collect();
    let files = names.iter().zip(&texts).map(|(name, text)| (name.as_str(), text.as_str()));
    let files: Vec<(&str, &str)> = files.chain([("waves.yaml", CONFIG)]).collect();
    let dir = folder(&files);
    let script = "ulimit -S -n 40 && exec \"$0\" render . -o .";
    let ended = expect("/bin/sh", &["-c", script, BINARY], b"", dir.path());
    assert_eq!(ended.stdout.lines().count(), 100, "{}", ended.stdout);
}

/// A file in which more lines change than are compared at once.
#[test]
fn a_diff_of_a_long_file_shows_only_what_changes() {
    let texts: Vec<String> = (0..1200).map(|number| config_map(&format!("a{number}"))).collect();
    let dir = folder(&[("waves.yaml", CONFIG), ("a.yaml", &texts.join("---\n"))]);
    let diff = expect(BINARY, &["render", "--diff"], b"", dir.path()).stdout;
    let count = |sign: &str| diff.lines().filter(|line| line.starts_with(sign)).count();
    assert_eq!((count("+ "), count("- ")), (2400, 0));
}

#[test]
fn a_diff_shows_no_lines_of_secrets() {
    let secret = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\nstringData:\n  a: hunter2\n";
    let config = CONFIG.replace("ConfigMap", "Secret");
    let dir = folder(&[("waves.yaml", &config), ("s.yaml", secret)]);
    let shown = expect(BINARY, &["render", "--diff"], b"", dir.path()).stdout;
    assert_eq!(
        shown,
        "--- a/s.yaml\n+++ b/s.yaml\n# This file differs. It contains a Secret, so its lines are not shown.\n"
    );
}

#[test]
fn check_fails_until_the_committed_files_are_current() {
    let dir = folder(&[
        ("in/waves.yaml", CONFIG),
        ("in/a.yaml", &config_map("a")),
        ("in/b.yaml", &config_map("b")),
    ]);
    let ended = render(&["in", "-o", "out", "--check"], "", dir.path());
    assert_eq!(
        (ended.code, ended.stdout.as_str()),
        (Some(1), "out/a.yaml\nout/b.yaml\n"),
        "{}",
        ended.stderr
    );
    assert_eq!(ended.stderr, "2 files would change; `render` with `--output` writes them\n");
    assert!(!dir.path().join("out").exists());
    expect(BINARY, &["render", "in", "-o", "out"], b"", dir.path());
    assert_eq!(expect(BINARY, &["render", "in", "-o", "out", "--check"], b"", dir.path()).stdout, "");
    fs::write(dir.path().join("out/b.yaml"), config_map("b")).unwrap();
    let ended = render(&["in", "-o", "out", "--check", "--diff"], "", dir.path());
    assert_eq!(ended.code, Some(1));
    assert!(
        ended.stdout.starts_with("--- a/out/b.yaml\n") && ended.stdout.contains("+  annotations:\n"),
        "{}",
        ended.stdout
    );
    // Without `--output`, the given files are compared with themselves.
    let ended = render(&["in", "--check", "--format", "json"], "", dir.path());
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(1), "in/a.yaml\nin/b.yaml\n"));
    serde_json::from_str::<serde_json::Value>(&ended.stderr).unwrap();
    expect(BINARY, &["render", "in", "-o", "in"], b"", dir.path());
    expect(BINARY, &["render", "in", "--check"], b"", dir.path());
}

#[test]
fn stdin_and_pipes_are_read() {
    let dir = folder(&[("waves.yaml", CONFIG)]);
    let both = format!("{CONFIG}---\n{}", config_map("a"));
    let alone = expect(BINARY, &["render", "-"], both.as_bytes(), dir.path()).stdout;
    let with_file =
        expect(BINARY, &["render", "-", "waves.yaml"], config_map("a").as_bytes(), dir.path()).stdout;
    assert!(alone.ends_with("sync-wave: \"3\"\n") && alone == with_file, "{alone}");
    let diff =
        expect(BINARY, &["render", "-", "waves.yaml", "--diff"], config_map("a").as_bytes(), dir.path());
    assert!(diff.stdout.starts_with("--- a/stdin\n+++ b/stdin\n@@ "), "{}", diff.stdout);
    let empty = render(&["-"], " \n", dir.path());
    assert!(!empty.success && empty.stderr == "rhoso-fn: error: stdin is empty\n", "{}", empty.stderr);
    let written = render(&["-", "-o", "out"], &both, dir.path());
    assert!(!written.success && written.stderr.contains("has no file name"), "{}", written.stderr);
    let script = format!(
        "{BINARY} render waves.yaml <(printf 'apiVersion: v1\\nkind: ConfigMap\\nmetadata: {{name: a}}\\n')"
    );
    let piped = expect("bash", &["-c", &script], b"", dir.path()).stdout;
    assert!(piped.contains("sync-wave"), "{piped}");
}

#[test]
fn several_paths_keep_their_prefix() {
    let dir = folder(&[
        ("base/x.yaml", &config_map("a")),
        ("overlays/one/x.yaml", &config_map("b")),
        ("overlays/one/waves.yaml", CONFIG),
    ]);
    let written = |args: &[&str]| expect(BINARY, &[&["render"], args].concat(), b"", dir.path()).stdout;
    assert_eq!(
        written(&["./base", "overlays/one", "-o", "out"]),
        "out/base/x.yaml\nout/overlays/one/x.yaml\n"
    );
    let absolute = |path: &str| dir.path().join(path).display().to_string();
    let paths = [absolute("base"), absolute("overlays/one")];
    assert_eq!(written(&[&paths[0], &paths[1], "-o", "two"]), "two/base/x.yaml\ntwo/overlays/one/x.yaml\n");
    assert_eq!(
        written(&["base/../base", "overlays/one", "-o", "three"]),
        "three/base/x.yaml\nthree/overlays/one/x.yaml\n"
    );
    // One path is written as before, and what is below the output directory stays in its place.
    assert_eq!(written(&["overlays/one", "-o", "four"]), "four/x.yaml\n");
    assert_eq!(written(&["base", "overlays/one", "-o", "."]), "./base/x.yaml\n./overlays/one/x.yaml\n");
    assert_eq!(written(&["base", "overlays/one/waves.yaml", "-o", "base"]), "");
}

#[test]
fn excluded_files_are_not_read() {
    let dir = folder(&[
        ("a.yaml", &config_map("a")),
        ("sub/b.yaml", &config_map("b")),
        ("sub/deep/c-test.yaml", "{{ not yaml\n"),
        ("waves.yaml", CONFIG),
    ]);
    let names = |args: &[&str]| -> Vec<String> {
        let text = expect(BINARY, &[&["render"], args].concat(), b"", dir.path()).stdout;
        text.lines().filter_map(|line| line.strip_prefix("  name: ")).map(str::to_owned).collect()
    };
    assert_eq!(names(&["--exclude", "*-test.yaml"]), ["a", "b"]);
    assert_eq!(names(&["--exclude", "deep/"]), ["a", "b"]);
    assert_eq!(names(&["--exclude", "sub/deep", "--exclude", "a.yaml"]), ["b"]);
    assert_eq!(names(&["--exclude", "/sub", "."]), ["a"]);
    let absolute = dir.path().display().to_string();
    assert_eq!(names(&["--exclude", "/sub", &absolute]), ["a"]);
    let ended = run(BINARY, &["check", "--exclude", "sub", "--exclude", "sbu"], b"", dir.path());
    assert!(
        ended.stdout.contains("`--exclude` \"sbu\" matches no file in the given paths"),
        "{}",
        ended.stdout
    );
    assert!(ended.success && !ended.stdout.contains("c-test"), "{}", ended.stdout);
    let map = run(BINARY, &["map", "--exclude", "deep"], b"", dir.path());
    assert!(map.success && map.stderr.starts_with("These manifests contain no addresses."), "{}", map.stderr);
}

#[test]
fn what_is_missing_may_be_where_a_kustomization_refers_to() {
    let story = root().join("examples/nvidia-l4-passthrough");
    let ended = render(&["overlays/rhoso1"], "", &story);
    let hint = "overlays/rhoso1/kustomization.yaml also refers to \"../../base\", which `render` does not follow: pass these paths too, or run `kustomize build`";
    assert!(!ended.success && ended.stderr.contains(hint), "{}", ended.stderr);
    let dir = folder(&[
        (
            "gpu.yaml",
            &fs::read_to_string(root().join("functions/inject-gpu-alias/example/gpu-alias.yaml")).unwrap(),
        ),
        ("kustomization.yaml", "resources: [https://example.com/base, a, b, c]\n"),
    ]);
    let ended = render(&[], "", dir.path());
    assert!(
        ended.stderr.contains("\"https://example.com/base\", \"a\", \"b\", 1 more, which"),
        "{}",
        ended.stderr
    );
    // A kustomization whose files are all given is not mentioned.
    fs::write(dir.path().join("kustomization.yaml"), "transformers: [gpu.yaml]\n").unwrap();
    let ended = render(&[], "", dir.path());
    assert!(
        ended.stderr.contains("[no-match]") && !ended.stderr.contains("kustomization"),
        "{}",
        ended.stderr
    );
}

#[test]
fn colors_are_off_in_pipes_and_with_no_color() {
    let dir = folder(&[("waves.yaml", CONFIG), ("a.yaml", &config_map("a"))]);
    let Some(script) = tool_if_present("script") else { return };
    let command = format!("{BINARY} render --diff");
    let shown = |variables: &[(&str, &str)]| {
        run_with(&script, &["-qec", &command, "/dev/null"], b"", dir.path(), variables).stdout
    };
    assert!(shown(&[]).contains("\u{1b}[32m+  annotations:"), "{}", shown(&[]));
    assert!(!shown(&[("NO_COLOR", "1")]).contains("\u{1b}["));
}
