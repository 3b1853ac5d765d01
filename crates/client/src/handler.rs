//! The client's side of what a server sends by itself: progress, and questions to the user.

use std::sync::Arc;

use rmcp::ErrorData;
use rmcp::handler::client::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationCapability, FormElicitationCapability, Implementation, ProgressNotificationParam,
    ProgressToken, ProtocolVersion, UrlElicitationCapability,
};
use rmcp::service::{NotificationContext, RequestContext, RoleClient};
use tokio::sync::{broadcast, watch};

use super::host::{Answer, Host, Progress, Question};
use super::secrets::Secrets;

/// The most reports of progress that wait for a call to look at them; older ones are dropped.
const PROGRESS_MAX: usize = 64;
/// The most questions of one connection that are passed on; further ones are declined.
const QUESTIONS_MAX: usize = 100;

/// The questions of a server.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Questions {
    /// The number of those that were passed on.
    asked: usize,
    /// The number of those that are not answered yet.
    pub(super) open: usize,
    /// The number of those that the user has answered.
    pub(super) accepted: usize,
}

/// Identifies this program to a server, and passes on what the server sends.
pub(super) struct Handler {
    host: Option<Arc<dyn Host>>,
    /// What no message may show.
    secrets: Secrets,
    progress: broadcast::Sender<(ProgressToken, Progress)>,
    questions: watch::Sender<Questions>,
}

/// A question that is open until this is dropped.
struct OpenQuestion<'a> {
    questions: &'a watch::Sender<Questions>,
    is_accepted: bool,
}

impl Handler {
    pub(super) fn new(host: Option<Arc<dyn Host>>, secrets: Secrets) -> Self {
        let progress = broadcast::Sender::new(PROGRESS_MAX);
        Self { host, secrets, progress, questions: watch::Sender::default() }
    }

    /// Returns what no message and no result may show.
    pub(super) fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// Returns the progress of every request from now on.
    pub(super) fn progress(&self) -> broadcast::Receiver<(ProgressToken, Progress)> {
        self.progress.subscribe()
    }

    /// Returns the questions, and their changes from now on.
    pub(super) fn questions(&self) -> watch::Receiver<Questions> {
        self.questions.subscribe()
    }

    pub(super) fn show_progress(&self, progress: &Progress) {
        if let Some(host) = &self.host {
            host.show_progress(progress);
        }
    }

    /// Asks the user, on a thread of its own.
    pub(super) async fn ask(&self, question: Question) -> Answer {
        let question = self.secrets.mask_question(question);
        let Some(host) = self.host.clone() else { return Answer::Decline };
        let Some(mut open) = self.open_question() else { return Answer::Decline };
        let answer = tokio::task::spawn_blocking(move || host.answer(&question)).await;
        open.is_accepted = matches!(answer, Ok(Answer::Accept(_) | Answer::Opened));
        answer.unwrap_or(Answer::Cancel)
    }

    /// Counts a question as open, unless the server has asked too many.
    fn open_question(&self) -> Option<OpenQuestion<'_>> {
        let is_permitted = self.questions.send_if_modified(|questions| {
            let is_permitted = questions.asked < QUESTIONS_MAX;
            if is_permitted {
                questions.asked += 1;
                questions.open += 1;
            }
            is_permitted
        });
        is_permitted.then(|| OpenQuestion { questions: &self.questions, is_accepted: false })
    }
}

impl Drop for OpenQuestion<'_> {
    fn drop(&mut self) {
        self.questions.send_modify(|questions| {
            questions.open -= 1;
            questions.accepted += usize::from(self.is_accepted);
        });
    }
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        let program = Implementation::new("dibber", env!("CARGO_PKG_VERSION"));
        let mut capabilities = ClientCapabilities::default();
        let mut elicitation = ElicitationCapability::new();
        elicitation.form = Some(FormElicitationCapability::new());
        elicitation.url = Some(UrlElicitationCapability::new());
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
        let message = message.map(|message| self.secrets.mask(&message));
        // Without a receiver, the call has ended.
        let _ = self.progress.send((progress_token, Progress { done, total, message }));
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let parameters = serde_json::to_value(&request).unwrap_or_default();
        let answer = self.ask(Question::parse(&parameters)).await;
        let action = match &answer {
            Answer::Accept(_) | Answer::Opened => ElicitationAction::Accept,
            Answer::Decline => ElicitationAction::Decline,
            Answer::Cancel => ElicitationAction::Cancel,
        };
        let mut result = ElicitResult::new(action);
        result.content = answer.into_parts().1;
        Ok(result)
    }
}
