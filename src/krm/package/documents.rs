//! Reads the documents of files side by side.

use std::ops::Range;

use super::File;
use crate::krm::id::Place;
use crate::krm::resource::Resource;
use crate::krm::side_by_side;
use crate::yaml::{YamlError, stream};

/// A document that was read.
#[derive(Debug)]
pub struct Read {
    /// The number of the file.
    pub home: usize,
    /// The line on which the document starts.
    pub line: usize,
    pub document: Result<Resource, YamlError>,
}

/// Where a document is.
#[derive(Debug, Clone)]
struct Found {
    home: usize,
    /// The number of the document in the file.
    index: usize,
    line: usize,
    range: Range<usize>,
}

/// Reads the documents of all files, in order. They keep no trees, which take several times as much memory as the text.
pub fn read(threads: usize, files: &[File]) -> Vec<Read> {
    let found = find(threads, files);
    side_by_side::map(threads, found.len(), |position| {
        let Found { home, index, line, range } = found[position].clone();
        let File { path, text } = &files[home];
        let origin = Place { index, ..Place::in_file(path, Some(line)) };
        let mut document = Resource::from_file_with_duplicate_keys(text.clone(), range, origin);
        if let Ok(document) = &mut document {
            document.release();
        }
        Read { home, line, document }
    })
}

fn find(threads: usize, files: &[File]) -> Vec<Found> {
    let of_file = side_by_side::map(threads, files.len(), |home| {
        let text = &files[home].text;
        let (mut line, mut counted) = (1, 0);
        let found = |(index, range): (usize, Range<usize>)| {
            line += memchr::memchr_iter(b'\n', &text.as_bytes()[counted..range.start]).count();
            counted = range.start;
            Found { home, index, line, range }
        };
        stream::documents(text).into_iter().enumerate().map(found).collect::<Vec<_>>()
    });
    of_file.into_iter().flatten().collect()
}
