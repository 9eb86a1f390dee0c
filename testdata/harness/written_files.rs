//! `render -o`, `install` and `new-secrets -o` write either all files or none.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use crate::host::{BINARY, Ended, expect, files_below, run};

const SECRET: &str = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\nstringData: {a: b}\n";
const OBJECT: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n";
const STALE: &str = ".rhoso-fn-0123456789abcdef.tmp";

/// A temporary directory that contains a directory of manifests.
fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join("in/sub")).unwrap();
    fs::write(dir.path().join("in/a.yaml"), OBJECT).unwrap();
    fs::write(dir.path().join("in/sub/s.yaml"), SECRET).unwrap();
    dir
}

/// Runs a command in a shell that first runs a setup command.
fn prepared(setup: &str, args: &str, dir: &Path) -> Ended {
    run("sh", &["-c", &format!("{setup}; exec {BINARY} {args}")], b"", dir)
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn names(dir: &Path) -> Vec<String> {
    let below = |path: &Path| path.strip_prefix(dir).unwrap().display().to_string();
    files_below(dir).iter().map(|path| below(path)).collect()
}

/// A file size limit of 0, which acts like a full disk.
const FULL: &str = "trap '' XFSZ; ulimit -f 0";

#[test]
fn a_full_disk_leaves_no_files() {
    let dir = folder();
    fs::create_dir(dir.path().join("out")).unwrap();
    fs::write(dir.path().join("out/a.yaml"), "kind: Old\n").unwrap();
    let before = names(dir.path());
    for args in [
        "render in -o out",
        "render in -o new/below",
        "new-secrets -o values.env",
        "install out",
        "install --plugin-home out",
    ] {
        let ended = prepared(FULL, args, dir.path());
        assert!(!ended.success && ended.stdout.is_empty(), "{args}");
        assert!(
            ended.stderr.contains("cannot write ") && ended.stderr.contains(": File too large"),
            "{args}: {}",
            ended.stderr
        );
        assert_eq!(names(dir.path()), before, "{args}");
        assert!(!dir.path().join("new").exists() && !dir.path().join("out/fn.rhoso.dev").exists(), "{args}");
    }
    assert_eq!(fs::read_to_string(dir.path().join("out/a.yaml")).unwrap(), "kind: Old\n");
}

#[test]
fn secrets_are_for_their_owner_and_files_keep_their_mode() {
    let dir = folder();
    let out = dir.path().join("out");
    let list = "apiVersion: v1\nkind: List\nitems:\n- kind: Secret\n";
    fs::write(dir.path().join("in/list.yaml"), list).unwrap();
    prepared("umask 022", "render in -o out", dir.path());
    let modes = || [mode(&out.join("a.yaml")), mode(&out.join("list.yaml")), mode(&out.join("sub/s.yaml"))];
    assert_eq!(modes(), [0o644, 0o600, 0o600]);
    // Existing files keep their mode, regardless of the umask.
    for name in ["a.yaml", "list.yaml", "sub/s.yaml"] {
        fs::write(out.join(name), "kind: Old\n").unwrap();
        fs::set_permissions(out.join(name), fs::Permissions::from_mode(0o640)).unwrap();
    }
    prepared("umask 077", "render in -o out", dir.path());
    assert_eq!(modes(), [0o640; 3]);
    assert_eq!(fs::read_to_string(out.join("a.yaml")).unwrap(), OBJECT);
}

#[test]
fn links_in_the_output_directory_are_not_followed() {
    let dir = folder();
    let at = |name: &str| dir.path().join(name);
    for name in ["out", "out2", "elsewhere", "real"] {
        fs::create_dir(at(name)).unwrap();
    }
    fs::write(at("elsewhere/a.yaml"), "kind: Mine\n").unwrap();
    symlink("../elsewhere/a.yaml", at("out/a.yaml")).unwrap();
    symlink("../elsewhere", at("out2/sub")).unwrap();
    symlink("../elsewhere/a.yaml", at("elsewhere/rhoso-fn")).unwrap();
    let before = names(dir.path());
    for (args, message) in [
        (vec!["render", "in", "-o", "out"], "cannot write out/a.yaml: it is a symbolic link"),
        (vec!["render", "in", "-o", "out2"], "cannot write out2/sub/s.yaml: out2/sub is a symbolic link"),
        (vec!["install", "elsewhere"], "cannot write elsewhere/rhoso-fn: it is a symbolic link"),
        (vec!["new-secrets", "-o", "out/a.yaml"], "cannot write out/a.yaml: the file already exists"),
    ] {
        let ended = run(BINARY, &args, b"", dir.path());
        assert!(!ended.success && ended.stderr.contains(message), "{args:?}: {}", ended.stderr);
        assert_eq!(names(dir.path()), before);
        assert_eq!(fs::read_to_string(at("elsewhere/a.yaml")).unwrap(), "kind: Mine\n");
    }
    // The directory on the command line may be a symbolic link.
    symlink("real", at("named")).unwrap();
    assert_eq!(
        expect(BINARY, &["render", "in", "-o", "named"], b"", dir.path()).stdout,
        "named/a.yaml\nnamed/sub/s.yaml\n"
    );
    assert!(at("named").is_symlink() && at("real/sub/s.yaml").is_file());
    // A named pipe as the target does not block.
    expect("mkfifo", &["out2/a.yaml"], b"", dir.path());
    let ended = run(BINARY, &["render", "in/a.yaml", "-o", "out2"], b"", dir.path());
    assert!(ended.stderr.contains("cannot write out2/a.yaml: it is not a regular file"), "{}", ended.stderr);
}

#[test]
fn what_killed_runs_left_is_removed() {
    let dir = folder();
    let commands =
        ["render in -o out", "install out", "install --plugin-home out", "new-secrets -o out/values.env"];
    for args in commands {
        fs::create_dir_all(dir.path().join("out/sub")).unwrap();
        let live = dir.path().join("out/.rhoso-fn-00000000000000ff.tmp");
        let lock = fs::File::create(&live).unwrap();
        lock.lock().unwrap();
        let folder = if args.contains("plugin") { "out/fn.rhoso.dev/v1alpha1" } else { "out" };
        fs::create_dir_all(dir.path().join(folder)).unwrap();
        let stale = dir.path().join(folder).join(STALE);
        fs::write(&stale, SECRET).unwrap();
        let ended = prepared(":", args, dir.path());
        assert!(ended.success, "{args}: {}", ended.stderr);
        assert!(live.exists() && !stale.exists(), "{args}");
        // Even if there is nothing to write.
        fs::write(&stale, SECRET).unwrap();
        prepared(":", args, dir.path());
        assert!(!stale.exists(), "{args}");
    }
}

#[test]
fn a_name_may_have_255_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let name = "n".repeat(250) + ".yaml";
    fs::write(dir.path().join(&name), OBJECT).unwrap();
    assert_eq!(
        expect(BINARY, &["render", ".", "-o", "out"], b"", dir.path()).stdout,
        format!("out/{name}\n")
    );
    fs::write(dir.path().join("out").join(&name), "kind: Old\n").unwrap();
    assert_eq!(
        expect(BINARY, &["render", ".", "-o", "out"], b"", dir.path()).stdout,
        format!("out/{name}\n")
    );
    let values = "v".repeat(255);
    expect(BINARY, &["new-secrets", "--env", "-o", &values], b"", dir.path());
    assert_eq!(mode(&dir.path().join(&values)), 0o600);
}

