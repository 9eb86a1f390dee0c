//! Input that is not a file: stdin, and the pipes of a shell's process substitution.

use std::fs;
use std::io::Read;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// The path that means stdin, and its name in findings.
const STDIN: (&str, &str) = ("-", "stdin");

/// Where shells put the pipes of `<(command)`.
const PIPES: [&str; 2] = ["/dev/fd", "/proc/self/fd"];

/// The streams and the files among the given paths.
#[derive(Debug)]
pub struct Given {
    /// Names and contents.
    pub streams: Vec<(String, Vec<u8>)>,
    pub paths: Vec<PathBuf>,
}

impl Given {
    /// Reads the streams. The program at the other end of a pipe may have failed, so empty input is an error unless it is
    /// expected.
    pub fn read(paths: &[PathBuf], stdin: &mut dyn Read, may_be_empty: bool) -> Result<Self> {
        let mut given = Given { streams: Vec::new(), paths: Vec::new() };
        for path in paths {
            let (name, bytes) = if is_stdin(path) {
                (STDIN.1.to_owned(), super::read(stdin)?)
            } else if is_pipe(path) {
                let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
                (path.display().to_string(), bytes)
            } else {
                given.paths.push(path.clone());
                continue;
            };
            if !may_be_empty && bytes.trim_ascii().is_empty() {
                bail!("{name} is empty");
            }
            given.streams.push((name, bytes));
        }
        Ok(given)
    }
}

pub fn is_stdin(path: &Path) -> bool {
    path == Path::new(STDIN.0)
}

fn is_pipe(path: &Path) -> bool {
    let is_fifo = || fs::metadata(path).is_ok_and(|metadata| metadata.file_type().is_fifo());
    PIPES.iter().any(|pipes| path.starts_with(pipes)) && is_fifo()
}
