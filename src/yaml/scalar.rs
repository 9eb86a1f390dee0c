//! The meaning of scalars. Plain scalars are resolved as in go-yaml v3, because kustomize and kpt use it.
//! kubectl differs only in the booleans of YAML 1.1.

/// The meaning of a scalar. Timestamps are strings, because JSON, which the API server uses, has no type for
/// them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scalar<'t> {
    Null,
    Bool(bool),
    Int(i64),
    /// Only for numbers that do not fit an `i64`.
    Uint(u64),
    Float(f64),
    Str(&'t str),
}

/// Resolves an untagged plain scalar.
pub(super) fn resolve(text: &str) -> Scalar<'_> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Scalar::Null,
        "true" | "True" | "TRUE" => return Scalar::Bool(true),
        "false" | "False" | "FALSE" => return Scalar::Bool(false),
        ".nan" | ".NaN" | ".NAN" => return Scalar::Float(f64::NAN),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => return Scalar::Float(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => return Scalar::Float(f64::NEG_INFINITY),
        _ => {}
    }
    match text.as_bytes()[0] {
        b'.' => decimal_float(text).map_or(Scalar::Str(text), Scalar::Float),
        b'0'..=b'9' | b'+' | b'-' if !is_timestamp(text) => number(text).unwrap_or(Scalar::Str(text)),
        _ => Scalar::Str(text),
    }
}

/// Resolves a scalar with a tag of YAML itself, such as `!!int "3"`. A scalar with any other tag is a string.
pub(super) fn resolve_tagged<'t>(tag: &str, text: &'t str) -> Scalar<'t> {
    match core_tag(tag) {
        Some("null" | "bool" | "int") => resolve(text),
        Some("float") => match resolve(text) {
            Scalar::Int(i) => Scalar::Float(i as f64),
            Scalar::Uint(u) => Scalar::Float(u as f64),
            other => other,
        },
        _ => Scalar::Str(text),
    }
}

/// The name of a tag of YAML itself: `int` for `!!int`.
pub(super) fn core_tag(tag: &str) -> Option<&str> {
    tag.strip_prefix("!!")
        .or_else(|| tag.strip_prefix("!<tag:yaml.org,2002:").and_then(|rest| rest.strip_suffix('>')))
}

fn number(text: &str) -> Option<Scalar<'_>> {
    let digits: std::borrow::Cow<'_, str> =
        if text.contains('_') { text.replace('_', "").into() } else { text.into() };
    integer(&digits).or_else(|| decimal_float(&digits).map(Scalar::Float))
}

