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
        let mut is_stopping = self.is_stopping.clone();
        tokio::select! {
            _ = is_stopping.wait_for(|is_stopping| *is_stopping) => {}
            () = self.wait_until_token_ended() => {}
        }
    }

    /// Returns the result of work that only waits and reads, unless the answer has to end before. It may
    /// have waited for so long that the token has ended meanwhile.
    pub(super) async fn limit<T>(
        &self,
        work: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let done = tokio::select! {
            done = work => Some(done),
            () = self.wait_until_ended() => None,
        };
        match done {
            Some(done) if !self.has_token_ended().await => done,
            _ => {
                let fix = "try again in a moment";
                let message = "the server stops, or the token has ended";
                Err(ToolError::new(ErrorCode::InternalError, message, fix).into())
            }
        }
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
