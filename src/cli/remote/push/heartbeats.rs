//! The heartbeats of the skills of a push: planned with their skills, and set after them.

use super::apply::Outcome;
use super::arguments::{HeartbeatChoice, Options, PushMode};
use super::existing_schedules::ExistingSchedules;
use super::new_heartbeats;
use super::plan::PushItem;
use super::republished;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::heartbeat::authored::{Audience, AuthoredSkill};
use crate::cli::remote::heartbeat::initiator::Initiator;
use crate::cli::remote::heartbeat::page::warning_message;
use crate::cli::remote::heartbeat::plan::{self as heartbeat_plan, HeartbeatItem, PlanPolicy};
use crate::cli::remote::heartbeat::sources::{Requested, forget_duplicates, recover};
use crate::cli::remote::heartbeat::{create, plan_page, simultaneous};
use crate::cli::remote::session::Session;
use crate::cli::remote::withheld::Withheld;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{
    CurrentHeartbeats, ForeignChanges, HeartbeatCreation, HeartbeatOutcome, HeartbeatStep,
    LockFiles, LockKey, PlannedHeartbeat, Published, RemovedHeartbeat, SkillStep,
};
use dibber_skill::contract::{Scope, Whoami, WireEnum};
use dibber_skill::manifest::Heartbeat;
use dibber_text::{Message, message, quote, quote_argument, quote_in_full};

/// What to do about a token that may not set heartbeats.
const TOKEN_HELP: &str = "\
use a token that has it; on the computer of the server, `dibber family token \
--scope skill:write --scope heartbeat:write --output token.txt` issues one";

/// The heartbeats of one skill of a push.
#[derive(Default)]
pub(super) struct SkillHeartbeats {
    pub(super) items: Vec<HeartbeatItem>,
    /// What was done with each of them; empty until something was.
    pub(super) outcomes: Vec<Result<HeartbeatOutcome, CommandError>>,
    /// Why those that have changes were not sent, if their skill was not published.
    pub(super) skipped: Option<CommandError>,
}

impl SkillHeartbeats {
    /// Returns `true` if something has to be written.
    pub(super) fn have_changes(&self) -> bool {
        self.items.iter().any(|item| item.step().has_changes())
    }

    /// Returns `true` if one was created or changed.
    pub(super) fn have_set(&self) -> bool {
        let is_set = |outcome: &HeartbeatOutcome| {
            !matches!(outcome, HeartbeatOutcome::Unchanged | HeartbeatOutcome::Cancelled)
        };
        self.outcomes.iter().flatten().any(is_set)
    }

    /// How the push ends because of them.
    pub(super) fn exit(&self) -> Exit {
        let planned = self.items.iter().map(HeartbeatItem::exit);
        let failed = self.outcomes.iter().filter_map(|outcome| outcome.as_ref().err());
        planned.chain(failed.map(CommandError::exit_code)).fold(Exit::Done, Exit::worst)
    }

    /// Returns `true` if something was said of one of them: a change, or an error.
    pub(super) fn are_reported(&self) -> bool {
        self.have_changes() || self.exit() != Exit::Done
    }

    /// Returns the number of those that are up to date, or were not to be changed.
    pub(super) fn unchanged(&self) -> usize {
        let is_unchanged =
            |item: &&HeartbeatItem| matches!(item.step(), HeartbeatStep::Unchanged(_));
        self.items.iter().filter(is_unchanged).count()
    }
}

