//! Writing the files of skills whose conflicts are resolved.

use super::plan::PushItem;
use super::resolution::Context;
use super::resolved::{ResolutionKind, ResolvedFiles};
use crate::cli::error::CommandError;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{LockFiles, SkillStep, apply_pull};
use dibber_text::{message, quote_in_full};

/// Writes the files of every skill that is merged or pulled. A skill whose files cannot be written
/// is not published, which is reported.
pub(super) fn write(
    items: &mut [PushItem],
    context: &Context<'_>,
    locks: &mut LockFiles,
    ui: &mut Ui,
) {
    for item in items {
        let Some(files) = item.resolved_files() else { continue };
        let moved = item.moved();
        let held = context.interrupt.hold();
        let written = locks.record_moves(moved.as_slice()).map_err(CommandError::from);
        let written = written.and_then(|()| Ok(apply_pull(&files.plan, locks)?));
        drop(held);
        match written {
            Ok(_) => report(item, files, ui),
            Err(error) => {
                ui.item_error(&error);
                item.step = SkillStep::Blocked(error.into());
            }
        }
    }
}

fn report(item: &PushItem, files: &ResolvedFiles, ui: &mut Ui) {
    let verb = match files.kind {
        ResolutionKind::Merge => "Merged the changes of ",
        ResolutionKind::Pull => "Pulled ",
    };
    let id = quote_in_full(files.plan.skill_id.as_str());
    ui.eprintln(message![verb, id, " into ", quote_in_full(&item.review.path), "."]);
}
