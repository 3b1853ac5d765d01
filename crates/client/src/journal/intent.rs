//! A write before it is sent.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::recorded_server::RecordedServer;

/// What happens if a write is sent twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Repeat {
    /// The state is the same as after the first time.
    Sets,
    /// Something exists twice.
    Adds,
    /// It is not sent: it is to follow another write, and is kept for a month unless it is discarded.
    Never,
}

/// What begins a write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BegunBy {
    /// A command that names what it writes.
    #[default]
    Command,
    /// A push, as `sprout.yaml` or its directory does not contain what was published any more.
    Push,
}

impl BegunBy {
    /// Returns `true` if it is [`Self::Command`].
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
    pub(super) const fn is_command(&self) -> bool {
        matches!(self, Self::Command)
    }
}

/// A write that is about to be sent, with everything that identifies it.
#[derive(Clone, Copy, Debug)]
pub struct Intent<'a> {
    /// The server.
    pub server: &'a RecordedServer,
    /// The tool that is called.
    pub tool: &'a str,
    /// What is written, such as the directory of a skill or the id of a heartbeat. A write of a
    /// subject replaces the unfinished ones before it. A write without one replaces nothing.
    pub subject: Option<&'a str>,
    /// The state that the write starts from, in any form; empty for something new.
    pub base: &'a str,
    /// What it writes is called before it, if it is found by that.
    pub name: Option<&'a str>,
    /// The state that it leads to, if that can be recognised later.
    pub target: Option<&'a str>,
    /// The arguments of the call.
    pub arguments: &'a Value,
    /// Whether the arguments are kept although it has no subject, so that what it has created is found.
    pub keeps_arguments: bool,
    /// The ids of what the server had of the kind before something new was created: an answer with
    /// one of them is about something else, also when the write is resumed.
    pub existing: &'a [&'a str],
    /// What happens if it is sent twice.
    pub repeat: Repeat,
    /// What begins it: the same write of a command and of a push are two.
    pub begun_by: BegunBy,
}

impl<'a> Intent<'a> {
    /// Creates a write without a subject that adds something each time that it is sent.
    pub const fn new(server: &'a RecordedServer, tool: &'a str, arguments: &'a Value) -> Self {
        let (subject, name, base, target) = (None, None, "", None);
        let repeat = Repeat::Adds;
        let (existing, begun_by): (&[&str], _) = (&[], BegunBy::Command);
        Self {
            server,
            tool,
            subject,
            base,
            name,
            target,
            arguments,
            keeps_arguments: false,
            existing,
            repeat,
            begun_by,
        }
    }
}
