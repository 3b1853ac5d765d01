//! Where a server is, and how it is reached.

use std::sync::Arc;

use tokio::io::DuplexStream;

use super::address::Address;
use super::certificate_authority::CertificateAuthority;
use super::command_line::ServerCommand;
use super::header::Header;
use super::process::OnLine;
use super::sign_in::SignedIn;
use super::token::Token;

/// Where a server is.
#[derive(Clone)]
pub enum Endpoint {
    /// In this process: creates a pair of pipes and returns the client's end.
    Embedded(Arc<dyn Fn() -> DuplexStream + Send + Sync>),
    /// An MCP endpoint over streamable HTTP.
    Http {
        /// The URL, such as `http://127.0.0.1:7340/mcp`.
        url: Address,
        /// The bearer token, if the server requires one.
        token: Option<Token>,
        /// The sign-in whose token is sent instead, and renewed.
        sign_in: Option<Arc<SignedIn>>,
        /// More headers of every request.
        headers: Vec<Header>,
        /// The authority that has signed its certificate; none for those of the system.
        authority: Option<CertificateAuthority>,
    },
    /// A program of this computer, which is started for the connection and ends with it.
    Program {
        /// The program.
        command: ServerCommand,
        /// What receives each line that it writes to standard error.
        on_line: Option<OnLine>,
    },
}
