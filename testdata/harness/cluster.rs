//! A real API server judges what the functions generate and change: the golden cases by dry runs, the examples for real.
//!
//! `testdata/tools/apiserver` is the server with its store. It has the CRDs of the operators, and no webhooks and no
//! controllers.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex};

use rhoso_fn::yaml::stream;
use serde_json::{Value, json};

use crate::host::case::Case;
use crate::host::{BINARY, Ended, demanded, expect, root, run, shared, tool_if_present};
use crate::judge::Judge;

/// Kinds that golden cases change only by metadata, and whose CRDs no module on the proxy has.
const NOT_JUDGED: &[&str] = &[
    "apps.open-cluster-management.io/v1 Subscription",
    "example.com/v1 OpenStackControlPlane",
    "metallb.io/v1beta1 MetalLB",
    "operators.coreos.com/v1 OperatorGroup",
    "operators.coreos.com/v1alpha1 Subscription",
];

/// What the server says about a manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Verdict {
    is_known: bool,
    /// Why it is rejected, and what the server warns of.
    complaints: BTreeSet<String>,
}

/// How a manifest is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    /// As it is, as a dry run.
    AsIs,
    /// The same with all required fields: webhooks set many of them, and rules of a CRD run only when none is missing.
    Filled,
    /// Dry run, then applied twice.
    Real,
    /// Both.
    RealFilled,
    /// Removed, so that the next manifest of that name is new.
    Removed,
}

/// One server for all tests: it takes seconds to start.
static SERVER: LazyLock<Option<Mutex<Judge>>> = LazyLock::new(|| {
    let program = Some(root().join(".tools/bin/judge-apiserver")).filter(|path| path.is_file())?;
    let data = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap().keep();
    let mut directories = vec![root().join(".tools/crds")];
    directories.extend(shared("crds"));
    let mut args = vec!["--data".to_owned(), data.display().to_string()];
    for directory in directories {
        args.extend(["--crds".to_owned(), directory.display().to_string()]);
    }
    Some(Mutex::new(Judge::start(program, &args.iter().map(String::as_str).collect::<Vec<_>>())))
});

/// The server, which `make tools` builds.
fn server() -> Option<&'static Mutex<Judge>> {
    demanded("the API server", SERVER.as_ref())
}

/// Asserts come after the lock is released: they must not fail other tests.
fn judge(server: &mut Judge, manifests: &[(How, &str)]) -> Vec<Verdict> {
    let questions = manifests
        .iter()
        .map(|(how, yaml)| {
            json!({
                "yaml": yaml,
                "fill": matches!(how, How::Filled | How::RealFilled),
                "real": matches!(how, How::Real | How::RealFilled),
                "remove": *how == How::Removed,
            })
        })
        .collect();
    let texts = |value: &Value| -> BTreeSet<String> {
        value.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
    };
    let answers = server.ask(questions);
    answers
        .iter()
        .map(|answer| Verdict {
            is_known: !answer["unknown"].as_bool().unwrap(),
            complaints: &texts(&answer["causes"]) | &texts(&answer["warnings"]),
        })
        .collect()
}

/// The manifests of a stream.
fn manifests(text: &str) -> Vec<&str> {
    stream::documents(text).into_iter().map(|range| &text[range]).collect()
}

fn kind(manifest: &str) -> String {
    let field =
        |key: &str| manifest.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default().trim();
    format!("{} {}", field("apiVersion:"), field("kind:"))
}

#[track_caller]
fn assert_accepted(what: &str, manifests: &[&str], verdicts: &[Verdict]) {
    for (manifest, verdict) in manifests.iter().zip(verdicts) {
        assert!(verdict.is_known, "{what}: no CRD of {}", kind(manifest));
        assert!(verdict.complaints.is_empty(), "{what}: {:#?}\n{manifest}", verdict.complaints);
    }
}

#[test]
fn the_server_finds_faults() {
    let Some(server) = server() else { return };
    let pool = "apiVersion: metallb.io/v1beta1\nkind: IPAddressPool\nmetadata: {name: pool}\n";
    let unknown_field = format!("{pool}spec: {{addresses: [192.0.2.0/24], adresses: []}}\n");
    let missing_field = format!("{pool}spec: {{}}\n");
    let service = "apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec:\n  ports: [{port: 80}]\n  externalIPs: [192.0.2.010]\n";
    let asked = [
        (How::AsIs, unknown_field.as_str()),
        (How::AsIs, &missing_field),
        (How::Filled, &missing_field),
        (How::AsIs, service),
        (How::AsIs, "apiVersion: metallb.io/v1beta1\nkind: IPAdressPool\nmetadata: {name: pool}\n"),
    ];
    let verdicts = judge(&mut server.lock().unwrap(), &asked);
    let complaints = |i: usize| verdicts[i].complaints.iter().cloned().collect::<Vec<_>>().join("\n");
    assert!(complaints(0).contains("unknown field \"spec.adresses\""), "{}", complaints(0));
    assert!(complaints(1).contains("spec.addresses: Required value"), "{}", complaints(1));
    assert_eq!(complaints(2), "");
    assert!(complaints(3).contains("299 - \"spec.externalIPs[0]"), "{}", complaints(3));
    assert!(!verdicts[4].is_known);
}

