//! Where connections are accepted.

use tokio::net::TcpListener;

use super::tls::Tls;

/// Where connections are accepted.
#[derive(Debug)]
pub struct Listener {
    /// The socket.
    pub socket: TcpListener,
    /// What connections are encrypted with; none leaves them as they are.
    pub tls: Option<Tls>,
}

impl From<TcpListener> for Listener {
    fn from(socket: TcpListener) -> Self {
        Self { socket, tls: None }
    }
}
