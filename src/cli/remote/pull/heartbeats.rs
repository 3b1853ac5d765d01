//! The heartbeats of a pull, and what is said of those that are not written.

use dibber_client::publish::{
    HeartbeatConflict, HeartbeatConflictKind, HeartbeatSides, LockFiles, LockKey, Published,
    PullPlan, UnwrittenReason, plan_pulled_heartbeats,
};
use dibber_client::{ClientError, Listed};
use dibber_skill::contract::{HeartbeatCreate, HeartbeatListItem};
use dibber_skill::discover;
use dibber_text::{Message, Quote, message, quote, quote_argument, quote_in_full, quote_indented};

use super::super::call_errors::{command_error, is_scope_missing};
use super::super::damaged::LISTS_DAMAGE;
use super::super::heartbeat::authored::{Audience, AuthoredSkill};
use super::super::heartbeat::sides::{both_changed, sides};
use super::super::server_options::SelectedServer;
use super::super::session::Session;
use crate::cli::drafted::Drafted;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;

/// The tool that lists heartbeats.
const HEARTBEAT_LIST: &str = "heartbeat_list";

/// The heartbeats of a server.
pub(in crate::cli::remote) struct ServerHeartbeats {
    /// None if they are not listed.
    listed: Option<Listed<HeartbeatListItem>>,
    /// Why the token may not list them, if so.
    refusal: Option<Message>,
}

impl ServerHeartbeats {
    /// Lists them. A server without heartbeats, or a token that may not read them, has none. If they
    /// cannot be listed now, a warning says that those of the files stay as they are.
    pub(in crate::cli::remote) fn load(session: &Session, ui: &mut Ui) -> Self {
        let (listed, refusal) = match session.block_on(session.client.all_heartbeats()) {
            Ok(_) if session.client.has_masked(HEARTBEAT_LIST) => {
                ui.warning(
                    "the heartbeats of sprout.yaml stay as they are: their list contains the token \
                     or another secret that is sent to the server",
                );
                (None, None)
            }
            Ok(listed) => (Some(listed), None),
            Err(ClientError::NoTool(_)) => (None, None),
            Err(error) if is_scope_missing(&error) => {
                (None, Some(command_error(&error).message().clone()))
            }
            Err(error) => {
                let error = error.to_string();
                let stay = "the heartbeats of sprout.yaml stay as they are: ";
                ui.warning(message![stay, quote_indented(&error)]);
                (None, None)
            }
        };
        Self { listed, refusal }
    }

    /// Says that the heartbeats are not compared if the token may not list them.
    pub(super) fn warn_of_refusal(&self, ui: &mut Ui) {
        if let Some(refusal) = &self.refusal {
            ui.warning(message!["the heartbeats are not compared: ", refusal.clone()]);
        }
    }

    /// Returns `true` if some of them are, or were, of this skill.
    pub(in crate::cli::remote) fn has_any_of(&self, published: &Published) -> bool {
        let mut items = self.listed.iter().flat_map(|listed| &listed.items);
        !published.heartbeats.is_empty()
            || items.any(|item| item.run_skill_id.as_ref() == Some(&published.skill_id))
    }

    /// Adds the heartbeats of a skill to the plan of its pull.
    pub(in crate::cli::remote) fn add_to(
        &self,
        plan: &mut PullPlan,
        keeps_changes: bool,
        session: &Session,
        locks: &mut LockFiles,
    ) -> Result<(), CommandError> {
        let Some(Listed { items, damaged, unreadable, .. }) = &self.listed else { return Ok(()) };
        let (found, _) = discover::find(std::slice::from_ref(&plan.directory));
        let found = found.into_iter().find(|found| found.directory == plan.directory);
        let mut authored = Authored::default();
        let mut optional_inputs = Vec::new();
        if let Some(found) = found {
            let drafted = Drafted::load(&found).map_err(|problem| CommandError::from(&problem))?;
            authored = Authored::load(plan, &drafted, session, locks)?;
            optional_inputs = drafted.draft.optional_inputs().map(str::to_owned).collect();
        }
        let sides = HeartbeatSides {
            listed: items,
            is_complete: *damaged == 0 && unreadable.is_empty(),
            drafts: &authored.drafts,
            undrafted: &authored.undrafted,
            optional_inputs: &optional_inputs,
            keeps_changes,
        };
        Ok(plan_pulled_heartbeats(plan, sides, locks)?)
    }
}

/// The heartbeats of the `sprout.yaml` of a pull.
#[derive(Default)]
struct Authored {
    /// Those that can be published, as they would be.
    drafts: Vec<HeartbeatCreate>,
    /// The names of those whose `assignmentSkill` the server does not have.
    undrafted: Vec<String>,
}

impl Authored {
    fn load(
        plan: &PullPlan,
        drafted: &Drafted,
        session: &Session,
        locks: &mut LockFiles,
    ) -> Result<Self, CommandError> {
        let (directory, key) = (&plan.directory, &LockKey::new(&plan.directory));
        let published = &Published { skill_id: plan.skill_id.clone(), ..Published::default() };
        let skill = AuthoredSkill { directory, drafted, key, published };
        let mut authored = Self::default();
        for heartbeat in skill.heartbeats() {
            match skill.draft(heartbeat, Audience::default(), session, locks) {
                Ok(draft) => authored.drafts.push(draft.create),
                Err(error) if error.exit_code() == Exit::NotFound => {
                    authored.undrafted.push(heartbeat.name.value.clone());
                }
                Err(error) => {
                    return Err(error.with_context(quote(&heartbeat.name.value)));
                }
            }
        }
        Ok(authored)
    }
}

