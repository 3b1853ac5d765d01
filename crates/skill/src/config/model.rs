//! The content of a `dibber.toml`, with the bytes of each value.

use std::sync::Arc;

use jiff::civil::Date;

use super::directory::ConfigDirectory;
use super::pattern::PathPattern;
use crate::diagnostic::Level;
use dibber_text::{Source, Span};

/// The name of the file, which is searched for upward from the current directory.
pub const CONFIG_FILE_NAME: &str = "dibber.toml";

/// The most bytes of a configuration that are read (1 MiB).
pub const CONFIG_BYTES_MAX: usize = 1 << 20;

/// The content of a `dibber.toml`.
#[derive(Clone, Debug)]
pub struct Config {
    /// The file.
    pub source: Arc<Source>,
    /// Its directory: patterns are matched against paths from there.
    pub directory: ConfigDirectory,
    /// What is not linted at all: `lint.exclude`.
    pub exclude: Vec<PathPattern>,
    /// The levels that hold everywhere: `lint.levels`.
    pub levels: Vec<LevelEntry>,
    /// The levels of some paths, later ones winning: `lint.overrides`.
    pub overrides: Vec<Override>,
    /// Findings that are known and accepted: `lint.waivers`.
    pub waivers: Vec<Waiver>,
    /// The bytes of the key `lint`, if it is there.
    pub lint_span: Option<Span>,
    /// The server that skills are published to.
    pub server: ServerEntry,
    /// The servers that are selected by a name: `servers`.
    pub servers: Vec<NamedServer>,
    /// The bytes of the key `servers`, if it is there.
    pub servers_span: Option<Span>,
    /// The program that judges what is published to the server of this program: `safety`.
    pub safety: Option<SafetyEntry>,
    /// What executes the runs of heartbeats: `runner`.
    pub runner: Option<RunnerEntry>,
    /// How the code of skills is run: `sandbox`.
    pub sandbox: Option<SandboxEntry>,
}

/// The table `[safety]`.
#[derive(Clone, Debug)]
pub struct SafetyEntry {
    /// The bytes of the table's header.
    pub span: Span,
    /// The program and its arguments; never empty.
    pub command: Vec<SpannedString>,
}

/// The table `[runner]`. Numbers are within their limits; nothing else is checked here.
#[derive(Clone, Debug)]
pub struct RunnerEntry {
    /// The bytes of the table's header.
    pub span: Span,
    /// What executes a run; none if the table has only limits.
    pub target: Option<RunnerTarget>,
    /// The longest time of a run, in seconds.
    pub timeout: Option<SpannedNumber>,
    /// The most runs at the same time.
    pub concurrency: Option<SpannedNumber>,
    /// The time after which a run is taken over from a server that has stopped, in seconds.
    pub lease: Option<SpannedNumber>,
    /// The most bytes of an output or an answer.
    pub output_bytes: Option<SpannedNumber>,
    /// The days for which ended runs are kept.
    pub keep_days: Option<SpannedNumber>,
}

/// What executes a run.
#[derive(Clone, Debug)]
pub enum RunnerTarget {
    /// A program.
    Command(RunnerCommand),
    /// A URL that runs are sent to.
    Webhook {
        /// The URL.
        url: SpannedString,
        /// The path of the file with the key of the signature, from the directory of the
        /// configuration.
        secret_file: Option<SpannedString>,
    },
}

/// A program that executes runs.
#[derive(Clone, Debug)]
pub struct RunnerCommand {
    /// The program and its arguments; never empty.
    pub words: Vec<SpannedString>,
    /// Its working directory, from the directory of the configuration.
    pub directory: Option<SpannedString>,
    /// The variables of the environment that it gets.
    pub environment: Option<Vec<SpannedString>>,
    /// Whether it is in the place of the family's home agent.
    pub is_home_agent: bool,
}

/// The table `[sandbox]`. Names and numbers are checked; whether a mode works here is not.
#[derive(Clone, Debug)]
pub struct SandboxEntry {
    /// The bytes of the table's header.
    pub span: Span,
    /// The accepted modes, in the order in which they are tried; empty if none is named.
    pub modes: Vec<(SandboxMode, Span)>,
    /// The Python interpreter.
    pub python: Option<SpannedString>,
    /// What runs containers.
    pub container: Option<ContainerEntry>,
    /// The time of a run that names none, in seconds.
    pub timeout: Option<SpannedNumber>,
    /// The memory of a run, in bytes.
    pub memory_bytes: Option<SpannedNumber>,
    /// The size of the files that a run writes.
    pub disk_bytes: Option<SpannedNumber>,
    /// The processes and threads of a run.
    pub processes: Option<SpannedNumber>,
}

