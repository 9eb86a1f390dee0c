//! Room 3, languages inside strings. Knows no KRM.

pub mod ini;
pub mod pci;
