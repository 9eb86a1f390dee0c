//! Names of MachineSets: `<infrastructure>-gpu-<type>-<zone>`.

use super::Machine;
use crate::formats::dns;
use crate::krm::{FieldPath, quoted};
use crate::platform::machine::LONGEST_NAME;

/// The part between the infrastructure name and the zone, unless the config sets it.
pub fn default_middle(instance_type: &str) -> String {
    let name = as_name(instance_type);
    let name = name.strip_prefix("standard-").unwrap_or(&name);
    if name.starts_with("gpu-") { name.to_owned() } else { format!("gpu-{name}") }
}

impl Machine {
    /// The name of the MachineSet in a zone.
    pub fn set_name(&self, cluster: &str, zone: &str) -> String {
        let mut name = format!("{cluster}-{}", self.middle_name);
        if !zone.is_empty() {
            name.push('-');
            name.push_str(&as_name(zone));
        }
        name
    }

    /// What is wrong with the name of a MachineSet, if anything: the field below the entry and why.
    pub fn objection_to_name(&self, name: &str) -> Option<(FieldPath, String)> {
        let (length, middle) = (name.len(), &self.middle_name);
        if length > LONGEST_NAME {
            let message = format!(
                "the name {} has {length} characters, and a MachineSet's name has at most {LONGEST_NAME}; set something shorter \
                 than {}",
                quoted(name),
                quoted(middle)
            );
            return Some((FieldPath::new("name"), message));
        }
        (!dns::is_label(name)).then(|| {
            let message = format!(
                "{} is not a valid name of a MachineSet: it must consist of lower case letters, digits and hyphens, and must \
                 not end in a hyphen; it consists of the infrastructure name, {} and the zone",
                quoted(name),
                quoted(middle)
            );
            (FieldPath::default(), message)
        })
    }
}

/// A word as part of a name: `Standard_NC4as_T4_v3` is `standard-nc4as-t4-v3`.
fn as_name(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    text.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_become_names() {
        assert_eq!(as_name("g6.4xlarge"), "g6-4xlarge");
        assert_eq!(as_name("Standard_NC4as_T4_v3"), "standard-nc4as-t4-v3");
    }
}
