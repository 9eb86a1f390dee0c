//! `rhoso-fn check`: its formats, exit codes, selection of rules and ignores.

mod deployments;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::host::{BINARY, Ended, run};

fn pool(name: &str, range: &str) -> String {
    format!(
        "apiVersion: metallb.io/v1beta1\nkind: IPAddressPool\nmetadata:\n  name: {name}\nspec:\n  addresses:\n  - {range}\n"
    )
}

/// Two overlapping pools in two files.
fn overlapping() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.yaml"), pool("ctlplane", "192.168.122.80-192.168.122.90")).unwrap();
    fs::write(dir.path().join("b.yaml"), pool("internalapi", "192.168.122.90-192.168.122.99")).unwrap();
    dir
}

fn check(args: &[&str], stdin: &str, dir: &Path) -> Ended {
    run(BINARY, &[&["check"], args].concat(), stdin.as_bytes(), dir)
}

#[test]
fn text_shows_both_parties_and_counts() {
    let dir = overlapping();
    let ended = check(&[], "", dir.path());
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(1), ""));
    for part in [
        "error[pool-overlap]: ",
        "--> ./b.yaml:7:5",
        "192.168.122.90-192.168.122.99",
        "::: ./a.yaml:7:5",
        "= help: change one of them\n",
        "Found 1 error and 0 warnings: checked 2 resources in 2 files.\n",
        "`rhoso-fn explain pool-overlap`",
    ] {
        assert!(ended.stdout.contains(part), "{part}: {}", ended.stdout);
    }
    assert!(!ended.stdout.contains('\x1b'), "{}", ended.stdout);
    let colored = check(&["--color", "always"], "", dir.path());
    assert!(colored.stdout.contains('\x1b'), "{}", colored.stdout);
}

#[test]
fn a_range_that_metallb_cannot_parse_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    for (range, rule) in [("192.168.122.90-192.168.122.80", "bad-address"), ("[]", "wrong-type")] {
        let ended = check(&["--format", "github", "-"], &pool("x", range), dir.path());
        let start = format!("::error file=stdin,line=7,col=5,title={rule}::");
        assert!(ended.code == Some(1) && ended.stdout.starts_with(&start), "{}", ended.stdout);
    }
}

#[test]
fn an_object_that_exists_twice_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    let config_map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";
    let ended = check(&["-"], &format!("{config_map}---\n{config_map}"), dir.path());
    assert_eq!(ended.code, Some(1));
    assert!(ended.stdout.contains("error[duplicate-object]"), "{}", ended.stdout);
    assert_eq!(check(&["--ignore", "duplicate-object", "-"], config_map, dir.path()).code, Some(0));
}

#[test]
fn a_duplicate_key_does_not_hide_other_documents() {
    let dir = tempfile::tempdir().unwrap();
    let twice = "kind: A\nmetadata: {name: x}\ndata:\n  a: '{{ b }}'\n  a: c\n";
    let both = format!("{twice}---\n{}", pool("x", "none"));
    let ended = check(&["--format", "github", "-"], &both, dir.path());
    assert_eq!((ended.code, ended.stdout.lines().count()), (Some(1), 2), "{}", ended.stdout);
    assert!(ended.stdout.contains("line=5,col=3,title=duplicate-key::"), "{}", ended.stdout);
    assert_eq!(check(&["--ignore", "duplicate-key", "-"], twice, dir.path()).code, Some(0));
    assert_eq!(check(&["-"], "a: [\n", dir.path()).code, Some(2), "what is not YAML cannot be checked");
}

#[test]
fn no_report_shows_a_credential() {
    let dir = tempfile::tempdir().unwrap();
    let config_map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {rhsm_password: hunter2}\n";
    let secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: b}\nstringData: {a: hunter2, a: CHANGEME}\n";
    for format in ["text", "json", "sarif", "github"] {
        let both = format!("{config_map}---\n{secret}");
        let ended = check(&["--format", format, "-"], &both, dir.path());
        for rule in ["plain-credential", "duplicate-key", "placeholder"] {
            assert!(ended.stdout.contains(rule), "{rule}: {}", ended.stdout);
        }
        assert!(!ended.stdout.contains("hunter2"), "{}", ended.stdout);
    }
}

