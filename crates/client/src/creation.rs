//! Calls that create something, and take effect once on servers that do not recognise a call that is
//! sent again, or whose answer names something else.
//!
//! A server of this program recognises the key of a write, so a call whose answer was lost is sent
//! again. Any other server may ignore keys: what a lost call has created has to be found by what the
//! server lists, and the call may still arrive after that. From the first call to the next run:
//!
//! 1. Nothing is created that may have appeared since the plan: `CurrentSkills::check_new`,
//!    `CurrentHeartbeats::check_new`. The write is in the journal with the ids that the server has
//!    before it is sent. `create_or_find` sends it. If an earlier run has begun the write, it calls
//!    `find` first. Once an attempt may have taken effect, it calls `find`, too, and sends nothing more:
//!    a second call could create a second one. Attempts that changed nothing are repeated, as are all
//!    where the server declares that it honours keys. It also calls `find` if the answer has one of
//!    those ids.
//! 2. `find` compares what the server lists and did not have before, as far as it is not recorded: for a
//!    skill, `LostCreation::find`; for a heartbeat, `find_created`; a result of a skill is in no list.
//!    What has the content that was sent is the answer. If there is nothing new, the outcome of the run
//!    is unknown, [`ClientError::MayBeCreatedLater`], and the first one after a minute sends the call
//!    again. If there is something else, which the server may have stored in another form, no run sends it:
//!    [`ClientError::MayBeCreated`].
//!    The entry says when the call was last sent; an attempt that has changed nothing does not count. An
//!    edited draft replaces the entry only when it is sent: until then, what was sent before is looked
//!    for.
//!    A push says of a skill that it was sent again (`CurrentSkills::sent_again`).
//! 3. After it has created something, the command line warns of what may be the same and has appeared
//!    since the plan (`warn_of_simultaneous`, `CurrentHeartbeats::simultaneous`): another machine may have
//!    published the same directory, or the call of an earlier run has arrived.
//! 4. The next push looks for what an interrupted one has created before it plans anything:
//!    `created_skill` and `recover_heartbeats` record what has the content that is in the journal. What
//!    they do not find is planned as new, and resumed by step 1.
//! 5. The call of an earlier run may arrive even after that. What was sent again is kept for a day, in
//!    which a push lists the skills, and warns of those that `find_duplicate_skills` finds.
//! 6. A pull of all skills leaves out those that `find_interrupted_creations` finds in the same way: the
//!    next push records them.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::change::look;
use super::client::Client;
use super::error::ClientError;
use super::journal::Operation;
use super::late_effect::seconds_in_flight;
use super::retry_safety::{KeySupport, RetrySafety};
use super::typed::{Commit, object, read_answer};
use dibber_skill::contract::{HeartbeatCreated, ResultPosted};

/// What is said of something that the server had before.
pub(crate) const EXISTED_BEFORE: &str = "is another one";

/// The answer to a call that creates something.
pub(crate) trait Created: DeserializeOwned {
    /// What is created, in messages.
    const KIND: &'static str;
    /// Whether a server lists what is created, so that it can be looked for.
    const IS_LISTED: bool = true;
    /// Whether what was sent first is remembered when it is sent again, so that a duplicate is found.
    const IS_REMEMBERED: bool = false;

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
    const IS_REMEMBERED: bool = true;

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
    const IS_LISTED: bool = false;

    fn id(&self) -> &str {
        self.result_id.as_str()
    }
}

impl Client {
    /// Calls a tool that creates something. `find` looks for what was created: as
    /// [`Client::call_or_find`] does where the server honours keys, else as [`Client::create_once`]
    /// does; and if the answer names something that the server had before.
    pub(crate) async fn create_or_find<T: Created>(
        &self,
        call: (&str, &impl Serialize),
        operation: &Operation,
        find: impl AsyncFn() -> Result<Option<T>, ClientError>,
    ) -> Result<T, ClientError> {
        let created: T = if self.honours_keys(call.0).await? {
            mark_sent(operation)?;
            self.call_or_find(call, operation, operation.is_resumed(), &find).await?
        } else {
            self.create_once(call, operation, &find).await?
        };
        if self.is_server_of_dibber().await? || !operation.existed_before(created.id()) {
            return Ok(created);
        }
        let found = look(&find).await?;
        found.ok_or_else(|| T::other_one(created.id(), EXISTED_BEFORE))
    }

    /// Returns `true` if the server declares that a tool honours idempotency keys: its answer to a creation
    /// may be a stored one, and what was created be gone since.
    pub(crate) async fn honours_keys(&self, tool: &str) -> Result<bool, ClientError> {
        Ok(self.server().await?.keys.support(tool) == KeySupport::Honoured)
    }

    /// Calls a tool that creates something on a server that may ignore the key: such a server creates
    /// it for each call that arrives, even if that is late. So `find` looks for what an earlier run has
    /// created before the call is sent, and what this one has created once an attempt may have taken
    /// effect; nothing is sent after that, or while one that was sent before may still take effect.
    async fn create_once<T: Created>(
        &self,
        (tool, arguments): (&str, &impl Serialize),
        operation: &Operation,
        find: &impl AsyncFn() -> Result<Option<T>, ClientError>,
    ) -> Result<T, ClientError> {
        let look = async || look(find).await.map_err(ClientError::with_later_creation);
        if operation.may_have_applied() {
            if let Some(found) = look().await? {
                return Ok(found);
            }
            if T::IS_LISTED {
                check_not_in_flight(operation)?;
            }
            if T::IS_REMEMBERED {
                operation.keep_repeated().map_err(|error| may_be_in_flight(&error))?;
            }
        }
        mark_sent(operation)?;
        let (arguments, safety) = (&object(arguments), RetrySafety::Keyed(operation.key()));
        let attempt = |deadline| async move {
            let answer = self.call_once(tool, arguments, Some(safety), deadline).await;
            answer.map_err(|failure| failure.without_promises().no_retry_if_applied())
        };
        let answer = self.until_done(attempt).await;
        match answer.and_then(|answer| read_answer(tool, answer, safety)) {
            Err(error) if error.may_have_applied() => {
                // It may have waited for an answer for long.
                mark_sent(operation)?;
                let error = self.without_secrets(error).with_later_creation();
                look().await?.ok_or(error)
            }
            Err(error) => {
                // Then the next run waits for what was sent before, as if this one had sent nothing.
                drop(operation.unmark_sent());
                Err(error)
            }
            answer => answer,
        }
    }
}

/// Fails if the call that an earlier run has sent may still take effect.
fn check_not_in_flight(operation: &Operation) -> Result<(), ClientError> {
    let age = operation.time_since_sent().map_err(|error| may_be_in_flight(&error))?;
    match seconds_in_flight(age) {
        Some(seconds) => {
            let cause = format!("it was sent {seconds} s ago, and nothing of it is found");
            Err(may_be_in_flight(&cause))
        }
        None => Ok(()),
    }
}

fn mark_sent(operation: &Operation) -> Result<(), ClientError> {
    operation.mark_sent().map_err(|error| may_be_in_flight(&error))
}

fn may_be_in_flight(cause: &impl ToString) -> ClientError {
    ClientError::MayBeCreatedLater(cause.to_string())
}
