//! How long an answer over HTTP may stay open: until the server stops, or the token of its client ends.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::sleep;

use super::failure::Failure;
use super::server::Server;
use dibber_skill::contract::{ErrorCode, ToolError};

/// How often it is checked whether the token of an open answer is still valid.
const TOKEN_PAUSE: Duration = Duration::from_secs(15);

/// What an answer depends on for as long as it is open.
pub(super) struct Lifetime {
    pub(super) server: Server,
    /// The token of the client.
    pub(super) token: String,
    pub(super) is_stopping: watch::Receiver<bool>,
}

impl Lifetime {
    /// Waits until the server stops, or the token is not valid any more.
    pub(super) async fn wait_until_ended(&self) {
        tokio::select! {
            () = self.wait_until_stopping() => {}
            () = self.wait_until_token_ended() => {}
        }
    }

    /// Returns the result of work that only waits and reads, unless the answer has to end before. It may
    /// have waited for so long that the token has ended meanwhile.
    pub(super) async fn limit<T>(
        &self,
        work: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        tokio::select! {
            done = work => if !self.has_token_ended().await { return done },
            () = self.wait_until_stopping() => return Err(stopping()),
            () = self.wait_until_token_ended() => {}
        }
        Err(token_ended())
    }

    async fn wait_until_stopping(&self) {
        let mut is_stopping = self.is_stopping.clone();
        // It fails if nothing can stop the server any more, because it has ended.
        let _ = is_stopping.wait_for(|is_stopping| *is_stopping).await;
    }

    async fn wait_until_token_ended(&self) {
        loop {
            sleep(TOKEN_PAUSE).await;
            if self.has_token_ended().await {
                return;
            }
        }
    }

    /// Returns `true` if the token is not valid any more. A database that cannot be read for a moment
    /// says nothing about it.
    async fn has_token_ended(&self) -> bool {
        matches!(self.server.authenticate(&self.token).await, Ok(None))
    }
}

fn stopping() -> Failure {
    let fix = "try again in a moment";
    ToolError::new(ErrorCode::InternalError, "the server is stopping", fix).into()
}

/// Returns the same as a request gets whose token is not valid at its beginning.
fn token_ended() -> Failure {
    let message = "the token was revoked, or has expired";
    let fix = "send a token that is valid";
    ToolError::new(ErrorCode::PermissionDenied, message, fix).reason("TOKEN_UNKNOWN").into()
}
