//! Fields that a CRD does not have, and values of another type than it requires.

mod suggestion;
mod walk;

use self::suggestion::suggest;
use self::walk::{Cause, Defect, Unknown, defects};
use super::rules;
use crate::krm::{FieldPath, Finding, Hint, Id, Resource, Results, Severity, quoted};
use crate::model::Model;
use crate::platform::crds::{self, NodeId, Schemas};

/// Reports `unknown-field` and `wrong-field-type`. Only the metadata of kinds without a CRD is checked. Resources for local
/// tools are skipped.
pub(super) fn fields(model: &Model<'_>, results: &mut Results) {
    for item in model.items() {
        let is_object = !item.id().kind.is_empty() && !item.id().api_version.is_empty();
        let metadata = if is_object && !item.has_plain_metadata() { Crd::of_metadata() } else { None };
        let crds = [metadata, Crd::of(item.id(), model.crds)];
        if crds.iter().all(Option::is_none) {
            continue;
        }
        let Some(doc) = item.document() else { continue };
        for crd in crds.into_iter().flatten() {
            let defects = defects(doc, crd.root, crd.schemas);
            if !defects.is_empty() && !item.is_local() {
                defects.into_iter().for_each(|defect| report(defect, item, &crd, results));
            }
        }
    }
}

/// The fields of a kind.
struct Crd<'s> {
    schemas: &'s Schemas,
    root: NodeId,
    /// Whether they are those of the user's cluster.
    is_certain: bool,
}

impl<'s> Crd<'s> {
    fn of_metadata() -> Option<Self> {
        let schemas = crds::metadata();
        let (api_version, kind) = crds::ANY_KIND;
        Some(Crd { schemas, root: schemas.kind(api_version, kind)?, is_certain: false })
    }

    fn of(id: &Id, given: Option<&'s Schemas>) -> Option<Self> {
        let find = |schemas: &'s Schemas, is_certain| {
            let root = schemas.kind(&id.api_version, &id.kind)?;
            Some(Crd { schemas, root, is_certain })
        };
        given
            .and_then(|schemas| find(schemas, true))
            .or_else(|| crds::may_be_builtin(id.group()).then(|| find(crds::builtin(), false))?)
    }
}

fn report(defect: Defect, item: &Resource, crd: &Crd<'_>, results: &mut Results) {
    let Defect { path, cause } = defect;
    let mut finding = match cause {
        Cause::Type { wanted, found, advice } => {
            let message = format!("must be {wanted}, but is {found}{advice}");
            Finding::new(Severity::Error, &rules::WRONG_FIELD_TYPE, message)
        }
        Cause::Unknown(unknown) => unknown_field(&unknown, &path, &item.id().kind, crd),
    };
    finding.field(item, &path);
    results.add(finding);
}

/// This is an error if the field was certainly meant to be another one, or if the CRD is that of the cluster.
fn unknown_field(unknown: &Unknown, path: &FieldPath, kind: &str, crd: &Crd<'_>) -> Finding {
    const NEWER: &str = "if a newer release has this field, pass the CRDs of your cluster to `check --crds`; otherwise, remove it";
    const OLDER: &str = "remove it, or pass the CRDs of your cluster to `check --crds` if it is older";
    let Unknown { ancestors, is_null, is_removed } = unknown;
    let suggestion = suggest(path, ancestors, crd.schemas);
    let is_sure = suggestion.as_ref().is_some_and(|suggestion| suggestion.is_sure) && !is_removed;
    let target = suggestion.map(|suggestion| suggestion.target);
    let hint = Hint::of(target.as_deref());
    let (has, advice) = match is_removed {
        true => ("no longer has the", hint.and(OLDER)),
        false if is_sure || crd.is_certain => ("has no", hint.or(|| "remove it".to_owned())),
        false => ("has no", hint.and(NEWER)),
    };
    // A null is lost without consequences.
    let severity = match (is_sure || crd.is_certain) && !is_null {
        true => Severity::Error,
        false => Severity::Warning,
    };
    let name = quoted(path.last_key().unwrap_or_default());
    let message = format!("{kind} {has} field {name} here, so the API server drops it; {advice}");
    Finding::new(severity, &rules::UNKNOWN_FIELD, message)
}
