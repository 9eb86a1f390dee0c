//! What can be said about resources before they are what a cluster gets.

use super::{Selection, rules};
use crate::krm::{Finding, Rule, Severity};

/// What will still change before the items reach a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Nothing.
    Rendered,
    /// Names, and what else there is: nothing is known to be missing or to exist twice.
    BeforeNames,
    /// Any field: a collision may be resolved.
    BeforePatches,
    /// Whatever the functions of the package change and add.
    BeforeFunctions,
}

/// The rules that report what is missing or exists twice. They run only on what a cluster gets.
static COMPLETENESS: &[&Rule] = &[
    &rules::DUPLICATE_OBJECT,
    &rules::DEPLOYMENT_WITHOUT_NODE_SET,
    &rules::MISSING_INTERFACE,
    &rules::MISSING_KEY,
    &rules::MISSING_NAME,
    &rules::MISSING_SECRET,
    &rules::MISSING_STORAGE_CLASS,
    &rules::NO_ADDRESSES,
    &rules::NO_CELL,
    &rules::POOL_EXHAUSTED,
    &rules::POOL_NOT_ADVERTISED,
    &rules::POOL_TWICE,
    &rules::UNKNOWN_POOL,
    &rules::UNKNOWN_SERVICE,
    &rules::VOLUMES_SHORT,
];

/// The rules that compare resources with each other.
static COLLISIONS: &[&Rule] = &[
    &rules::ADDRESS_TWICE,
    &rules::ALIAS_WITHOUT_DEVICE,
    &rules::CELL_WITHOUT_SERVICE,
    &rules::FILE_TWICE,
    &rules::FIXED_IP_OUTSIDE_SUBNET,
    &rules::HOST_IN_RANGE,
    &rules::MTU_MISMATCH,
    &rules::NODE_ADDRESS_IN_RANGE,
    &rules::NODE_TWICE,
    &rules::NO_SUCH_CELL,
    &rules::POOL_NOT_ALLOWED,
    &rules::POOL_OVERLAP,
    &rules::RANGE_OVERLAP,
    &rules::SERVICE_OVERRIDDEN,
    &rules::VIP_CONFLICT,
    &rules::VIP_OUTSIDE_POOL,
    &rules::VLAN_MISMATCH,
    &rules::VLAN_TWICE,
];

impl Stage {
    /// The selected rules that can be judged at this stage.
    pub(super) fn narrow(self, selection: &Selection) -> Selection {
        match self {
            Stage::Rendered => selection.clone(),
            Stage::BeforeNames | Stage::BeforePatches => selection.without(COMPLETENESS),
            Stage::BeforeFunctions => selection.without(COMPLETENESS).without(COLLISIONS),
        }
    }

    /// The severity of a finding at this stage.
    pub(super) fn severity(self, finding: &Finding) -> Severity {
        match self {
            Stage::BeforePatches if COLLISIONS.contains(&finding.rule) => {
                finding.severity.max(Severity::Warning)
            }
            _ => finding.severity,
        }
    }
}
