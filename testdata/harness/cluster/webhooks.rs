//! `check` reports an error of these rules exactly if the webhooks of the operators reject the object.

use std::collections::BTreeSet;

use super::{How, cluster, judge, manifests};
use crate::rule_cases;

/// The rules about one control plane.
const RULES: &[&str] = &[
    "bus-user",
    "deprecated-field",
    "foreign-topology",
    "metadata-twice",
    "missing-cell",
    "missing-dependency",
    "route-certificate",
    "service-in-cell-zero",
    "shared-message-bus",
    "unknown-endpoint",
];

/// Cases on which they do not agree.
const EXCUSED: &[&str] = &[
    // The webhook knows the namespace.
    "accepts a control plane whose namespace is unknown",
    // The release of the webhook has one default for all cells.
    "accepts cells with the default clusters of current releases",
];

/// What a control plane needs so that the webhook accepts it. `check` knows nothing about a section that is missing, so
/// the cases do not have it.
const SECTIONS: &[(&str, &str)] = &[
    ("secret", "osp-secret"),
    ("storageClass", "local-storage"),
    ("galera", "{templates: {}}"),
    ("memcached", "{templates: {}}"),
    ("rabbitmq", "{templates: {}}"),
    ("keystone", "{template: {}}"),
    ("placement", "{template: {}}"),
    ("neutron", "{template: {}}"),
    ("glance", "{template: {}}"),
    ("nova", "{template: {}}"),
    ("ovn", "{template: {}}"),
];

/// A control plane with all sections.
fn completed(manifest: &str, sections: &[(&str, &str)]) -> String {
    let missing = sections.iter().filter(|(section, _)| !manifest.contains(&format!("\n  {section}:")));
    let added: String = missing.map(|(section, value)| format!("  {section}: {value}\n")).collect();
    manifest.replacen("\nspec:\n", &format!("\nspec:\n{added}"), 1)
}

/// Whether `check` reports an error of a rule.
fn has_error(manifest: &str, rules: &[&str]) -> bool {
    let found = rule_cases::check(manifest);
    found.iter().any(|it| it["severity"] == "error" && rules.contains(&it["rule"].as_str().unwrap()))
}

