//! The command line. It computes what to print; `main` prints it.

mod check;
mod color;
mod command_line;
mod contents;
pub mod definitions;
mod deployments;
mod diff;
mod exclude;
mod explain;
mod file_set;
mod help;
mod import;
mod indentation;
mod init;
mod install;
mod manifests;
mod map;
mod new_secrets;
mod pages;
mod render;
mod reply;
mod report_file;
mod sources;
mod streams;
mod temporary;

pub use reply::Reply;

use command_line::{Cli, Command, ListFormat};

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::builder::StyledStr;
use clap::{Args, CommandFactory, Parser, ValueEnum};

use crate::docs;
use crate::functions::{PROGRAM, REGISTRY};
use crate::krm::{self, system_error, visible};
use crate::report;
use crate::yaml::{self, Text};

/// kustomize sets this variable when it calls a legacy exec plugin, and passes the config's file as first
/// argument.
const PLUGIN_CONFIG: &str = "KUSTOMIZE_PLUGIN_CONFIG_STRING";

/// How findings are shown, and which of them fail the command.
#[derive(Debug, Args)]
pub struct Reporting {
    /// The format of the findings on stderr.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Also write the findings to FILE as JSON.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Also show infos.
    #[arg(short, long)]
    verbose: bool,
    /// Also fail on warnings.
    #[arg(long)]
    strict: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

const FAILURE: u8 = 1;
const USAGE: u8 = 2;

/// Which standard streams are terminals, and whether they may be colored.
#[derive(Debug, Clone, Copy)]
pub struct Console {
    pub stdin_is_terminal: bool,
    pub stdout_is_terminal: bool,
    pub stderr_is_terminal: bool,
    /// Whether the environment variable NO_COLOR is set.
    pub no_color: bool,
    /// The number of columns of the terminal on stdout.
    pub columns: Option<usize>,
}

impl Console {
    /// The width of text on stdout: that of the terminal, within what is easy to read.
    fn width(self) -> usize {
        self.columns.map_or(96, |columns| columns.clamp(40, 120))
    }

    /// A help text that fits the terminal.
    fn help(self, help: &StyledStr) -> String {
        let is_colored = self.stdout_is_terminal && !self.no_color;
        let text = if is_colored { help.ansi().to_string() } else { help.to_string() };
        help::fitted(&text, self.width().min(help::WIDEST))
    }
}

/// The command line, for tests that generate manual pages and completions.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Runs a command line.
pub fn answer(args: &[OsString], stdin: &mut dyn Read, console: Console) -> Reply {
    if let Some(config) = plugin_config(args) {
        return plugin(config, stdin).unwrap_or_else(|error| Reply::failure(&error));
    }
    // Hosts call the function without arguments, many times per build, so skip the parser.
    if args.len() <= 1 && !console.stdin_is_terminal {
        return run(stdin).unwrap_or_else(|error| Reply::failure(&error));
    }
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => {
            return Reply { stderr: explain_arguments(args, error), code: USAGE, ..Reply::default() };
        }
        Err(help) => return Reply::text(console.help(&help.render())),
    };
    let reply = match cli.command {
        None if console.stdin_is_terminal => Ok(Reply::text(console.help(&Cli::command().render_help()))),
        None => run(stdin),
        Some(command) => run_command(command, stdin, console),
    };
    reply.unwrap_or_else(|error| Reply::failure(&error))
}

