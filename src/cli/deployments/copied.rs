//! Which subnets of a values file kustomize copies to a NetConfig.

use std::collections::{BTreeSet, HashMap};

use crate::krm::FieldPath;

/// The fields that replacements copy, for each file that a kustomization reaches. None if they are not all known.
#[derive(Debug, Default)]
pub struct Copied {
    by_file: HashMap<usize, Option<BTreeSet<String>>>,
}

impl Copied {
    /// Adds what one kustomization and those that it refers to copy.
    pub(super) fn add(&mut self, file: usize, fields: Option<&BTreeSet<String>>) {
        let known = self.by_file.entry(file).or_insert_with(|| Some(BTreeSet::new()));
        *known = known.take().zip(fields).map(|(known, fields)| &known | fields);
    }

    /// Whether a field is a subnet that no NetConfig gets, although subnets of other networks are copied.
    pub fn leave_out(&self, file: usize, field: &FieldPath) -> bool {
        let Some(Some(fields)) = self.by_file.get(&file) else { return false };
        let field = field.to_string();
        let mut parts = field.split(['.', '[']);
        let (Some("data"), Some(network), Some("subnets")) = (parts.next(), parts.next(), parts.next())
        else {
            return false;
        };
        let section = format!("data.{network}");
        let of_section = |field: &&String| field.strip_prefix(&section).is_some_and(is_end_of_key);
        let subnets = |field: &String| field.split('.').nth(2).is_none_or(|key| key == "subnets");
        fields.iter().any(|field| field.ends_with(".subnets"))
            && !fields.iter().filter(of_section).any(subnets)
    }
}

/// Whether the key of a path ends here.
fn is_end_of_key(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(['.', '['])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subnets_are_left_out_only_if_all_replacements_are_known() {
        let fields =
            ["data.ctlplane.subnets", "data.storage", "data.bgp.subnets.bgpnet0", "data.external.mtu"];
        let fields = fields.map(str::to_owned).into_iter().collect();
        let mut copied = Copied::default();
        copied.add(0, Some(&fields));
        copied.add(1, Some(&fields));
        copied.add(1, None);
        copied.add(2, Some(&BTreeSet::new()));
        let cidr =
            |network: &'static str| FieldPath::new("data").key(network).key("subnets").index(0).key("cidr");
        assert!(copied.leave_out(0, &cidr("external")));
        assert!(!copied.leave_out(0, &cidr("ctlplane")));
        assert!(!copied.leave_out(0, &cidr("storage")));
        assert!(!copied.leave_out(0, &FieldPath::new("data.bgp.subnets.bgpnet0[1].cidr")));
        assert!(!copied.leave_out(0, &FieldPath::new("data.external.mtu")));
        assert!([1, 2, 3].iter().all(|file| !copied.leave_out(*file, &cidr("external"))));
    }
}
