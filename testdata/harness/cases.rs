//! Golden cases. Each runs through the library and as plain files, and a few run in kustomize, kubectl and
//! kpt.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr, reason = "a test")]

mod every_host;
mod host;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use host::case::{Case, Outcome, bystander, wire};
use host::{BINARY, Ended, assert_same, expect, files_below, refusals, run, run_with};
use libtest_mimic::{Arguments, Failed, Trial};
use rhoso_fn::functions::REGISTRY;
use rhoso_fn::krm::{self, Entry, FieldPath, File, Package, Place, Resource, Results};
use rhoso_fn::yaml::stream;
use serde_json::Value;

fn main() {
    let args = Arguments::from_args();
    // Files that functionConfigs name are relative to the working directory of the function.
    std::env::set_current_dir(named_files()).unwrap();
    if std::env::var_os("UPDATE").is_some() {
        update();
    }
    let kustomizes = host::kustomizes();
    let plugins = plugin_home();
    let kubectl = host::tool_if_present("kubectl");
    let kpts = [("kpt", host::tool("kpt")), ("older kpt", host::tool("kpt-older"))];
    let chosen = Trial::test("three of each function", || {
        every_host::check();
        Ok(())
    });
    let mut trials = vec![chosen.with_kind("every host")];
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
        if !every_host::runs(&case) {
            continue;
        }
        for (version, kustomize) in kustomizes.clone() {
            let test = move |case: &Case| through_kustomize(case, &kustomize);
            add(&format!("kustomize {version}"), Box::new(test));
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
    REGISTRY.functions.iter().find(|entry| entry.name == case.function).unwrap()
}

/// The expected list, including its results.
fn wire_with_results(case: &Case) -> String {
    let list = wire(&[case.after(), &bystander(), &case.outcome.generated], &case.config);
    if case.outcome.results.is_empty() { list } else { format!("{list}results:\n{}", case.outcome.results) }
}

fn on_the_wire(case: &Case) {
    let outcome = krm::run(wire(&[&case.input, &bystander()], &case.config).as_bytes(), REGISTRY);
    assert_same("stdout", &wire_with_results(case), &outcome.stdout);
    assert_eq!(outcome.failed, case.must_fail());
    if !case.must_fail() {
        let again = krm::run(outcome.stdout.as_bytes(), REGISTRY);
        assert_same("the second run", &outcome.stdout, &again.stdout);
    }
    // The same with CRLF line endings.
    let crlf = |text: String| text.replace('\n', "\r\n");
    let outcome = krm::run(crlf(wire(&[&case.input, &bystander()], &case.config)).as_bytes(), REGISTRY);
    assert_same("stdout with CR LF", &crlf(wire_with_results(case)), &outcome.stdout);
}

fn in_plain_files(case: &Case) {
    let files = [("bystander.yaml", bystander()), ("config.yaml", case.config.clone())]
        .into_iter()
        .chain((!case.input.is_empty()).then(|| ("input.yaml", case.input.clone())))
        .map(|(path, text)| File { path: path.to_owned(), text: text.into() })
        .collect();
    let mut results = Results::default();
    let mut package = Package::read(files, REGISTRY, &mut results);
    package.run(REGISTRY, &mut results);
    let failed = results.has_errors();
    let findings = results.into_sorted();
    assert_eq!(failed, case.must_fail(), "{findings:?}");
    if !failed {
        let files = package.to_files().unwrap();
        assert_same("bystander.yaml", &bystander(), &files[0].whole.to_string());
        assert_same("config.yaml", &case.config, &files[1].whole.to_string());
        if !case.input.is_empty() {
            assert_same("input.yaml", case.after(), &files[2].whole.to_string());
        }
        let new: Vec<String> =
            files.iter().filter(|file| file.origin.is_none()).map(|file| file.whole.to_string()).collect();
        assert_same("what is new", &case.outcome.generated, &new.join("---\n"));
    }
    for finding in &findings {
        let line = finding.to_string();
        assert!(line.contains(".yaml:"), "a finding without file and line: {line}");
    }
}

/// The files that functionConfigs name in `file`. They are copied to the directory in which a host runs the
/// function.
fn named_files() -> PathBuf {
    host::root().join("testdata/files")
}

/// Files for a host: the resources and the functionConfig.
fn folder(case: &Case, resources: &str, config: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let files = [("input.yaml", resources), ("bystander.yaml", &bystander()), ("config.yaml", config)];
    for (name, text) in files.into_iter().filter(|(_, text)| !text.is_empty()) {
        fs::write(dir.path().join(name), text).unwrap();
    }
    for path in files_below(&named_files()) {
        fs::copy(&path, dir.path().join(path.file_name().unwrap())).unwrap();
    }
    // kustomize passes no resources to functions under `generators:`.
    let is_blind = entry(case).shape == krm::Shape::Generator && case.input.is_empty();
    let field = if is_blind { "generators" } else { "transformers" };
    let kustomization = format!("{}{field}: [config.yaml]\n", resources_of(&dir));
    fs::write(dir.path().join("kustomization.yaml"), kustomization).unwrap();
    let kptfile = format!(
        "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: case\npipeline:\n  mutators:\n  - exec: {BINARY}\n    configPath: config.yaml\n"
    );
    fs::write(dir.path().join("Kptfile"), kptfile).unwrap();
    dir
}

fn resources_of(dir: &tempfile::TempDir) -> String {
    let there = ["input.yaml", "bystander.yaml", "generated.yaml"];
    let there: Vec<&str> = there.into_iter().filter(|name| dir.path().join(name).is_file()).collect();
    format!("resources: [{}]\n", there.join(", "))
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

/// The legacy plugin protocol, which works without `--enable-exec`, a flag that kubectl does not have.
fn as_plugin(case: &Case, program: &PathBuf, build: &str, home: &Path) {
    let dir = folder(case, &case.input, &case.config);
    let variables = [("KUSTOMIZE_PLUGIN_HOME", home.to_str().unwrap())];
    let ended = run_with(program, &[build, "--enable-alpha-plugins", "."], b"", dir.path(), &variables);
    // kustomize shows the stderr of a legacy plugin only if the plugin fails.
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
        // kustomize reformats everything, so compare with its output for the expected resources.
        for (name, text) in [("input.yaml", case.after()), ("generated.yaml", &case.outcome.generated)] {
            if !text.is_empty() {
                fs::write(dir.path().join(name), text).unwrap();
            }
        }
        fs::write(dir.path().join("kustomization.yaml"), resources_of(dir)).unwrap();
        let expected = expect(program, &[build, "."], b"", dir.path());
        assert_same("the build", &expected.stdout, &ended.stdout);
    }
}

fn through_kpt(case: &Case, kpt: &PathBuf) {
    let config = case.config_with("config.kubernetes.io/local-config", "true");
    // kpt reformats files, so compare with its output for the expected resources.
    let expected = folder(case, case.after(), &config);
    if !case.must_fail() {
        expect(kpt, &["fn", "eval", ".", "--exec", "cat"], b"", expected.path());
    }

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
        let files = |dir: &tempfile::TempDir| {
            ["input.yaml", "bystander.yaml", "config.yaml"].map(|name| (name, read(dir.path(), name)))
        };
        if case.must_fail() {
            assert_eq!(files(&dir)[0].1, case.input);
            assert_eq!(files(&dir)[1].1, bystander());
            continue;
        }
        assert_eq!(files(&dir), files(&expected));
        assert_eq!(new_resources(&dir), values(&case.outcome.generated), "what is new");
        let before = files_below(dir.path()).len();
        expect(kpt, args, b"", dir.path());
        assert_eq!(files(&dir), files(&expected), "the second time");
        assert_eq!(new_resources(&dir), values(&case.outcome.generated), "what is new, the second time");
        assert_eq!(before, files_below(dir.path()).len(), "the second time made files");
    }
}

