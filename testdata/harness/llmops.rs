//! `examples/llmops`: the size of the overlays, the values of each environment, and the Tekton Task.

use std::fs;
use std::path::{Path, PathBuf};

use rhoso_fn::krm::{FieldPath, Place, Resource};
use serde_json::Value;

use crate::host::{BINARY, Ended, expect, files_below, kustomize, root, run_with};
use crate::stories::{Resources, copy, resources};

const ENVIRONMENTS: [&str; 3] = ["dev", "staging", "production"];

/// The values of each environment: a field of the InferenceService, and its values in the order of the environments.
const VALUES: [(&str, [&str; 3]); 15] = [
    ("/metadata/namespace", ["llmops-dev", "llmops-staging", "llmops-prod"]),
    ("/metadata/labels/environment", ENVIRONMENTS),
    (
        "/metadata/annotations/openshift.io~1display-name",
        ["qwen2.5-0.5b-dev-v1", "qwen2.5-0.5b-staging-v1", "qwen2.5-0.5b-production"],
    ),
    (
        "/metadata/annotations/opendatahub.io~1connections",
        ["dev-qwen25-05b-instruct", "staging-qwen25-05b-instruct", "prod-qwen25-05b-instruct"],
    ),
    ("/spec/predictor/minReplicas", ["1", "1", "2"]),
    ("/spec/predictor/maxReplicas", ["1", "2", "3"]),
    (
        "/spec/predictor/model/runtime",
        ["dev-qwen25-05b-instruct", "staging-qwen25-05b-instruct", "prod-qwen25-05b-instruct"],
    ),
    ("/spec/predictor/model/resources/limits/cpu", ["2", "3", "4"]),
    ("/spec/predictor/model/resources/limits/memory", ["6Gi", "8Gi", "12Gi"]),
    ("/spec/predictor/model/resources/limits/nvidia.com~1gpu", ["1"; 3]),
    ("/spec/predictor/model/resources/requests/cpu", ["600m", "1", "2"]),
    ("/spec/predictor/model/resources/requests/memory", ["4Gi", "6Gi", "8Gi"]),
    ("/spec/predictor/model/resources/requests/nvidia.com~1gpu", ["1"; 3]),
    (
        "/spec/predictor/model/storageUri",
        ["oci://quay.io/redhat-ai-services/modelcar-catalog:qwen2.5-0.5b-instruct"; 3],
    ),
    ("/metadata/annotations/serving.kserve.io~1deploymentMode", ["Standard"; 3]),
];

/// The flag of the ServingRuntime that the environments set.
const CONTEXTS: [&str; 3] = ["32768", "8000", "32768"];

fn example() -> PathBuf {
    root().join("examples/llmops")
}

fn example_copy() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    copy(&example(), dir.path());
    dir
}

fn rendered(environment: &str) -> Resources {
    let overlay = format!("overlays/{environment}");
    resources(&expect(BINARY, &["render", "base", &overlay], b"", &example()).stdout)
}

fn of_kind<'r>(resources: &'r Resources, kind: &str) -> &'r Value {
    resources.values().find(|resource| resource["kind"] == kind).unwrap()
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[test]
fn overlays_have_at_most_15_lines() {
    for environment in ENVIRONMENTS {
        let files = files_below(&example().join("overlays").join(environment));
        let lines: usize = files.iter().map(|file| fs::read_to_string(file).unwrap().lines().count()).sum();
        assert!(files.len() == 2 && (1..=15).contains(&lines), "{environment}: {lines} lines in {files:?}");
    }
}

#[test]
fn environments_have_the_values_of_the_table() {
    let readme = fs::read_to_string(example().join("README.md")).unwrap();
    for (i, environment) in ENVIRONMENTS.into_iter().enumerate() {
        let resources = rendered(environment);
        assert_eq!(resources.len(), 3, "{environment}: {:?}", resources.keys());
        let service = of_kind(&resources, "InferenceService");
        for (field, values) in VALUES {
            let value = service.pointer(field).map(text);
            assert_eq!(value.as_deref(), Some(values[i]), "{environment}: {field}");
        }
        assert_eq!(service.pointer("/spec/predictor/canaryTrafficPercent"), None, "{environment}");
        let runtime = of_kind(&resources, "ServingRuntime");
        let args = runtime.pointer("/spec/containers/0/args").unwrap().to_string();
        let context = format!("\"--max-model-len={}\"", CONTEXTS[i]);
        assert_eq!((args.matches("--max-model-len").count(), args.contains(&context)), (1, true), "{args}");
        for kind in ["ServingRuntime", "Secret"] {
            let metadata = &of_kind(&resources, kind)["metadata"];
            assert_eq!(metadata["name"], service["metadata"]["name"], "{environment}: {kind}");
            assert_eq!(metadata["namespace"], service["metadata"]["namespace"], "{environment}: {kind}");
        }
    }
    let cells = |field: &str| VALUES.iter().find(|(name, _)| name.ends_with(field)).unwrap().1;
    let pairs = |a: &str, b: &str, separator: &str| -> [String; 3] {
        let (a, b) = (cells(a), cells(b));
        std::array::from_fn(|i| format!("{}{separator}{}", a[i], b[i]))
    };
    let rows = [
        ("display name", cells("display-name").map(str::to_owned)),
        ("replicas, min to max", pairs("minReplicas", "maxReplicas", " to ")),
        ("limits, CPU and memory", pairs("limits/cpu", "limits/memory", ", ")),
        ("requests, CPU and memory", pairs("requests/cpu", "requests/memory", ", ")),
        ("`--max-model-len`", CONTEXTS.map(str::to_owned)),
    ];
    for (title, cells) in rows {
        let row = format!("| {title} | {} |", cells.join(" | "));
        assert!(readme.contains(&row), "README.md has no row {row}");
    }
}

