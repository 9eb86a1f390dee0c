//! Writes the table of the fields of custom resources, `src/platform/tables/crd-fields.txt`: `make field-table`.
//!
//! `field-table NEWEST... [--with RELEASE]... [--older RELEASE]...` prints it. Each argument is a directory of CRDs. Those
//! of the newest release determine the kinds. A field that another current release has is known too; a field that only
//! older releases have is marked as removed.

#![allow(clippy::print_stdout, reason = "a program")]

use std::path::PathBuf;

use rhoso_fn::cli::definitions;
use rhoso_fn::platform::crds;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut newest, mut with, mut older) = (Vec::new(), Vec::new(), Vec::new());
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--with" => with.push(PathBuf::from(args.next().ok_or("--with needs a directory")?)),
            "--older" => older.push(PathBuf::from(args.next().ok_or("--older needs a directory")?)),
            path => newest.push(PathBuf::from(path)),
        }
    }
    let mut table = definitions::read(&newest)?;
    for (release, is_older) in
        with.iter().map(|path| (path, false)).chain(older.iter().map(|path| (path, true)))
    {
        table.merge(&definitions::read(std::slice::from_ref(release))?.finish(), is_older);
    }
    print!("{}", crds::write(&table.finish()));
    Ok(())
}
