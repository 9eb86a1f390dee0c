//! Sets the annotations that Argo CD reads.

use serde_json::json;

use super::Waves;
use crate::checks::{self, rules};
use crate::krm::{Fault, FieldPath, Resource, Results, Transformer, on_shares, quoted};
use crate::model::{World, operators};
use crate::platform::argocd::{self, HookAndPolicy};
use crate::platform::kubernetes::{self, annotation};

impl Transformer for Waves {
    fn transform(&self, items: &mut [Resource], results: &mut Results) -> Result<(), Fault> {
        let matched = on_shares(items, results, |items, results| self.annotate(items, results))?;
        if self.skip_dry_runs {
            self.skip_dry_runs(items, results)?;
        }
        let has_match = |rule: &usize| matched.iter().any(|share| share[*rule]);
        for i in (0..self.rules.len()).filter(|rule| !has_match(rule)) {
            results
                .warning(&rules::NO_MATCH, "matches no resource")
                .in_config(FieldPath::new("spec.rules").index(i));
        }
        Ok(())
    }
}

impl Waves {
    /// Sets the wave and the hook of each item. Returns which rules match any of them.
    fn annotate(&self, items: &mut [Resource], results: &mut Results) -> Result<Vec<bool>, Fault> {
        let mut has_matched = vec![false; self.rules.len()];
        for item in items.iter_mut().filter(|item| !item.is_local()) {
            let (wave, hook) = self.assigned(item, &mut has_matched)?;
            if let Some(wave) = wave {
                self.set_wave(item, wave, results)?;
            }
            if let Some(hook) = hook {
                self.set_hook(item, hook, results)?;
            }
            item.release();
        }
        Ok(has_matched)
    }

    /// The wave and the hook of a resource: those of the first rule that sets one, then those of the table. Notes which
    /// rules match.
    fn assigned(
        &self,
        item: &Resource,
        has_matched: &mut [bool],
    ) -> Result<(Option<i32>, Option<HookAndPolicy>), Fault> {
        let (mut wave, mut hook) = (None, None);
        for (rule, has_matched) in self.rules.iter().zip(has_matched) {
            if rule.matcher.holds(item)? {
                *has_matched = true;
                wave = wave.or(rule.wave);
                hook = hook.or(rule.hook);
            }
        }
        for row in self.table {
            if row.holds(item)? {
                wave = wave.or(Some(row.wave));
                hook = hook.or(row.hook);
            }
        }
        Ok((wave, hook))
    }

    fn set_wave(&self, item: &mut Resource, wave: i32, results: &mut Results) -> Result<(), Fault> {
        let path = annotation(argocd::SYNC_WAVE);
        if self.replace || item.value(&path)?.is_none() {
            return item.set(&path, wave.to_string());
        }
        if let Some(finding) = checks::sync_wave(item, results)? {
            finding.proposed(wave.to_string());
        }
        Ok(())
    }

    fn set_hook(&self, item: &mut Resource, new: HookAndPolicy, results: &mut Results) -> Result<(), Fault> {
        let (hook, policy) = (annotation(argocd::HOOK), annotation(argocd::HOOK_DELETE_POLICY));
        if !item.is(kubernetes::JOB) {
            let message = format!("hooks are only for Jobs in the group {}", quoted(kubernetes::JOB.group()));
            results.error(&rules::HOOK_NOT_ON_JOB, message).field(item, &hook);
            return Ok(());
        }
        // A hook and its policy belong together, so neither is set if one of them exists.
        let has_either = item.value(&hook)?.is_some() || item.value(&policy)?.is_some();
        if !has_either || self.replace {
            item.set(&hook, json!(new.hook))?;
            item.set(&policy, json!(new.policy))?;
        }
        Ok(())
    }

    fn skip_dry_runs(&self, items: &mut [Resource], results: &mut Results) -> Result<(), Fault> {
        let (installed, misreads) = operators::installed(&World::new(items));
        if !misreads.is_empty() {
            checks::wrong_type(&misreads, results);
            return Ok(());
        }
        let path = annotation(argocd::SYNC_OPTIONS);
        let mut is_any = false;
        for item in items.iter_mut().filter(|item| !item.is_local() && installed.include(item)) {
            is_any = true;
            let options: String = item.get(&path)?.unwrap_or_default();
            item.set(&path, argocd::with_option(&options, argocd::SKIP_DRY_RUN, self.replace))?;
        }
        if !is_any {
            let message = "no resource has a CRD that an operator of this package installs; remove this field, or add \
                           the operator's Subscription to the resources";
            results
                .warning(&rules::NO_MATCH, message)
                .in_config(FieldPath::new("spec.skipDryRunOnMissingResource"));
        }
        Ok(())
    }
}
