//! Compresses what the program contains as text: the tables of `src/platform/tables`, examples, manual pages and
//! completions. They are text so that their changes can be reviewed.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

type Outcome = Result<(), Box<dyn Error>>;

/// The directories that `init --example` can write. One that does not exist is left out.
const EXAMPLES: [&str; 4] = ["gpu-machinesets", "llmops", "multi-rhoso", "nvidia-l4-passthrough"];

/// What tests compare the examples with, which users do not need.
const NOT_PACKED: [&str; 1] = ["expected.yaml"];

fn main() -> Outcome {
    for path in files(Path::new("../platform/tables"))? {
        let name = path.file_stem().ok_or("a table without a name")?.to_string_lossy().into_owned();
        write(&name, &fs::read(&path)?)?;
    }
    let examples: Vec<PathBuf> = EXAMPLES.iter().map(|name| Path::new("../../examples").join(name)).collect();
    archive("examples", Path::new("../../examples"), &examples)?;
    let pages = ["../../docs/completions", "../../docs/man"].map(PathBuf::from);
    archive("pages", Path::new("../../docs"), &pages)
}

/// The files below a directory, sorted by name. Cargo runs this script again when they change.
fn files(directory: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    println!("cargo::rerun-if-changed={}", directory.display());
    let mut found = Vec::new();
    if !directory.is_dir() {
        return Ok(found);
    }
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() { found.extend(files(&path)?) } else { found.push(path) }
    }
    found.sort();
    Ok(found)
}

/// Each file as a line with its path, a line with its size, and its bytes.
fn archive(name: &str, root: &Path, directories: &[PathBuf]) -> Outcome {
    let mut bytes = Vec::new();
    for directory in directories {
        for path in files(directory)? {
            let file = path.file_name().unwrap_or_default();
            if NOT_PACKED.iter().any(|other| file == *other) {
                continue;
            }
            let text = fs::read(&path)?;
            let below = path.strip_prefix(root)?.to_str().ok_or("a path that is not text")?;
            bytes.extend_from_slice(format!("{below}\n{}\n", text.len()).as_bytes());
            bytes.extend_from_slice(&text);
        }
    }
    write(name, &bytes)
}

fn write(name: &str, bytes: &[u8]) -> Outcome {
    let packed = miniz_oxide::deflate::compress_to_vec(bytes, 10);
    fs::write(Path::new(&env::var("OUT_DIR")?).join(name).with_extension("deflate"), packed)?;
    Ok(())
}
