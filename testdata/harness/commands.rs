//! The command line, tested with the built binary.

use std::fs;
use std::path::Path;

use crate::host::{BINARY, Ended, assert_same, expect, root, run};

fn example() -> String {
    root().join("functions/inject-gpu-alias/example").display().to_string()
}

fn command(args: &[&str], stdin: &str) -> Ended {
    run(BINARY, args, stdin.as_bytes(), root())
}

/// Common mistakes of new users. Each gives one line, and no output that could make a host delete files.
#[test]
fn the_first_mistakes_are_answered_clearly() {
    for (stdin, line) in [
        ("", "rhoso-fn: error: stdin is empty; a ResourceList is expected on stdin"),
        ("hello\n", "rhoso-fn: error: stdin contains no Kubernetes object; "),
        ("[]\n", "rhoso-fn: error: stdin contains no Kubernetes object; "),
        (
            "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n",
            "rhoso-fn: error: the ResourceList has no functionConfig; pass one of kind ",
        ),
        (
            "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nfunctionConfig: {apiVersion: fn.rhoso.dev/v1alpha1, kind: InjectGPUAlias, metadata: {name: x}}\n",
            "rhoso-fn: error: InjectGPUAlias x: `kind`: there is no function \"InjectGPUAlias\"; did you mean \"InjectGpuAlias\"? the kinds are: ",
        ),
        (
            "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- {kind: A}\nfunctionConfig: {apiVersion: fn.rhoso.dev/v1alpha1, kind: InjectGpuAlias, metadata: {name: x}, spec: {aliasses: []}}\n",
            "rhoso-fn: error: InjectGpuAlias x: `spec.aliasses`: unknown key `aliasses`; did you mean \"aliases\"?",
        ),
    ] {
        let ended = command(&[], stdin);
        assert!(!ended.success, "{stdin}");
        assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
        assert!(ended.stderr.starts_with(line), "{}", ended.stderr);
        if stdin.contains("ResourceList") {
            assert!(ended.stdout.starts_with(stdin), "{}", ended.stdout);
            assert!(
                ended.stdout.contains("items:") && ended.stdout.contains("severity: error"),
                "{}",
                ended.stdout
            );
        } else {
            assert_eq!(ended.stdout, "");
        }
    }
}

#[test]
fn help_prints_usage_and_succeeds() {
    for args in [&["--help"][..], &["-h"], &["help"], &["render", "--help"], &["explain", "--help"]] {
        let ended = command(args, "");
        assert!(ended.success && ended.stdout.contains("Usage: rhoso-fn"), "{args:?}: {}", ended.stdout);
        assert_eq!(ended.stderr, "");
    }
    let version = command(&["--version"], "");
    assert_eq!(version.stdout, format!("rhoso-fn {}\n", env!("CARGO_PKG_VERSION")));
    let full = std::process::Command::new("sh")
        .args(["-c", &format!("{BINARY} list > /dev/full")])
        .output()
        .unwrap();
    assert!(!full.status.success());
    assert!(String::from_utf8_lossy(&full.stderr).contains("cannot write to stdout"));
    let wrong = command(&["rendr"], "");
    assert!(!wrong.success && wrong.stdout.is_empty() && wrong.stderr.contains("render"), "{}", wrong.stderr);
}

#[test]
fn functions_are_listed_and_explained() {
    let listed = command(&["list"], "").stdout;
    let lines: Vec<String> =
        listed.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert!(
        lines.iter().any(|line| line.starts_with("InjectGpuAlias transformer Adds PCI aliases")),
        "{listed}"
    );
    for what in ["InjectGpuAlias", "inject-gpu-alias", "injectgpualias"] {
        let text = command(&["explain", what], "").stdout;
        assert!(text.contains("vendorId: string, optional") && text.contains("default false"), "{text}");
    }
    for what in ["InjectGpuAlias.aliases.deviceType", "InjectGpuAlias.spec.aliases.deviceType"] {
        let text = command(&["explain", what], "").stdout;
        assert!(
            text.starts_with(
                "InjectGpuAlias.spec.aliases.deviceType: type-PCI | type-PF | type-VF, optional\n"
            ),
            "{text}"
        );
    }
    for (what, line) in [
        ("InjectGpuAlas", "did you mean \"InjectGpuAlias\"?"),
        (
            "InjectGpuAlias.aliases.devicetyp",
            "`InjectGpuAlias.spec.aliases` has no field `devicetyp`; did you mean \"deviceType\"?",
        ),
        ("InjectGpuAlias.replace.x", "it has no fields"),
    ] {
        let ended = command(&["explain", what], "");
        assert!(!ended.success && ended.stderr.contains(line), "{}", ended.stderr);
    }
    let schema: serde_json::Value =
        serde_json::from_str(&command(&["schema", "InjectGpuAlias"], "").stdout).unwrap();
    assert_eq!(schema["properties"]["spec"]["required"], serde_json::json!(["aliases"]));
    assert_eq!(schema["properties"]["kind"]["enum"], serde_json::json!(["InjectGpuAlias"]));
}

