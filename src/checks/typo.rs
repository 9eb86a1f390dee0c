//! Tells misspelt names from other names.

use crate::krm::{Order, errors_within};

/// The known name that a name most likely stands for. None if it may well be a name of its own.
pub fn meant<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let typos = known.into_iter().filter(|known| is_typo_of_option(name, known));
    typos.min_by_key(|known| strsim::damerau_levenshtein(name, known))
}

/// The known name that differs by one typing error, which need not be one: short names and numbers are often similar.
pub fn similar<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let is_similar = |known: &&str| {
        name.len().abs_diff(known.len()) <= 1
            && different_characters(name, known) <= 2
            && errors_within(1, name, known) == Some(1)
    };
    known.into_iter().find(is_similar)
}

/// Whether a name differs from another by upper and lower case, by the order of its words, by one typing error, or by
/// one in each of two words.
///
/// Of the 2,962 options that later releases have added to a section of Antelope, this takes 6 for another option that
/// existed before (`certfile`, `cert_file`). Two errors in one word would take `kombu_reconnect_splay` for
/// `kombu_reconnect_delay`. Numbers tell names apart, such as `cell1` and `cell2`.
fn is_typo_of_option(name: &str, known: &str) -> bool {
    const SHORTEST: usize = 5;
    const LONG: usize = 10;
    if name.eq_ignore_ascii_case(known) {
        return true;
    }
    let most = if known.len() >= LONG { 2 } else { 1 };
    // Each error changes the number of at most two characters. This is quick, and leaves few names.
    let is_similar = known.len() >= SHORTEST
        && name.len().abs_diff(known.len()) <= most
        && different_characters(name, known) <= 2 * most;
    if !is_similar {
        return false;
    }
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    if digits(name) != digits(known) {
        return false;
    }
    match errors_within(2, name, known) {
        Some(0 | 1) => true,
        Some(2) if most == 2 && has_one_error_per_word(name, known) => true,
        _ => has_same_words(name, known),
    }
}

/// How many bytes occur in one of two names only, however they are arranged.
fn different_characters(name: &str, known: &str) -> usize {
    let mut counts = [0_isize; 256];
    name.bytes().for_each(|byte| counts[usize::from(byte)] += 1);
    known.bytes().for_each(|byte| counts[usize::from(byte)] -= 1);
    counts.iter().map(|count| count.unsigned_abs()).sum()
}

fn has_same_words(name: &str, known: &str) -> bool {
    let sorted = |text: &str| {
        let mut words: Vec<String> = text.split(['_', '-']).map(str::to_owned).collect();
        words.order();
        words
    };
    sorted(name) == sorted(known)
}

fn has_one_error_per_word(name: &str, known: &str) -> bool {
    let words = |text: &str| text.split(['_', '-']).map(str::to_owned).collect::<Vec<_>>();
    let (ours, theirs) = (words(name), words(known));
    ours.len() == theirs.len() && ours.iter().zip(&theirs).all(|(a, b)| errors_within(1, a, b).is_some())
}

/// Whether a name differs from another by one typing error, or by two if it is long. Numbers tell names apart, such as
/// `nova-cell2`. Names that differ only in case are the same.
pub fn is_typo(name: &str, known: &str) -> bool {
    const LONG: usize = 10;
    is_within(if known.len() >= LONG { 2 } else { 1 }, name, known)
}

/// Like [`is_typo`], but for kinds: `AddressPool` is not a misspelt `IPAddressPool`.
pub fn is_typo_of_kind(name: &str, known: &str) -> bool {
    const LONG: usize = 16;
    is_within(if known.len() >= LONG { 2 } else { 1 }, name, known)
}

fn is_within(most: usize, name: &str, known: &str) -> bool {
    const SHORTEST: usize = 5;
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    known.len() >= SHORTEST
        && name.len().abs_diff(known.len()) <= most
        && digits(name) == digits(known)
        && errors_within(most, &name.to_lowercase(), &known.to_lowercase()).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_options_are_told_from_other_names() {
        for (name, known) in [
            ("enabled_filtes", "enabled_filters"),
            ("enabld_filtrs", "enabled_filters"),
            ("enabled-filters", "enabled_filters"),
            ("Debug", "debug"),
            ("mdev_enabled_types", "enabled_mdev_types"),
            ("range_strat", "range_start"),
            ("gatewy", "gateway"),
            ("cell_1", "cell1"),
        ] {
            assert_eq!(meant(name, ["other_name", known]), Some(known), "{name}");
        }
        for (name, known) in [
            ("kombu_reconnect_splay", "kombu_reconnect_delay"),
            ("tcp_keepalive", "http_keepalive"),
            ("cell2_name", "cell1_name"),
            ("hots", "host"),
            ("enabled", "enabled_filters"),
        ] {
            assert_eq!(meant(name, [known]), None, "{name}");
        }
        assert_eq!(meant("power_of", ["power_off", "power_on"]), Some("power_off"));
        assert_eq!(similar("hots", ["port", "host"]), Some("host"));
        assert_eq!(similar("cell2", ["cell1"]), Some("cell1"));
        assert_eq!(similar("acme", ["cache", "acmeee"]), None);
    }

    #[test]
    fn names_of_services_and_kinds_are_shorter() {
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
