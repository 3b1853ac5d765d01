//! Skills of the server that are the same as one of a push.

use super::plan::PushItem;
use super::resolution::Context;
use crate::cli::error::CommandError;
use crate::cli::remote::duplicate_skills;
use crate::cli::term::ui::Ui;
use dibber_client::publish::LockFiles;
use dibber_text::message;

/// Warns of every skill that no folder is linked to, and that is the same as one of this push, if the
/// skills of the server were listed for the plan, or a creation was sent again within the last day.
pub(super) fn warn(
    items: &[PushItem],
    context: &Context<'_>,
    locks: &LockFiles,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let Context { session, skills, .. } = context;
    let sent = session.publisher()?.repeated_creations();
    if sent.is_empty() && !skills.is_listed() {
        return Ok(());
    }
    let linked = items.iter().filter_map(|item| {
        let published = item.record.published()?;
        Some((item.review.path.clone(), published.skill_id.clone()))
    });
    let linked: Vec<_> = linked.collect();
    for (message, help) in duplicate_skills::find(&linked, &sent, (session, skills, locks)) {
        ui.warning(message![message, "; ", help]);
    }
    Ok(())
}
