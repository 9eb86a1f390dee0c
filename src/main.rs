//! The entry point: argv, stdin, stdout, stderr and the exit code. No other file prints.

use std::fs::File;
use std::io::{self, IoSlice, IsTerminal, Write};
use std::os::fd::AsFd;
use std::process::ExitCode;

use rhoso_fn::cli;
use rhoso_fn::krm::{system_error, visible_lines};
use rhoso_fn::yaml::Text;

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args_os().collect();
    let console = cli::Console {
        stdin_is_terminal: io::stdin().is_terminal(),
        stdout_is_terminal: io::stdout().is_terminal(),
        stderr_is_terminal: io::stderr().is_terminal(),
        no_color: std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()),
        columns: rustix::termios::tcgetwinsize(io::stdout()).ok().map(|size| usize::from(size.ws_col)),
    };
    let reply = match io::stdin().as_fd().try_clone_to_owned() {
        // A `File` may know its size, and reads without an intermediate buffer.
        Ok(stdin) => cli::answer(&args, &mut File::from(stdin), console),
        Err(_) => cli::answer(&args, &mut io::stdin().lock(), console),
    };
    // When the reader of a command's output closes the pipe, as `head` and pagers do, the command ends
    // quietly and successfully, like ripgrep. A host that reads a ResourceList needs all of it, so there it
    // is an error.
    let quiet = |result: io::Result<()>| match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe && !reply.is_for_host => Ok(()),
        result => result,
    };
    // Write nothing until the whole run has succeeded.
    let written = quiet(write(&reply.stdout));
    let mut stderr = visible_lines(&reply.stderr).into_owned();
    if let Err(error) = &written {
        stderr.push_str(&format!("rhoso-fn: error: cannot write to stdout: {}\n", system_error(error)));
    }
    let reported = quiet(io::stderr().lock().write_all(stderr.as_bytes()));
    match written.and(reported) {
        Ok(()) => reply.code.into(),
        Err(_) if reply.is_report => ExitCode::from(2),
        Err(_) => ExitCode::FAILURE,
    }
}

/// Writes to stdout as to a file, because std's stdout copies everything into a buffer, line by line.
fn write(pieces: &[Text]) -> io::Result<()> {
    let file = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    let is_regular = file.metadata()?.is_file();
    let mut slices: Vec<IoSlice<'_>> = pieces.iter().map(|piece| IoSlice::new(piece.as_bytes())).collect();
    let mut rest = slices.as_mut_slice();
    // Skips empty pieces, so that writing nothing means an error.
    IoSlice::advance_slices(&mut rest, 0);
    while !rest.is_empty() {
        match (&file).write_vectored(rest) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => IoSlice::advance_slices(&mut rest, written),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    // Network file systems report a full disk only when a file is synced or closed, and std ignores errors on
    // close. Pipes and terminals cannot be synced.
    let synced = if is_regular { file.sync_all() } else { Ok(()) };
    synced.or_else(|error| if error.kind() == io::ErrorKind::InvalidInput { Ok(()) } else { Err(error) })
}