#[test]
fn clean_manifests_succeed() {
    let dir = tempfile::tempdir().unwrap();
    let ended = check(&["-"], &pool("x", "192.168.122.80-192.168.122.90"), dir.path());
    let clean = "No problems found: checked 1 resource in 1 file.\n";
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), clean));
}

#[test]
fn json_and_github_have_file_line_and_column() {
    let dir = overlapping();
    let ended = check(&["--format", "json"], "", dir.path());
    let report: Value = serde_json::from_str(&ended.stdout).unwrap();
    let finding = &report["findings"][0];
    assert_eq!((&finding["rule"], &finding["file"]), (&json!("pool-overlap"), &json!("./b.yaml")));
    assert_eq!((&finding["line"], &finding["column"]), (&json!(7), &json!(5)));
    assert_eq!(finding["related"][0]["file"], json!("./a.yaml"));
    let ended = check(&["--format", "github"], "", dir.path());
    assert!(
        ended.stdout.starts_with("::error file=b.yaml,line=7,col=5,title=pool-overlap::"),
        "{}",
        ended.stdout
    );
}

#[test]
fn sarif_has_rules_regions_and_related_locations() {
    let dir = overlapping();
    let ended = check(&["--format", "sarif", "-o", "out.sarif"], "", dir.path());
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(1), ""));
    let log: Value =
        serde_json::from_str(&fs::read_to_string(dir.path().join("out.sarif")).unwrap()).unwrap();
    assert_eq!(log["version"], json!("2.1.0"));
    let run = &log["runs"][0];
    let result = &run["results"][0];
    assert_eq!((&result["ruleId"], &result["level"]), (&json!("pool-overlap"), &json!("error")));
    let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
    assert_eq!(rule["id"], json!("pool-overlap"));
    assert!(rule["help"]["text"].as_str().unwrap().contains("MetalLB"), "{rule}");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], json!("b.yaml"));
    let region = json!({"startLine": 7, "startColumn": 5, "endLine": 7, "endColumn": 34});
    assert_eq!(place["region"], region);
    let related = &result["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!(*related, json!("a.yaml"));
}

#[test]
fn rules_are_selected_and_ignored_by_name_and_group() {
    let dir = overlapping();
    for args in [&["--ignore", "pool-overlap"][..], &["--ignore", "metallb"], &["--select", "unused-ignore"]]
    {
        assert_eq!(check(args, "", dir.path()).code, Some(0), "{args:?}");
    }
    for args in [&["--select", "pool-overlap"][..], &["--select", "metallb,objects"], &["--select", "all"]] {
        assert_eq!(check(args, "", dir.path()).code, Some(1), "{args:?}");
    }
    let ended = check(&["--select", "pool-overlp"], "", dir.path());
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
    assert!(ended.stderr.contains("did you mean \"pool-overlap\"?"), "{}", ended.stderr);
}

#[test]
fn an_ignore_with_a_reason_counts_at_either_place() {
    let dir = overlapping();
    let with_comment = |reason: &str| {
        let range = format!("192.168.122.80-192.168.122.90 # rhoso-fn: ignore[pool-overlap]{reason}");
        fs::write(dir.path().join("a.yaml"), pool("ctlplane", &range)).unwrap();
    };
    with_comment(" moved next week");
    assert_eq!(check(&["--strict"], "", dir.path()).code, Some(0));
    with_comment("");
    let ended = check(&[], "", dir.path());
    assert!(
        ended.stdout.contains("warning[unused-ignore]: this ignore of \"pool-overlap\" has no reason"),
        "{}",
        ended.stdout
    );
    assert_eq!(ended.code, Some(1));
    with_comment(" moved next week");
    fs::remove_file(dir.path().join("b.yaml")).unwrap();
    let ended = check(&[], "", dir.path());
    assert!(ended.stdout.contains("./a.yaml:7:"), "{}", ended.stdout);
    for part in ["nothing here violates \"pool-overlap\"\n", "= help: remove this ignore\n"] {
        assert!(ended.stdout.contains(part), "{}", ended.stdout);
    }
    assert_eq!(ended.code, Some(0));
    assert_eq!(check(&["--strict"], "", dir.path()).code, Some(1));
}