#[test]
fn check_agrees_with_the_webhook_of_control_planes() {
    let Some(cluster) = cluster() else { return };
    let cases: Vec<_> = RULES.iter().flat_map(|rule| rule_cases::of(rule)).collect();
    let complete: Vec<String> = cases.iter().map(|case| completed(&case.manifests, SECTIONS)).collect();
    let asked: Vec<(How, &str)> = complete.iter().map(|manifest| (How::AsIs, manifest.as_str())).collect();
    let verdicts = judge(&mut cluster.lock().unwrap(), &asked);
    let (mut judged, mut rejected, mut failures) = (0, 0, Vec::new());
    for (case, verdict) in cases.iter().zip(verdicts) {
        // A field of newer releases.
        if verdict.complaints.iter().any(|complaint| complaint.starts_with("unknown field")) {
            continue;
        }
        judged += 1;
        rejected += usize::from(!verdict.complaints.is_empty());
        let agrees = has_error(&case.manifests, RULES) != verdict.complaints.is_empty();
        if agrees == EXCUSED.contains(&case.name.as_str()) {
            failures.push(format!("{}: {:#?}\n{}", case.name, verdict.complaints, case.manifests));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(judged > 50 && rejected > 25, "{rejected} of {judged} rejected");
}

/// Every part that another one can require, and parts that only require others.
const PARTS: &[(&str, &str)] = &[
    ("barbican", "{enabled: true, template: {}}"),
    ("cinder", "{enabled: true, template: {}}"),
    ("heat", "{enabled: true, template: {}}"),
    ("horizon", "{enabled: true, template: {}}"),
    ("octavia", "{enabled: true, template: {}}"),
    ("swift", "{enabled: true, template: {}}"),
    ("telemetry", "{enabled: true, template: {autoscaling: {enabled: true}, ceilometer: {enabled: true}}}"),
];

#[test]
fn check_agrees_with_the_webhook_about_every_dependency() {
    let Some(cluster) = cluster() else { return };
    let sections = [SECTIONS, PARTS].concat();
    let is_part = |(section, value): &&(&str, &str)| value.starts_with('{') && *section != "ovn";
    let planes: Vec<String> = sections
        .iter()
        .filter(is_part)
        .map(|(section, value)| {
            let disabled = value.replacen("enabled: true, ", "", 1).replacen('{', "{enabled: false, ", 1);
            let head = "apiVersion: core.openstack.org/v1beta1\nkind: OpenStackControlPlane\nmetadata: {name: openstack}\nspec:\n";
            completed(&format!("{head}  {section}: {disabled}\n"), &sections)
        })
        .collect();
    let asked: Vec<(How, &str)> = planes.iter().map(|plane| (How::AsIs, plane.as_str())).collect();
    let verdicts = judge(&mut cluster.lock().unwrap(), &asked);
    let mut dependencies = 0;
    for (plane, verdict) in planes.iter().zip(verdicts) {
        let requiring =
            |text: &str| text.rsplit_once(" requires these services").map(|(head, _)| last_word(head));
        let by_webhook: BTreeSet<String> = verdict.complaints.iter().filter_map(|it| requiring(it)).collect();
        let found = rule_cases::check(plane);
        let found = found.iter().filter(|finding| finding["rule"] == "missing-dependency");
        let related = found.flat_map(|finding| finding["related"].as_array().unwrap().clone());
        let by_check: BTreeSet<String> = related
            .map(|place| {
                place["message"].as_str().unwrap().strip_suffix(" is enabled").unwrap().to_lowercase()
            })
            .collect();
        assert_eq!(by_webhook, by_check, "{:#?}\n{plane}", verdict.complaints);
        dependencies += by_check.len();
    }
    assert!(dependencies > 40, "{dependencies}");
}

/// The name of a service, as `check` writes it, in lower case.
fn last_word(text: &str) -> String {
    text.rsplit([' ', '.']).next().unwrap().to_lowercase()
}

#[test]
fn check_agrees_with_the_webhooks_about_objects_of_one_namespace() {
    let Some(cluster) = cluster() else { return };
    let head = "apiVersion: network.openstack.org/v1beta1\nkind: NetConfig\nspec: {networks: []}\nmetadata:";
    let plane = "apiVersion: core.openstack.org/v1beta1\nkind: OpenStackControlPlane\nspec:\n  topologyRef: {name: x}\nmetadata:";
    let plane = completed(plane, SECTIONS);
    for (head, rule) in [(head, "net-config-twice"), (&plane, "control-plane-twice")] {
        let [first, beside, elsewhere] = [("a", "one"), ("b", "one"), ("b", "two")]
            .map(|(name, namespace)| format!("{head} {{name: {name}, namespace: {namespace}}}\n"));
        let verdicts = {
            let mut cluster = cluster.lock().unwrap();
            let apart: [&[(How, &str)]; 3] = [
                &[(How::Real, &first)],
                &[(How::AsIs, &beside), (How::AsIs, &elsewhere)],
                &[(How::Removed, &first)],
            ];
            apart.map(|asked| judge(&mut cluster, asked)).concat()
        };
        for (other, verdict) in [&beside, &elsewhere].into_iter().zip(&verdicts[1..3]) {
            let both = format!("{first}---\n{other}");
            assert_eq!(manifests(&both).len(), 2);
            let is_rejected = !verdict.complaints.is_empty();
            assert_eq!(has_error(&both, &[rule]), is_rejected, "{both}{:#?}", verdict.complaints);
        }
        assert!(verdicts[0].complaints.is_empty(), "{:#?}", verdicts[0].complaints);
        assert!(verdicts[3].complaints.is_empty(), "{:#?}", verdicts[3].complaints);
        assert!(!verdicts[1].complaints.is_empty() && verdicts[2].complaints.is_empty(), "{verdicts:#?}");
    }
}
