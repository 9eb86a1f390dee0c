//! Room 5, decisions: one file is one function.
//!
//! To add one: write the file, add its `mod` and its line in [`REGISTRY`], and follow CONTRIBUTING.md.

use crate::krm::{Entry, Shape};

pub mod generate_machine_sets;
pub mod generate_secrets;
pub mod generate_volumes;
pub mod inject_gpu_alias;
pub mod prefix_address_pools;
pub mod set_sync_waves;
pub mod validate_secrets;

/// Every function, in alphabetical order.
pub static REGISTRY: &[Entry] = &[
    Entry::generator_transformer::<generate_machine_sets::GenerateMachineSets>(Shape::Generator),
    Entry::generator::<generate_secrets::GenerateSecrets>(),
    Entry::generator::<generate_volumes::GenerateVolumes>(),
    Entry::generator_transformer::<inject_gpu_alias::InjectGpuAlias>(Shape::Transformer),
    Entry::transformer::<prefix_address_pools::PrefixAddressPools>(),
    Entry::transformer::<set_sync_waves::SetSyncWaves>(),
    Entry::validator::<validate_secrets::ValidateSecrets>(),
];
