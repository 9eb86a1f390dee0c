//! What to report about an alias that has no mistakes.

use super::device::{Device, GpuAlias};
use crate::checks::{gpu_alias, rules};
use crate::krm::{FieldPath, Finding, Severity, quoted};
use crate::platform::gpu::Gpu;
use crate::platform::nova::DeviceType;

impl GpuAlias {
    /// Reports a name or a device type that does not fit the ids, and what the catalogue chose.
    pub fn remarks(&self, device: &Device, path: &FieldPath) -> Vec<Finding> {
        let remark = |severity, rule, field, message| {
            let mut finding = Finding::new(severity, rule, message);
            finding.in_config(path.clone().key(field));
            finding
        };
        let name = gpu_alias::alias_name(&device.name, &device.vendor, &device.product);
        let name = name.map(|message| remark(Severity::Warning, &rules::ALIAS_NAME, "name", message));
        let device_type = device.gpu.and_then(|gpu| self.remark_on_type(gpu));
        let device_type = device_type
            .map(|(severity, message)| remark(severity, &rules::DEVICE_TYPE, "deviceType", message));
        name.into_iter().chain(device_type).collect()
    }

    fn remark_on_type(&self, gpu: &Gpu) -> Option<(Severity, String)> {
        let expected = gpu_alias::expected_type(gpu, self.nested);
        let Some(given) = self.device_type else {
            let (expected, why) = expected?;
            return Some((
                Severity::Info,
                format!("the catalogue chose {expected} for the {}, {why}", gpu.name),
            ));
        };
        if let Some(message) = gpu_alias::device_type(gpu, given, self.nested) {
            let is_whole_card = gpu.device_type() == Some(DeviceType::PhysicalFunction);
            let hint = if given == DeviceType::Pci && is_whole_card {
                "; set `nested: true` if the compute nodes are virtual machines"
            } else {
                ""
            };
            return Some((Severity::Warning, message + hint));
        }
        let is_chosen = gpu.function_of.is_some() && self.product_id.is_none();
        (given == DeviceType::VirtualFunction && is_chosen).then(|| {
            let message = format!(
                "the catalogue chose the product id {} of the virtual functions",
                quoted(gpu.product)
            );
            (Severity::Info, message)
        })
    }
}