#[test]
fn what_golden_cases_generate_is_accepted() {
    let Some(server) = server() else { return };
    let cases: Vec<Case> =
        Case::all().into_iter().filter(|case| !case.outcome.generated.is_empty()).collect();
    let mut asked: BTreeMap<&str, String> = BTreeMap::new();
    for case in &cases {
        for manifest in manifests(&case.outcome.generated) {
            asked.entry(manifest).or_insert_with(|| format!("{}: {}", case.function, case.name));
        }
    }
    let asked: Vec<(&str, String)> = asked.into_iter().collect();
    assert!(asked.len() > 100, "{}", asked.len());
    let verdicts = judge(
        &mut server.lock().unwrap(),
        &asked.iter().map(|(manifest, _)| (How::AsIs, *manifest)).collect::<Vec<_>>(),
    );
    for ((manifest, case), verdict) in asked.iter().zip(verdicts) {
        assert_accepted(case, &[manifest], &[verdict]);
    }
}

#[test]
fn what_golden_cases_change_is_accepted_as_before() {
    let Some(server) = server() else { return };
    let cases: Vec<Case> = Case::all().into_iter().filter(|case| case.outcome.expected.is_some()).collect();
    let mut pairs: BTreeMap<(&str, &str), String> = BTreeMap::new();
    for case in &cases {
        let (before, after) = (manifests(&case.input), manifests(case.after()));
        assert_eq!(before.len(), after.len(), "{}", case.name);
        for pair in before.into_iter().zip(after).filter(|(before, after)| before != after) {
            pairs.entry(pair).or_insert_with(|| format!("{}: {}", case.function, case.name));
        }
    }
    assert!(pairs.len() > 100, "{}", pairs.len());
    let asked: Vec<(How, &str)> =
        pairs.keys().flat_map(|(before, after)| [(How::Filled, *before), (How::Filled, *after)]).collect();
    let verdicts = judge(&mut server.lock().unwrap(), &asked);
    let mut judged = 0;
    for (((_, after), case), verdicts) in pairs.iter().zip(verdicts.chunks(2)) {
        if !verdicts[1].is_known {
            assert!(NOT_JUDGED.contains(&kind(after).as_str()), "{case}: no CRD of {}", kind(after));
            continue;
        }
        judged += 1;
        let new: Vec<&String> = verdicts[1].complaints.difference(&verdicts[0].complaints).collect();
        assert!(new.is_empty(), "{case}: {new:#?}\nbefore: {:#?}\n{after}", verdicts[0].complaints);
    }
    assert!(judged > 100, "{judged}");
}

/// The expected result of each whole example, and what `render` makes of each function's.
fn examples() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (parent, below) in [("examples", "expected.yaml"), ("functions", "example")] {
        let mut folders: Vec<PathBuf> =
            std::fs::read_dir(root().join(parent)).unwrap().map(|entry| entry.unwrap().path()).collect();
        folders.sort();
        for path in folders.into_iter().map(|folder| folder.join(below)).filter(|path| path.exists()) {
            let name = path.strip_prefix(root()).unwrap().display().to_string();
            let text = if path.is_dir() {
                expect(BINARY, &["render", "."], b"", &path).stdout
            } else {
                std::fs::read_to_string(&path).unwrap()
            };
            found.push((name, text));
        }
    }
    assert!(found.len() > 8, "{}", found.len());
    found
}

#[test]
fn examples_are_accepted_and_change_nothing_the_second_time() {
    let Some(server) = server() else { return };
    let kubectl = tool_if_present("kubectl");
    for (name, text) in examples() {
        let manifests = manifests(&text);
        let mut server = server.lock().unwrap();
        let how = |manifest: &str| if is_filled(manifest) { How::RealFilled } else { How::Real };
        let real: Vec<(How, &str)> = manifests.iter().map(|manifest| (how(manifest), *manifest)).collect();
        let removed: Vec<(How, &str)> = manifests.iter().map(|manifest| (How::Removed, *manifest)).collect();
        let verdicts = judge(&mut server, &real);
        let removals = judge(&mut server, &removed);
        let complete: Vec<&str> = manifests.iter().copied().filter(|manifest| !is_filled(manifest)).collect();
        // Those of single functions have nothing that is not in a whole example.
        let runs = kubectl.as_ref().filter(|_| name.starts_with("examples/")).map(|kubectl| {
            let manifests = complete.join("---\n");
            let runs =
                ["apply", "diff", "apply"].map(|verb| with_kubectl(kubectl, &server, verb, &manifests));
            judge(&mut server, &removed);
            runs
        });
        drop(server);
        assert_accepted(&name, &manifests, &verdicts);
        assert_accepted(&format!("{name}, removed"), &manifests, &removals);
        for run in runs.into_iter().flatten() {
            assert!(run.success && run.stderr.is_empty(), "{name}: {}{}", run.stdout, run.stderr);
        }
    }
}

/// Whether webhooks set required fields of it.
fn is_filled(manifest: &str) -> bool {
    kind(manifest).ends_with(" OpenStackControlPlane")
}

fn with_kubectl(kubectl: &Path, server: &Judge, verb: &str, manifests: &str) -> Ended {
    // Its directory is kubectl's home too, for what kubectl caches.
    let kubeconfig = Path::new(server.greeting["kubeconfig"].as_str().unwrap());
    let args = ["--kubeconfig", "kubeconfig", verb, "--filename", "-"];
    run(kubectl, &args, manifests.as_bytes(), kubeconfig.parent().unwrap())
}
