//! What can be said about resources before they are what a cluster gets.

use super::{Selection, rules};
use crate::krm::{Finding, Location, Related, Rule, Severity};

/// What will still change before the items reach a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Nothing.
    Rendered,
    /// Nothing, but the items are perhaps not all, and files may be alternatives: nothing is known to be missing, and two
    /// objects of one kind in two files may not meet.
    Partial,
    /// Names, and what else there is: nothing is known to be missing or to exist twice.
    BeforeNames,
    /// Any field: a collision may be resolved.
    BeforePatches,
    /// Whatever the functions of the package change and add.
    BeforeFunctions,
}

/// The rules that report what is missing, or more than there may be. They run only on all that a cluster gets.
static COMPLETENESS: &[&Rule] = &[
    &rules::CONTROL_PLANE_TWICE,
    &rules::DEPLOYMENT_WITHOUT_NODE_SET,
    &rules::FOREIGN_TOPOLOGY,
    &rules::GPU_UNAVAILABLE,
    &rules::MISSING_CONNECTION,
    &rules::MISSING_INTERFACE,
    &rules::MISSING_KEY,
    &rules::MISSING_NAME,
    &rules::MISSING_RUNTIME,
    &rules::MISSING_SECRET,
    &rules::MISSING_STORAGE_CLASS,
    &rules::NET_CONFIG_TWICE,
    &rules::NO_ADDRESSES,
    &rules::NO_CELL,
    &rules::POOL_EXHAUSTED,
    &rules::POOL_NOT_ADVERTISED,
    &rules::POOL_TWICE,
    &rules::TAINT_NOT_TOLERATED,
    &rules::UNKNOWN_POOL,
    &rules::UNKNOWN_SERVICE,
    &rules::VERSION_NAME,
    &rules::VOLUMES_SHORT,
];

/// The rules that report what one resource lacks. They do not run before patches, which may add it.
static INCOMPLETE: &[&Rule] = &[
    &rules::METADATA_TWICE,
    &rules::MISSING_CELL,
    &rules::MISSING_DEPENDENCY,
    &rules::NO_CELL,
    &rules::ROUTE_CERTIFICATE,
];

/// The rules that compare resources with each other.
static COLLISIONS: &[&Rule] = &[
    &rules::ADDRESS_TWICE,
    &rules::ALIAS_WITHOUT_DEVICE,
    &rules::ARGS_CONFLICT,
    &rules::CELL_WITHOUT_SERVICE,
    &rules::FILE_TWICE,
    &rules::DOMAIN_TWICE,
    &rules::FIXED_IP_OUTSIDE_SUBNET,
    &rules::HOST_IN_RANGE,
    &rules::MTU_MISMATCH,
    &rules::NODE_ADDRESS_IN_RANGE,
    &rules::NODE_TWICE,
    &rules::NO_SUCH_CELL,
    &rules::POOL_NOT_ALLOWED,
    &rules::POOL_OVERLAP,
    &rules::PROJECT_FORBIDS,
    &rules::RANGE_OVERLAP,
    &rules::SERVICE_OVERRIDDEN,
    &rules::SHARED_MESSAGE_BUS,
    &rules::TENSOR_PARALLEL,
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
            Stage::Partial => selection.without(COMPLETENESS),
            Stage::BeforeNames => selection.without(COMPLETENESS).without(&[&rules::DUPLICATE_OBJECT]),
            Stage::BeforePatches => {
                selection.without(COMPLETENESS).without(&[&rules::DUPLICATE_OBJECT]).without(INCOMPLETE)
            }
            Stage::BeforeFunctions => {
                let selection = selection.without(COMPLETENESS).without(&[&rules::DUPLICATE_OBJECT]);
                selection.without(INCOMPLETE).without(COLLISIONS)
            }
        }
    }

    /// Whether fields have the values that a cluster gets.
    pub(super) fn has_values(self) -> bool {
        matches!(self, Stage::Rendered | Stage::Partial | Stage::BeforeNames)
    }

    /// The severity of a finding at this stage.
    pub(super) fn severity(self, finding: &Finding) -> Severity {
        match self {
            Stage::BeforePatches if COLLISIONS.contains(&finding.rule) => {
                finding.severity.max(Severity::Warning)
            }
            Stage::BeforePatches | Stage::BeforeFunctions if *finding.rule == rules::WRONG_FIELD_TYPE => {
                finding.severity.max(Severity::Warning)
            }
            // Documentation of several kinds can name one project in many files.
            Stage::Partial if *finding.rule == rules::PROJECT_FORBIDS && finding.is_between_files() => {
                finding.severity.max(Severity::Warning)
            }
            Stage::Partial if COLLISIONS.contains(&finding.rule) && is_of_alternatives(finding) => {
                finding.severity.max(Severity::Warning)
            }
            _ => finding.severity,
        }
    }
}

/// Whether a finding is about objects of one kind in different files.
fn is_of_alternatives(finding: &Finding) -> bool {
    let kind =
        |location: &Location| location.resource.as_ref().map(|id| (id.group().to_owned(), id.kind.clone()));
    let is_alike = |related: &Related| kind(&related.location) == kind(&finding.location);
    finding.is_between_files() && finding.related.iter().all(is_alike)
}
