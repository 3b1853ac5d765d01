//! What is done with skills that another writer has changed: they are merged, taken over,
//! overwritten or left alone.

use super::arguments::{Conflicts, HeartbeatChoice, Options, PushMode};
use super::page;
use super::plan::PushItem;
use super::resolved::{ResolutionKind, Resolutions, ResolvedFiles};
use crate::cli::dry_run::render::RenderContext;
use crate::cli::error::CommandError;
use crate::cli::remote::pull::heartbeats::{ServerHeartbeats, show_conflicts, warn_of_unwritten};
use crate::cli::remote::pull::{check_intact, show_files};
use crate::cli::remote::session::Session;
use crate::cli::term::ask::Asker;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{
    ChangedSides, ListedSkills, LocalChanges, LockFiles, LockKey, PullPlan, PullTarget,
    PulledFileState, SkillRecord, SkillStep, plan_pull,
};
use dibber_skill::contract::SkillId;
use dibber_text::{message, quote_in_full};

/// What is done with one skill.
#[derive(Clone, Copy)]
enum Resolution {
    /// Files are written.
    Files(ResolutionKind),
    Overwrite,
    Skip,
}

/// The rest of what a resolution needs.
pub(super) struct Context<'a> {
    pub(super) options: &'a Options,
    pub(super) session: &'a Session,
    /// What the server has before the push.
    pub(super) skills: &'a ListedSkills<'a>,
    pub(super) interrupt: &'a Interrupt,
    pub(super) render: &'a RenderContext<'a>,
}

/// Decides about every skill that another writer has changed, as the options say or a person
/// answers, and shows the files of those that are merged or pulled. They are written later.
pub(super) fn resolve(
    items: &[PushItem],
    context: &Context<'_>,
    locks: &mut LockFiles,
    ui: &mut Ui,
) -> Result<Resolutions, CommandError> {
    let options = context.options;
    let is_asked = options.mode == PushMode::Push && !options.is_agreed && ui.can_ask();
    let mut resolutions = Resolutions::default();
    let heartbeats = server_heartbeats(items, context, ui);
    for item in items {
        if let Some(files) = merged_heartbeats(item, heartbeats.as_ref(), context, locks, ui)? {
            resolutions.files.push(files);
            continue;
        }
        let Some((blocked, draft)) = item.step.blocked().zip(item.draft.as_ref()) else { continue };
        let Some(conflict) = &blocked.conflict else { continue };
        let can_merge = !matches!(conflict.changes, ChangedSides::Conflict(_));
        let resolution = match options.conflicts {
            Conflicts::Merge if can_merge => Resolution::Files(ResolutionKind::Merge),
            Conflicts::Stop if is_asked => {
                let page =
                    page::conflict(item, conflict, context.render, context.session.server.name());
                ui.eprint_rendered(&page);
                let (skill, listed) = ((item, &draft.key), heartbeats.as_ref());
                show_heartbeats(skill, &conflict.skill_id, listed, context, locks, ui);
                // Without a change here, a merge writes what a pull writes.
                ask(item, can_merge && !item.is_behind(), context, ui)?
            }
            Conflicts::Stop | Conflicts::Merge | Conflicts::Overwrite => Resolution::Skip,
        };
        match resolution {
            Resolution::Skip => {}
            Resolution::Overwrite => resolutions.overwritten.push(draft.key.clone()),
            Resolution::Files(kind) => {
                let (wanted, listed) = ((&conflict.skill_id, kind), heartbeats.as_ref());
                match plan_files((item, &draft.key), wanted, listed, context, locks) {
                    Ok(plan) => {
                        show(&plan, context, ui)?;
                        if kind == ResolutionKind::Pull && !may_overwrite(item, context, ui)? {
                            continue;
                        }
                        resolutions.files.push(resolved(item, &draft.key, plan, kind));
                    }
                    // The skill remains blocked, and the others are published.
                    Err(error) => ui.error(&error),
                }
            }
        }
    }
    Ok(resolutions)
}

/// Lists the heartbeats of the server, if files may be written.
fn server_heartbeats(
    items: &[PushItem],
    context: &Context<'_>,
    ui: &mut Ui,
) -> Option<ServerHeartbeats> {
    let options = context.options;
    let is_conflict =
        |item: &PushItem| item.step.blocked().is_some_and(|blocked| blocked.conflict.is_some());
    let is_needed = options.heartbeats == HeartbeatChoice::Set
        && (options.conflicts == Conflicts::Merge || items.iter().any(is_conflict));
    is_needed.then(|| ServerHeartbeats::load(context.session, ui))
}

/// Returns the files of a skill of which another writer has changed only heartbeats, if they are to
/// be merged.
fn merged_heartbeats(
    item: &PushItem,
    heartbeats: Option<&ServerHeartbeats>,
    context: &Context<'_>,
    locks: &mut LockFiles,
    ui: &mut Ui,
) -> Result<Option<ResolvedFiles>, CommandError> {
    let (Some(draft), Some(published)) = (&item.draft, item.record.published()) else {
        return Ok(None);
    };
    let is_merge = context.options.conflicts == Conflicts::Merge;
    let is_planned = matches!(item.step, SkillStep::Update(_) | SkillStep::Unchanged(_));
    if !is_merge || !is_planned || !heartbeats.is_some_and(|it| it.has_any_of(published)) {
        return Ok(None);
    }
    let kind = ResolutionKind::Merge;
    let wanted = (&published.skill_id, kind);
    let plan = plan_files((item, &draft.key), wanted, heartbeats, context, locks)?;
    warn_of_unwritten(&plan, &item.review.path, context.session.server.name(), ui);
    if plan.files.iter().all(|file| file.state == PulledFileState::Same) {
        return Ok(None);
    }
    show(&plan, context, ui)?;
    Ok(Some(resolved(item, &draft.key, plan, kind)))
}

