//! The image, the binaries of both architectures, Argo CD, and behaviour of single hosts.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rhoso_fn::yaml::{Document, stream};
use serde_json::Value;

use crate::host::{
    BINARY, Ended, assert_same, command, demanded, expect, kustomize, root, run, run_with, shared, tool,
};

const IMAGE: &str = concat!("localhost/rhoso-fn:", env!("CARGO_PKG_VERSION"));

fn example() -> PathBuf {
    root().join("functions/inject-gpu-alias/example")
}

fn rendered_example() -> String {
    expect(BINARY, &["render", example().to_str().unwrap()], b"", root()).stdout
}

/// A ResourceList with the example, as kpt sends it.
fn list() -> String {
    let plane = fs::read_to_string(example().join("controlplane.yaml")).unwrap();
    let config = fs::read_to_string(example().join("gpu-alias.yaml")).unwrap();
    crate::host::case::wire(&[&plane], &config)
}

fn containers_conf() -> String {
    root().join("testdata/tools/containers.conf").display().to_string()
}

/// podman, if the image exists, which `make image` builds.
fn podman() -> Option<PathBuf> {
    let podman = tool("podman")?;
    has_image(&podman, IMAGE).then_some(podman)
}

fn has_image(podman: &Path, name: &str) -> bool {
    let found = podman_run(podman, &["image", "exists", name], b"").success;
    demanded(&format!("the image {name}"), found.then_some(())).is_some()
}

fn podman_run(podman: &Path, args: &[&str], stdin: &[u8]) -> Ended {
    run_with(podman, args, stdin, root(), &[("CONTAINERS_CONF", &containers_conf())])
}

#[test]
fn the_image_is_small_and_says_what_it_is() {
    let Some(podman) = podman() else { return };
    for (arch, name) in [("amd64", format!("{IMAGE}-amd64")), ("arm64", format!("{IMAGE}-arm64"))] {
        if !has_image(&podman, &name) {
            continue;
        }
        let inspected: Value =
            serde_json::from_str(&podman_run(&podman, &["image", "inspect", &name], b"").stdout).unwrap();
        let image = &inspected[0];
        assert_eq!(image["Architecture"], arch);
        assert_eq!(image["Config"]["User"], "65534");
        assert_eq!(image["Config"]["Entrypoint"], serde_json::json!(["/usr/local/bin/rhoso-fn"]));
        assert_eq!(image["Labels"]["org.opencontainers.image.version"], env!("CARGO_PKG_VERSION"));
        assert_eq!(image["Labels"]["org.opencontainers.image.licenses"], "Apache-2.0");
        assert!(image["Size"].as_u64().unwrap() <= 6_000_000, "{}", image["Size"]);
    }
}

/// With the strictest restrictions, and as any user.
#[test]
fn the_image_needs_nothing() {
    let Some(podman) = podman() else { return };
    let expected = expect(BINARY, &[], list().as_bytes(), root()).stdout;
    let mut users = vec!["nobody", "65534"];
    // A user id in OpenShift's range. Rootless podman maps only the first 65536.
    let rootless = podman_run(&podman, &["info", "--format", "{{.Host.Security.Rootless}}"], b"").stdout;
    users.extend(demanded("podman as root", (rootless.trim() == "false").then_some("1000660000:0")));
    for user in users {
        let args = [
            "run",
            "--rm",
            "--interactive",
            "--pull",
            "never",
            "--network",
            "none",
            "--read-only",
            "--cap-drop",
            "all",
            "--security-opt",
            "no-new-privileges",
            "--user",
            user,
            IMAGE,
        ];
        let ended = podman_run(&podman, &args, list().as_bytes());
        assert!(ended.success, "{user}: {}", ended.stderr);
        assert_same("stdout", &expected, &ended.stdout);
    }
    let help = podman_run(&podman, &["run", "--rm", "--network", "none", IMAGE, "--help"], b"");
    assert!(help.success && help.stdout.contains("Usage: rhoso-fn"), "{}", help.stderr);
}

