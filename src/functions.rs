//! Decisions that change resources: one file, or one small folder, per function.
//!
//! To add one: write the file, add its `mod` and its line in [`REGISTRY`], and follow CONTRIBUTING.md.

use crate::checks::suppression::Syntax;
use crate::krm::{Entry, Registry, Shape};

pub mod assign_nova_cells;
mod compute_files;
mod copies;
pub mod generate_applications;
pub mod generate_instances;
pub mod generate_machine_sets;
pub mod generate_nova_external_computes;
pub mod generate_secrets;
pub mod generate_volumes;
pub mod inject_gpu_alias;
mod named_nodes;
pub mod prefix_address_pools;
pub mod set_model_environment;
pub mod set_service_config;
pub mod set_sync_waves;
mod target;
pub mod validate_platform;
pub mod validate_secrets;

pub const PROGRAM: &str = "rhoso-fn";
/// The API group of every functionConfig.
pub const GROUP: &str = "fn.rhoso.dev";
pub const VERSION: &str = "v1alpha1";
pub const API_VERSION: &str = "fn.rhoso.dev/v1alpha1";

/// How findings are ignored.
pub const IGNORES: Syntax = Syntax { comment: "rhoso-fn: ignore[", annotation: "fn.rhoso.dev/ignore" };

pub static REGISTRY: &Registry =
    &Registry { program: PROGRAM, group: GROUP, version: VERSION, functions: FUNCTIONS };

/// Every function, in alphabetical order.
static FUNCTIONS: &[Entry] = &[
    Entry::generator_transformer::<assign_nova_cells::AssignNovaCells>(Shape::Transformer),
    Entry::generator::<generate_applications::GenerateApplications>(),
    Entry::generator_transformer::<generate_instances::GenerateInstances>(Shape::Generator),
    Entry::generator_transformer::<generate_machine_sets::GenerateMachineSets>(Shape::Generator),
    Entry::generator_transformer::<generate_nova_external_computes::GenerateNovaExternalComputes>(
        Shape::Generator,
    ),
    Entry::generator::<generate_secrets::GenerateSecrets>(),
    Entry::generator::<generate_volumes::GenerateVolumes>(),
    Entry::generator_transformer::<inject_gpu_alias::InjectGpuAlias>(Shape::Transformer),
    Entry::transformer::<prefix_address_pools::PrefixAddressPools>(),
    Entry::transformer::<set_model_environment::SetModelEnvironment>(),
    Entry::generator_transformer::<set_service_config::SetServiceConfig>(Shape::Transformer),
    Entry::transformer::<set_sync_waves::SetSyncWaves>(),
    Entry::validator::<validate_platform::ValidatePlatform>(),
    Entry::validator::<validate_secrets::ValidateSecrets>(),
];
