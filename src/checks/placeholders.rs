//! Placeholders that are left in objects.

use std::ops::Range;

use super::{Stage, rules};
use crate::formats::placeholder::{self, Placeholder, PlaceholderKind};
use crate::krm::{FieldPath, Location, Resource, Results, quoted};
use crate::model::{Cause, Model};
use crate::platform::kubernetes::SECRET;
use crate::platform::secrets;
use crate::yaml::Leaf;

/// A placeholder in the key or the value of a field.
struct Leftover {
    field: FieldPath,
    is_key: bool,
    marker: String,
    range: Range<usize>,
}

/// Reports placeholders, one per field. Those that kustomize replaces are not reported before it has run.
pub fn placeholders(model: &Model<'_>, stage: Stage, results: &mut Results) {
    let items = model.items();
    for item in items.iter().filter(|item| placeholder::may_occur_in(item.text())) {
        for Leftover { field, is_key, marker, range } in leftovers(item, stage) {
            let location = if is_key {
                Location::of_field(item, &field)
            } else {
                item.location_inside(&field, |_| Some(range))
            };
            report(&marker, location, results);
        }
    }
    for misread in model.misreads.iter().filter(|_| stage.has_values()) {
        if let Cause::Text { text, .. } = &misread.cause
            && placeholder::is_constant(text)
            && !placeholder::is_in(text)
        {
            report(text, misread.site.location(items), results);
        }
    }
}

fn report(marker: &str, location: Location, results: &mut Results) {
    let message = format!("{} is a placeholder; replace it with a value", quoted(marker));
    results.warning(&rules::PLACEHOLDER, message).at(location);
}

fn leftovers(item: &Resource, stage: Stage) -> Vec<Leftover> {
    // In a values file of kustomize, `_replaced_` is the default of a value that something else sets.
    let will_be_replaced = item.is_local() || !stage.has_values();
    let is_secret = item.is(SECRET);
    let mut found = Vec::new();
    item.visit_leaves(&mut |leaf| {
        let Some(Placeholder { kind, range }) = placeholder::find(leaf.text) else { return };
        let is_expected = will_be_replaced && kind == PlaceholderKind::Generated;
        // Controllers write the status, and their messages can look like placeholders.
        let is_status = leaf.keys().next() == Some("status");
        if !is_expected && !is_status && !(is_secret && is_well_known_word(leaf)) {
            let field = FieldPath::from_steps(leaf.steps());
            let marker = leaf.text[range.clone()].to_owned();
            found.push(Leftover { field, is_key: leaf.is_key, marker, range });
        }
    });
    // The key of a field precedes its value.
    found.dedup_by(|value, key| value.field == key.field);
    found
}

/// Whether the rule `well-known-word` reports this value.
fn is_well_known_word(leaf: &Leaf<'_, '_>) -> bool {
    let is_password = leaf.keys().next_back().is_some_and(secrets::is_password);
    !leaf.is_key && is_password && secrets::is_well_known_word(leaf.text.as_bytes())
}
