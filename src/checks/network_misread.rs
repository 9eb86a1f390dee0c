//! Fields of network resources that cannot be read.

use super::claim::severity;
use super::rules;
use crate::krm::{Finding, Resource, Results, Severity, quoted};
use crate::model::network::Network;
use crate::model::{Cause, Misread};

/// Reports `bad-address` for a text that is not an address or a range, and the rule of the fault for a field of the wrong
/// type.
pub fn network_misread(misread: &Misread, network: &Network, items: &[Resource], results: &mut Results) {
    let (text, why) = match &misread.cause {
        Cause::Type(fault) => {
            results.add(fault.clone().into_finding());
            return;
        }
        Cause::Text { text, why } => (text, why),
    };
    let finding = if network.pool_at(&misread.site).is_some() {
        let message = format!("{} is not a range that MetalLB can use: {why}; correct it", quoted(text));
        Finding::new(Severity::Error, &rules::BAD_ADDRESS, message)
    } else {
        let severity = network.service_at(&misread.site).map_or(Severity::Error, severity);
        let value = quoted(text);
        let what = if why.starts_with(&value) { why.clone() } else { format!("{value} is not valid: {why}") };
        Finding::new(severity, &rules::BAD_ADDRESS, format!("{what}; correct it"))
    };
    results.add(finding).location = misread.site.location(items);
}
