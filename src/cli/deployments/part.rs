//! The resources of a deployment.

use super::Deployment;
use crate::checks::Stage;
use crate::krm::{Changes, Package, Registry, Results};

impl Deployment {
    /// The package of its files. None if these are all files.
    pub fn part(&self, all: &Package, registry: &Registry) -> Option<Package> {
        (self.files.len() < all.files().len()).then(|| {
            let files = self.files.iter().map(|position| all.files()[*position].clone()).collect();
            // What cannot be read was reported when all files were read.
            let mut package = Package::read(files, registry, &mut Results::default());
            package.open_lists();
            package
        })
    }

    /// What will still change in its package.
    pub fn stage(&self, package: &Package, registry: &Registry) -> Stage {
        match self.changes {
            _ if package.will_change(registry) => Stage::BeforeFunctions,
            Changes::AnyField => Stage::BeforePatches,
            Changes::Names => Stage::BeforeNames,
            Changes::None if self.is_partial => Stage::Partial,
            Changes::None => Stage::Rendered,
        }
    }
}
