//! The examples: accepted, applied for real, and applied a second time without a change.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::{
    Cluster, How, ONLY_READ, assert_accepted, assert_no_new_complaints, built, changed, cluster, judge, kind,
    manifests, start,
};
use crate::host::case::Case;
use crate::host::{BINARY, Ended, assert_same, expect, files_below, root, run, shared, tool_if_present};

pub struct Example {
    pub name: String,
    pub text: String,
    /// The files of a function's example.
    given: String,
}

/// The expected result of each whole example, and what `render` makes of each function's.
pub fn examples() -> Vec<Example> {
    let mut found = Vec::new();
    for (parent, below) in [("examples", "expected.yaml"), ("functions", "example")] {
        let mut folders: Vec<PathBuf> =
            std::fs::read_dir(root().join(parent)).unwrap().map(|entry| entry.unwrap().path()).collect();
        folders.sort();
        for path in folders.into_iter().map(|folder| folder.join(below)).filter(|path| path.exists()) {
            let name = path.strip_prefix(root()).unwrap().display().to_string();
            let read = |path: &PathBuf| std::fs::read_to_string(path).unwrap();
            let (text, given) = if path.is_dir() {
                let files: Vec<String> = files_below(&path).iter().map(read).collect();
                (expect(BINARY, &["render", "."], b"", &path).stdout, files.join("---\n"))
            } else {
                (read(&path), String::new())
            };
            found.push(Example { name, text, given });
        }
    }
    assert!(found.len() > 8, "{}", found.len());
    found
}

/// What the server may say about the control plane of a whole example.
const EXCUSED: &[(&str, &str)] = &[
    // It is for a small cluster.
    ("examples/nvidia-l4-passthrough/expected.yaml", "500Mi is not appropriate for production!"),
    // A field of newer releases.
    (
        "examples/nvidia-l4-passthrough/expected.yaml",
        "unknown field \"spec.nova.template.cellTemplates.cell1.messagingBus\"",
    ),
];

impl Example {
    /// The control planes that the webhooks do not accept as they are, and all other manifests that have a CRD.
    fn parts(&self) -> (Vec<&str>, Vec<&str>) {
        let is_excused = !self.given.is_empty() || EXCUSED.iter().any(|(example, _)| *example == self.name);
        let judged = manifests(&self.text).into_iter().filter(|it| !ONLY_READ.contains(&kind(it).as_str()));
        judged.partition(|manifest| is_excused && is_control_plane(manifest))
    }
}

fn is_control_plane(manifest: &str) -> bool {
    kind(manifest).ends_with(".openstack.org/v1beta1 OpenStackControlPlane")
}

#[test]
fn examples_are_accepted_and_change_nothing_the_second_time() {
    let Some(cluster) = cluster() else { return };
    let kubectl = tool_if_present("kubectl");
    let examples = examples();
    // All at once first: the server takes 2 s for the first object of a CRD.
    let first: Vec<(How, &str)> =
        examples.iter().flat_map(|example| manifests(&example.text)).map(|it| (How::AsIs, it)).collect();
    judge(&mut cluster.lock().unwrap(), &first);
    for example in examples {
        let (_, manifests) = example.parts();
        let all = |how: How| manifests.iter().map(|manifest| (how, *manifest)).collect::<Vec<_>>();
        let mut cluster = cluster.lock().unwrap();
        let verdicts = judge(&mut cluster, &all(How::Real));
        let removals = judge(&mut cluster, &all(How::Removed));
        // Those of single functions have nothing that is not in a whole example.
        let runs = kubectl.as_ref().filter(|_| example.given.is_empty()).map(|kubectl| {
            let text = manifests.join("---\n");
            let versions = "jsonpath={range .items[*]}{.kind} {.metadata.name} {.metadata.resourceVersion}{\"\\n\"}{end}";
            // It computes patches from its own types: to read the server's takes it seconds.
            let both: [&[&str]; 2] = [&["apply", "--openapi-patch=false"], &["get", "--output", versions]];
            let runs = [both, both].map(|both| both.map(|verb| with_kubectl(kubectl, &cluster, verb, &text)));
            judge(&mut cluster, &all(How::Removed));
            runs
        });
        drop(cluster);
        assert_accepted(&example.name, &manifests, &verdicts);
        assert_accepted(&format!("{}, removed", example.name), &manifests, &removals);
        let Some([first, second]) = runs else { continue };
        for run in first.iter().chain(&second) {
            assert!(run.success && run.stderr.is_empty(), "{}: {}{}", example.name, run.stdout, run.stderr);
        }
        // kubectl calls some resources "configured": it sends lists again in which the server sets defaults.
        assert_same(&format!("{}, applied again", example.name), &first[1].stdout, &second[1].stdout);
        assert_eq!(second[1].stdout.lines().count(), manifests.len(), "{}", example.name);
    }
}