#[test]
fn files_that_are_not_manifests_are_skipped_with_a_note() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("values.yaml"), "replicas: 1\n").unwrap();
    fs::write(dir.path().join("template.yaml"), "kind: A\nname: {{ .Values.name }}\n").unwrap();
    fs::write(dir.path().join("a.yaml"), "kind: A\nspec: '{{ in a string }}'\n").unwrap();
    fs::write(dir.path().join("data.json"), "{\"a\": [}\n").unwrap();
    fs::write(dir.path().join("01-assert-gone.yaml"), "kind: B\nmetadata: {name: b, name: b}\n").unwrap();
    let ended = check(&["--strict"], "", dir.path());
    assert_eq!(ended.code, Some(0), "{}", ended.stdout);
    for file in ["values.yaml", "template.yaml", "data.json", "01-assert-gone.yaml"] {
        assert!(ended.stdout.contains(file), "{}", ended.stdout);
    }
    assert_eq!(ended.stdout.matches("skipped: ").count(), 4, "{}", ended.stdout);
    let summary = "\n\nNo problems found: checked 1 resource in 2 files, skipped 4 documents.\n";
    assert!(ended.stdout.ends_with(summary), "{}", ended.stdout);
    // What the user names is read.
    assert_eq!(check(&["data.json"], "", dir.path()).code, Some(2));
    assert_eq!(check(&["01-assert-gone.yaml"], "", dir.path()).code, Some(1));
    // Broken manifests are not skipped, and neither are objects with similar names.
    fs::write(dir.path().join("data.json"), "{\"apiVersion\": \"v1\", \"a\": [}\n").unwrap();
    assert_eq!(check(&[], "", dir.path()).code, Some(2));
    fs::remove_file(dir.path().join("data.json")).unwrap();
    fs::write(dir.path().join("assert-1.yaml"), "kind: B\nmetadata: {name: b, name: b}\n").unwrap();
    assert_eq!(check(&[], "", dir.path()).code, Some(1));
}

#[test]
fn a_string_that_only_go_yaml_reads_is_a_warning() {
    let pool = "apiVersion: metallb.io/v1beta1\nkind: IPAddressPool\nmetadata:\n  name: a\n  annotations:\n    \
                note: 'two\n    lines'\nspec:\n  addresses: [10.0.0.9-10.0.0.1]\n";
    let ended = check(&["-"], pool, Path::new("."));
    assert_eq!(ended.code, Some(1), "{}", ended.stdout);
    assert!(
        ended.stdout.contains("warning[yaml]: a quoted string continues on this line"),
        "{}",
        ended.stdout
    );
    assert!(ended.stdout.contains(" --> stdin:7:1\n"), "{}", ended.stdout);
    assert!(ended.stdout.contains(" --> stdin:9:"), "{}", ended.stdout);
    let broken = check(&["-"], &pool.replace("10.0.0.1]", "10.0.0.1"), Path::new("."));
    assert_eq!(broken.code, Some(2), "{}", broken.stdout);
}

#[test]
fn the_objects_of_a_list_are_read_if_they_are_complete() {
    let list = |entry: &str| format!("apiVersion: v1\nkind: List\nitems:\n- {entry}\n- {{kind: B}}\n");
    let read = check(&["-"], &list("{kind: A, data: &a {}}"), Path::new("."));
    assert!(read.stdout.contains("No problems found: checked 2 resources"), "{}", read.stdout);
    let unread = list("{kind: A, data: &a {}}").replace("B", "B, data: *a");
    for text in [list("no object"), list("{name: a}"), unread] {
        let ended = check(&["-"], &text, Path::new("."));
        assert_eq!(ended.code, Some(0), "{}", ended.stdout);
        assert!(ended.stdout.contains("warning[unread-list]: the objects inside a List"), "{}", ended.stdout);
    }
}

