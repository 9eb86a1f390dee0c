//! rhoso-fn: KRM functions for OpenStack and GPUs on OpenShift.
//!
//! Layers, from the top down; each uses those below it only (CONTRIBUTING.md explains them):
//! `cli`, `report`, `docs`, `functions`, `checks`, `model`, `platform`, `formats`, `krm`, `yaml`.

pub mod checks;
pub mod cli;
pub mod docs;
pub mod formats;
pub mod functions;
pub mod krm;
pub mod model;
pub mod platform;
pub mod report;

// As if it were a module of this crate, so that `crate::yaml` means the same everywhere.
pub use rhoso_fn_core::yaml;
