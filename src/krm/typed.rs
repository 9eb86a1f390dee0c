//! From a value to a type, without a kindness of serde's: a list is never read as the fields of a struct in
//! their order.

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{DeserializeOwned, Error as _, IntoDeserializer, Unexpected, Visitor};
use serde::{Deserializer, forward_to_deserialize_any};
use serde_json::{Error, Value};

pub fn typed<T: DeserializeOwned>(value: &Value) -> Result<T, Error> {
    T::deserialize(Typed(value))
}

/// A value that is read as a type.
#[derive(Clone, Copy)]
pub struct Typed<'de>(pub &'de Value);

impl<'de> Deserializer<'de> for Typed<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Array(list) => visitor.visit_seq(SeqDeserializer::new(list.iter().map(Typed))),
            Value::Object(map) => {
                visitor.visit_map(MapDeserializer::new(map.iter().map(|(k, v)| (k.as_str(), Typed(v)))))
            }
            scalar => scalar.deserialize_any(visitor),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.0 {
            Value::Array(_) => Err(Error::invalid_type(Unexpected::Seq, &visitor)),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.0.deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, Error> for Typed<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// What serde wanted, in words that a reader of YAML knows.
pub(super) fn wanted(message: &str) -> Option<String> {
    let (found, wanted) = message.split_once(", expected ")?;
    let is_number = found.starts_with("invalid value: integer");
    Some(match wanted {
        "u32" if is_number => format!("a whole number from 0 to {}", u32::MAX),
        "i32" if is_number => format!("a whole number from {} to {}", i32::MIN, i32::MAX),
        "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" | "isize" => {
            "a whole number".to_owned()
        }
        "f32" | "f64" => "a number".to_owned(),
        "a map" => "a mapping".to_owned(),
        "a sequence" => "a list".to_owned(),
        _ if wanted.starts_with("struct ") => "a mapping".to_owned(),
        _ => wanted.to_owned(),
    })
}

/// What a value is, in a reader's words.
pub fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "a mapping",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Debug, Deserialize, PartialEq)]
    struct Range {
        min: u32,
        max: Option<u32>,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    struct Ranges(Vec<Range>);

    #[test]
    fn a_list_is_no_mapping() {
        let range = Range { min: 1, max: Some(2) };
        assert_eq!(typed::<Ranges>(&json!([{"min": 1, "max": 2}])).unwrap(), Ranges(vec![range]));
        for list in [json!([[1, 2]]), json!([[]]), json!([[{"min": 1}]])] {
            let error = typed::<Ranges>(&list).unwrap_err().to_string();
            assert_eq!(error, "invalid type: sequence, expected struct Range");
        }
    }
}
