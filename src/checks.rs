//! Checks: what the program reports about resources. Every finding refers to a documented rule.

pub mod data_plane_services;
pub mod data_sources;
pub mod gpu_alias;
pub mod nova_cells;
pub mod nova_config;
pub mod rules;
mod wrong_type;

pub use wrong_type::wrong_type;
