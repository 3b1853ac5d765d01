//! One request and its result: how long it is waited for, and what ends the wait.

use std::time::Duration;

use rmcp::model::{ClientRequest, ServerResult};
use rmcp::service::{PeerRequestOptions, RequestHandle, RoleClient, RunningService, ServiceError};
use serde_json::Value;
use tokio::sync::broadcast::{self, error::RecvError};

use super::cancellation::Cancellation;
use super::deadline::Deadline;
use super::failure::Failure;
use super::handler::{Event, Handler};

/// The longest time that sending a cancellation may take.
const CANCEL_TIMEOUT: Duration = Duration::from_millis(500);

/// Sends a request, and returns its result as the server sent it. Progress extends the deadline,
/// which does not run while a question to the user is open. A request whose answer is no longer
/// waited for is cancelled.
pub(super) async fn exchange(
    service: &RunningService<RoleClient, Handler>,
    request: ClientRequest,
    options: PeerRequestOptions,
    mut deadline: Deadline,
    cancellation: &Cancellation,
) -> Result<Value, Failure> {
    let mut events = service.service().events();
    let send = service.send_request_with_option(request, options);
    let mut handle = deadline.with_timeout(send).await?;
    let open_request = cancellation.open_request();
    let mut open_questions = 0_usize;
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
            event = next(&mut events) => match event {
                Event::Progress(token, progress) if token == handle.progress_token => {
                    service.service().show_progress(&progress);
                    deadline = deadline.extended();
                }
                Event::Progress(..) => {}
                Event::Asked => open_questions += 1,
                Event::Answered => {
                    open_questions = open_questions.saturating_sub(1);
                    deadline = deadline.restarted();
                }
            },
            () = deadline.passed(), if open_questions == 0 => {
                cancel(handle, "timeout").await;
                return Err(deadline.failure());
            }
        }
    }
}

/// Returns the next event; none comes once there is no sender.
async fn next(events: &mut broadcast::Receiver<Event>) -> Event {
    loop {
        match events.recv().await {
            Ok(event) => return event,
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
