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

/// Whether a string is a domain name with a top-level domain, such as `ctlplane.example.com`. Case does not matter.
pub fn is_domain(text: &str) -> bool {
    let Some((labels, top)) = text.rsplit_once('.') else { return false };
    let is_top = top.len() >= 2 && top.bytes().all(|b| b.is_ascii_alphabetic());
    is_top && labels.split('.').all(|label| is_label(&label.to_ascii_lowercase()))
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
    #[test]
    fn domains_have_a_top_level_domain() {
        for text in [
            "example.com",
            "CtlPlane.Example.COM",
            "a-1.b.io",
            "1.2.example",
            &format!("{}.com", "a".repeat(63)),
        ] {
            assert!(is_domain(text), "{text}");
        }
        for text in
            ["", "com", "example.c", "example.c0m", "example.com.", ".com", "a..com", "a_b.com", "-a.com"]
        {
            assert!(!is_domain(text), "{text}");
        }
        assert!(!is_domain(&format!("{}.com", "a".repeat(64))));
    }
}
