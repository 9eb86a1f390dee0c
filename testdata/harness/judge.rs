//! Programs that answer questions, a line of JSON each: the API server and the operators' webhooks.
//!
//! Such a program ends when its standard input ends. So it ends with this process, also when a test panics.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value;

use crate::host::{command, root};

pub struct Judge {
    _child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// The first line that the program has printed.
    pub greeting: Value,
}

impl Judge {
    /// Starts the program and waits for its first line.
    pub fn start(program: PathBuf, args: &[&str]) -> Judge {
        let mut command = command(program.as_os_str(), root());
        command.args(args);
        Judge::run(command)
    }

    pub fn run(mut command: Command) -> Judge {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|e| panic!("{command:?} does not start: {e}"));
        let mut judge = Judge {
            questions: child.stdin.take().unwrap(),
            answers: BufReader::new(child.stdout.take().unwrap()),
            greeting: Value::Null,
            _child: child,
        };
        judge.greeting = next(&mut judge.answers);
        judge
    }

    /// Asks all questions at once. The answers are in the order of the questions.
    pub fn ask(&mut self, questions: Vec<Value>) -> Vec<Value> {
        let mut answers = vec![Value::Null; questions.len()];
        let mut lines = String::new();
        for (id, mut question) in questions.into_iter().enumerate() {
            question["id"] = id.into();
            lines.push_str(&format!("{question}\n"));
        }
        let input = &mut self.questions;
        std::thread::scope(|scope| {
            scope.spawn(move || input.write_all(lines.as_bytes()).unwrap());
            for _ in 0..answers.len() {
                let answer = next(&mut self.answers);
                let id = usize::try_from(answer["id"].as_u64().unwrap()).unwrap();
                answers[id] = answer;
            }
        });
        answers
    }
}

fn next(answers: &mut BufReader<ChildStdout>) -> Value {
    let mut line = String::new();
    answers.read_line(&mut line).unwrap();
    serde_json::from_str(&line).unwrap_or_else(|e| panic!("the judge has ended, see above ({e}): {line:?}"))
}
