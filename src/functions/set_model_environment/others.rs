//! Reports objects that are not changed, but name objects that are renamed.

use std::collections::BTreeSet;

use super::names::Names;
use super::targets::Targets;
use crate::checks::rules;
use crate::krm::{Location, Resource, Results, quoted};
use crate::model::serving::references;
use crate::model::{ItemId, World};

impl Names {
    /// Reports references of other kinds, such as RoleBindings, InferenceGraphs and Deployments.
    pub fn report_others(&self, selected: &BTreeSet<ItemId>, items: &[Resource], results: &mut Results) {
        let targets = Targets::new(self, items);
        for reference in references::of_others(&World::new(items)) {
            let site = &reference.name.site;
            let target = targets.of_other(&reference, selected).filter(|target| selected.contains(target));
            let Some(target) = target else { continue };
            let new = self.new_id(target.get(items).id());
            // In another namespace, it may name an object that is not in the package.
            let namespaces = reference.namespace.as_ref().zip(new.namespace.as_ref());
            let may_be_another = namespaces.is_some_and(|(its, new)| its != new);
            let name = &reference.name.value;
            if site.item.get(items).is_local() || may_be_another || new.name == *name {
                continue;
            }
            let message = format!(
                "names the {} {}, which is {} in this environment, but this object is not changed; write the new name, \
                 or use a separate package for the object",
                new.kind,
                quoted(name),
                quoted(&new.name)
            );
            results
                .warning(&rules::STALE_REFERENCE, message)
                .at(site.location(items))
                .related(Location::of(target.get(items)), "what it names");
        }
    }
}
