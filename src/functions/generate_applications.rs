//! GenerateApplications: the spec, its checked form, and the order of the objects.

mod applications;
mod check;
mod kinds;
mod namespaces;
mod project;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::krm::{Fault, Function, Generator, Mistakes, Resource, Results};
use crate::platform::argocd::ignored::Ignored;
use crate::platform::argocd::{DEFAULT_PROJECT, OPENSHIFT_GITOPS};
use kinds::GroupKind;

/// Generates Argo CD Applications from one list: as Applications or as one ApplicationSet, with their AppProject and
/// Namespaces.
///
/// Each entry of `applications` is a directory of the repository and the namespace that it is deployed to, such as one
/// environment of a model, one OpenStack instance, or the GPU machines of a cluster. All Applications are for the
/// cluster in which Argo CD runs. Apply the generated objects to it, or let another Application sync them.
///
/// Argo CD renders a directory that has a kustomization with kustomize. Set `plugin` to render it with a
/// config management plugin instead.
///
/// Both forms give the same Applications. They have no finalizer, so `oc delete` does not delete what an Application has
/// deployed.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GenerateApplications {
    /// The URL of the Git repository.
    #[serde(rename = "repoURL")]
    repo_url: String,
    /// The branch, tag or commit.
    #[serde(default = "head")]
    revision: String,
    /// The AppProject of the Applications.
    #[serde(default = "default_project")]
    project: String,
    /// Generates the AppProject. It allows the repository, and the namespaces in the list.
    create_project: Option<CreateProject>,
    /// The namespace of Argo CD, which contains the generated Applications.
    #[serde(default = "openshift_gitops")]
    namespace: String,
    /// Whether to generate Applications or an ApplicationSet.
    #[serde(default)]
    form: Form,
    /// The name of the ApplicationSet. Defaults to the project. Only for `form: applicationset`.
    name: Option<String>,
    /// The name of a config management plugin that renders the directories, such as `rhoso-fn-v1.0`. Defaults to the
    /// tool that Argo CD finds, which is kustomize for a directory with a kustomization.
    plugin: Option<String>,
    /// The Applications. At least one is required.
    applications: Vec<ApplicationSpec>,
    /// Settings of all Applications.
    #[serde(default)]
    defaults: Defaults,
    /// Generates the Namespaces in the list, and gives Argo CD access to them. Namespaces of the platform (`default`,
    /// `kube-…`, `openshift-…`) and Argo CD's own are not generated.
    namespaces: Option<NamespacesSpec>,
}

/// What the AppProject allows. Name kinds as `InferenceService`, or as `serving.kserve.io/InferenceService` if the kind
/// is not known or several groups have it. `*` allows all kinds.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CreateProject {
    /// Cluster-scoped kinds. Argo CD allows no others. `Namespace` is added if `createNamespace` is set, because Argo CD
    /// checks the namespaces that it creates too.
    #[serde(default)]
    cluster_kinds: Vec<String>,
    /// Kinds in namespaces. Defaults to all.
    namespaced_kinds: Option<Vec<String>>,
}

/// The form of the generated Applications.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Form {
    /// One Application for each entry.
    #[default]
    Applications,
    /// One ApplicationSet with a list generator. A `templatePatch` adds automated sync to the Applications that have it.
    ApplicationSet,
}

/// One Application.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ApplicationSpec {
    /// The name of the Application.
    name: String,
    /// The directory in the repository, relative to its root.
    path: String,
    /// The namespace that the Application is deployed to.
    destination: String,
    /// Whether Argo CD syncs on its own.
    #[serde(default)]
    sync: Sync,
    /// The sync wave of the Application, for an Application that syncs the generated ones. Argo CD waits for a wave to be
    /// healthy only if it has a health check for Applications. An ApplicationSet creates all Applications at once.
    wave: Option<i32>,
}

/// When Argo CD syncs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Sync {
    /// When Git or the cluster changes. It deletes what is no longer in Git, and reverts manual changes.
    Auto,
    /// When somebody starts a sync.
    #[default]
    Manual,
}

