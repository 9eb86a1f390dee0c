//! Fields of Secrets and ExternalSecrets.

use crate::krm::{FieldPath, FieldPattern};

/// The fields of a Secret that have its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecretField {
    /// Values in base64.
    Data,
    /// Plain text.
    StringData,
}

impl SecretField {
    pub fn path(self) -> FieldPath {
        match self {
            SecretField::Data => FieldPath::new("data"),
            SecretField::StringData => FieldPath::new("stringData"),
        }
    }

    pub fn values(self) -> FieldPattern {
        FieldPattern::each_of(&self.path())
    }
}

/// The name of the Secret that an ExternalSecret creates. Defaults to its own name.
pub fn target_name() -> FieldPath {
    FieldPath::new("spec.target.name")
}

/// What an ExternalSecret reads key by key.
pub fn external_data() -> FieldPath {
    FieldPath::new("spec.data")
}

/// The keys that an ExternalSecret reads one by one.
pub fn secret_keys() -> FieldPattern {
    FieldPattern::new("spec.data[*].secretKey")
}

/// The keys that an ExternalSecret composes.
pub fn template_data() -> FieldPath {
    FieldPath::new("spec.target.template.data")
}

/// Other sources of an ExternalSecret. Their keys are in the store.
pub fn other_sources() -> [FieldPath; 2] {
    ["spec.dataFrom", "spec.target.template.templateFrom"].map(FieldPath::new)
}

/// The metadata that SOPS adds to a file with encrypted values.
pub fn encryption() -> FieldPath {
    FieldPath::new("sops")
}
