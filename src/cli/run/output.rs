//! Printing what became of a run.

use serde::Serialize;
use serde_json::Value;

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::mask::{mask, masked_json};
use crate::cli::term::ui::Ui;
use dibber_protocol::FinishedRun;
use dibber_sandbox::Mode;
use dibber_skill::contract::skills_protocol::{Run, RunFailure, RunStatus};
use dibber_skill::names::Roster;
use dibber_text::{escape, message, quote_in_full, quote_lines};

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// Described by `schemas/run.schema.json`.
#[derive(Serialize)]
struct RunV1 {
    version: u32,
    mode: &'static str,
    run: Run,
}

/// Prints the result of a run, and returns how the command ends.
pub(super) fn print(
    finished: FinishedRun,
    mode: Mode,
    is_json: bool,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let FinishedRun { mut run, large_output, logs } = finished;
    if let Some(json) = large_output {
        let parsed = serde_json::from_str(&json);
        run.output = Some(parsed.unwrap_or(Value::String(json)));
    }
    let exit = match run.status {
        RunStatus::Completed => Exit::Done,
        RunStatus::Failed => Exit::RunFailed,
    };
    for line in logs.text.lines() {
        ui.eprintln(message![quote_in_full(line)]);
    }
    if logs.dropped_bytes > 0 {
        let dropped = logs.dropped_bytes;
        ui.warning(message!["the program printed ", dropped, " more bytes, which are left out"]);
    }
    if is_json {
        let run = masked(run, &*ui.names()?);
        ui.print_json(&RunV1 { version: VERSION, mode: mode.name(), run })?;
        return Ok(exit);
    }
    for warning in &run.warnings {
        ui.warning(message![quote_in_full(warning)]);
    }
    print_page(run, exit, ui)
}

/// Returns a result in which names are masked wherever the program can have written them.
fn masked(run: Run, roster: &Roster) -> Run {
    let text = |text: String| mask(&text, roster);
    Run {
        summary: text(run.summary),
        output: run.output.map(|output| masked_json(&output, roster)),
        logs_preview: run.logs_preview.map(text),
        error: run.error.map(|failure| RunFailure {
            kind: text(failure.kind),
            message: text(failure.message),
            trace: failure.trace.map(text),
        }),
        warnings: run.warnings.into_iter().map(text).collect(),
        ..run
    }
}

fn print_page(run: Run, exit: Exit, ui: &mut Ui) -> Result<Exit, CommandError> {
    if let Some(failure) = run.error {
        let error = CommandError::new(quote_in_full(&run.summary)).exit(exit);
        let trace = failure.trace.as_deref().map(str::trim_end);
        return Err(match trace.filter(|trace| !trace.is_empty()) {
            Some(trace) => error.excerpt(quote_lines(trace)),
            None => error,
        });
    }
    let roster = ui.names()?;
    match run.output.unwrap_or_default() {
        Value::String(text) => {
            let masked = mask(&text, &roster);
            let shown = if ui.has_live_stdout() { escape(&masked) } else { masked.into() };
            let end = if shown.ends_with('\n') { "" } else { "\n" };
            ui.print(format!("{shown}{end}").as_bytes())?;
        }
        value => ui.print_json(&masked_json(&value, &roster))?,
    }
    Ok(exit)
}