/// Settings of all Applications.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Defaults {
    /// Whether Argo CD creates the namespace of an Application if it does not exist. It creates it without labels;
    /// set `namespaces` too if Argo CD or OpenShift AI needs them.
    #[serde(default)]
    create_namespace: bool,
    /// Whether Argo CD deletes what is no longer in Git only after everything else is applied and healthy.
    #[serde(default)]
    prune_last: bool,
    /// Repeats a failed sync, after 5 seconds and then after twice the time each, up to 3 minutes.
    retry: Option<Retry>,
    /// Kinds whose objects controllers and webhooks change. Argo CD ignores the fields that they are known to write,
    /// and a sync does not overwrite them. It does not apply changes in Git to these fields either, except to new
    /// objects:
    ///
    /// - `ClusterPolicy`, `NodeFeatureDiscovery`: the status
    /// - `InferenceService`: the status, `automountServiceAccountToken`, `protocolVersion`, and the annotations for
    ///   the deployment mode, the model format and the namespace of the hardware profile
    /// - `MachineSet`: the status, `replicas`, boot images, and the annotations of the autoscaler and of the providers
    /// - `NodeNetworkConfigurationPolicy`: the status, and the annotation with the time of the last change
    /// - `ServiceAccount`: the pull secret of OpenShift's internal registry
    #[serde(default)]
    ignore_differences: Vec<String>,
}

/// How often a failed sync is repeated.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Retry {
    /// The maximum number of retries. -1 is no limit.
    #[schemars(range(min = -1))]
    limit: i32,
}

/// The Namespaces. Argo CD does not prune them, because everything in a namespace is deleted with it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NamespacesSpec {
    /// How Argo CD gets access to the namespaces.
    #[serde(default)]
    access: Access,
    /// Whether to add the label `opendatahub.io/dashboard: "true"`, which makes a namespace a project of OpenShift AI.
    #[serde(default, rename = "openshiftAI")]
    openshift_ai: bool,
    /// The ServiceAccount of Argo CD's application controller, for `access: roleBinding`. Required if `namespace` is not
    /// `openshift-gitops`.
    service_account: Option<String>,
}

/// How Argo CD gets access to a namespace.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum Access {
    /// By the label `argocd.argoproj.io/managed-by`, for which OpenShift GitOps creates roles. The first sync may fail
    /// until they exist, so set `retry` too.
    #[default]
    Label,
    /// By a RoleBinding to the ClusterRole `admin`.
    RoleBinding,
    /// Argo CD already has access.
    None,
}

fn head() -> String {
    "HEAD".to_owned()
}

fn default_project() -> String {
    DEFAULT_PROJECT.to_owned()
}

fn openshift_gitops() -> String {
    OPENSHIFT_GITOPS.0.to_owned()
}

/// A GenerateApplications without mistakes.
#[derive(Debug)]
pub struct Applications {
    repo_url: String,
    revision: String,
    project: String,
    allowed: Option<Allowed>,
    /// The namespace of Argo CD.
    namespace: String,
    /// The name of the ApplicationSet, unless the form is Applications.
    set: Option<String>,
    plugin: Option<String>,
    /// At least one.
    applications: Vec<ApplicationSpec>,
    create_namespace: bool,
    prune_last: bool,
    retry: Option<Retry>,
    ignored: Vec<&'static Ignored>,
    namespaces: Option<Namespaces>,
}

/// The kinds that the generated AppProject allows.
#[derive(Debug)]
struct Allowed {
    cluster: Vec<GroupKind>,
    /// None allows all.
    namespaced: Option<Vec<GroupKind>>,
}

/// How the Namespaces are generated.
#[derive(Debug)]
struct Namespaces {
    is_managed_by_label: bool,
    is_for_openshift_ai: bool,
    /// The account that a RoleBinding lets in.
    account: Option<String>,
}

impl Function for GenerateApplications {
    const KIND: &'static str = "GenerateApplications";
    const NAME: &'static str = "generate-applications";

    type Ready = Applications;

    fn check(self) -> Result<Applications, Mistakes> {
        check::check(self)
    }
}

impl Generator for Applications {
    fn generate(&self, given: &[Resource], _: &mut Results) -> Result<Vec<Resource>, Fault> {
        let mut generated = Vec::new();
        if let Some(namespaces) = &self.namespaces {
            generated.extend(self.namespaces(namespaces, given)?);
        }
        if let Some(allowed) = &self.allowed {
            generated.push(self.app_project(allowed)?);
        }
        match &self.set {
            Some(name) => generated.push(self.application_set(name)?),
            None => generated.extend(self.applications()?),
        }
        Ok(generated)
    }
}
