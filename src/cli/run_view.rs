//! The result of a run, on this computer or on a server, for people and as JSON.

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::error::CommandError;
use super::exit::Exit;
use super::mask::{mask, masked_json};
use super::term::ui::Ui;
use dibber_client::skills_protocol::{RemoteRun, RunEnd};
use dibber_lint::report::write_json_pretty;
use dibber_skill::contract::skills_protocol::RunFailure;
use dibber_skill::names::Roster;
use dibber_text::{Message, escape, message, quote, quote_in_full, quote_indented};

/// The most lines of a trace that are shown: the last ones, where the error is.
const TRACE_LINES_MAX: usize = 30;
/// The type of the failure of a run that took too long.
const TIMEOUT: &str = "Timeout";

/// A run as the schemas of `dibber run` and `dibber protocol run` have it. Its fields have the order of
/// other objects.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RunJson {
    error: Value,
    logs_preview: Value,
    output: OutputJson,
    output_blobs: Value,
    run_id: Value,
    status: Value,
    summary: Value,
}

/// What a function returned.
#[derive(Serialize)]
#[serde(untagged)]
enum OutputJson {
    Value(Value),
    /// JSON that a value does not hold as it is.
    Exact(Box<RawValue>),
}

/// Returns a run with names masked.
pub(super) fn run_json(run: &RemoteRun, roster: &Roster) -> RunJson {
    let error = run.error.as_ref().map(|RunFailure { kind, message, trace }| {
        json!({"type": kind, "message": message, "trace": trace})
    });
    let masked = |value: Value| masked_json(&value, roster);
    RunJson {
        error: masked(json!(error)),
        logs_preview: masked(json!(run.logs_preview)),
        output: match &run.exact_output {
            Some(output) => exact_output(output, roster),
            None => OutputJson::Value(masked(json!(run.output))),
        },
        output_blobs: masked(json!(run.output_blobs)),
        run_id: masked(json!(run.run_id)),
        status: masked(json!(run.status)),
        summary: masked(json!(run.summary)),
    }
}

/// Returns JSON with names masked, otherwise as it is written; as a string if it is no JSON then.
fn exact_output(output: &str, roster: &Roster) -> OutputJson {
    // They are only between tokens, where a space is the same.
    let masked = mask(output, roster).replace(['\t', '\r'], " ");
    match RawValue::from_string(masked) {
        Ok(output) => OutputJson::Exact(output),
        Err(_) => OutputJson::Value(mask(output, roster).into()),
    }
}

/// Prints what the function returned: a string as it is, and anything else as JSON. It is nothing if
/// it is in a blob, or if the function did not return.
pub(super) fn print_output(
    run: &RemoteRun,
    ui: &mut Ui,
    roster: &Roster,
) -> Result<(), CommandError> {
    let nothing = (run.end() == RunEnd::Completed).then_some(&Value::Null);
    if let Some(output) = &run.exact_output {
        return ui.print_json(&exact_output(output, roster));
    }
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

/// Returns how a command ends with this run, after its error is shown if it did not return.
/// `timeout_help` says how it gets more time.
pub(super) fn end(run: &RemoteRun, timeout_help: &'static str, ui: &mut Ui) -> Exit {
    let error = match run.end() {
        RunEnd::Completed => return Exit::Done,
        RunEnd::Failed => failure(run, timeout_help),
        RunEnd::NotEnded | RunEnd::Unclear => unclear(run),
    };
    ui.item_error(&error);
    error.exit_code()
}

/// Returns the error of a run that did not return.
fn failure(run: &RemoteRun, timeout_help: &'static str) -> CommandError {
    let error = CommandError::new(failure_message(run)).exit(Exit::RunFailed);
    let Some(failure) = &run.error else { return error };
    let error = match trace_lines(failure) {
        lines if lines.is_empty() => error,
        lines => error.excerpt(Message::join(lines, "\n")),
    };
    if failure.kind == TIMEOUT { error.help(timeout_help) } else { error }
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