/// A copy of the example in a temporary directory.
fn copy_of_example() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(example()).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), dir.path().join(entry.file_name())).unwrap();
    }
    dir
}

const ALIAS: &str = "          [pci]\n          alias = { \"vendor_id\":\"10de\", \"product_id\":\"27b8\", \"device_type\":\"type-PF\", \"name\":\"nvidia\", \"numa_policy\":\"preferred\" }\n";

#[test]
fn render_prints_resources_and_nothing_else() {
    let rendered = expect(BINARY, &["render", &example()], b"", root());
    let given = fs::read_to_string(Path::new(&example()).join("controlplane.yaml")).unwrap();
    assert_same("the rendered example", &format!("{given}\n{ALIAS}"), &rendered.stdout);
    assert_eq!(rendered.stderr, "");
    // The current directory is the default.
    let dir = copy_of_example();
    assert_eq!(expect(BINARY, &["render"], b"", dir.path()).stdout, rendered.stdout);
}

#[test]
fn render_runs_over_folders_in_a_stable_order() {
    let dir = copy_of_example();
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("b/two.yml", "# two\nkind: Two\n---\nkind: Three");
    write(
        "a.yaml",
        "kind: One\n---\n# nothing\n---\nkind: Local\nmetadata:\n  annotations: {config.kubernetes.io/local-config: \"true\"}\n",
    );
    write("b/kustomization.yaml", "resources: [two.yml]\n");
    write("b/values.yaml", "replicas: 3\n");
    write(".hidden/x.yaml", "kind: Hidden\n");
    write("b/notes.txt", "kind: Text\n");
    write("z.json", "{\n\t\"kind\": \"Four\"\n}\n");
    let ended = expect(BINARY, &["render", "."], b"", dir.path());
    let documents: Vec<&str> = ended.stdout.split("---\n").collect();
    assert_eq!(documents[0], "kind: One\n");
    assert_eq!(documents[1], "# two\nkind: Two\n");
    assert_eq!(documents[2], "kind: Three\n");
    assert!(
        documents[3].starts_with("apiVersion: core.openstack.org") && documents.len() == 5,
        "{}",
        ended.stdout
    );
    assert_eq!(documents[4], "{\n\t\"kind\": \"Four\"\n}\n");
    assert_eq!(
        ended.stderr,
        "./b/values.yaml:1: warning: skipped: not a Kubernetes object (no `kind`) [not-krm]\n"
    );
}

#[test]
fn render_writes_only_what_differs() {
    let dir = copy_of_example();
    // In another directory: only the resources, without the functionConfig.
    let ended = expect(BINARY, &["render", ".", "-o", "out"], b"", dir.path());
    assert_eq!(ended.stdout, "out/controlplane.yaml\n");
    assert!(fs::read_to_string(dir.path().join("out/controlplane.yaml")).unwrap().ends_with(ALIAS));
    assert!(!dir.path().join("out/gpu-alias.yaml").exists());
    assert_eq!(
        expect(BINARY, &["render", "gpu-alias.yaml", "controlplane.yaml", "-o", "out"], b"", dir.path())
            .stdout,
        ""
    );
    fs::remove_dir_all(dir.path().join("out")).unwrap();
    // In place: the functionConfig remains, and a second run changes nothing.
    let config = fs::read_to_string(dir.path().join("gpu-alias.yaml")).unwrap();
    assert_eq!(expect(BINARY, &["render", ".", "-o", "."], b"", dir.path()).stdout, "./controlplane.yaml\n");
    assert_eq!(fs::read_to_string(dir.path().join("gpu-alias.yaml")).unwrap(), config);
    assert_eq!(expect(BINARY, &["render", ".", "-o", "."], b"", dir.path()).stdout, "");
}

