//! Tells misspelt names from other names.

/// Whether a name differs from another by one typing error, or by two if it is long. Numbers tell names apart, such as
/// `nova-cell2`. Names that differ only in case are the same.
pub(super) fn is_typo(name: &str, known: &str) -> bool {
    const LONG: usize = 10;
    is_within(if known.len() >= LONG { 2 } else { 1 }, name, known)
}

/// Like [`is_typo`], but for kinds: `AddressPool` is not a misspelt `IPAddressPool`.
pub(super) fn is_typo_of_kind(name: &str, known: &str) -> bool {
    const LONG: usize = 16;
    is_within(if known.len() >= LONG { 2 } else { 1 }, name, known)
}

fn is_within(most: usize, name: &str, known: &str) -> bool {
    const SHORTEST: usize = 5;
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    known.len() >= SHORTEST
        && name.len().abs_diff(known.len()) <= most
        && digits(name) == digits(known)
        && strsim::damerau_levenshtein(&name.to_lowercase(), &known.to_lowercase()) <= most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_errors_are_told_from_other_names() {
        for (name, known) in [
            ("configure-netwrok", "configure-network"),
            ("bootsrap", "bootstrap"),
            ("telemtry", "telemetry"),
            ("install_os", "install-os"),
        ] {
            assert!(is_typo(name, known), "{name}");
        }
        for (name, known) in
            [("nova2", "nova"), ("ovs", "ovn"), ("libvirt2", "libvirt"), ("swift-ring", "swift")]
        {
            assert!(!is_typo(name, known), "{name}");
        }
        assert!(is_typo_of_kind("OpenStackControlPlan", "OpenStackControlPlane"));
        assert!(!is_typo_of_kind("AddressPool", "IPAddressPool"));
    }
}
