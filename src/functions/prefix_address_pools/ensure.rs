//! The parts that must have an internal LoadBalancer.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::SeqAccessDeserializer;
use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};

use crate::platform::service_overrides::Part;

/// The parts that must have an internal LoadBalancer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ensure {
    /// All parts that are enabled.
    Enabled,
    Listed(Vec<Part>),
}

impl Default for Ensure {
    fn default() -> Self {
        Ensure::Listed(Vec::new())
    }
}

impl<'de> Deserialize<'de> for Ensure {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Parts;

        impl<'de> Visitor<'de> for Parts {
            type Value = Ensure;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of parts, or `enabled`")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Ensure, E> {
                match text {
                    "enabled" => Ok(Ensure::Enabled),
                    _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
                }
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Ensure, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(list)).map(Ensure::Listed)
            }
        }

        deserializer.deserialize_any(Parts)
    }
}

impl JsonSchema for Ensure {
    fn schema_name() -> Cow<'static, str> {
        "Ensure".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let parts = generator.subschema_for::<Vec<Part>>();
        json_schema!({"anyOf": [{"type": "string", "enum": ["enabled"]}, parts]})
    }
}

impl Ensure {
    pub fn is_empty(&self) -> bool {
        *self == Ensure::default()
    }

    pub fn lists(&self, part: Part) -> bool {
        matches!(self, Ensure::Listed(parts) if parts.contains(&part))
    }

    /// Whether a part must have an internal LoadBalancer.
    pub fn requires(&self, part: Part, is_enabled: bool) -> bool {
        match self {
            Ensure::Enabled => is_enabled,
            Ensure::Listed(parts) => parts.contains(&part),
        }
    }
}