/// Plans the heartbeats of every skill that is not blocked, in the order of the skills. Those of a
/// new skill are described from its files: the server can check them once it has the skill.
pub(super) fn plan(
    items: &[PushItem],
    options: &Options,
    session: &Session,
    locks: &mut LockFiles,
    ui: &mut Ui,
) -> Result<Vec<SkillHeartbeats>, CommandError> {
    let mut heartbeats = none(items);
    if options.heartbeats == HeartbeatChoice::Skip {
        return Ok(heartbeats);
    }
    if options.mode == PushMode::Push {
        let keys = items.iter().filter_map(|item| Some(item.draft.as_ref()?.key.clone()));
        recover(&keys.collect::<Vec<_>>(), session, locks, ui)?;
        for item in items {
            if let Some(draft) = &item.draft {
                forget_duplicates(&draft.key, item.review.drafted(), locks, ui)?;
            }
        }
    }
    let is_new = |item: &PushItem| matches!(item.step, SkillStep::Create(_));
    let existing = ExistingSchedules::load(items.iter().any(is_new), session);
    let mut stored = Vec::new();
    for (index, item) in items.iter().enumerate() {
        match &item.step {
            SkillStep::Create(_) => {
                heartbeats[index].items = new_heartbeats::plan(item, &existing, session)?;
            }
            SkillStep::Update(_) | SkillStep::Unchanged(_) => stored.push((index, item)),
            SkillStep::Blocked(_) => {}
        }
    }
    plan_stored(Initiator::Push, &stored, &mut heartbeats, options, session, locks)?;
    let planned = heartbeats.iter().flat_map(|of_skill| &of_skill.items);
    heartbeat_plan::warn_of_uncertain(planned, session, ui);
    let is_compared = matches!(options.mode, PushMode::Diff { .. });
    if !is_compared && heartbeats.iter().any(SkillHeartbeats::have_changes) {
        check_scope(session)?;
    }
    Ok(heartbeats)
}

/// Refuses a token that may not set heartbeats, before a skill is published without them. What the
/// scopes of another server are called is not known.
fn check_scope(session: &Session) -> Result<(), CommandError> {
    let whoami = session.block_on(session.client.ask::<Whoami>("mcp_whoami"));
    let scopes = whoami.map(|whoami| whoami.scopes).unwrap_or_default();
    let needed = Scope::HeartbeatWrite;
    if scopes.is_empty() || scopes.iter().any(|scope| scope.includes(needed)) {
        return Ok(());
    }
    let message = message!["the token needs the scope `", needed.name(), "`"];
    Err(CommandError::new(message).help(TOKEN_HELP).exit(Exit::PermissionDenied))
}

/// Returns the plan without heartbeats.
pub(super) fn none(items: &[PushItem]) -> Vec<SkillHeartbeats> {
    items.iter().map(|_| SkillHeartbeats::default()).collect()
}

/// Plans the heartbeats of skills that the server has. Those of a skill that is overwritten there are
/// overwritten, too.
fn plan_stored(
    initiator: Initiator,
    stored: &[(usize, &PushItem)],
    heartbeats: &mut [SkillHeartbeats],
    options: &Options,
    session: &Session,
    locks: &mut LockFiles,
) -> Result<(), CommandError> {
    let foreign_changes_of = |item: &PushItem| match (options.mode, &item.draft) {
        // What another person has changed is shown as what a push stops at.
        (PushMode::Diff { .. }, _) | (_, None) => ForeignChanges::Block,
        (PushMode::Push | PushMode::Preview, Some(draft)) => draft.foreign_changes,
    };
    for foreign_changes in [ForeignChanges::Block, ForeignChanges::Overwrite] {
        let skills = stored.iter().filter(|(_, item)| foreign_changes_of(item) == foreign_changes);
        let skills: Vec<_> = skills.copied().collect();
        let policy = PlanPolicy { foreign_changes, is_agreed: options.is_agreed };
        plan_alike(initiator, policy, &skills, heartbeats, session, locks)?;
    }
    Ok(())
}

