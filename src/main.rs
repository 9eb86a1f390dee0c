//! The door: argv, stdin, stdout, stderr, exit code. The only file that prints.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use rhoso_fn::cli;

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args_os().collect();
    let reply = cli::answer(&args, io::stdin().lock(), io::stdin().is_terminal());
    // All at once, from a buffer: nothing is written before the whole run is known to be good.
    let written = io::stdout().lock().write_all(reply.stdout.as_bytes()).and_then(|()| io::stdout().flush());
    let mut said = reply.stderr;
    if let Err(error) = &written {
        said.push_str(&format!("rhoso-fn: error: stdout cannot be written: {error}\n"));
    }
    let said = io::stderr().lock().write_all(said.as_bytes());
    if written.is_err() || said.is_err() || reply.failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
