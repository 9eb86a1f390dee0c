//! Values of an entry that are wrong on every provider.

use super::{Autoscale, Capacity, Machine};
use crate::formats::{dns, label};
use crate::krm::quoted;
use crate::platform::instance::Accelerator;

/// The largest number of machines, GPUs or CPUs that the API can hold.
pub const LARGEST: u64 = i32::MAX as u64;

/// More GPUs than a machine can have, shared ones included.
const MOST_GPUS: u64 = 1024;

/// The largest amount of memory whose number of bytes the API can hold.
const LARGEST_MIB: u64 = i64::MAX as u64 >> 20;

/// A field below the entry, and what is wrong with it.
type Wrong = (String, String);

impl Machine {
    pub fn check(&self) -> Result<(), Wrong> {
        if self.instance_type.is_empty() {
            return wrong("instanceType", "must not be empty".to_owned());
        }
        self.check_gpu()?;
        if let Err(message) = self.figures(None) {
            return wrong("instanceType", message);
        }
        self.check_numbers()?;
        if self.replicas.is_some() && self.autoscale.is_some() {
            return wrong("replicas", "must not be set together with `autoscale`, which controls the number of machines; remove one of them".to_owned());
        }
        if let Some(Autoscale { min, max }) = self.autoscale.as_ref().filter(|auto| auto.min > auto.max) {
            let message = format!("must not be more than `max`, which is {max}, got {min}");
            return wrong("autoscale.min", message);
        }
        if let Some(name) = self.name.as_ref().filter(|name| !dns::is_label(name)) {
            let message =
                format!("must consist of lower case letters, digits and hyphens, got {}", quoted(name));
            return wrong("name", message);
        }
        self.check_zones()
    }

    fn check_gpu(&self) -> Result<(), Wrong> {
        let Some(Capacity { gpu, .. }) = &self.capacity else { return Ok(()) };
        if label::is_value(gpu) && Accelerator::parse(gpu).is_some() {
            return Ok(());
        }
        let message = format!(
            "must be the maker and model of a GPU, such as \"nvidia-l40s\" (makers: nvidia, amd, intel, habana), got {}",
            quoted(gpu)
        );
        wrong("capacity.gpu", message)
    }

    fn check_numbers(&self) -> Result<(), Wrong> {
        let (autoscale, capacity) = (self.autoscale.as_ref(), self.capacity.as_ref());
        let wide = |number: Option<u32>| number.map(u64::from);
        for (field, number, least, most) in [
            ("replicas", wide(self.replicas), 0, LARGEST),
            ("autoscale.min", wide(autoscale.map(|autoscale| autoscale.min)), 0, LARGEST),
            ("autoscale.max", wide(autoscale.map(|autoscale| autoscale.max)), 1, LARGEST),
            ("capacity.count", wide(capacity.map(|capacity| capacity.count)), 1, MOST_GPUS),
            ("capacity.cpus", wide(capacity.and_then(|capacity| capacity.cpus)), 1, LARGEST),
            ("capacity.memoryMiB", capacity.and_then(|capacity| capacity.memory_mib), 1, LARGEST_MIB),
        ] {
            if let Some(number) = number.filter(|number| !(least..=most).contains(number)) {
                return wrong(field, out_of_range(least, most, number));
            }
        }
        Ok(())
    }

    fn check_zones(&self) -> Result<(), Wrong> {
        for (i, zone) in self.zones.iter().enumerate() {
            let field = format!("zones[{i}]");
            if zone.is_empty() || zone.contains(char::is_whitespace) {
                return wrong(&field, format!("must be the name of a zone, got {}", quoted(zone)));
            }
            if let Some(first) = self.zones[..i].iter().position(|other| other == zone) {
                let message = format!("the zone {} is given twice, first in `zones[{first}]`", quoted(zone));
                return wrong(&field, message);
            }
        }
        Ok(())
    }
}

fn wrong(field: &str, message: String) -> Result<(), Wrong> {
    Err((field.to_owned(), message))
}

pub fn out_of_range(least: u64, most: u64, got: u64) -> String {
    format!("must be from {least} to {most}, got {got}")
}
