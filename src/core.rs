//! The lowest layer as a crate of its own: it runs on every byte of a list, so it is optimized for speed, while the rest
//! of the program is optimized for size.

pub mod yaml;
