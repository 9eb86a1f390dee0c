//! Names of Kubernetes objects, which are DNS names.

/// The maximum length of most names.
const SUBDOMAIN: usize = 253;

/// The maximum length of the name of a namespace, and of a name that becomes the value of a label.
pub const LABEL: usize = 63;

/// Whether a string consists of labels separated by dots.
pub fn is_subdomain(text: &str) -> bool {
    text.len() <= SUBDOMAIN && text.split('.').all(is_label)
}

/// Whether a string is one label, like the name of a namespace: lower case letters, digits and hyphens, with
/// no hyphen at either end.
pub fn is_label(text: &str) -> bool {
    let is_inner = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    (1..=LABEL).contains(&text.len())
        && text.bytes().all(is_inner)
        && !text.starts_with('-')
        && !text.ends_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_dns_names() {
        assert!(is_label("worker-0") && is_subdomain("worker-0.example.com"));
        for text in ["", "-a", "a-", "A", "a_b", "a b", "ü", &"a".repeat(64)] {
            assert!(!is_label(text) && !is_subdomain(text), "{text}");
        }
        assert!(!is_label("a.b") && !is_subdomain("a..b") && !is_subdomain(&"a.".repeat(127)));
    }
}
