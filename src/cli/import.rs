//! `import`: turns environment files of install_yamls into a functionConfig.

mod collisions;
mod computes;
mod fleet;
mod instance;
mod network;
mod notes;
mod text;
mod variables;

use std::fs;
use std::path::PathBuf;

use clap::Args;

use self::fleet::Fleet;
use self::notes::Notes;
use self::variables::Variables;
use super::{Reply, USAGE};
use crate::formats::env::script::{self, Script, Unclosed};
use crate::functions::PROGRAM;
use crate::krm::system_error;
use crate::krm::visible;
use crate::platform::install_yamls;
use crate::yaml;

#[derive(Debug, Args)]
pub struct Import {
    /// Environment files, one per instance.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The worker nodes, instead of those in NNCP_NODES.
    #[arg(long, value_name = "NODE", value_delimiter = ',')]
    nodes: Vec<String>,
}

impl Import {
    /// Exits with 0 if all files can be read, even if instances collide, and with 2 otherwise.
    pub fn run(&self) -> Reply {
        let names: Vec<String> = self.files.iter().map(|path| path.display().to_string()).collect();
        let (mut notes, mut files, mut errors) = (Notes::default(), Vec::new(), String::new());
        for (position, path) in self.files.iter().enumerate() {
            match read(path) {
                Ok(script) => files.push(Variables::new(script, position, &mut notes)),
                Err(error) => errors.push_str(&format!("{PROGRAM}: error: {}\n", visible(&error))),
            }
        }
        if !errors.is_empty() {
            return Reply { stderr: errors, code: USAGE, ..Reply::default() };
        }
        let Some(fleet) = Fleet::read(&files, &self.nodes, &mut notes) else { return Reply::default() };
        collisions::report(&fleet, &names, &mut notes);
        Reply { stderr: notes.lines(&names), ..Reply::text(text::write(&fleet, &fleet.nodes, &names)) }
    }
}

fn read(path: &PathBuf) -> Result<Script, String> {
    let name = path.display();
    let bytes = fs::read(path).map_err(|error| format!("cannot read {name}: {}", system_error(&error)))?;
    let text = yaml::utf8(&bytes).map_err(|error| format!("cannot read {name}: {error}"))?;
    script::parse(text, install_yamls::is_credential)
        .map_err(|Unclosed(line)| format!("{name}:{line}: a quote or bracket is not closed"))
}
