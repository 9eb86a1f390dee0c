//! The golden cases that run in every version of every host, in every mode in which the host runs functions.
//!
//! Hosts differ in how they call a function, not in what a function decides. Three cases per function are
//! therefore enough, two that succeed and one that fails. Together they edit resources, generate resources
//! and report findings. All other cases run in process only.

use crate::host::case::Case;
use rhoso_fn::functions::REGISTRY;

/// The function and the name of each case.
pub const CASES: &[(&str, &str)] = &[
    ("assign-nova-cells", "splits-a-node-set"),
    ("assign-nova-cells", "changes-deployments"),
    ("assign-nova-cells", "refuses-to-move-node-sets"),
    ("generate-applications", "generates-an-application-set"),
    ("generate-applications", "updates-existing-objects"),
    ("generate-applications", "refuses-duplicate-names"),
    ("generate-instances", "copies-a-control-plane"),
    ("generate-instances", "generates-two-instances"),
    ("generate-instances", "refuses-policies-that-contradict-the-plan"),
    ("generate-machine-sets", "sets-limits-in-an-existing-cluster-autoscaler"),
    ("generate-machine-sets", "warns-of-a-reservation"),
    ("generate-machine-sets", "refuses-workers-of-several-clusters"),
    ("generate-nova-external-computes", "keeps-custom-service-config"),
    ("generate-nova-external-computes", "warns-of-an-unknown-novacell"),
    ("generate-nova-external-computes", "refuses-another-cell-for-an-existing-compute"),
    ("generate-secrets", "reads-all-keys-from-a-store"),
    ("generate-secrets", "reads-some-secrets-from-a-file"),
    ("generate-secrets", "refuses-a-bad-namespace"),
    ("generate-volumes", "finds-nodes-by-label"),
    ("generate-volumes", "generates-volumes-and-jobs-for-each-node"),
    ("generate-volumes", "refuses-a-node-with-an-invalid-host-name"),
    ("inject-gpu-alias", "configures-the-computes"),
    ("inject-gpu-alias", "warns-of-services-overrides-that-bypass-the-gpus"),
    ("inject-gpu-alias", "refuses-the-same-name-for-another-device"),
    ("prefix-address-pools", "gives-a-second-instance-its-own-pools"),
    ("prefix-address-pools", "warns-about-annotations-that-reach-no-service"),
    ("prefix-address-pools", "refuses-pools-that-overlap"),
    ("set-model-environment", "sets-the-values-of-production"),
    ("set-model-environment", "warns-of-a-flag-in-runtime-and-model"),
    ("set-model-environment", "refuses-a-minimum-above-the-maximum-of-the-model"),
    ("set-service-config", "configures-the-computes"),
    ("set-service-config", "replaces-values-over-several-lines"),
    ("set-service-config", "refuses-names-that-do-not-exist"),
    ("set-sync-waves", "follows-rules-of-kind-name-and-label"),
    ("set-sync-waves", "warns-of-a-rule-that-matches-nothing"),
    ("set-sync-waves", "refuses-a-wave-that-is-not-a-number"),
    ("validate-platform", "accepts-two-instances-on-one-cluster"),
    ("validate-platform", "warns-of-a-pool-that-nobody-announces"),
    ("validate-platform", "refuses-pools-that-overlap"),
    ("validate-secrets", "accepts-what-the-services-need"),
    ("validate-secrets", "warns-of-well-known-words"),
    ("validate-secrets", "refuses-missing-keys"),
];

/// Whether a case runs in every host.
pub fn runs(case: &Case) -> bool {
    CASES.contains(&(case.function.as_str(), case.name.as_str()))
}

/// Each function has two cases that succeed and one that fails.
pub fn check() {
    for entry in REGISTRY.functions {
        let own = CASES.iter().filter(|(function, _)| *function == entry.name);
        let fails: Vec<bool> = own.map(|(function, name)| Case::named(function, name).must_fail()).collect();
        let count = |fail: bool| fails.iter().filter(|fails| **fails == fail).count();
        assert_eq!((count(false), count(true)), (2, 1), "{}: see every_host.rs", entry.name);
    }
}
