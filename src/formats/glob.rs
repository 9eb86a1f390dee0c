//! Patterns in which `*` matches any text, including the empty string.

pub fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    // Matching each part as early as possible leaves the most text for the next part.
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_matches_any_text() {
        for (pattern, text) in [
            ("a", "a"),
            ("*", ""),
            ("a*", "a"),
            ("*nova*.conf", "03-gpu-nova.conf"),
            ("a*b*c", "a-b-b-c"),
            ("*ab", "aab"),
        ] {
            assert!(matches(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in
            [("a", "ab"), ("", "a"), ("*nova*.conf", "04-pci.conf"), ("a*a", "a"), ("a*b*b", "ab")]
        {
            assert!(!matches(pattern, text), "{pattern} {text}");
        }
    }
}
