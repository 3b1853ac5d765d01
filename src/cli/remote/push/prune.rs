//! Archiving the skills whose folders are gone, with their heartbeats.

use super::arguments::{GoneSkills, HeartbeatChoice, Options};
use super::page;
use super::plan::PushItem;
use super::prune_blocked;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::call_errors;
use crate::cli::remote::heartbeat::plan::HeartbeatItem;
use crate::cli::remote::heartbeat::plan_page;
use crate::cli::remote::session::Session;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::style::Style;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{
    HeartbeatOutcome, HeartbeatPolicy, HeartbeatStep, LockFiles, PlannedHeartbeat, PlannedPrune,
    PrunedSkill, PublishError, RemovedHeartbeats, SkillRecord, UnrecordedHeartbeats, UnusedRecord,
    plan_prunes, prune_skill,
};
use dibber_skill::contract::{HeartbeatId, HeartbeatListItem};
use dibber_skill::discover::DiscoverError;
use dibber_skill::names::Roster;
use dibber_text::{escape_line, message, quote_in_full};

/// A skill whose folder is gone.
pub(super) struct GoneSkill {
    pub(super) record: UnusedRecord,
    pub(super) state: GoneState,
    /// The heartbeats that are cancelled for good with it.
    pub(super) heartbeats: Vec<HeartbeatItem>,
    /// Those of them that were cancelled.
    pub(super) cancelled: Vec<HeartbeatId>,
}

/// What happens to a skill whose folder is gone.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum GoneState {
    /// It stays on the server.
    Kept,
    /// It was to be archived, and cannot be.
    Blocked,
    /// It is to be archived.
    ToArchive,
    /// It was archived.
    Archived,
}

impl GoneSkill {
    const fn new(record: UnusedRecord, state: GoneState) -> Self {
        Self { record, state, heartbeats: Vec::new(), cancelled: Vec::new() }
    }

    pub(super) fn is_to_archive(&self) -> bool {
        self.state == GoneState::ToArchive
    }

    /// Returns what was done with one of its heartbeats.
    pub(super) fn outcome(&self, item: &HeartbeatItem) -> HeartbeatOutcome {
        match item.id() {
            Some(id) if self.cancelled.contains(id) => HeartbeatOutcome::Cancelled,
            _ => HeartbeatOutcome::Unchanged,
        }
    }
}

/// Plans which skills are archived, and returns why the others are not.
pub(super) fn plan(
    gone: Vec<UnusedRecord>,
    options: &Options,
    (items, unread): (&[PushItem], &[DiscoverError]),
    session: &Session,
) -> (Vec<GoneSkill>, Vec<CommandError>) {
    if options.gone_skills == GoneSkills::Report || gone.is_empty() {
        return (all(gone, GoneState::Kept), Vec::new());
    }
    if let Some(error) = unjudged(items, unread) {
        return (all(gone, GoneState::Blocked), vec![error]);
    }
    let planned = match planned(&gone, options, session) {
        Ok(planned) => planned,
        Err(error) => return (all(gone, GoneState::Blocked), vec![error]),
    };
    let (mut skills, mut errors) = (Vec::new(), Vec::new());
    for PlannedPrune { gone, step } in planned {
        let mut skill = GoneSkill::new(gone, GoneState::ToArchive);
        match step {
            Ok(heartbeats) => {
                let path = page::path_of(&skill.record.key);
                let items = heartbeats.into_iter().map(|listed| cancellation(listed, &path));
                skill.heartbeats = items.collect();
            }
            Err(reason) => {
                skill.state = GoneState::Blocked;
                errors.push(prune_blocked::shown(&skill.record, reason, session));
            }
        }
        skills.push(skill);
    }
    (skills, errors)
}

fn all(gone: Vec<UnusedRecord>, state: GoneState) -> Vec<GoneSkill> {
    gone.into_iter().map(|record| GoneSkill::new(record, state)).collect()
}

