//! Writes what KServe's webhooks would write.

use super::ModelEnvironment;
use super::settings::models;
use crate::krm::{Fault, Resource};
use crate::platform::kubernetes::annotation;
use crate::platform::serving;

impl ModelEnvironment {
    pub fn set_defaults(&self, items: &mut [Resource]) -> Result<(), Fault> {
        if !self.webhook_defaults {
            return Ok(());
        }
        let given = models(items);
        for service in given.services.iter().filter(|service| !service.is_llm) {
            let item = service.item.get_mut(items);
            if let Some(mode) = &service.deployment_mode.value {
                item.set(&service.deployment_mode.site.path, serving::current_mode(mode))?;
            }
            let Some(format) = &service.format.value else { continue };
            let annotated = annotation(serving::MODEL_FORMAT);
            if !item.has(&annotated)? {
                item.set(&annotated, format.clone())?;
            }
            let has_default = serving::FORMATS_WITH_DEFAULT_PROTOCOL.contains(&format.as_str());
            if has_default && service.protocol.value.is_none() {
                item.set(&service.protocol.site.path, serving::DEFAULT_PROTOCOL)?;
            }
        }
        Ok(())
    }
}
