//! Names and namespaces, and the references that follow them.

use std::collections::{BTreeSet, HashMap};

use super::targets::Targets;
use crate::formats::dns;
use crate::krm::{
    CollectOrdered, Fault, FieldPath, Id, Location, ObjectKey, Resource, Results, quoted, rules,
};
use crate::model::serving::Serving;
use crate::model::{ItemId, World};
use crate::platform::serving::{INFERENCE_SERVICE, LLM_INFERENCE_SERVICE, SERVING_RUNTIME};

#[derive(Debug)]
pub struct Names {
    pub namespace: Option<String>,
    /// Empty if names do not change.
    pub prefix: String,
}

impl Names {
    /// The name with the prefix, once.
    pub fn prefixed(&self, name: &str) -> String {
        match name.starts_with(&self.prefix) {
            true => name.to_owned(),
            false => format!("{}{name}", self.prefix),
        }
    }

    /// Renames and moves the selected objects. References follow first, while the objects have the names that they name.
    pub fn apply(
        &self,
        serving: &Serving,
        selected: &BTreeSet<ItemId>,
        items: &mut [Resource],
    ) -> Result<(), Fault> {
        let targets = Targets::new(self, items);
        let mut changes = Vec::new();
        for reference in serving.references.iter().filter(|it| selected.contains(&it.name.site.item)) {
            let target = targets.of_selected(reference, selected);
            if let Some(target) = target.filter(|target| selected.contains(target)) {
                changes.push((reference, self.prefixed(&target.get(items).id().name)));
            }
        }
        for (reference, name) in changes {
            let path = &reference.name.site.path;
            let item = reference.name.site.item.get_mut(items);
            let text: String = item.get(path)?.unwrap_or_default();
            item.set(path, reference.renamed(&text, &name))?;
        }
        for id in selected {
            let item = id.get_mut(items);
            let name = self.prefixed(&item.id().name);
            item.set(&FieldPath::new("metadata.name"), name)?;
            if let Some(namespace) = &self.namespace {
                item.set(&FieldPath::new("metadata.namespace"), namespace.clone())?;
            }
        }
        Ok(())
    }

    /// Reports names that Kubernetes or another object does not allow. Returns whether there are any.
    pub fn check(&self, selected: &BTreeSet<ItemId>, items: &[Resource], results: &mut Results) -> bool {
        let path = FieldPath::new("metadata.name");
        let [mut owners, mut former_owners]: [HashMap<ObjectKey, ItemId>; 2] = Default::default();
        let mut is_any = false;
        for (item, resource) in World::new(items).items().filter(|(_, item)| !item.is_local()) {
            let is_selected = selected.contains(&item);
            let id = if is_selected { self.new_id(resource.id()) } else { resource.id().clone() };
            if id.name != resource.id().name && !is_allowed(resource, &id.name) {
                let message = format!(
                    "the name would be {}, but it can have at most {} lower case letters, digits and hyphens",
                    quoted(&id.name),
                    dns::LABEL
                );
                results.error(&rules::WRONG_VALUE, message).field(resource, &path);
                is_any = true;
            }
            let other = owners.insert(id.object_key(), item);
            // Only one of them would follow the references to both.
            let former = former_owners.insert(resource.id().object_key(), item);
            let Some(other) = former.or(other) else { continue };
            if is_selected || selected.contains(&other) {
                let name = if former.is_some() { resource.id() } else { &id }.qualified_name();
                let verb = if former.is_some() { "are" } else { "would be" };
                let message = format!("two objects {verb} {} {name}; rename one of them", id.kind);
                let finding = results.error(&rules::DUPLICATE_OBJECT, message).field(resource, &path);
                finding.related(Location::of_field(other.get(items), &path), "the other one");
                is_any = true;
            }
        }
        is_any
    }

    pub fn new_id(&self, id: &Id) -> Id {
        let namespace = self.namespace.clone().or_else(|| id.namespace.clone());
        Id { name: self.prefixed(&id.name), namespace, ..id.clone() }
    }
}

/// KServe allows no dots in the names of models, because they become host names.
fn is_allowed(item: &Resource, name: &str) -> bool {
    dns::is_subdomain(name) && (item.is(SERVING_RUNTIME) || !is_model(item) || dns::is_label(name))
}

/// The models, their runtimes, and the objects that these name, directly or through a ServiceAccount.
pub fn selected(serving: &Serving, items: &[Resource], names: &Names) -> BTreeSet<ItemId> {
    let known = Targets::new(names, items);
    let models = World::new(items).items().filter(|(_, item)| is_model(item) && !item.is_local());
    let mut selected: BTreeSet<ItemId> = models.map(|(id, _)| id).collect_ordered();
    loop {
        let from_selected =
            serving.references.iter().filter(|found| selected.contains(&found.name.site.item));
        let targets: Vec<ItemId> =
            from_selected.filter_map(|found| known.of_selected(found, &selected)).collect();
        let before = selected.len();
        selected.extend(targets);
        if selected.len() == before {
            return selected;
        }
    }
}

fn is_model(item: &Resource) -> bool {
    [INFERENCE_SERVICE, LLM_INFERENCE_SERVICE, SERVING_RUNTIME].into_iter().any(|kind| item.is(kind))
}
