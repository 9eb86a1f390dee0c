//! Argo CD's own application controller syncs an example into the API server, wave by wave.
//!
//! `testdata/tools/cmp-server/sync` is the controller with its repo server, which runs kustomize and the functions. It also
//! completes the Jobs, because no other controller runs.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rhoso_fn::krm::{FieldPath, Place, Resource};
use serde_json::{Value, json};

use super::{Cluster, How, built, judge, manifests, start};
use crate::argocd_native::{commit, repository, server};
use crate::host::{demanded, root};
use crate::judge::Judge;

const EXAMPLE: &str = "examples/nvidia-l4-passthrough";

/// What a sync has done.
struct Synced {
    revision: String,
    changes: Vec<Change>,
}

#[derive(Debug)]
struct Change {
    /// ADDED, MODIFIED or DELETED.
    event: String,
    /// Kind and name.
    object: String,
    wave: i64,
}

impl Synced {
    fn objects(&self, event: &str) -> Vec<&str> {
        self.changes.iter().filter(|it| it.event == event).map(|it| it.object.as_str()).collect()
    }

    /// What has changed, except the hooks: Argo CD replaces them in each sync.
    fn changed(&self) -> BTreeSet<&str> {
        let changes = self.changes.iter().map(|it| it.object.as_str());
        changes.filter(|object| !object.starts_with("Job ")).collect()
    }
}

/// The Application of the example, with a repository that exists.
fn application(repository: &Path) -> Value {
    let text = fs::read_to_string(root().join(EXAMPLE).join("argocd/application.yaml")).unwrap();
    let resource = Resource::from_file(text.as_str().into(), 0..text.len(), Place::default()).unwrap();
    let mut value = resource.value(&FieldPath::default()).unwrap().unwrap();
    value["spec"]["source"]["repoURL"] = json!(format!("file://{}", repository.display()));
    value["spec"]["source"]["targetRevision"] = json!("HEAD");
    // To learn whether the server validates fields, Argo CD reads the server's schemas again for each object, which takes
    // most of the time of a sync. The other tests validate the same objects on the same server.
    let options = value["spec"]["syncPolicy"]["syncOptions"].as_array_mut().unwrap();
    options.push(json!("Validate=false"));
    value
}

#[track_caller]
fn sync(argo_cd: &mut Judge, application: &Value, is_requested: bool) -> Synced {
    let question = json!({"application": application, "operation": is_requested});
    let answer = argo_cd.ask(vec![question]).remove(0);
    let result = ["error", "phase", "status"].map(|key| answer[key].as_str().unwrap());
    assert_eq!(result, ["", "Succeeded", "Synced"], "{answer:#}");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let changes = answer["changes"].as_array().unwrap().iter().map(|it| Change {
        event: text(&it["type"]),
        object: format!("{} {}", text(&it["kind"]), text(&it["name"])),
        wave: text(&it["wave"]).parse().unwrap_or(0),
    });
    Synced { revision: text(&answer["revision"]), changes: changes.collect() }
}

/// An API server of its own: what Argo CD manages would be in the way of other tests.
fn cluster(expected: &str) -> Option<Cluster> {
    let (program, webhooks) = (built("judge-apiserver")?, built("judge-webhooks")?);
    let server = start(program, &[root().join(".tools/crds")]);
    let webhooks = Judge::start(webhooks, &[server.greeting["kubeconfig"].as_str().unwrap()]);
    let mut cluster = Cluster { server, _webhooks: Some(webhooks) };
    // The server installs the CRDs of the kinds that it is asked about.
    let project = "apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata: {name: default}\nspec: {}\n";
    let asked = manifests(expected).into_iter().chain([project]).map(|manifest| (How::AsIs, manifest));
    judge(&mut cluster, &asked.collect::<Vec<_>>());
    Some(cluster)
}

#[test]
fn argo_cd_syncs_an_example_by_waves() {
    let expected = fs::read_to_string(root().join(EXAMPLE).join("expected.yaml")).unwrap();
    let Some(cluster) = demanded("the API server", cluster(&expected)) else { return };
    let kubeconfig = cluster.server.greeting["kubeconfig"].as_str().unwrap();
    let Some((mut argo_cd, _bin)) = server("judge-sync", &["--kubeconfig", kubeconfig]) else { return };
    // A field of newer releases, which the CRD does not have.
    let plane = format!("{EXAMPLE}/base/openstackcontrolplane.yaml");
    let newer = "          messagingBus:\n            cluster: rabbitmq-cell1\n";
    let repository = repository(&plane, newer, "");
    let application = application(repository.path());

    let first = sync(&mut argo_cd, &application, false);
    let created: Vec<&Change> = first.changes.iter().filter(|it| it.event == "ADDED").collect();
    assert_eq!(created.len(), manifests(&expected).len(), "{created:#?}");
    let waves: Vec<i64> = created.iter().map(|it| it.wave).collect();
    assert!(waves.is_sorted(), "{created:#?}");
    let all: BTreeSet<i64> = waves.into_iter().collect();
    assert_eq!(all, BTreeSet::from([-10, -5, -3, -2, 0, 1, 3]));

    let second = sync(&mut argo_cd, &application, true);
    assert_eq!(second.revision, first.revision);
    assert_eq!(second.changed(), BTreeSet::new());
    let mut jobs = second.objects("ADDED");
    jobs.sort_unstable();
    let nodes = ["worker-0", "worker-1", "worker-2"];
    assert_eq!(jobs, nodes.map(|node| format!("Job prepare-local-storage-{node}")));

    let alias = format!("{EXAMPLE}/overlays/rhoso1/gpu-alias.yaml");
    let revision = commit(repository.path(), &alias, "gpu: L4\n", "gpu: A100 PCIe 80GB\n");
    let third = sync(&mut argo_cd, &application, false);
    assert_eq!(third.revision, revision);
    let with_gpus =
        ["ConfigMap gpu-nova", "OpenStackControlPlane openstack-galera", "OpenStackDataPlaneNodeSet gpu"];
    assert_eq!(third.changed(), BTreeSet::from(with_gpus));
    let modified = third.objects("MODIFIED");
    let modified: Vec<&&str> = modified.iter().filter(|it| with_gpus.contains(it)).collect();
    assert_eq!(modified.len(), with_gpus.len(), "{modified:?}");
}
