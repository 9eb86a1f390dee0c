//! How many typing errors separate two names.

/// The number of typing errors between two names: a character that is added, missing or wrong, or two that are swapped.
/// None if there are more than `most`.
///
/// The time to compare two names grows with the product of their lengths. So names whose lengths differ too much are not
/// compared, and neither are long ones: no name in Kubernetes has more than 253 bytes.
pub fn errors_within(most: usize, one: &str, other: &str) -> Option<usize> {
    const LONGEST: usize = 253;
    if one.len().max(other.len()) > LONGEST {
        return (one == other).then_some(0);
    }
    let is_near = one.chars().count().abs_diff(other.chars().count()) <= most;
    is_near.then(|| strsim::damerau_levenshtein(one, other)).filter(|errors| *errors <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_counted_up_to_a_limit() {
        assert_eq!(errors_within(1, "host", "host"), Some(0));
        assert_eq!(errors_within(1, "hots", "host"), Some(1));
        assert_eq!(errors_within(1, "hüst", "host"), Some(1));
        assert_eq!(errors_within(1, "hst", "hoost"), None);
        assert_eq!(errors_within(2, "hst", "hoost"), Some(2));
        assert_eq!(errors_within(2, "ghost", "port"), None);
    }

    #[test]
    fn long_texts_are_not_compared() {
        let long = "x".repeat(2_000_000);
        assert_eq!(errors_within(1, &long, &format!("{long}y")), None);
        assert_eq!(errors_within(1, &long, &long), Some(0));
    }
}
