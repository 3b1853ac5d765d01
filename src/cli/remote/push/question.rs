//! The question of a push.

use crate::cli::error::CommandError;
use crate::cli::term::ask::Asker;
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_skill::names::Roster;

/// Asks once for all, with a list of what will be done above the question.
pub(super) fn is_agreed(
    (published, archived): (usize, usize),
    server: &str,
    ui: &mut Ui,
    roster: &Roster,
) -> Result<bool, CommandError> {
    if !ui.can_ask() {
        return Err(cannot_ask());
    }
    let skills = |count| quantity(count, "skill", "skills");
    let question = match (published, archived) {
        (published, 0) => format!("Publish {} to {server}?", skills(published)),
        (0, archived) => format!("Archive {} on {server}?", skills(archived)),
        _ => {
            let (published, archived) = (skills(published), skills(archived));
            format!("Publish {published} to {server}, and archive {archived} there?")
        }
    };
    Asker::new(ui, roster).confirm(&question, false)
}

/// Returns the error of a push that needs an answer where none can be given.
pub(super) fn cannot_ask() -> CommandError {
    CommandError::new("cannot ask for confirmation: this is not a terminal")
        .help("`--dry-run` shows the preview; `--yes` publishes without asking")
}