#[test]
fn render_takes_each_file_once_and_writes_each_place_once() {
    let dir = copy_of_example();
    let once = expect(BINARY, &["render", "."], b"", dir.path()).stdout;
    std::os::unix::fs::symlink(".", dir.path().join("loop")).unwrap();
    assert_eq!(expect(BINARY, &["render", ".", "./controlplane.yaml", "."], b"", dir.path()).stdout, once);
    assert_eq!(
        expect(BINARY, &["render", ".", "controlplane.yaml", "-o", "out"], b"", dir.path()).stdout,
        "out/controlplane.yaml\n"
    );
    // The output of an earlier run is not read.
    assert_eq!(expect(BINARY, &["render", ".", "-o", "out"], b"", dir.path()).stdout, "");
    assert!(!dir.path().join("out/out").exists());

    for name in ["a", "b"] {
        fs::create_dir(dir.path().join(name)).unwrap();
        fs::write(dir.path().join(name).join("x.yaml"), format!("kind: {name}\n")).unwrap();
    }
    // If one file cannot be written, none is.
    fs::create_dir_all(dir.path().join("half/x.yaml")).unwrap();
    fs::write(dir.path().join("a/w.yaml"), "kind: W\n").unwrap();
    let ended = run(BINARY, &["render", "a", "-o", "half"], b"", dir.path());
    assert!(
        !ended.success && ended.stderr.contains("cannot write half/x.yaml: it is a directory"),
        "{}",
        ended.stderr
    );
    assert_eq!(fs::read_dir(dir.path().join("half")).unwrap().count(), 1);
}

#[test]
fn render_counts_the_lines_of_the_users_files() {
    let dir = copy_of_example();
    let config = fs::read_to_string(dir.path().join("gpu-alias.yaml")).unwrap();
    let other = config.replace("gpu: L4", "gpu: L40S").replace("nvidia-l4", "nvidia-l40s");
    fs::write(dir.path().join("other.yaml"), other).unwrap();
    let ended = run(BINARY, &["render"], b"", dir.path());
    assert!(ended.stderr.starts_with("./controlplane.yaml:14: error: "), "{}", ended.stderr);
    fs::remove_file(dir.path().join("other.yaml")).unwrap();
    fs::write(dir.path().join("x.yaml"), "kind: A\n---\nkind: B\nkind: C\n").unwrap();
    let ended = run(BINARY, &["render"], b"", dir.path());
    let twice = "./x.yaml:4: error: B: the key \"kind\" is given twice, first on line 3; remove one of them [duplicate-key]\n";
    assert_eq!(ended.stderr, twice);
}

#[test]
fn render_fails_with_file_and_line_and_writes_nothing() {
    let dir = copy_of_example();
    let plane = dir.path().join("controlplane.yaml");
    let before = fs::read_to_string(&plane).unwrap();
    let conflict =
        before.replace("[api]\n", "[pci]\n          alias = {\"name\":\"nvidia\"}\n          [api]\n");
    fs::write(&plane, &conflict).unwrap();
    let ended = run(BINARY, &["render", "-o", "."], b"", dir.path());
    assert!(!ended.success);
    assert_eq!(ended.stdout, "");
    assert!(ended.stderr.starts_with("./controlplane.yaml:14: error: OpenStackControlPlane rhoso1/openstack: `spec.nova.template.apiServiceTemplate.customServiceConfig`: the alias \"nvidia\" already exists"), "{}", ended.stderr);
    assert_eq!(fs::read_to_string(&plane).unwrap(), conflict);

    let config = dir.path().join("gpu-alias.yaml");
    let text = fs::read_to_string(&config).unwrap();
    fs::write(&config, text.replace("gpu: L4", "productId: 1e30")).unwrap();
    let ended = run(BINARY, &["render"], b"", dir.path());
    assert_eq!(
        ended.stderr,
        "./gpu-alias.yaml:13: error: InjectGpuAlias nvidia-l4: `spec.aliases[0].productId`: must be four hex digits in quotes, got 1e30 [wrong-value]\n"
    );
    fs::write(&config, text.replace("gpu: L4", "prodctId: L4")).unwrap();
    let ended = run(BINARY, &["render"], b"", dir.path());
    assert_eq!(
        ended.stderr,
        "./gpu-alias.yaml:13: error: InjectGpuAlias nvidia-l4: `spec.aliases[0].prodctId`: unknown key `prodctId`; did you mean \"productId\"? [unknown-key]\n"
    );
    fs::write(&config, &text).unwrap();

    // All broken files are reported, not only the first.
    fs::write(dir.path().join("x.yaml"), "kind: X\n---\na: 1\nb: [\n").unwrap();
    fs::write(dir.path().join("y.yaml"), b"kind: \xff\n").unwrap();
    fs::write(dir.path().join("z.yaml"), "kind: Z\nkind: Z\n").unwrap();
    let ended = run(BINARY, &["render"], b"", dir.path());
    let lines: Vec<&str> = ended.stderr.lines().collect();
    assert_eq!(lines.len(), 3, "{}", ended.stderr);
    assert!(lines[0].starts_with("./x.yaml:4: error: "), "{}", lines[0]);
    assert!(lines[1].starts_with("./y.yaml:1: error: the input is not valid UTF-8"), "{}", lines[1]);
    assert!(
        lines[2].starts_with("./z.yaml:2: error: Z: the key \"kind\" is given twice, first on line 1"),
        "{}",
        lines[2]
    );
}

