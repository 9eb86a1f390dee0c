//! Golden cases: each through the library, through plain files, through kustomize and through kpt.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr, reason = "a test")]

mod host;

use std::fs;
use std::path::{Path, PathBuf};

use host::case::{Case, bystander, wire};
use host::{BINARY, Ended, assert_same, expect, run, run_with};
use libtest_mimic::{Arguments, Failed, Trial};
use rhoso_fn::functions::REGISTRY;
use rhoso_fn::krm::{self, Entry, File, Package, Results};

fn main() {
    let args = Arguments::from_args();
    if std::env::var_os("UPDATE").is_some() {
        Case::all().iter().for_each(update);
    }
    let kustomizes = host::kustomizes();
    let plugins = plugin_home();
    let kubectl = host::tool_if_present("kubectl");
    let kpts = [("kpt", host::tool("kpt")), ("older kpt", host::tool("kpt-older"))];
    let mut trials = Vec::new();
    for case in Case::all() {
        let mut add = |way: &str, test: Box<dyn FnOnce(&Case) + Send>| {
            let case = case.clone();
            let name = format!("{}: {}", case.function, case.name.replace('-', " "));
            trials.push(
                Trial::test(name, move || {
                    test(&case);
                    Ok::<(), Failed>(())
                })
                .with_kind(way),
            );
        };
        add("wire", Box::new(on_the_wire));
        add("render", Box::new(in_plain_files));
        for (version, kustomize) in kustomizes.clone() {
            add(&format!("kustomize {version}"), Box::new(move |case| through_kustomize(case, &kustomize)));
        }
        if let Some((_, kustomize)) = kustomizes.last().cloned() {
            let home = plugins.path().to_owned();
            add("kustomize plugin", Box::new(move |case| as_plugin(case, &kustomize, "build", &home)));
        }
        if let Some(kubectl) = kubectl.clone() {
            let home = plugins.path().to_owned();
            add("kubectl plugin", Box::new(move |case| as_plugin(case, &kubectl, "kustomize", &home)));
        }
        for (name, kpt) in kpts.clone() {
            if let Some(kpt) = kpt {
                add(name, Box::new(move |case| through_kpt(case, &kpt)));
            }
        }
    }
    let conclusion = libtest_mimic::run(&args, trials);
    drop(plugins);
    conclusion.exit();
}

fn entry(case: &Case) -> &'static Entry {
    REGISTRY.iter().find(|entry| entry.name == case.function).unwrap()
}

/// The list with its results, as it must come out.
fn wire_with_results(resources: &str, case: &Case) -> String {
    let list = wire(&[resources, &bystander()], &case.config);
    if case.results.is_empty() { list } else { format!("{list}results:\n{}", case.results) }
}

fn on_the_wire(case: &Case) {
    let outcome = krm::run(wire(&[&case.input, &bystander()], &case.config).as_bytes(), REGISTRY);
    assert_same("stdout", &wire_with_results(case.outcome(), case), &outcome.stdout);
    assert_eq!(outcome.failed, case.must_fail());
    if !case.must_fail() {
        let again = krm::run(outcome.stdout.as_bytes(), REGISTRY);
        assert_same("the second run", &outcome.stdout, &again.stdout);
    }
    // The same over CR LF.
    let crlf = |text: String| text.replace('\n', "\r\n");
    let outcome = krm::run(crlf(wire(&[&case.input, &bystander()], &case.config)).as_bytes(), REGISTRY);
    assert_same("stdout with CR LF", &crlf(wire_with_results(case.outcome(), case)), &outcome.stdout);
}

fn in_plain_files(case: &Case) {
    let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
    let files = vec![
        file("bystander.yaml", &bystander()),
        file("config.yaml", &case.config),
        file("input.yaml", &case.input),
    ];
    let mut results = Results::default();
    let mut package = Package::read(files, &mut results);
    package.run(REGISTRY, &mut results);
    let failed = results.has_errors();
    let findings = results.into_sorted();
    assert_eq!(failed, case.must_fail(), "{findings:?}");
    if !failed {
        let files = package.to_files();
        assert_same("bystander.yaml", &bystander(), &files[0].whole);
        assert_same("config.yaml", &case.config, &files[1].whole);
        assert_same("input.yaml", case.outcome(), &files[2].whole);
    }
    for finding in &findings {
        let line = finding.to_string();
        assert!(line.contains(".yaml:"), "a finding without file and line: {line}");
    }
}

/// Files for a host: the resources and the functionConfig.
fn folder(case: &Case, resources: &str, config: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("input.yaml"), resources).unwrap();
    fs::write(dir.path().join("bystander.yaml"), bystander()).unwrap();
    fs::write(dir.path().join("config.yaml"), config).unwrap();
    let field = if entry(case).shape == krm::Shape::Generator { "generators" } else { "transformers" };
    let kustomization = format!("resources: [input.yaml, bystander.yaml]\n{field}: [config.yaml]\n");
    fs::write(dir.path().join("kustomization.yaml"), kustomization).unwrap();
    let kptfile = format!(
        "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: case\npipeline:\n  mutators:\n  - exec: {BINARY}\n    configPath: config.yaml\n"
    );
    fs::write(dir.path().join("Kptfile"), kptfile).unwrap();
    dir
}

