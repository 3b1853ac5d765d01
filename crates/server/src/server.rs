//! The server itself: a store, and a clock.

use std::sync::Arc;

use jiff::Timestamp;

use super::authorization::settings::Authorization;
use super::idempotency::InFlight;
use super::protocol::answer_rpc::AnswerRpc;
use super::safety::SafetyCommand;
use super::skills_extension::folders::FolderSkills;
use super::store::Store;

/// The name and the version of this program.
pub const SERVER: &str = concat!("dibber ", env!("CARGO_PKG_VERSION"));

/// Returns the present.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// A server. Its clones share everything.
#[derive(Clone)]
pub struct Server {
    pub(super) store: Arc<dyn Store>,
    pub(super) clock: Clock,
    pub(super) in_flight: InFlight,
    /// The program that judges what is published.
    pub(super) safety: Option<Arc<SafetyCommand>>,
    /// What answers the Skills Protocol, if skills are served.
    pub(super) skills_protocol: Option<Arc<dyn AnswerRpc>>,
    /// Whether the methods of the Skills Protocol are tools of MCP, too.
    pub(super) has_skill_tools: bool,
    /// The skills of directories that are offered over MCP.
    pub(super) folder_skills: Option<Arc<FolderSkills>>,
    /// Whether they can be read at `/.well-known/agent-skills` without a token.
    pub(super) has_public_skills: bool,
    /// What it needs to be its own authorization server, if it is one.
    pub(super) authorization: Option<Arc<Authorization>>,
}

impl Server {
    /// Creates a server over a store.
    pub fn new(store: Arc<dyn Store>, clock: Clock) -> Self {
        let in_flight = InFlight::default();
        Self {
            store,
            clock,
            in_flight,
            safety: None,
            skills_protocol: None,
            has_skill_tools: false,
            folder_skills: None,
            has_public_skills: false,
            authorization: None,
        }
    }

    /// Returns the store.
    pub fn store(&self) -> &dyn Store {
        self.store.as_ref()
    }

    /// Returns the present.
    pub(super) fn now(&self) -> Timestamp {
        (self.clock)()
    }

    /// Returns how long ago `began` was; zero if the clock was set back since.
    pub(super) fn milliseconds_since(&self, began: Timestamp) -> i64 {
        (self.now().as_millisecond() - began.as_millisecond()).max(0)
    }
}
