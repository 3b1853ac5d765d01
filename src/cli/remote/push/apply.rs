//! Publishing what was planned.

use std::time::Instant;

use super::blocked;
use super::plan::PushItem;
use crate::cli::error::CommandError;
use crate::cli::remote::call_errors;
use crate::cli::remote::session::Session;
use crate::cli::remote::withheld;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::progress::{Progress, SummaryLine};
use crate::cli::term::ui::Ui;
use dibber_client::ClientError;
use dibber_client::publish::{
    AppliedSkills, CurrentSkills, LockFiles, Observer, PendingWrites, PublishError, SkillBlocked,
    SkillStep, SkillUnchanged, apply_skills, record_unchanged,
};
use dibber_skill::contract::SkillId;
use dibber_text::{Message, message, quote_argument, quote_in_full};

/// What became of a skill: its id, or an error. None if nothing was written.
pub(super) type Outcome = Option<Result<SkillId, CommandError>>;

/// Shows the progress, and delays Ctrl-C while something is recorded.
struct Watcher<'a> {
    progress: Progress,
    interrupt: &'a Interrupt,
}

impl Observer for Watcher<'_> {
    fn item_done(&mut self) {
        self.progress.tick();
    }

    fn uninterrupted<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let _held = self.interrupt.hold();
        work()
    }
}

/// Publishes every skill that has changes, and records it. The outcomes are in the order of the
/// items; the error is that of a record, after which nothing more was written.
pub(super) fn apply(
    items: &[PushItem],
    (session, locks): (&Session, &mut LockFiles),
    current: &CurrentSkills<'_>,
    interrupt: &Interrupt,
    ui: &Ui,
) -> (Vec<Outcome>, Option<CommandError>) {
    let moves = items.iter().filter(|item| item.step.has_changes()).filter_map(PushItem::moved);
    if let Err(error) = locks.record_moves(&moves.collect::<Vec<_>>()) {
        return (Vec::new(), Some(error.into()));
    }
    let writes = items.iter().filter(|item| item.step.has_changes()).count();
    let progress = Progress::new(ui, SummaryLine::Print, Instant::now(), writes);
    let mut watcher = Watcher { progress, interrupt };
    let steps = items.iter().filter_map(PushItem::draft_and_step);
    let publisher = match session.publisher() {
        Ok(publisher) => publisher,
        Err(error) => return (Vec::new(), Some(error)),
    };
    let applied = apply_skills(steps, publisher, (locks, current), &mut watcher);
    let AppliedSkills { results, failure } = session.block_on(applied);
    watcher.progress.hide();
    let mut results = results.into_iter();
    let outcomes = items.iter().map(|item| {
        let result = item.draft.as_ref().and_then(|_| results.next().flatten())?;
        let path = quote_in_full(&item.review.path);
        let may_exist = |skill_id: SkillId| {
            let reason = SkillBlocked::SameLabel { skill_ids: vec![skill_id] };
            blocked::by_server(item.review, reason, &session.server).error
        };
        Some(result.map_err(|error| match error {
            PublishError::Call(ClientError::SkillAppeared(skill_id)) => may_exist(skill_id),
            PublishError::ArchivedSinceCreation(skill_id) => {
                let reason = SkillBlocked::Archived { skill_id };
                blocked::by_server(item.review, reason, &session.server).error
            }
            PublishError::Call(error) => {
                let shown = call_errors::command_error(&error);
                let shown = withheld::mask_skill(shown, item.review.exact_arguments());
                let shown = shown.with_context(path);
                match error {
                    ClientError::MayBeCreated { items, entry } => {
                        shown.help(link_help(&item.review.path, &items, &entry, session))
                    }
                    _ => shown,
                }
            }
            error @ PublishError::PulledMeanwhile { .. } => {
                CommandError::from(error).with_context(path)
            }
            error => error.into(),
        }))
    });
    (outcomes.collect(), failure.map(CommandError::from))
}

/// Returns what to do about a creation that is not sent again, as it may have created one of these
/// items.
fn link_help(path: &str, items: &[String], entry: &str, session: &Session) -> Message {
    let options = quote_in_full(&session.server.typed_options);
    let id = if let [only] = items { quote_argument(only) } else { quote_argument("ID") };
    let path = quote_argument(path);
    message![
        "`dibber skill link ",
        path,
        " ",
        id,
        options,
        "` says that it is the same skill; if it is not, `dibber journal discard ",
        quote_in_full(entry),
        "` and then `dibber push --new ",
        path,
        options,
        "` publish another one"
    ]
}

/// Records the skills that the server has already, and warns of those that an earlier push may
/// still change.
pub(super) fn record(
    items: &[&PushItem],
    session: &Session,
    locks: &mut LockFiles,
    interrupt: &Interrupt,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let _held = interrupt.hold();
    let is_unchanged = |item: &&&PushItem| matches!(item.step, SkillStep::Unchanged(_));
    let moves = items.iter().filter(is_unchanged).filter_map(|item| item.moved());
    locks.record_moves(&moves.collect::<Vec<_>>())?;
    let steps = items.iter().filter_map(|item| item.draft_and_step());
    record_unchanged(steps, session.publisher()?, locks)?;
    for item in items {
        if let SkillStep::Unchanged(SkillUnchanged { pending: PendingWrites::MayChange, .. }) =
            item.step
        {
            ui.warning(message![
                "an earlier push of ",
                quote_in_full(&item.review.path),
                " was interrupted, and may still take effect; push again later"
            ]);
        }
    }
    Ok(())
}
