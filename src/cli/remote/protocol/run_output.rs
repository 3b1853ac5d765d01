//! The result of a run on a server.

use serde::Serialize;

use super::rpc_session::RpcSession;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::mask::mask;
use crate::cli::run_view::{self, RunJson};
use crate::cli::term::sheet::Sheet;
use crate::cli::term::style::Style;
use crate::cli::term::ui::Ui;
use dibber_client::skills_protocol::{RemoteRun, RunEnd};
use dibber_skill::names::Roster;
use dibber_text::{message, quote, quote_argument, quote_in_full};

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// What to do about a run that took too long.
const TIMEOUT_HELP: &str = "`--timeout SECONDS` gives it more time, up to the limit of the server";

/// Described by `schemas/protocol-run.schema.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RunV1 {
    version: u32,
    server: String,
    run: RunJson,
    /// The blobs that the run could read, those of `--blob-file` after those of `--blob`.
    input_blobs: Vec<String>,
    warnings: Vec<String>,
}

/// Prints the result of a run, and returns how the command ends.
pub(super) fn print(
    run: &RemoteRun,
    input_blobs: Option<Vec<String>>,
    is_json: bool,
    session: &RpcSession,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let roster = ui.names()?;
    if is_json {
        let masked = |texts: &[String]| texts.iter().map(|text| mask(text, &roster)).collect();
        ui.print_json(&RunV1 {
            version: VERSION,
            server: session.shown_server(ui),
            run: run_view::run_json(run, &roster),
            input_blobs: masked(&input_blobs.unwrap_or_default()),
            warnings: masked(&[&*run.warnings, &run.unreadable].concat()),
        })?;
    } else {
        session.warn(&run.warnings, ui);
        for problem in &run.unreadable {
            ui.warning(message!["in the answer of the server, ", quote_in_full(problem)]);
        }
        run_view::print_output(run, ui, &roster)?;
        show_logs(run, ui, &roster);
        show_facts(run, ui);
    }
    Ok(run_view::end(run, TIMEOUT_HELP, ui))
}

/// Shows the beginning of what the program printed.
fn show_logs(run: &RemoteRun, ui: &mut Ui, roster: &Roster) {
    let Some(logs) = run.logs_preview.as_ref().filter(|_| !ui.is_quiet()) else { return };
    let style = Style { color: ui.stderr_color(), width: ui.width() };
    let mut sheet = Sheet::new(style, roster);
    sheet.lines("  │ ", logs);
    ui.eprint_rendered(&sheet.finish());
}

/// Notes the id of the run, its summary and the blobs that it made.
fn show_facts(run: &RemoteRun, ui: &mut Ui) {
    let id = run.run_id.as_deref().unwrap_or("the run");
    let mut line = match run.status.as_str() {
        "" => message![quote(id), " has no status"],
        "completed" | "failed" => message![quote(id), " ", quote(&run.status)],
        other => message![quote(id), " has the status `", quote(other), "`"],
    };
    // The summary of a failed run repeats its error.
    if run.end() == RunEnd::Completed && !run.summary.is_empty() {
        line.push(message![": ", quote(&run.summary)]);
    }
    ui.eprintln(line);
    for blob in &run.output_blobs {
        let command = message!["`dibber protocol get-blob ", quote_argument(blob)];
        ui.eprintln(message![command, " --output FILE` saves the blob that it made"]);
    }
}