#[test]
fn findings_inside_a_list_have_their_line_and_column() {
    let block = "apiVersion: v1\nkind: List\nitems:\n- kind: ConfigMap\n  apiVersion: v1\n  metadata:\n    name: a\n\
                 -   {apiVersion: v1, kind: ConfigMap, metadata: {name: b}}\n";
    let json = r#"{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "ConfigMap", "metadata":
  {"name": "a"}}, {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "b"}}]}"#;
    let ended = check(&["--format", "json", "-"], &format!("{block}---\n{json}\n"), Path::new("."));
    let report: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    let places: Vec<String> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|found| {
            let other = &found["related"][0];
            format!("{} {}:{} {}", found["rule"], found["line"], found["column"], other["line"])
        })
        .collect();
    assert_eq!(places, [r#""duplicate-object" 11:4 7"#, r#""duplicate-object" 11:74 8"#]);
}

#[test]
fn a_comment_above_an_object_of_a_list_is_read() {
    let comment = "# rhoso-fn: ignore[wrong-type] x\n";
    let list = format!(
        "kind: List\napiVersion: v1\nitems:\n{comment}- {{kind: A}}\n- {{kind: B}}\n  {comment}- kind: C\n"
    );
    let ended = check(&["-"], &list, Path::new("."));
    assert_eq!(ended.stdout.matches("warning[unused-ignore]").count(), 2, "{}", ended.stdout);
    for line in ["stdin:4:1", "stdin:7:3"] {
        assert!(ended.stdout.contains(line), "{}", ended.stdout);
    }
}

#[cfg(unix)]
#[test]
fn a_link_without_a_target_is_skipped_unless_it_is_named() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("pool.yaml"), pool("a", "192.168.122.70/32")).unwrap();
    for name in ["link.yaml", "kustomization.yaml"] {
        std::os::unix::fs::symlink("missing.yaml", dir.path().join(name)).unwrap();
    }
    let ended = check(&["--strict"], "", dir.path());
    assert_eq!(ended.code, Some(0), "{}", ended.stdout);
    let note = "skipped: a symbolic link to a file that does not exist";
    assert_eq!(ended.stdout.matches(note).count(), 2, "{}", ended.stdout);
    assert_eq!(check(&["link.yaml"], "", dir.path()).code, Some(2));
}

#[test]
fn unreadable_input_has_exit_code_2() {
    let dir = overlapping();
    assert_eq!(check(&["missing.yaml"], "", dir.path()).code, Some(2));
    let empty = tempfile::tempdir().unwrap();
    for (args, stdin, message) in [
        (&["-"][..], "\n", "stdin is empty"),
        (&[], "", "no YAML or JSON files in ."),
        (&["built.yaml"], "", "built.yaml is empty, and there is nothing else to read"),
    ] {
        if args == ["built.yaml"] {
            fs::write(empty.path().join("built.yaml"), "\n").unwrap();
        }
        let ended = check(args, stdin, empty.path());
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{message}");
        assert_eq!(ended.stderr, format!("rhoso-fn: error: {message}\n"));
    }
    for args in [&["--format", "xml"][..], &["--color", "sometimes"], &["--no-such-option"]] {
        assert_eq!(check(args, "", dir.path()).code, Some(2), "{args:?}");
    }
    let ended = check(&["-"], "a: [\n", dir.path());
    assert_eq!(ended.code, Some(2));
    assert!(ended.stdout.contains("stdin"), "{}", ended.stdout);
}

#[test]
fn a_report_that_cannot_be_written_has_exit_code_2() {
    let dir = overlapping();
    for (path, reason) in [
        ("missing/out.sarif", "the directory missing does not exist"),
        ("a.yaml/out.sarif", "Not a directory"),
        (".", "Is a directory"),
    ] {
        let ended = check(&["-o", path], "", dir.path());
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{path}");
        assert_eq!(ended.stderr, format!("rhoso-fn: error: cannot write {path}: {reason}\n"));
    }
}

#[test]
fn a_report_replaces_only_a_report() {
    let dir = overlapping();
    let text = fs::read_to_string(dir.path().join("a.yaml")).unwrap();
    for paths in [".", "a.yaml"] {
        let ended = check(&["-o", "a.yaml", paths], "", dir.path());
        assert_eq!(ended.code, Some(2), "{}", ended.stderr);
        assert!(
            ended.stderr.contains("cannot write a.yaml: the file contains manifests"),
            "{}",
            ended.stderr
        );
        assert_eq!(fs::read_to_string(dir.path().join("a.yaml")).unwrap(), text);
    }
    // In a directory that is checked, an earlier report is not a manifest.
    let again = || check(&["--format", "json", "-o", "report.json", "."], "", dir.path());
    let first = again();
    assert_eq!((first.code, again().stderr), (Some(1), first.stderr));
}

#[test]
fn a_terminal_does_not_interpret_the_name_of_a_file() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("e\u{1b}[2Jvil.yaml"), pool("x", "[]")).unwrap();
    let ended = check(&[], "", dir.path());
    assert!(ended.stdout.contains("./e\\u{1b}[2Jvil.yaml:7:5"), "{:?}", ended.stdout);
    assert!(!ended.stdout.contains('\x1b'), "{:?}", ended.stdout);
}
