//! The KRM protocol: ResourceLists, resources and their fields, findings, and how functions run.
//! Knows no OpenStack, and not the name of the program.

mod config;
mod finding;
mod function;
mod id;
mod kustomization;
mod list;
mod message;
mod mistakes;
mod named_file;
mod object;
mod package;
mod path;
mod pattern;
mod plugin;
mod registry;
mod resource;
mod rule;
pub mod rules;
mod run;
mod typed;
mod visible;

pub use finding::{Fault, Finding, Located, Location, Related, Results};
pub use function::{BadField, Function, Generator, Shape, Transformer, Validator};
pub use id::{Id, Kind, Place};
pub use kustomization::{KUSTOMIZATIONS, patches};
pub use list::ResourceList;
pub use message::{Hint, quoted, shortened};
pub use mistakes::Mistakes;
pub use named_file::{NamedFile, open_regular};
pub use object::Object;
pub use package::{File, Package, Rendered};
pub use path::{FieldPath, Segment};
pub use pattern::FieldPattern;
pub use plugin::run_plugin;
pub use registry::{Entry, Registry};
pub use resource::{Resource, position};
pub use rule::{Rule, Severity};
pub use run::{Outcome, run, run_in_pieces};
pub use typed::kind_of;
pub use visible::{visible, visible_lines};
