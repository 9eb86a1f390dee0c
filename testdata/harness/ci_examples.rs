//! The commands in `examples/ci` and in the hooks for pre-commit accept the clean package and reject the defective one.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::host::{BINARY, Ended, expect, kustomize, root, run, run_with};
use crate::stories::copy;

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap()
}

/// The commands of a file that run `check`, one per line, without the keys and list markers before them.
fn commands(file: &str) -> Vec<String> {
    let text = read(file);
    let lines = text.lines().map(|line| line.trim_start_matches([' ', '-', '$']));
    let commands = lines.map(|line| line.strip_prefix("run: ").unwrap_or(line).to_owned());
    commands
        .filter(|line| ["rhoso-fn check", "kustomize build"].iter().any(|it| line.starts_with(it)))
        .collect()
}

/// A directory with a package below the name that the examples use.
fn directory(package: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    copy(&root().join("examples/ci").join(package), &dir.path().join("manifests"));
    dir
}

/// Runs a command the way CI systems do. None if it needs kustomize, which is missing.
fn shell(command: &str, cwd: &Path) -> Option<Ended> {
    let mut path = format!("{}:{}", Path::new(BINARY).parent()?.display(), std::env::var("PATH").unwrap());
    if command.contains("kustomize") {
        path = format!("{}:{path}", kustomize()?.parent()?.display());
    }
    Some(run_with("bash", &["-eo", "pipefail", "-c", command], b"", cwd, &[("PATH", path.as_str())]))
}

#[test]
fn jobs_accept_the_clean_package_and_reject_the_defective_one() {
    let jobs = [("github-workflow.yaml", "rhoso-fn.sarif", 2), ("gitlab-ci.yml", "rhoso-fn.json", 3)];
    for (file, report, count) in jobs {
        let commands = commands(&format!("examples/ci/{file}"));
        assert_eq!(commands.len(), count, "{file}: {commands:?}");
        for (package, code) in [("clean", 0), ("defective", 1)] {
            let dir = directory(package);
            for command in &commands {
                let Some(ended) = shell(command, dir.path()) else { continue };
                // The report comes first, and the log afterwards.
                let expected = if command.contains("||") { 0 } else { code };
                assert_eq!(ended.code, Some(expected), "{file}: {command}\n{}{}", ended.stdout, ended.stderr);
            }
            let report = fs::read_to_string(dir.path().join(report)).unwrap();
            let report: Value = serde_json::from_str(&report).unwrap();
            let findings = report.pointer("/runs/0/results").unwrap_or(&report["findings"]);
            assert_eq!(findings.as_array().unwrap().len(), code as usize, "{file}: {package}: {findings}");
        }
    }
}

/// A failed `kustomize build` gives `check` no input.
#[test]
fn a_package_that_cannot_be_built_is_not_a_success() {
    let dir = tempfile::tempdir().unwrap();
    let Some(ended) = shell("set +o pipefail; kustomize build . | rhoso-fn check -", dir.path()) else {
        return;
    };
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
}

/// The lines of a file that compare two revisions.
fn comparison(file: &str) -> String {
    let text = read(file);
    let (_, rest) = text.split_once("git worktree add").unwrap();
    let lines: Vec<&str> = rest.lines().take(3).map(str::trim).collect();
    format!("git worktree add {}", lines.join("\n"))
}

/// The workflow writes a summary, and the README prints it.
#[test]
fn two_revisions_are_compared() {
    let dir = tempfile::tempdir().unwrap();
    let clone = dir.path().join("clone");
    copy(&root().join("examples/ci/clean"), &clone.join("manifests"));
    let setup = "git init -q -b main . && git add . && git -c user.name=a -c user.email=a@example.com commit -qm a \
                 && git update-ref refs/remotes/origin/main HEAD && sed -i 's/name: /name: new-/' manifests/pools.yaml";
    expect("bash", &["-ec", setup], b"", &clone);
    for file in ["examples/ci/README.md", "examples/ci/github-workflow.yaml"] {
        let script =
            format!("export GITHUB_BASE_REF=main GITHUB_STEP_SUMMARY=../summary\n{}", comparison(file));
        let Some(ended) = shell(&format!("{script} # kustomize"), &clone) else { return };
        let is_workflow = file.ends_with(".yaml");
        assert_eq!(ended.code, Some(i32::from(!is_workflow)), "{file}: {}", ended.stderr);
        let written = fs::read_to_string(dir.path().join("summary")).unwrap_or_default();
        let report = if is_workflow { written } else { ended.stdout };
        assert!(
            report.contains("➕ IPAddressPool") && report.contains("➖ IPAddressPool"),
            "{file}: {report}"
        );
        expect("git", &["worktree", "remove", "../base"], b"", &clone);
    }
}

#[test]
fn hooks_for_pre_commit_run() {
    let (hooks, config) = (read(".pre-commit-hooks.yaml"), read("examples/ci/.pre-commit-config.yaml"));
    let values = |text: &str, key: &str| -> Vec<String> {
        let lines = text.lines().map(|line| line.trim_start_matches([' ', '-']));
        lines.filter_map(|line| line.strip_prefix(key)).map(str::to_owned).collect()
    };
    let id = config.split_once("id: ").unwrap().1.split(' ').next().unwrap().to_owned();
    assert!(values(&hooks, "id: ").contains(&id), "{hooks}");
    let args = values(&config, "args: ")[0].trim_matches(['[', ']']).to_owned();
    for entry in values(&hooks, "entry: ") {
        for (package, code) in [("clean", 0), ("defective", 1)] {
            let ended = shell(&format!("{entry} {args}"), directory(package).path()).unwrap();
            assert_eq!(ended.code, Some(code), "{}{}", ended.stdout, ended.stderr);
        }
    }
}

/// The Job reads a volume, in which files are links into a hidden directory.
#[test]
fn the_hook_of_argo_cd_checks_its_config_map() {
    let job = read("examples/ci/argocd/job.yaml");
    let (_, args) = job.split_once("args: [").unwrap();
    let args: Vec<&str> = args.split_once(']').unwrap().0.split(", ").collect();
    for (package, code) in [("clean", 0), ("defective", 1)] {
        let volume = tempfile::tempdir().unwrap();
        let data = volume.path().join("..data");
        copy(&root().join("examples/ci").join(package), &data);
        for file in ["advertisements.yaml", "pools.yaml"] {
            std::os::unix::fs::symlink(Path::new("..data").join(file), volume.path().join(file)).unwrap();
        }
        let path = volume.path().to_str().unwrap();
        let args: Vec<&str> = args.iter().map(|arg| if *arg == "/manifests" { path } else { arg }).collect();
        let ended = run(BINARY, &args, b"", root());
        assert_eq!(ended.code, Some(code), "{}{}", ended.stdout, ended.stderr);
        assert!(ended.stdout.contains("checked 3 resources in 2 files"), "{}", ended.stdout);
    }
}

#[test]
fn the_hook_of_argo_cd_gets_the_generated_name() {
    let Some(kustomize) = kustomize() else { return };
    let dir = directory("clean");
    copy(&root().join("examples/ci/argocd"), &dir.path().join("manifests"));
    let built = expect(kustomize, &["build", "manifests"], b"", dir.path()).stdout;
    let names = built.lines().filter(|line| line.trim_start().starts_with("name: rhoso-fn-check-"));
    let names: Vec<&str> = names.map(str::trim).collect();
    assert!(names.len() == 2 && names[0] == names[1], "{names:?}");
}
