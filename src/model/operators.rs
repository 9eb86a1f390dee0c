//! Operators that a set of resources installs, and the CRDs that come with them.

use super::item_reader::ItemReader;
use super::{Misread, World};
use crate::krm::Resource;
use crate::platform::operators::{self, OPERATORS, Operator, SUBSCRIPTION};

/// The operators that install CRDs because of the resources.
#[derive(Debug)]
pub struct Installed(Vec<(&'static Operator, Extent)>);

/// Which CRDs an operator installs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// The package has the installer but not the Subscription, so the installer's CRD comes from elsewhere.
    AllButInstaller,
    All,
}

/// The operators that install CRDs because of a Subscription or an installer.
pub fn installed(world: &World<'_>) -> (Installed, Vec<Misread>) {
    let (mut found, mut misreads) = (Vec::new(), Vec::new());
    for (id, item) in world.of_kind(SUBSCRIPTION).filter(|(_, item)| !item.is_local()) {
        let package: Option<String> = ItemReader::new(id, item, &mut misreads).get(&operators::package());
        let of_package = OPERATORS.iter().filter(|operator| {
            package.as_deref().is_some_and(|package| operator.packages.contains(&package))
        });
        found.extend(of_package.map(|operator| (operator, Extent::All)));
    }
    for operator in &OPERATORS {
        let installers = operator.installer.into_iter().flat_map(|kind| world.of_kind(kind));
        if installers.into_iter().any(|(_, item)| !item.is_local()) {
            found.push((operator, Extent::AllButInstaller));
        }
    }
    (Installed(found), misreads)
}

impl Installed {
    /// Whether the CRD of an item's kind may be missing until its operator has installed it.
    pub fn include(&self, item: &Resource) -> bool {
        self.0.iter().any(|(operator, extent)| {
            let is_installer = operator.installer.is_some_and(|kind| item.is(kind));
            operator.owns(item.id().group()) && (*extent == Extent::All || !is_installer)
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::krm::Object;
    use crate::platform::network::NODE_POLICY;
    use crate::platform::operators::NMSTATE;

    #[test]
    fn an_installer_brings_all_but_its_own_crd() {
        let object = |kind| Object::new(kind, "x").build().unwrap();
        let items = [object(NMSTATE), object(NODE_POLICY)];
        let (by_installer, _) = installed(&World::new(&items));
        assert!(!by_installer.include(&items[0]) && by_installer.include(&items[1]));
        let spec = json!({"name": "kubernetes-nmstate-operator"});
        let subscription = [Object::new(SUBSCRIPTION, "x").field("spec", spec).build().unwrap()];
        let (by_subscription, _) = installed(&World::new(&subscription));
        assert!(by_subscription.include(&items[0]) && by_subscription.include(&items[1]));
        assert!(!by_subscription.include(&subscription[0]));
    }
}
