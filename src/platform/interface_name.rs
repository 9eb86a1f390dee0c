//! Names of network interfaces, as the Linux kernel accepts them.

/// The maximum length: 16 bytes with the terminating null.
pub const LONGEST: usize = 15;

/// Whether the kernel accepts a name.
pub fn is_valid(name: &str) -> bool {
    let is_allowed = |c: char| !c.is_whitespace() && !c.is_control() && !matches!(c, '/' | ':');
    (1..=LONGEST).contains(&name.len()) && name.chars().all(is_allowed) && !matches!(name, "." | "..")
}

#[cfg(test)]
mod tests {
    use super::*;

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
