//! Files that the program contains: examples, manual pages and completions, compressed by the build script.

use crate::platform::tables;

/// The examples that `init --example` writes, by their paths, each of which begins with the name of its example.
pub fn examples() -> Vec<(String, String)> {
    files(include_bytes!(concat!(env!("OUT_DIR"), "/examples.deflate")))
}

/// The names of the examples.
pub fn example_names() -> Vec<String> {
    let mut names: Vec<String> =
        examples().iter().filter_map(|(path, _)| Some(path.split_once('/')?.0.to_owned())).collect();
    names.dedup();
    names
}

/// Manual pages and completions, by their paths: `man/rhoso-fn.1`, `completions/rhoso-fn.bash`.
pub fn pages() -> Vec<(String, String)> {
    files(include_bytes!(concat!(env!("OUT_DIR"), "/pages.deflate")))
}

/// The build script wrote the archive, so what cannot be read does not occur.
fn files(packed: &[u8]) -> Vec<(String, String)> {
    let text = tables::unpacked(packed);
    let mut rest = text.as_str();
    let mut files = Vec::new();
    while let Some((path, (size, bytes))) =
        rest.split_once('\n').and_then(|(path, rest)| Some((path, rest.split_once('\n')?)))
    {
        let size = size.parse().unwrap_or(bytes.len()).min(bytes.len());
        files.push((path.to_owned(), bytes[..size].to_owned()));
        rest = &bytes[size..];
    }
    files
}
