//! Annotations by which Argo CD orders what it applies, and labels by which it knows it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Labels by which Argo CD may know what belongs to an application, and prune what should not.
pub const TRACKING_LABELS: [&str; 2] = ["app.kubernetes.io/instance", "argocd.argoproj.io/instance"];

/// Waves are applied from low to high; resources without one are in wave 0.
pub const SYNC_WAVE: &str = "argocd.argoproj.io/sync-wave";

pub const HOOK: &str = "argocd.argoproj.io/hook";

pub const HOOK_DELETE_POLICY: &str = "argocd.argoproj.io/hook-delete-policy";

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
