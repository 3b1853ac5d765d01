//! Installing skills that are planned.

use super::document;
use super::prepared::{Prepared, apply_error};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::ui::Ui;
use dibber_catalog::added::{ApplyStep, InstallRoot, apply_install};
use dibber_text::{message, quote, quote_in_full};

/// Says that another process holds the lock.
pub(super) fn say_if_waiting(step: ApplyStep, ui: &mut Ui) {
    if step == ApplyStep::Wait {
        ui.eprintln("waiting for another dibber that changes dibber.lock");
    }
}

/// Carries out the plans, one after the other. After an error, the document still says what was shown.
pub(super) fn install(
    prepared: &[Prepared],
    root: &InstallRoot,
    has_json: bool,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    for skill in prepared.iter().filter(|skill| !skill.plan.is_done()) {
        if let Err(error) = apply_install(root, &skill.plan, &mut |step| say_if_waiting(step, ui)) {
            let name = message!["`", quote(&skill.plan.record.name), "`"];
            let error = apply_error(&error).with_context(name);
            if !has_json {
                return Err(error);
            }
            ui.error(&error);
            document::print(prepared, false, ui)?;
            return Ok(error.exit_code());
        }
        let record = &skill.plan.record;
        let places = record.places().collect::<Vec<_>>().join(", ");
        let (name, places) = (quote(&record.name), quote_in_full(&places));
        ui.eprintln(message!["installed `", name, "` in ", places]);
    }
    if has_json {
        document::print(prepared, true, ui)?;
    }
    Ok(Exit::Done)
}
