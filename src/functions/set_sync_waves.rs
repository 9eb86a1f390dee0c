//! SetSyncWaves: the spec, and its check. `annotate` sets the annotations.

mod annotate;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::formats::glob;
use crate::krm::{Fault, FieldPath, Function, Mistakes, Resource};
use crate::platform::argocd::{DeletePolicy, Hook, HookAndPolicy};
use crate::platform::kubernetes;
use crate::platform::waves::{self, Wave};

/// Sets Argo CD's sync waves and hooks, so that each resource is applied after the resources it needs.
///
/// A built-in table contains the waves of an OpenStack deployment:
///
/// - -10: Namespaces, CatalogSources, OperatorGroups, and the storage preparation, whose Jobs are Sync hooks
///   that each sync recreates
/// - -9: Subscriptions
/// - -8: MetalLB, NMState and OpenStack
/// - -7: NodeNetworkConfigurationPolicies
/// - -6: NetworkAttachmentDefinitions, and MetalLB's pools, advertisements and peers
/// - -5: volumes and storage classes
/// - -3: secrets
/// - -2: NetConfig
/// - 0: the control plane
/// - 1: node sets and data plane services
/// - 2: deployments
///
/// Your rules take precedence over the table. A resource gets the wave of the first matching rule that sets a wave,
/// and a Job gets the hook of the first matching rule that sets a hook. Resources that match nothing are not changed.
/// Existing waves and hooks are kept unless `override` is set.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SetSyncWaves {
    /// Your rules. They take precedence over the built-in table. A rule that matches no resource is reported.
    #[serde(default)]
    rules: Vec<WaveRule>,
    /// The built-in table.
    #[serde(default)]
    table: Table,
    /// Whether to replace existing waves, hooks and values of sync options.
    #[serde(default)]
    r#override: bool,
    /// Whether to add the sync option `SkipDryRunOnMissingResource=true` to resources whose CRD an operator of the
    /// same package installs. Without this option, the first sync of such a package fails before its first wave.
    ///
    /// The CRDs of MetalLB, NMState, OpenStack and External Secrets count as installed by the package if one of the
    /// resources is a Subscription to the operator (`spec.name: metallb-operator`, `kubernetes-nmstate-operator`,
    /// `openstack-operator`, `external-secrets-operator` or `openshift-external-secrets-operator`), or an NMState or
    /// OpenStack resource that causes the operator to install them. Other sync options of a resource are
    /// kept. Argo CD does not wait for these CRDs, so set `syncPolicy.retry` in the Application too.
    #[serde(default)]
    skip_dry_run_on_missing_resource: bool,
}

/// The built-in tables.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Table {
    /// The waves of an OpenStack deployment on OpenShift.
    #[default]
    Rhoso,
    /// No table. Only your rules apply.
    None,
}

/// Sets the wave, the hook or both of matching resources.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct WaveRule {
    /// The resources to which the rule applies. Every condition must hold.
    r#match: Match,
    /// The sync wave. Argo CD applies waves from low to high.
    wave: Option<i32>,
    /// The hook. Only for Jobs.
    hook: Option<Hook>,
    /// When Argo CD deletes the hook's Job. Defaults to `BeforeHookCreation`.
    delete_policy: Option<DeletePolicy>,
}

/// Selects resources. At least one condition is required.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Match {
    /// The kind, such as `Job`.
    kind: Option<String>,
    /// The API group, for kinds that exist in several groups. `""` is the core group.
    group: Option<String>,
    /// The name. `*` matches any text.
    name: Option<String>,
    /// Labels that the resource must have.
    #[serde(default)]
    labels: BTreeMap<String, String>,
}

/// A SetSyncWaves without mistakes.
#[derive(Debug)]
pub struct Waves {
    rules: Vec<Assignment>,
    table: &'static [Wave],
    /// Whether to replace existing annotations.
    replace: bool,
    skip_dry_runs: bool,
}

/// What matching resources get.
#[derive(Debug)]
struct Assignment {
    matcher: Match,
    wave: Option<i32>,
    hook: Option<HookAndPolicy>,
}

impl Function for SetSyncWaves {
    const KIND: &'static str = "SetSyncWaves";
    const NAME: &'static str = "set-sync-waves";

    type Ready = Waves;

    fn check(self) -> Result<Waves, Mistakes> {
        let mut mistakes = Mistakes::default();
        let path = FieldPath::new("spec.rules");
        if self.rules.is_empty() && self.table == Table::None {
            mistakes.add(path.clone(), "must have at least one rule if `table` is `none`");
        }
        for (i, rule) in self.rules.iter().enumerate() {
            rule.check(path.clone().index(i), &mut mistakes);
        }
        mistakes.unless_any(|| Waves {
            rules: self.rules.into_iter().map(WaveRule::into_assignment).collect(),
            table: if self.table == Table::Rhoso { waves::RHOSO } else { &[] },
            replace: self.r#override,
            skip_dry_runs: self.skip_dry_run_on_missing_resource,
        })
    }
}

impl WaveRule {
    fn check(&self, path: FieldPath, mistakes: &mut Mistakes) {
        let Match { kind, group, name, labels } = &self.r#match;
        if kind.is_none() && group.is_none() && name.is_none() && labels.is_empty() {
            mistakes.add(path.clone().key("match"), "must have a `kind`, a `group`, a `name` or `labels`");
        } else if self.hook.is_some() && kind.as_deref() != Some(kubernetes::JOB.kind) {
            mistakes.add(path.clone().key("hook"), "is only for Jobs; add `kind: Job` to `match`");
        }
        if self.hook.is_none() && self.delete_policy.is_some() {
            mistakes.add(path.key("deletePolicy"), "is only for hooks; set `hook` too");
        } else if self.wave.is_none() && self.hook.is_none() {
            mistakes.add(path, "must have a `wave` or a `hook`");
        }
    }

    fn into_assignment(self) -> Assignment {
        let policy = self.delete_policy.unwrap_or(DeletePolicy::BeforeHookCreation);
        let hook = self.hook.map(|hook| HookAndPolicy { hook, policy });
        Assignment { matcher: self.r#match, wave: self.wave, hook }
    }
}

impl Match {
    fn holds(&self, item: &Resource) -> Result<bool, Fault> {
        let id = item.id();
        let is_named = self.kind.as_ref().is_none_or(|kind| *kind == id.kind)
            && self.group.as_ref().is_none_or(|group| group == id.group())
            && self.name.as_ref().is_none_or(|pattern| glob::matches(pattern, &id.name));
        Ok(is_named && item.has_labels(&self.labels)?)
    }
}
