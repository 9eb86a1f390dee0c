//! Patterns in which `*` stands for anything, also for nothing.

pub fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    // The earliest place for each part leaves the most room for the next.
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
    fn a_star_stands_for_anything() {
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
