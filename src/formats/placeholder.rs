//! Markers that templates and examples contain in place of a value: `CHANGEME`, `_replaced_`, `<password>`, `__GATEWAY__`.

use std::ops::Range;

/// A marker in a string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placeholder {
    pub kind: PlaceholderKind,
    /// The bytes of the marker in the string.
    pub range: Range<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlaceholderKind {
    /// A person has to replace it: `CHANGEME`, `CHANGEME_CEPH_CONF`, `<password>`.
    Manual,
    /// kustomize replaces it, or nothing reads it: `_replaced_`, `_vlan_id_replaced_`, `_unused_`.
    Generated,
}

/// Whether a text may contain a placeholder. It may be a whole document, which need not be searched otherwise.
pub fn may_occur_in(text: &str) -> bool {
    ["CHANGE", "REPLACE", "replaced_", "unused_"].iter().any(|word| text.contains(word))
        || text.contains('<') && text.contains('>')
        || text.contains("__")
}

/// The first placeholder in a string, which may have several lines. Comments of configuration files are left out.
pub fn find(text: &str) -> Option<Placeholder> {
    if let Some(range) = in_angle_brackets(text).or_else(|| in_underscores(text)) {
        return Some(Placeholder { kind: PlaceholderKind::Manual, range });
    }
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if !line.trim_start().starts_with(['#', ';'])
            && let Some(Placeholder { kind, range }) = in_line(line)
        {
            return Some(Placeholder { kind, range: start + range.start..start + range.end });
        }
        start += line.len();
    }
    None
}

/// Whether a string contains a placeholder, so that it is not a value.
pub fn is_in(text: &str) -> bool {
    may_occur_in(text) && find(text).is_some()
}

/// Whether a string is no value yet where a value of another form is required, such as an address.
pub fn will_be_replaced(text: &str) -> bool {
    is_in(text) || is_constant(text) || has_variable(text)
}

/// Whether a string contains a variable, `${NAME}`, that a tool such as envsubst or Flux replaces.
pub fn has_variable(text: &str) -> bool {
    text.split("${").skip(1).any(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        end > 0 && rest[end..].starts_with(['}', ':'])
    })
}

fn in_line(line: &str) -> Option<Placeholder> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let mut rest = 0;
    while let Some(start) = line[rest..].find(is_part).map(|at| rest + at) {
        let end = line[start..].find(|c| !is_part(c)).map_or(line.len(), |at| start + at);
        if let Some(kind) = kind_of(&line[start..end]) {
            return Some(Placeholder { kind, range: start..end });
        }
        rest = end;
    }
    None
}

fn kind_of(word: &str) -> Option<PlaceholderKind> {
    const MANUAL: [&str; 6] = ["CHANGEME", "CHANGE_ME", "CHANGE-ME", "REPLACEME", "REPLACE_ME", "REPLACE-ME"];
    if MANUAL.iter().any(|marker| has_word(word, marker)) {
        return Some(PlaceholderKind::Manual);
    }
    let inner = word.strip_prefix('_')?.strip_suffix('_')?.trim_matches('_');
    let is_generated = inner == "replaced" || inner == "unused" || inner.ends_with("_replaced");
    is_generated.then_some(PlaceholderKind::Generated)
}

/// Whether a marker occurs without letters around it: `EXCHANGE_METHOD` contains none.
fn has_word(text: &str, marker: &str) -> bool {
    text.match_indices(marker).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + marker.len()..]);
        let is_letter = |c: char| c.is_ascii_alphabetic();
        !before.ends_with(is_letter) && !after.starts_with(is_letter)
    })
}

/// A string that is nothing but a name in angle brackets, as documentation writes it.
fn in_angle_brackets(text: &str) -> Option<Range<usize>> {
    /// What programs print for a value that does not exist.
    const VALUES: [&str; 4] = ["nil", "no value", "none", "unknown"];
    let trimmed = text.trim();
    let name = trimmed.strip_prefix('<')?.strip_suffix('>')?;
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || " _-".contains(c))
        && !VALUES.contains(&name);
    let start = text.len() - text.trim_start().len();
    is_name.then(|| start..start + trimmed.len())
}

/// A name in capital letters between two underscores on each side, by itself or as a part of a single word, such as a host
/// name. Among several words, it can also be a macro in a program.
fn in_underscores(text: &str) -> Option<Range<usize>> {
    let trimmed = text.trim();
    let first = text.len() - text.trim_start().len();
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut parts = trimmed.split(|c| !is_part(c)).filter(|_| !trimmed.contains(char::is_whitespace));
    let part = parts.find(|part| {
        let name = part.strip_prefix("__").and_then(|rest| rest.strip_suffix("__"));
        name.is_some_and(is_constant)
    })?;
    let start = first + trimmed.find(part)?;
    Some(start..start + part.len())
}

/// Whether a text is a name in capital letters, such as `CTLPLANE_RANGE`. Where a value of another form is required, such
/// as an address, it is a placeholder too.
pub fn is_constant(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_uppercase())
        && text.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
        && text.len() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<(&str, PlaceholderKind)> {
        let placeholder = find(text);
        assert!(placeholder.is_none() || may_occur_in(text), "{text}");
        placeholder.map(|found| (&text[found.range], found.kind))
    }

    #[test]
    fn markers_are_found() {
        for (text, marker) in [
            ("CHANGEME", "CHANGEME"),
            ("CHANGEME4", "CHANGEME4"),
            ("http://CHANGEME_HOST:80/", "CHANGEME_HOST"),
            ("key = REPLACE_ME\n", "REPLACE_ME"),
            (" <storage_class>\n", "<storage_class>"),
            ("__MACHINE_NETWORK_CIDR__", "__MACHINE_NETWORK_CIDR__"),
            (" ctlplane.__BASE_DOMAIN__\n", "__BASE_DOMAIN__"),
        ] {
            assert_eq!(found(text), Some((marker, PlaceholderKind::Manual)), "{text}");
        }
        for marker in ["_replaced_", "__replaced__", "_vlan_id_replaced_", "_unused_"] {
            assert_eq!(found(marker), Some((marker, PlaceholderKind::Generated)));
        }
        assert_eq!(found("[a]\n# CHANGEME\nb = _replaced_\n").map(|found| found.0), Some("_replaced_"));
    }

    #[test]
    fn ordinary_values_are_not_markers() {
        for text in [
            "",
            "changeme",
            "EXCHANGE_METHOD",
            "if __FILE__",
            "x__FILE__",
            "__init__",
            "CHANGE_METHOD",
            "was_replaced_by",
            "_replaced",
            "unused_",
            "<none>",
            "<a href=x>",
            "a <b>",
            "<>",
            "# CHANGEME\n; REPLACEME\n",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