/// The resources in the files that the host created, by name.
fn new_resources(dir: &tempfile::TempDir) -> BTreeMap<String, Value> {
    let given =
        ["input.yaml", "bystander.yaml", "config.yaml", "kustomization.yaml"].map(|n| dir.path().join(n));
    let new = files_below(dir.path()).into_iter().filter(|path| {
        path.extension().is_some_and(|extension| extension == "yaml") && !given.contains(path)
    });
    new.flat_map(|path| values(&fs::read_to_string(path).unwrap())).collect()
}

fn values(text: &str) -> BTreeMap<String, Value> {
    let documents = stream::documents(text).into_iter().map(|range| {
        let resource = Resource::from_file(text.into(), range, Place::default()).unwrap();
        (resource.id().to_string(), resource.value(&FieldPath::default()).unwrap().unwrap())
    });
    documents.collect()
}

fn read(dir: &Path, file: &str) -> String {
    fs::read_to_string(dir.join(file)).unwrap_or_default()
}

/// Updates the expected results of the cases with the actual ones.
fn update() {
    let mut tables: BTreeMap<PathBuf, Vec<String>> = BTreeMap::new();
    for case in Case::all() {
        let outcome = outcome_of(&case);
        if case.path.ends_with(refusals::FILE) {
            tables.entry(case.path).or_default().push(outcome.results);
        } else {
            fs::write(&case.path, case.text(&outcome)).unwrap();
        }
    }
    for (path, results) in tables {
        fs::write(&path, refusals::with_results(&path, &results)).unwrap();
    }
}

fn outcome_of(case: &Case) -> Outcome {
    let outcome = krm::run(wire(&[&case.input], &case.config).as_bytes(), REGISTRY);
    let results = outcome.stdout.split_once("\nresults:\n").map(|(_, results)| results.to_owned());
    let results = results.unwrap_or_default();
    if outcome.failed {
        return Outcome { results, ..Outcome::default() };
    }
    let mut findings = Results::default();
    let files = vec![
        File { path: "config.yaml".into(), text: case.config.as_str().into() },
        File { path: "input.yaml".into(), text: case.input.as_str().into() },
    ];
    let mut package = Package::read(files, REGISTRY, &mut findings);
    package.run(REGISTRY, &mut findings);
    let (given, new): (Vec<_>, Vec<_>) =
        package.to_files().unwrap().into_iter().partition(|file| file.origin.is_some());
    let given = given.into_iter().find(|file| file.path == "input.yaml").map(|file| file.whole.to_string());
    let new: Vec<String> = new.into_iter().map(|file| file.whole.to_string()).collect();
    Outcome { expected: given.filter(|text| *text != case.input), generated: new.join("---\n"), results }
}
