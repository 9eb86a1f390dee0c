//! Zones of public clouds: their names, and the zones of each region.

use super::provider::{Provider, ZoneNames};

/// Why a name cannot be a zone of a region.
#[derive(Debug, PartialEq, Eq)]
pub enum Objection {
    /// It is the region itself.
    IsRegion,
    OtherRegion,
    /// Zones of the provider are these numbers.
    NotNumber(&'static [&'static str]),
}

fn names(provider: Provider) -> Option<&'static ZoneNames> {
    provider.facts().zones.as_ref().map(|zones| &zones.names)
}

/// Why a zone cannot be in the region, if its name shows this.
pub fn objection(provider: Provider, region: &str, zone: &str) -> Option<Objection> {
    let separator = match names(provider)? {
        ZoneNames::Any => return None,
        ZoneNames::Numbers(numbers) => {
            return (!numbers.contains(&zone)).then_some(Objection::NotNumber(numbers));
        }
        ZoneNames::Letters { separator, .. } => separator,
    };
    if zone == region {
        return Some(Objection::IsRegion);
    }
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    // Without a separator, a digit would continue the name of the region: `us-east-12a`.
    let is_suffix = |rest: &str| {
        !rest.is_empty()
            && rest.chars().all(is_plain)
            && !(separator.is_empty() && rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let suffix = zone.strip_prefix(region).and_then(|rest| rest.strip_prefix(separator));
    (!suffix.is_some_and(is_suffix)).then_some(Objection::OtherRegion)
}

/// The zones of a region, if its cloud names them by letters and the given zone has such a name but is not among them.
/// The lists may be out of date, so the zone may be new.
///
/// None for a zone with another kind of name: local and wavelength zones of AWS (`us-east-1-bos-1a`), AI zones of GCP
/// (`us-central1-ai1a`).
pub fn others_of_region(provider: Provider, region: &str, zone: &str) -> Option<Vec<String>> {
    let ZoneNames::Letters { separator, usual, exceptions, other_form } = names(provider)? else {
        return None;
    };
    let letters = exceptions.iter().find(|(name, _)| *name == region).map_or(*usual, |(_, letters)| letters);
    let suffix = zone.strip_prefix(region)?.strip_prefix(separator)?;
    let is_listed = suffix.len() == 1 && letters.contains(suffix);
    (!suffix.starts_with(other_form) && !is_listed)
        .then(|| letters.chars().map(|letter| format!("{region}{separator}{letter}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_that_a_region_lacks_are_recognised() {
        let others = |cloud, region, zone| others_of_region(cloud, region, zone).map(|zones| zones.join(" "));
        let aws = |zone| others(Provider::Aws, "us-east-1", zone);
        assert_eq!(aws("us-east-1f"), None);
        assert_eq!(aws("us-east-1-bos-1a"), None);
        let all = "us-east-1a us-east-1b us-east-1c us-east-1d us-east-1e us-east-1f";
        assert_eq!(aws("us-east-1z").as_deref(), Some(all));
        assert_eq!(aws("us-east-1ab").as_deref(), Some(all));
        assert!(others(Provider::Aws, "us-east-2", "us-east-2d").is_some());
        assert_eq!(others(Provider::Aws, "us-west-2", "us-west-2d"), None);
        let gcp = |region, zone| others(Provider::Gcp, region, zone);
        assert_eq!(gcp("us-central1", "us-central1-f"), None);
        assert_eq!(gcp("us-central1", "us-central1-ai1a"), None);
        assert_eq!(gcp("us-east1", "us-east1-a").as_deref(), Some("us-east1-b us-east1-c us-east1-d"));
        assert!(gcp("europe-west4", "europe-west4-d").is_some());
        assert_eq!(others(Provider::OpenStack, "", "anything"), None);
    }

    #[test]
    fn names_that_cannot_be_zones_of_a_region_are_recognised() {
        let aws = |zone| objection(Provider::Aws, "us-east-1", zone);
        assert_eq!(aws("us-east-1a"), None);
        assert_eq!(aws("us-east-1-bos-1a"), None);
        assert_eq!(aws("us-east-1"), Some(Objection::IsRegion));
        for zone in ["us-east-12a", "us-west-2a", "us-east-1A"] {
            assert_eq!(aws(zone), Some(Objection::OtherRegion), "{zone}");
        }
        let gcp = |zone| objection(Provider::Gcp, "us-east1", zone);
        assert_eq!(gcp("us-east1-b"), None);
        assert_eq!(gcp("us-east1"), Some(Objection::IsRegion));
        assert_eq!(gcp("us-east1b"), Some(Objection::OtherRegion));
        assert_eq!(gcp("us-east1-"), Some(Objection::OtherRegion));
        let numbers = Objection::NotNumber(&["1", "2", "3"]);
        assert_eq!(objection(Provider::Azure, "centralus", "4"), Some(numbers));
        assert_eq!(objection(Provider::VSphere, "", "anything"), None);
    }
}
