//! The arguments of all commands. Their doc comments are the help, the manual pages and the completions.

use std::path::PathBuf;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Parser, Subcommand, ValueEnum};

use super::{check, diff, import, init, map, render};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// KRM functions for OpenStack and GPUs on OpenShift.
///
/// Without a command, rhoso-fn runs as a function for kustomize and kpt: it reads a ResourceList from stdin
/// and writes one to stdout. The kind of the functionConfig selects the function.
#[derive(Debug, Parser)]
#[command(name = "rhoso-fn", version, styles = STYLES)]
#[command(after_help = "Example:\n  rhoso-fn render --diff manifests/")]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the functions.
    #[command(after_help = "Example:\n  rhoso-fn list -o json")]
    List {
        /// The format.
        #[arg(short, long, value_name = "FORMAT", value_enum, default_value_t = ListFormat::Text)]
        output: ListFormat,
    },
    /// Print the reference for a function, a field, a rule, a GPU or an instance type.
    #[command(after_help = "Example:\n  rhoso-fn explain InjectGpuAlias.aliases.deviceType")]
    Explain {
        /// A function, a field, a rule, a GPU or an instance type.
        ///
        /// For example InjectGpuAlias, InjectGpuAlias.aliases.deviceType or pool-overlap. `gpu` lists the GPU
        /// catalogue, `gpu L4` describes one GPU. `instance` lists the AWS, Azure and GCP instance types with
        /// GPUs, `instance g6.4xlarge` describes one, and `instance g6`, `instance L4` or `instance azure` list
        /// those of a family, GPU or cloud.
        #[arg(value_name = "WHAT", required = true)]
        what: Vec<String>,
    },
    /// List the rules that findings refer to, one per line.
    #[command(after_help = "Example:\n  rhoso-fn rules | grep metallb")]
    Rules,
    /// Print the JSON schema of a functionConfig, for editors.
    #[command(after_help = "Example:\n  rhoso-fn schema --all -o schemas")]
    Schema {
        /// The kind of the functionConfig.
        #[arg(required_unless_present = "all")]
        kind: Option<String>,
        /// Write the schemas of all kinds to DIR, and one for any of them.
        #[arg(long, requires = "output", conflicts_with = "kind")]
        all: bool,
        /// The directory of `--all`. It is created if it does not exist.
        #[arg(short, long, value_name = "DIR", requires = "all")]
        output: Option<PathBuf>,
    },
    /// Print a functionConfig to fill in, or write an example.
    ///
    /// Required fields have the value CHANGEME. Optional fields are comments with their defaults.
    #[command(after_help = "Example:\n  rhoso-fn init InjectGpuAlias gpus > gpus.yaml\n  \
                            rhoso-fn init --example multi-rhoso fleet")]
    Init(init::Init),
    /// Copy this binary into a directory, for images without a shell.
    #[command(arg_required_else_help = true, after_help = "Example:\n  rhoso-fn install /custom-tools")]
    Install {
        /// An existing directory, such as the volume of an init container.
        #[arg(value_name = "DIR", required_unless_present = "plugin_home")]
        directory: Option<PathBuf>,
        /// Create a plugin home, for hosts without `--enable-exec`.
        ///
        /// `kubectl kustomize`, `oc kustomize` and kustomize run the functions from there, if
        /// KUSTOMIZE_PLUGIN_HOME is set.
        #[arg(long, value_name = "DIR")]
        plugin_home: Option<PathBuf>,
    },
    /// Print new OpenStack Secrets with strong random values.
    ///
    /// The Secrets are osp-secret, libvirt-secret and octavia-ca-passphrase, with values in the formats that
    /// the services require. Store them in a vault or apply them. GenerateSecrets never creates random
    /// values.
    #[command(after_help = "Example:\n  rhoso-fn new-secrets -n openstack -o secrets.yaml")]
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
    /// Reads files like `render`, changes nothing, and runs no function, except for `--ran`. Findings of severity
    /// error fail the command; `# rhoso-fn: ignore[RULE] reason` on or above a line ignores a finding.
    #[command(
        after_help = "Example:\n  kustomize build overlays/prod | rhoso-fn check --ran overlays/prod -"
    )]
    Check(check::Check),
    /// Convert environment files of install_yamls to a GenerateInstances functionConfig.
    ///
    /// Each file is one instance. Assignments are read as in a shell: `export`, quotes, comments, `${NAME}` and
    /// `${NAME:-default}`; commands are not run. Only what differs from the default plan is printed. Networks that a
    /// file does not set get the subnets and VLANs of their slot, which is the position of the file.
    ///
    /// What is not imported and what collides is reported on stderr. The values of passwords are never copied.
    #[command(
        after_help = "Example:\n  rhoso-fn import --nodes worker-0,worker-1 rhoso1.env rhoso2.env > instances.yaml"
    )]
    Import(import::Import),
    /// Show the address plan of manifests: subnets, their ranges and addresses, and what collides.
    ///
    /// Prints a table, or with `--output` writes a page for browsers. Reads files like `check`. Collisions do not
    /// fail the command; `check` does that.
    #[command(after_help = "Example:\n  rhoso-fn map clusters/prod -o plan.html")]
    Map(map::Map),
    /// Compare objects by field, not by line.
    ///
    /// Objects are matched by kind, namespace and name, list items by name. Options of INI files and fields of JSON
    /// inside strings are compared one by one. The values of Secrets and other credentials are never shown.
    ///
    /// Exits with 0 if nothing differs, 1 if something does, and 2 if the input cannot be read.
    #[command(after_help = "Example:\n  kustomize build overlays/prod | rhoso-fn diff old.yaml -")]
    Diff(diff::Diff),
    /// Run functions on plain files, without kustomize or kpt.
    ///
    /// Each document in the API group fn.rhoso.dev is a functionConfig and runs on all other documents: first
    /// generators, then transformers, then validators, each in file order.
    ///
    /// Directories are read recursively: all files that end in .yaml, .yml or .json, except hidden files,
    /// files that a .krmignore excludes, Kptfiles, kustomization files and the patches that these list. A
    /// symbolic link that points outside the given directories is followed only if you name it.
    #[command(after_help = "Example:\n  rhoso-fn render manifests/ -o rendered/ --check")]
    Render(render::Render),
    /// Print a script that completes commands and options in a shell.
    #[command(
        after_help = "Example:\n  rhoso-fn completions bash > ~/.local/share/bash-completion/completions/rhoso-fn"
    )]
    Completions {
        /// The shell.
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Print a manual page, or write all of them to a directory.
    #[command(after_help = "Example:\n  rhoso-fn man render | man -l -")]
    Man {
        /// The command; without it, the page of rhoso-fn.
        #[arg(value_name = "COMMAND")]
        command: Option<String>,
        /// Write all pages to DIR, such as ~/.local/share/man/man1.
        #[arg(short, long, value_name = "DIR", conflicts_with = "command")]
        output: Option<PathBuf>,
    },
    /// Print the version.
    #[command(after_help = "Example:\n  rhoso-fn version")]
    Version,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    Text,
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Shell {
    Bash,
    Zsh,
    Fish,
}