fn through_kustomize(case: &Case, kustomize: &PathBuf) {
    let config = case.config_with("config.kubernetes.io/function", &format!("exec:\n  path: {BINARY}\n"));
    let dir = folder(case, &case.input, &config);
    let args = ["build", "--enable-alpha-plugins", "--enable-exec", "."];
    let ended = run(kustomize, &args, b"", dir.path());
    for message in case.messages() {
        assert!(ended.stderr.contains(&message), "{message:?} is not in:\n{}", ended.stderr);
    }
    compare_build(case, kustomize, "build", &dir, &ended);
}

/// The older protocol, which needs no flag that kubectl does not have.
fn as_plugin(case: &Case, program: &PathBuf, build: &str, home: &Path) {
    let dir = folder(case, &case.input, &case.config);
    let variables = [("KUSTOMIZE_PLUGIN_HOME", home.to_str().unwrap())];
    let ended = run_with(program, &[build, "--enable-alpha-plugins", "."], b"", dir.path(), &variables);
    // What a plugin of this kind says is shown only when it fails.
    for message in case.messages().iter().filter(|_| case.must_fail()) {
        assert!(ended.stderr.contains(message.as_str()), "{message:?} is not in:\n{}", ended.stderr);
    }
    compare_build(case, program, build, &dir, &ended);
}

fn plugin_home() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    expect(BINARY, &["install", "--plugin-home", home.path().to_str().unwrap()], b"", home.path());
    home
}

fn compare_build(case: &Case, program: &PathBuf, build: &str, dir: &tempfile::TempDir, ended: &Ended) {
    assert_eq!(ended.success, !case.must_fail(), "{}", ended.stderr);
    if !case.must_fail() {
        // kustomize has a style of its own: it must make the same of our output as of the expected one.
        fs::write(dir.path().join("input.yaml"), case.outcome()).unwrap();
        fs::write(dir.path().join("kustomization.yaml"), "resources: [input.yaml, bystander.yaml]\n")
            .unwrap();
        let expected = expect(program, &[build, "."], b"", dir.path());
        assert_same("the build", &expected.stdout, &ended.stdout);
    }
}

fn through_kpt(case: &Case, kpt: &PathBuf) {
    let config = case.config_with("config.kubernetes.io/local-config", "true");
    // kpt has habits of its own: the expected files are those that it makes of the expected ones.
    let expected = folder(case, case.outcome(), &config);
    expect(kpt, &["fn", "eval", ".", "--exec", "cat"], b"", expected.path());

    let render: &[&str] = &["fn", "render", ".", "--allow-exec", "--truncate-output=false"];
    let eval: &[&str] =
        &["fn", "eval", ".", "--exec", BINARY, "--fn-config", "config.yaml", "--truncate-output=false"];
    for args in [render, eval] {
        let dir = folder(case, &case.input, &config);
        let ended = run(kpt, args, b"", dir.path());
        assert_eq!(ended.success, !case.must_fail(), "{}", ended.stderr);
        for message in case.messages() {
            let shown = ended.stderr.replace('\n', " ");
            assert!(shown.contains(&message), "{message:?} is not in:\n{}", ended.stderr);
        }
        if case.must_fail() {
            assert_same("input.yaml", &case.input, &read(dir.path(), "input.yaml"));
            assert_same("bystander.yaml", &bystander(), &read(dir.path(), "bystander.yaml"));
            continue;
        }
        for file in ["input.yaml", "bystander.yaml", "config.yaml"] {
            assert_same(file, &read(expected.path(), file), &read(dir.path(), file));
        }
        let before = fs::read_dir(dir.path()).unwrap().count();
        expect(kpt, args, b"", dir.path());
        for file in ["input.yaml", "bystander.yaml", "config.yaml"] {
            assert_same("the second time", &read(expected.path(), file), &read(dir.path(), file));
        }
        assert_eq!(before, fs::read_dir(dir.path()).unwrap().count(), "the second time made files");
    }
}

fn read(dir: &Path, file: &str) -> String {
    fs::read_to_string(dir.join(file)).unwrap()
}

/// Writes what comes out of a case as what must come out of it.
fn update(case: &Case) {
    let outcome = krm::run(wire(&[&case.input], &case.config).as_bytes(), REGISTRY);
    let results = match outcome.stdout.split_once("\nresults:\n") {
        Some((_, results)) => results.to_owned(),
        None => String::new(),
    };
    let write = |file: &str, text: Option<String>| match text {
        Some(text) => fs::write(case.path.join(file), text).unwrap(),
        None => drop(fs::remove_file(case.path.join(file))),
    };
    write("results.yaml", (!results.is_empty()).then_some(results));
    let mut findings = Results::default();
    let files = vec![
        File { path: "config.yaml".into(), text: case.config.clone() },
        File { path: "input.yaml".into(), text: case.input.clone() },
    ];
    let mut package = Package::read(files, &mut findings);
    package.run(REGISTRY, &mut findings);
    let text = package.to_files().into_iter().find(|file| file.path == "input.yaml").map(|file| file.whole);
    write("expected.yaml", text.filter(|_| !outcome.failed));
}
