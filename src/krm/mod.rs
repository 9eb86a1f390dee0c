//! Room 2, protocol: ResourceLists, resources and their fields, findings, and how functions run.
//! Knows no function and no OpenStack.

pub mod config;
mod finding;
mod function;
mod kustomization;
mod list;
mod named_file;
mod package;
mod path;
mod plugin;
mod resource;
mod run;
mod typed;
mod visible;

pub use finding::{Fault, Finding, Results, Severity, did_you_mean, quoted, shortened};
pub use function::{
    API_VERSION, BadField, Entry, Function, GROUP, Generator, Shape, Transformer, VERSION, Validator,
};
pub use kustomization::{KUSTOMIZATIONS, patches};
pub use list::ResourceList;
pub use named_file::{NamedFile, open_regular};
pub use package::{File, Package, Rendered};
pub use path::{FieldPath, Segment};
pub use plugin::run_plugin;
pub use resource::{GroupKind, Id, Place, Resource, position};
pub use run::{Outcome, run, run_in_pieces};
pub use visible::{visible, visible_lines};
