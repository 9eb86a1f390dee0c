//! Keys, and whether a mapping contains one twice.

use super::super::events::Style;
use super::super::tree::{Kind, NodeId};
use super::scalars::begins_plain;
use super::{SubsetReader, SubsetResult, Unsupported};

/// YAML limits a key without `?` to 1024 characters. This stays well below it.
pub(super) const MAX_KEY: usize = 512;

/// A key of a mapping.
#[derive(Clone, Copy)]
pub(in super::super) struct Key {
    pub(in super::super) start: usize,
    pub(in super::super) colon: usize,
    pub(super) style: Style,
    pub(super) has_escapes: bool,
}

impl<'t> SubsetReader<'t> {
    /// The key at `start` of a line. None if the line is a scalar.
    pub(super) fn find_key(&self, start: usize) -> SubsetResult<Option<Key>> {
        match self.bytes.get(start) {
            Some(first) if begins_plain(*first) => {}
            Some(quote @ (b'"' | b'\'')) => {
                let quotes = self.quotes(start, 0)?;
                let colon = quotes.end;
                if quotes.has_breaks || self.bytes.get(colon) != Some(&b':') || !self.is_break(colon + 1) {
                    return Ok(None);
                }
                let style = if *quote == b'"' { Style::DoubleQuoted } else { Style::SingleQuoted };
                return Key { start, colon, style, has_escapes: quotes.has_escapes }.limited().map(Some);
            }
            // In the subset, a scalar may begin with a dash but a key may not. A collection in braces cannot be a key.
            Some(b'-' | b'{' | b'[') => return Ok(None),
            _ => return Err(Unsupported),
        }
        let mut at = start;
        loop {
            at = self.next_indicator(at);
            match self.bytes.get(at) {
                Some(b':') if self.is_break(at + 1) => break,
                None | Some(b'\n' | b'\r') => return Ok(None),
                Some(b'#') if self.bytes[at - 1] == b' ' => return Ok(None),
                Some(b'\t') => return Err(Unsupported),
                _ => at += 1,
            }
        }
        if self.bytes[at - 1] == b' ' {
            return Err(Unsupported);
        }
        Key::plain(start, at).limited().map(Some)
    }

    #[inline]
    pub(in super::super) fn push_key(&mut self, key: Key, mapping: NodeId) -> SubsetResult<()> {
        // The complete reader checks the values of merge keys.
        if key.colon - key.start == 2 && self.bytes[key.start..key.colon] == *b"<<" {
            return Err(Unsupported);
        }
        let node = self.tree.push(Kind::Scalar(key.style), key.start..key.colon, Some(mapping));
        if key.has_escapes {
            self.decode(node, key.start + 1..key.colon - 1, key.style)?;
        }
        Ok(())
    }

    pub(in super::super) fn refuse_duplicate_keys(&self, mapping: NodeId) -> SubsetResult<()> {
        match self.tree.duplicate_key(self.text, mapping) {
            Some(_) => Err(Unsupported),
            None => Ok(()),
        }
    }

    /// The bytes between `start` and `end`, and their first eight as a number. Shorter text is a smaller number than
    /// longer text that begins with it, as in the order of texts.
    fn text_with_prefix(&self, start: usize, end: usize) -> (&'t [u8], u64) {
        let text = &self.bytes[start..end];
        let word = match self.bytes[start..].first_chunk::<8>() {
            Some(word) => u64::from_be_bytes(*word),
            // Near the end of the text. Everything is compared then.
            None => return (text, 0),
        };
        (text, if text.len() < 8 { word & !(u64::MAX >> (8 * text.len())) } else { word })
    }
}

impl Key {
    pub(super) fn plain(start: usize, colon: usize) -> Key {
        Key { start, colon, style: Style::Plain, has_escapes: false }
    }

    pub(super) fn limited(self) -> SubsetResult<Key> {
        if self.colon - self.start > MAX_KEY { Err(Unsupported) } else { Ok(self) }
    }
}

/// Whether the keys of a mapping ascend. Tools write them in this order, and then no two keys are equal.
#[derive(Default)]
pub(super) struct Ascending<'t> {
    last: &'t [u8],
    /// The first bytes of the last key, as a number. Nearly always they decide.
    prefix: u64,
    is_broken: bool,
}

impl<'t> Ascending<'t> {
    pub(super) fn add(&mut self, reader: &SubsetReader<'t>, key: Key) {
        // The text of a key with escapes is not what is written.
        if self.is_broken || key.has_escapes {
            self.is_broken = true;
            return;
        }
        let quotes = usize::from(key.style != Style::Plain);
        let (text, prefix) = reader.text_with_prefix(key.start + quotes, key.colon - quotes);
        self.is_broken = prefix <= self.prefix && text <= self.last;
        (self.last, self.prefix) = (text, prefix);
    }

    pub(super) fn holds(&self) -> bool {
        !self.is_broken
    }
}