/// A mode of the sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SandboxMode {
    /// Namespaces.
    Full,
    /// Landlock alone.
    Landlock,
    /// A container runtime.
    Container,
}

/// What runs containers.
#[derive(Clone, Debug)]
pub enum ContainerEntry {
    /// A known runtime, with an image that has Python.
    Image {
        /// The runtime.
        runtime: ContainerRuntime,
        /// The image.
        image: SpannedString,
    },
    /// Commands of the user.
    Command {
        /// The command that runs a container; never empty.
        run: Vec<SpannedString>,
        /// The command that ends it.
        stop: Vec<SpannedString>,
    },
}

/// A container runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContainerRuntime {
    /// Docker.
    Docker,
    /// Podman.
    Podman,
    /// Docker with gVisor.
    Runsc,
}

/// A number of a configuration, and the bytes of it.
pub type SpannedNumber = (u64, Span);

/// The table `[server]`. Nothing of it is checked here.
#[derive(Clone, Debug, Default)]
pub struct ServerEntry {
    /// The server, and the bytes of it: `server.url`.
    pub url: Option<(String, Span)>,
    /// The path of the file with the token, from the directory of the configuration, and the bytes
    /// of it: `server.token-file`.
    pub token_file: Option<(String, Span)>,
    /// The servers that a token may be sent to when a project names them, and the bytes of each:
    /// `server.trusted`.
    pub trusted: Vec<(String, Span)>,
    /// The directories of the skills that the server of this program serves, from the directory of the
    /// configuration: `server.skills`.
    pub skills: Vec<SpannedString>,
}

/// A string of a configuration, and the bytes of it.
pub type SpannedString = (String, Span);

/// A table `[servers.NAME]`. Nothing of it is checked here.
#[derive(Clone, Debug)]
pub struct NamedServer {
    /// Its name, and the bytes of it.
    pub name: SpannedString,
    /// Its URL.
    pub url: Option<SpannedString>,
    /// The path of the file with the token, from the directory of the configuration.
    pub token_file: Option<SpannedString>,
    /// The path of the file with the certificates of the authority that has signed its own, from the
    /// directory of the configuration.
    pub ca_file: Option<SpannedString>,
    /// The command line of a program that is the server.
    pub command: Option<SpannedString>,
    /// Headers of every request, and their values.
    pub headers: Vec<(String, SpannedString)>,
    /// Variables of the environment of the program, and their values.
    pub environment: Vec<(String, SpannedString)>,
}

/// One line `RULE = "LEVEL"`.
#[derive(Clone, Debug)]
pub struct LevelEntry {
    /// The rule, the group, or `all`.
    pub key: String,
    /// The bytes of the key.
    pub key_span: Span,
    /// The level.
    pub level: Level,
}

/// Levels for some paths.
#[derive(Clone, Debug)]
pub struct Override {
    /// The paths; one that matches is enough.
    pub paths: Vec<PathPattern>,
    /// The levels there.
    pub levels: Vec<LevelEntry>,
}

/// A finding that is known and accepted.
#[derive(Clone, Debug)]
pub struct Waiver {
    /// The name of the rule.
    pub rule: String,
    /// The bytes of the name, quotes included.
    pub rule_span: Span,
    /// The files in which findings of the rule are not reported.
    pub path: PathPattern,
    /// Why they are accepted; never blank.
    pub reason: String,
    /// The last day on which it holds, and the bytes of the date.
    pub expires: Option<(Date, Span)>,
}

impl Config {
    /// Returns a configuration without any setting.
    pub(super) fn empty(source: Arc<Source>) -> Self {
        Self {
            directory: ConfigDirectory::of_file(source.path(), ""),
            source,
            exclude: Vec::new(),
            levels: Vec::new(),
            overrides: Vec::new(),
            waivers: Vec::new(),
            lint_span: None,
            server: ServerEntry::default(),
            servers: Vec::new(),
            servers_span: None,
            safety: None,
            runner: None,
            sandbox: None,
        }
    }

    /// Sets the directory in which the program runs, as an absolute path.
    ///
    /// Without it, paths are compared as they are written: enough while `dibber.toml` is in
    /// the current directory, or when its path is the beginning of every other one. With it, a
    /// file `../dibber.toml`, a path `/home/kim/skills/a` and a path `a` fit together.
    #[must_use]
    pub fn seen_from(mut self, current_directory: &str) -> Self {
        self.directory = ConfigDirectory::of_file(self.source.path(), current_directory);
        self
    }
}
