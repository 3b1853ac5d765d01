//! Why no server can be selected.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use super::super::address::Address;
use super::super::certificate_authority::CertificateAuthorityError;
use super::super::command_line::CommandLineError;
use super::super::credential::{CredentialError, TokenSource};
use super::super::header::HeaderError;
use super::server::ServerSource;
use super::server_name::ServerNameError;
use dibber_skill::config::ConfigError;
use dibber_skill::discover::ConfigFileError;
use dibber_text::{Shown, Source, Span, escape_line};

/// Why no server can be selected.
#[derive(Debug)]
pub enum SelectionError {
    /// The command line or the environment does not name a server.
    Server {
        /// Which of the two.
        source: ServerSource,
        /// Why it is not a server.
        cause: ServerNameError,
    },
    /// A configuration cannot be read.
    ConfigFile {
        /// The file.
        path: PathBuf,
        /// Why it cannot be read.
        cause: ConfigFileError,
    },
    /// A configuration is invalid; this is its first error.
    Config(Box<ConfigError>),
    /// A configuration is valid, but its `[server]` cannot be used.
    Problem(Box<ConfigProblem>),
    /// The token cannot be used.
    Credential(CredentialError),
}

/// A problem with `[server]` in a configuration, and where it is.
#[derive(Debug)]
pub struct ConfigProblem {
    /// The file.
    pub file: Arc<Source>,
    /// The bytes of the value.
    pub span: Span,
    /// What is wrong with it.
    pub kind: ConfigProblemKind,
}

/// What is wrong with `[server]` in a configuration.
#[derive(Debug)]
pub enum ConfigProblemKind {
    /// The file of a project has `trusted`, which only the user decides.
    TrustedInProject,
    /// The file of a project has `[servers]`, which may name programs.
    ServersInProject,
    /// The file of a project has `[safety]`, which names a program.
    SafetyInProject,
    /// The file of a project has `[runner]`, which names a program.
    RunnerInProject,
    /// The file of a project has `[sandbox]`, which names programs.
    SandboxInProject,
    /// The file of a project has `skills` in `[server]`, whose code would be run.
    SkillsInProject,
    /// The user's own file has `[lint]`, which only projects have.
    LintInUserFile,
    /// `url` or `trusted` contains something that does not name a server.
    Server(ServerNameError),
    /// The command line of a server is invalid.
    Command(CommandLineError),
    /// A server of `[servers]` is the embedded one, which has a name already.
    LocalAsNamed,
    /// A header of a server is invalid.
    Header(HeaderError),
    /// The certificates of a server's authority cannot be used.
    Authority(CertificateAuthorityError),
    /// The file of a project names a token file outside the project.
    TokenFileOutside,
    /// The token would be sent to a server that only the file of a project names.
    Untrusted {
        /// Where the token comes from.
        token: TokenSource,
        /// The server.
        url: Address,
    },
}

impl fmt::Display for SelectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Server { cause, .. } => cause.fmt(f),
            Self::ConfigFile { path, cause } => {
                write!(f, "{} {cause}", escape_line(&path.to_string_lossy()))
            }
            Self::Config(error) => error.fmt(f),
            Self::Problem(problem) => problem.kind.fmt(f),
            Self::Credential(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SelectionError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Server { cause, .. } => cause.source(),
            Self::ConfigFile { cause, .. } => Some(cause),
            Self::Config(error) => error.source(),
            Self::Problem(problem) => match &problem.kind {
                ConfigProblemKind::Server(error) => error.source(),
                _ => None,
            },
            Self::Credential(error) => error.source(),
        }
    }
}

impl fmt::Display for ConfigProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TrustedInProject => {
                f.write_str("`trusted` is not allowed in a project's `dibber.toml`")
            }
            Self::ServersInProject => {
                f.write_str("`[servers]` is not allowed in a project's `dibber.toml`")
            }
            Self::SafetyInProject => {
                f.write_str("`[safety]` is not allowed in a project's `dibber.toml`")
            }
            Self::RunnerInProject => {
                f.write_str("`[runner]` is not allowed in a project's `dibber.toml`")
            }
            Self::SandboxInProject => {
                f.write_str("`[sandbox]` is not allowed in a project's `dibber.toml`")
            }
            Self::SkillsInProject => {
                f.write_str("`skills` is not allowed in `[server]` of a project's `dibber.toml`")
            }
            Self::LocalAsNamed => f.write_str("`local` is reserved for the server in this program"),
            Self::Command(error) => write!(f, "the command line is invalid: {error}"),
            Self::Header(error) => write!(f, "the header is invalid: {error}"),
            Self::Authority(error) => write!(f, "`ca-file` cannot be used: {error}"),
            Self::LintInUserFile => f.write_str("`[lint]` is not allowed in this file"),
            Self::Server(error) => error.fmt(f),
            Self::TokenFileOutside => {
                f.write_str("the token file is outside the directory of this `dibber.toml`")
            }
            Self::Untrusted { token, url } => write!(
                f,
                "the token of `{token}` is not sent to `{}`, which only this file names",
                Shown::to_be_masked(url.as_str()),
            ),
        }
    }
}

impl From<CredentialError> for SelectionError {
    fn from(error: CredentialError) -> Self {
        Self::Credential(error)
    }
}

impl From<ConfigProblem> for SelectionError {
    fn from(problem: ConfigProblem) -> Self {
        Self::Problem(Box::new(problem))
    }
}
