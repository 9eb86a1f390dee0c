//! Ranges that overlap in one network.

use super::collisions::{Collision, Party, collisions};
use super::{assigner, describe};
use crate::checks::rules;
use crate::krm::{Finding, Resource, Results, Severity, quoted};
use crate::model::Model;
use crate::model::network::Network;
use crate::model::network::plan::{Holder, PlannedRange};

/// What cannot collide with its own kind: pools (`pool-overlap` compares them), attachments (whereabouts reserves
/// addresses for the whole cluster) and the subnets of one namespace (`subnet-twice` compares them).
#[derive(Debug, Clone, Copy, PartialEq)]
enum Class<'n> {
    Pool,
    Attachment,
    Instance(Option<&'n str>),
}

/// Reports `range-overlap`.
pub fn range_overlap(model: &Model<'_>, results: &mut Results) {
    let plan = &model.plan;
    let parties: Vec<Party<'_, Class<'_>>> = plan
        .ranges
        .iter()
        .map(|range| {
            let class = class(range.holder, &model.network);
            Party { addresses: &range.addresses, reach: &range.reach, class }
        })
        .collect();
    for collision in collisions(&parties, &plan.segments) {
        let classes = (parties[collision.first].class, parties[collision.second].class);
        // Two NetConfigs are of two instances only if both namespaces are known.
        let is_one_instance = matches!(
            classes,
            (Class::Instance(None), Class::Instance(_)) | (Class::Instance(_), Class::Instance(None))
        );
        if !is_one_instance {
            report(collision, &plan.ranges, model.items(), results);
        }
    }
}

fn class(holder: Holder, network: &Network) -> Class<'_> {
    match holder {
        Holder::Pool(_) => Class::Pool,
        Holder::Attachment(_) => Class::Attachment,
        Holder::Subnet(id) => Class::Instance(network.net_configs[id.config].namespace.as_deref()),
    }
}

fn report(collision: Collision, ranges: &[PlannedRange], items: &[Resource], results: &mut Results) {
    let (one, other) = (&ranges[collision.first], &ranges[collision.second]);
    let (first, second) = if one.site <= other.site { (one, other) } else { (other, one) };
    let assigners = match (assigner(first.holder), assigner(second.holder)) {
        (one, other) if one == other => format!("{one} can assign the same address in both namespaces"),
        (one, other) => format!("{one} and {other} can assign the same address"),
    };
    let overlap = format!(
        "{} overlaps {} in {}",
        quoted(&second.text),
        quoted(&first.text),
        describe(&first.site, items)
    );
    let (severity, message) = if collision.is_certain {
        let message = format!("{overlap}, and both are in one network, so {assigners}; change one of them");
        (Severity::Error, message)
    } else {
        let message = format!("{overlap}; if both are in one network, {assigners}; change one of them");
        (Severity::Warning, message)
    };
    let finding = results.add(Finding::new(severity, &rules::RANGE_OVERLAP, message));
    finding.location = second.site.location(items);
    finding.related(first.site.location(items), "the other range");
}