/// Copies the binary out of the image, which has no shell, into a volume, as an init container does.
#[test]
fn the_image_installs_itself_into_a_volume() {
    let Some(podman) = podman() else { return };
    let dir = tempfile::tempdir().unwrap();
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o777)).unwrap();
    // SELinux, if enabled, requires the label that Z sets.
    let volume = format!("{}:/custom-tools:Z", dir.path().display());
    let args = [
        "run",
        "--rm",
        "--network",
        "none",
        "--read-only",
        "--user",
        "999",
        "--volume",
        &volume,
        IMAGE,
        "install",
        "/custom-tools",
    ];
    let ended = podman_run(&podman, &args, b"");
    assert!(ended.success, "{}", ended.stderr);
    assert_eq!(ended.stdout, "/custom-tools/rhoso-fn\n");
    let installed = dir.path().join("rhoso-fn");
    assert_eq!(
        expect(&installed, &["render", example().to_str().unwrap()], b"", root()).stdout,
        rendered_example()
    );
}

/// kustomize always runs containers with `docker`.
fn docker_shim(podman: &Path) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    symlink(podman, dir.path().join("docker")).unwrap();
    dir
}

#[test]
fn kustomize_runs_the_image() {
    let (Some(podman), Some(kustomize)) = (podman(), kustomize()) else { return };
    let dir = tempfile::tempdir().unwrap();
    fs::copy(example().join("controlplane.yaml"), dir.path().join("controlplane.yaml")).unwrap();
    let config = fs::read_to_string(example().join("gpu-alias.yaml")).unwrap();
    let config =
        config.replace("exec:\n        path: rhoso-fn", &format!("container:\n        image: {IMAGE}"));
    fs::write(dir.path().join("gpu-alias.yaml"), config).unwrap();
    fs::write(
        dir.path().join("kustomization.yaml"),
        "resources: [controlplane.yaml]\ntransformers: [gpu-alias.yaml]\n",
    )
    .unwrap();
    let shim = docker_shim(&podman);
    let path = format!("{}:{}", shim.path().display(), std::env::var("PATH").unwrap());
    let variables = [("PATH", path.as_str()), ("CONTAINERS_CONF", &containers_conf())];
    let ended = run_with(&kustomize, &["build", "--enable-alpha-plugins", "."], b"", dir.path(), &variables);
    assert!(ended.success, "{}", ended.stderr);
    let exec =
        ["build", "--enable-alpha-plugins", "--enable-exec", example().to_str().unwrap()].map(str::to_owned);
    let exec: Vec<&str> = exec.iter().map(String::as_str).collect();
    assert_same("the build", &expect(&kustomize, &exec, b"", root()).stdout, &ended.stdout);
}

fn package_with(pipeline: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for file in ["controlplane.yaml", "gpu-alias.yaml"] {
        fs::copy(example().join(file), dir.path().join(file)).unwrap();
    }
    let kptfile = format!(
        "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\npipeline:\n  mutators:\n  - {pipeline}\n    configPath: gpu-alias.yaml\n"
    );
    fs::write(dir.path().join("Kptfile"), kptfile).unwrap();
    dir
}

#[test]
fn kpt_runs_the_image() {
    let Some(podman) = podman() else { return };
    for name in ["kpt", "kpt-older"] {
        let Some(kpt) = tool(name) else { continue };
        let dir = package_with(&format!("image: {IMAGE}"));
        let shim = docker_shim(&podman);
        let path = format!("{}:{}", shim.path().display(), std::env::var("PATH").unwrap());
        let conf = containers_conf();
        // The variable was renamed between the two.
        let variables = [
            ("PATH", path.as_str()),
            ("CONTAINERS_CONF", conf.as_str()),
            ("KRM_FN_RUNTIME", "podman"),
            ("KPT_FN_RUNTIME", "podman"),
        ];
        let ended = run_with(&kpt, &["fn", "render", "."], b"", dir.path(), &variables);
        assert!(ended.success, "{name}: {}", ended.stderr);
        assert!(ended.stderr.contains("[PASS]"), "{}", ended.stderr);
        assert_same(
            "the rendered package",
            &rendered_example(),
            &expect(BINARY, &["render", "."], b"", dir.path()).stdout,
        );
        let doc = run_with(&kpt, &["fn", "doc", "--image", IMAGE], b"", dir.path(), &variables);
        assert!(doc.success && doc.stdout.contains("Usage: rhoso-fn"), "{name}: {}", doc.stderr);
    }
}

