//! Fields that have a default, and that `null` removes.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer};

use crate::formats::hosts::Hosts;

/// A field that has a default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Setting<T> {
    #[default]
    Default,
    /// `null`.
    Without,
    Given(T),
}

impl<T> Setting<T> {
    pub fn is_given(&self) -> bool {
        matches!(self, Setting::Given(_))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Setting<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::deserialize(deserializer)?.map_or(Setting::Without, Setting::Given))
    }
}

impl<T: JsonSchema> JsonSchema for Setting<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("Setting_{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let value = generator.subschema_for::<T>();
        json_schema!({"anyOf": [value, {"enum": [null]}]})
    }
}

/// One range or a list of ranges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranges(pub Vec<Hosts>);

impl<'de> Deserialize<'de> for Ranges {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneOrMore;

        impl<'de> serde::de::Visitor<'de> for OneOrMore {
            type Value = Ranges;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a range such as 100-120, or a list of ranges")
            }

            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Ranges, E> {
                self.visit_str(&number.to_string())
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Ranges, E> {
                let hosts = Hosts::parse(text);
                let refusal = |_| E::invalid_value(serde::de::Unexpected::Str(text), &self);
                hosts.map(|hosts| Ranges(vec![hosts])).map_err(refusal)
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, list: A) -> Result<Ranges, A::Error> {
                Vec::deserialize(serde::de::value::SeqAccessDeserializer::new(list)).map(Ranges)
            }
        }

        deserializer.deserialize_any(OneOrMore)
    }
}

impl JsonSchema for Ranges {
    fn schema_name() -> Cow<'static, str> {
        "Ranges".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let list = generator.subschema_for::<Vec<Hosts>>();
        json_schema!({"anyOf": [{"type": "string"}, {"type": "integer", "minimum": 0}, list]})
    }
}
