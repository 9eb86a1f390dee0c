//! GenerateMachineSets on real dumps, in the cluster, and its catalogue.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rhoso_fn::krm::{FieldPath, Place, Resource};
use rhoso_fn::platform::instance;
use rhoso_fn::platform::machine::MACHINE_SET;
use rhoso_fn::yaml::stream;
use serde_json::Value;

use crate::host::case::Case;
use crate::host::{BINARY, expect, files_below, python, root, run, run_with, shared};
use crate::stories::{assert_same_resources, resources};

/// A case with the worker MachineSets of a cluster, and other resources.
fn workers() -> Case {
    Case::named("generate-machine-sets", "skips-machinesets-that-are-not-workers")
}

fn read(text: &str) -> Vec<Resource> {
    let read = |range| Resource::from_file(text.into(), range, Place::default()).unwrap();
    stream::documents(text).into_iter().map(read).collect()
}

fn config(spec: &str) -> String {
    format!(
        "apiVersion: fn.rhoso.dev/v1alpha1\nkind: GenerateMachineSets\nmetadata: {{name: gpu}}\nspec:\n{spec}"
    )
}

/// A functionConfig for each platform, and the fields of its providerSpec that may change.
const ASKED: [(&str, &str, &[&str]); 7] = [
    ("AWSMachineProviderConfig", "instanceType: g6e.xlarge", &["instanceType"]),
    ("AzureMachineProviderSpec", "instanceType: Standard_NC8as_T4_v3", &["vmSize"]),
    ("GCPMachineProviderSpec", "instanceType: g2-standard-8", &["machineType", "onHostMaintenance"]),
    (
        "VSphereMachineProviderSpec",
        "instanceType: rhcos-l4\n    capacity: {gpu: nvidia-l4, count: 1, cpus: 8, memoryMiB: 32768}",
        &["template", "numCPUs", "memoryMiB"],
    ),
    ("OpenstackProviderSpec", "instanceType: l4\n    capacity: {gpu: nvidia-l4, count: 1}", &["flavor"]),
    (
        "NutanixMachineProviderConfig",
        "instanceType: l4\n    capacity: {gpu: nvidia-l4, count: 1, deviceId: \"27b8\"}",
        &["gpus"],
    ),
    (
        "BareMetalMachineProviderSpec",
        "instanceType: l4\n    capacity: {gpu: nvidia-l4, count: 1}\n    hostSelector: {gpu: l4}",
        &["hostSelector"],
    ),
];

/// Other fields in which a copy may differ from its template.
const MAY_DIFFER: [&str; 14] = [
    "metadata.name",
    "metadata.annotations",
    "metadata.uid",
    "metadata.resourceVersion",
    "metadata.generation",
    "metadata.creationTimestamp",
    "metadata.managedFields",
    "status",
    "spec.replicas",
    "spec.selector.matchLabels[machine.openshift.io/cluster-api-machineset]",
    "spec.template.metadata.labels[machine.openshift.io/cluster-api-machineset]",
    "spec.template.spec.metadata",
    "spec.template.spec.taints",
    "metadata.labels[cluster-api/accelerator]",
];

