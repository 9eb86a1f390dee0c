//! Architectures of processors, as Kubernetes calls them, by the names of instance types.

use super::machine::Provider;

pub const AMD64: &str = "amd64";
pub const ARM64: &str = "arm64";

/// Whether a type has ARM processors, by its name.
pub fn is_arm(cloud: Provider, name: &str) -> bool {
    let lower = name.to_lowercase();
    // NVIDIA's Grace, which comes with GPUs only.
    if cloud.is_cloud() && ["gb200", "gb300", "gh200"].iter().any(|grace| lower.contains(grace)) {
        return true;
    }
    match cloud {
        Provider::Aws => is_graviton(name),
        // `Standard_D4ps_v5`: a `p` among the letters after the number of processors.
        Provider::Azure => {
            let name = name.strip_prefix("Standard_").unwrap_or(name);
            let rest = name.trim_start_matches(|c: char| c.is_ascii_uppercase());
            let letters = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            letters.chars().take_while(char::is_ascii_lowercase).any(|c| c == 'p')
        }
        Provider::Gcp => ["t2a-", "c4a-", "n4a-", "a4x-"].iter().any(|series| name.starts_with(series)),
        _ => false,
    }
}

/// Whether an instance type of AWS has Amazon's own processors: a `g` after the generation, as in `m6gd`.
fn is_graviton(name: &str) -> bool {
    let family = name.split('.').next().unwrap_or_default();
    if family == "a1" {
        return true; // the first of them
    }
    let rest = family.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    rest.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with('g')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::instance;

    #[test]
    fn arm_is_told_by_the_names_of_types() {
        for known in instance::catalogue() {
            assert_eq!(is_arm(known.cloud, known.name), known.architecture == ARM64, "{}", known.name);
        }
        let gravitons = ["a1.xlarge", "m6g.xlarge", "c7gn.large", "x2gd.metal", "t4g.micro"];
        assert!(gravitons.into_iter().all(|name| is_arm(Provider::Aws, name)));
        assert!(is_arm(Provider::Aws, "p6e-gb200.36xlarge"));
        for name in ["m6i.xlarge", "g4dn.xlarge", "p4d.24xlarge", ""] {
            assert!(!is_arm(Provider::Aws, name), "{name}");
        }
        for name in ["Standard_D4ps_v5", "Standard_E8pds_v6", "Standard_D2pls_v5"] {
            assert!(is_arm(Provider::Azure, name), "{name}");
        }
        assert!(!is_arm(Provider::Azure, "Standard_D4s_v3"));
        assert!(is_arm(Provider::Gcp, "t2a-standard-4") && !is_arm(Provider::Gcp, "n2-standard-4"));
    }
}
