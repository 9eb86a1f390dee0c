//! `import`: environment files of install_yamls become a functionConfig, and what collides is reported.
//!
//! Each directory of `testdata/import` is a case. `UPDATE=1` writes what the command prints.

mod upstream;

use std::fs;
use std::path::Path;

use rhoso_fn::formats::env::script;

use crate::host::{BINARY, Ended, assert_same, expect, root, run, tool_if_present};
use crate::stories::resources;

fn import(args: &[&str], directory: &Path) -> Ended {
    run(BINARY, &[&["import"], args].concat(), b"", directory)
}

/// The objects that a functionConfig generates.
fn rendered(config: &str) -> Ended {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("instances.yaml"), config).unwrap();
    run(BINARY, &["render", "instances.yaml"], b"", directory.path())
}

#[test]
fn cases_are_imported() {
    let mut cases = 0;
    for entry in fs::read_dir(root().join("testdata/import")).unwrap() {
        let directory = entry.unwrap().path();
        let mut files: Vec<String> = fs::read_dir(&directory)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".env"))
            .collect();
        files.sort();
        let ended = import(&files.iter().map(String::as_str).collect::<Vec<_>>(), &directory);
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        for (name, text) in [("expected.yaml", &ended.stdout), ("expected.txt", &ended.stderr)] {
            assert!(!text.contains("hunter2"), "{text}");
            let path = directory.join(name);
            if std::env::var_os("UPDATE").is_some() {
                fs::write(&path, text).unwrap();
            }
            let expected = fs::read_to_string(&path).unwrap_or_default();
            assert_same(&path.display().to_string(), &expected, text);
        }
        // A warning about the functionConfig is an error when it runs, and nothing else is.
        let refused = ended.stderr.contains("[wrong-value]") || ended.stdout.contains("nodes: []");
        let has_computes = ended.stdout.contains("computes:");
        if !has_computes {
            assert_eq!(rendered(&ended.stdout).success, !refused, "{}", rendered(&ended.stdout).stderr);
        }
        cases += 1;
    }
    assert!(cases > 5);
}

#[test]
fn files_that_cannot_be_read_are_a_usage_error() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("open.env"), "A=1\nPASSWORD='hunter2\n").unwrap();
    fs::write(directory.path().join("bytes.env"), b"A=\xff").unwrap();
    let ended = import(&["open.env", "bytes.env", "none.env"], directory.path());
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
    let lines: Vec<&str> = ended.stderr.lines().collect();
    assert_eq!(lines[0], "rhoso-fn: error: open.env:2: a quote or bracket is not closed");
    assert!(lines[1].starts_with("rhoso-fn: error: cannot read bytes.env: "), "{}", lines[1]);
    assert_eq!(lines[2], "rhoso-fn: error: cannot read none.env: No such file or directory");
    assert_eq!((lines.len(), import(&[], directory.path()).code), (3, Some(2)));
}

/// The default plan of two instances needs two lines, and has no collision.
#[test]
fn an_instance_needs_only_its_namespace() {
    let directory = tempfile::tempdir().unwrap();
    for name in ["openstack", "openstack2"] {
        fs::write(directory.path().join(name), format!("export NAMESPACE={name}\n")).unwrap();
    }
    let args = ["import", "--nodes", "worker-0,worker-1", "openstack", "openstack2"];
    let ended = expect(BINARY, &args, b"", directory.path());
    assert_eq!(ended.stderr, "");
    let objects = resources(&rendered(&ended.stdout).stdout);
    let policies = objects.keys().filter(|name| name.starts_with("NodeNetworkConfigurationPolicy "));
    assert_eq!(policies.count(), 2);
    assert!(objects.contains_key("IPAddressPool metallb-system/openstack2-internalapi"));
}

/// A real shell reads the same values.
#[test]
fn values_are_those_of_a_shell() {
    let Some(bash) = tool_if_present("bash") else { return };
    let text = r#"export A=1 B='x y' # comment
C="q\"$A ${B}z" D=a\ b\\c
E=${F:-${A}/"$B"}; G="one
two" && H=$A$A.$B
I="back\slash \$A \`x\`"
J=${E:=no}${K-y}${A:-z}${L=w}
M='it'"'"'s'
N=#x; O=x#y # z
P="$"$ Q=${A}_$A R=$'\x41'
S= T="" U=\
tail
V=${W:-'a  b' c} X="${W:-a  b}" Y=a=b
"#;
    let script = script::parse(text, |_| false).unwrap();
    let known: Vec<_> = script.variables.iter().filter(|variable| variable.value.is_ok()).collect();
    assert_eq!((known.len(), script.variables.len(), script.skipped), (20, 21, vec![]));
    let directory = tempfile::tempdir().unwrap();
    let prints = known.iter().map(|variable| format!("printf '%s\\0' \"${}\"\n", variable.name));
    let ended =
        expect(bash, &["-c", &(text.to_owned() + &prints.collect::<String>())], b"", directory.path());
    for (variable, expected) in known.iter().zip(ended.stdout.split('\0')) {
        assert_eq!(variable.value.as_deref(), Ok(expected), "{}", variable.name);
    }
}