#[test]
fn every_dump_is_copied_with_nothing_else_changed() {
    let Some(folder) = shared("samples/gpu") else { return };
    let provider = FieldPath::new("spec.template.spec.providerSpec.value");
    let mut all = Vec::new();
    for path in files_below(&folder) {
        let text = fs::read_to_string(&path).unwrap();
        let Some(template) = read(&text).into_iter().find(|item| item.is(MACHINE_SET)) else { continue };
        let what = path.display().to_string();
        let kind: String = template.get(&provider.clone().key("kind")).unwrap().unwrap();
        let (_, asked, fields) = ASKED.iter().find(|(known, ..)| *known == kind).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let name = &template.id().name;
        let spec = format!("  template: {{name: {name}}}\n  machines:\n  - {asked}\n  keepTemplate: false\n");
        fs::write(dir.path().join("config.yaml"), config(&spec)).unwrap();
        let rendered =
            expect(BINARY, &["render", "config.yaml", path.to_str().unwrap()], b"", dir.path()).stdout;
        let made = read(&rendered);
        assert_eq!(made.len(), 1, "{what}");

        // A second run changes nothing.
        fs::write(dir.path().join("made.yaml"), &rendered).unwrap();
        let args = ["render", "config.yaml", "made.yaml", path.to_str().unwrap()];
        assert_eq!(expect(BINARY, &args, b"", dir.path()).stdout, rendered, "{what}");

        // Only the expected fields differ, and the remaining text is the same.
        let (mut before, mut after) =
            (Resource::new(&value(&template)).unwrap(), Resource::new(&value(&made[0])).unwrap());
        let own = fields.iter().map(|field| provider.clone().key(*field));
        let hive = ["hive.openshift.io/managed", "hive.openshift.io/machine-pool"];
        let hive = hive.map(|key| FieldPath::new("metadata.labels").key(key));
        let paths: Vec<FieldPath> =
            MAY_DIFFER.map(FieldPath::new).into_iter().chain(own).chain(hive).collect();
        for item in [&mut before, &mut after] {
            for path in &paths {
                item.remove(path).unwrap();
            }
        }
        assert_eq!(value(&before), value(&after), "{what}");
        let (old, new) = (provider_lines(&text), provider_lines(&rendered));
        let added: Vec<&String> = new.iter().filter(|line| !old.contains(line)).collect();
        let expected =
            ["g6e.xlarge", "Standard_NC8as_T4_v3", "g2-standard-8", "Terminate", "rhcos-l4", ": 8", "32768"];
        let expected = [
            &expected[..],
            &["flavor: l4", "gpus:", "DeviceID", "10168", "hostSelector", "matchLabels", "gpu: l4"],
        ]
        .concat();
        for line in added {
            assert!(expected.iter().any(|part| line.contains(part)), "{what}: {line}");
        }

        // Names, selectors and labels match.
        let of = |path: &str| made[0].get::<String>(&FieldPath::new(path)).unwrap().unwrap();
        let name = made[0].id().name.clone();
        assert!(name.len() <= 57 && name.contains("-gpu-"), "{name}");
        for path in &MAY_DIFFER[9..11] {
            assert_eq!(of(path), name, "{what}");
        }
        assert!(of("spec.template.spec.metadata.labels.cluster-api/accelerator").starts_with("nvidia-"));
        all.push(rendered);
    }
    assert!(all.len() > 10, "{} dumps of MachineSets", all.len());
    if let (Some(check), Some(python)) = (shared("tools/check-crd"), python()) {
        let checked = run(&python, &[check.to_str().unwrap()], all.join("---\n").as_bytes(), root());
        assert!(checked.success, "{}", checked.stdout);
        assert!(checked.stdout.starts_with(&format!("{} checked", all.len())), "{}", checked.stdout);
    }
}

fn value(item: &Resource) -> Value {
    item.value(&FieldPath::default()).unwrap().unwrap()
}

/// The lines of the providerSpec.
fn provider_lines(text: &str) -> Vec<String> {
    let begins = |line: &str| line.trim_start_matches([' ', '"']).starts_with("providerSpec");
    let lines = text.lines().skip_while(|line| !begins(line));
    let margin = |line: &str| line.len() - line.trim_start().len();
    let mut lines = lines.peekable();
    let depth = lines.peek().map_or(0, |line| margin(line));
    lines
        .enumerate()
        .take_while(|(i, line)| *i == 0 || margin(line) > depth)
        .map(|(_, line)| line.to_owned())
        .collect()
}

/// A fake `oc` that reads MachineSets from a directory, and saves the applied resources.
const OC: &str = r#"#!/bin/sh
echo "$*" >> "$CLUSTER/calls"
case "$1 $2" in
"get machinesets.machine.openshift.io")
  for file in "$CLUSTER"/there/*.yaml; do
    name="${file##*/}"
    echo "machineset.machine.openshift.io/${name%.yaml}"
  done ;;
"get machineset.machine.openshift.io/"*) cat "$CLUSTER/there/${2##*/}.yaml" ;;
"apply -R") cp -r "$4" "$CLUSTER/applied" ;;
*) echo "no such command: $*" >&2; exit 1 ;;
esac
"#;

