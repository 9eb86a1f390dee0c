//! Names and namespaces, and the references that follow them.

use std::collections::{BTreeSet, HashMap};

use crate::formats::dns;
use crate::krm::{
    CollectOrdered, Fault, FieldPath, Id, Location, ObjectKey, Resource, Results, quoted, rules,
};
use crate::model::serving::{Reference, Serving};
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
    fn prefixed(&self, name: &str) -> String {
        match name.starts_with(&self.prefix) {
            true => name.to_owned(),
            false => format!("{}{name}", self.prefix),
        }
    }

    /// The object that a reference names, before or after it gets the prefix.
    pub fn target(&self, reference: &Reference, items: &[Resource]) -> Option<ItemId> {
        self.find_target(reference, items, &|_, id| may_share_namespace(id, reference))
    }

    /// The same for a reference of a selected object, which moves. It then also names objects that are in its new namespace,
    /// and those that move there too: a second run sees them there.
    fn target_of_selected(
        &self,
        reference: &Reference,
        selected: &BTreeSet<ItemId>,
        items: &[Resource],
    ) -> Option<ItemId> {
        let namespace = self.namespace.as_deref();
        let will_share_namespace = |item: ItemId, id: &Id| {
            namespace.is_some() && (selected.contains(&item) || id.may_be_in(namespace))
        };
        self.target(reference, items).or_else(|| self.find_target(reference, items, &will_share_namespace))
    }

    fn find_target(
        &self,
        reference: &Reference,
        items: &[Resource],
        shares_namespace: &dyn Fn(ItemId, &Id) -> bool,
    ) -> Option<ItemId> {
        let name = &reference.name.value;
        let found = |is_it: &dyn Fn(&Id) -> bool| {
            World::new(items)
                .of_kind(reference.kind)
                .filter(|(id, item)| !item.is_local() && shares_namespace(*id, item.id()))
                .find(|(_, item)| is_it(item.id()))
                .map(|(id, _)| id)
        };
        found(&|id| id.name == *name).or_else(|| found(&|id| self.prefixed(&id.name) == self.prefixed(name)))
    }

    /// Renames and moves the selected objects. References follow first, while the objects have the names that they name.
    pub fn apply(
        &self,
        serving: &Serving,
        selected: &BTreeSet<ItemId>,
        items: &mut [Resource],
    ) -> Result<(), Fault> {
        let owned =
            serving.references.iter().filter(|reference| selected.contains(&reference.name.site.item));
        let mut changes = Vec::new();
        for reference in owned {
            let target = self.target_of_selected(reference, selected, items);
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
    let models = World::new(items).items().filter(|(_, item)| is_model(item) && !item.is_local());
    let mut selected: BTreeSet<ItemId> = models.map(|(id, _)| id).collect_ordered();
    loop {
        let from_selected =
            serving.references.iter().filter(|found| selected.contains(&found.name.site.item));
        let targets: Vec<ItemId> =
            from_selected.filter_map(|found| names.target_of_selected(found, &selected, items)).collect();
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

/// Objects without a namespace get one when they are applied.
fn may_share_namespace(id: &Id, reference: &Reference) -> bool {
    reference.namespace.is_none() || id.may_be_in(reference.namespace.as_deref())
}