/// Plans the heartbeats of skills whose changes on the server are treated alike.
fn plan_alike(
    initiator: Initiator,
    policy: PlanPolicy,
    stored: &[(usize, &PushItem)],
    heartbeats: &mut [SkillHeartbeats],
    session: &Session,
    locks: &mut LockFiles,
) -> Result<(), CommandError> {
    let (mut requested, mut removed, mut owners) = (Vec::new(), Vec::new(), Vec::new());
    let mut keys: Vec<(usize, LockKey)> = Vec::new();
    for (index, item) in stored {
        let Some(draft) = &item.draft else { continue };
        let recorded = locks.get(&draft.key)?;
        let published = recorded.or_else(|| item.record.published().cloned());
        let Some(mut published) = published else { continue };
        if let Some(files) = item.resolved_files() {
            files.plan.heartbeats.record_in(&mut published.heartbeats);
        }
        let found = requests(item, &draft.key, &published, session, locks);
        owners.extend(found.0.iter().map(|_| *index));
        requested.extend(found.0);
        removed.extend(found.1);
        keys.push((*index, draft.key.clone()));
    }
    let planned = heartbeat_plan::plan(initiator, requested, removed, policy, session, locks)?;
    let mut owners = owners.into_iter();
    for item in planned {
        let of_removed = || {
            let skill = item.planned.key.as_ref().map(|key| &key.skill);
            keys.iter().find(|(_, key)| Some(key) == skill).map(|(index, _)| *index)
        };
        let index = owners.next().or_else(of_removed).expect("a heartbeat of one of the skills");
        heartbeats[index].items.push(item);
    }
    Ok(())
}

/// Returns the heartbeats of a skill as they are to be, and those that its `sprout.yaml` no longer
/// contains.
fn requests(
    item: &PushItem,
    key: &LockKey,
    published: &Published,
    session: &Session,
    locks: &mut LockFiles,
) -> (Vec<Requested>, Vec<RemovedHeartbeat>) {
    let directory = key.skill_directory();
    let drafted = item.review.drafted();
    let skill = AuthoredSkill { directory: &directory, drafted, key, published };
    let request = |heartbeat: &Heartbeat| Requested {
        name: heartbeat.name.value.clone(),
        path: Some(item.review.path.clone()),
        draft: skill.draft(heartbeat, Audience::default(), session, locks),
    };
    let requested = skill.heartbeats().iter().map(request).collect();
    (requested, skill.removed())
}

/// Sets the heartbeats of the skills that the server has now. What was not shown before, such as a
/// warning of the server about a heartbeat of a new skill, is reported instead.
pub(super) fn apply(
    items: &[PushItem],
    (outcomes, heartbeats): (&[Outcome], &mut [SkillHeartbeats]),
    options: &Options,
    (session, locks): (&Session, &mut LockFiles),
    (interrupt, ui): (&Interrupt, &mut Ui),
) {
    let is_written = |index: usize| matches!(outcomes.get(index), Some(Some(Ok(_))));
    let (mut created, mut shown) = (Vec::new(), Vec::new());
    for (index, item) in items.iter().enumerate() {
        let is_new = matches!(item.step, SkillStep::Create(_));
        if is_new && is_written(index) && !heartbeats[index].items.is_empty() {
            shown.push(std::mem::take(&mut heartbeats[index].items));
            created.push((index, item));
        }
    }
    let planned = plan_stored(Initiator::PushOfNew, &created, heartbeats, options, session, locks);
    if let Err(error) = planned {
        // The heartbeats of the other skills are set all the same.
        for ((index, item), shown) in created.iter().zip(&shown) {
            let shown = shown.iter().map(|of_new| block(of_new, &error, &item.review.path));
            heartbeats[*index].items = shown.collect();
        }
    }
    for ((index, item), shown) in created.iter().zip(&shown) {
        for planned in &mut heartbeats[*index].items {
            block_unseen_warnings(planned, shown, &item.review.path);
            if let Some(error) = planned.step().blocked() {
                ui.item_error(error);
            }
        }
    }
    let current = CurrentHeartbeats::new(&session.client);
    for (index, item) in items.iter().enumerate() {
        if is_written(index) || matches!(item.step, SkillStep::Unchanged(_)) {
            let SkillHeartbeats { items, outcomes, .. } = &mut heartbeats[index];
            for item in items.iter() {
                let _held = interrupt.hold();
                let outcome = if item.step().has_changes() {
                    create::apply(item, &current, session, locks)
                        .map_err(|error| republished::with_next_command(error, options, item))
                } else {
                    Ok(HeartbeatOutcome::Unchanged)
                };
                plan_page::report_outcome(item, &outcome, ui);
                outcomes.push(outcome);
            }
        } else if let Some(Some(Err(error))) = outcomes.get(index) {
            skip(&mut heartbeats[index], error, &item.review.path, ui);
        }
    }
    let done = heartbeats.iter().flat_map(|of_skill| of_skill.items.iter().zip(&of_skill.outcomes));
    simultaneous::warn(done, &current, (session, locks), ui);
}

