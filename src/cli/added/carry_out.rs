//! Showing plans, asking, and carrying them out.

use super::install::install;
use super::prepared::Prepared;
use super::{document, page};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::flags::{DryRun, Yes};
use crate::cli::term::ask::Asker;
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_catalog::added::InstallRoot;
use dibber_text::{message, quote, quote_in_full};

/// What is asked before skills are updated.
pub(super) const UPDATE: &str = "Update";

/// How plans are shown and agreed to.
#[derive(Clone, Copy)]
pub(super) struct Consent {
    pub(super) yes: Yes,
    pub(super) dry_run: DryRun,
    pub(super) allows_findings: bool,
    pub(super) has_json: bool,
}

/// Shows the plans, asks, and carries them out.
pub(super) fn carry_out(
    prepared: &[Prepared],
    root: &InstallRoot,
    consent: Consent,
    verb: &'static str,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let is_done = prepared.iter().all(|skill| skill.plan.is_done());
    if !consent.has_json {
        page::print(prepared, ui)?;
    }
    let harmful =
        prepared.iter().find(|skill| skill.review.has_security_findings() && !skill.plan.is_done());
    if let Some(skill) = harmful.filter(|_| !consent.allows_findings) {
        if consent.has_json {
            document::print(prepared, false, ui)?;
        }
        return Err(security_error(skill));
    }
    if is_done || consent.dry_run.is_set() {
        if consent.has_json {
            document::print(prepared, false, ui)?;
        }
        ui.eprintln(match (is_done, verb) {
            (true, UPDATE) => "Nothing to update.",
            (true, _) => "Everything is as it was added.",
            (false, _) => "Nothing was changed.",
        });
        return Ok(Exit::Done);
    }
    if !consent.yes.is_set() && !agrees(prepared, verb, ui)? {
        ui.eprintln("Nothing was changed.");
        return Ok(Exit::Done);
    }
    install(prepared, root, consent.has_json, ui)
}

/// Returns the error of a skill with security findings.
pub(super) fn security_error(skill: &Prepared) -> CommandError {
    let message = message!["`", quote(&skill.plan.record.name), "` has security findings"];
    let help = "nothing of it was installed; read the places that are named; `--allow-findings` adds it \
                anyway";
    CommandError::new(message).help(help).exit(Exit::BadInput)
}

fn agrees(prepared: &[Prepared], verb: &'static str, ui: &mut Ui) -> Result<bool, CommandError> {
    if !ui.can_ask() {
        let help = "read the plan above, and add `--yes`; `--dry-run` shows the plan alone";
        return Err(CommandError::cannot_confirm(help));
    }
    let count = prepared.iter().filter(|skill| !skill.plan.is_done()).count();
    let skills = quantity(count, "skill", "skills");
    let roster = ui.names()?;
    let question = message![verb, " ", quote_in_full(&skills), "?"];
    Asker::new(ui, &roster).confirm(question, false)
}
