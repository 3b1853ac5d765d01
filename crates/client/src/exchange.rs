//! One request and its result: how long it is waited for, and what ends the wait.

use std::time::Duration;

use rmcp::model::{ClientRequest, ProgressToken, ServerResult};
use rmcp::service::{PeerRequestOptions, RequestHandle, RoleClient, RunningService, ServiceError};
use serde_json::Value;
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::time::Instant;

use super::cancellation::Cancellation;
use super::deadline::Deadline;
use super::failure::Failure;
use super::handler::Handler;
use super::host::Progress;

/// The longest time that sending a cancellation may take.
const CANCEL_TIMEOUT: Duration = Duration::from_millis(500);

/// Sends a request, and returns its result as the server sent it. Progress extends the deadline,
/// which does not run while a question to the user is open, and begins again once the user has
/// given what the server asks for. A request whose answer is no longer waited for is cancelled.
pub(super) async fn exchange(
    service: &RunningService<RoleClient, Handler>,
    request: ClientRequest,
    options: PeerRequestOptions,
    mut deadline: Deadline,
    cancellation: &Cancellation,
) -> Result<Value, Failure> {
    let mut reports = service.service().progress();
    let mut questions = service.service().questions();
    let send = service.send_request_with_option(request, options);
    let mut handle = deadline.with_timeout(send).await?;
    let open_request = cancellation.open_request();
    let mut accepted = questions.borrow().accepted;
    questions.mark_changed();
    let mut paused = None::<Instant>;
    loop {
        tokio::select! {
            biased;
            answer = &mut handle.rx => {
                let result = answer.map_err(|_| ServiceError::TransportClosed)??;
                return Ok(to_value(&result));
            }
            () = cancellation.requested() => {
                cancel(handle, "interrupted").await;
                drop(open_request);
                // The program is about to end, in its own words.
                return std::future::pending().await;
            }
            (token, progress) = next(&mut reports) => {
                if token == handle.progress_token {
                    service.service().show_progress(&progress);
                    deadline = deadline.extended();
                }
            }
            Ok(()) = questions.changed() => {
                let now = *questions.borrow_and_update();
                if now.accepted > accepted {
                    deadline = deadline.restarted();
                } else if let Some(since) = paused {
                    deadline = deadline.postponed(since.elapsed());
                }
                accepted = now.accepted;
                paused = (now.open > 0).then(Instant::now);
            }
            () = deadline.passed(), if paused.is_none() => {
                cancel(handle, "timeout").await;
                return Err(deadline.failure());
            }
        }
    }
}

/// Returns the next report of progress; none comes once there is no sender.
async fn next(
    reports: &mut broadcast::Receiver<(ProgressToken, Progress)>,
) -> (ProgressToken, Progress) {
    loop {
        match reports.recv().await {
            Ok(report) => return report,
            Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => std::future::pending().await,
        }
    }
}

/// Tells the server that the answer is no longer waited for. It may have been given already.
async fn cancel(handle: RequestHandle<RoleClient>, reason: &str) {
    let _ = tokio::time::timeout(CANCEL_TIMEOUT, handle.cancel(Some(reason.to_owned()))).await;
}

/// Returns a result as JSON. `rmcp` parses it as the first of its types that fits, which is not
/// always that of the request; what fits none remains as it is.
fn to_value(result: &ServerResult) -> Value {
    serde_json::to_value(result).unwrap_or_default()
}
