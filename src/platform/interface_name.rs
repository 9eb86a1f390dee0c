//! Names of network interfaces, as the Linux kernel accepts them.

/// The maximum length: 16 bytes with the terminating null.
pub const LONGEST: usize = 15;

/// Whether the kernel accepts a name.
pub fn is_valid(name: &str) -> bool {
    let is_allowed = |c: char| !c.is_whitespace() && !c.is_control() && !matches!(c, '/' | ':');
    (1..=LONGEST).contains(&name.len()) && name.chars().all(is_allowed) && !matches!(name, "." | "..")
}

/// Whether the kernel or udev gives this name to a network card, which exists without a configuration. Interfaces on top
/// of it, such as `enp6s0.20`, have other names.
pub fn is_network_card(name: &str) -> bool {
    let rest = ["eth", "eno", "enp", "ens", "enx"].iter().find_map(|prefix| name.strip_prefix(prefix));
    rest.is_some_and(|rest| {
        rest.starts_with(|c: char| c.is_ascii_hexdigit()) && rest.chars().all(|c| c.is_ascii_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn network_cards_have_names_of_their_own() {
        for name in ["eth0", "eno1", "enp6s0", "ens1f0np0", "enx001122334455"] {
            assert!(is_network_card(name), "{name}");
        }
        for name in ["", "eth", "enp6s0.20", "ens", "ensure", "bond0", "internalapi", "eth0-vlan"] {
            assert!(!is_network_card(name), "{name}");
        }
    }

    #[test]
    fn names_are_short_and_plain() {
        for name in ["enp6s0", "enp6s0.20", "bond0", "enp175s0f1np1"] {
            assert!(is_valid(name), "{name}");
        }
        for name in ["", ".", "..", "a b", "a/b", "eth0:1", "enp175s0f1np1.20"] {
            assert!(!is_valid(name), "{name}");
        }
    }
}
