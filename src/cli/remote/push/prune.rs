//! Archiving the skills whose folders are gone, with their heartbeats.

use super::arguments::{HeartbeatChoice, MissingSkills, Options};
use super::page;
use super::plan::PushItem;
use super::prune_blocked;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::heartbeat::plan::HeartbeatItem;
use crate::cli::remote::heartbeat::plan_page;
use crate::cli::remote::session::Session;
use crate::cli::remote::{call_errors, changes, conflict, running_heartbeats};
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::rendered::Rendered;
use crate::cli::term::sheet::Sheet;
use crate::cli::term::style::{Ink, Style};
use crate::cli::term::ui::Ui;
use dibber_client::publish::{
    HeartbeatOutcome, HeartbeatPolicy, HeartbeatStep, LockFiles, MissingRecord, PlannedHeartbeat,
    PlannedPrune, PruneOutcome, PruneStep, PrunedSkill, PublishError, RemovedHeartbeats,
    SkillRecord, UndoneChanges, UndoneHeartbeat, UnrecordedHeartbeats, plan_prunes, prune_skill,
};
use dibber_skill::content_hash::ContentHash;
use dibber_skill::contract::{HeartbeatId, HeartbeatListItem};
use dibber_skill::discover::DiscoverError;
use dibber_skill::names::Roster;
use dibber_text::{escape_line, message, quote, quote_in_full};

/// A skill whose folder is gone.
pub(super) struct MissingSkill {
    pub(super) record: MissingRecord,
    pub(super) state: MissingState,
    /// The heartbeats that are cancelled for good with it.
    pub(super) heartbeats: Vec<HeartbeatItem>,
    /// Those of them that were cancelled.
    pub(super) cancelled: Vec<HeartbeatId>,
    /// The names of those that were changed on the server.
    changed_heartbeats: Vec<String>,
    /// Heartbeats of the server that may run it.
    unknown: Vec<HeartbeatListItem>,
    /// The names of its heartbeats that the server has never listed.
    unlisted: Vec<String>,
    /// What was changed of it on the server.
    changes: Option<UndoneChanges>,
    /// Its label on the server, if that is known.
    label: Option<String>,
    /// Its content on the server, if it is in use there.
    content: Option<ContentHash>,
    /// Why it cannot be archived, in a few words and in full.
    blocked: Option<(String, CommandError)>,
}

/// What happens to a skill whose folder is gone.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MissingState {
    /// It stays on the server.
    Kept,
    /// It was to be archived, and cannot be.
    Blocked,
    /// It is to be archived.
    ToArchive,
    /// It was archived.
    Archived,
}

impl MissingSkill {
    const fn new(record: MissingRecord, state: MissingState) -> Self {
        Self {
            record,
            state,
            heartbeats: Vec::new(),
            cancelled: Vec::new(),
            changed_heartbeats: Vec::new(),
            unknown: Vec::new(),
            unlisted: Vec::new(),
            changes: None,
            label: None,
            content: None,
            blocked: None,
        }
    }

    fn set_step(&mut self, step: PruneStep) {
        let PruneStep { heartbeats, changed_heartbeats, changes, label, content, .. } = step;
        (self.unknown, self.unlisted) = (step.unknown, step.unlisted);
        (self.changed_heartbeats, self.changes) = (changed_heartbeats, changes);
        (self.label, self.content) = (label, content);
        let path = page::path_of(&self.record.key);
        let items = heartbeats.into_iter().map(|listed| cancellation(listed, &path));
        self.heartbeats = items.collect();
    }

    /// Returns why it cannot be archived.
    pub(super) fn error(&self) -> Option<&CommandError> {
        self.blocked.as_ref().map(|(_, error)| error)
    }

    /// Returns the changes of the server that are undone, by what was changed; none if there are
    /// none.
    pub(super) fn undoes(&self) -> Vec<String> {
        let fields = self.changes.iter().flat_map(|changes| &changes.fields);
        let fields = fields.map(|field| conflict::word(field).to_owned());
        let heartbeats = self.changed_heartbeats.iter();
        fields.chain(heartbeats.map(|name| format!("the heartbeat {name}"))).collect()
    }

