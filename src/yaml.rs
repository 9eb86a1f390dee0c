//! YAML text with byte spans. Knows no Kubernetes.
//!
//! A [`Document`] is its text and a tree of spans over it. What no edit touched is never written anew,
//! and so is preserved byte for byte. The way through the modules:
//!
//! - reading: `subset` reads the style of tools at once; all else goes through `events` (the parser
//!   crate) → `build`, with `scan` for what events do not show, and `refusal` for what only the crate
//!   accepts. Both make a `tree` → `document`, which
//!   resolves scalars as go-yaml does (`scalar`). `outline` reads a long list entry by entry;
//! - editing: `edit` finds the field, `editor` and `replace` make splices in the habits of the text
//!   (`columns`), then the result is read again and compared with what was intended (`comparison`, `intent`);
//! - writing: `write` lays values out, `quote` makes strings that every reader takes for the same;
//! - `inside` finds a part of a string in the source; `stream`: documents in a file; `text`: a text with several owners.

mod build;
mod columns;
mod comparison;
mod document;
mod edit;
mod editor;
mod error;
mod events;
mod inside;
mod intent;
mod outline;
pub mod quote;
mod refusal;
mod replace;
pub mod scalar;
mod scan;
pub mod stream;
mod subset;
mod text;
mod tree;
pub mod write;

pub use document::{Document, Step};
pub use error::{Position, YamlError, into_utf8, utf8};
pub use events::{Layout, Style};
pub use text::Text;
pub use tree::{Children, Kind, NodeId, Properties, Tree};