/// Runs the Job of a functionConfig in a cluster with these MachineSets, and returns the applied resources.
fn discovered(spec: &str, there: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    let at = |below: &str| dir.path().join(below);
    for folder in ["bin", "work", "cluster/there"] {
        fs::create_dir_all(at(folder)).unwrap();
    }
    fs::write(at("bin/oc"), OC).unwrap();
    fs::set_permissions(at("bin/oc"), fs::Permissions::from_mode(0o755)).unwrap();
    for set in read(there) {
        fs::write(at("cluster/there").join(format!("{}.yaml", set.id().name)), set.text()).unwrap();
    }
    let images = "  discover: {image: registry.example.com/rhoso-fn:1, oc: registry.example.com/cli:1}\n";
    fs::write(at("gpu.yaml"), config(&format!("{spec}{images}"))).unwrap();
    let made = read(&expect(BINARY, &["render", "gpu.yaml"], b"", dir.path()).stdout);

    // Like the kubelet, provide the files of the ConfigMap and the variables of the container.
    let of_kind = |kind: &str| made.iter().find(|item| item.id().kind == kind).unwrap();
    let data = FieldPath::new("data");
    for file in ["config.yaml", "generate.sh"] {
        let text: String = of_kind("ConfigMap").get(&data.clone().key(file)).unwrap().unwrap();
        fs::write(at(file), text).unwrap();
    }
    let container = "spec.template.spec.containers[0]";
    let command: Vec<String> =
        of_kind("Job").get(&FieldPath::new(&format!("{container}.command"))).unwrap().unwrap();
    assert_eq!(command, ["/bin/sh", "/config/generate.sh"]);
    let variables = of_kind("Job").value(&FieldPath::new(&format!("{container}.env"))).unwrap().unwrap();
    let names: Vec<&str> = variables.as_array().unwrap().iter().filter_map(|v| v["name"].as_str()).collect();
    assert_eq!(names, ["HOME", "CONFIG", "RHOSO_FN"]);
    let path = format!("{}:{}", at("bin").display(), std::env::var("PATH").unwrap());
    let (config, cluster) = (at("config.yaml").display().to_string(), at("cluster").display().to_string());
    let variables =
        [("PATH", path.as_str()), ("CONFIG", &config), ("RHOSO_FN", BINARY), ("CLUSTER", &cluster)];
    let script = at("generate.sh").display().to_string();
    let ended = run_with("/bin/sh", &[&script], b"", &at("work"), &variables);
    assert!(ended.success, "{}", ended.stderr);
    let applied: Vec<String> =
        files_below(&at("cluster/applied")).iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    applied.join("---\n")
}

/// The Job applies what the function generates from the cluster's MachineSets, and no existing resource.
#[test]
fn the_job_does_in_the_cluster_what_the_function_does_in_git() {
    let case = workers();
    let (there, made) = (case.input, case.outcome.generated);
    let spec = "  machines:\n  - instanceType: g6.4xlarge\n";
    assert_same_resources("first", &resources(&made), &resources(&discovered(spec, &there)));
    // In later runs the MachineSet exists, with the fields that the API server added, and the functionConfig
    // changes.
    let there = format!("{there}---\n{made}status:\n  replicas: 1\n");
    assert_same_resources("again", &resources(&made), &resources(&discovered(spec, &there)));
    let three = format!("{spec}    replicas: 3\n");
    let made = made.replace("  replicas: 1\n", "  replicas: 3\n");
    assert_same_resources("changed", &resources(&made), &resources(&discovered(&three, &there)));
}

#[test]
fn the_job_works_on_the_dumps() {
    let Some(folder) = shared("samples/gpu") else { return };
    let dump = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let there =
        format!("{}---\n{}", dump("aws-worker-416plus-dump.yaml"), dump("aws-gpu-g6-4xlarge-dump.yaml"));
    let spec = "  machines:\n  - instanceType: g6.4xlarge\n  - instanceType: g6.12xlarge\n    autoscale: {min: 0, max: 4}\n";
    let applied = resources(&discovered(spec, &there));
    let names: Vec<&str> = applied.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "MachineAutoscaler openshift-machine-api/cluster-zpqdx-xxm9n-gpu-g6-12xlarge-us-east-2a",
            "MachineSet openshift-machine-api/cluster-zpqdx-xxm9n-gpu-g6-12xlarge-us-east-2a",
            "MachineSet openshift-machine-api/cluster-zpqdx-xxm9n-gpu-g6-4xlarge-us-east-2a",
        ]
    );
}

