//! `init`: writes a functionConfig to fill in, or an example.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;

use super::explain::find;
use super::file_set::{self, Content, NewFile};
use super::{Reply, USAGE};
use crate::docs;
use crate::formats::dns;
use crate::krm::{Hint, quoted};

#[derive(Debug, Args)]
pub struct Init {
    /// The kind of a function, or with `--example` a directory.
    #[arg(value_name = "KIND | DIR")]
    what: String,
    /// The name of the functionConfig; defaults to that of the function.
    #[arg(value_name = "NAME", conflicts_with = "example")]
    name: Option<String>,
    /// Write a complete example to DIR. Existing files are never replaced.
    ///
    /// Examples: multi-rhoso, nvidia-l4-passthrough, llmops, gpu-machinesets.
    #[arg(long, value_name = "EXAMPLE")]
    example: Option<String>,
    /// Where editors find the schemas: a directory or URL.
    ///
    /// `rhoso-fn schema --all -o DIR` writes them.
    #[arg(long, value_name = "DIR", default_value = "schemas", conflicts_with = "example")]
    schemas: String,
}

impl Init {
    pub fn run(&self) -> Result<Reply> {
        match &self.example {
            Some(example) => write(example, Path::new(&self.what)),
            None => {
                let entry = find(&self.what)?;
                let name = self.name.as_deref().unwrap_or(entry.name);
                if !dns::is_subdomain(name) {
                    let message =
                        "is not a name of a Kubernetes object: use lower-case letters, digits and dashes";
                    return Ok(Reply::usage(&format!("{} {message}", quoted(name))));
                }
                Ok(Reply::text(docs::scaffold(entry, name, &self.schemas)))
            }
        }
    }
}

fn write(example: &str, directory: &Path) -> Result<Reply> {
    let names = docs::example_names();
    if !names.iter().any(|name| name == example) {
        let all = format!("the examples are {}", names.join(", "));
        let hint = Hint::among(example, names.iter().map(String::as_str)).and(&all);
        return Ok(Reply {
            code: USAGE,
            ..Reply::usage(&format!("unknown example {}; {hint}", quoted(example)))
        });
    }
    let files = docs::examples();
    let own =
        files.iter().filter_map(|(path, text)| Some((path.strip_prefix(example)?.strip_prefix('/')?, text)));
    let new: Vec<NewFile> = own
        .map(|(below, text)| NewFile {
            root: directory,
            below: PathBuf::from(below),
            content: Content::Text(text),
        })
        .collect();
    if let Some(existing) = new.iter().map(NewFile::target).find(|target| target.symlink_metadata().is_ok()) {
        bail!("{} already exists; choose an empty directory", existing.display());
    }
    Ok(Reply::paths(&file_set::write(&new)?))
}
