//! Printing the result of a run on this computer.

use serde::Serialize;

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::mask::mask;
use crate::cli::run_view::{self, RunJson};
use crate::cli::term::ui::Ui;
use dibber_client::skills_protocol::RemoteRun;
use dibber_protocol::FinishedRun;
use dibber_sandbox::Mode;
use dibber_text::{message, quote_in_full};

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// What to do about a run that took too long.
const TIMEOUT_HELP: &str = "`--timeout SECONDS` gives it more time, up to 300 seconds";

/// Described by `schemas/run.schema.json`.
#[derive(Serialize)]
struct RunV1 {
    version: u32,
    mode: &'static str,
    run: RunJson,
    warnings: Vec<String>,
}

/// Prints the result of a run, and returns how the command ends.
pub(super) fn print(
    finished: FinishedRun,
    mode: Mode,
    is_json: bool,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let FinishedRun { run, large_output, logs } = finished;
    let mut run = RemoteRun::from(run);
    if let Some(json) = large_output {
        run.set_output(json);
    }
    for line in logs.text.lines() {
        ui.eprintln(message![quote_in_full(line)]);
    }
    if logs.dropped_bytes > 0 {
        let dropped = logs.dropped_bytes;
        ui.warning(message!["the program printed ", dropped, " more bytes, which are left out"]);
    }
    let roster = ui.names()?;
    if is_json {
        let warnings = run.warnings.iter().map(|warning| mask(warning, &roster)).collect();
        let shown = run_view::run_json(&run, &roster);
        ui.print_json(&RunV1 { version: VERSION, mode: mode.name(), run: shown, warnings })?;
    } else {
        for warning in &run.warnings {
            ui.warning(message![quote_in_full(warning)]);
        }
        run_view::print_output(&run, ui, &roster)?;
    }
    Ok(run_view::end(&run, TIMEOUT_HELP, ui))
}