#[test]
fn install_replaces_and_repeats() {
    let dir = tempfile::tempdir().unwrap();
    let args = ["install", "bin", "--plugin-home", "home"];
    let ended = run(BINARY, &args, b"", dir.path());
    assert_eq!(
        ended.stderr,
        "rhoso-fn: error: bin is not a directory; create it first, or mount a volume there\n"
    );
    fs::create_dir(dir.path().join("bin")).unwrap();
    fs::create_dir(dir.path().join("home")).unwrap();
    fs::write(dir.path().join("bin/rhoso-fn"), "old").unwrap();
    let first = expect(BINARY, &args, b"", dir.path()).stdout;
    assert!(
        first.starts_with("bin/rhoso-fn\nhome/fn.rhoso.dev/v1alpha1/assignnovacells/AssignNovaCells\n"),
        "{first}"
    );
    let link = dir.path().join("home/fn.rhoso.dev/v1alpha1/injectgpualias/InjectGpuAlias");
    assert_eq!(mode(&dir.path().join("bin/rhoso-fn")), 0o755);
    assert_eq!(fs::read(&link).unwrap().len(), fs::read(BINARY).unwrap().len());
    let before = names(dir.path());
    fs::remove_file(&link).unwrap();
    symlink("nowhere", &link).unwrap();
    assert_eq!(expect(BINARY, &args, b"", dir.path()).stdout, first);
    assert_eq!(names(dir.path()), before);
    assert_eq!(fs::read_link(&link).unwrap(), Path::new("../rhoso-fn"));
}
