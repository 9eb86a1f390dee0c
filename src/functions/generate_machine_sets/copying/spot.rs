//! Spot machines, and reservations of capacity, which cannot be spot.

use serde_json::json;

use super::PlannedSet;
use crate::checks::rules;
use crate::krm::{Fault, FieldPath, Resource, Results, quoted};
use crate::platform::provider::{Mark, MarkValue, Provider, Spot, field};

/// Sets or removes the spot fields if the config sets `spot`. Otherwise, the template's fields are kept.
pub fn set(set: &mut Resource, planned: &PlannedSet<'_>, results: &mut Results) -> Result<(), Fault> {
    let template = planned.template;
    let reservation = reservation(set, template.provider)?;
    let spot = template.provider.facts().spot.as_ref();
    match (planned.machine.spot, spot) {
        (Some(true), None) => {
            let message = format!("{} has no spot machines", template.provider.name());
            results.error(&rules::SPOT, message).in_config(planned.field("spot"));
        }
        (Some(true), Some(_)) if reservation.is_some() => {}
        (Some(true), Some(spot)) => {
            mark(set, spot)?;
            refuse_conflict(spot, planned, results)?;
        }
        (Some(false), Some(spot)) => {
            for mark in marks_of(set, spot)? {
                set.remove(&field(mark.field))?;
            }
        }
        (None, Some(spot)) => report_spot_template(set, spot, planned, results)?,
        (_, None) => {}
    }
    if let Some((path, id)) = reservation {
        report_reservation(&path, &id, planned, results);
    }
    Ok(())
}

/// A reservation is for machines of the template's size, and cannot be spot.
fn report_reservation(path: &FieldPath, id: &str, planned: &PlannedSet<'_>, results: &mut Results) {
    let template = planned.template.resource;
    if planned.machine.spot == Some(true) {
        let message = format!(
            "{} is a reservation, and reserved capacity cannot be spot; choose another template, or \
             remove `spec.machines[{}].spot`",
            quoted(id),
            planned.entry
        );
        results.error(&rules::SPOT, message).field(template, path);
        return;
    }
    let message = format!(
        "{} is a reservation for the template's machines, and the copies use {}; check that it covers them",
        quoted(id),
        planned.machine.instance_type
    );
    results.warning(&rules::RESERVATION, message).field(template, path);
}

fn report_spot_template(
    set: &Resource,
    spot: &Spot,
    planned: &PlannedSet<'_>,
    results: &mut Results,
) -> Result<(), Fault> {
    if let Some(mark) = marks_of(set, spot)?.first() {
        let message = format!(
            "the template has spot machines, so its copies do too; set `spec.machines[{}].spot` to true or \
             false to choose",
            planned.entry
        );
        results.warning(&rules::SPOT_TEMPLATE, message).field(planned.template.resource, &field(mark.field));
    }
    Ok(())
}

fn refuse_conflict(spot: &Spot, planned: &PlannedSet<'_>, results: &mut Results) -> Result<(), Fault> {
    let Some((name, value)) = spot.conflict else { return Ok(()) };
    let (template, path) = (planned.template.resource, field(name));
    if template.get::<String>(&path)?.as_deref() == Some(value) {
        let message = format!(
            "a spot machine cannot have this value; choose another template, or remove `spec.machines[{}].spot`",
            planned.entry
        );
        results.error(&rules::SPOT, message).field(template, &path);
    }
    Ok(())
}

/// The reservation of the template's machines.
fn reservation(set: &Resource, provider: Provider) -> Result<Option<(FieldPath, String)>, Fault> {
    let Some(path) = provider.facts().reservation.map(field) else { return Ok(None) };
    let id: Option<String> = set.get(&path)?;
    Ok(id.filter(|id| !id.is_empty()).map(|id| (path, id)))
}

/// The spot fields of a set.
fn marks_of<'s>(set: &Resource, spot: &'s Spot) -> Result<Vec<&'s Mark>, Fault> {
    let mut marks = Vec::new();
    for mark in std::iter::once(&spot.mark).chain(&spot.newer) {
        let value = set.value(&field(mark.field))?.filter(|value| !value.is_null());
        let is_mark = value.is_some_and(|value| match mark.value {
            MarkValue::Present => true,
            MarkValue::True => value == true,
            MarkValue::Text(text) => value == text,
        });
        if is_mark {
            marks.push(mark);
        }
    }
    Ok(marks)
}

fn mark(set: &mut Resource, spot: &Spot) -> Result<(), Fault> {
    if !marks_of(set, spot)?.is_empty() {
        return Ok(());
    }
    let mut newer = None;
    if let Some(mark) = &spot.newer {
        newer = set.value(&field(mark.field))?.map(|_| mark);
    }
    let first = Some(&spot.mark).filter(|_| spot.allows_both || newer.is_none());
    for mark in first.into_iter().chain(newer) {
        let value = match mark.value {
            MarkValue::Present => json!({}),
            MarkValue::True => json!(true),
            MarkValue::Text(text) => json!(text),
        };
        set.set(&field(mark.field), value)?;
    }
    Ok(())
}
