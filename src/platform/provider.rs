//! Providers: the clouds and platforms whose machines a MachineSet creates.
//!
//! Each has a table of [`Facts`] in its own file, so that decisions do not name the fields of a provider.

mod aws;
pub mod azure;
pub mod bare_metal;
mod facts;
pub mod gcp;
pub mod nutanix;
mod openstack;
mod vsphere;

pub use self::facts::{
    Facts, Hardware, Mark, MarkValue, Memory, Spot, Subnet, TypeNames, ZoneNames, ZoneNetwork, Zones,
};
use super::machine;
use crate::krm::{FieldPath, FieldPattern};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Provider {
    Aws,
    Azure,
    Gcp,
    VSphere,
    OpenStack,
    Nutanix,
    BareMetal,
}

pub const PROVIDERS: [Provider; 7] = [
    Provider::Aws,
    Provider::Azure,
    Provider::Gcp,
    Provider::VSphere,
    Provider::OpenStack,
    Provider::Nutanix,
    Provider::BareMetal,
];

impl Provider {
    pub fn facts(self) -> &'static Facts {
        match self {
            Provider::Aws => &aws::FACTS,
            Provider::Azure => &azure::FACTS,
            Provider::Gcp => &gcp::FACTS,
            Provider::VSphere => &vsphere::FACTS,
            Provider::OpenStack => &openstack::FACTS,
            Provider::Nutanix => &nutanix::FACTS,
            Provider::BareMetal => &bare_metal::FACTS,
        }
    }

    /// The provider whose providerSpec has this kind.
    pub fn of_kind(kind: &str) -> Option<Self> {
        PROVIDERS.into_iter().find(|provider| provider.facts().kind == kind)
    }

    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// Whether it sells machines by type. Only such providers have entries in the catalogue.
    pub fn is_cloud(self) -> bool {
        self.facts().type_names.is_some()
    }

    /// The field with the name of the size.
    pub fn size(self) -> Option<FieldPath> {
        self.facts().size.map(field)
    }

    /// The field with the zone, or with its equivalent.
    pub fn zone(self) -> Option<FieldPath> {
        self.facts().zones.as_ref().map(|zones| field(zones.field))
    }

    pub fn region(self) -> Option<FieldPath> {
        self.facts().region.map(field)
    }

    /// The field of the subnet, if each zone has its own subnets.
    pub fn subnet(self) -> Option<&'static Subnet> {
        match &self.facts().zones.as_ref()?.network {
            ZoneNetwork::Subnet(subnet) => Some(subnet),
            _ => None,
        }
    }
}

/// The path of a field of the providerSpec.
pub fn field(below: &str) -> FieldPath {
    machine::provider_spec().join(&FieldPath::new(below))
}

/// The fields of the providerSpec that match a pattern.
pub fn fields(below: &str) -> FieldPattern {
    FieldPattern::from(&machine::provider_spec()).join_pattern(&FieldPattern::new(below))
}

/// The field with the kind of the providerSpec, which identifies the provider.
pub fn kind() -> FieldPath {
    field("kind")
}
