//! Fields that newer releases replace.

use crate::checks::rules;
use crate::krm::{Results, quoted};
use crate::model::Model;
use crate::model::control_plane::{FormerField, former_fields, knows_buses};
use crate::platform::message_buses::FIRST_RELEASE;

/// Reports `deprecated-field`. The CRDs of earlier releases have only the deprecated fields, so this is a warning only if
/// the control plane uses the new ones too.
pub fn deprecated_field(model: &Model<'_>, results: &mut Results) {
    for plane in &model.control_planes {
        let resource = model.world.get(plane.item);
        let former = former_fields(plane.item, resource);
        if former.is_empty() {
            continue;
        }
        if knows_buses(resource) {
            for field in &former {
                replaced(field, model, results);
            }
        } else {
            will_be_replaced(&former, model, results);
        }
    }
}

fn replaced(former: &FormerField, model: &Model<'_>, results: &mut Results) {
    let (field, successor) = (former.field.name, former.field.successor());
    let message = match &former.successor {
        Some(used) if used.value != former.cluster.value => format!(
            "`{field}` is deprecated and ignored, because `{successor}` is {}; remove `{field}`",
            quoted(&used.value)
        ),
        Some(_) => format!("`{field}` is deprecated and repeats `{successor}`; remove it"),
        None => format!("`{field}` is deprecated; use `{successor}`"),
    };
    let finding = results.warning(&rules::DEPRECATED_FIELD, message);
    finding.at(former.cluster.site.location(model.items()));
    if let Some(successor) = &former.successor {
        finding.related(successor.site.location(model.items()), "the field that is used");
    }
}

/// One finding for the whole control plane: nothing has to change before the cluster is updated.
fn will_be_replaced(former: &[FormerField], model: &Model<'_>, results: &mut Results) {
    let Some((first, others)) = former.split_first() else { return };
    let message = format!(
        "`{}` is deprecated since {FIRST_RELEASE}; use `{}` from that release on, but not before it",
        first.field.name,
        first.field.successor()
    );
    let finding = results.info(&rules::DEPRECATED_FIELD, message);
    finding.at(first.cluster.site.location(model.items()));
    for other in others {
        let message = format!("also deprecated; `{}` replaces it", other.field.successor());
        finding.related(other.cluster.site.location(model.items()), message);
    }
}
