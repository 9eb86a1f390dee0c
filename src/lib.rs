//! rhoso-fn: KRM functions for OpenStack and GPUs on OpenShift.
//!
//! The house has five rooms, and arrows point one way:
//! `main -> cli -> {docs, functions} -> {krm, formats, platform}`, `platform -> krm`, `krm -> yaml`.
//!
//! - [`yaml`]: text. YAML with byte spans; edits as splices. Knows no Kubernetes.
//! - [`krm`]: protocol. ResourceList, Resource, FieldPath, Finding, how functions run.
//! - [`formats`]: languages inside strings. oslo.config INI, IP ranges, PCI ids. Knows no KRM.
//! - [`platform`]: facts. Kinds, field paths, catalogues. No decisions.
//! - [`functions`]: decisions. One file is one function.

pub mod cli;
pub mod docs;
pub mod formats;
pub mod functions;
pub mod krm;
pub mod platform;
pub mod yaml;
