//! Calls that create something, and take effect once on servers that do not recognise a call that is
//! sent again, or whose answer names something else.
//!
//! A server of this program recognises the key of a write, so a call whose answer was lost is sent
//! again. Any other server may ignore keys: what a lost call has created has to be found by what the
//! server lists. From the first call to the next run:
//!
//! 1. The write is in the journal with the ids that the server has before it is sent. `create_or_find`
//!    sends it. Once an attempt may have taken effect, or an earlier run has begun the write, it calls
//!    `find` before each further attempt, after one that is refused, and if the answer has one of those
//!    ids.
//! 2. `find` compares what the server lists and did not have before, as far as it is not recorded: for a
//!    skill, `LostCreation::find`; for a heartbeat, `find_created`. What has the content that was sent is
//!    the answer. If there is nothing new, the call is sent again. If there is something else, which the
//!    server may have stored in another form, nothing is sent: [`ClientError::MayBeCreated`]. A result
//!    of a skill is in no list, so the call is sent again only by the user's next command.
//! 3. After a push that has created skills, the command line warns of other new skills with their
//!    labels (`warn_of_simultaneous`): another machine may have published the same directory.
//! 4. The next push looks for what an interrupted one has created before it plans anything:
//!    `created_skill` and `recover_heartbeats` record what has the content that is in the journal. What
//!    they do not find is planned as new, and resumed by step 1.
//! 5. A pull of all skills leaves out those that `find_interrupted_creations` finds in the same way: the
//!    next push records them.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::change::look;
use super::client::Client;
use super::error::ClientError;
use super::journal::Operation;
use super::typed::Commit;
use dibber_skill::contract::{HeartbeatCreated, ResultPosted};

/// What is said of something that the server had before.
pub(crate) const EXISTED_BEFORE: &str = "is another one";

/// The answer to a call that creates something.
pub(crate) trait Created: DeserializeOwned {
    /// What is created, in messages.
    const KIND: &'static str;

    /// Returns its id.
    fn id(&self) -> &str;

    /// Returns the error of an answer with the id of another one: it is not known what was created.
    fn other_one(id: &str, which: &str) -> ClientError {
        let kind = Self::KIND;
        let cause = format!("it answers with `{id}` for a new {kind}, which {which}");
        ClientError::OutcomeUnknown(cause)
    }
}

impl Created for Commit {
    const KIND: &'static str = "skill";

    fn id(&self) -> &str {
        self.skill_id.as_str()
    }
}

impl Created for HeartbeatCreated {
    const KIND: &'static str = "heartbeat";

    fn id(&self) -> &str {
        self.heartbeat_id.as_str()
    }
}

impl Created for ResultPosted {
    const KIND: &'static str = "result";

    fn id(&self) -> &str {
        self.result_id.as_str()
    }
}

impl Client {
    /// Calls a tool that creates something. `find` looks for what was created: as
    /// [`Client::call_or_find`] does, and if the answer names something that the server had before.
    pub(crate) async fn create_or_find<T: Created>(
        &self,
        call: (&str, &impl Serialize),
        operation: &Operation,
        find: impl AsyncFn() -> Result<Option<T>, ClientError>,
    ) -> Result<T, ClientError> {
        let created: T = self.call_or_find(call, operation, operation.is_resumed(), &find).await?;
        if self.is_server_of_dibber().await? || !operation.existed_before(created.id()) {
            return Ok(created);
        }
        let found = look(&find).await?;
        found.ok_or_else(|| T::other_one(created.id(), EXISTED_BEFORE))
    }
}
