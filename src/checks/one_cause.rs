//! One finding for one cause, where two rules find the same mistake.

use super::rules;
use crate::krm::{Finding, Rule};

/// Rules that say more about a field than its CRD or another rule: the rule, and the one that it replaces.
static BETTER: [(&Rule, &Rule); 5] = [
    (&rules::ADDRESS_TWICE, &rules::NODE_TWICE),
    (&rules::CONFIG_NOT_READ, &rules::UNKNOWN_FIELD),
    (&rules::MISPLACED_NAME, &rules::UNKNOWN_FIELD),
    (&rules::NO_SERVICE, &rules::UNKNOWN_FIELD),
    (&rules::WRONG_TYPE, &rules::WRONG_FIELD_TYPE),
];

/// Keeps one finding for each mistake. The findings are sorted, so those about one resource follow each other.
pub(super) fn keep_one_each(findings: &mut Vec<Finding>) {
    let is_kept: Vec<bool> = findings
        .chunk_by(is_about_same_resource)
        .flat_map(|of_resource| {
            of_resource.iter().map(|finding| !of_resource.iter().any(|other| replaces(other, finding)))
        })
        .collect();
    let mut is_kept = is_kept.into_iter();
    findings.retain(|_| is_kept.next().unwrap_or(true));
}

fn is_about_same_resource(one: &Finding, other: &Finding) -> bool {
    let place = |finding: &Finding| (finding.location.place.file.clone(), finding.location.place.index);
    one.location.resource == other.location.resource && place(one) == place(other)
}

/// Whether one finding makes another one about the same resource superfluous.
fn replaces(one: &Finding, other: &Finding) -> bool {
    let (Some(field), Some(other_field)) = (&one.location.field, &other.location.field) else { return false };
    let is_better = BETTER.iter().any(|(better, than)| one.rule == *better && other.rule == *than);
    // A field or an endpoint that does not exist explains why what is below it has no effect.
    let is_cause = [&rules::UNKNOWN_FIELD, &rules::UNKNOWN_ENDPOINT].contains(&one.rule)
        && *other.rule == rules::NO_SERVICE;
    let is_near = field.starts_with(other_field) || other_field.starts_with(field);
    // The model may report an element of a list, and the CRD the list, or the reverse.
    is_better && is_near && (*one.rule == rules::WRONG_TYPE || field == other_field)
        || is_cause && field != other_field && other_field.starts_with(field)
}