#[test]
fn render_says_what_it_was_not_given() {
    let dir = tempfile::tempdir().unwrap();
    let ended = run(BINARY, &["render", "missing"], b"", dir.path());
    assert!(
        !ended.success && ended.stderr.starts_with("rhoso-fn: error: cannot read missing: "),
        "{}",
        ended.stderr
    );
    let ended = run(BINARY, &["render"], b"", dir.path());
    assert!(!ended.success && ended.stderr.contains("no YAML or JSON files in ."), "{}", ended.stderr);
    fs::write(dir.path().join("slip.yaml"), "apiVersion: fn.rhoso.io/v1alpha1\nkind: InjectGpuAlias\n")
        .unwrap();
    let ended = run(BINARY, &["render"], b"", dir.path());
    let line = "./slip.yaml:1: error: InjectGpuAlias: `apiVersion`: this is not a functionConfig: the apiVersion of InjectGpuAlias is fn.rhoso.dev/v1alpha1 [function-config]\n";
    assert!(!ended.success && ended.stderr == line, "{}", ended.stderr);
    fs::remove_file(dir.path().join("slip.yaml")).unwrap();
    fs::write(dir.path().join("a.yaml"), "kind: A\n").unwrap();
    let ended = run(BINARY, &["render"], b"", dir.path());
    assert!(ended.success && ended.stderr.contains("warning: no functionConfig"), "{}", ended.stderr);
    assert_eq!(ended.stdout, "kind: A\n");
}

/// `oc get` prints several objects as a List. The warning explains why functions do not find them.
#[test]
fn a_list_that_no_function_looks_into_is_reported() {
    let dir = copy_of_example();
    let list = "apiVersion: v1\nkind: List\nitems:\n- {kind: A}\n- {kind: B}\n";
    fs::write(dir.path().join("dump.yaml"), list).unwrap();
    fs::write(dir.path().join("none.yaml"), "apiVersion: v1\nkind: List\nitems: []\n").unwrap();
    fs::write(dir.path().join("other.yaml"), "apiVersion: x.io/v1\nkind: AllowList\nspec: {}\n").unwrap();
    let ended = expect(BINARY, &["render"], b"", dir.path());
    assert_eq!(
        ended.stderr,
        "./dump.yaml:1: warning: List: the objects inside a List (2 items) are not read; write each of them as a separate document, after a line `---` [unread-list]\n"
    );
    assert!(ended.stdout.contains(list) && ended.stdout.contains(ALIAS), "{}", ended.stdout);
}

