//! The rules about Argo CD's sync waves and hooks.

crate::rules! {
    /// The rules about the annotations that Argo CD reads.
    WAVES:

    /// A hook is set on a resource that is not a Job of the group `batch`.
    ///
    /// SetSyncWaves sets hooks on Kubernetes Jobs only: Argo CD deletes a hook and creates it anew at each
    /// sync, which is right for Jobs only. Add `group: batch` to the rule's `match`.
    HOOK_NOT_ON_JOB = "hook-not-on-job", Error;

    /// The annotation `sync-wave` of a resource is not a whole number in quotes.
    ///
    /// The API server refuses a number without quotes, and Argo CD ignores a text that is not a whole number,
    /// so the resource would be in wave 0. Correct the value, or set `override: true` to replace it.
    SYNC_WAVE = "sync-wave", Error;
}
