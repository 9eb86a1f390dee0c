//! Finds the objects that references name.

use std::collections::{BTreeSet, HashMap};

use super::names::Names;
use crate::krm::{Id, Resource};
use crate::model::serving::Reference;
use crate::model::{ItemId, World};

/// The objects of the package that references can name, by name with the prefix.
pub struct Targets<'i> {
    names: &'i Names,
    items: &'i [Resource],
    objects: HashMap<String, Vec<ItemId>>,
}

impl<'i> Targets<'i> {
    pub fn new(names: &'i Names, items: &'i [Resource]) -> Self {
        let mut objects: HashMap<_, Vec<ItemId>> = HashMap::new();
        for (item, resource) in World::new(items).items().filter(|(_, item)| !item.is_local()) {
            objects.entry(names.prefixed(&resource.id().name)).or_default().push(item);
        }
        Targets { names, items, objects }
    }

    /// The object that a reference names, before or after it gets the prefix.
    fn of(&self, reference: &Reference) -> Option<ItemId> {
        self.find(reference, |_, id| may_share_namespace(id, reference))
    }

    /// The same for a reference of a selected object, which moves. It then also names objects that are in its new namespace,
    /// and those that move there too: a second run sees them there.
    pub fn of_selected(&self, reference: &Reference, selected: &BTreeSet<ItemId>) -> Option<ItemId> {
        let namespace = self.names.namespace.as_deref();
        let will_share = |item: ItemId, id: &Id| selected.contains(&item) || id.may_be_in(namespace);
        let moved = || namespace.and_then(|_| self.find(reference, will_share));
        self.of(reference).or_else(moved)
    }

    /// The same for a reference of another object, which stays. It then also names selected objects that move to its
    /// namespace.
    pub fn of_other(&self, reference: &Reference, selected: &BTreeSet<ItemId>) -> Option<ItemId> {
        let will_share = |item: ItemId, id: &Id| {
            selected.contains(&item) && may_share_namespace(&self.names.new_id(id), reference)
        };
        self.of(reference).or_else(|| self.find(reference, will_share))
    }

    /// The first object with the exact name, or else the first whose name differs only in the prefix.
    fn find(&self, reference: &Reference, shares_namespace: impl Fn(ItemId, &Id) -> bool) -> Option<ItemId> {
        let name = &reference.name.value;
        let objects = self.objects.get(&self.names.prefixed(name))?;
        let is_target = |item: &ItemId| {
            let resource = item.get(self.items);
            resource.is(reference.kind) && shares_namespace(*item, resource.id())
        };
        let found = || objects.iter().copied().filter(is_target);
        found().find(|item| item.get(self.items).id().name == *name).or_else(|| found().next())
    }
}

/// Objects without a namespace get one when they are applied.
fn may_share_namespace(id: &Id, reference: &Reference) -> bool {
    reference.namespace.is_none() || id.may_be_in(reference.namespace.as_deref())
}