fn planned(
    gone: &[UnusedRecord],
    options: &Options,
    session: &Session,
) -> Result<Vec<PlannedPrune>, CommandError> {
    let policy = HeartbeatPolicy {
        foreign_changes: options.conflicts.foreign_changes(),
        removed: match options.heartbeats {
            HeartbeatChoice::Set => RemovedHeartbeats::Cancel,
            HeartbeatChoice::Skip => RemovedHeartbeats::Keep,
        },
        unrecorded: UnrecordedHeartbeats::Find,
    };
    let planned = plan_prunes(gone.to_vec(), policy, session.publisher()?);
    Ok(session.block_on(planned)?)
}

/// Returns an error if a folder that cannot be read as a skill may be one of those that are gone.
fn unjudged(items: &[PushItem], unread: &[DiscoverError]) -> Option<CommandError> {
    let unjudged =
        items.iter().find(|item| item.review.hash.is_none() && item.record == SkillRecord::None);
    let unjudged = unjudged.map(|item| item.review.path.clone());
    let path = unjudged.or_else(|| unread.first().map(|problem| problem.path.clone()))?;
    let path = quote_in_full(&path);
    let message = message!["nothing is archived: ", path, " may be a folder that is gone"];
    let help = "correct its files, so that it can be compared with what was published";
    Some(CommandError::new(message).help(help).exit(Exit::BadInput))
}

fn cancellation(listed: HeartbeatListItem, path: &str) -> HeartbeatItem {
    let name = listed.name.clone();
    let planned =
        PlannedHeartbeat { name, key: None, step: HeartbeatStep::Cancel(Box::new(listed)) };
    HeartbeatItem { path: Some(path.to_owned()), planned }
}

/// Shows the heartbeats that are cancelled.
pub(super) fn show(gone: &[GoneSkill], roster: &Roster, ui: &mut Ui) -> Result<(), CommandError> {
    let style = Style { color: ui.stdout_color(), width: ui.width() };
    for item in gone.iter().flat_map(|skill| &skill.heartbeats) {
        if let Some(page) = plan_page::page(item, style, roster) {
            ui.print(format!("\n{}", &*page).as_bytes())?;
        }
    }
    Ok(())
}

/// Archives the skills, cancels their heartbeats, and removes their records. The errors are those
/// of the skills that remain.
pub(super) fn apply(
    gone: &mut [GoneSkill],
    session: &Session,
    locks: &mut LockFiles,
    interrupt: &Interrupt,
    ui: &mut Ui,
) -> Vec<CommandError> {
    let mut errors = Vec::new();
    for skill in gone.iter_mut().filter(|skill| skill.is_to_archive()) {
        let _held = interrupt.hold();
        let publisher = match session.publisher() {
            Ok(publisher) => publisher,
            Err(error) => return vec![error],
        };
        let listed = skill.heartbeats.iter().filter_map(|item| item.listed().cloned());
        let listed: Vec<_> = listed.collect();
        let pruned = prune_skill(&skill.record, &listed, publisher, locks);
        let PrunedSkill { cancelled, result } = session.block_on(pruned);
        skill.cancelled = cancelled;
        for item in &skill.heartbeats {
            plan_page::tell(item, &Ok(skill.outcome(item)), ui);
        }
        match result {
            Ok(()) => {
                skill.state = GoneState::Archived;
                tell_archived(&skill.record, session, ui);
            }
            Err(PublishError::Call(error)) => {
                let path = ui.masked(&page::path_of(&skill.record.key)).into_owned();
                errors.push(call_errors::command_error(&error).with_context(quote_in_full(&path)));
            }
            Err(error) => errors.push(error.into()),
        }
    }
    errors
}

fn tell_archived(record: &UnusedRecord, session: &Session, ui: &mut Ui) {
    let path = ui.masked(&page::path_of(&record.key)).into_owned();
    let (path, id) = (escape_line(&path), &record.published.skill_id);
    let server = escape_line(session.server.name());
    ui.eprintln(message![
        "Archived ",
        quote_in_full(id.as_str()),
        " of ",
        quote_in_full(&path),
        " on ",
        quote_in_full(&server),
        "."
    ]);
}
