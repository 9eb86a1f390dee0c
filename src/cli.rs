//! The command line. It computes what to print; `main` prints it.

mod check;
mod color;
pub mod definitions;
mod deployments;
mod exclude;
mod explain;
mod file_set;
mod import;
mod install;
mod manifests;
mod map;
mod new_secrets;
mod render;
mod reply;
mod report_file;
mod sources;
mod streams;
mod temporary;

pub use reply::Reply;

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};

use crate::docs;
use crate::functions::{PROGRAM, REGISTRY};
use crate::krm::{self, visible};
use crate::report;
use crate::yaml::{self, Text};

/// kustomize sets this variable when it calls a legacy exec plugin, and passes the config's file as first
/// argument.
const PLUGIN_CONFIG: &str = "KUSTOMIZE_PLUGIN_CONFIG_STRING";

/// KRM functions for OpenStack and GPUs on OpenShift.
///
/// Without a command, rhoso-fn runs as a function for kustomize and kpt: it reads a ResourceList from stdin
/// and writes one to stdout. The kind of the functionConfig selects the function.
#[derive(Debug, Parser)]
#[command(name = "rhoso-fn", version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the functions.
    List,
    /// Print the reference for a function, a field, a rule, a GPU or an instance type.
    Explain {
        /// A function, a field or a rule: InjectGpuAlias, InjectGpuAlias.aliases.deviceType, pool-overlap.
        ///
        /// `gpu` lists the GPU catalogue, `gpu L4` describes one GPU. `instance` lists the AWS, Azure and GCP
        /// instance types with GPUs, `instance g6.4xlarge` describes one, and `instance g6`, `instance L4` or
        /// `instance azure` list those of a family, GPU or cloud.
        #[arg(value_name = "KIND[.FIELD] | RULE | gpu [NAME] | instance [NAME]", required = true)]
        what: Vec<String>,
    },
    /// List the rules that findings refer to, one per line.
    Rules,
    /// Print the JSON schema of a functionConfig, for editors.
    Schema {
        /// The kind of the functionConfig.
        kind: String,
    },
    /// Copy this binary into a directory, for images without a shell.
    #[command(arg_required_else_help = true)]
    Install {
        /// An existing directory, such as the volume of an init container.
        #[arg(value_name = "DIR", required_unless_present = "plugin_home")]
        directory: Option<PathBuf>,
        /// Create a plugin home for `kubectl kustomize`, `oc kustomize` and kustomize without --enable-exec.
        #[arg(long, value_name = "DIR")]
        plugin_home: Option<PathBuf>,
    },
    /// Print new OpenStack Secrets with strong random values.
    ///
    /// The Secrets are osp-secret, libvirt-secret and octavia-ca-passphrase, with values in the formats that
    /// the services require. Store them in a vault or apply them. GenerateSecrets never creates random
    /// values.
    NewSecrets {
        /// The namespace of the Secrets.
        #[arg(short, long)]
        namespace: Option<String>,
        /// Print KEY=VALUE lines instead, for GenerateSecrets.
        #[arg(long, conflicts_with = "namespace")]
        env: bool,
        /// Write to FILE with mode 0600; never overwrites an existing file.
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Report defects of manifests: addresses that collide, names that do not match, settings without effect.
    ///
    /// Reads files like `render`, changes nothing, and runs no function. Findings of severity error fail the command;
    /// `# rhoso-fn: ignore[RULE] reason` on or above a line ignores a finding.
    Check(check::Check),
    /// Convert environment files of install_yamls to a GenerateInstances functionConfig.
    ///
    /// Each file is one instance. Assignments are read as in a shell: `export`, quotes, comments, `${NAME}` and
    /// `${NAME:-default}`; commands are not run. Only what differs from the default plan is printed. Networks that a
    /// file does not set get the subnets and VLANs of their slot, which is the position of the file.
    ///
    /// What is not imported and what collides is reported on stderr. The values of passwords are never copied.
    ///
    /// Example: rhoso-fn import --nodes worker-0,worker-1 rhoso1.env rhoso2.env > instances.yaml
    Import(import::Import),
    /// Show the address plan of manifests: subnets, their ranges and addresses, and what collides.
    ///
    /// Prints a table, or with `--output` writes a page for browsers: `rhoso-fn map clusters/prod -o plan.html`. Reads
    /// files like `check`. Collisions do not fail the command; `check` does that.
    Map(map::Map),
    /// Run functions on plain files, without kustomize or kpt.
    ///
    /// Each document in the API group fn.rhoso.dev is a functionConfig and runs on all other documents: first
    /// generators, then transformers, then validators, each in file order.
    ///
    /// Directories are read recursively: all files that end in .yaml, .yml or .json, except hidden files,
    /// files that a .krmignore excludes, Kptfiles, kustomization files and the patches that these list. A
    /// symbolic link that points outside the given directories is followed only if you name it.
    Render(render::Render),
}

/// How findings are shown, and which of them fail the command.
#[derive(Debug, Args)]
pub struct Reporting {
    /// The format of the findings on stderr. On a terminal, `text` includes the source lines.
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
}

/// Runs a command line.
pub fn answer(args: &[OsString], stdin: impl Read, console: Console) -> Reply {
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
        Err(help) => return Reply::text(help.render().to_string()),
    };
    let reply = match cli.command {
        None if console.stdin_is_terminal => Ok(Reply::text(Cli::command().render_help().to_string())),
        None => run(stdin),
        Some(Command::List) => Ok(Reply::text(docs::list(REGISTRY))),
        Some(Command::Rules) => Ok(Reply::text(docs::list_rules())),
        Some(Command::Explain { what }) => explain::explain(&what),
        Some(Command::Schema { kind }) => explain::schema(&kind),
        Some(Command::Install { directory, plugin_home }) => {
            install::install(directory.as_deref(), plugin_home.as_deref(), REGISTRY)
        }
        Some(Command::NewSecrets { namespace, env, output }) => {
            new_secrets::new_secrets(namespace.as_deref(), env, output.as_deref())
        }
        Some(Command::Check(check)) => check.run(stdin, console, REGISTRY),
        Some(Command::Import(import)) => Ok(import.run()),
        Some(Command::Map(map)) => map.run(stdin, console, REGISTRY),
        Some(Command::Render(render)) => render.run(stdin, console, REGISTRY),
    };
    reply.unwrap_or_else(|error| Reply::failure(&error))
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

fn run(stdin: impl Read) -> Result<Reply> {
    Ok(krm::run_in_pieces(read(stdin)?, REGISTRY).into())
}

/// Runs as a legacy exec plugin of kustomize.
fn plugin(path: &Path, stdin: impl Read) -> Result<Reply> {
    let config = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(krm::run_plugin(yaml::utf8(&config)?, yaml::utf8(&read(stdin)?)?, REGISTRY).into())
}

/// An error without the number that std adds to those of the operating system: "(os error 2)".
fn without_number(error: &(dyn std::error::Error + 'static)) -> String {
    let text = error.to_string();
    let number = error.downcast_ref::<io::Error>().and_then(io::Error::raw_os_error);
    let suffix = number.map(|number| format!(" (os error {number})")).unwrap_or_default();
    text.strip_suffix(&suffix).unwrap_or(&text).to_owned()
}

fn read(mut stdin: impl Read) -> Result<Vec<u8>> {
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
