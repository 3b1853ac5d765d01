//! The client's side of what a server sends by itself: progress, and questions to the user.

use std::sync::Arc;

use rmcp::ErrorData;
use rmcp::handler::client::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationCapability, FormElicitationCapability, Implementation, ProgressNotificationParam,
    ProgressToken, ProtocolVersion,
};
use rmcp::service::{NotificationContext, RequestContext, RoleClient};
use tokio::sync::broadcast;

use super::host::{Answer, Host, Progress, Question};

/// The most events that wait for a call to look at them; older ones are dropped.
const EVENTS_MAX: usize = 64;

/// Something that shows that a server works on a call.
#[derive(Clone, Debug)]
pub(super) enum Event {
    /// The progress of the request with this token.
    Progress(ProgressToken, Progress),
    /// A question to the user is open.
    Asked,
    /// The question was answered.
    Answered,
}

/// Identifies this program to a server, and passes on what the server sends.
pub(super) struct Handler {
    host: Option<Arc<dyn Host>>,
    events: broadcast::Sender<Event>,
}

impl Handler {
    pub(super) fn new(host: Option<Arc<dyn Host>>) -> Self {
        Self { host, events: broadcast::Sender::new(EVENTS_MAX) }
    }

    /// Returns the events from now on.
    pub(super) fn events(&self) -> broadcast::Receiver<Event> {
        self.events.subscribe()
    }

    pub(super) fn show_progress(&self, progress: &Progress) {
        if let Some(host) = &self.host {
            host.show_progress(progress);
        }
    }

    /// Asks the user, on a thread of its own.
    pub(super) async fn ask(&self, question: Question) -> Answer {
        let Some(host) = self.host.clone() else { return Answer::Decline };
        // Without a receiver, no call waits for anything.
        let _ = self.events.send(Event::Asked);
        let answer = tokio::task::spawn_blocking(move || host.answer(&question)).await;
        let _ = self.events.send(Event::Answered);
        answer.unwrap_or(Answer::Cancel)
    }
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        let program = Implementation::new("dibber", env!("CARGO_PKG_VERSION"));
        let mut capabilities = ClientCapabilities::default();
        let mut elicitation = ElicitationCapability::new();
        elicitation.form = Some(FormElicitationCapability::new());
        capabilities.elicitation = Some(elicitation);
        // What a handshake asks for: the newest revision has none.
        ClientConfig::new(capabilities, program)
            .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }

    async fn on_progress(
        &self,
        progress: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        let ProgressNotificationParam { progress_token, progress: done, total, message, .. } =
            progress;
        // Without a receiver, the call has ended.
        let _ =
            self.events.send(Event::Progress(progress_token, Progress { done, total, message }));
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let parameters = serde_json::to_value(&request).unwrap_or_default();
        let answer = match Question::parse(&parameters) {
            Some(question) => self.ask(question).await,
            None => Answer::Decline,
        };
        let action = match &answer {
            Answer::Accept(_) => ElicitationAction::Accept,
            Answer::Decline => ElicitationAction::Decline,
            Answer::Cancel => ElicitationAction::Cancel,
        };
        let mut result = ElicitResult::new(action);
        result.content = answer.into_parts().1;
        Ok(result)
    }
}
