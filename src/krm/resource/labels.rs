//! Labels and annotations.

use std::collections::BTreeMap;

use super::Resource;
use crate::krm::fault::Fault;
use crate::krm::path::FieldPath;

impl Resource {
    /// A label. None if it is missing or not a string, which Kubernetes rejects.
    pub fn label(&self, key: &str) -> Result<Option<String>, Fault> {
        let value = self.value(&FieldPath::new("metadata.labels").key(key.to_owned()))?;
        Ok(value.and_then(|value| value.as_str().map(str::to_owned)))
    }

    /// Whether the resource has all of these labels.
    pub fn has_labels(&self, labels: &BTreeMap<String, String>) -> Result<bool, Fault> {
        for (key, value) in labels {
            if self.label(key)?.as_ref() != Some(value) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub fn annotation(&self, key: &str) -> Result<Option<String>, Fault> {
        self.get(&FieldPath::new("metadata.annotations").key(key.to_owned()))
    }
}