/// Reports the heartbeats that both sides have changed.
pub(super) fn report_conflicts(
    plan: &PullPlan,
    folder: &str,
    selected: &SelectedServer,
    ui: &mut Ui,
) {
    let (argument, server) = (quote_argument(folder), selected.name());
    let options = quote_in_full(&selected.typed_options);
    let pull = || message!["`dibber pull --force ", argument, options, "`"];
    let push = || message!["`dibber push --force ", argument, options, "`"];
    for conflict in &plan.heartbeats.conflicts {
        let help = match &conflict.kind {
            HeartbeatConflictKind::Changed(parts) => both_changed(parts, pull(), push()),
            HeartbeatConflictKind::Invalid => {
                message![push(), " writes what is here to ", quote_in_full(server)]
            }
            _ => message![
                pull(),
                " overwrites what is here, ",
                push(),
                " what is on ",
                quote_in_full(server)
            ],
        };
        let sides = sides(conflict.ours.as_deref(), conflict.theirs.as_deref());
        let message = message![what(conflict, server), ", and nothing was written", sides];
        let error = CommandError::new(message)
            .with_context(quote(&conflict.name))
            .help(help)
            .exit(Exit::BadInput);
        ui.item_error(&error);
    }
}

/// Shows the heartbeats that both sides have changed, before a question about them.
pub(in crate::cli::remote) fn show_conflicts(plan: &PullPlan, server: &str, ui: &mut Ui) {
    for conflict in &plan.heartbeats.conflicts {
        let sides = sides(conflict.ours.as_deref(), conflict.theirs.as_deref());
        let name = quote(&conflict.name);
        ui.eprintln(message!["heartbeat `", name, "`: ", what(conflict, server), sides]);
    }
}

/// Returns what both sides did with a heartbeat.
fn what(conflict: &HeartbeatConflict, server: &str) -> Message {
    let server = quote_in_full(server);
    match conflict.kind {
        HeartbeatConflictKind::Changed(_) => {
            message!["it was changed on ", server, " and here"]
        }
        HeartbeatConflictKind::Cancelled => {
            message!["it was cancelled on ", server, ", and changed here"]
        }
        HeartbeatConflictKind::Removed => {
            message!["it was changed on ", server, ", and removed here"]
        }
        HeartbeatConflictKind::Created => {
            message![server, " has another heartbeat of this name for the same skill"]
        }
        HeartbeatConflictKind::Replaced => message![
            "it was cancelled on ",
            server,
            ", another heartbeat of this name is on ",
            server
        ],
        HeartbeatConflictKind::Invalid => {
            message!["its name or its schedule on ", server, " is not valid"]
        }
    }
}

/// Warns of the heartbeats of the server that are not written.
pub(in crate::cli::remote) fn warn_of_unwritten(
    plan: &PullPlan,
    folder: &str,
    server: &str,
    ui: &mut Ui,
) {
    let (folder, server) = (quote_in_full(folder), quote_in_full(server));
    for unwritten in &plan.heartbeats.unwritten {
        let why: Message = match unwritten.reason {
            UnwrittenReason::TimeZone => message![server, " does not list its time zone"],
            UnwrittenReason::Inputs => message![server, " does not list all that it runs with"],
            UnwrittenReason::OtherSkill => "it runs another skill there".into(),
            UnwrittenReason::Invalid => "its name or its schedule is not valid".into(),
            UnwrittenReason::NameTaken => "another heartbeat there has its name".into(),
            UnwrittenReason::Notation => {
                "the file is written in a way that cannot be edited automatically".into()
            }
            UnwrittenReason::UnknownAssignment => {
                message![server, " does not have its `assignmentSkill`"]
            }
            UnwrittenReason::Unlisted => message![server, " does not list it; it is kept"],
            UnwrittenReason::MayBeDamaged => {
                message!["the list of ", server, " leaves out what is damaged; ", LISTS_DAMAGE]
            }
        };
        let (name, id) = (quote(&unwritten.name), quote_in_full(unwritten.heartbeat_id.as_str()));
        ui.warning(message![
            folder,
            ": `",
            name,
            "` (",
            id,
            ") is not in sprout.yaml as it is on ",
            server,
            ": ",
            why
        ]);
    }
    let others = plan.unlisted_heartbeats.iter().filter(|id| {
        let mut unwritten = plan.heartbeats.unwritten.iter();
        !unwritten.any(|unwritten| unwritten.heartbeat_id == **id)
    });
    warn_of_unlisted(others.count(), folder, ui);
}

/// Names how many heartbeats a push does not change or cancel any more.
fn warn_of_unlisted(count: usize, folder: Quote<'_>, ui: &mut Ui) {
    let (it_runs, it_is) = match count {
        0 => return,
        1 => ("keeps running", "it is"),
        _ => ("keep running", "they are"),
    };
    let count = quantity(count, "heartbeat", "heartbeats");
    ui.warning(message![
        folder,
        ": its ",
        quote_in_full(&count),
        " ",
        it_runs,
        ", and ",
        it_is,
        " not in sprout.yaml: `dibber heartbeat list`"
    ]);
}
