//! YAML text with byte spans. Knows nothing of Kubernetes.
//!
//! A [`Document`] is source text and a tree of byte spans. Text that no edit changes is never written again,
//! so it is preserved byte for byte. The modules:
//!
//! - Reading: `subset` is the fast reader for the style that tools write. `build` reads everything else from
//!   the `events` of the parser crate, with `scan` for the parts of the text that events do not include and
//!   `refusal` for text that other readers do not accept. Both build a `tree`, in which `duplicate_keys` finds keys
//!   that occur twice. `outline` reads a long list entry by entry.
//! - Looking up: `lookup` finds nodes, with an `index` of large documents, `leaves` visits all keys and scalars, `value`
//!   and `scalar` determine their meaning as go-yaml does.
//! - Editing: `edit` changes a field and checks the result, in the formatting that `columns` detects. `list`
//!   replaces and appends entries of a document that wraps a list.
//! - Writing: `write` formats values, `quote` writes strings that every reader reads as the same string.
//! - `comments` finds comments, `inside` finds part of a string in the source, `stream` finds the documents of a
//!   file, and `text` shares source text between owners.

mod build;
mod columns;
mod comments;
mod document;
mod duplicate_keys;
mod edit;
mod error;
mod events;
mod index;
mod inside;
mod leaves;
mod list;
mod lookup;
mod order;
mod outline;
pub mod quote;
mod refusal;
pub mod scalar;
mod scan;
pub mod search;
pub mod stream;
mod subset;
mod text;
mod tree;
mod value;
pub mod write;

pub use document::{Document, Step};
pub use duplicate_keys::DuplicateKey;
pub use edit::Apart;
pub use error::{Position, YamlError, into_utf8, utf8};
pub use events::{Layout, Style};
pub use leaves::Leaf;
pub use list::{ListChanges, ListDocument, ListEntry, ListKeys, Replacement};
pub use order::{CollectOrdered, Order};
pub use outline::{Outline, OutlinePart, VisitedEntry};
pub use subset::Part;
pub use text::Text;
pub use tree::{Children, Kind, NodeId, Tree};
