//! A real API server judges what the functions generate and change: the golden cases by dry runs, the examples for real.
//!
//! `testdata/tools/apiserver` is the server with its store and the CRDs of the operators, `testdata/tools/webhooks` are the
//! webhooks of the OpenStack operators. No controllers run.

pub mod examples;
mod fields;
mod sync;
mod webhooks;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex};

use rhoso_fn::yaml::stream;
use serde_json::{Value, json};

use crate::host::case::Case;
use crate::host::{demanded, root};
use crate::judge::Judge;
use crate::rule_cases;

/// Kinds without a CRD here. Golden cases change only their metadata.
const NOT_JUDGED: &[&str] =
    &["apps.open-cluster-management.io/v1 Subscription", "example.com/v1 OpenStackControlPlane"];

/// Kinds that functions only read. dataplane-operator 0.1.1 is the last release with their CRDs, but the proxy's checksum
/// database answers 404 for it. Its contents cannot be verified, so `testdata/tools/crds` does not pin it.
const ONLY_READ: &[&str] = &[
    "dataplane.openstack.org/v1beta1 OpenStackDataPlaneNode",
    "dataplane.openstack.org/v1beta1 OpenStackDataPlaneRole",
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
    /// Removed, so that the next manifest of that name is new.
    Removed,
}

/// A server, with the operators' webhooks or without.
struct Cluster {
    server: Judge,
    /// Run as long as the server does.
    _webhooks: Option<Judge>,
}

/// A program that `make tools` builds.
fn built(name: &str) -> Option<PathBuf> {
    Some(root().join(".tools/bin").join(name)).filter(|path| path.is_file())
}

fn start(program: PathBuf, crds: &[PathBuf]) -> Judge {
    let data = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap().keep();
    let mut args = vec!["--data", data.to_str().unwrap()];
    args.extend(crds.iter().flat_map(|directory| ["--crds", directory.to_str().unwrap()]));
    Judge::start(program, &args)
}

/// One for all tests: it takes seconds to start. Its CRDs and webhooks are of the same release.
static CLUSTER: LazyLock<Option<Mutex<Cluster>>> = LazyLock::new(|| {
    let (server, webhooks) = (built("judge-apiserver")?, built("judge-webhooks")?);
    let server = start(server, &[root().join(".tools/crds")]);
    let webhooks = Judge::start(webhooks, &[server.greeting["kubeconfig"].as_str().unwrap()]);
    Some(Mutex::new(Cluster { server, _webhooks: Some(webhooks) }))
});

fn cluster() -> Option<&'static Mutex<Cluster>> {
    demanded("the API server", CLUSTER.as_ref())
}

/// Asserts come after the lock is released: they must not fail other tests.
fn judge(cluster: &mut Cluster, manifests: &[(How, &str)]) -> Vec<Verdict> {
    let questions = manifests
        .iter()
        .map(|(how, yaml)| {
            json!({
                "yaml": yaml,
                "fill": *how == How::Filled,
                "real": *how == How::Real,
                "remove": *how == How::Removed,
            })
        })
        .collect();
    let texts = |value: &Value| -> BTreeSet<String> {
        value.as_array().unwrap().iter().map(|text| in_any_order(text.as_str().unwrap())).collect()
    };
    let answers = cluster.server.ask(questions);
    answers
        .iter()
        .map(|answer| Verdict {
            is_known: !answer["unknown"].as_bool().unwrap(),
            complaints: &texts(&answer["causes"]) | &texts(&answer["warnings"]),
        })
        .collect()
}

/// nova-operator's webhook reads the cells from a Go map, so that chance decides which of two cells with one RabbitMQ
/// cluster it reports as the duplicate of the other.
fn in_any_order(complaint: &str) -> String {
    match complaint.split_once(" It's duplicated with cell: ") {
        Some((head, _)) => head.split_once(": ").map_or(head, |(_, reason)| reason).to_owned(),
        None => complaint.to_owned(),
    }
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
    let Some(cluster) = cluster() else { return };
    let pool = "apiVersion: metallb.io/v1beta1\nkind: IPAddressPool\nmetadata: {name: pool}\n";
    let unknown_field = format!("{pool}spec: {{addresses: [192.0.2.0/24], adresses: []}}\n");
    let missing_field = format!("{pool}spec: {{}}\n");
    let service = "apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec:\n  ports: [{port: 80}]\n  externalIPs: [192.0.2.010]\n";
    let networks = "apiVersion: network.openstack.org/v1beta1\nkind: NetConfig\nmetadata: {name: networks}\nspec:\n  networks:\n  - name: ctlplane\n    dnsDomain: ctlplane.example.com\n    subnets: [{name: subnet1, cidr: 192.0.2.0/24, gateway: 198.51.100.1, allocationRanges: [{start: 192.0.2.9, end: 192.0.2.19}]}]\n";
    let asked = [
        (How::AsIs, unknown_field.as_str()),
        (How::AsIs, &missing_field),
        (How::Filled, &missing_field),
        (How::AsIs, service),
        (How::AsIs, "apiVersion: metallb.io/v1beta1\nkind: IPAdressPool\nmetadata: {name: pool}\n"),
        (How::AsIs, networks),
    ];
    let verdicts = judge(&mut cluster.lock().unwrap(), &asked);
    let complaints = |i: usize| verdicts[i].complaints.iter().cloned().collect::<Vec<_>>().join("\n");
    assert!(complaints(0).contains("unknown field \"spec.adresses\""), "{}", complaints(0));
    assert!(complaints(1).contains("spec.addresses: Required value"), "{}", complaints(1));
    assert_eq!(complaints(2), "");
    assert!(complaints(3).contains("299 - \"spec.externalIPs[0]"), "{}", complaints(3));
    assert!(!verdicts[4].is_known);
    // By the webhook.
    assert!(complaints(5).contains("gateway: Invalid value: \"198.51.100.1\""), "{}", complaints(5));
}

