//! GenerateApplications, with Argo CD's own code as the judge: `testdata/tools/cmp-server/applications` renders
//! ApplicationSets, checks Applications against their AppProject, and removes ignored differences from objects.

use std::fs;

use rhoso_fn::functions::REGISTRY;
use rhoso_fn::krm::{self, FieldPath, Place, Resource};
use rhoso_fn::platform::argocd::ignored::IGNORED;
use rhoso_fn::platform::scopes::{self, Scope};
use serde_json::{Value, json};

use crate::host::case::Case;
use crate::host::{demanded, root, tool};
use crate::judge::Judge;

const FUNCTION: &str = "generate-applications";

fn argo_cd() -> Option<Judge> {
    Some(Judge::start(tool("judge-applications")?, &[]))
}

fn value(yaml: &str) -> Value {
    let resource = Resource::from_file(yaml.into(), 0..yaml.len(), Place::default()).unwrap();
    resource.value(&FieldPath::default()).unwrap().unwrap()
}

/// The functionConfigs of the golden cases that succeed, and that of an example.
fn configs() -> Vec<(String, Value)> {
    let cases = Case::of(FUNCTION).into_iter().filter(|case| !case.must_fail());
    let example = "examples/llmops/argocd/applications.yaml";
    let of_example = (example.to_owned(), value(&fs::read_to_string(root().join(example)).unwrap()));
    cases.map(|case| (case.name.clone(), value(&case.config))).chain([of_example]).collect()
}

/// What a functionConfig generates in one of the forms.
fn generated(config: &Value, form: &str) -> Vec<Value> {
    let mut config = config.clone();
    config["spec"]["form"] = json!(form);
    let spec = config["spec"].as_object_mut().unwrap();
    spec.remove("name");
    if form == "applicationset" {
        spec.insert("name".to_owned(), json!("set"));
    }
    let list = json!({
        "apiVersion": "config.kubernetes.io/v1",
        "kind": "ResourceList",
        "items": [],
        "functionConfig": config,
    });
    let outcome = krm::run(list.to_string().as_bytes(), REGISTRY);
    assert!(!outcome.failed, "{:?}", outcome.findings);
    value(&outcome.stdout)["items"].as_array().unwrap().clone()
}

fn of_kind(items: &[Value], kind: &str) -> Vec<Value> {
    items.iter().filter(|item| item["kind"] == kind).cloned().collect()
}

#[test]
fn both_forms_give_the_same_applications() {
    let Some(mut argo_cd) = argo_cd() else { return };
    let configs = configs();
    let sets = configs.iter().map(|(_, config)| {
        let set = of_kind(&generated(config, "applicationset"), "ApplicationSet").remove(0);
        json!({"set": set})
    });
    let answers = argo_cd.ask(sets.collect());
    for ((name, config), answer) in configs.iter().zip(answers) {
        assert_eq!(answer["error"], "", "{name}");
        let expected = of_kind(&generated(config, "applications"), "Application");
        let rendered: Vec<Value> = answer["applications"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| {
                json!({
                    "apiVersion": "argoproj.io/v1alpha1",
                    "kind": "Application",
                    "metadata": it["metadata"],
                    "spec": it["spec"],
                })
            })
            .collect();
        assert_eq!(rendered, expected, "{name}");
    }
    assert!(configs.len() > 8, "{}", configs.len());
}

/// A parameter that is missing is an error, so a mistake in the template cannot remain unnoticed.
#[test]
fn argo_cd_reports_a_missing_parameter() {
    let Some(mut argo_cd) = argo_cd() else { return };
    let (_, config) = configs().remove(0);
    let mut set = of_kind(&generated(&config, "applicationset"), "ApplicationSet").remove(0);
    set["spec"]["generators"][0]["list"]["elements"][0].as_object_mut().unwrap().remove("path");
    let answer = argo_cd.ask(vec![json!({"set": set})]).remove(0);
    assert!(answer["error"].as_str().unwrap().contains("path"), "{answer}");
}

