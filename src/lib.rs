//! rhoso-fn
pub mod yaml;