/// What golden cases generate, with the name of a case.
fn generated(cases: &[Case]) -> BTreeMap<&str, String> {
    let all = cases
        .iter()
        .flat_map(|case| manifests(&case.outcome.generated).into_iter().map(move |it| (it, case)));
    all.map(|(manifest, case)| (manifest, format!("{}: {}", case.function, case.name))).collect()
}

/// What golden cases change, before and after, with the name of a case.
fn changed(cases: &[Case]) -> BTreeMap<(&str, &str), String> {
    let mut found = BTreeMap::new();
    for case in cases {
        let (before, after) = (manifests(&case.input), manifests(case.after()));
        assert_eq!(before.len(), after.len(), "{}", case.name);
        for pair in before.into_iter().zip(after).filter(|(before, after)| before != after) {
            found.insert(pair, format!("{}: {}", case.function, case.name));
        }
    }
    found
}

#[test]
fn what_golden_cases_generate_is_accepted() {
    let Some(cluster) = cluster() else { return };
    let cases = Case::all();
    let generated = generated(&cases);
    assert!(generated.len() > 100, "{}", generated.len());
    let asked: Vec<(How, &str)> = generated.keys().map(|manifest| (How::AsIs, *manifest)).collect();
    let verdicts = judge(&mut cluster.lock().unwrap(), &asked);
    for ((manifest, case), verdict) in generated.iter().zip(verdicts) {
        assert_accepted(case, &[manifest], &[verdict]);
    }
}

/// Asks about each manifest before and after, in each way. Returns how many manifests were judged.
#[track_caller]
fn assert_no_new_complaints(
    cluster: &Mutex<Cluster>,
    pairs: &BTreeMap<(&str, &str), String>,
    ways: &[How],
) -> usize {
    let asked: Vec<(How, &str)> = pairs
        .keys()
        .flat_map(|(before, after)| ways.iter().flat_map(move |how| [(*how, *before), (*how, *after)]))
        .collect();
    let verdicts = judge(&mut cluster.lock().unwrap(), &asked);
    let (mut judged, mut problems) = (0, Vec::new());
    for (((_, manifest), case), verdicts) in pairs.iter().zip(verdicts.chunks(2 * ways.len())) {
        if verdicts.iter().any(|verdict| !verdict.is_known) {
            assert!(NOT_JUDGED.contains(&kind(manifest).as_str()), "{case}: no CRD of {}", kind(manifest));
            continue;
        }
        judged += 1;
        for pair in verdicts.chunks(2) {
            let new = pair[1].complaints.difference(&pair[0].complaints);
            problems.extend(new.map(|complaint| format!("{case}: {complaint}")));
        }
    }
    assert!(problems.is_empty(), "not complained of in the input:\n{}", problems.join("\n"));
    judged
}

#[test]
fn what_golden_cases_change_is_accepted_as_before() {
    let Some(cluster) = cluster() else { return };
    let cases = Case::all();
    let judged = assert_no_new_complaints(cluster, &changed(&cases), &[How::AsIs, How::Filled]);
    assert!(judged > 100, "{judged}");
}

/// infra-operator's webhook and `check` agree on NetConfigs.
#[test]
fn check_agrees_with_the_webhook_of_net_configs() {
    let Some(cluster) = cluster() else { return };
    let mut judged = Vec::new();
    for case in rule_cases::all() {
        let of_kind = manifests(&case.manifests).into_iter().filter(|it| kind(it).ends_with(" NetConfig"));
        judged.extend(of_kind.map(|manifest| (case.name.clone(), manifest.to_owned())));
    }
    let asked: Vec<(How, &str)> = judged.iter().map(|(_, manifest)| (How::AsIs, manifest.as_str())).collect();
    let verdicts = judge(&mut cluster.lock().unwrap(), &asked);
    let (mut rejected, mut failures) = (0, Vec::new());
    for ((name, manifest), verdict) in judged.iter().zip(verdicts) {
        rejected += usize::from(!verdict.complaints.is_empty());
        let found = rule_cases::check(manifest);
        let errors: Vec<_> = found.iter().filter(|finding| finding["severity"] == "error").collect();
        let is_known = EXCUSED.contains(&name.as_str());
        if verdict.complaints.is_empty() != errors.is_empty() && !is_known {
            failures.push(format!("{name}: {:?}, {errors:?}\n{manifest}", verdict.complaints));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(rejected > 5 && judged.len() > 30, "{rejected} of {} rejected", judged.len());
}

/// Cases in which `check` accepts what the webhook rejects.
const EXCUSED: &[&str] = &[
    // Topologies with several sites list a subnet again for each of them.
    "accepts the subnets of a site under the name of the site",
    // It is reported as a placeholder.
    "accepts a domain that is a placeholder",
    "accepts a domain that contains a placeholder or a variable",
    // envsubst runs before the manifest is applied.
    "accepts a variable that envsubst replaces",
    "accepts variables that envsubst replaces",
];