#[test]
fn only_development_syncs_by_itself() {
    let generated = resources(&expect(BINARY, &["render", "argocd"], b"", &example()).stdout);
    let mut found = Vec::new();
    for application in generated.values().filter(|resource| resource["kind"] == "Application") {
        let spec = &application["spec"];
        let directory = spec["source"]["path"].as_str().unwrap();
        let environment = directory.strip_prefix("overlays/").unwrap();
        let namespace = of_kind(&rendered(environment), "InferenceService")["metadata"]["namespace"].clone();
        assert_eq!(spec["destination"]["namespace"], namespace, "{environment}");
        let automated = serde_json::json!({"prune": true, "selfHeal": true});
        let expected = if environment == "dev" { automated } else { Value::Null };
        assert_eq!(spec["syncPolicy"]["automated"], expected, "{environment}");
        let namespaces: Vec<&Value> = generated
            .values()
            .filter(|resource| resource["kind"] == "Namespace" && resource["metadata"]["name"] == namespace)
            .collect();
        assert_eq!(namespaces.len(), 1, "{environment}");
        found.push(environment.to_owned());
    }
    found.sort();
    assert_eq!(found, ["dev", "production", "staging"]);
}

/// Runs the script of the Task. None without kustomize.
fn validate(folder: &Path) -> Option<Ended> {
    let task = fs::read_to_string(folder.join("tekton/task.yaml")).unwrap();
    let task = Resource::from_file(task.as_str().into(), 0..task.len(), Place::default()).unwrap();
    let script: String = task.get(&FieldPath::new("spec.steps[0].script")).unwrap().unwrap();
    let directories = [Path::new(BINARY).parent()?.to_owned(), kustomize()?.parent()?.to_owned()];
    let path = format!(
        "{}:{}:{}",
        directories[0].display(),
        directories[1].display(),
        std::env::var("PATH").unwrap_or_default()
    );
    Some(run_with("sh", &["-c", &script], b"", folder, &[("PATH", path.as_str())]))
}

#[test]
fn the_task_accepts_the_example_and_rejects_defects() {
    let defects = [
        // A reference to a runtime that does not exist.
        (
            "base/inferenceservice.yaml",
            "runtime: qwen25-05b-instruct",
            "runtime: qwen25-05b",
            "missing-runtime",
        ),
        // A misspelt flag fails the rendering.
        ("overlays/staging/environment.yaml", "max-model-len", "max-model-length", "wrong-value"),
        // An S3 connection for a model in a registry.
        (
            "base/connection.yaml",
            "connection-type-protocol: oci",
            "connection-type-protocol: s3",
            "missing-connection",
        ),
        // A share of traffic that only Knative reads.
        (
            "base/inferenceservice.yaml",
            "minReplicas: 1",
            "canaryTrafficPercent: 100",
            "canary-without-knative",
        ),
    ];
    let Some(clean) = validate(example_copy().path()) else { return };
    assert_eq!(clean.code, Some(0), "{}{}", clean.stdout, clean.stderr);
    for (file, from, to, rule) in defects {
        let dir = example_copy();
        let file = dir.path().join(file);
        let before = fs::read_to_string(&file).unwrap();
        assert!(before.contains(from), "{}", file.display());
        fs::write(&file, before.replacen(from, to, 1)).unwrap();
        let ended = validate(dir.path()).unwrap();
        let report = format!("{}{}", ended.stdout, ended.stderr);
        assert!(ended.code != Some(0) && report.contains(rule), "{rule}: {:?}\n{report}", ended.code);
    }
}

/// What README.md says about a patch that addresses an argument by its position.
#[test]
fn a_patch_by_index_changes_another_argument() {
    let Some(kustomize) = kustomize() else { return };
    let readme = fs::read_to_string(example().join("README.md")).unwrap();
    let (_, patch) = readme.split_once("```yaml\npatches:").unwrap();
    let patch = patch.split_once("```").unwrap().0;
    let args = |base_has_another: bool| -> String {
        let dir = example_copy();
        let runtime = dir.path().join("base/servingruntime.yaml");
        if base_has_another {
            let before = fs::read_to_string(&runtime).unwrap();
            let after = before.replacen("    - --model=", "    - --dtype=half\n    - --model=", 1);
            assert_ne!(before, after);
            fs::write(&runtime, after).unwrap();
        }
        let overlay = format!("resources: [../../base]\npatches:{patch}");
        fs::write(dir.path().join("overlays/staging/kustomization.yaml"), overlay).unwrap();
        let built = expect(&kustomize, &["build", "overlays/staging"], b"", dir.path());
        assert_eq!(built.stderr, "");
        of_kind(&resources(&built.stdout), "ServingRuntime")["spec"]["containers"][0]["args"].to_string()
    };
    let right =
        r#"["--port=8080","--model=/mnt/models","--served-model-name={{.Name}}","--max-model-len=8000"]"#;
    assert_eq!(args(false), right);
    let wrong = r#"["--port=8080","--dtype=half","--model=/mnt/models","--max-model-len=8000","--max-model-len=32768"]"#;
    assert_eq!(args(true), wrong);
}
