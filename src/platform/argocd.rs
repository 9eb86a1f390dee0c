//! Annotations by which Argo CD orders what it applies, and labels by which it knows it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Labels by which Argo CD may know what belongs to an application, and prune what should not.
pub const TRACKING_LABELS: [&str; 2] = ["app.kubernetes.io/instance", "argocd.argoproj.io/instance"];

/// Waves are applied from low to high; resources without one are in wave 0.
pub const SYNC_WAVE: &str = "argocd.argoproj.io/sync-wave";

pub const HOOK: &str = "argocd.argoproj.io/hook";

pub const HOOK_DELETE_POLICY: &str = "argocd.argoproj.io/hook-delete-policy";

/// Options of one resource's sync, separated by commas.
pub const SYNC_OPTIONS: &str = "argocd.argoproj.io/sync-options";

/// Without this option, a sync fails before its first wave when the API server lacks the kind of a resource.
pub const SKIP_DRY_RUN: (&str, &str) = ("SkipDryRunOnMissingResource", "true");

/// Sync options with one more. One that already has a value keeps it, unless it must be replaced.
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
    /// Before anything of the application is there: not for what needs a namespace or an account of it.
    PreSync,
    /// With everything else, in its wave.
    Sync,
    /// When everything is applied and healthy.
    PostSync,
    /// When a sync fails.
    SyncFail,
    /// When the application is gone.
    PostDelete,
}

/// When Argo CD deletes what a hook left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum DeletePolicy {
    /// Before the next one is made: the last one can be looked at, and a changed Job can be applied.
    BeforeHookCreation,
    /// As soon as it has done its work.
    HookSucceeded,
    /// As soon as it has failed.
    HookFailed,
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