/// Reports that the heartbeats of a skill which was not published were not sent. Their names are not
/// shown if the name of the skill is withheld.
fn skip(heartbeats: &mut SkillHeartbeats, error: &CommandError, path: &str, ui: &mut Ui) {
    let skipped = heartbeats.items.iter().filter(|item| item.step().has_changes());
    if Withheld::by_error(error).has("name") {
        if skipped.count() > 0 {
            let path = quote_in_full(path);
            ui.eprintln(message![
                "the heartbeats of ",
                path,
                " were not sent: it was not published"
            ]);
        }
    } else {
        for item in skipped {
            let name = quote(item.name());
            ui.eprintln(message!["`", name, "` was not sent: its skill was not published"]);
        }
    }
    let reason = CommandError::new("the heartbeat was not sent: its skill was not published");
    heartbeats.skipped = Some(reason.exit(error.exit_code()));
}

/// Records the heartbeats that are up to date, where that is not recorded, and removes the records of
/// those that are cancelled. Those of a skill whose
/// files are written first are recorded with them.
pub(super) fn record_unchanged(
    skills: &[PushItem],
    heartbeats: &[SkillHeartbeats],
    session: &Session,
    locks: &mut LockFiles,
) -> Result<(), CommandError> {
    let skills = skills.iter().zip(heartbeats);
    let skills = skills.filter(|(skill, _)| skill.resolved_files().is_none());
    let items = skills.flat_map(|(_, of_skill)| &of_skill.items);
    let current = CurrentHeartbeats::new(&session.client);
    let is_recorded =
        |step: &_| matches!(step, HeartbeatStep::Unchanged(_) | HeartbeatStep::Forget(_));
    for item in items.filter(|item| is_recorded(item.step())) {
        create::apply(item, &current, session, locks)?;
    }
    Ok(())
}

/// Blocks a heartbeat of a new skill that the server warns about, if the warning was not shown yet.
fn block_unseen_warnings(item: &mut HeartbeatItem, shown: &[HeartbeatItem], path: &str) {
    let HeartbeatStep::Create(HeartbeatCreation { description, .. }) = item.step() else { return };
    let shown = shown.iter().filter(|other| other.name() == item.name());
    let shown: Vec<_> =
        shown.filter_map(HeartbeatItem::description).flat_map(|it| &it.warnings).collect();
    let unseen = description.warnings.iter().filter(|warning| !shown.contains(warning));
    let unseen: Vec<_> = unseen.map(warning_message).collect();
    if unseen.is_empty() {
        return;
    }
    let error = CommandError::new(Message::join(unseen, "; ")).exit(Exit::BadInput);
    *item = block(item, &error, path);
}

/// Returns a heartbeat of a new skill that is not made.
fn block(item: &HeartbeatItem, error: &CommandError, path: &str) -> HeartbeatItem {
    let name = item.name().to_owned();
    let error = error.clone().with_context(quote(&name)).help(message![
        "the skill is published without this heartbeat; to make it anyway, run `dibber push ",
        quote_argument(path),
        "` again"
    ]);
    let step = HeartbeatStep::Blocked(error);
    let planned = PlannedHeartbeat { name, key: item.planned.key.clone(), unsent: None, step };
    HeartbeatItem { path: item.path.clone(), planned }
}
