//! Reads files side by side.

use std::fs;

use anyhow::{Context, Result};

use super::manifests::Manifest;
use crate::krm::side_by_side;
use crate::yaml::{self, Text, YamlError};

/// Opening a file takes about as long as reading this many bytes.
const COST_OF_FILE: usize = 16 << 10;

/// The text of each file, or why it is not text. Fails with the first file that cannot be read.
pub fn read(files: &[Manifest]) -> Result<Vec<Result<Text, YamlError>>> {
    let threads = side_by_side::threads(files.len() * COST_OF_FILE);
    side_by_side::try_map(threads, files.len(), |position| {
        let path = &files[position].path;
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(yaml::into_utf8(bytes).map(Text::from))
    })
}
