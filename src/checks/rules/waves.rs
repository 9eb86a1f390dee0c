//! Rules about Argo CD's sync waves and hooks.

crate::rules! {
    /// Rules about the annotations that Argo CD reads.
    WAVES in "argocd":

    /// A rule sets a hook on a resource that is not a Job in the group `batch`.
    ///
    /// Argo CD deletes and recreates a hook at each sync, which is appropriate only for Jobs. Add
    /// `group: batch` to the `match` of the rule.
    HOOK_NOT_ON_JOB = "hook-not-on-job", Error;

    /// The `sync-wave` annotation of a resource is not a whole number in quotes.
    ///
    /// The API server rejects a number without quotes. Argo CD ignores a string that is not a whole number
    /// and puts the resource into wave 0. Correct the value, or set `override: true` to replace it.
    SYNC_WAVE = "sync-wave", Error;
}
