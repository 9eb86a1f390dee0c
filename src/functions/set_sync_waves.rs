use crate::checks::rules;
use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::formats::glob;
use crate::krm::{BadField, Fault, FieldPath, Function, Mistakes, Resource, Results, Transformer, quoted};
use crate::platform::argocd::{self, DeletePolicy, Hook};
use crate::platform::operators::Installed;
use crate::platform::{kubernetes, waves};

/// Sets Argo CD's sync waves and hooks, so that each resource is applied after the resources it needs.
///
/// A built-in table knows the parts of an OpenStack: -10 Namespaces, CatalogSources, OperatorGroups and the
/// storage preparation (its Jobs as Sync hooks, created anew by each sync), -9 Subscriptions, -8 MetalLB,
/// NMState and OpenStack, -7 NodeNetworkConfigurationPolicies, -6 NetworkAttachmentDefinitions and MetalLB's
/// pools, advertisements and peers, -5 volumes and storage classes, -3 secrets, -2 NetConfig, 0 the control
/// plane, 1 node sets and data plane services, 2 deployments. Your rules come first: the first rule that sets
/// a wave and the first rule that sets a hook apply. Resources that match nothing are left alone. A resource
/// keeps a wave that it already has, and a Job its hook, unless `override` is set.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SetSyncWaves {
    /// Your rules, in front of the built-in ones. One that matches nothing is reported.
    #[serde(default)]
    rules: Vec<Rule>,
    /// The built-in table.
    #[serde(default)]
    table: Table,
    /// Whether to replace waves, hooks and values of sync options that resources already have.
    #[serde(default)]
    r#override: bool,
    /// Whether to add the sync option `SkipDryRunOnMissingResource=true` to resources whose CRD an operator of
    /// the same package installs. Without the option, the first sync of such a package fails before its first
    /// wave. The CRDs of MetalLB, NMState, OpenStack and External Secrets count if a Subscription among the
    /// resources names the operator (`spec.name: metallb-operator`, `kubernetes-nmstate-operator`,
    /// `openstack-operator`, `external-secrets-operator` or `openshift-external-secrets-operator`), and those
    /// that an NMState or OpenStack among the resources brings. Other options of a resource stay. Argo CD
    /// does not wait for these CRDs: give the Application a `syncPolicy.retry` too.
    #[serde(default)]
    skip_dry_run_on_missing_resource: bool,
}

/// The built-in tables.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Table {
    /// The parts of an OpenStack on OpenShift.
    #[default]
    Rhoso,
    /// None: your rules only.
    None,
}

/// What a rule is for, and what it sets.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Rule {
    /// Which resources: all that is given here must hold.
    r#match: Match,
    /// The wave, from low to high.
    wave: Option<i32>,
    /// The hook, for Jobs only.
    hook: Option<Hook>,
    /// When Argo CD deletes what the hook left; by default before the next one is made.
    delete_policy: Option<DeletePolicy>,
}

/// Picks resources; at least one of these.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Match {
    /// The kind: `Job`.
    kind: Option<String>,
    /// The API group, for kinds that several groups have; `""` is the core group.
    group: Option<String>,
    /// The name, in which `*` stands for anything.
    name: Option<String>,
    /// Labels that the resource must have.
    #[serde(default)]
    labels: BTreeMap<String, String>,
}

impl Function for SetSyncWaves {
    const KIND: &'static str = "SetSyncWaves";
    const NAME: &'static str = "set-sync-waves";

    type Ready = Self;

    fn check(self) -> Result<Self, Mistakes> {
        self.checked()?;
        Ok(self)
    }
}

impl SetSyncWaves {
    fn checked(&self) -> Result<(), BadField> {
        for (i, rule) in self.rules.iter().enumerate() {
            let bad = |field: &str, message: &str| Err(BadField::new(format!("rules[{i}]{field}"), message));
            let Match { kind, group, name, labels } = &rule.r#match;
            if kind.is_none() && group.is_none() && name.is_none() && labels.is_empty() {
                return bad(".match", "must have a `kind`, a `group`, a `name` or `labels`");
            }
            if rule.wave.is_none() && rule.hook.is_none() {
                return bad("", "must have a `wave` or a `hook`");
            }
            if rule.hook.is_some() && kind.as_deref() != Some(kubernetes::JOB.kind) {
                return bad(".hook", "is for Jobs only: say so with `match.kind: Job`");
            }
            if rule.hook.is_none() && rule.delete_policy.is_some() {
                return bad(".deletePolicy", "is for hooks only: give a `hook` too");
            }
        }
        if self.rules.is_empty() && self.table == Table::None {
            return Err(BadField::new("rules", "must have a rule when `table` is `none`"));
        }
        Ok(())
    }
}

