//! StorageClasses that do not exist, and classes with too few volumes.

use indexmap::IndexMap;

use super::rules;
use crate::formats::placeholder;
use crate::krm::{Hint, Resource, Results, quoted};
use crate::model::storage::{Claim, Storage};
use crate::model::{ItemId, Site};
use crate::platform::storage::{class_of_volume, is_class_of_operator};

/// How many classes are compared with a name to suggest another one.
const MOST_COMPARED: usize = 100;

/// How many services a message lists.
const MOST_LISTED: usize = 8;

/// Reports each class that is named but not among the StorageClasses, with every field that names it. Without any
/// StorageClass, those may be managed elsewhere.
pub fn missing_storage_class(storage: &Storage, items: &[Resource], results: &mut Results) {
    if storage.classes.is_empty() {
        return;
    }
    let mut missing: IndexMap<&str, Vec<&Site>> = IndexMap::new();
    for reference in &storage.references {
        let name = reference.value.as_str();
        if !storage.classes.contains_key(name) && !placeholder::is_in(name) && !is_class_of_operator(name) {
            missing.entry(name).or_default().push(&reference.site);
        }
    }
    for (name, sites) in missing {
        let known = storage.classes.keys().map(String::as_str).take(MOST_COMPARED);
        let message = format!(
            "there is no StorageClass {} among the resources; {}",
            quoted(name),
            Hint::among(name, known)
                .and("if it is not in the cluster, correct the name or add the StorageClass")
        );
        let finding = results.warning(&rules::MISSING_STORAGE_CLASS, message).at(sites[0].location(items));
        for other in &sites[1..] {
            finding.related(other.location(items), "also named here");
        }
    }
}

/// Reports classes with fewer volumes than are claimed. Volumes of a class with a provisioner are created on demand.
pub fn volumes_short(storage: &Storage, items: &[Resource], results: &mut Results) {
    let mut claims_of: IndexMap<&str, Vec<&Claim>> = IndexMap::new();
    for claim in &storage.claims {
        claims_of.entry(&claim.class.value).or_default().push(claim);
    }
    for (class, claims) in claims_of {
        let is_dynamic = storage.classes.get(class).is_some_and(|class| class.is_dynamic);
        let Some(volumes) = storage.volumes.get(class).filter(|_| !is_dynamic) else { continue };
        let (needed, existing) = (total(claims.iter().copied()), volumes.len() as u64);
        if needed <= existing {
            continue;
        }
        let message = format!(
            "{needed} volumes of the class {} are claimed, one for each replica ({}), but the resources have {existing}; \
             add at least {} more",
            quoted(class),
            counted(&claims, items),
            needed - existing
        );
        let finding =
            results.warning(&rules::VOLUMES_SHORT, message).at(claims[0].class.site.location(items));
        if let Some(first) = volumes.first() {
            let site = Site::new(*first, class_of_volume());
            finding.related(site.location(items), format!("one of the {existing} volumes"));
        }
    }
}

fn total<'c>(claims: impl Iterator<Item = &'c Claim>) -> u64 {
    claims.fold(0, |sum, claim| sum.saturating_add(claim.count))
}

/// How the volumes were counted: by service if one object claims them, or else by object.
fn counted(claims: &[&Claim], items: &[Resource]) -> String {
    let mut by_item: IndexMap<ItemId, Vec<&Claim>> = IndexMap::new();
    for claim in claims {
        by_item.entry(claim.class.site.item).or_default().push(claim);
    }
    let parts: Vec<String> = match by_item.len() {
        1 if !claims[0].what.is_empty() => {
            claims.iter().map(|claim| format!("{} {}", claim.what, claim.count)).collect()
        }
        _ => {
            let count = |(item, claims): (&ItemId, &Vec<&Claim>)| {
                format!("{} {}", item.get(items).id(), total(claims.iter().copied()))
            };
            by_item.iter().map(count).collect()
        }
    };
    match parts.len().checked_sub(MOST_LISTED).filter(|more| *more > 0) {
        Some(more) => format!("{} and {more} more", parts[..MOST_LISTED].join(", ")),
        None => parts.join(", "),
    }
}
