//! Text in pieces. Most of them are parts of files that were read, so that nothing is copied.

use std::fmt;
use std::io::{self, Read};

use crate::yaml::Text;

#[derive(Debug, Clone, Default)]
pub struct Pieces(Vec<Text>);

impl Pieces {
    pub(super) fn with_capacity(pieces: usize) -> Self {
        Pieces(Vec::with_capacity(pieces))
    }

    pub(super) fn push(&mut self, piece: Text) {
        let is_next = self.0.last_mut().is_some_and(|last| last.extend(&piece));
        if !is_next && !piece.is_empty() {
            self.0.push(piece);
        }
    }

    /// The number of bytes.
    pub fn len(&self) -> usize {
        self.iter().map(str::len).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|piece| &**piece)
    }

    pub fn texts(&self) -> impl Iterator<Item = &Text> {
        self.0.iter()
    }

    pub fn into_texts(self) -> Vec<Text> {
        self.0
    }
}

impl fmt::Display for Pieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|piece| f.write_str(piece))
    }
}

impl FromIterator<Text> for Pieces {
    fn from_iter<I: IntoIterator<Item = Text>>(texts: I) -> Self {
        let mut pieces = Pieces::default();
        texts.into_iter().for_each(|text| pieces.push(text));
        pieces
    }
}

/// Whether a reader has exactly these bytes. Reads a part at a time, so that memory does not hold all of them.
pub fn has_same_bytes<'p>(
    mut reader: impl Read,
    pieces: impl IntoIterator<Item = &'p [u8]>,
) -> io::Result<bool> {
    let mut buffer = [0; 16 << 10];
    for mut piece in pieces {
        while !piece.is_empty() {
            let wanted = piece.len().min(buffer.len());
            let read = read_some(&mut reader, &mut buffer[..wanted])?;
            if read == 0 || piece[..read] != buffer[..read] {
                return Ok(false);
            }
            piece = &piece[read..];
        }
    }
    Ok(read_some(&mut reader, &mut buffer)? == 0)
}

fn read_some(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_compared_wherever_they_are_divided() {
        let long = "x".repeat(40 << 10);
        let same = |text: &str, pieces: &[&str]| {
            has_same_bytes(text.as_bytes(), pieces.iter().map(|piece| piece.as_bytes())).unwrap()
        };
        assert!(same("abc", &["a", "", "bc"]) && same("", &[]) && same(&long, &[&long[1..], "x"]));
        assert!(!same("abc", &["ab"]) && !same("ab", &["abc"]) && !same(&long, &[&long[1..], "y"]));
    }
}
