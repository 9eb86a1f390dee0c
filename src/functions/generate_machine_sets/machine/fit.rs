//! Whether the template's provider has what an entry asks for.

use super::Machine;
use crate::krm::quoted;
use crate::platform::instance;
use crate::platform::provider::Provider;

/// A field below the entry, and why the provider does not have it.
type Misfit = (&'static str, String);

impl Machine {
    pub fn fits(&self, provider: Provider) -> Result<(), Misfit> {
        self.type_fits(provider)?;
        let device_id = self.capacity.as_ref().is_some_and(|capacity| capacity.device_id.is_some());
        only_for(Provider::Nutanix, "capacity.deviceId", device_id, provider)?;
        only_for(Provider::BareMetal, "hostSelector", !self.host_selector.is_empty(), provider)?;
        let starts_from_0 = self.autoscale.as_ref().is_some_and(|autoscale| autoscale.min == 0);
        if starts_from_0 && !provider.facts().scales_from_zero {
            let message =
                format!("must be at least 1: on {} the autoscaler cannot scale up from 0", provider.name());
            return Err(("autoscale.min", message));
        }
        Ok(())
    }

    /// Refuses an instance type of another cloud.
    fn type_fits(&self, provider: Provider) -> Result<(), Misfit> {
        // A flavor may have the name of a cloud's instance type.
        let is_stated = self.capacity.is_some() && !provider.is_cloud();
        let known = instance::by_name(&self.instance_type).filter(|_| !is_stated);
        let Some(known) = known.filter(|known| known.cloud != provider) else { return Ok(()) };
        let way_out = match provider.is_cloud() {
            true => "`rhoso-fn explain instance` lists its types",
            false => "set `capacity` to what its machines have",
        };
        let message = format!(
            "{} is an instance type of {}, but the template is for {}; {way_out}",
            quoted(&self.instance_type),
            known.cloud.name(),
            provider.name()
        );
        Err(("instanceType", message))
    }
}

/// Refuses a field that only one provider has.
fn only_for(owner: Provider, field: &'static str, is_set: bool, provider: Provider) -> Result<(), Misfit> {
    if !is_set || provider == owner {
        return Ok(());
    }
    let (owner, provider) = (owner.name(), provider.name());
    Err((field, format!("is only for {owner}, and the template is for {provider}; remove it")))
}
