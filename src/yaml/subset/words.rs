//! Eight bytes at a time: finds the end of a run of spaces, of plain text and of quoted text.
//!
//! In each word, the lowest bit that is set marks the first byte that was searched for. Bits above it may be wrong.

const ONES: u64 = u64::from_le_bytes([1; 8]);
const HIGH: u64 = u64::from_le_bytes([0x80; 8]);

fn repeated(byte: u8) -> u64 {
    ONES * u64::from(byte)
}

/// Marks the bytes below a limit, which is at most 0x80.
fn below(word: u64, limit: u8) -> u64 {
    word.wrapping_sub(repeated(limit)) & !word & HIGH
}

fn equal(word: u64, byte: u8) -> u64 {
    below(word ^ repeated(byte), 1)
}

/// The first byte at or after `at` that `mark` marks in its word, or the end.
#[inline(always)]
fn find(bytes: &[u8], mut at: usize, mark: impl Fn(u64) -> u64) -> usize {
    let mut rest = bytes.get(at..).unwrap_or_default();
    while let Some((word, after)) = rest.split_first_chunk::<8>() {
        let found = mark(u64::from_le_bytes(*word));
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        (at, rest) = (at + 8, after);
    }
    at + rest.len().min(mark(last_word(rest)).trailing_zeros() as usize / 8)
}

/// The bytes at the end of the text, which are fewer than eight, and zeros.
#[cold]
#[inline(never)]
fn last_word(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    for (to, from) in word.iter_mut().zip(bytes) {
        *to = *from;
    }
    u64::from_le_bytes(word)
}

/// The first byte that is not a space.
#[inline]
pub(super) fn skip_spaces(bytes: &[u8], at: usize) -> usize {
    find(bytes, at, |word| word ^ repeated(b' '))
}

/// The next byte that can end a plain scalar: a control character, a colon or a hash.
#[inline]
pub(super) fn end_of_plain(bytes: &[u8], at: usize) -> usize {
    find(bytes, at, |word| below(word, b' ') | equal(word, b':') | equal(word, b'#'))
}

/// The next quote, backslash or control character.
#[inline]
pub(super) fn end_of_quoted(bytes: &[u8], at: usize, quote: u8) -> usize {
    find(bytes, at, |word| below(word, b' ') | equal(word, quote) | equal(word, b'\\'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_at_every_position_is_found() {
        for length in 0..20 {
            for position in 0..length {
                for byte in 0..=255u8 {
                    let mut text = vec![b'x'; length];
                    text[position] = byte;
                    let expected = |is_found: bool| if is_found { position } else { length };
                    assert_eq!(end_of_plain(&text, 0), expected(byte < b' ' || b":#".contains(&byte)));
                    let ends_quoted = byte < b' ' || b"\"\\".contains(&byte);
                    assert_eq!(end_of_quoted(&text, 0, b'"'), expected(ends_quoted));
                    text = vec![b' '; length];
                    text[position] = byte;
                    assert_eq!(skip_spaces(&text, 0), expected(byte != b' '));
                }
            }
        }
    }
}
