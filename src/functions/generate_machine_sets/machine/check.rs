//! Values of an entry that are wrong on every provider.

use super::{Capacity, Gpus, Machine, MachineSpec, Replicas, StatedSize, name};
use crate::formats::dns;
use crate::krm::{FieldPath, Mistakes, quoted};
use crate::platform::instance;

/// The largest number of machines, GPUs or CPUs that the API can hold.
pub const LARGEST: u64 = i32::MAX as u64;

/// More GPUs than a machine can have, including shared ones.
const MAX_GPUS: u64 = 1024;

/// The largest amount of memory whose number of bytes the API can hold.
const LARGEST_MIB: u64 = i64::MAX as u64 >> 20;

impl MachineSpec {
    /// The entry, ready to run. None if its GPUs are not known; other mistakes are only reported.
    pub fn check(self, path: FieldPath, mistakes: &mut Mistakes) -> Option<Machine> {
        self.check_numbers(&path, mistakes);
        self.check_names(&path, mistakes);
        if self.replicas.is_some() && self.autoscale.is_some() {
            let message = "must not be set together with `autoscale`, which controls the number of machines; remove one of them";
            mistakes.add(path.clone().key("replicas"), message);
        }
        let (gpus, known) = self.resolve_gpus(path, mistakes)?;
        let size = |capacity: &Capacity| StatedSize { cpus: capacity.cpus, memory_mib: capacity.memory_mib };
        Some(Machine {
            middle_name: self.name.unwrap_or_else(|| name::default_middle(&self.instance_type)),
            replicas: match self.autoscale {
                Some(autoscale) => Replicas::Scaled(autoscale),
                None => Replicas::Fixed(self.replicas.unwrap_or(1)),
            },
            instance_type: self.instance_type,
            zones: self.zones,
            spot: self.spot,
            gpus,
            known,
            stated: self.capacity.as_ref().map(size),
            device_id: self.capacity.and_then(|capacity| capacity.device_id),
            host_selector: self.host_selector,
        })
    }

    /// The GPUs from `capacity`, or otherwise from the catalogue, and the type in the catalogue.
    fn resolve_gpus(
        &self,
        path: FieldPath,
        mistakes: &mut Mistakes,
    ) -> Option<(Gpus, Option<&'static instance::InstanceType>)> {
        let type_path = path.clone().key("instanceType");
        let is_empty = self.instance_type.is_empty();
        if is_empty {
            mistakes.add(type_path.clone(), "must not be empty");
        }
        let gpus = match &self.capacity {
            Some(Capacity { gpu, count, .. }) => {
                mistakes.value(path.key("capacity").key("gpu"), Gpus::stated(gpu, *count))
            }
            None if is_empty => None,
            None => mistakes.value(type_path, Gpus::of_type(&self.instance_type)),
        };
        gpus.map(|gpus| (gpus, instance::by_name(&self.instance_type)))
    }

    fn check_numbers(&self, path: &FieldPath, mistakes: &mut Mistakes) {
        let (autoscale, capacity) = (self.autoscale.as_ref(), self.capacity.as_ref());
        let wide = |number: Option<u32>| number.map(u64::from);
        let (min, max) =
            (wide(autoscale.map(|autoscale| autoscale.min)), wide(autoscale.map(|autoscale| autoscale.max)));
        let in_range = [
            ("replicas", wide(self.replicas), 0, LARGEST),
            ("autoscale.min", min, 0, LARGEST),
            ("autoscale.max", max, 1, LARGEST),
            ("capacity.count", wide(capacity.map(|capacity| capacity.count)), 1, MAX_GPUS),
            ("capacity.cpus", wide(capacity.and_then(|capacity| capacity.cpus)), 1, LARGEST),
            ("capacity.memoryMiB", capacity.and_then(|capacity| capacity.memory_mib), 1, LARGEST_MIB),
        ];
        let field = |name: &str| path.clone().join(&FieldPath::new(name));
        for (name, number, least, most) in in_range {
            if let Some(number) = number.filter(|number| !(least..=most).contains(number)) {
                mistakes.add(field(name), out_of_range(least, most, number));
            }
        }
        // A maximum of 0 is reported separately.
        if let Some((min, max)) = min.zip(max).filter(|(min, max)| min > max && *max > 0 && *min <= LARGEST) {
            let message = format!("must not be more than `max`, which is {max}, got {min}");
            mistakes.add(field("autoscale.min"), message);
        }
    }

    fn check_names(&self, path: &FieldPath, mistakes: &mut Mistakes) {
        if let Some(name) = self.name.as_ref().filter(|name| !dns::is_label(name)) {
            let message =
                format!("must consist of lower case letters, digits and hyphens, got {}", quoted(name));
            mistakes.add(path.clone().key("name"), message);
        }
        for (i, zone) in self.zones.iter().enumerate() {
            let path = path.clone().key("zones").index(i);
            if zone.is_empty() || zone.contains(char::is_whitespace) {
                mistakes.add(path, format!("must be the name of a zone, got {}", quoted(zone)));
            } else if let Some(first) = self.zones[..i].iter().position(|other| other == zone) {
                let message = format!("the zone {} is given twice, first in `zones[{first}]`", quoted(zone));
                mistakes.add(path, message);
            }
        }
    }
}

pub fn out_of_range(least: u64, most: u64, got: u64) -> String {
    format!("must be from {least} to {most}, got {got}")
}