#[test]
fn kpt_prints_and_keeps_results() {
    for name in ["kpt", "kpt-older"] {
        let Some(kpt) = tool(name) else { continue };
        let dir = package_with(&format!("exec: {BINARY}"));
        let plane = dir.path().join("controlplane.yaml");
        let text = fs::read_to_string(&plane)
            .unwrap()
            .replace("  nova:\n", "  nova:\n    enabled: false # for now\n");
        fs::write(&plane, &text).unwrap();
        let args =
            ["fn", "render", ".", "--allow-exec", "--results-dir", "results", "--truncate-output=false"];
        let ended = expect(&kpt, &args, b"", dir.path());
        let message = "Nova is disabled in this control plane";
        assert!(ended.stderr.contains("[warning]") && ended.stderr.contains(message), "{}", ended.stderr);
        let results = fs::read_to_string(dir.path().join("results/results.yaml")).unwrap();
        for part in [message, "severity: warning", "path: controlplane.yaml", "path: spec.nova.enabled"] {
            assert!(results.contains(part), "{part:?} is not in:\n{results}");
        }
        assert!(fs::read_to_string(&plane).unwrap().contains("enabled: false # for now"), "comments survive");
    }
}

#[test]
fn without_the_second_flag_kustomize_skips_the_function() {
    // The README warns about this. If kustomize changes its behaviour, remove the warning.
    let Some(kustomize) = kustomize() else { return };
    let ended =
        run(&kustomize, &["build", "--enable-alpha-plugins", example().to_str().unwrap()], b"", root());
    assert!(ended.success && !ended.stdout.contains("alias"), "{}", ended.stdout);
}

/// The binary for the other architecture, in an emulator.
#[test]
fn the_arm64_binary_gives_the_same_output() {
    let binary = root().join("target/arm64/aarch64-unknown-linux-gnu/release/rhoso-fn");
    let binary = demanded("the arm64 binary", binary.exists().then_some(binary));
    let (Some(binary), Some(qemu)) = (binary, tool("qemu-aarch64-static")) else { return };
    let args = [binary.to_str().unwrap().to_owned(), "render".into(), example().display().to_string()];
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    assert_same("stdout", &rendered_example(), &expect(&qemu, &args, b"", root()).stdout);
    let ended = run(&qemu, &args[..1], list().as_bytes(), root());
    assert_same("stdout", &expect(BINARY, &[], list().as_bytes(), root()).stdout, &ended.stdout);
}

#[test]
fn install_is_whole_or_not_at_all() {
    let dir = tempfile::tempdir().unwrap();
    let target = dir.path().join("rhoso-fn");
    fs::write(&target, "an older one").unwrap();
    let ended = expect(BINARY, &["install", dir.path().to_str().unwrap()], b"", root());
    assert_eq!(ended.stdout, format!("{}\n", target.display()));
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o755);
    assert_eq!(fs::read(&target).unwrap(), fs::read(BINARY).unwrap());
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "no temporary file remains");
    assert!(expect(&target, &["--version"], b"", root()).stdout.starts_with("rhoso-fn "));

    let missing = run(BINARY, &["install", "no/such/place"], b"", dir.path());
    assert!(
        !missing.success && missing.stderr.contains("no/such/place is not a directory; create it first"),
        "{}",
        missing.stderr
    );
    let closed = run(BINARY, &["install", "/proc"], b"", root());
    assert!(!closed.success && closed.stderr.contains("cannot write /proc/rhoso-fn"), "{}", closed.stderr);
    let nothing = run(BINARY, &["install"], b"", root());
    assert!(!nothing.success && nothing.stdout.is_empty(), "{}", nothing.stdout);
}