fn resolved(item: &PushItem, key: &LockKey, plan: PullPlan, kind: ResolutionKind) -> ResolvedFiles {
    let moved = match &item.record {
        SkillRecord::Moved(moved) => Some(moved.clone()),
        _ => None,
    };
    ResolvedFiles { key: key.clone(), plan, moved, kind }
}

/// Shows the files that will be written.
fn show(plan: &PullPlan, context: &Context<'_>, ui: &mut Ui) -> Result<(), CommandError> {
    if !context.options.is_json {
        let text = show_files(plan, ui.stdout_color(), context.render.roster);
        ui.print(text.as_bytes())?;
    }
    Ok(())
}

fn ask(
    item: &PushItem,
    can_merge: bool,
    context: &Context<'_>,
    ui: &mut Ui,
) -> Result<Resolution, CommandError> {
    let server = quote_in_full(context.session.server.name());
    let path = quote_in_full(&item.review.path);
    let mut choices = vec![(Resolution::Skip, message!["skip: change nothing"])];
    if can_merge {
        choices.push((
            Resolution::Files(ResolutionKind::Merge),
            message!["merge: write the changes of both into the files"],
        ));
    }
    let pull = message!["pull: overwrite the files with the skill of ", server];
    choices.push((Resolution::Files(ResolutionKind::Pull), pull));
    choices.push((Resolution::Overwrite, message!["force: overwrite the skill of ", server]));
    let labels: Vec<_> = choices.iter().map(|(_, label)| label.clone()).collect();
    let question = if item.is_behind() {
        message![path, " was changed on ", server, ", and not here. What should be done?"]
    } else {
        message![path, " was changed on ", server, ", too. What should be done?"]
    };
    let chosen = Asker::new(ui, context.render.roster).select(question, &labels, 0)?;
    Ok(choices[chosen].0)
}

/// Asks whether the files of a skill are overwritten as they were shown.
fn may_overwrite(
    item: &PushItem,
    context: &Context<'_>,
    ui: &mut Ui,
) -> Result<bool, CommandError> {
    let path = quote_in_full(&item.review.path);
    let question = message!["Overwrite the files of ", path, " as shown?"];
    let is_agreed = Asker::new(ui, context.render.roster).confirm(question, false)?;
    if !is_agreed {
        ui.eprintln(message!["Nothing was written into ", path, "."]);
    }
    Ok(is_agreed)
}

/// Shows the heartbeats of a skill that both sides have changed.
fn show_heartbeats(
    skill: (&PushItem, &LockKey),
    skill_id: &SkillId,
    heartbeats: Option<&ServerHeartbeats>,
    context: &Context<'_>,
    locks: &mut LockFiles,
    ui: &mut Ui,
) {
    let merge = (skill_id, ResolutionKind::Merge);
    // Why it cannot be planned is reported when it is chosen.
    if let Ok(plan) = plan_either(skill, merge, heartbeats, context, locks) {
        show_conflicts(&plan, context.session.server.name(), ui);
    }
}

/// Plans the files of a skill that is pulled or merged.
fn plan_files(
    (item, key): (&PushItem, &LockKey),
    (skill_id, kind): (&SkillId, ResolutionKind),
    heartbeats: Option<&ServerHeartbeats>,
    context: &Context<'_>,
    locks: &mut LockFiles,
) -> Result<PullPlan, CommandError> {
    let plan = plan_either((item, key), (skill_id, kind), heartbeats, context, locks)?;
    if kind == ResolutionKind::Merge && matches!(plan.local_changes, LocalChanges::Lost(_)) {
        let (path, server) = (quote_in_full(&item.review.path), context.session.server.name());
        let error = message![path, " was changed on ", quote_in_full(server), " meanwhile"];
        return Err(CommandError::new(error).help("run the same command again"));
    }
    Ok(plan)
}

/// Plans the files of a skill that is pulled, or merged as far as that is possible.
fn plan_either(
    (item, key): (&PushItem, &LockKey),
    (skill_id, kind): (&SkillId, ResolutionKind),
    heartbeats: Option<&ServerHeartbeats>,
    context: &Context<'_>,
    locks: &mut LockFiles,
) -> Result<PullPlan, CommandError> {
    let session = context.session;
    let stored = session.wait(session.client.skill_get(skill_id))?.skill;
    check_intact(skill_id, session)?;
    let directory = page::path_of(key);
    let target = PullTarget {
        argument: if directory.is_empty() { "." } else { &directory },
        into: None,
        hides_label: false,
        moved_record: item.record.published(),
        taken: &[],
        keeps_changes: kind == ResolutionKind::Merge,
    };
    let mut plan = plan_pull(&stored, target, locks)?;
    if let Some(heartbeats) = heartbeats {
        heartbeats.add_to(&mut plan, kind == ResolutionKind::Merge, session, locks)?;
    }
    Ok(plan)
}
