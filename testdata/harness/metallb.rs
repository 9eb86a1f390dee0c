//! MetalLB's own parser judges pools and advertisements, as a set: what overlaps, and what refers to nothing.

use serde_json::{Value, json};

use crate::cluster::examples::examples;
use crate::host::case::Case;
use crate::host::tool;
use crate::judge::Judge;
use crate::rule_cases::{self, RuleCase};

/// MetalLB's error about a set, and how many manifests of it are MetalLB's.
struct Verdict {
    known: u64,
    error: Option<String>,
}

fn judge(metallb: &mut Judge, sets: &[String]) -> Vec<Verdict> {
    let answers = metallb.ask(sets.iter().map(|set| json!({"yaml": set})).collect());
    // A Secret that a peer refers to may be in the cluster.
    let is_fault = |error: &&str| !error.contains("secret ref not found");
    let error = |answer: &Value| answer["causes"][0].as_str().filter(is_fault).map(str::to_owned);
    answers.iter().map(|it| Verdict { known: it["known"].as_u64().unwrap(), error: error(it) }).collect()
}

fn metallb() -> Option<Judge> {
    Some(Judge::start(tool("judge-metallb")?, &[]))
}

#[test]
fn metallb_finds_faults() {
    let Some(mut metallb) = metallb() else { return };
    let pool = |name: &str, addresses: &str| {
        format!(
            "---\napiVersion: metallb.io/v1beta1\nkind: IPAddressPool\nmetadata: {{name: {name}}}\nspec: {{addresses: [{addresses}]}}\n"
        )
    };
    let sets = [
        pool("a", "192.0.2.0/25") + &pool("b", "192.0.2.128-192.0.2.200"),
        pool("a", "192.0.2.0/25") + &pool("b", "192.0.2.100-192.0.2.200"),
        pool("a", "192.0.2.9-192.0.2.1"),
    ];
    let verdicts = judge(&mut metallb, &sets);
    assert!(verdicts[0].known == 2 && verdicts[0].error.is_none(), "{:?}", verdicts[0].error);
    assert!(verdicts[1].error.as_ref().unwrap().contains("overlaps"), "{:?}", verdicts[1].error);
    assert!(verdicts[2].error.as_ref().unwrap().contains("invalid"), "{:?}", verdicts[2].error);
}

/// A set that MetalLB takes before a function runs, it takes afterwards.
#[test]
fn metallb_takes_what_golden_cases_give() {
    let Some(mut metallb) = metallb() else { return };
    let cases: Vec<Case> = Case::all().into_iter().filter(|case| !case.must_fail()).collect();
    let set = |parts: &[&str]| {
        parts.iter().filter(|part| !part.is_empty()).map(|part| format!("---\n{part}")).collect::<String>()
    };
    let before: Vec<String> = cases.iter().map(|case| set(&[&case.input])).collect();
    let after: Vec<String> = cases.iter().map(|case| set(&[case.after(), &case.outcome.generated])).collect();
    let (before, after) = (judge(&mut metallb, &before), judge(&mut metallb, &after));
    let mut judged = 0;
    for ((case, before), after) in cases.iter().zip(before).zip(after) {
        if before.error.is_none() && after.known > 0 {
            judged += 1;
            assert!(after.error.is_none(), "{}: {}: {:?}", case.function, case.name, after.error);
        }
    }
    assert!(judged > 20, "{judged}");
}

#[test]
fn metallb_takes_the_examples() {
    let Some(mut metallb) = metallb() else { return };
    let examples = examples();
    let texts: Vec<String> = examples.iter().map(|example| example.text.clone()).collect();
    let verdicts = judge(&mut metallb, &texts);
    for (example, verdict) in examples.iter().zip(&verdicts) {
        assert!(verdict.error.is_none(), "{}: {:?}", example.name, verdict.error);
    }
    assert!(verdicts.iter().map(|verdict| verdict.known).sum::<u64>() > 10);
}

/// The rules that say why MetalLB rejects a set.
const REJECTED: [&str; 9] = [
    "bad-address",
    "duplicate-key",
    "duplicate-object",
    "missing-name",
    "no-addresses",
    "placeholder",
    "pool-overlap",
    "pool-twice",
    "wrong-type",
];

/// Cases that `check` judges in another way than MetalLB.
const EXCUSED: [&str; 2] = [
    // MetalLB accepts a range from IPv4 to IPv6, and gets no addresses from it.
    "reports a range of two families",
    // envsubst runs before the manifest is applied.
    "accepts variables that envsubst replaces",
];

/// `check` reports a set of pools if, and only if, MetalLB rejects it.
#[test]
fn check_agrees_with_metallb() {
    let Some(mut metallb) = metallb() else { return };
    let cases = rule_cases::all();
    let sets: Vec<String> = cases.iter().map(|case| format!("---\n{}", case.manifests)).collect();
    let (mut rejected, mut accepted, mut failures) = (0, 0, Vec::new());
    let is_excused = |case: &RuleCase| EXCUSED.contains(&case.name.as_str());
    let judged = cases.iter().zip(judge(&mut metallb, &sets)).filter(|(_, verdict)| verdict.known > 0);
    for (case, verdict) in judged.filter(|(case, _)| !is_excused(case) && !is_incomplete(&case.manifests)) {
        let findings = rule_cases::check(&case.manifests);
        let of = |rules: &[&str]| -> Vec<&Value> {
            findings.iter().filter(|finding| rules.contains(&finding["rule"].as_str().unwrap())).collect()
        };
        if let Some(error) = &verdict.error {
            rejected += 1;
            if of(&REJECTED).is_empty() {
                failures.push(format!("{}: MetalLB says {error:?}, check says {findings:?}", case.name));
            }
        } else {
            accepted += 1;
            let mut found = of(&["bad-address", "no-addresses", "pool-overlap"]);
            found.retain(|it| it["resource"]["kind"] == "IPAddressPool" && it["severity"] == "error");
            if !found.is_empty() {
                failures.push(format!("{}: MetalLB accepts it, check says {found:?}", case.name));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(rejected > 3 && accepted > 20, "{rejected} rejected, {accepted} accepted");
}

/// Whether MetalLB's parser sees something else than a cluster: it ignores namespaces, which a package may leave to
/// kustomize, and names that the API server generates. Ignored findings are not reported either.
fn is_incomplete(manifests: &str) -> bool {
    let namespaces = manifests.matches("namespace: metallb-system").count();
    let pools = manifests.matches("kind: IPAddressPool").count();
    (pools > 1 && namespaces < pools)
        || ["generateName", "rhoso-fn: ignore["].iter().any(|part| manifests.contains(part))
}
