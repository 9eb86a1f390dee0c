//! Which findings are about a field.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::krm::{FieldPath, Finding, Located, Location, Resource};
use crate::model::Site;

/// A document, by its file and position.
type Document = (Option<String>, usize);

/// Where a finding points: the document, the line and column, and the field.
type Spot = (Document, Option<usize>, Option<usize>, Option<FieldPath>);

/// The positions of findings, by the places that they name.
pub struct Marks<'r> {
    items: &'r [Resource],
    by_spot: HashMap<Spot, BTreeSet<usize>>,
    documents: HashSet<Document>,
}

impl<'r> Marks<'r> {
    pub fn new(findings: &[Finding], items: &'r [Resource]) -> Self {
        let mut by_spot: HashMap<Spot, BTreeSet<usize>> = HashMap::new();
        let mut documents = HashSet::new();
        for (position, finding) in findings.iter().enumerate() {
            let related = finding.related.iter().map(|related| &related.location);
            for location in related.chain([&finding.location]) {
                documents.insert(document(location));
                by_spot.entry(spot(location)).or_default().insert(position);
            }
        }
        Marks { items, by_spot, documents }
    }

    /// The findings that point to a field.
    pub fn at(&self, site: &Site) -> BTreeSet<usize> {
        let place = site.item.get(self.items).place();
        // Most resources have no findings, and to locate a field means to read its resource again.
        if !self.documents.contains(&(place.file, place.index)) {
            return BTreeSet::new();
        }
        self.by_spot.get(&spot(&site.location(self.items))).cloned().unwrap_or_default()
    }
}

fn document(location: &Location) -> Document {
    (location.place.file.clone(), location.place.index)
}

fn spot(location: &Location) -> Spot {
    (document(location), location.place.line, location.place.column, location.field.clone())
}
