//! Not implemented yet.

use super::Fleet;
use crate::krm::{Fault, Resource, Results};

impl Fleet {
    pub fn copied_control_planes(
        &self,
        _given: &[Resource],
        _results: &mut Results,
    ) -> Result<Vec<Resource>, Fault> {
        Ok(Vec::new())
    }
    pub fn copied_node_sets(
        &self,
        _given: &[Resource],
        _results: &mut Results,
    ) -> Result<Vec<Resource>, Fault> {
        Ok(Vec::new())
    }
}
