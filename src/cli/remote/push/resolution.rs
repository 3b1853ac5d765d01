//! What is done with skills that another writer has changed: they are merged, taken over,
//! overwritten or left alone.

use super::arguments::{Conflicts, Options, PushMode};
use super::page;
use super::plan::PushItem;
use super::question::cannot_ask;
use super::resolved::Resolutions;
use crate::cli::dry_run::render::RenderContext;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::pull::show_files;
use crate::cli::remote::session::Session;
use crate::cli::term::ask::Asker;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{
    ChangedSides, LockFiles, LockKey, PullPlan, PullTarget, apply_pull, plan_pull,
};
use dibber_skill::contract::{Decision, SkillId};
use dibber_text::{message, quote_in_full};

/// What is done with one skill.
#[derive(Clone, Copy)]
enum Resolution {
    Pull,
    Merge,
    Overwrite,
    Skip,
}

/// The rest of what a resolution needs.
pub(super) struct Context<'a> {
    pub(super) options: &'a Options,
    pub(super) session: &'a Session,
    pub(super) interrupt: &'a Interrupt,
    pub(super) render: &'a RenderContext<'a>,
}

/// Decides about every skill that another writer has changed, as the options say or a person
/// answers, and writes the files of those that are merged or pulled. A dry-run shows them instead.
pub(super) fn resolve(
    items: &mut [PushItem],
    context: &Context<'_>,
    locks: &mut LockFiles,
    ui: &mut Ui,
) -> Result<Resolutions, CommandError> {
    let options = context.options;
    let is_asked = options.mode == PushMode::Push && !options.is_agreed && ui.can_ask();
    let mut done = Resolutions::default();
    for item in &mut *items {
        let Some((blocked, draft)) = item.step.blocked().zip(item.draft.as_ref()) else { continue };
        let Some(conflict) = &blocked.conflict else { continue };
        let can_merge = !matches!(conflict.changes, ChangedSides::Conflict(_));
        if options.conflicts == Conflicts::Merge
            && options.mode == PushMode::Push
            && !options.is_agreed
            && !is_asked
        {
            return Err(cannot_ask());
        }
        let resolution = match options.conflicts {
            Conflicts::Merge if can_merge => Resolution::Merge,
            Conflicts::Stop if is_asked => {
                let page =
                    page::conflict(item, conflict, context.render, context.session.server.name());
                ui.eprint_rendered(&page);
                ask(item, can_merge, context, ui)?
            }
            Conflicts::Stop | Conflicts::Merge | Conflicts::Overwrite => Resolution::Skip,
        };
        let key = draft.key.clone();
        match resolution {
            Resolution::Skip => {}
            Resolution::Overwrite => done.overwritten.push(key),
            Resolution::Pull | Resolution::Merge => {
                match write(&key, &conflict.skill_id, resolution, context, locks, ui) {
                    Ok(false) => {}
                    Ok(true) if matches!(resolution, Resolution::Merge) => done.merged.push(key),
                    Ok(true) => done.pulled.push(key),
                    // The skill remains blocked, and the others are published.
                    Err(error) => ui.error(&error),
                }
            }
        }
    }
    for item in items {
        item.is_merged = item.draft.as_ref().is_some_and(|it| done.merged.contains(&it.key));
    }
    Ok(done)
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
        choices
            .push((Resolution::Merge, message!["merge: write the changes of both into the files"]));
    }
    let pull = message!["pull: take the skill of ", server, " into the files"];
    choices.push((Resolution::Pull, pull));
    choices.push((Resolution::Overwrite, message!["force: overwrite the skill of ", server]));
    let labels: Vec<_> = choices.iter().map(|(_, label)| label.clone()).collect();
    let question = message![path, " was changed on ", server, ", too. What should be done?"];
    let chosen = Asker::new(ui, context.render.roster).select(question, &labels, 0)?;
    Ok(choices[chosen].0)
}

/// Writes the files of a skill that is pulled or merged. Returns `false` if the server refuses the
/// result, which is reported; nothing is written then.
fn write(
    key: &LockKey,
    skill_id: &SkillId,
    resolution: Resolution,
    context: &Context<'_>,
    locks: &mut LockFiles,
    ui: &mut Ui,
) -> Result<bool, CommandError> {
    let (options, session) = (context.options, context.session);
    let keeps_changes = matches!(resolution, Resolution::Merge);
    let stored = session.wait(session.client.skill_get(skill_id))?.skill;
    let directory = page::path_of(key);
    let argument = if directory.is_empty() { "." } else { &directory };
    let target = PullTarget { argument, into: None, taken: &[], keeps_changes };
    let plan = plan_pull(&stored, target, locks)?;
    if !options.is_json {
        let text = show_files(&plan, context.render.roster);
        ui.print(text.as_bytes())?;
    }
    if keeps_changes && !is_accepted(argument, &plan, context, ui)? {
        return Ok(false);
    }
    if options.mode == PushMode::Push {
        let _held = context.interrupt.hold();
        apply_pull(&plan, locks)?;
        let verb = if keeps_changes { "Merged the changes of " } else { "Pulled " };
        let id = quote_in_full(skill_id.as_str());
        ui.eprintln(message![verb, id, " into ", quote_in_full(argument), "."]);
    }
    Ok(true)
}

/// Sends the merged skill as a dry-run. Returns `false` if the server refuses it.
fn is_accepted(
    path: &str,
    plan: &PullPlan,
    context: &Context<'_>,
    ui: &mut Ui,
) -> Result<bool, CommandError> {
    let session = context.session;
    let preview = session.wait(session.client.skill_dry_run(&plan.result))?;
    let path = quote_in_full(path);
    if preview.policy_decision.decision == Decision::Refuse {
        let reasons: Vec<_> =
            preview.policy_decision.reasons.iter().map(|it| it.message.as_str()).collect();
        let reasons = reasons.join("; ");
        let error = CommandError::new(message![
            path,
            " was not merged: the server refuses the result: ",
            quote_in_full(&reasons)
        ]);
        ui.error(&error.help("merge the changes by hand").exit(Exit::BadInput));
        return Ok(false);
    }
    if context.options.mode == PushMode::Preview {
        ui.eprintln(message!["The changes of both sides of ", path, " can be merged."]);
    }
    Ok(true)
}