/// Examples show excerpts of control planes. The functions add no cause to reject them.
#[test]
fn control_planes_of_examples_are_accepted_as_before() {
    let Some(cluster) = cluster() else { return };
    for example in examples() {
        let (after, _) = example.parts();
        let before = manifests(&example.given).into_iter().filter(|manifest| is_control_plane(manifest));
        let complaints = |manifests: Vec<&str>| -> BTreeSet<String> {
            let asked: Vec<(How, &str)> =
                manifests.into_iter().map(|manifest| (How::AsIs, manifest)).collect();
            let verdicts = judge(&mut cluster.lock().unwrap(), &asked);
            verdicts.into_iter().flat_map(|verdict| verdict.complaints).collect()
        };
        let before = complaints(before.collect());
        for complaint in complaints(after) {
            let is_excused =
                EXCUSED.iter().any(|(name, part)| *name == example.name && complaint.contains(part));
            assert!(is_excused || before.contains(&complaint), "{}: {complaint}", example.name);
        }
    }
}

fn with_kubectl(kubectl: &Path, cluster: &Cluster, verb: &[&str], manifests: &str) -> Ended {
    // Its directory is kubectl's home too, for what kubectl caches.
    let kubeconfig = Path::new(cluster.server.greeting["kubeconfig"].as_str().unwrap());
    let args = [verb, &["--kubeconfig", "kubeconfig", "--filename", "-"]].concat();
    run(kubectl, &args, manifests.as_bytes(), kubeconfig.parent().unwrap())
}

/// CRDs beside the project, where they are, are newer than the modules that the proxy has. There are no webhooks for
/// them, so required fields are filled in.
#[test]
fn newer_crds_of_openstack_agree() {
    let (Some(crds), Some(server)) = (shared("crds"), built("judge-apiserver")) else { return };
    let server = start(server, &[crds]);
    let cluster = Mutex::new(Cluster { server, _webhooks: None });
    let is_newer = |manifest: &str| {
        [" OpenStackControlPlane", " OpenStackDataPlaneNodeSet"]
            .iter()
            .any(|name| kind(manifest).ends_with(name))
            && kind(manifest).contains(".openstack.org/")
    };
    let cases = Case::all();
    let mut pairs = changed(&cases);
    pairs.retain(|(before, _), _| is_newer(before));
    assert!(assert_no_new_complaints(&cluster, &pairs, &[How::Filled]) > 50, "{}", pairs.len());
    for Example { name, text, .. } in examples() {
        let manifests: Vec<&str> =
            manifests(&text).into_iter().filter(|manifest| is_newer(manifest)).collect();
        let asked: Vec<(How, &str)> = manifests.iter().map(|manifest| (How::Filled, *manifest)).collect();
        assert_accepted(&name, &manifests, &judge(&mut cluster.lock().unwrap(), &asked));
    }
}

/// Manifests for Argo CD and OpenShift, which no function reads.
const PLATFORM: &[&str] = &[
    "docs/offline.md",
    "examples/argocd/native/application.yaml",
    "examples/argocd/native/argocd-cm.yaml",
    "examples/argocd/native/openshift-gitops.yaml",
    "examples/argocd/plugin/application.yaml",
    "examples/argocd/plugin/openshift-gitops.yaml",
    "examples/ci/argocd/job.yaml",
    "examples/fleet/applicationset.yaml",
    "examples/fleet/argocd-cm.yaml",
    "examples/fleet/argocd-cmd-params-cm.yaml",
    "examples/fleet/openshift-gitops.yaml",
];

#[test]
fn manifests_for_argo_cd_and_openshift_are_accepted() {
    let Some(cluster) = cluster() else { return };
    let mut texts: Vec<(&str, String)> = Vec::new();
    for path in PLATFORM {
        let text = std::fs::read_to_string(root().join(path)).unwrap();
        let blocks = text.split("```yaml\n").skip(1).map(|rest| rest.split("```").next().unwrap().to_owned());
        let of_page: Vec<String> =
            blocks.filter(|it| it.contains("\nkind: ImageDigestMirrorSet\n")).collect();
        assert_eq!(of_page.len(), usize::from(path.ends_with(".md")), "{path}");
        texts.extend(
            if path.ends_with(".md") { of_page } else { vec![text] }.into_iter().map(|it| (*path, it)),
        );
    }
    for (path, text) in &texts {
        let manifests = manifests(text);
        let asked: Vec<(How, &str)> = manifests.iter().map(|manifest| (How::AsIs, *manifest)).collect();
        assert_accepted(path, &manifests, &judge(&mut cluster.lock().unwrap(), &asked));
    }
    for (kind, right, wrong) in [
        ("\nkind: ArgoCD\n", "\n    replicas:", "\n    replica:"),
        ("\nkind: ImageDigestMirrorSet\n", "\n    mirrorSourcePolicy:", "\n    mirrorPolicy:"),
    ] {
        let (path, text) =
            texts.iter().find(|(_, text)| text.contains(kind) && text.contains(right)).unwrap();
        let verdict = judge(&mut cluster.lock().unwrap(), &[(How::AsIs, &text.replacen(right, wrong, 1))]);
        let complaints = &verdict[0].complaints;
        assert!(complaints.iter().any(|it| it.starts_with("unknown field ")), "{path}: {complaints:#?}");
    }
}
