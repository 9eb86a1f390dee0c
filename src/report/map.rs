//! The map of an address plan: every subnet with its ranges and addresses, as a table for terminals and as a page for
//! browsers. It is built from the model and from findings about the same resources.

mod chart;
mod html;
mod layout;
mod marks;
mod subnets;
mod text;
mod uses;

pub use self::chart::Chart;
pub use self::html::html;
pub use self::text::text;
