//! Room 1, text: YAML with byte spans. Knows no Kubernetes.
//!
//! A [`Document`] is its text and a tree of spans over it. Reading resolves scalars as go-yaml does
//! ([`scalar`]); an edit replaces a few bytes of the text ([`edit`]) with what the writer gives
//! ([`write`]), reads the result again and compares it with what was intended. What no edit touched
//! is never written anew, and so comes back byte for byte.

mod columns;
mod document;
mod edit;
mod editor;
mod error;
mod events;
pub mod quote;
pub mod scalar;
pub mod stream;
mod tree;
pub mod write;

pub use document::{Document, Step};
pub use error::{Position, YamlError, utf8};
pub use events::{Layout, Style};
pub use tree::{Children, Kind, NodeId, Properties, Tree};