#[test]
fn the_project_allows_its_applications() {
    let Some(mut argo_cd) = argo_cd() else { return };
    let mut questions = Vec::new();
    for (_, config) in configs() {
        let items = generated(&config, "applications");
        for project in of_kind(&items, "AppProject") {
            let applications = of_kind(&items, "Application");
            questions.extend(applications.iter().map(|it| json!({"application": it, "project": project})));
        }
    }
    let asked = questions.len();
    assert!(asked > 5, "{asked}");
    let mut foreign = questions[0].clone();
    foreign["application"]["spec"]["source"]["repoURL"] = json!("https://git.example.com/other.git");
    foreign["application"]["spec"]["destination"]["namespace"] = json!("other");
    foreign["project"]["spec"].as_object_mut().unwrap().remove("clusterResourceWhitelist");
    questions.push(foreign);
    let mut answers = argo_cd.ask(questions);
    let forbidden = answers.pop().unwrap()["forbidden"].clone();
    assert_eq!(forbidden, json!(["https://git.example.com/other.git", "other", "Namespace"]));
    for answer in answers {
        assert_eq!((&answer["error"], &answer["forbidden"]), (&json!(""), &Value::Null));
    }
}

/// A live object with everything that others write, and the same object as it is compared.
fn live(kind: &str) -> (Value, Value) {
    match kind {
        "InferenceService" => (
            json!({
                "metadata": {"annotations": {"modelFormat": "vLLM", "serving.kserve.io/deploymentMode": "Standard", "own": "x"}},
                "spec": {"predictor": {
                    "automountServiceAccountToken": false,
                    "model": {"protocolVersion": "v2", "runtime": "vllm"},
                }},
                "status": {"url": "https://example.com"},
            }),
            json!({
                "metadata": {"annotations": {"own": "x"}},
                "spec": {"predictor": {"model": {"runtime": "vllm"}}},
            }),
        ),
        "MachineSet" => (
            json!({
                "metadata": {"annotations": {"machine.openshift.io/GPU": "1", "own": "x"}},
                "spec": {"replicas": 3, "template": {"spec": {"providerSpec": {"value": {
                    "ami": {"id": "ami-1"},
                    "disks": [{"image": "rhcos", "sizeGb": 128}],
                }}}}},
            }),
            json!({
                "metadata": {"annotations": {"own": "x"}},
                "spec": {"template": {"spec": {"providerSpec": {"value": {"disks": [{"sizeGb": 128}]}}}}},
            }),
        ),
        "NodeNetworkConfigurationPolicy" => (
            json!({"metadata": {"annotations": {"nmstate.io/webhook-mutating-timestamp": "1", "own": "x"}}}),
            json!({"metadata": {"annotations": {"own": "x"}}}),
        ),
        "ServiceAccount" => (
            json!({
                "imagePullSecrets": [{"name": "builder-dockercfg-x7k2p"}, {"name": "own"}],
                "secrets": [{"name": "builder-dockercfg-x7k2p"}],
            }),
            json!({"imagePullSecrets": [{"name": "own"}], "secrets": []}),
        ),
        _ => (json!({"spec": {"own": 1}, "status": {"state": "ready"}}), json!({"spec": {"own": 1}})),
    }
}

/// jq expressions and pointers remove what others write, and nothing else.
#[test]
fn known_differences_are_ignored() {
    let Some(mut argo_cd) = argo_cd() else { return };
    let with_kind = |mut object: Value, index: usize| {
        object["apiVersion"] = json!(IGNORED[index].kind.api_version);
        object["kind"] = json!(IGNORED[index].kind.kind);
        object
    };
    let entries: Vec<Value> = IGNORED.iter().map(|ignored| ignored.entry()).collect();
    let application = json!({"spec": {"ignoreDifferences": entries}});
    let objects = IGNORED.iter().map(|ignored| live(ignored.kind.kind));
    let (live, expected): (Vec<Value>, Vec<Value>) = objects.unzip();
    let questions = live.into_iter().enumerate();
    let questions = questions.map(|(i, it)| json!({"application": application, "object": with_kind(it, i)}));
    let answers = argo_cd.ask(questions.collect());
    for (i, (answer, expected)) in answers.iter().zip(expected).enumerate() {
        assert_eq!(answer["error"], "");
        assert_eq!(answer["object"], with_kind(expected, i));
    }
}

/// The table of scopes agrees with the CRDs.
#[test]
fn scopes_are_those_of_the_crds() {
    let directory = Some(root().join(".tools/crds")).filter(|path| path.is_dir());
    let Some(directory) = demanded("the CRDs", directory) else { return };
    let mut known = 0;
    for entry in fs::read_dir(directory).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        let field = |key: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(key));
            line.unwrap_or_default().trim_matches(['"', '\'', ' ']).to_owned()
        };
        let (group, kind) = (field("  group: "), field("    kind: "));
        let scope = if field("  scope: ") == "Cluster" { Scope::Cluster } else { Scope::Namespaced };
        if let Some(own) = scopes::of(&group, &kind) {
            known += 1;
            assert_eq!(own, scope, "{group}/{kind}");
        }
    }
    assert!(known > 20, "{known}");
}
