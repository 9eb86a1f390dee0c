//! Finds out whether a function has run: a second run changes nothing, so whatever it would still change shows that it was
//! skipped.

use super::fault::Fault;
use super::finding::Finding;
use super::function::Shape;
use super::id::Id;
use super::package::{File, Package};
use super::registry::Registry;
use super::resource::Resource;
use super::results::Results;
use super::rule::Severity;

/// What a function does to resources on which it should have run before.
#[derive(Debug)]
pub struct Rerun {
    /// The objects that it would change or create.
    pub pending: Vec<Id>,
    /// What it reports.
    pub findings: Vec<Finding>,
    pub is_validator: bool,
}

impl Package {
    /// Runs a function on a copy of the resources.
    ///
    /// kustomize changes generated objects afterwards: it adds prefixes, namespaces and labels. So a generator has run
    /// if an object of the same kind has each name, or a name that contains it.
    ///
    /// `sources` are the resources before functions ran. A function that fails runs again with those that are missing: it
    /// may have removed what it needs, such as a template.
    pub fn rerun(&self, config: &Resource, sources: &Package, registry: &Registry) -> Result<Rerun, Fault> {
        let rerun = self.rerun_with(config, &[], registry)?;
        let failed = rerun.findings.iter().any(|finding| finding.severity == Severity::Error);
        let is_missing = |source: &&Resource| {
            let key = source.id().object_key();
            !self.items().iter().any(|item| item.id().object_key() == key)
        };
        let missing: Vec<&Resource> = sources.items().iter().filter(is_missing).collect();
        if !failed || rerun.is_validator || missing.is_empty() {
            return Ok(rerun);
        }
        self.rerun_with(config, &missing, registry)
    }

    fn rerun_with(
        &self,
        config: &Resource,
        missing: &[&Resource],
        registry: &Registry,
    ) -> Result<Rerun, Fault> {
        let entry = registry.dispatch(config)?;
        let mut files = self.files().to_vec();
        let added = missing.iter().map(|item| File { path: String::new(), text: item.to_text() });
        files.extend(added);
        let mut copy = Package::read(files, registry, &mut Results::default());
        copy.open_lists();
        let given = copy.items().len();
        let mut results = Results::default();
        if let Err(fault) = entry.run(config, copy.items_mut(), &mut results) {
            results.add(fault.into_finding());
        }
        let (old, new) = copy.items().split_at(given);
        let exists = |made: &&Resource| {
            let (made, is_generator) = (made.id(), entry.shape == Shape::Generator);
            let is_same =
                |id: &Id| id.kind == made.kind && id.group() == made.group() && id.name.contains(&made.name);
            is_generator && old.iter().any(|item| is_same(item.id()))
        };
        let changed = old.iter().filter(|item| item.is_changed() && entry.shape != Shape::Generator);
        let pending = changed.chain(new.iter().filter(|made| !exists(made))).map(|item| item.id().clone());
        let pending = pending.collect();
        Ok(Rerun { pending, findings: results.into_sorted(), is_validator: entry.shape == Shape::Validator })
    }
}
