//! What to write to a file.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::krm::{Pieces, has_same_bytes};

/// The content of a file, which determines the mode of a new file. An existing file keeps its mode.
#[derive(Debug, Clone, Copy)]
pub enum Content<'c> {
    Text(&'c str),
    /// Mode 0600.
    Secret(&'c str),
    /// Like `Text` or `Secret`.
    Pieces {
        pieces: &'c Pieces,
        is_secret: bool,
    },
    /// Mode 0755, even if the existing file has a different mode.
    Program(&'c [u8]),
    Link(&'c Path),
}

impl Content<'_> {
    pub(super) fn pieces(&self) -> Box<dyn Iterator<Item = &[u8]> + '_> {
        match self {
            Content::Text(text) | Content::Secret(text) => Box::new(std::iter::once(text.as_bytes())),
            Content::Pieces { pieces, .. } => Box::new(pieces.iter().map(str::as_bytes)),
            Content::Program(bytes) => Box::new(std::iter::once(*bytes)),
            Content::Link(_) => Box::new(std::iter::empty()),
        }
    }

    /// The mode of a new file, to which the umask applies.
    pub(super) fn mode(&self) -> u32 {
        match self {
            Content::Text(_) | Content::Pieces { is_secret: false, .. } => 0o666,
            _ => 0o600,
        }
    }

    /// Whether the target already has this content.
    pub(super) fn is_in(&self, target: &Path, metadata: &Metadata) -> bool {
        match self {
            Content::Link(destination) => fs::read_link(target).is_ok_and(|there| there == *destination),
            Content::Program(_) if metadata.mode() & 0o777 != 0o755 => false,
            _ => {
                let size: usize = self.pieces().map(<[u8]>::len).sum();
                let is_same = || fs::File::open(target).and_then(|file| has_same_bytes(file, self.pieces()));
                metadata.len() == size as u64 && is_same().unwrap_or(false)
            }
        }
    }
}
