//! Large tables, compressed by the build script. Each is unpacked when a rule first needs it, so that no other run pays
//! for it.

use std::sync::OnceLock;

/// The options of the OpenStack services.
pub fn oslo_options() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| unpacked(include_bytes!(concat!(env!("OUT_DIR"), "/oslo-options.deflate"))))
}

/// The fields of custom resources.
pub fn crd_fields() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| unpacked(include_bytes!(concat!(env!("OUT_DIR"), "/crd-fields.deflate"))))
}

/// The flags of vLLM.
pub fn vllm_flags() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| unpacked(include_bytes!(concat!(env!("OUT_DIR"), "/vllm-flags.deflate"))))
}

/// The build script packed text, so neither step fails.
pub fn unpacked(packed: &[u8]) -> String {
    let bytes = miniz_oxide::inflate::decompress_to_vec(packed).unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_the_files_that_they_were_made_from() {
        assert_eq!(oslo_options(), include_str!("tables/oslo-options.txt"));
        assert_eq!(crd_fields(), include_str!("tables/crd-fields.txt"));
        assert_eq!(vllm_flags(), include_str!("tables/vllm-flags.txt"));
    }

    /// What the binary contains of all tables, packed or not.
    #[test]
    fn tables_are_small() {
        let packed = [
            include_bytes!(concat!(env!("OUT_DIR"), "/oslo-options.deflate")).len(),
            include_bytes!(concat!(env!("OUT_DIR"), "/crd-fields.deflate")).len(),
            include_bytes!(concat!(env!("OUT_DIR"), "/vllm-flags.deflate")).len(),
            include_bytes!("gpus.tsv").len(),
            include_bytes!("instances.tsv").len(),
        ];
        assert!(packed.iter().sum::<usize>() <= 500_000, "{packed:?}");
    }
}
