//! The ApplicationSet of `examples/fleet`, rendered by Argo CD's own code for a few clusters.

use std::collections::BTreeMap;
use std::fs;

use rhoso_fn::krm::{FieldPath, Place, Resource};
use serde_json::{Value, json};

use crate::host::{root, tool};
use crate::judge::Judge;

fn manifest(name: &str) -> Value {
    let text = fs::read_to_string(root().join("examples/fleet").join(name)).unwrap();
    let resource = Resource::from_file(text.as_str().into(), 0..text.len(), Place::default()).unwrap();
    resource.value(&FieldPath::default()).unwrap().unwrap()
}

/// The Secret in which Argo CD keeps a cluster.
fn cluster(name: &str, labels: &[(&str, &str)]) -> Value {
    let mut all = BTreeMap::from([("argocd.argoproj.io/secret-type", "cluster")]);
    all.extend(labels.iter().copied());
    // The names in base64: they have no meaning, and differ.
    let encoded = |text: &str| match text {
        "ber1" => "YmVyMQ==",
        "ams1" => "YW1zMQ==",
        "par1" => "cGFyMQ==",
        _ => "cHJnMQ==",
    };
    json!({
        "metadata": {"name": name, "labels": all},
        "data": {"name": encoded(name), "server": "aHR0cHM6Ly9hcGkuZXhhbXBsZS5jb20=", "config": "e30="},
    })
}

/// How many steps of the progressive sync select an Application.
fn steps(set: &Value, application: &Value) -> usize {
    let steps = set["spec"]["strategy"]["rollingSync"]["steps"].as_array().unwrap();
    let is_selected = |expression: &Value| {
        assert_eq!(expression["operator"], "In");
        let label = &application["metadata"]["labels"][expression["key"].as_str().unwrap()];
        expression["values"].as_array().unwrap().contains(label)
    };
    steps.iter().filter(|step| step["matchExpressions"].as_array().unwrap().iter().all(is_selected)).count()
}

#[test]
fn every_cluster_of_the_fleet_gets_each_part_in_one_step() {
    let Some(program) = tool("judge-applications") else { return };
    let set = manifest("applicationset.yaml");
    let labelled = |name: &str, stage: &'static str| {
        cluster(name, &[("example.com/package", "multi-rhoso"), ("example.com/stage", stage)])
    };
    let clusters = [
        labelled("ber1", "canary"),
        labelled("ams1", "early"),
        labelled("par1", "rest"),
        // Its stage has no step.
        labelled("prg1", "never"),
        cluster("prg2", &[("example.com/stage", "rest")]),
    ];
    let question = json!({"set": set, "clusters": clusters});
    let answer = Judge::start(program, &[]).ask(vec![question]).remove(0);
    assert_eq!(answer["error"], "");
    let applications = answer["applications"].as_array().unwrap();
    let mut names: Vec<&str> =
        applications.iter().map(|it| it["metadata"]["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    let parts = ["nodes", "openstack", "openstack2"];
    let expected: Vec<String> =
        ["ams1", "ber1", "par1"].iter().flat_map(|it| parts.map(|part| format!("{it}-{part}"))).collect();
    assert_eq!(names, expected);
    for application in applications {
        let name = &application["metadata"]["name"];
        assert_eq!(steps(&set, application), 1, "{name}");
        let spec = &application["spec"];
        let path = spec["source"]["path"].as_str().unwrap();
        assert!(root().join(path).join("kustomization.yaml").is_file(), "{name}: {path}");
        // What the directory refers to must be below the paths that cause it to be rendered again.
        let paths = &application["metadata"]["annotations"]["argocd.argoproj.io/manifest-generate-paths"];
        let package = paths.as_str().unwrap().strip_prefix('/').unwrap();
        assert!(path.starts_with(&format!("{package}/")), "{name}: {path}");
        assert_eq!(spec["destination"]["server"], "https://api.example.com");
        // Argo CD would ignore it, with a warning.
        assert_eq!(spec["syncPolicy"]["automated"], Value::Null);
    }
}

/// A step of the rollout waits until the control planes of the previous step are healthy.
#[test]
fn a_control_plane_is_healthy_when_it_is_ready() {
    let Some(program) = tool("judge-applications") else { return };
    let openshift = manifest("openshift-gitops.yaml");
    let check = &openshift["spec"]["resourceHealthChecks"][0]["check"];
    let upstream = manifest("argocd-cm.yaml");
    let key = "resource.customizations.health.core.openstack.org_OpenStackControlPlane";
    assert_eq!(*check, upstream["data"][key]);
    let ready = |status: &str, severity: &str| {
        json!({"observedGeneration": 2, "conditions": [
            {"type": "OpenStackControlPlaneNovaReady", "status": "True", "message": "Nova ready"},
            {"type": "Ready", "status": status, "severity": severity, "message": "as it is"},
        ]})
    };
    let mut of_older_generation = ready("True", "");
    of_older_generation["observedGeneration"] = json!(1);
    let cases = [
        (ready("True", ""), "Healthy"),
        (ready("False", "Error"), "Degraded"),
        (ready("False", "Info"), "Progressing"),
        (ready("Unknown", ""), "Progressing"),
        (of_older_generation, "Progressing"),
        (Value::Null, "Progressing"),
    ];
    let question = |status: &Value| {
        let mut plane = json!({
            "apiVersion": "core.openstack.org/v1beta1",
            "kind": "OpenStackControlPlane",
            "metadata": {"name": "openstack", "generation": 2},
        });
        if !status.is_null() {
            plane["status"] = status.clone();
        }
        json!({"check": check, "object": plane})
    };
    let answers = Judge::start(program, &[]).ask(cases.iter().map(|(status, _)| question(status)).collect());
    for ((status, expected), answer) in cases.iter().zip(answers) {
        assert_eq!((&answer["error"], &answer["health"]), (&json!(""), &json!(expected)), "{status}");
    }
}
