//! The door: argv, stdin, stdout, stderr, exit code. The only file that prints.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::os::fd::AsFd;
use std::process::ExitCode;

use rhoso_fn::cli;
use rhoso_fn::yaml::Text;

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args_os().collect();
    let reply = match io::stdin().as_fd().try_clone_to_owned() {
        // As a file, whose size may be known, and which is read without a buffer between.
        Ok(stdin) => cli::answer(&args, File::from(stdin), io::stdin().is_terminal()),
        Err(_) => cli::answer(&args, io::stdin().lock(), io::stdin().is_terminal()),
    };
    // Nothing is written before the whole run is known to be good.
    let written = write(&reply.stdout);
    let mut said = reply.stderr;
    if let Err(error) = &written {
        said.push_str(&format!("rhoso-fn: error: stdout cannot be written: {error}\n"));
    }
    let said = io::stderr().lock().write_all(said.as_bytes());
    if written.is_err() || said.is_err() || reply.failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Writes to stdout as to a file: line by line, as a terminal wants it, would be slow.
fn write(pieces: &[Text]) -> io::Result<()> {
    let mut stdout =
        BufWriter::with_capacity(64 << 10, File::from(io::stdout().as_fd().try_clone_to_owned()?));
    for piece in pieces {
        stdout.write_all(piece.as_bytes())?;
    }
    stdout.flush()
}
