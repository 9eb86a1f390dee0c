//! Kubernetes quantities: `10Gi`, `500M`, `1.5Ti`.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer};

use super::from_text;

const SUFFIXES: [&str; 13] = ["", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/// An amount of storage greater than zero. Keeps its spelling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quantity(String);

impl Quantity {
    pub fn parse(text: &str) -> Option<Self> {
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (number, suffix) = text.split_at(end);
        let is_number = number.starts_with(|c: char| c.is_ascii_digit())
            && number.ends_with(|c: char| c.is_ascii_digit())
            && number.matches('.').count() <= 1;
        let is_positive = number.contains(|c| ('1'..='9').contains(&c));
        (is_number && is_positive && SUFFIXES.contains(&suffix)).then(|| Quantity(text.to_owned()))
    }
}

/// The amount of a quantity greater than zero, to compare it with others. Also reads thousandths, such as `600m`.
pub fn amount(text: &str) -> Option<f64> {
    if let Some(thousandths) = text.strip_suffix('m') {
        let whole = thousandths.ends_with(|c: char| c.is_ascii_digit()).then(|| amount(thousandths))??;
        return Some(whole / 1000.0);
    }
    Quantity::parse(text)?;
    let end = text.find(char::is_alphabetic).unwrap_or(text.len());
    let (number, suffix) = text.split_at(end);
    let (base, unit) = match suffix.strip_suffix('i') {
        Some(unit) => (1024.0_f64, unit),
        None => (1000.0, suffix),
    };
    let power =
        ["", "k", "m", "g", "t", "p", "e"].iter().position(|known| unit.eq_ignore_ascii_case(known))?;
    Some(number.parse::<f64>().ok()? * base.powi(i32::try_from(power).ok()?))
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Quantity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // A number without a unit would be bytes, which nobody intends.
        from_text::deserialize(deserializer, "a quantity such as 10Gi", Quantity::parse)
    }
}

impl JsonSchema for Quantity {
    fn schema_name() -> Cow<'static, str> {
        "Quantity".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?([kMGTPE]|[KMGTPE]i)?$"})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_compared_across_units() {
        let amounts = ["600m", "1", "1.5", "1k", "1Ki", "1M", "1Mi", "1Gi", "1.5Gi", "1T", "1E"];
        let read: Vec<f64> = amounts.iter().map(|text| amount(text).unwrap()).collect();
        assert!(read.is_sorted_by(|a, b| a < b), "{read:?}");
        for (one, other) in [("1024Mi", "1Gi"), ("1000m", "1"), ("0.5k", "500")] {
            assert_eq!(amount(one), amount(other), "{one}");
        }
        for text in ["", "m", "8Gim", "0", "many", "8GB"] {
            assert_eq!(amount(text), None, "{text}");
        }
    }

    #[test]
    fn quantities_are_read_like_in_kubernetes() {
        for text in ["10Gi", "500M", "1.5Ti", "1", "0.5Gi", "100k"] {
            assert_eq!(Quantity::parse(text).map(|q| q.to_string()).as_deref(), Some(text));
        }
        for text in
            ["", "0", "0.0Gi", "10GB", "10gi", "10 Gi", "-1Gi", "Gi", ".5Gi", "1.Gi", "1.2.3Gi", "1e3", "½Gi"]
        {
            assert_eq!(Quantity::parse(text), None, "{text}");
        }
    }
}
