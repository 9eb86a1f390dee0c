//! One finding for one cause, where two rules find the same mistake.

use std::collections::{HashMap, HashSet};

use super::rules;
use crate::krm::{FieldPath, Finding, Location, Rule, Severity};

/// Rules that say more about a field than its CRD or another rule: the rule, and the one that it replaces.
static BETTER: [(&Rule, &Rule); 5] = [
    (&rules::ADDRESS_TWICE, &rules::NODE_TWICE),
    (&rules::CONFIG_NOT_READ, &rules::UNKNOWN_FIELD),
    (&rules::MISPLACED_NAME, &rules::UNKNOWN_FIELD),
    (&rules::NO_SERVICE, &rules::UNKNOWN_FIELD),
    (&rules::WRONG_TYPE, &rules::WRONG_FIELD_TYPE),
];

/// Rules about annotations, which do not matter in a field that does not exist.
static WITHOUT_EFFECT: [&Rule; 3] =
    [&rules::BOTH_PREFIXES, &rules::NOT_A_LOAD_BALANCER, &rules::UNKNOWN_ANNOTATION];

/// Keeps one finding for each mistake. The findings are sorted, so those about one resource follow each other.
pub(super) fn keep_one_each(findings: &mut Vec<Finding>) {
    let is_kept: Vec<bool> = findings
        .chunk_by(is_about_same_resource)
        .flat_map(|of_resource| {
            let causes = Causes::among(of_resource);
            of_resource.iter().map(move |finding| !causes.replace(finding))
        })
        .collect();
    let mut is_kept = is_kept.into_iter();
    findings.retain(|_| is_kept.next().unwrap_or(true));
    // If the VLAN of an interface is taken, it is not the one that other resources have either.
    drop_explained(findings, &rules::VLAN_MISMATCH, &rules::VLAN_TWICE, |mismatch, twice| {
        places(twice).any(|place| mismatch.related.iter().any(|related| related.location == *place))
    });
    // A wrong VLAN in a NetConfig can be that of another network.
    drop_explained(findings, &rules::VLAN_TWICE, &rules::VLAN_MISMATCH, |twice, mismatch| {
        twice.severity == Severity::Warning && places(twice).any(|place| mismatch.location == *place)
    });
    // Networks with one subnet are one network, but not by intention.
    drop_explained(findings, &rules::MTU_MISMATCH, &rules::SUBNET_TWICE, |mtu, subnet| {
        places(subnet).any(|place| is_in_network_of(place, &mtu.location))
    });
}

/// Removes the findings of a rule that a finding of another rule explains.
fn drop_explained(
    findings: &mut Vec<Finding>,
    rule: &Rule,
    by: &Rule,
    is_explained: fn(&Finding, &Finding) -> bool,
) {
    let causes: Vec<Finding> = findings.iter().filter(|finding| *finding.rule == *by).cloned().collect();
    findings
        .retain(|finding| *finding.rule != *rule || !causes.iter().any(|cause| is_explained(finding, cause)));
}

fn places(finding: &Finding) -> impl Iterator<Item = &Location> {
    finding.related.iter().map(|related| &related.location).chain([&finding.location])
}

/// Whether a field of a subnet belongs to the network with the other field.
fn is_in_network_of(subnet: &Location, other: &Location) -> bool {
    let network = other.field.clone().map(|field| field.parent());
    let is_below =
        network.zip(subnet.field.as_ref()).is_some_and(|(network, field)| field.starts_with(&network));
    is_below && subnet.resource == other.resource && subnet.place.file == other.place.file
}

fn is_about_same_resource(one: &Finding, other: &Finding) -> bool {
    let place = |finding: &Finding| (finding.location.place.file.clone(), finding.location.place.index);
    one.location.resource == other.location.resource && place(one) == place(other)
}

/// Findings about one resource that may make others superfluous, by field: there can be thousands.
struct Causes<'f> {
    by_field: HashMap<&'f FieldPath, Vec<&'f Finding>>,
    /// The fields with a wrong type, and those above them.
    around_wrong_types: HashSet<FieldPath>,
}

impl<'f> Causes<'f> {
    fn among(findings: &'f [Finding]) -> Self {
        let mut causes = Causes { by_field: HashMap::new(), around_wrong_types: HashSet::new() };
        for finding in findings {
            let Some(field) = &finding.location.field else { continue };
            causes.by_field.entry(field).or_default().push(finding);
            if *finding.rule == rules::WRONG_TYPE {
                causes.around_wrong_types.extend(field.ancestors());
            }
        }
        causes
    }

    /// Whether one of them makes a finding superfluous. Only those about its field or one above it can, except for wrong
    /// types.
    fn replace(&self, finding: &Finding) -> bool {
        let Some(field) = &finding.location.field else { return false };
        let is_replaceable = BETTER.iter().any(|(_, than)| finding.rule == *than)
            || *finding.rule == rules::NO_SERVICE
            || WITHOUT_EFFECT.contains(&finding.rule);
        let at_or_above = || field.ancestors().filter_map(|field| self.by_field.get(&field)).flatten();
        is_replaceable
            && (at_or_above().any(|one| replaces(one, finding))
                || *finding.rule == rules::WRONG_FIELD_TYPE && self.around_wrong_types.contains(field))
    }
}

/// Whether one finding makes another one about the same resource superfluous.
fn replaces(one: &Finding, other: &Finding) -> bool {
    let (Some(field), Some(other_field)) = (&one.location.field, &other.location.field) else { return false };
    let is_better = BETTER.iter().any(|(better, than)| one.rule == *better && other.rule == *than);
    // A field or an endpoint that does not exist explains why what is below it has no effect. But it may exist in a newer
    // release, and then it must not hide anything worse.
    let is_cause = [&rules::UNKNOWN_FIELD, &rules::UNKNOWN_ENDPOINT].contains(&one.rule)
        && (*other.rule == rules::NO_SERVICE
            || WITHOUT_EFFECT.contains(&other.rule) && one.severity <= other.severity);
    let is_near = field.starts_with(other_field) || other_field.starts_with(field);
    // The model may report an element of a list, and the CRD the list, or the reverse.
    is_better && is_near && (*one.rule == rules::WRONG_TYPE || field == other_field)
        || is_cause && field != other_field && other_field.starts_with(field)
}
