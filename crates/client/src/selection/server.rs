//! A selected server.

use std::path::PathBuf;

use super::super::address::Address;
use super::super::certificate_authority::CertificateAuthority;
use super::super::command_line::ServerCommand;
use super::super::credential::Credential;
use super::super::header::Header;
use super::server_name::LOCAL_SERVER;

/// The environment variable that names a server.
pub const SERVER_VARIABLE: &str = "DIBBER_SERVER";

/// A server, and what named it.
#[derive(Clone, Debug)]
pub struct ServerSelection {
    /// The server.
    pub target: ServerTarget,
    /// What named it.
    pub source: ServerSource,
}

/// Where a selected server is.
#[derive(Clone, Debug)]
pub enum ServerTarget {
    /// In this process.
    Local {
        /// The directory of its database.
        data: PathBuf,
    },
    /// An MCP endpoint.
    Url {
        /// The URL.
        url: Address,
        /// The token for it, if there is one.
        credential: Option<Credential>,
        /// More headers of every request.
        headers: Vec<Header>,
        /// The authority that has signed its certificate; none for those of the system.
        authority: Option<CertificateAuthority>,
    },
    /// A program of this computer.
    Program {
        /// The program.
        command: ServerCommand,
        /// The name in a configuration, or one made from the command line that was typed, of which
        /// it contains only the program and a hash.
        name: String,
        /// The file of a project that names the program.
        named_in: Option<PathBuf>,
    },
}

/// What named a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerSource {
    /// The command line.
    Argument,
    /// The environment variable [`SERVER_VARIABLE`].
    Environment,
    /// The `dibber.toml` of the project.
    Project(PathBuf),
    /// The user's own `dibber.toml`.
    User(PathBuf),
    /// Nothing: it is the default.
    Default,
}

impl ServerSelection {
    /// Returns the server's name in the journal: `local`, its URL with a short hash in place of the
    /// query, or the name of the program. In `dibber.lock`, it is the name of a server without an
    /// id.
    pub fn name(&self) -> &str {
        match &self.target {
            ServerTarget::Local { .. } => LOCAL_SERVER,
            ServerTarget::Url { url, .. } => url.public_name(),
            ServerTarget::Program { name, .. } => name,
        }
    }
}
