//! Showing and writing the files of one skill of a pull.

use super::super::conflict;
use super::super::server_options::SelectedServer;
use super::arguments::PullArgs;
use super::heartbeats;
use super::json::Outcome;
use crate::cli::error::CommandError;
use crate::cli::mask::mask;
use crate::cli::term::ask::Asker;
use crate::cli::term::diff;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::style::Color;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{
    HeartbeatConflict, HeartbeatConflictKind, LocalChanges, LockFiles, PullPlan, PulledFileState,
    apply_pull,
};
use dibber_skill::discover::shown_path;
use dibber_skill::names::Roster;
use dibber_text::{Message, escape_line, message, quote_argument, quote_in_full};

/// What is printed when Ctrl-C ends a pull after its first file.
const INTERRUPTED_BETWEEN: &str = "\
error: interrupted; what was written stays
help: run the same command again: it does the rest";

/// Returns `true` if a pull would overwrite changes of a folder, or both sides have changed a
/// heartbeat.
pub(super) fn is_blocked(plan: &PullPlan, is_forced: bool) -> bool {
    let is_invalid = |conflict: &HeartbeatConflict| conflict.kind == HeartbeatConflictKind::Invalid;
    let mut conflicts = plan.heartbeats.conflicts.iter();
    (!is_forced && plan.loses_changes())
        || conflicts.any(|conflict| !is_forced || is_invalid(conflict))
}

/// Returns the files that are new, and the changes of the others as diffs.
pub(in crate::cli::remote) fn show_files(plan: &PullPlan, color: Color, roster: &Roster) -> String {
    let mut out = String::new();
    for file in &plan.files {
        let path = shown_path(&plan.directory.join(&file.name));
        match &file.state {
            PulledFileState::Same => {}
            PulledFileState::New => {
                out += &format!("new       {}\n", escape_line(&mask(&path, roster)));
            }
            PulledFileState::Changed(before) => {
                out += &diff::unified(&path, before, &file.text, roster).rendered(color);
            }
        }
    }
    out
}

/// Returns the error of a pull that would overwrite changes of a folder.
fn loses_changes(plan: &PullPlan, folder: &str, server: &SelectedServer) -> CommandError {
    let (argument, path) = (quote_argument(folder), quote_in_full(folder));
    let options = quote_in_full(&server.typed_options);
    let fields = match &plan.local_changes {
        LocalChanges::Lost(fields) if !fields.is_empty() => {
            format!(" in what the server has changed, too ({})", conflict::words(fields))
        }
        _ => String::new(),
    };
    let changes = " has changes of its own";
    let message = message![path, changes, quote_in_full(&fields), ", and nothing was written"];
    let force = message!["`dibber pull --force ", argument, options, "` overwrites them as shown"];
    CommandError::new(message).help(if fields.is_empty() {
        message!["push them or move them away first; ", force]
    } else {
        message![
            "`dibber push --force ",
            argument,
            options,
            "` publishes those of the folder instead; ",
            force
        ]
    })
}

/// Names the files that `SKILL.md` seems to contain.
fn warn_of_unseparated(plan: &PullPlan, folder: &str, ui: &mut Ui) {
    if plan.unseparated.is_empty() {
        return;
    }
    let paths = plan.unseparated.iter().map(|path| message!["`", quote_in_full(path), "`"]);
    ui.warning(message![
        quote_in_full(folder),
        ": SKILL.md contains ",
        Message::join(paths, ", "),
        ", probably appended by `include` in sprout.yaml, and no record here says so; to have \
         files again, move what is below each of these headings to its file, and list them under \
         `include`"
    ]);
}

/// Names the fields whose text a terminal or a reader may take for something else. They are written
/// as the server has them, so that a push changes nothing.
fn warn_of_controls(plan: &PullPlan, folder: &str, ui: &mut Ui) {
    let fields = plan.fields_with_controls();
    if fields.is_empty() {
        return;
    }
    let (fields, folder) = (fields.join(", "), quote_in_full(folder));
    let text = ": the text of the server contains control or hidden characters in ";
    ui.warning(message![folder, text, quote_in_full(&fields), "; `dibber lint` shows where"]);
}

/// Shows the files of one skill, and returns why they are not written, if so.
pub(super) fn review(
    plan: &PullPlan,
    arguments: &PullArgs,
    ui: &mut Ui,
    (server, roster): (&SelectedServer, &Roster),
) -> Result<Option<Outcome>, CommandError> {
    let folder = shown_path(&plan.directory);
    let is_blocked = is_blocked(plan, arguments.force);
    if !arguments.json {
        let mut page = show_files(plan, ui.stdout_color(), roster);
        if let Some(conflict) = plan.conflict.as_ref().filter(|_| is_blocked) {
            let mut sheet = ui.sheet();
            sheet.title(&conflict.ours.name, &folder);
            sheet.row("skill", plan.skill_id.as_str());
            conflict::write(&mut sheet, conflict, server.name(), roster);
            page.insert_str(0, &sheet.finish());
        }
        ui.print(page.as_bytes())?;
    }
    if is_blocked {
        if !arguments.force && plan.loses_changes() {
            ui.error(&loses_changes(plan, &folder, server));
        }
        heartbeats::report_conflicts(plan, &folder, server, ui);
        return Ok(Some(Outcome::Blocked));
    }
    if !plan.is_exact {
        ui.warning(message![
            quote_in_full(&folder),
            ": not all of the skill can be written in files, such as white space at the beginning \
             or end of a value; a push would change it"
        ]);
    }
    heartbeats::warn_of_unwritten(plan, &folder, server.name(), ui);
    warn_of_unseparated(plan, &folder, ui);
    warn_of_controls(plan, &folder, ui);
    if arguments.dry_run.is_set() {
        return Ok(Some(Outcome::DryRun));
    }
    if plan.loses_changes() && !arguments.yes.is_set() && ui.can_ask() {
        let question = message!["Overwrite the changes of ", quote_in_full(&folder), "?"];
        if !Asker::new(ui, roster).confirm(question, false)? {
            ui.eprintln(message!["Nothing was written into ", quote_in_full(&folder), "."]);
            return Ok(Some(Outcome::Declined));
        }
    }
    Ok(None)
}

/// Writes the files of one skill.
pub(super) fn write(
    plan: &PullPlan,
    arguments: &PullArgs,
    locks: &mut LockFiles,
    interrupt: &Interrupt,
    ui: &mut Ui,
) -> Result<Outcome, CommandError> {
    let held = interrupt.hold();
    let is_written = apply_pull(plan, locks)?;
    interrupt.set_last_message(|| Some(INTERRUPTED_BETWEEN.into()));
    drop(held);
    let folder = shown_path(&plan.directory);
    let (id, folder) = (quote_in_full(plan.skill_id.as_str()), quote_in_full(&folder));
    if arguments.all && !is_written && plan.local_changes != LocalChanges::Merged {
        // They are counted at the end.
        return Ok(Outcome::Unchanged);
    }
    ui.eprintln(match (is_written, &plan.local_changes) {
        (true, LocalChanges::Merged) => {
            message![
                "Merged the changes of ",
                id,
                " into ",
                folder,
                ", which has changes of its own."
            ]
        }
        (true, _) => message!["Pulled ", id, " into ", folder],
        (false, LocalChanges::Merged) => {
            message!["Nothing to pull: ", folder, " has changes of its own, and ", id, " has none."]
        }
        (false, _) => message!["Nothing to pull: ", folder, " is up to date."],
    });
    Ok(if is_written { Outcome::Written } else { Outcome::Unchanged })
}
