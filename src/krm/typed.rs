//! Reads values into types. Unlike plain serde, a list is never accepted for a struct with the fields in order.

use std::fmt;

use serde::de::value::{BorrowedStrDeserializer, MapAccessDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Error as _, IntoDeserializer, MapAccess, SeqAccess, Unexpected,
    Visitor,
};
use serde::{Deserializer, forward_to_deserialize_any};
use serde_json::{Map, Value, map};

use super::path::{FieldPath, Segment};

/// Reads a value into a type.
pub fn typed<T: DeserializeOwned>(value: &Value) -> Result<T, TypeError> {
    T::deserialize(Typed(value))
}

/// A value that does not have the right type, and the field in it that is wrong.
#[derive(Debug)]
pub struct TypeError {
    /// From the wrong field up to the root.
    steps: Vec<Segment>,
    pub message: String,
}

impl TypeError {
    pub(super) fn below(mut self, step: Segment) -> Self {
        self.steps.push(step);
        self
    }

    /// The wrong field; for a missing or unknown key, the mapping or the key.
    pub fn path(&self) -> FieldPath {
        self.steps.iter().rev().fold(FieldPath::default(), |path, step| match step {
            Segment::Key(key) => path.key(key.clone()),
            Segment::Index(index) => path.index(*index),
        })
    }
}

impl serde::de::Error for TypeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        TypeError { steps: Vec::new(), message: message.to_string() }
    }
}

impl fmt::Display for TypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for TypeError {}

/// A value to read into a type.
#[derive(Clone, Copy)]
struct Typed<'de>(&'de Value);

impl<'de> Deserializer<'de> for Typed<'de> {
    type Error = TypeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TypeError> {
        match self.0 {
            Value::Array(list) => visitor.visit_seq(Elements(list.iter().enumerate())),
            Value::Object(map) => visitor.visit_map(Entries::new(map)),
            Value::String(text) => visitor.visit_borrowed_str(text),
            // Not by the deserializer of serde_json, whose own type of errors would double the code of each visitor.
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(value), _) => visitor.visit_u64(value),
                (_, Some(value)) => visitor.visit_i64(value),
                _ => visitor.visit_f64(number.as_f64().unwrap_or_default()),
            },
            Value::Null => visitor.visit_unit(),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TypeError> {
        match self.0 {
            Value::Array(_) => Err(TypeError::invalid_type(Unexpected::Seq, &visitor)),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TypeError> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, TypeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TypeError> {
        match self.0 {
            Value::String(variant) => visitor.visit_enum(variant.as_str().into_deserializer()),
            Value::Object(map) if map.len() == 1 => {
                visitor.visit_enum(MapAccessDeserializer::new(Entries::new(map)))
            }
            _ => self.deserialize_any(visitor),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map identifier ignored_any
    }
}

/// The elements of a list.
struct Elements<'de>(std::iter::Enumerate<std::slice::Iter<'de, Value>>);

impl<'de> SeqAccess<'de> for Elements<'de> {
    type Error = TypeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, TypeError> {
        let Some((index, element)) = self.0.next() else { return Ok(None) };
        seed.deserialize(Typed(element)).map(Some).map_err(|error| error.below(Segment::Index(index)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

/// The entries of a mapping.
struct Entries<'de> {
    rest: map::Iter<'de>,
    current: Option<(&'de String, &'de Value)>,
}

impl<'de> Entries<'de> {
    fn new(map: &'de Map<String, Value>) -> Self {
        Entries { rest: map.iter(), current: None }
    }
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = TypeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, TypeError> {
        self.current = self.rest.next();
        let Some((key, _)) = self.current else { return Ok(None) };
        let read = seed.deserialize(BorrowedStrDeserializer::new(key));
        read.map(Some).map_err(|error: TypeError| error.below(Segment::Key(key.clone().into())))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, TypeError> {
        let Some((key, value)) = self.current.take() else {
            return Err(TypeError::custom("a value without a key"));
        };
        seed.deserialize(Typed(value)).map_err(|error| error.below(Segment::Key(key.clone().into())))
    }
}

/// What serde expected, in words for people who write YAML.
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

/// The type of a value, for messages.
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