/// A generated resource belongs to its functionConfig, even if an earlier run has written it to a file.
#[test]
fn two_configs_for_one_machineset_are_refused_every_time() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
    write("workers.yaml", &workers().input);
    write("a.yaml", &config("  machines:\n  - instanceType: g6.4xlarge\n"));
    expect(BINARY, &["render", ".", "-o", "."], b"", dir.path());
    for again in ["with its file there", "from nothing"] {
        write("b.yaml", &config("  machines:\n  - instanceType: g6.4xlarge\n    replicas: 5\n"));
        let ended = run(BINARY, &["render", ".", "-o", "."], b"", dir.path());
        assert!(!ended.success && ended.stderr.contains("[made-twice]"), "{again}: {}", ended.stderr);
        fs::remove_dir_all(dir.path().join("openshift-machine-api")).unwrap_or_default();
    }
    write("b.yaml", &config("  machines:\n  - instanceType: g6.4xlarge\n"));
    expect(BINARY, &["render", "."], b"", dir.path());
}

/// Compares the catalogue with the tables next to the project, if they exist.
#[test]
fn the_catalogue_has_the_figures_of_the_tables() {
    let mut rows = 0;
    for cloud in ["aws", "azure", "gcp"] {
        let Some(path) = shared(&format!("data/{cloud}-gpu.tsv")) else { return };
        for line in fs::read_to_string(path).unwrap().lines().skip(1) {
            let cells: Vec<&str> = line.split('\t').collect();
            let known = instance::by_name(cells[0]).unwrap_or_else(|| panic!("{line}"));
            rows += 1;
            assert_eq!(known.cloud.name().to_lowercase(), cloud);
            assert_eq!(known.cpus.to_string(), cells[1], "{line}");
            assert_eq!(known.memory_mib, cells[2].parse().ok(), "{line}");
            assert_eq!(known.accelerator.as_str(), format!("{}-{}", cells[3], cells[4]), "{line}");
            let count = if cells[5] == "frac" { Some(0) } else { cells[5].parse().ok() };
            assert_eq!(known.count, count, "{line}");
            assert_eq!(known.gpu_memory_mib, cells[6].parse().ok(), "{line}");
            assert_eq!(known.architecture, cells[7], "{line}");
        }
    }
    assert_eq!(rows, instance::catalogue().len());
}

/// The example has the names and labels of the document that it is based on.
#[test]
fn the_story_is_that_of_the_document() {
    let expected = root().join("examples/gpu-machinesets/expected.yaml");
    let made = read(&fs::read_to_string(Path::new(&expected)).unwrap());
    let of =
        |item: &Resource, path: &str| item.get::<String>(&FieldPath::new(path)).unwrap().unwrap_or_default();
    let facts: Vec<[String; 5]> = made
        .iter()
        .map(|set| {
            let node = "spec.template.spec.metadata.labels";
            [
                set.id().name.clone(),
                of(set, "spec.template.spec.providerSpec.value.instanceType"),
                of(set, "metadata.annotations[machine.openshift.io/GPU]"),
                of(set, &format!("{node}[nvidia.com/gpu.present]")),
                of(set, &format!("{node}[node-role.kubernetes.io/gpu]")),
            ]
        })
        .collect();
    let expected = [
        ["cluster-zpqdx-xxm9n-gpu-g6-4xlarge-us-east-2a", "g6.4xlarge", "1", "true", ""],
        ["cluster-zpqdx-xxm9n-gpu-g6-12xlarge-us-east-2a", "g6.12xlarge", "4", "true", ""],
    ];
    assert_eq!(facts, expected.map(|row| row.map(str::to_owned)));
    for set in &made {
        let taints = set.value(&FieldPath::new("spec.template.spec.taints")).unwrap();
        let taint = serde_json::json!([{"key": "nvidia.com/gpu", "value": "true", "effect": "NoSchedule"}]);
        assert_eq!(taints, Some(taint));
    }
}

/// The README shows the actual `ignoreDifferences` of the Application.
#[test]
fn the_snippet_for_argo_cd_is_true() {
    let read = |file: &str| fs::read_to_string(root().join("examples/gpu-machinesets").join(file)).unwrap();
    let application = read("argocd/application.yaml");
    let at = application.find("  ignoreDifferences:\n").unwrap();
    assert!(read("README.md").contains(&format!("```yaml\n{}```\n", &application[at..])));
}