impl Transformer for SetSyncWaves {
    fn transform(&self, items: &mut [Resource], results: &mut Results) -> Result<(), Fault> {
        let mut used = vec![false; self.rules.len()];
        for item in items.iter_mut().filter(|item| !item.is_local()) {
            let (mut wave, mut hook) = (None, None);
            for (rule, used) in self.rules.iter().zip(&mut used) {
                if rule.r#match.holds(item)? {
                    *used = true;
                    wave = wave.or(rule.wave);
                    hook = hook.or(rule.hook_and_policy());
                }
            }
            let table = if self.table == Table::Rhoso { waves::RHOSO } else { &[] };
            for row in table {
                if row.holds(item)? {
                    wave = wave.or(Some(row.wave));
                    hook = hook.or(row.hook);
                }
            }
            self.set(item, wave, hook, results)?;
        }
        if self.skip_dry_run_on_missing_resource {
            self.skip_dry_runs(items, results)?;
        }
        for (i, _) in used.iter().enumerate().filter(|(_, used)| !**used) {
            results
                .warning(&rules::NO_MATCH, "matches no resource")
                .in_config(FieldPath::new("spec.rules").index(i));
        }
        Ok(())
    }
}

impl SetSyncWaves {
    fn set(
        &self,
        item: &mut Resource,
        wave: Option<i32>,
        hook: Option<(Hook, DeletePolicy)>,
        results: &mut Results,
    ) -> Result<(), Fault> {
        if let Some(wave) = wave {
            let path = annotation(argocd::SYNC_WAVE);
            match item.value(&path)?.filter(|_| !self.r#override) {
                None => item.set(&path, wave.to_string())?,
                Some(Value::String(text)) if text.parse::<i32>().is_ok() => {}
                Some(other) => {
                    let message = format!("must be a whole number in quotes, got {}", shown(&other));
                    results.error(&rules::SYNC_WAVE, message).field(item, &path).proposed(wave.to_string());
                }
            }
        }
        if let Some((hook, policy)) = hook {
            if !item.is(kubernetes::JOB) {
                let message =
                    format!("hooks are for Jobs of the group {} only", quoted(kubernetes::JOB.group()));
                results.error(&rules::HOOK, message).field(item, &annotation(argocd::HOOK));
                return Ok(());
            }
            // A hook and its policy are one thing: half of somebody's and half of ours is neither.
            let is_there = item.value(&annotation(argocd::HOOK))?.is_some()
                || item.value(&annotation(argocd::HOOK_DELETE_POLICY))?.is_some();
            if !is_there || self.r#override {
                item.set(&annotation(argocd::HOOK), json!(hook))?;
                item.set(&annotation(argocd::HOOK_DELETE_POLICY), json!(policy))?;
            }
        }
        Ok(())
    }

    fn skip_dry_runs(&self, items: &mut [Resource], results: &mut Results) -> Result<(), Fault> {
        let installed = Installed::by(items)?;
        let path = annotation(argocd::SYNC_OPTIONS);
        let mut found = false;
        for item in items.iter_mut().filter(|item| !item.is_local() && installed.include(item)) {
            found = true;
            let options: String = item.get(&path)?.unwrap_or_default();
            item.set(&path, argocd::with_option(&options, argocd::SKIP_DRY_RUN, self.r#override))?;
        }
        if !found {
            let message = "no resource here has a CRD that an operator of this package installs; remove this, or add the operator's Subscription";
            results
                .warning(&rules::NO_MATCH, message)
                .in_config(FieldPath::new("spec.skipDryRunOnMissingResource"));
        }
        Ok(())
    }
}

impl Rule {
    fn hook_and_policy(&self) -> Option<(Hook, DeletePolicy)> {
        self.hook.map(|hook| (hook, self.delete_policy.unwrap_or(DeletePolicy::BeforeHookCreation)))
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

fn annotation(key: &'static str) -> FieldPath {
    FieldPath::new("metadata.annotations").key(key)
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), quoted)
}
