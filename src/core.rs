//! The layers that know nothing of OpenStack, as a crate of their own: they run on every byte of a list, so they are
//! optimized for speed, while the rest of the program is optimized for size.

pub mod formats;
pub mod krm;
pub mod yaml;
