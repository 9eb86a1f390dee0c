//! The YAML readers of other tools, which read one document at a time: go-yaml v3 (kustomize and kpt) and
//! PyYAML (Ansible).

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value;

use crate::host::{python, root, tool};

/// A program that reads a document as a JSON string on each line, and answers with one line.
pub struct Oracle {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Oracle {
    /// go-yaml: answers with the value as JSON.
    pub fn go_yaml() -> Option<Self> {
        Some(Self::start(Command::new(tool("yaml-oracle")?)))
    }

    /// PyYAML: answers with scalars as text, and mappings as lists of pairs.
    pub fn pyyaml() -> Option<Self> {
        let mut command = Command::new(python()?);
        command.arg(root().join("testdata/tools/yaml-oracle/pyyaml.py"));
        Some(Self::start(command))
    }

    fn start(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let stdin = child.stdin.take().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        Oracle { child, stdin, stdout }
    }

    /// The value of the document, or the reason why it is rejected.
    pub fn ask(&mut self, document: &str) -> Result<Value, String> {
        writeln!(self.stdin, "{}", Value::from(document)).unwrap();
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        let mut answer: Value = serde_json::from_str(&line).unwrap();
        match answer["error"].take() {
            Value::String(error) => Err(error),
            _ => Ok(answer["value"].take()),
        }
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        drop(self.child.kill()); // it may have exited already
        self.child.wait().unwrap();
    }
}
