//! What became of a run, for people and as JSON.

use serde::Serialize;
use serde_json::{Value, json};

use super::rpc_session::RpcSession;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::mask::{mask, masked_json};
use crate::cli::term::sheet::Sheet;
use crate::cli::term::style::Style;
use crate::cli::term::ui::Ui;
use dibber_client::skills_protocol::{RemoteRun, RunEnd};
use dibber_lint::report::write_json_pretty;
use dibber_skill::contract::skills_protocol::RunFailure;
use dibber_skill::names::Roster;
use dibber_text::{Message, escape, message, quote, quote_argument, quote_in_full, quote_indented};

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// The most lines of a trace that are shown: the last ones, where the error is.
const TRACE_LINES_MAX: usize = 30;

/// The type of the failure of a run that took too long.
const TIMEOUT: &str = "Timeout";

/// Described by `schemas/protocol-run.schema.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RunV1 {
    version: u32,
    server: String,
    run: Value,
    /// The blobs that the run could read, those of `--blob-file` after those of `--blob`.
    input_blobs: Vec<String>,
    warnings: Vec<String>,
}

/// Prints what became of a run, and returns how the command ends.
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
            run: masked_json(&to_json(run), &roster),
            input_blobs: masked(&input_blobs.unwrap_or_default()),
            warnings: masked(&[&*run.warnings, &run.unreadable].concat()),
        })?;
    } else {
        session.warn(&run.warnings, ui);
        for problem in &run.unreadable {
            ui.warning(message!["in the answer of the server, ", quote_in_full(problem)]);
        }
        print_output(run, ui, &roster)?;
        show_logs(run, ui, &roster);
        show_facts(run, ui);
    }
    let error = match run.end() {
        RunEnd::Completed => return Ok(Exit::Done),
        RunEnd::Failed => failure(run),
        RunEnd::NotEnded | RunEnd::Unclear => unclear(run),
    };
    ui.item_error(&error);
    Ok(error.exit_code())
}

fn to_json(run: &RemoteRun) -> Value {
    let error = run.error.as_ref().map(|RunFailure { kind, message, trace }| {
        json!({"type": kind, "message": message, "trace": trace})
    });
    json!({
        "status": run.status, "runId": run.run_id, "summary": run.summary,
        "output": run.output, "outputBlobs": run.output_blobs, "logsPreview": run.logs_preview,
        "error": error,
    })
}

/// Prints what the function returned: a string as it is, and anything else as JSON. It is nothing if
/// it is in a blob, or if the function did not return.
fn print_output(run: &RemoteRun, ui: &mut Ui, roster: &Roster) -> Result<(), CommandError> {
    let nothing = (run.end() == RunEnd::Completed).then_some(&Value::Null);
    let mut text = match run.output.as_ref().filter(|output| !output.is_null()).or(nothing) {
        None => return Ok(()),
        Some(Value::Null) if run.output.is_none() && !run.output_blobs.is_empty() => return Ok(()),
        Some(Value::String(text)) => mask(text, roster),
        Some(value) => {
            let mut json = Vec::new();
            write_json_pretty(&masked_json(value, roster), &mut json);
            String::from_utf8_lossy(&json).into_owned()
        }
    };
    if !text.ends_with('\n') {
        text.push('\n');
    }
    if ui.has_live_stdout() {
        text = escape(&text).into_owned();
    }
    ui.print(text.as_bytes())
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

/// Returns the error of a run that did not return.
fn failure(run: &RemoteRun) -> CommandError {
    let error = CommandError::new(failure_message(run)).exit(Exit::RunFailed);
    let Some(failure) = &run.error else { return error };
    let error = match trace_lines(failure) {
        lines if lines.is_empty() => error,
        lines => error.excerpt(Message::join(lines, "\n")),
    };
    if failure.kind == TIMEOUT {
        return error.help("`--timeout SECONDS` gives it more time, up to the limit of the server");
    }
    error
}

/// Returns the error of a run of which it is not known whether it returned, or will.
fn unclear(run: &RemoteRun) -> CommandError {
    let status = message!["`", quote(&run.status), "`"];
    let mut message = match run.end() {
        RunEnd::NotEnded => message!["the run has not ended: its status is ", status],
        _ if run.status.is_empty() => "the server does not say how the run ended".into(),
        _ if run.error.is_some() => {
            message!["the run has an error, although its status is ", status]
        }
        _ => message!["dibber does not know the status ", status, " of the run"],
    };
    for part in run.error.iter().flat_map(|error| [&error.kind, &error.message]) {
        if !part.is_empty() {
            message.push(message![": ", quote_indented(part)]);
        }
    }
    let help = match run.end() {
        RunEnd::NotEnded => "it may still run: ask the server for its end before you run it again",
        _ => "it may have run: check what it has done before you run it again",
    };
    CommandError::new(message).help(help).exit(Exit::OutcomeUnknown)
}

/// Returns where in the code it failed, without the last line of Python, which repeats the error.
fn trace_lines(failure: &RunFailure) -> Vec<Message> {
    let RunFailure { kind, message, trace } = failure;
    let error = format!("{kind}: {message}");
    let trace = trace.as_deref().unwrap_or_default().trim_end();
    let trace = trace.strip_suffix(&error).unwrap_or(trace).trim_end();
    let lines: Vec<&str> = trace.lines().collect();
    let left_out = lines.len().saturating_sub(TRACE_LINES_MAX);
    let mut shown = Vec::new();
    if left_out > 0 {
        shown.push(message!["  … ", left_out, " lines, which `--json` prints"]);
    }
    shown.extend(lines[left_out..].iter().map(|line| message!["  ", quote_in_full(line)]));
    shown
}

fn failure_message(run: &RemoteRun) -> Message {
    let Some(RunFailure { kind, message, .. }) = &run.error else {
        return message!["the run did not complete: its status is `", quote(&run.status), "`"];
    };
    let mut shown = message!["the run failed"];
    for part in [kind, message].into_iter().filter(|part| !part.is_empty()) {
        shown.push(message![": ", quote_indented(part)]);
    }
    shown
}