    pub(super) fn is_to_archive(&self) -> bool {
        self.state == MissingState::ToArchive
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
    missing: Vec<MissingRecord>,
    options: &Options,
    (items, unread): (&[PushItem], &[DiscoverError]),
    (session, locks): (&Session, &LockFiles),
) -> (Vec<MissingSkill>, Vec<CommandError>) {
    if options.missing_skills == MissingSkills::Report || missing.is_empty() {
        return (all(missing, MissingState::Kept), Vec::new());
    }
    if let Some(error) = unjudged(items, unread) {
        return (all(missing, MissingState::Blocked), vec![error]);
    }
    let planned = match planned(&missing, options, (session, locks)) {
        Ok(planned) => planned,
        Err(error) => return (all(missing, MissingState::Blocked), vec![error]),
    };
    let mut skills = Vec::new();
    for PlannedPrune { missing, step } in planned {
        let mut skill = MissingSkill::new(missing, MissingState::ToArchive);
        match step {
            Ok(step) => skill.set_step(step),
            Err(reason) => {
                skill.state = MissingState::Blocked;
                let words = prune_blocked::in_words(&reason, session.server.name());
                skill.blocked = Some((words, prune_blocked::shown(&skill.record, reason, session)));
            }
        }
        skills.push(skill);
    }
    (skills, Vec::new())
}

fn all(missing: Vec<MissingRecord>, state: MissingState) -> Vec<MissingSkill> {
    missing.into_iter().map(|record| MissingSkill::new(record, state)).collect()
}

fn planned(
    missing: &[MissingRecord],
    options: &Options,
    (session, locks): (&Session, &LockFiles),
) -> Result<Vec<PlannedPrune>, CommandError> {
    let policy = HeartbeatPolicy {
        foreign_changes: options.conflicts.foreign_changes(),
        removed: match options.heartbeats {
            HeartbeatChoice::Set => RemovedHeartbeats::Cancel,
            HeartbeatChoice::Skip => RemovedHeartbeats::Keep,
        },
        unrecorded: UnrecordedHeartbeats::Find,
    };
    let planned = plan_prunes(missing.to_vec(), policy, session.publisher()?, locks);
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
    // What was changed of it on the server is shown with its skill.
    let step = HeartbeatStep::Cancel(Box::new(listed), UndoneHeartbeat::Nothing);
    let planned = PlannedHeartbeat { name, key: None, unsent: None, step };
    HeartbeatItem { path: Some(path.to_owned()), planned }
}

/// Shows which skills are archived and which stay, the changes of the server that are undone, and the
/// heartbeats that are cancelled.
pub(super) fn show(
    missing: &[MissingSkill],
    server: &str,
    roster: &Roster,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let style = Style { color: ui.stdout_color(), width: ui.width() };
    if missing.iter().any(|skill| skill.state != MissingState::Kept) {
        let rows = missing.iter().map(|skill| {
            let path = page::path_of(&skill.record.key);
            let what = match &skill.blocked {
                Some((why, _)) => format!("stays: {why}"),
                None if !skill.is_to_archive() => "stays".to_owned(),
                None if skill.content.is_some() => "will be archived".to_owned(),
                None => "will be forgotten".to_owned(),
            };
            ("gone", path, format!("{} ({what})", skill.record.published.skill_id))
        });
        let table = page::table(rows.collect(), roster);
        ui.print(table.as_bytes())?;
    }
    for skill in missing {
        if let Some(page) = undone(skill, server, style, roster) {
            ui.print(format!("\n{}", &*page).as_bytes())?;
        }
    }
    for item in missing.iter().flat_map(|skill| &skill.heartbeats) {
        if let Some(page) = plan_page::page(item, style, roster) {
            ui.print(format!("\n{}", &*page).as_bytes())?;
        }
    }
    Ok(())
}

/// Warns of heartbeats that may run a skill which is archived, and stay.
pub(super) fn warn_of_remaining(missing: &[MissingSkill], session: &Session, ui: &mut Ui) {
    let server = quote_in_full(session.server.name());
    let mut to_archive = missing.iter().filter(|skill| skill.is_to_archive()).peekable();
    let unknown = to_archive.peek().map_or(&[][..], |skill| &skill.unknown);
    running_heartbeats::warn_of_unknown(unknown, session, ui);
    for skill in to_archive {
        let path = ui.masked(&page::path_of(&skill.record.key)).into_owned();
        for name in &skill.unlisted {
            let (path, name) = (quote_in_full(&path), quote(name));
            let unlisted = message![path, ": ", server, " does not list `", name, "`"];
            ui.warning(message![unlisted, ": it is not cancelled, and is no longer recorded"]);
        }
    }
}

/// Returns what was changed on the server of a skill that is archived all the same.
fn undone(skill: &MissingSkill, server: &str, style: Style, roster: &Roster) -> Option<Rendered> {
    let changed = skill.undoes();
    let undone = match (&changed[..], &skill.changes) {
        ([], None) => return None,
        ([], Some(_)) => format!("changes of {server}; this machine does not know which"),
        (changed, _) => format!("the changes of {server} in: {}", changed.join(", ")),
    };
    let mut sheet = Sheet::new(style, roster);
    let id = skill.record.published.skill_id.as_str();
    sheet.title(skill.label.as_deref().unwrap_or(id), &page::path_of(&skill.record.key));
    sheet.row("skill", id);
    sheet.painted_row("undoes", &undone, Some(Ink::Warning));
    if let Some((before, update)) = skill.changes.as_ref().and_then(|it| it.update.as_ref()) {
        changes::write(&mut sheet, before, update, roster);
        sheet.end_line();
    }
    Some(sheet.finish())
}

/// Archives the skills, cancels their heartbeats, and removes their records. The errors are those
/// of the skills that remain.
pub(super) fn apply(
    missing: &mut [MissingSkill],
    session: &Session,
    locks: &mut LockFiles,
    interrupt: &Interrupt,
    ui: &mut Ui,
) -> Vec<CommandError> {
    let mut errors = Vec::new();
    for skill in missing.iter_mut().filter(|skill| skill.is_to_archive()) {
        let _held = interrupt.hold();
        let publisher = match session.publisher() {
            Ok(publisher) => publisher,
            Err(error) => return vec![error],
        };
        let listed = skill.heartbeats.iter().filter_map(|item| item.listed().cloned());
        let listed: Vec<_> = listed.collect();
        let planned = (&listed[..], skill.content.as_ref());
        let pruned = prune_skill(&skill.record, planned, publisher, locks);
        let PrunedSkill { cancelled, result } = session.block_on(pruned);
        skill.cancelled = cancelled;
        for item in &skill.heartbeats {
            plan_page::report_outcome(item, &Ok(skill.outcome(item)), ui);
        }
        match result {
            Ok(outcome) => {
                skill.state = MissingState::Archived;
                report_pruned(&skill.record, outcome, session, ui);
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

fn report_pruned(record: &MissingRecord, outcome: PruneOutcome, session: &Session, ui: &mut Ui) {
    let path = ui.masked(&page::path_of(&record.key)).into_owned();
    let (path, id) = (escape_line(&path), &record.published.skill_id);
    let server = escape_line(session.server.name());
    let (path, id, server) =
        (quote_in_full(&path), quote_in_full(id.as_str()), quote_in_full(&server));
    ui.eprintln(match outcome {
        PruneOutcome::Archived => message!["Archived ", id, " of ", path, " on ", server, "."],
        PruneOutcome::AlreadyArchived => {
            message![id, " of ", path, " is archived already on ", server, "; removed its record."]
        }
        PruneOutcome::Missing => {
            message![id, " of ", path, " does not exist on ", server, "; removed its record."]
        }
    });
}
