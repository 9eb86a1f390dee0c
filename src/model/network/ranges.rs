//! Ranges that addresses are handed out from.

use std::fmt;

use crate::formats::cidr::{Address, Cidr, between};
use crate::formats::ip::IpRange;
use crate::model::fields::Reading;
use crate::model::{Site, Sited};

/// The addresses from a start to an end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressRange {
    pub addresses: IpRange,
    /// None where the end of the network is the limit.
    pub start: Option<Sited<Address>>,
    pub end: Option<Sited<Address>>,
    pub site: Site,
    text: String,
}

impl AddressRange {
    /// The range between two addresses, or from one to the end of a network, or a whole network.
    pub fn read(
        reading: &Reading<'_>,
        start: Option<Sited<Address>>,
        end: Option<Sited<Address>>,
        network: Option<&Cidr>,
        site: Site,
    ) -> Option<Self> {
        let first = start.as_ref().map(|start| start.value.ip()).or_else(|| network.map(Cidr::first))?;
        let last = end.as_ref().map(|end| end.value.ip()).or_else(|| network.map(Cidr::last))?;
        let text = match (&start, &end, network) {
            (None, None, Some(network)) => network.to_string(),
            _ => {
                let written = |limit: &Option<Sited<Address>>| limit.as_ref().map(|at| at.value.to_string());
                let first = written(&start).unwrap_or_else(|| first.to_string());
                format!("{first}-{}", written(&end).unwrap_or_else(|| last.to_string()))
            }
        };
        match between(first, last) {
            Ok(addresses) => Some(AddressRange { addresses, start, end, site, text }),
            Err(why) => {
                reading.bad_text(site, text, why);
                None
            }
        }
    }
}

/// As written.
impl fmt::Display for AddressRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
