//! Node labels with which the vendors' software describes the GPUs that it finds.

use super::machine::GPU_PRESENT;

/// Labels of NVIDIA's GPU Feature Discovery and of the node labellers of AMD and Intel.
const DESCRIBE: [&str; 10] = [
    "nvidia.com/gpu.",
    "nvidia.com/cuda.",
    "nvidia.com/gfd.",
    "nvidia.com/mig-",
    "nvidia.com/mig.strategy",
    "nvidia.com/mig.capable",
    "nvidia.com/vgpu.",
    "amd.com/gpu.",
    "beta.amd.com/gpu.",
    "gpu.intel.com/",
];

/// Labels with which users configure NVIDIA's GPU operator.
const STEER: [&str; 3] = [GPU_PRESENT, "nvidia.com/gpu.deploy.", "nvidia.com/gpu.workload."];

/// Whether a label describes the GPUs of one size of machine: their number, model or memory. Such a label is wrong
/// on machines of another size.
pub fn describes_gpus(key: &str) -> bool {
    let begins = |prefixes: &[&str]| prefixes.iter().any(|prefix| key.starts_with(prefix));
    begins(&DESCRIBE) && !begins(&STEER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_are_told_from_settings() {
        for key in ["nvidia.com/gpu.count", "nvidia.com/gpu.product", "nvidia.com/mig-1g.5gb.count"] {
            assert!(describes_gpus(key), "{key}");
        }
        assert!(describes_gpus("amd.com/gpu.vram") && describes_gpus("gpu.intel.com/device.count"));
        for key in ["nvidia.com/gpu.present", "nvidia.com/mig.config", "nvidia.com/gpu.deploy.driver"] {
            assert!(!describes_gpus(key), "{key}");
        }
        assert!(!describes_gpus("nvidia.com/device-plugin.config") && !describes_gpus("team"));
    }
}
