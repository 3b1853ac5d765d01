//! The skills of a pull into a folder that other folders are linked to.

use crate::cli::error::CommandError;
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_client::publish::{LockFiles, LockKey, PullPlan};
use dibber_skill::discover::shown_path;
use dibber_text::{message, quote_in_full};

/// The most folders that are named.
const FOLDERS_MAX: usize = 5;

/// Says which skills have a folder already: they are pulled there.
pub(super) fn announce(
    plans: &[PullPlan],
    locks: &mut LockFiles,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let mut folders = Vec::new();
    for plan in plans {
        let key = LockKey::new(&plan.directory);
        let linked = locks.get(&key)?.filter(|known| known.skill_id == plan.skill_id);
        if linked.is_some() && key.has_skill() {
            folders.push(shown_path(&plan.directory));
        }
    }
    if folders.is_empty() {
        return Ok(());
    }
    let are = if folders.len() == 1 { "skill is" } else { "skills are" };
    let more = match folders.len().saturating_sub(FOLDERS_MAX) {
        0 => String::new(),
        more => format!(" and {}", quantity(more, "more", "more")),
    };
    let count = folders.len();
    folders.truncate(FOLDERS_MAX);
    let folders = folders.join(", ");
    ui.eprintln(message![
        count,
        " ",
        are,
        " linked already: ",
        quote_in_full(&folders),
        quote_in_full(&more)
    ]);
    Ok(())
}
