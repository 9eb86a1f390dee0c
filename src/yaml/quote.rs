//! Writes strings as scalars that every reader reads as the same string: go-yaml v2 (kubectl), go-yaml v3
//! (kustomize, kpt) and PyYAML with YAML 1.1 (Ansible).

use super::scalar::{self, Scalar};

/// A string on one line: plain if every reader reads it as this string, quoted otherwise.
pub fn inline(text: &str, in_flow: bool) -> String {
    if is_plain(text, in_flow) {
        text.to_owned()
    } else if text.contains(['"', '\\']) && !text.contains('\'') && is_printable(text) {
        format!("'{text}'")
    } else {
        double(text)
    }
}

/// A string in single quotes. None if they cannot hold it.
pub fn single(text: &str) -> Option<String> {
    (is_printable(text) && !text.contains('\n')).then(|| format!("'{}'", text.replace('\'', "''")))
}

/// A string in double quotes, which can hold any text.
pub fn double(text: &str) -> String {
    escaped(text, |out, c| {
        if (c as u32) < 0x100 {
            out.push_str(&format!("\\x{:02x}", c as u32));
        } else {
            out.push_str(&format!("\\u{:04x}", c as u32));
        }
    })
}

/// A string in JSON, which is also valid YAML.
pub(super) fn json(text: &str) -> String {
    escaped(text, |out, c| out.push_str(&format!("\\u{:04x}", c as u32)))
}

/// A string in double quotes. `escape` writes the characters that are not printable, which are all below
/// U+10000.
fn escaped(text: &str, escape: impl Fn(&mut String, char)) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if is_printable_char(c) => out.push(c),
            c => escape(&mut out, c),
        }
    }
    out.push('"');
    out
}

/// The header and the lines, without indentation, of a literal block. None if a block cannot hold the text or
/// if readers disagree about it.
pub fn literal(text: &str, indent: usize) -> Option<(String, Vec<&str>)> {
    if !text.contains('\n') {
        return None;
    }
    let body = text.trim_end_matches('\n');
    let newlines = text.len() - body.len();
    let first = body.lines().find(|line| !line.is_empty())?;
    let last = body.rsplit('\n').next().unwrap_or_default();
    let fits = text.chars().all(|c| c == '\n' || c == '\t' || is_printable_char(c))
        // go-yaml v2 reads a tab here as indentation. Readers disagree about whitespace-only lines at either
        // end.
        && !first.starts_with('\t')
        && !is_blank(first)
        && !is_blank(last)
        // go-yaml misreads text that begins with a line break and has an indentation indicator.
        && !(first.starts_with(' ') && body.starts_with('\n'))
        && (!first.starts_with(' ') || (1..=9).contains(&indent));
    if !fits {
        return None;
    }
    let indicator = if first.starts_with(' ') { indent.to_string() } else { String::new() };
    let chomping = match newlines {
        0 => "-",
        1 => "",
        _ => "+",
    };
    let lines = body.split('\n').chain(std::iter::repeat_n("", newlines.saturating_sub(1)));
    Some((format!("|{indicator}{chomping}"), lines.collect()))
}

fn is_blank(line: &str) -> bool {
    line.trim_matches([' ', '\t']).is_empty()
}

fn is_printable(text: &str) -> bool {
    text.chars().all(is_printable_char)
}

/// Whether a character can be written without an escape. Control characters cannot, nor can the line
/// separators and byte order marks, which some readers do not read as text.
fn is_printable_char(c: char) -> bool {
    match c {
        ' '..='~' => true,
        '\0'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => false,
        _ => true,
    }
}

fn is_plain(text: &str, in_flow: bool) -> bool {
    let bytes = text.as_bytes();
    let (Some(&first), Some(&last)) = (bytes.first(), bytes.last()) else { return false };
    let opens_plain = match first {
        b'-' => bytes.len() > 1 && bytes[1] != b' ' && !text.starts_with("---"),
        b' ' | b'?' | b':' | b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>'
        | b'\'' | b'"' | b'%' | b'@' | b'`' | b'=' | b'<' => false,
        _ => !text.starts_with("..."),
    };
    opens_plain
        && !matches!(last, b' ' | b':')
        && is_printable(text)
        && !text.contains(": ")
        && !text.contains(" #")
        && !(in_flow && text.contains([',', '[', ']', '{', '}', ':', '?', '\'', '"', '#']))
        && !is_ambiguous(text)
}

