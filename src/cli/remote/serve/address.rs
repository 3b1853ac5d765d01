//! The address that a server listens on.

use std::fmt;
use std::io;
use std::net::ToSocketAddrs;
use std::str::FromStr;

use tokio::net::TcpListener;

use crate::cli::error::CommandError;
use dibber_text::{escape_line, message, quote_display};

/// The host of an address that is only a port: this computer, and no other reaches it.
const HOST_DEFAULT: &str = "127.0.0.1";

/// A host and a port.
#[derive(Clone, Debug)]
pub(super) struct Address {
    /// A name, an IPv4 address, or an IPv6 address in brackets.
    host: String,
    port: u16,
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let example = "write it as in 127.0.0.1:7340 or [::1]:7340";
        if let Ok(port) = text.parse() {
            return Ok(Self { host: HOST_DEFAULT.to_owned(), port });
        }
        let (host, port) = text.rsplit_once(':').ok_or(format!("missing port; {example}"))?;
        let port = port.parse().map_err(|_| format!("the port must be 0 to 65535; {example}"))?;
        let is_bracketed = host.starts_with('[') && host.ends_with(']');
        if host.is_empty() || host.contains(':') && !is_bracketed || host.contains('/') {
            return Err(format!("the host must be a name or an address; {example}"));
        }
        Ok(Self { host: host.to_owned(), port })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&escape_line(&self.with_port(self.port)))
    }
}

impl Address {
    pub(super) fn host(&self) -> &str {
        &self.host
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// Returns the host with another port.
    pub(super) fn with_port(&self, port: u16) -> String {
        format!("{}:{port}", self.host)
    }

    /// Listens on the first of the host's addresses that can be bound.
    ///
    /// The queue of those that wait to be accepted is tokio's, which is longer than std's: the
    /// system makes a client that finds it full wait for a second and more.
    pub(super) async fn listen(&self) -> Result<TcpListener, CommandError> {
        let addresses = self.with_port(self.port).to_socket_addrs();
        let addresses: Vec<_> = addresses.map_err(|error| self.explain(error))?.collect();
        TcpListener::bind(addresses.as_slice()).await.map_err(|error| self.explain(error))
    }

    fn explain(&self, error: io::Error) -> CommandError {
        let help = match error.kind() {
            io::ErrorKind::AddrInUse => {
                "another process is listening there; choose another port, or 0 for any free one"
            }
            io::ErrorKind::PermissionDenied => {
                "ports below 1024 are reserved; choose a higher one, such as 7340"
            }
            io::ErrorKind::AddrNotAvailable => {
                "this machine does not have that address; 127.0.0.1 is the machine itself, and \
                 0.0.0.0 every address that it has"
            }
            _ => "write the address as in 127.0.0.1:7340 or [::1]:7340",
        };
        CommandError::io(message!["cannot listen on ", quote_display(self)], error).help(help)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_alone_is_one_of_this_computer() {
        let address: Address = "8080".parse().expect("an address");
        assert_eq!(address.to_string(), "127.0.0.1:8080");
    }
}
