//! Kinds and API groups that are almost those of a CRD.

use std::collections::HashMap;

use super::{rules, typo};
use crate::krm::{FieldPath, Hint, Id, Results, quoted};
use crate::model::Model;
use crate::platform::crds::{self, Schemas};

/// Reports `misspelt-kind`. A group can have kinds that are not known here, so only names that differ from a known one by
/// a typing error are reported.
pub(super) fn kinds(model: &Model<'_>, results: &mut Results) {
    let mut judged: HashMap<(&str, &str), Option<Misspelt>> = HashMap::new();
    for item in model.items() {
        let id = item.id();
        let found = judged.entry((&id.api_version, &id.kind)).or_insert_with(|| judge(id, model.crds));
        if let Some(Misspelt { field, message }) = found {
            results.error(&rules::MISSPELT_KIND, message.as_str()).field(item, &FieldPath::new(field));
        }
    }
}

struct Misspelt {
    field: &'static str,
    message: String,
}

fn judge(id: &Id, given: Option<&Schemas>) -> Option<Misspelt> {
    let builtin = crds::may_be_builtin(id.group()).then(crds::builtin);
    let kinds = || given.into_iter().chain(builtin).flat_map(Schemas::kinds);
    if id.kind.is_empty()
        || kinds().any(|(api_version, kind)| kind == id.kind && group(api_version) == id.group())
    {
        return None;
    }
    let mut of_group = kinds().filter(|(api_version, _)| group(api_version) == id.group());
    if let Some((_, kind)) = of_group.find(|(_, kind)| typo::is_typo_of_kind(&id.kind, kind)) {
        let hint = Hint::of(Some(kind)).suffix();
        let message = format!("{} has no kind {}{hint}", id.group(), quoted(&id.kind));
        return Some(Misspelt { field: "kind", message });
    }
    let is_near = |api_version: &str| typo::is_typo_of_kind(id.group(), group(api_version));
    let (meant, _) = kinds().find(|(api_version, kind)| *kind == id.kind && is_near(api_version))?;
    let hint = Hint::of(Some(meant)).suffix();
    let message = format!("the API group {} has no {}{hint}", quoted(id.group()), id.kind);
    Some(Misspelt { field: "apiVersion", message })
}

fn group(api_version: &str) -> &str {
    api_version.split_once('/').map_or("", |(group, _)| group)
}