/// Whether some reader reads the plain text as something other than a string.
fn is_ambiguous(text: &str) -> bool {
    !matches!(scalar::resolve(text), Scalar::Str(_))
        || is_yaml_1_1_boolean(text)
        || scalar::is_timestamp(text)
        || looks_like_number(text)
}

fn is_yaml_1_1_boolean(text: &str) -> bool {
    const WORDS: [&str; 9] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"];
    text.len() <= 5 && WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Covers the rules of all readers: integers and floats of every base, with underscores, and base 60, in
/// which a MAC address without letters is a number.
fn looks_like_number(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text).replace('_', "");
    let lower = unsigned.to_ascii_lowercase();
    if let Some(digits) = lower.strip_prefix("0x") {
        return digits.bytes().all(|b| b.is_ascii_hexdigit());
    }
    if let Some(digits) = lower.strip_prefix("0o").or_else(|| lower.strip_prefix("0b")) {
        return digits.bytes().all(|b| b.is_ascii_digit());
    }
    if matches!(lower.as_str(), ".inf" | ".nan" | "inf" | "nan" | ".") {
        return true;
    }
    let starts_like_number = lower.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let base_60 = lower.contains(':') && lower.bytes().all(|b| b.is_ascii_digit() || b == b':' || b == b'.');
    let mantissa = lower.split('e').next().unwrap_or_default();
    let decimal = mantissa.matches('.').count() <= 1
        && mantissa.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        && lower[mantissa.len()..]
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b'e' | b'+' | b'-' | b'.'));
    starts_like_number && (base_60 || decimal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_words_stay_plain() {
        for text in [
            "openstack",
            "10Gi",
            "172.17.0.80",
            "172.17.0.80-172.17.0.90",
            "1.2.3",
            "example.com/a/b:v1",
            "--flag=x",
            "-x",
            "a b",
            "fd00:bbbb::80",
            "http://x/y",
            "type-PCI",
            "a#b",
            "27b8",
            "metallb.io/address-pool",
            "ünï",
        ] {
            assert_eq!(inline(text, false), text);
        }
        // Plain in a block, quoted in flow.
        assert_eq!(inline("example.com/a/b:v1", true), "\"example.com/a/b:v1\"");
    }

    #[test]
    fn words_and_numbers_that_a_reader_could_misread_are_quoted() {
        for text in [
            "",
            "yes",
            "No",
            "ON",
            "off",
            "y",
            "N",
            "true",
            "NULL",
            "~",
            "null",
            "1",
            "0644",
            "0o7",
            "0x1F",
            "1_000",
            "1e3",
            "1e30",
            ".5",
            "1.",
            "+1",
            "-1",
            ".inf",
            "-.INF",
            ".nan",
            "12:30:45",
            "52:54:00:12:34:56",
            "190:20:30",
            "2001-01-01",
            "2001-1-1 1:2:3",
            "0b1",
            "1e",
            "0x",
            "_1",
            "1__0",
        ] {
            assert!(inline(text, false).starts_with(['"', '\'']), "{text:?}");
        }
    }

    #[test]
    fn texts_with_indicators_are_quoted() {
        for text in [
            "=", "<<", "- a", "-", "--- x", "...", "a: b", "a:", "a #b", " a", "a ", "#a", "&a", "*a", "!a",
            "|", ">", "%a", "@a", "`a", "[a", "{a", "\t", "a\tb",
        ] {
            assert!(inline(text, false).starts_with(['"', '\'']), "{text:?}");
        }
    }

    #[test]
    fn the_more_readable_quotes_are_chosen() {
        assert_eq!(inline(r#"{"a": 1}"#, false), r#"'{"a": 1}'"#);
        assert_eq!(inline("it's: \"x\"", false), r#""it's: \"x\"""#);
        assert_eq!(inline("a\u{7f}\u{2028}\u{1}", false), "\"a\\x7f\\u2028\\x01\"");
    }

    #[test]
    fn literals_hold_texts_that_all_readers_agree_on() {
        assert_eq!(literal("a\nb\n", 2), Some(("|".into(), vec!["a", "b"])));
        assert_eq!(literal("a\n\nb", 2), Some(("|-".into(), vec!["a", "", "b"])));
        assert_eq!(literal("a\n\n", 2), Some(("|+".into(), vec!["a", ""])));
        assert_eq!(literal("  a\nb\n", 2), Some(("|2".into(), vec!["  a", "b"])));
        for text in ["a", "\n", "\ta\n", "a\r\nb\n", "   \na\n", "a\n  ", "a\u{85}\n"] {
            assert_eq!(literal(text, 2), None, "{text:?}");
        }
    }
}
