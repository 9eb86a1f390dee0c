//! The advertisements that announce the instance's pools.

use crate::checks::rules;
use std::collections::{HashMap, HashSet};

use super::foreign::{self, Referrer};
use super::neighbours::Neighbours;
use super::pools::Pools;
use crate::krm::{Fault, FieldPath, Finding, Id, Resource, Results, Severity, quoted};
use crate::platform::metallb;

/// Whose pools an advertisement announces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Announces {
    OnlyOurs,
    OthersToo,
}

/// What an advertisement has to do with the instance, if anything. One that names no pool announces
/// all, and is the instance's where all are. One with the name of another instance is that instance's.
fn announces(pools: &Pools, neighbours: &Neighbours, item: &Resource) -> Result<Option<Announces>, Fault> {
    if !metallb::is_advertisement(item) || neighbours.named(&item.id().name, &pools.names).is_some() {
        return Ok(None);
    }
    let named = metallb::announced(item)?;
    let ours = named.iter().filter(|(_, pool)| is_ours(pools, pool)).count();
    Ok(match (ours, named.len()) {
        (0, 0) => (!pools.are_listed && pools.others().next().is_none()).then_some(Announces::OnlyOurs),
        (0, _) => None,
        (ours, all) if ours == all => Some(Announces::OnlyOurs),
        _ => Some(Announces::OthersToo),
    })
}

/// Whether a name is that of an instance's pool, and of no other pool of the package.
fn is_ours(pools: &Pools, name: &str) -> bool {
    pools.other(name).is_none() && pools.find(name).is_some()
}

/// The names of the instance's pools as advertisements have them.
pub fn references(pools: &Pools, items: &[Resource]) -> Result<Vec<String>, Fault> {
    let mut names = Vec::new();
    for item in items.iter().filter(|item| metallb::is_advertisement(item)) {
        names.extend(metallb::announced(item)?.into_iter().map(|(_, name)| name));
    }
    names.retain(|name| is_ours(pools, name));
    Ok(names)
}

/// Reports references that lead nowhere, and names that two objects would have.
pub fn check(
    pools: &Pools,
    items: &[Resource],
    neighbours: &Neighbours,
    results: &mut Results,
) -> Result<(), Fault> {
    let mut renamed = Vec::new();
    for (i, item) in items.iter().enumerate() {
        if pools.iter().any(|pool| pool.item == Some(i)) {
            renamed.push(item);
        } else if metallb::is_advertisement(item) {
            let announces = announces(pools, neighbours, item)?;
            check_references(pools, item, announces, neighbours, results)?;
            if announces == Some(Announces::OnlyOurs) && item.id().name.is_empty() {
                let message = "this advertisement has no name; give it one";
                results.error(&rules::ADVERTISEMENT_NAME, message).field(item, &FieldPath::new("metadata"));
            } else if announces == Some(Announces::OnlyOurs) {
                renamed.push(item);
            }
        }
    }
    check_names(pools, &renamed, items, results);
    Ok(())
}

fn check_names(pools: &Pools, renamed: &[&Resource], items: &[Resource], results: &mut Results) {
    let there: HashSet<_> = items.iter().map(|item| item.id().object_key()).collect();
    let mut taken: HashMap<_, &Resource> = HashMap::new();
    for item in renamed {
        let new = Id { name: pools.names.prefixed(&item.id().name), ..item.id().clone() };
        let name = quoted(&new.name);
        let is_taken = new != *item.id() && there.contains(&new.object_key());
        let twin = taken.insert(new.object_key(), item).filter(|twin| twin.id().name != item.id().name);
        let message = match twin {
            _ if is_taken => format!("this would be {name}, which is there already; remove one of them"),
            // The one of the two that has the name already is not the one to report.
            Some(twin) if new != *item.id() => {
                format!("this and {} would both be {name}; remove one of them", twin.id())
            }
            _ => continue,
        };
        results.error(&rules::NAME_TAKEN, message).field(item, &FieldPath::new("metadata.name"));
    }
}

/// Pools that an advertisement names and that are not the instance's.
fn check_references(
    pools: &Pools,
    item: &Resource,
    announces: Option<Announces>,
    neighbours: &Neighbours,
    results: &mut Results,
) -> Result<(), Fault> {
    for (at, pool) in metallb::announced(item)? {
        if is_ours(pools, &pool) || pools.other(&pool).is_some() {
            continue;
        }
        let (severity, rule, message) = foreign::judge(pools, &pool, Referrer::Advertisement);
        let is_of_neighbour = neighbours.has_name(&pool);
        // An advertisement that has nothing to do with the instance is left alone, whatever it announces,
        // unless it is the instance's with the prefix of another.
        if announces.is_some() || (severity == Severity::Error && !is_of_neighbour) {
            results.add(Finding::new(severity, rule, message)).field(item, &at);
        }
    }
    Ok(())
}

/// Writes names and references.
pub fn write(
    pools: &Pools,
    neighbours: &Neighbours,
    items: &mut [Resource],
    results: &mut Results,
) -> Result<(), Fault> {
    for item in items.iter_mut() {
        match announces(pools, neighbours, item)? {
            None => continue,
            Some(Announces::OnlyOurs) => {
                item.set(&FieldPath::new("metadata.name"), pools.names.prefixed(&item.id().name))?;
            }
            Some(Announces::OthersToo) => {
                let message = "this announces pools that are not the instance's too, so that it keeps its name; better give the instance an advertisement of its own";
                results
                    .warning(&rules::SHARED_ADVERTISEMENT, message)
                    .field(item, &metallb::advertised_pools());
            }
        }
        for (at, pool) in metallb::announced(item)? {
            if is_ours(pools, &pool) {
                item.set(&at, pools.names.prefixed(&pool))?;
            }
        }
    }
    Ok(())
}
