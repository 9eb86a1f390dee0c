//! What one machine has, by the config or the catalogue: GPUs, CPUs, memory, architecture.

use super::Machine;
use crate::formats::label;
use crate::krm::{Hint, quoted};
use crate::platform::architecture::{AMD64, ARM64, is_arm};
use crate::platform::instance::{self, Accelerator};
use crate::platform::instance_name::Unlisted;
use crate::platform::provider::Provider;

/// The GPUs of one machine.
#[derive(Debug, Clone)]
pub struct Gpus {
    pub accelerator: Accelerator,
    /// The resource by which pods request a GPU.
    pub resource: &'static str,
    pub count: u32,
}

impl Gpus {
    /// The GPUs that `capacity` states.
    pub fn stated(gpu: &str, count: u32) -> Result<Self, String> {
        let accelerator = Accelerator::parse(gpu).filter(|_| label::is_value(gpu));
        let gpus = accelerator.and_then(|accelerator| {
            let resource = accelerator.resource()?;
            Some(Gpus { accelerator, resource, count })
        });
        gpus.ok_or_else(|| {
            format!(
                "must be the vendor and model of a GPU, such as \"nvidia-l40s\" (vendors: nvidia, amd, intel, habana), got {}",
                quoted(gpu)
            )
        })
    }

    /// The GPUs of an instance type in the catalogue.
    pub fn of_type(name: &str) -> Result<Self, String> {
        let known = instance::by_name(name).ok_or_else(|| unlisted(name))?;
        let accelerator = &known.accelerator;
        let resource = accelerator.resource().ok_or_else(|| {
            format!("{} has no GPU, and GenerateMachineSets does not support its {accelerator}", quoted(name))
        })?;
        let count = known.count.ok_or_else(|| {
            format!("the catalogue does not list how many GPUs {} has; set `capacity`", quoted(name))
        })?;
        Ok(Gpus { accelerator: accelerator.clone(), resource, count })
    }
}

/// What one machine has besides GPUs, as far as the config or the catalogue specifies it. The provider's
/// controller determines the rest.
#[derive(Debug, Clone, Copy)]
pub struct Figures {
    pub cpus: Option<u32>,
    pub memory_mib: Option<u64>,
    pub architecture: Option<&'static str>,
    /// The architecture, certain or not: an unlisted type of a cloud is amd64 unless its name says otherwise.
    pub likely_architecture: Option<&'static str>,
}

impl Machine {
    /// What one machine of a provider has. The catalogue completes what `capacity` states.
    pub fn figures(&self, provider: Provider) -> Figures {
        let known = self.known.filter(|known| known.cloud == provider);
        let cloud = Some(provider).filter(|provider| provider.is_cloud());
        let named = cloud.filter(|cloud| is_arm(*cloud, &self.instance_type)).map(|_| ARM64);
        let architecture = known.map(|known| known.architecture).or(named);
        Figures {
            cpus: self.stated.and_then(|stated| stated.cpus).or(known.map(|known| known.cpus)),
            memory_mib: self
                .stated
                .and_then(|stated| stated.memory_mib)
                .or(known.and_then(|known| known.memory_mib)),
            architecture,
            likely_architecture: architecture.or(cloud.map(|_| AMD64)),
        }
    }

    /// Whether the catalogue lists the type.
    pub fn is_listed(&self) -> bool {
        self.known.is_some()
    }
}

/// The message for an instance type that the catalogue does not list.
fn unlisted(name: &str) -> String {
    let kind = Unlisted::of(name);
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
    format!("{}; {}", kind.describe(name), Hint::of(kind.suggestion()).and(way_out))
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
