//! Kinds of Argo CD, annotations by which it orders resources, and labels by which it tracks them.

pub mod ignored;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::krm::Kind;

pub const APPLICATION: Kind = Kind::new("argoproj.io/v1alpha1", "Application");
pub const APPLICATION_SET: Kind = Kind::new("argoproj.io/v1alpha1", "ApplicationSet");
pub const PROJECT: Kind = Kind::new("argoproj.io/v1alpha1", "AppProject");

/// The project that every Argo CD has. It allows everything.
pub const DEFAULT_PROJECT: &str = "default";

/// The cluster in which Argo CD runs.
pub const IN_CLUSTER: &str = "https://kubernetes.default.svc";

/// The namespace, and the account of the controller, of the instance that OpenShift GitOps creates.
pub const OPENSHIFT_GITOPS: (&str, &str) =
    ("openshift-gitops", "openshift-gitops-argocd-application-controller");

/// The label by which OpenShift GitOps lets the instance in the named namespace manage a namespace.
pub const MANAGED_BY: &str = "argocd.argoproj.io/managed-by";

/// How long Argo CD waits between retries: its own defaults.
pub const BACKOFF: (&str, u32, &str) = ("5s", 2, "3m");

/// Sync options of an Application.
pub const CREATE_NAMESPACE: &str = "CreateNamespace=true";
pub const PRUNE_LAST: &str = "PruneLast=true";
/// Without this option, a sync overwrites fields whose differences are ignored.
pub const RESPECT_IGNORED: &str = "RespectIgnoreDifferences=true";
/// The sync option of a resource that Argo CD must not delete when it is no longer in Git.
pub const NO_PRUNE: (&str, &str) = ("Prune", "false");

/// Labels by which Argo CD may track the resources of an application. It prunes tracked resources that are not in Git.
pub const TRACKING_LABELS: [&str; 2] = ["app.kubernetes.io/instance", "argocd.argoproj.io/instance"];

/// Waves are applied from low to high. Resources without this annotation are in wave 0.
pub const SYNC_WAVE: &str = "argocd.argoproj.io/sync-wave";

pub const HOOK: &str = "argocd.argoproj.io/hook";

pub const HOOK_DELETE_POLICY: &str = "argocd.argoproj.io/hook-delete-policy";

/// Sync options of a resource, separated by commas.
pub const SYNC_OPTIONS: &str = "argocd.argoproj.io/sync-options";

/// Without this option, a sync fails before its first wave when the API server lacks the kind of a resource.
pub const SKIP_DRY_RUN: (&str, &str) = ("SkipDryRunOnMissingResource", "true");

/// Adds an option to sync options. If the option already has a value, `replace` decides whether it is replaced.
pub fn with_option(options: &str, (name, value): (&str, &str), replace: bool) -> String {
    let mut parts: Vec<&str> = options.split(',').filter(|part| !part.trim().is_empty()).collect();
    let option = format!("{name}={value}");
    match parts.iter_mut().find(|part| part.trim().split('=').next() == Some(name)) {
        Some(part) if part.trim() == option || !replace => return options.to_owned(),
        Some(part) => *part = &option,
        None => parts.push(&option),
    }
    parts.join(",")
}

/// When a hook runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Hook {
    /// Before the resources of the application are applied. The application's namespaces and accounts may not exist yet.
    PreSync,
    /// In its wave, together with the other resources.
    Sync,
    /// After all resources are applied and healthy.
    PostSync,
    /// After a sync has failed.
    SyncFail,
    /// After the application is deleted.
    PostDelete,
}

/// When Argo CD deletes a hook's resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum DeletePolicy {
    /// Before it is created again. The last Job stays for inspection, and a changed Job can be applied.
    BeforeHookCreation,
    /// When it succeeds.
    HookSucceeded,
    /// When it fails.
    HookFailed,
}

/// A hook, and when its resource is deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HookAndPolicy {
    pub hook: Hook,
    pub policy: DeletePolicy,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_joins_the_others() {
        let with = |options, replace| with_option(options, SKIP_DRY_RUN, replace);
        assert_eq!(with("", false), "SkipDryRunOnMissingResource=true");
        assert_eq!(with("Prune=false", false), "Prune=false,SkipDryRunOnMissingResource=true");
        for options in ["SkipDryRunOnMissingResource=true, Prune=false", "SkipDryRunOnMissingResource=false"]
        {
            assert_eq!(with(options, false), options);
        }
        let replaced = with("SkipDryRunOnMissingResource=false,Prune=false", true);
        assert_eq!(replaced, "SkipDryRunOnMissingResource=true,Prune=false");
    }
}
