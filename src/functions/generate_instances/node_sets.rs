//! Not implemented yet.

use super::Fleet;
use crate::krm::{Fault, Resource, Results};

impl Fleet {
    pub fn update_node_sets(&self, _items: &mut [Resource], _results: &mut Results) -> Result<(), Fault> {
        Ok(())
    }
}
