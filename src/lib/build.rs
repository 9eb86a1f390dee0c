//! Compresses the tables of `src/platform/tables`, which are text so that their changes can be reviewed.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let tables = Path::new("../platform/tables");
    println!("cargo::rerun-if-changed={}", tables.display());
    let out = env::var("OUT_DIR")?;
    for entry in fs::read_dir(tables)? {
        let path = entry?.path();
        let name = path.file_stem().ok_or("a table without a name")?;
        let packed = miniz_oxide::deflate::compress_to_vec(&fs::read(&path)?, 10);
        fs::write(Path::new(&out).join(name).with_extension("deflate"), packed)?;
    }
    Ok(())
}
