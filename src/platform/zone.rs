//! Zones of public clouds: which of them a region has.

use super::machine::Provider;

/// The zones of a region, if its cloud names them by letters and the given zone is named like one of them but is
/// not among them. The lists age, so such a zone may be new.
///
/// None for a zone of another form: local and wavelength zones of AWS (`us-east-1-bos-1a`), AI zones of GCP
/// (`us-central1-ai1a`).
pub fn others_of_region(cloud: Provider, region: &str, zone: &str) -> Option<Vec<String>> {
    let (separator, letters) = match cloud {
        Provider::Aws => ("", aws_letters(region)),
        Provider::Gcp => ("-", gcp_letters(region)),
        _ => return None,
    };
    let suffix = zone.strip_prefix(region)?.strip_prefix(separator)?;
    let is_of_another_form = match cloud {
        Provider::Aws => suffix.starts_with('-'),
        _ => suffix.starts_with("ai"),
    };
    let is_listed = suffix.len() == 1 && letters.contains(suffix);
    (!is_of_another_form && !is_listed)
        .then(|| letters.chars().map(|letter| format!("{region}{separator}{letter}")).collect())
}

/// Letters of availability zones, in any account: AWS maps those of its oldest regions to other letters in each
/// account, and may leave one out. Every region has at least three zones.
fn aws_letters(region: &str) -> &'static str {
    match region {
        "us-east-1" => "abcdef",
        "us-west-2" | "ca-central-1" | "ap-northeast-1" | "ap-northeast-2" | "cn-north-1" => "abcd",
        _ => "abc",
    }
}

/// Letters of zones, as `gcloud compute zones list` shows them.
fn gcp_letters(region: &str) -> &'static str {
    match region {
        "us-central1" => "abcf",
        "us-east1" | "europe-west1" => "bcd",
        _ => "abc",
    }
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
}
