//! Argo CD's own kustomize runs the functions: its real repo server renders the examples from a Git repository.

use std::fs;
use std::path::Path;

use rhoso_fn::yaml::stream;
use serde_json::{Value, json};

use crate::host::{BINARY, command, expect, kustomize, root, tool};
use crate::judge::Judge;
use crate::stories::{assert_same_resources, copy, resources};

/// As `examples/argocd/native` sets it.
const BUILD_OPTIONS: &str = "--enable-alpha-plugins --enable-exec";

/// A Git repository with the examples in it, and what is changed in them.
pub fn repository(file: &str, from: &str, to: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    copy(&root().join("examples"), &dir.path().join("examples"));
    expect("git", &["init", "--quiet"], b"", dir.path());
    commit(dir.path(), file, from, to);
    dir
}

/// Changes a file of the repository. Returns the revision.
pub fn commit(repository: &Path, file: &str, from: &str, to: &str) -> String {
    let path = repository.join(file);
    let before = fs::read_to_string(&path).unwrap();
    let after = before.replacen(from, to, 1);
    assert!(from == to || before != after, "{file} has no {from:?}");
    fs::write(path, after).unwrap();
    let author = ["-c", "user.name=test", "-c", "user.email=test@example.com"];
    expect("git", &["add", "."], b"", repository);
    expect("git", &[&author[..], &["commit", "--quiet", "--message", "examples"]].concat(), b"", repository);
    expect("git", &["rev-parse", "HEAD"], b"", repository).stdout.trim().to_owned()
}

/// A program with Argo CD's repo server, with kustomize and the function where `examples/argocd/native` puts them.
pub fn server(program: &str, args: &[&str]) -> Option<(Judge, tempfile::TempDir)> {
    let program = tool(program)?;
    let bin = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(kustomize()?, bin.path().join("kustomize")).unwrap();
    std::os::unix::fs::symlink(BINARY, bin.path().join("rhoso-fn")).unwrap();
    let data = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap().keep();
    let mut server = command(program.as_os_str(), root());
    server
        .args(["--data", data.to_str().unwrap()])
        .args(args)
        // kubectl's code writes a cache to it.
        .env("HOME", &data)
        .env("PATH", format!("{}:/usr/bin:/bin", bin.path().display()));
    Some((Judge::run(server), bin))
}

fn repo_server() -> Option<(Judge, tempfile::TempDir)> {
    server("argocd-repo-judge", &[])
}

fn render(server: &mut Judge, repository: &Path, application: &str) -> Result<Vec<Value>, String> {
    let question = json!({"repository": repository, "path": application, "buildOptions": BUILD_OPTIONS});
    let answer = server.ask(vec![question]).remove(0);
    let Some(manifests) = answer["manifests"].as_array() else {
        return Err(answer["error"].as_str().unwrap().to_owned());
    };
    Ok(manifests.iter().map(|text| serde_json::from_str(text.as_str().unwrap()).unwrap()).collect())
}

fn as_stream(manifests: &[Value]) -> String {
    manifests.iter().map(|manifest| format!("---\n{manifest}\n")).collect()
}

#[test]
fn argo_cd_renders_the_examples() {
    let Some((mut server, _bin)) = repo_server() else { return };
    let repository = repository("examples/argocd/README.md", "", "");
    let mut rendered = 0;
    for entry in fs::read_dir(root().join("examples")).unwrap() {
        let folder = entry.unwrap().path();
        let Ok(expected) = fs::read_to_string(folder.join("expected.yaml")) else { continue };
        let name = format!("examples/{}", folder.file_name().unwrap().display());
        let manifests = render(&mut server, repository.path(), &name).unwrap();
        assert_eq!(manifests.len(), stream::documents(&expected).len(), "{name}");
        assert_same_resources(&name, &resources(&expected), &resources(&as_stream(&manifests)));
        rendered += 1;
    }
    assert!(rendered > 2, "{rendered}");
}

#[test]
fn argo_cd_shows_an_error_of_ours() {
    let Some((mut server, _bin)) = repo_server() else { return };
    let application = "examples/argocd/app-with-kustomization";
    let repository = repository(&format!("{application}/gpu-alias.yaml"), "productId:", "prodctId:");
    let error = render(&mut server, repository.path(), application).unwrap_err();
    let finding = "`spec.aliases[0].prodctId`: unknown key `prodctId`; did you mean ";
    assert!(error.contains(finding), "{error}");
}

/// What examples/argocd/README.md says. Should Argo CD change its mind, that can go.
#[test]
fn argo_cd_shows_no_warning_of_ours() {
    let Some((mut server, _bin)) = repo_server() else { return };
    let application = "examples/argocd/app-with-kustomization";
    let from = "  nova:\n";
    let repository =
        repository(&format!("{application}/controlplane.yaml"), from, "  nova:\n    enabled: false\n");
    let manifests = render(&mut server, repository.path(), application).unwrap();
    assert!(as_stream(&manifests).contains("alias = {"));
    let warning = "Nova is disabled in this control plane";
    let data = Path::new(server.greeting["data"].as_str().unwrap());
    let log = fs::read_to_string(data.join("log")).unwrap();
    assert!(log.contains("kustomize build") && !log.contains(warning), "{log}");
    // How to see it.
    let folder = repository.path().join(application);
    let checked = crate::host::run(BINARY, &["render", "--strict", "."], b"", &folder);
    assert!(!checked.success && checked.stderr.contains(warning), "{}", checked.stderr);
}