/// Like `strconv.ParseInt(s, 0, 64)` of Go, and then `ParseUint`. A prefix `0x`, `0o`, `0b` (in either case)
/// or `0` selects the base.
fn integer<'t>(text: &str) -> Option<Scalar<'t>> {
    let (negative, unsigned) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (base, digits) = match unsigned.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &unsigned[2..]),
        [b'0', b'o' | b'O', ..] => (8, &unsigned[2..]),
        [b'0', b'b' | b'B', ..] => (2, &unsigned[2..]),
        [b'0', _, ..] => (8, &unsigned[1..]),
        _ => (10, unsigned),
    };
    if digits.is_empty() || !digits.bytes().all(|b| (b as char).is_digit(base)) {
        return None;
    }
    let magnitude = u64::from_str_radix(digits, base).ok()?;
    match (negative, i64::try_from(magnitude)) {
        (false, Ok(i)) => Some(Scalar::Int(i)),
        // ParseUint accepts no sign, not even `+`.
        (false, Err(_)) => (!text.starts_with('+')).then_some(Scalar::Uint(magnitude)),
        (true, _) => 0i64.checked_sub_unsigned(magnitude).map(Scalar::Int),
    }
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`
fn decimal_float(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(e) => (&unsigned[..e], Some(&unsigned[e + 1..])),
        None => (unsigned, None),
    };
    let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    let mantissa_ok = match mantissa.split_once('.') {
        Some(("", fraction)) => !fraction.is_empty() && digits(fraction),
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => !mantissa.is_empty() && digits(mantissa),
    };
    let exponent_ok = exponent.is_none_or(|e| {
        let e = e.strip_prefix(['-', '+']).unwrap_or(e);
        !e.is_empty() && digits(e)
    });
    if !(mantissa_ok && exponent_ok) {
        return None;
    }
    // Go does not parse a number that overflows to infinity, so the text is a string.
    text.parse::<f64>().ok().filter(|f| f.is_finite())
}

/// Whether go-yaml reads a scalar as a time: `2001-1-1` or a longer form. It tries this before numbers.
pub fn is_timestamp(text: &str) -> bool {
    let mut parts = text.splitn(3, '-');
    let (Some(year), Some(month), Some(rest)) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let day = rest.bytes().take_while(u8::is_ascii_digit).count();
    let short = |s: &str| (1..=2).contains(&s.len()) && s.bytes().all(|b| b.is_ascii_digit());
    year.len() == 4
        && year.bytes().all(|b| b.is_ascii_digit())
        && short(month)
        && (1..=2).contains(&day)
        && rest[day..].bytes().next().is_none_or(|b| matches!(b, b'T' | b't' | b' ' | b'\t'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_in_every_base() {
        for (text, value) in [
            ("0", 0),
            ("-0", 0),
            ("+1", 1),
            ("0644", 420),
            ("0o644", 420),
            ("0x1F", 31),
            ("0X1f", 31),
            ("-0x10", -16),
            ("0b101", 5),
            ("1_000", 1000),
            ("1__0", 10),
            ("00", 0),
            ("9223372036854775807", i64::MAX),
            ("-9223372036854775808", i64::MIN),
        ] {
            assert_eq!(resolve(text), Scalar::Int(value), "{text}");
        }
        assert_eq!(resolve("18446744073709551615"), Scalar::Uint(u64::MAX));
    }

    #[test]
    fn floats() {
        for (text, value) in [
            ("1.", 1.0),
            ("1e3", 1000.0),
            ("1E+3", 1000.0),
            (".5", 0.5),
            ("-.5", -0.5),
            ("08", 8.0),
            ("1_0.5", 10.5),
            ("18446744073709551616", 18_446_744_073_709_551_616.0),
            ("1e30", 1e30),
        ] {
            assert_eq!(resolve(text), Scalar::Float(value), "{text}");
        }
        assert!(matches!(resolve(".NaN"), Scalar::Float(f) if f.is_nan()));
        assert_eq!(resolve("-.inf"), Scalar::Float(f64::NEG_INFINITY));
    }

    #[test]
    fn everything_else_is_a_string() {
        for text in [
            "yes",
            "no",
            "on",
            "off",
            "y",
            "N",
            "Yes",
            "ON",
            "tRue",
            "nULL",
            "12:30:45",
            "52:54:00:12:34:56",
            "2001-01-01",
            "2001-1-1T00:00:00Z",
            "1.2.3",
            "172.17.0.80",
            "0o8",
            "0x",
            "1e",
            "+",
            "-",
            ".",
            "1e400",
            "0xfg",
            "10Gi",
            "<<",
            "=",
            "--1",
            "+-1",
            "1-2",
        ] {
            assert_eq!(resolve(text), Scalar::Str(text), "{text}");
        }
    }

    #[test]
    fn tags_determine_the_type() {
        assert_eq!(resolve_tagged("!!str", "1"), Scalar::Str("1"));
        assert_eq!(resolve_tagged("!!int", "3"), Scalar::Int(3));
        assert_eq!(resolve_tagged("!!float", "3"), Scalar::Float(3.0));
        assert_eq!(resolve_tagged("!<tag:yaml.org,2002:bool>", "true"), Scalar::Bool(true));
        assert_eq!(resolve_tagged("!mine", "true"), Scalar::Str("true"));
    }
}