fn run_command(command: Command, stdin: &mut dyn Read, console: Console) -> Result<Reply> {
    match command {
        Command::List { output: ListFormat::Text } => Ok(Reply::text(docs::list(REGISTRY))),
        Command::List { output: ListFormat::Json } => Ok(Reply::text(docs::list_json(REGISTRY))),
        Command::Rules => Ok(Reply::text(docs::list_rules())),
        Command::Explain { what } => explain::explain(&what, console.width()),
        Command::Schema { kind: Some(kind), output: None, .. } => explain::schema(&kind),
        Command::Schema { kind: Some(_), .. } => {
            Ok(Reply::usage("`--output` is for `--all`; redirect stdout to write one schema"))
        }
        Command::Schema { output, .. } => explain::schemas(&output.unwrap_or_default()),
        Command::Init(init) => init.run(),
        Command::Install { directory, plugin_home } => {
            install::install(directory.as_deref(), plugin_home.as_deref(), REGISTRY)
        }
        Command::NewSecrets { namespace, env, output } => {
            new_secrets::new_secrets(namespace.as_deref(), env, output.as_deref())
        }
        Command::Check(check) => check.run(stdin, console, REGISTRY),
        Command::Diff(diff) => Ok(diff.run(stdin, console, REGISTRY)),
        Command::Import(import) => Ok(import.run()),
        Command::Map(map) => map.run(stdin, console, REGISTRY),
        Command::Render(render) => render.run(stdin, console, REGISTRY),
        Command::Completions { shell } => Ok(pages::completions(shell)),
        Command::Man { command, output } => pages::man(command.as_deref(), output.as_deref()),
        Command::Version => Ok(Reply::text(format!("{PROGRAM} {}\n", env!("CARGO_PKG_VERSION")))),
    }
}

/// The file that kustomize passes to a legacy exec plugin.
///
/// Child processes of a plugin inherit the variable, even a `rhoso-fn list`, so the variable is not enough:
/// the first argument must be a file, and neither a command nor a flag.
fn plugin_config(args: &[OsString]) -> Option<&Path> {
    std::env::var_os(PLUGIN_CONFIG)?;
    let first = args.get(1).filter(|first| !first.as_encoded_bytes().starts_with(b"-"))?;
    let path = Path::new(first);
    let is_command = || Cli::command().get_subcommands().any(|command| command.get_name() == first);
    // kustomize passes the path of a temporary file, and no command contains a slash.
    (path.components().count() > 1 || path.is_file() && !is_command()).then_some(path)
}

/// The usage error. clap prints arguments verbatim, so parse them again with control characters escaped.
fn explain_arguments(args: &[OsString], error: clap::Error) -> String {
    let safe = args.iter().map(|arg| visible(&arg.to_string_lossy()).into_owned());
    Cli::try_parse_from(safe).err().unwrap_or(error).render().to_string()
}

fn run(stdin: &mut dyn Read) -> Result<Reply> {
    Ok(krm::run_in_pieces(read(stdin)?, REGISTRY).into())
}

/// Runs as a legacy exec plugin of kustomize.
fn plugin(path: &Path, stdin: &mut dyn Read) -> Result<Reply> {
    let config = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(krm::run_plugin(yaml::utf8(&config)?, yaml::utf8(&read(stdin)?)?, REGISTRY).into())
}

/// An error and its causes, without the numbers that std adds to those of the operating system.
fn causes(error: &anyhow::Error) -> String {
    let cause = |cause: &(dyn std::error::Error + 'static)| match cause.downcast_ref::<io::Error>() {
        Some(error) => system_error(error),
        None => cause.to_string(),
    };
    error.chain().map(cause).collect::<Vec<_>>().join(": ")
}

fn read(stdin: &mut dyn Read) -> Result<Vec<u8>> {
    let mut input = Vec::new();
    stdin.read_to_end(&mut input).context("cannot read stdin")?;
    Ok(input)
}

impl From<krm::Outcome<Vec<Text>>> for Reply {
    fn from(outcome: krm::Outcome<Vec<Text>>) -> Self {
        let stderr = report::lines(&outcome.findings, false);
        let code = if outcome.failed { FAILURE } else { 0 };
        Reply { stdout: outcome.stdout, stderr, code, is_for_host: true, ..Reply::default() }
    }
}

impl From<krm::Outcome> for Reply {
    fn from(outcome: krm::Outcome) -> Self {
        let krm::Outcome { stdout, findings, failed } = outcome;
        krm::Outcome { stdout: vec![stdout.into()], findings, failed }.into()
    }
}
