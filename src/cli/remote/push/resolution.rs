//! What is done with skills that another writer has changed: they are merged, taken over,
//! overwritten or left alone.

use super::arguments::{Conflicts, Options, PushMode};
use super::page;
use super::plan::PushItem;
use super::resolved::{ResolutionKind, Resolutions, ResolvedFiles};
use crate::cli::dry_run::render::RenderContext;
use crate::cli::error::CommandError;
use crate::cli::remote::pull::show_files;
use crate::cli::remote::session::Session;
use crate::cli::term::ask::Asker;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{
    ChangedSides, LocalChanges, LockFiles, LockKey, PullPlan, PullTarget, plan_pull,
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
    for item in items {
        let Some((blocked, draft)) = item.step.blocked().zip(item.draft.as_ref()) else { continue };
        let Some(conflict) = &blocked.conflict else { continue };
        let can_merge = !matches!(conflict.changes, ChangedSides::Conflict(_));
        let resolution = match options.conflicts {
            Conflicts::Merge if can_merge => Resolution::Files(ResolutionKind::Merge),
            Conflicts::Stop if is_asked => {
                let page =
                    page::conflict(item, conflict, context.render, context.session.server.name());
                ui.eprint_rendered(&page);
                ask(item, can_merge, context, ui)?
            }
            Conflicts::Stop | Conflicts::Merge | Conflicts::Overwrite => Resolution::Skip,
        };
        match resolution {
            Resolution::Skip => {}
            Resolution::Overwrite => resolutions.overwritten.push(draft.key.clone()),
            Resolution::Files(kind) => {
                match plan_files((item, &draft.key), &conflict.skill_id, kind, context, locks) {
                    Ok(plan) => {
                        if !options.is_json {
                            let color = ui.stdout_color();
                            let text = show_files(&plan, color, context.render.roster);
                            ui.print(text.as_bytes())?;
                        }
                        let key = draft.key.clone();
                        resolutions.files.push(ResolvedFiles { key, plan, kind });
                    }
                    // The skill remains blocked, and the others are published.
                    Err(error) => ui.error(&error),
                }
            }
        }
    }
    Ok(resolutions)
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
    let pull = message!["pull: take the skill of ", server, " into the files"];
    choices.push((Resolution::Files(ResolutionKind::Pull), pull));
    choices.push((Resolution::Overwrite, message!["force: overwrite the skill of ", server]));
    let labels: Vec<_> = choices.iter().map(|(_, label)| label.clone()).collect();
    let question = message![path, " was changed on ", server, ", too. What should be done?"];
    let chosen = Asker::new(ui, context.render.roster).select(question, &labels, 0)?;
    Ok(choices[chosen].0)
}

/// Plans the files of a skill that is pulled or merged.
fn plan_files(
    (item, key): (&PushItem, &LockKey),
    skill_id: &SkillId,
    kind: ResolutionKind,
    context: &Context<'_>,
    locks: &mut LockFiles,
) -> Result<PullPlan, CommandError> {
    let session = context.session;
    let stored = session.wait(session.client.skill_get(skill_id))?.skill;
    let directory = page::path_of(key);
    let target = PullTarget {
        argument: if directory.is_empty() { "." } else { &directory },
        into: None,
        moved_record: item.record.published(),
        taken: &[],
        keeps_changes: kind == ResolutionKind::Merge,
    };
    let plan = plan_pull(&stored, target, locks)?;
    if kind == ResolutionKind::Merge && matches!(plan.local_changes, LocalChanges::Lost(_)) {
        let (path, server) = (quote_in_full(&item.review.path), session.server.name());
        let error = message![path, " was changed on ", quote_in_full(server), " meanwhile"];
        return Err(CommandError::new(error).help("run the same command again"));
    }
    Ok(plan)
}
