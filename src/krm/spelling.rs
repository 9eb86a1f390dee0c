//! How many typing errors separate two names.

/// The number of typing errors between two names: a character that is added, missing or wrong, or two that are swapped.
/// None if there are more than `most`.
///
/// The time to compare two names grows with the product of their lengths. So names that differ too much in length or in
/// their letters are not compared, and neither are long ones: no name in Kubernetes has more than 253 bytes.
pub fn errors_within(most: usize, one: &str, other: &str) -> Option<usize> {
    const LONGEST: usize = 253;
    if one.len().max(other.len()) > LONGEST {
        return (one == other).then_some(0);
    }
    let is_near = one.chars().count().abs_diff(other.chars().count()) <= most;
    let is_near = is_near && different_letters(one, other) <= most;
    is_near.then(|| strsim::damerau_levenshtein(one, other)).filter(|errors| *errors <= most)
}

/// The number of letters of one text that the other lacks, whatever their order: it takes at least as many errors to
/// turn one into the other. 0 for letters beyond ASCII, which have several bytes.
fn different_letters(one: &str, other: &str) -> usize {
    if !one.is_ascii() || !other.is_ascii() {
        return 0;
    }
    let mut counts = [0_i16; 128];
    one.bytes().for_each(|byte| counts[usize::from(byte)] += 1);
    other.bytes().for_each(|byte| counts[usize::from(byte)] -= 1);
    let sum = |sign: i16| counts.iter().map(|count| (sign * count).max(0).unsigned_abs()).sum::<u16>();
    usize::from(sum(1).max(sum(-1)))
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
        assert_eq!(errors_within(2, "abcd", "badc"), Some(2));
        assert_eq!(errors_within(9, "abc", "xyzw"), Some(4));
    }

    #[test]
    fn long_texts_are_not_compared() {
        let long = "x".repeat(2_000_000);
        assert_eq!(errors_within(1, &long, &format!("{long}y")), None);
        assert_eq!(errors_within(1, &long, &long), Some(0));
    }
}
