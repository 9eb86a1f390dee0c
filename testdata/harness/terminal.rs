//! The output on stdout and stderr, and the behaviour if one of them is closed or full.

use std::fs;
use std::process::Stdio;

use crate::host::{BINARY, Ended, command, expect, root, run, run_with};

const LIST: &str = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- kind: A\nfunctionConfig: {apiVersion: fn.rhoso.dev/v1alpha1, kind: SetSyncWaves, metadata: {name: x}, spec: {}}\n";

const COMMANDS: [&[&str]; 17] = [
    &["list"],
    &["list", "-o", "json"],
    &["rules"],
    &["version"],
    &["render", "--help"],
    &["explain", "pool-overlap"],
    &["completions", "zsh"],
    &["man"],
    &["init", "GenerateInstances"],
    &["render", "--diff", "functions/inject-gpu-alias/example"],
    &["map", "examples/ci/clean"],
    &["check", "examples/ci/clean"],
    &["--help"],
    &["--version"],
    &["explain", "gpu"],
    &["schema", "InjectGpuAlias"],
    &["render", "functions/inject-gpu-alias/example"],
];

/// Runs the binary with the given stdout.
fn with_stdout(args: &[&str], stdin: &str, stdout: impl Into<Stdio>) -> Ended {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("in"), stdin).unwrap();
    let output = command(BINARY.as_ref(), root())
        .args(args)
        .stdin(fs::File::open(dir.path().join("in")).unwrap())
        .stdout(stdout)
        .stderr(Stdio::piped())
        .spawn()
        .and_then(|child| child.wait_with_output())
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let status = output.status;
    Ended { success: status.success(), code: status.code(), stdout: String::new(), stderr }
}

#[test]
fn every_failing_write_is_an_error() {
    for args in COMMANDS.into_iter().chain([&[][..]]) {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let ended = with_stdout(args, LIST, full);
        assert!(!ended.success, "{args:?}");
        assert!(
            ended.stderr.contains("rhoso-fn: error: cannot write to stdout: "),
            "{args:?} {}",
            ended.stderr
        );
        let file = tempfile::tempfile().unwrap();
        assert!(with_stdout(args, LIST, file).success, "{args:?}");
    }
}

#[test]
fn a_reader_that_goes_away_ends_a_command_quietly() {
    let closed = || {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        writer
    };
    for args in COMMANDS {
        let ended = with_stdout(args, "", closed());
        assert!(ended.success && ended.stderr.is_empty(), "{args:?} {}", ended.stderr);
    }
    // A host could mistake a partial list for the whole list.
    let ended = with_stdout(&[], LIST, closed());
    assert!(
        !ended.success && ended.stderr.contains("cannot write to stdout: Broken pipe"),
        "{}",
        ended.stderr
    );
}

/// Whether a terminal would interpret the text instead of printing it.
fn is_raw(text: &str) -> bool {
    text.contains(|c: char| c != '\n' && (c.is_control() || ('\u{200b}'..='\u{206f}').contains(&c)))
}

#[test]
fn nothing_of_the_users_is_obeyed_by_a_terminal() {
    let evil = "e\u{1b}[2Jv\u{202e}i\u{9b}l";
    let shown = "e\\u{1b}[2Jv\\u{202e}i\\u{9b}l";
    let dir = tempfile::tempdir().unwrap();
    let file = format!("{evil}.yaml");
    fs::write(dir.path().join(&file), "kind: A\nkind: B\n").unwrap();
    // Line breaks in user input do not start new lines.
    let broken = &format!("a\nb {evil}");
    let config = &format!(
        "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nfunctionConfig: {{apiVersion: fn.rhoso.dev/v1alpha1, kind: \"K\\n\\e[1m\\u202E\", metadata: {{name: \"{}\"}}}}\n",
        "a\\u2066\\nb"
    );
    for (args, stdin, lines) in [
        (vec!["render", "."], "", 1),
        (vec!["render", broken], "", 1),
        (vec!["render", ".", "-o", broken], "", 1),
        (vec!["explain", broken], "", 1),
        (vec!["explain", "gpu", broken], "", 1),
        (vec!["explain", &format!("InjectGpuAlias.{broken}")], "", 1),
        (vec!["schema", broken], "", 1),
        (vec!["install", broken], "", 1),
        (vec!["import", broken], "", 1),
        (vec!["new-secrets", "-n", broken], "", 1),
        (vec!["new-secrets", "-o", &format!("{broken}/x")], "", 1),
        (vec![broken], "", 5),
        (vec!["list", &format!("--{broken}")], "", 5),
        (vec![], config, 1),
    ] {
        let ended = run(BINARY, &args, stdin.as_bytes(), dir.path());
        assert!(!ended.success, "{args:?}");
        assert!(!is_raw(&ended.stderr), "{args:?} {:?}", ended.stderr);
        assert!(ended.stderr.lines().count() <= lines, "{args:?} {}", ended.stderr);
        let what = if stdin.is_empty() { shown } else { "a\\u{2066}\\nb" };
        assert!(ended.stderr.contains(what), "{args:?} {}", ended.stderr);
    }
    // File names on stdout are for people, so they are escaped. The contents of files are data.
    fs::write(dir.path().join(&file), "kind: A\n# \u{202e}\n").unwrap();
    let written = expect(BINARY, &["render", &file, "-o", "out"], b"", dir.path());
    assert_eq!(written.stdout, format!("out/{shown}.yaml\n"));
    assert!(expect(BINARY, &["render", &file], b"", dir.path()).stdout.contains('\u{202e}'));
    let secrets = expect(BINARY, &["new-secrets", "-o", evil], b"", dir.path());
    assert_eq!(secrets.stdout, format!("{shown}\n"));
}

/// Child processes of a plugin inherit the variable.
#[test]
fn a_variable_alone_makes_no_plugin_call() {
    let config = "apiVersion: fn.rhoso.dev/v1alpha1\nkind: SetSyncWaves\nmetadata: {name: x}\nspec: {}\n";
    let variables = [("KUSTOMIZE_PLUGIN_CONFIG_STRING", config), ("KUSTOMIZE_PLUGIN_CONFIG_ROOT", "/")];
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("config.yaml"), config).unwrap();
    fs::write(dir.path().join("list"), config).unwrap();
    let call = |args: &[&str], stdin: &str| run_with(BINARY, args, stdin.as_bytes(), dir.path(), &variables);
    for args in [&["list"][..], &["--help"], &["schema", "SetSyncWaves"], &["explain", "SetSyncWaves"]] {
        let ended = call(args, "");
        assert!(ended.success, "{args:?} {}", ended.stderr);
        assert_eq!(ended.stdout, expect(BINARY, args, b"", dir.path()).stdout);
    }
    assert!(call(&["lst"], "").stderr.contains("'list'"), "{}", call(&["lst"], "").stderr);
    assert!(call(&[], LIST).stdout.contains("kind: ResourceList"));
    let namespace = "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: n\n";
    let absolute = dir.path().join("config.yaml");
    for path in ["config.yaml", "./config.yaml", absolute.to_str().unwrap()] {
        let ended = call(&[path, "--flag", "b"], namespace);
        assert!(
            ended.success && ended.stdout.starts_with("apiVersion: v1\nkind: Namespace\n"),
            "{}",
            ended.stderr
        );
    }
    assert!(call(&["/nowhere"], "").stderr.contains("cannot read /nowhere"));
}
