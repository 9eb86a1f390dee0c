//! A `device_spec` that prevents another from being added.

use crate::formats::pci::PciAddress;
use crate::model::Site;
use crate::platform::nova::PciSpec;

/// How many of the devices with certain ids a `device_spec` offers, compared with another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    Fewer,
    Same,
    More,
    /// Other devices, or devices that only the host knows.
    Other,
}

/// A `device_spec` that offers more or fewer devices with the ids of the wanted one. Nova adds all of them
/// up. Together with one that offers more, the wanted one has no effect. Together with one that offers fewer,
/// it offers devices that the other one withholds.
#[derive(Debug)]
pub struct Obstacle {
    pub spec: PciSpec,
    pub(super) reach: Reach,
    /// Its site, if it is in another file.
    pub elsewhere: Option<Site>,
    pub(super) is_replaceable: bool,
}

impl Obstacle {
    pub fn message(&self, wanted: &PciSpec) -> String {
        let (comparison, why, alternative) = match self.reach {
            Reach::More => ("more", "because it would have no effect", ""),
            _ => (
                "fewer",
                "because it would offer the others too",
                "list the devices for guests in `addresses` of `spec.computes`, or ",
            ),
        };
        let advice = match (&self.elsewhere, self.is_replaceable) {
            (Some(_), _) => "remove this one",
            (None, true) => "set `replace: true` to replace this one",
            (None, false) => "remove this one from its list",
        };
        format!(
            "`{}` offers {comparison} devices than `{wanted}`, which is not added {why}; {alternative}{advice}",
            self.spec
        )
    }
}

/// How many of the wanted devices an existing `device_spec` with the same ids offers, by their addresses.
pub(super) fn reach(existing: Option<PciAddress>, wanted: Option<PciAddress>) -> Reach {
    let Some(wanted) = wanted else { return Reach::Other };
    match existing {
        Some(at) if at == wanted => Reach::Same,
        Some(at) if at.covers(&wanted) => Reach::More,
        Some(at) if wanted.covers(&at) => Reach::Fewer,
        None if wanted == PciAddress::ANY => Reach::Fewer,
        _ => Reach::Other,
    }
}
