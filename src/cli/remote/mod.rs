//! The commands that talk to a server or are one: everything of the command line that needs the
//! wire. Outside of this module, only `run` and `sandbox_config` import from it: where the user's own
//! configuration is, and the words for refusals.

mod call;
mod call_errors;
pub(super) mod candidates;
mod changes;
mod client_state;
mod command_words;
mod config;
mod conflict;
mod content;
mod damaged;
mod database;
mod database_address;
mod doctor;
mod duplicate_skills;
mod earlier_versions;
mod edit;
mod family;
mod form;
mod guide;
mod heartbeat;
mod host;
mod inbox;
mod invoke;
mod journal;
mod local_children;
mod local_schedules;
mod missing_inputs;
mod new;
mod no_skills;
pub(super) mod own_config;
mod prompts;
mod protocol;
mod publish_errors;
mod pull;
mod push;
mod resolve;
mod resources;
pub(super) mod rpc_refusals;
mod running_heartbeats;
mod runs;
mod safety;
mod schema;
mod schema_words;
mod selection_error;
mod serve;
pub(super) mod server_options;
mod servers;
mod session;
mod sign_in;
mod skill;
pub(super) mod skill_sources;
mod status;
mod tools;
mod watch;
mod watched_changes;
mod withheld;

use super::command::Command;
pub(super) use server_options::typed_server_options;

/// The commands. `new` takes the place of the one that does not publish, `edit` of the one that does not
/// know what is published, `heartbeat` of the one that only previews, and `schema` of the one without
/// tools.
pub(super) const COMMANDS: &[Command] = &[
    new::COMMAND,
    edit::COMMAND,
    push::COMMAND,
    push::DIFF_COMMAND,
    pull::COMMAND,
    invoke::COMMAND,
    skill::COMMAND,
    heartbeat::COMMAND,
    inbox::COMMAND,
    watch::COMMAND,
    family::COMMAND,
    runs::COMMAND,
    guide::COMMAND,
    serve::COMMAND,
    status::COMMAND,
    config::COMMAND,
    servers::COMMAND,
    sign_in::LOGIN_COMMAND,
    sign_in::LOGOUT_COMMAND,
    tools::COMMAND,
    call::COMMAND,
    resources::LIST_COMMAND,
    resources::COMMAND,
    prompts::LIST_COMMAND,
    prompts::COMMAND,
    protocol::COMMAND,
    journal::COMMAND,
    database::COMMAND,
    doctor::COMMAND,
    schema::COMMAND,
];
