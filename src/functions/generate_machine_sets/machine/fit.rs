//! Whether the template's provider supports the fields of an entry.

use super::{Machine, Replicas};
use crate::krm::quoted;
use crate::platform::provider::Provider;

/// A field below the entry, and why it does not fit the provider.
pub type Misfit = (&'static str, String);

impl Machine {
    pub fn misfits(&self, provider: Provider) -> Vec<Misfit> {
        [
            self.type_misfit(provider),
            misfit_unless(Provider::Nutanix, "capacity.deviceId", self.device_id.is_some(), provider),
            misfit_unless(Provider::BareMetal, "hostSelector", !self.host_selector.is_empty(), provider),
            self.scaling_misfit(provider),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// An instance type of another cloud.
    fn type_misfit(&self, provider: Provider) -> Option<Misfit> {
        // A flavor may have the same name as a public cloud's instance type.
        let is_stated = self.stated.is_some() && !provider.is_cloud();
        let known = self.known.filter(|known| !is_stated && known.cloud != provider)?;
        let way_out = match provider.is_cloud() {
            true => "`rhoso-fn explain instance` lists its types",
            false => "describe its machines in `capacity`",
        };
        let message = format!(
            "{} is an instance type of {}, but the template is for {}; {way_out}",
            quoted(&self.instance_type),
            known.cloud.name(),
            provider.name()
        );
        Some(("instanceType", message))
    }

    /// A minimum of 0 where the autoscaler cannot scale up from 0.
    fn scaling_misfit(&self, provider: Provider) -> Option<Misfit> {
        let starts_from_zero = matches!(self.replicas, Replicas::Scaled(autoscale) if autoscale.min == 0);
        (starts_from_zero && !provider.facts().scales_from_zero).then(|| {
            let message =
                format!("must be at least 1: on {} the autoscaler cannot scale up from 0", provider.name());
            ("autoscale.min", message)
        })
    }
}

/// A field that only one provider supports.
fn misfit_unless(owner: Provider, field: &'static str, is_set: bool, provider: Provider) -> Option<Misfit> {
    let (owner_name, name) = (owner.name(), provider.name());
    (is_set && provider != owner)
        .then(|| (field, format!("is only for {owner_name}, and the template is for {name}; remove it")))
}
