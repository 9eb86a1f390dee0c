//! The fields of a control plane that have the configuration of a service.

use serde_json::Value;

use super::selectors::Owners;
use crate::krm::{Fault, FieldPath, Resource, kind_of, rules};
use crate::platform::openstack;
use crate::platform::service_config::ConfigPlace;

/// What a control plane has of a service.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The owners to configure.
    pub owners: Vec<FieldPath>,
    /// Whether all of them are meant.
    pub selects_all: bool,
    /// All cells and names, selected or not, to suggest one of them.
    pub cells: Vec<String>,
    pub names: Vec<String>,
    /// The mappings and lists without entries, if that is why there are no owners.
    pub empty: Vec<FieldPath>,
}

/// An owner, and how selectors refer to it.
struct Candidate {
    owner: FieldPath,
    cell: Option<String>,
    name: Option<String>,
}

impl Owners {
    /// The owners in a control plane.
    pub fn find(&self, plane: &Resource) -> Result<Found, Fault> {
        let mut found = Found::default();
        for place in &self.places {
            let candidates = candidates(place, plane, &mut found.empty)?;
            found.cells.extend(candidates.iter().filter_map(|candidate| candidate.cell.clone()));
            found.names.extend(candidates.iter().filter_map(|candidate| candidate.name.clone()));
            for candidate in candidates {
                if self.selects(&candidate) && self.is_used(place, &candidate, plane)? {
                    found.owners.push(candidate.owner);
                }
            }
        }
        found.selects_all = self.cells.is_none() && self.names.is_none();
        if !found.owners.is_empty() || !found.selects_all {
            found.empty.clear();
        }
        Ok(found)
    }

    fn selects(&self, candidate: &Candidate) -> bool {
        let is_among = |selected: &Option<Vec<String>>, own: &Option<String>| match (selected, own) {
            (None, _) => true,
            (Some(selected), Some(own)) => selected.contains(own),
            (Some(_), None) => false,
        };
        is_among(&self.cells, &candidate.cell) && is_among(&self.names, &candidate.name)
    }

    /// Whether the service runs at one of two places that it can have: metadata at the top or in cells, backups as one
    /// service or as several.
    fn is_used(&self, place: &ConfigPlace, candidate: &Candidate, plane: &Resource) -> Result<bool, Fault> {
        if self.places.len() == 1 {
            return Ok(true);
        }
        let enabled: Option<bool> = plane.get(&candidate.owner.clone().key("enabled"))?;
        match (place.is_in_cells(), place.collection()) {
            (true, _) => Ok(self.cells.is_some() || enabled == Some(true)),
            (false, Some(_)) => Ok(true),
            (false, None) if enabled == Some(false) => Ok(false),
            (false, None) => {
                let others = self.places.iter().filter_map(|other| other.collection());
                let mut has_others = false;
                for collection in others {
                    has_others |= !members(&collection, plane)?.is_empty();
                }
                Ok(!has_others || plane.has(&candidate.owner)?)
            }
        }
    }
}

/// All owners of a place. Mappings and lists without owners are added to `empty`.
fn candidates(
    place: &ConfigPlace,
    plane: &Resource,
    empty: &mut Vec<FieldPath>,
) -> Result<Vec<Candidate>, Fault> {
    let bases: Vec<(FieldPath, Option<String>)> = if place.is_in_cells() {
        let templates = openstack::nova_cell_templates();
        let cells = members(&templates, plane)?;
        if cells.is_empty() {
            empty.push(templates);
        }
        let is_allowed = |cell: &str| place.is_in_first_cell() || cell != openstack::DEFAULT_CELLS[0];
        cells.into_iter().filter(|(_, cell)| cell.as_deref().is_some_and(is_allowed)).collect()
    } else {
        vec![(FieldPath::default(), None)]
    };
    let mut found = Vec::new();
    for (base, cell) in bases {
        let Some(collection) = place.collection() else {
            found.push(Candidate { owner: place.owner_in(base), cell, name: None });
            continue;
        };
        let collection = base.join(&collection);
        let owners = members(&collection, plane)?;
        if owners.is_empty() {
            empty.push(collection);
        }
        found.extend(owners.into_iter().map(|(owner, name)| Candidate { owner, cell: cell.clone(), name }));
    }
    Ok(found)
}

/// The entries of a mapping with their keys, or of a list of conductors with their groups.
fn members(collection: &FieldPath, plane: &Resource) -> Result<Vec<(FieldPath, Option<String>)>, Fault> {
    const CONDUCTOR_GROUP: &str = "conductorGroup";
    let is_list = collection.last_key() == Some("ironicConductors");
    match plane.value(collection)?.unwrap_or(Value::Null) {
        Value::Null => Ok(Vec::new()),
        Value::Object(entries) if !is_list => {
            let member = |(key, _): (String, Value)| (collection.clone().key(key.clone()), Some(key));
            Ok(entries.into_iter().map(member).collect())
        }
        Value::Array(elements) if is_list => {
            let group = |element: &Value| Some(element.get(CONDUCTOR_GROUP)?.as_str()?.to_owned());
            let elements = elements.iter().enumerate();
            Ok(elements.map(|(i, element)| (collection.clone().index(i), group(element))).collect())
        }
        other => {
            let wanted = if is_list { "a list" } else { "a mapping" };
            let message = format!("must be {wanted}, but is {}", kind_of(&other));
            Err(Fault::new(&rules::WRONG_TYPE, message).field(plane, collection))
        }
    }
}
