//! Spot machines, and reservations that cannot go with them.

use serde_json::{Value, json};

use super::Planned;
use crate::krm::{Fault, FieldPath, Resource, Results, quoted};
use crate::platform::machine::{Provider, provider_field};

/// Makes the machines spot machines, or no spot machines, if the config says which.
pub fn set(set: &mut Resource, wanted: &Planned<'_>, results: &mut Results) -> Result<(), Fault> {
    let template = wanted.template;
    let reservation = reservation(set, template.provider)?;
    let sign = sign_of_spot(set, template.provider)?;
    match wanted.machine.spot {
        None => {
            if let Some(path) = sign {
                let message = format!(
                    "the template's machines are spot machines, and so are those of its copy; set \
                     `spec.machines[{}].spot` to true or false",
                    wanted.entry
                );
                results.warning("spot-template", message).field(template.resource, &path);
            }
        }
        Some(false) => leave(set, template.provider)?,
        Some(true) if !template.provider.is_cloud() => {
            let message = format!("{} has no spot machines", template.provider.name());
            results.error("spot", message).in_config(wanted.field("spot"));
        }
        Some(true) => {
            if let Some((path, id)) = &reservation {
                let message = format!(
                    "{} is a reservation, and reserved capacity is not sold as spot: choose another template, or \
                     leave `spec.machines[{}].spot` out",
                    quoted(id),
                    wanted.entry
                );
                results.error("spot", message).field(template.resource, path);
                return Ok(());
            }
            enter(set, template.provider)?;
            refuse_restarts(wanted, results)?;
        }
    }
    if let Some((path, id)) = reservation {
        let message = format!(
            "{} is a reservation for the template's machines; the copies' are {} ones",
            quoted(id),
            wanted.machine.instance_type
        );
        results.warning("reservation", message).field(template.resource, &path);
    }
    Ok(())
}

/// GCP restarts no machine that it has taken back.
fn refuse_restarts(wanted: &Planned<'_>, results: &mut Results) -> Result<(), Fault> {
    let (template, path) = (wanted.template, provider_field("restartPolicy"));
    if template.provider == Provider::Gcp
        && template.resource.get::<String>(&path)?.as_deref() == Some("Always")
    {
        let message = format!(
            "a spot machine cannot be restarted always: choose another template, or leave `spec.machines[{}].spot` out",
            wanted.entry
        );
        results.error("spot", message).field(template.resource, &path);
    }
    Ok(())
}

/// A reservation of capacity, which the API server writes as an empty string when there is none.
fn reservation(set: &Resource, provider: Provider) -> Result<Option<(FieldPath, String)>, Fault> {
    let path = match provider {
        Provider::Aws => provider_field("capacityReservationId"),
        Provider::Azure => provider_field("capacityReservationGroupID"),
        _ => return Ok(None),
    };
    let id: Option<String> = set.get(&path)?;
    Ok(id.filter(|id| !id.is_empty()).map(|id| (path, id)))
}

/// The field that makes machines spot machines. On Azure an empty one does, too.
fn sign_of_spot(set: &Resource, provider: Provider) -> Result<Option<FieldPath>, Fault> {
    let signs: &[(&str, Option<Value>)] = match provider {
        Provider::Aws => &[("spotMarketOptions", None), ("marketType", Some(json!("Spot")))],
        Provider::Azure => &[("spotVMOptions", None)],
        Provider::Gcp => &[("preemptible", Some(json!(true))), ("provisioningModel", Some(json!("Spot")))],
        _ => &[],
    };
    for (name, value) in signs {
        let path = provider_field(name);
        let there = set.value(&path)?.filter(|there| !there.is_null());
        if there.is_some_and(|there| value.as_ref().is_none_or(|value| *value == there)) {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

fn enter(set: &mut Resource, provider: Provider) -> Result<(), Fault> {
    if sign_of_spot(set, provider)?.is_some() {
        return Ok(());
    }
    match provider {
        Provider::Azure => set.set(&provider_field("spotVMOptions"), json!({})),
        // The newer word where the template knows it; never both, which is refused.
        Provider::Gcp => {
            let model = provider_field("provisioningModel");
            match set.value(&model)?.is_some() {
                true => set.set(&model, "Spot"),
                false => set.set(&provider_field("preemptible"), true),
            }
        }
        _ => {
            set.set(&provider_field("spotMarketOptions"), json!({}))?;
            let market = provider_field("marketType");
            if set.value(&market)?.is_some() { set.set(&market, "Spot") } else { Ok(()) }
        }
    }
}

fn leave(set: &mut Resource, provider: Provider) -> Result<(), Fault> {
    while let Some(path) = sign_of_spot(set, provider)? {
        set.remove(&path)?;
    }
    Ok(())
}
