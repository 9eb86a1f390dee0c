//! Volumes of an earlier run that are no longer generated. Nothing deletes them.

use std::collections::HashSet;

use super::Volumes;
use crate::checks::rules;
use crate::krm::{Resource, Results};
use crate::platform::kubernetes;

impl Volumes {
    pub fn report_left_over(
        &self,
        nodes: &[String],
        generated: &[Resource],
        given: &[Resource],
        results: &mut Results,
    ) {
        let generated: HashSet<&str> = generated.iter().map(|item| item.id().name.as_str()).collect();
        let nodes: HashSet<&str> = nodes.iter().map(String::as_str).collect();
        for item in given.iter().filter(|item| item.is(kubernetes::PERSISTENT_VOLUME)) {
            let name = item.id().name.as_str();
            let is_of_nodes = self.node_of_volume(name).is_some_and(|node| nodes.contains(node));
            if is_of_nodes && !generated.contains(name) {
                let message = "this volume is no longer generated, and no Job prepares its directory; delete it if no \
                               claim uses it";
                results.warning(&rules::LEFT_OVER, message).on(item);
            }
        }
    }

    /// The node in the name of a volume, `<storage class><number>-<node>`.
    fn node_of_volume<'n>(&self, name: &'n str) -> Option<&'n str> {
        let rest = name.strip_prefix(self.storage_class.as_str())?;
        let after_number = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        (after_number.len() < rest.len()).then(|| after_number.strip_prefix('-')).flatten()
    }
}