#[test]
fn gpus_are_explained() {
    let text = |args: &[&str]| command(args, "").stdout;
    let all = text(&["explain", "gpu"]);
    assert!(all.lines().count() > 100 && all.contains("10de:27b8   type-PF"), "{all}");
    let one = text(&["explain", "gpu", "nvidia", "l4"]);
    for fact in ["NVIDIA L4", "10de", "27b8", "Ada", "24 GB", "type-PF", "gpu: L4"] {
        assert!(one.contains(fact), "{fact} is not in:\n{one}");
    }
    assert!(text(&["explain", "gpu", "MI300X"]).contains("1002:74b5"));
    assert!(text(&["explain", "gpu", "MI210"]).contains("deviceType: type-PCI # or type-PF"));
    assert_eq!(text(&["explain", "gpu", "A100 PCIe 40GB"]).lines().count(), 3);
    let ended = command(&["explain", "gpu", "L41"], "");
    assert!(!ended.success && ended.stderr.contains("did you mean \"L40\"?"), "{}", ended.stderr);
}

#[test]
fn new_secrets_are_strong_and_of_the_right_form() {
    let dir = tempfile::tempdir().unwrap();
    let make = |args: &[&str]| run(BINARY, args, b"", dir.path());
    let one = make(&["new-secrets", "--namespace", "rhoso1"]);
    assert!(one.success && one.stdout != make(&["new-secrets", "--namespace", "rhoso1"]).stdout);
    assert_eq!(one.stdout.matches("namespace: rhoso1\n").count(), 3);

    // ValidateSecrets accepts the values, as manifests and as a file of values.
    let plane = "apiVersion: core.openstack.org/v1beta1\nkind: OpenStackControlPlane\nmetadata: {name: x, namespace: rhoso1}\nspec:\n  keystone: {}\n  barbican: {}\n  heat: {enabled: true}\n  octavia: {enabled: true}\n";
    let check = "apiVersion: fn.rhoso.dev/v1alpha1\nkind: ValidateSecrets\nmetadata: {name: x}\nspec: {complete: true}\n";
    fs::write(dir.path().join("plane.yaml"), plane).unwrap();
    fs::write(dir.path().join("check.yaml"), check).unwrap();
    fs::write(dir.path().join("secrets.yaml"), &one.stdout).unwrap();
    let ended = make(&["render"]);
    assert!(ended.success && ended.stderr.is_empty(), "{}", ended.stderr);
    let written = make(&["new-secrets", "--env", "-o", "values.env"]);
    assert_eq!(written.stdout, "values.env\n");
    let make_config = "apiVersion: fn.rhoso.dev/v1alpha1\nkind: GenerateSecrets\nmetadata: {name: x}\nspec: {namespace: rhoso1, file: values.env}\n";
    fs::write(dir.path().join("secrets.yaml"), make_config).unwrap();
    let ended = make(&["render"]);
    assert!(ended.success && ended.stderr.is_empty(), "{}", ended.stderr);
    assert_eq!(ended.stdout.matches("kind: Secret\n").count(), 3);

    // An existing file is not overwritten, and only its owner can read it.
    let before = fs::read_to_string(dir.path().join("values.env")).unwrap();
    let again = make(&["new-secrets", "--env", "-o", "values.env"]);
    assert!(!again.success && again.stderr.contains("cannot write values.env"), "{}", again.stderr);
    assert_eq!(before, fs::read_to_string(dir.path().join("values.env")).unwrap());
    use std::os::unix::fs::PermissionsExt;
    assert_eq!(fs::metadata(dir.path().join("values.env")).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(!make(&["new-secrets", "-n", "No Name"]).success);
}

#[test]
fn instances_are_explained() {
    let text = |args: &[&str]| expect(BINARY, args, b"", root()).stdout;
    let one = text(&["explain", "instance", "g6.4xlarge"]);
    assert!(one.starts_with("AWS g6.4xlarge\n") && one.contains("GPU:           nvidia-l4\n"), "{one}");
    assert!(one.contains("vCPU:          16\n") && one.contains("memory:        64 GiB\n"), "{one}");
    let all = text(&["explain", "instance"]);
    for name in ["g6.12xlarge", "Standard_NC4as_T4_v3", "a2-highgpu-1g"] {
        assert!(all.contains(&format!(" {name} ")), "{all}");
    }
    assert!(text(&["explain", "instance", "nvidia", "l4"]).contains(" g2-standard-4 "));
    assert!(!text(&["explain", "instance", "gcp"]).contains(" g6.12xlarge "));
    let ended = command(&["explain", "instance", "g6.5xlarge"], "");
    assert!(!ended.success && ended.stderr.contains("did you mean \"g6."), "{}", ended.stderr);
}
