//! What one machine has, by the config or the catalogue: CPUs, memory, GPUs, architecture.

use super::{Capacity, Machine};
use crate::krm::quoted;
use crate::platform::architecture::{AMD64, ARM64, is_arm};
use crate::platform::instance::{self, Accelerator};
use crate::platform::instance_name::Unlisted;
use crate::platform::provider::Provider;

/// What one machine has, as far as the config or the catalogue tells. The provider's controller finds out the rest.
#[derive(Debug, Clone)]
pub struct Figures {
    pub cpus: Option<u32>,
    pub memory_mib: Option<u64>,
    pub accelerator: Accelerator,
    /// The resource by which pods ask for a GPU.
    pub resource: &'static str,
    pub gpus: u32,
    pub architecture: Option<&'static str>,
    /// The architecture, certain or not: an unlisted type of a cloud is amd64 unless its name says otherwise.
    pub likely_architecture: Option<&'static str>,
}

impl Machine {
    /// What one machine has: as the config states, or the catalogue, which lists no type of another provider.
    pub fn figures(&self, provider: Option<Provider>) -> Result<Figures, String> {
        match &self.capacity {
            Some(capacity) => self.stated_figures(capacity, provider),
            None => self.catalogue_figures(),
        }
    }

    /// The figures of `capacity`. The catalogue completes them.
    fn stated_figures(&self, capacity: &Capacity, provider: Option<Provider>) -> Result<Figures, String> {
        let accelerator = Accelerator::parse(&capacity.gpu).ok_or("no GPU")?;
        let known = instance::by_name(&self.instance_type)
            .filter(|known| provider.is_none_or(|provider| provider == known.cloud));
        let cloud = provider.filter(|provider| provider.is_cloud());
        let named = cloud.filter(|cloud| is_arm(*cloud, &self.instance_type)).map(|_| ARM64);
        let architecture = known.map(|known| known.architecture).or(named);
        Ok(Figures {
            cpus: capacity.cpus.or(known.map(|known| known.cpus)),
            memory_mib: capacity.memory_mib.or(known.and_then(|known| known.memory_mib)),
            resource: accelerator.resource().ok_or("no GPU")?,
            accelerator,
            gpus: capacity.count,
            architecture,
            likely_architecture: architecture.or(cloud.map(|_| AMD64)),
        })
    }

    fn catalogue_figures(&self) -> Result<Figures, String> {
        let name = &self.instance_type;
        let known = instance::by_name(name).ok_or_else(|| unlisted(name))?;
        let accelerator = &known.accelerator;
        let resource = accelerator.resource().ok_or_else(|| {
            format!(
                "{} has no GPU but {accelerator}, which GenerateMachineSets does not support",
                quoted(name)
            )
        })?;
        let gpus = known.count.ok_or_else(|| {
            format!("the catalogue does not list how many GPUs {} has; set `capacity`", quoted(name))
        })?;
        Ok(Figures {
            cpus: Some(known.cpus),
            memory_mib: known.memory_mib,
            accelerator: accelerator.clone(),
            resource,
            gpus,
            architecture: Some(known.architecture),
            likely_architecture: Some(known.architecture),
        })
    }
}

/// The message for an instance type that the catalogue does not list.
fn unlisted(name: &str) -> String {
    let kind = Unlisted::of(name);
    let hint = kind.suggestion().map(|meant| format!("did you mean {}? ", quoted(meant))).unwrap_or_default();
    let way_out = match kind {
        Unlisted::TakesGpus => "set `capacity`, such as `{gpu: nvidia-t4, count: 1}`",
        Unlisted::WithoutGpus { .. } => {
            "`rhoso-fn explain instance` lists the types with GPUs; set `capacity` if this is a flavor, or a machine \
             outside public clouds"
        }
        _ => {
            "`rhoso-fn explain instance` lists the catalogue; set `capacity` for any other machine, such as a flavor or \
             a machine outside public clouds"
        }
    };
    format!("{}; {hint}{way_out}", kind.describe(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_type_is_recognised() {
        assert!(unlisted("g6.4xlrge").contains("did you mean \"g6.4xlarge\"?"));
        assert!(!unlisted("m6i.xlarge").contains("did you mean"));
        assert!(unlisted("m6i.xlarge").contains("is an instance type of AWS without GPUs"));
    }
}
