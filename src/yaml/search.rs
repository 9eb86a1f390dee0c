//! Finds text in large texts.

use memchr::memmem;

/// Faster than the search of the standard library, but large, so that it is never inlined.
#[inline(never)]
pub fn find(text: &[u8], wanted: &str) -> Option<usize> {
    memmem::find(text, wanted.as_bytes())
}
