//! Processor architectures, as Kubernetes names them, and how to recognise them in the names of instance types.

use super::provider::Provider;

pub const AMD64: &str = "amd64";
pub const ARM64: &str = "arm64";

/// Parts of the names of types with NVIDIA's Grace, an ARM processor that is only available together with GPUs.
const GRACE: [&str; 3] = ["gb200", "gb300", "gh200"];

/// Whether a type of a public cloud has ARM processors, by its name.
pub fn is_arm(provider: Provider, name: &str) -> bool {
    provider.facts().type_names.as_ref().is_some_and(|rules| {
        let lower = name.to_lowercase();
        GRACE.iter().any(|grace| lower.contains(grace)) || (rules.is_arm)(name)
    })
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
