//! Keys and values of Kubernetes labels. The same rules apply to taints.

use super::dns;

/// Whether a string is a valid value: empty, or up to 63 letters, digits, `-`, `_` and `.`, with a letter or
/// digit at both ends.
pub fn is_value(text: &str) -> bool {
    text.is_empty() || is_name(text)
}

/// Whether a string is a valid key: a name, with an optional domain and slash before it.
pub fn is_key(text: &str) -> bool {
    match text.split_once('/') {
        Some((domain, name)) => dns::is_subdomain(domain) && is_name(name),
        None => is_name(text),
    }
}

fn is_name(text: &str) -> bool {
    let is_end = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    text.len() <= dns::LABEL
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
        && is_end(text.chars().next())
        && is_end(text.chars().next_back())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_may_have_a_slash_and_values_not() {
        for text in ["", "nvidia-l4", "A_1.b"] {
            assert!(is_value(text), "{text}");
        }
        for text in ["nvidia.com/gpu", "-a", "a-", "a b", "ü", &"a".repeat(64)] {
            assert!(!is_value(text), "{text}");
        }
        for text in ["nvidia.com/gpu", "gpu", "node-role.kubernetes.io/gpu"] {
            assert!(is_key(text), "{text}");
        }
        for text in ["", "/gpu", "nvidia.com/", "Nvidia.com/gpu", "a/b/c"] {
            assert!(!is_key(text), "{text}");
        }
    }
}
