//! Languages inside strings, such as INI and IP ranges. Knows nothing of KRM.

pub mod cidr;
pub mod dns;
pub mod env;
mod from_text;
pub mod gitignore;
pub mod glob;
pub mod hash;
pub mod hosts;
pub mod ini;
pub mod ip;
pub mod json;
pub mod kernel_args;
pub mod label;
pub mod matching;
pub mod pci;
pub mod pem;
pub mod placeholder;
pub mod quantity;