// ---- Argo CD -----------------------------------------------------------------------------------------

/// The plugin server of Argo CD with the plugin.yaml of the example.
struct PluginServer {
    child: Child,
    dir: tempfile::TempDir,
}

impl PluginServer {
    fn start() -> Option<PluginServer> {
        let (server, kustomize) = (tool("argocd-cmp-server")?, kustomize()?);
        let dir = tempfile::tempdir().unwrap();
        for name in ["config", "plugins", "work", "bin"] {
            fs::create_dir(dir.path().join(name)).unwrap();
        }
        fs::copy(root().join("examples/argocd/plugin/plugin.yaml"), dir.path().join("config/plugin.yaml"))
            .unwrap();
        // Argo CD's image has kustomize; the init container adds rhoso-fn.
        symlink(kustomize, dir.path().join("bin/kustomize")).unwrap();
        symlink(BINARY, dir.path().join("bin/rhoso-fn")).unwrap();
        let child = command(server.as_os_str(), dir.path())
            .args(["--config-dir-path", dir.path().join("config").to_str().unwrap()])
            .env("PATH", format!("{}:/usr/bin:/bin", dir.path().join("bin").display()))
            .env("ARGOCD_PLUGINSOCKFILEPATH", dir.path().join("plugins"))
            .env("ARGOCD_CMP_WORKDIR", dir.path().join("work"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let server = PluginServer { child, dir };
        let began = Instant::now();
        while !server.socket().exists() {
            assert!(began.elapsed() < Duration::from_secs(60), "the plugin server does not come up");
            std::thread::sleep(Duration::from_millis(50));
        }
        Some(server)
    }

    fn socket(&self) -> PathBuf {
        self.dir.path().join("plugins/rhoso-fn-v1.0.sock")
    }

    /// Sends a request as the repo server does.
    fn ask(&self, repository: &Path, application: &str) -> Ended {
        let application = repository.join(application);
        let args = [self.socket(), repository.to_owned(), application].map(|path| path.display().to_string());
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        run(tool("argocd-cmp-ask").unwrap(), &args, b"", self.dir.path())
    }
}

impl Drop for PluginServer {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn values(documents: &str) -> Vec<Value> {
    let mut found: Vec<Value> = stream::documents(documents)
        .into_iter()
        .map(|range| Document::parse(&documents[range]).unwrap().root_value().unwrap())
        .collect();
    found.sort_by_key(ToString::to_string);
    found
}

#[test]
fn argo_cd_gets_manifests_from_the_plugin() {
    let Some(server) = PluginServer::start() else { return };
    let examples = root().join("examples/argocd");
    for application in ["app-with-plain-files", "app-with-kustomization"] {
        let ended = server.ask(&examples, application);
        assert!(ended.success, "{application}: {}", ended.stderr);
        let mut theirs: Vec<Value> =
            ended.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        theirs.sort_by_key(ToString::to_string);
        let ours =
            expect(BINARY, &["render", examples.join(application).to_str().unwrap()], b"", root()).stdout;
        assert!(ours.contains("alias = {"), "{ours}");
        assert_eq!(theirs, values(&ours), "{application}");
    }
}

#[test]
fn argo_cd_shows_our_findings() {
    let Some(server) = PluginServer::start() else { return };
    let repository = tempfile::tempdir().unwrap();
    for application in ["app-with-plain-files", "app-with-kustomization"] {
        let folder = repository.path().join(application);
        fs::create_dir(&folder).unwrap();
        for file in fs::read_dir(root().join("examples/argocd").join(application)).unwrap() {
            let file = file.unwrap();
            let text = fs::read_to_string(file.path()).unwrap().replace("productId:", "prodctId:");
            fs::write(folder.join(file.file_name()), text).unwrap();
        }
        let ended = server.ask(repository.path(), application);
        assert!(!ended.success);
        let finding = "`spec.aliases[0].prodctId`: unknown key `prodctId`; did you mean \"productId\"?";
        assert!(ended.stderr.contains(finding), "{application}: {}", ended.stderr);
    }
}

/// Every document of the example is valid YAML, the names match, and Argo CD's CRDs accept the resources.
#[test]
fn the_argo_cd_example_is_well_formed() {
    let folder = root().join("examples/argocd");
    let read = |file: &str| fs::read_to_string(folder.join(file)).unwrap();
    let value = |file: &str| Document::parse(read(file)).unwrap().root_value().unwrap();
    let plugin = value("plugin/plugin.yaml");
    let name = format!(
        "{}-{}",
        plugin["metadata"]["name"].as_str().unwrap(),
        plugin["spec"]["version"].as_str().unwrap()
    );
    assert_eq!(value("plugin/application.yaml")["spec"]["source"]["plugin"]["name"], name);
    for file in ["native/application.yaml", "plugin/application.yaml"] {
        let path = value(file)["spec"]["source"]["path"].as_str().unwrap().to_owned();
        assert!(root().join(&path).is_dir(), "{path}");
        if let (Some(check), Some(python)) = (shared("tools/check-crd"), crate::host::python()) {
            expect(&python, &[check.to_str().unwrap()], read(file).as_bytes(), root());
        }
    }
    let options = "--enable-alpha-plugins --enable-exec";
    assert_eq!(value("native/argocd-cm.yaml")["data"]["kustomize.buildOptions"], options);
    assert_eq!(value("native/openshift-gitops.yaml")["spec"]["kustomizeBuildOptions"], options);
    // For OpenShift GitOps, one resource has the same settings and the same plugin.yaml.
    let gitops = read("plugin/openshift-gitops.yaml");
    let documents: Vec<Value> = stream::documents(&gitops)
        .into_iter()
        .map(|range| Document::parse(&gitops[range]).unwrap().root_value().unwrap())
        .collect();
    let carried =
        Document::parse(documents[0]["data"]["plugin.yaml"].as_str().unwrap()).unwrap().root_value().unwrap();
    assert_eq!(carried, plugin);
    // The patches apply to a repo server, and it gets the plugin.yaml.
    let Some(kustomize) = kustomize() else { return };
    let dir = tempfile::tempdir().unwrap();
    let server = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: argocd-repo-server}\nspec:\n  template:\n    spec:\n      containers:\n      - {name: argocd-repo-server, image: argocd}\n";
    fs::write(dir.path().join("server.yaml"), server).unwrap();
    fs::create_dir(dir.path().join("plugin")).unwrap();
    for file in ["kustomization.yaml", "plugin.yaml", "sidecar-patch.yaml"] {
        fs::copy(folder.join("plugin").join(file), dir.path().join("plugin").join(file)).unwrap();
    }
    fs::copy(folder.join("native/repo-server-patch.yaml"), dir.path().join("patch.yaml")).unwrap();
    fs::write(
        dir.path().join("kustomization.yaml"),
        "namespace: argocd\nresources: [server.yaml]\ncomponents: [plugin]\n",
    )
    .unwrap();
    let built = expect(&kustomize, &["build", "."], b"", dir.path()).stdout;
    assert!(built.contains("name: rhoso-fn-plugin-") && built.contains("install-rhoso-fn"), "{built}");
    fs::write(
        dir.path().join("kustomization.yaml"),
        "namespace: argocd\nresources: [server.yaml]\npatches: [{path: patch.yaml}]\n",
    )
    .unwrap();
    let built = expect(&kustomize, &["build", "."], b"", dir.path()).stdout;
    assert!(built.contains("mountPath: /usr/local/bin/rhoso-fn"), "{built}");
}
