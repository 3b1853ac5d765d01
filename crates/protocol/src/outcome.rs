//! What became of a run, as the methods return it.

use dibber_sandbox::{Logs, Outcome, Output, Program, RunError, SandboxError};
use dibber_skill::contract::skills_protocol::{
    RpcCode, RpcError, RpcReason, Run, RunFailure, RunStatus,
};
use dibber_text::{message, quote_in_full};
use serde_json::Value;

use crate::plan::RunPlan;
use crate::refusal::{failed, refused};
use crate::secret_mask::SecretMask;

/// The most bytes of what a program printed that are returned (4 KiB).
pub const LOGS_PREVIEW_BYTES_MAX: usize = 4 << 10;

/// The most characters of a summary.
const SUMMARY_CHARACTERS_MAX: usize = 300;

/// The fewest bytes of a part of an error that may have been cut: the harness keeps more of each.
const CUT_BYTES_MIN: usize = 190;

/// The result of a run, without its output if that is too large to be returned.
#[derive(Clone, Debug, PartialEq)]
pub struct FinishedRun {
    /// The result.
    pub run: Run,
    /// The JSON of an output that belongs in a blob, whose id then belongs in `run.output_blobs`.
    pub large_output: Option<String>,
    /// What the program printed, as far as it was kept.
    pub logs: Logs,
}

/// Returns the result of a run. Secrets are masked in everything that the run said.
pub fn finish_run(outcome: Outcome, plan: &RunPlan, run_id: String) -> FinishedRun {
    let mask = SecretMask::new(&plan.job.secrets);
    let Outcome { result, mut logs, .. } = outcome;
    logs.text =
        if logs.dropped_bytes > 0 { mask.cut_text(&logs.text) } else { mask.text(&logs.text) };
    let subject = match &plan.job.program {
        Program::Skill { name, .. } => format!("`{name}`"),
        Program::Code { .. } => "the code".to_owned(),
    };
    let mut run = Run {
        status: RunStatus::Completed,
        run_id,
        summary: String::new(),
        output: None,
        output_blobs: Vec::new(),
        logs_preview: preview(&logs),
        error: None,
        warnings: plan.warnings.clone(),
    };
    let mut large_output = None;
    match result {
        Ok(Output::Inline(value)) => {
            let masked = mask.value(value.clone());
            note_masked(&mut run, masked != value);
            run.summary = own_summary(&masked)
                .unwrap_or_else(|| format!("{subject} returned {}", description(&masked)));
            run.output = Some(masked);
        }
        Ok(Output::Large(json)) => {
            let masked = mask.text(&json);
            note_masked(&mut run, masked != json);
            run.summary = format!("{subject} returned {} bytes of JSON", masked.len());
            large_output = Some(masked);
        }
        Err(RunError { kind, message, trace }) => {
            let part = |text: String| match text.len() {
                CUT_BYTES_MIN.. => mask.cut_text(&text),
                _ => mask.text(&text),
            };
            let mut failure =
                RunFailure { kind: part(kind), message: part(message), trace: trace.map(part) };
            if let Some(hint) = hint(&failure) {
                failure.message = format!("{} ({hint})", failure.message);
            }
            run.status = RunStatus::Failed;
            let reason = if failure.message.is_empty() {
                failure.kind.clone()
            } else {
                format!("{}: {}", failure.kind, failure.message)
            };
            run.summary = one_line(&format!("{subject} failed: {reason}"));
            run.error = Some(failure);
        }
    }
    FinishedRun { run, large_output, logs }
}

/// Returns the refusal of a run that the sandbox did not run, without paths of this computer.
///
/// If the launcher failed, it is not known whether the run began: its reason is
/// [`RpcReason::Internal`]. With every other reason, nothing ran.
pub fn sandbox_refusal(error: &SandboxError) -> RpcError {
    let cause = error.to_string();
    match error {
        SandboxError::InvalidSkill { .. } => refused(
            RpcReason::InvalidSkill,
            message!["nothing ran: ", quote_in_full(&cause)],
            "correct the folder of the skill: it has regular files of at most 64 MiB together, and no \
             links; a link is replaced by what it leads to",
        ),
        SandboxError::InvalidJob(_) => refused(
            RpcReason::InvalidParams,
            message!["nothing ran: ", quote_in_full(&cause)],
            "use the names that list_skills and create_blob return",
        ),
        SandboxError::Launcher(_) => failed(
            "the sandbox ended without a result",
            "the code may have begun to run; the log of the server has the cause",
        ),
        _ => RpcError::new(
            RpcCode::InternalError,
            RpcReason::SandboxUnavailable,
            "nothing ran: the sandbox could not be prepared",
            "the log of the server has the cause, and its owner can run `dibber doctor`",
        ),
    }
}

/// Returns what is missing in the call if code looks in vain for a skill or a blob.
fn hint(failure: &RunFailure) -> Option<&'static str> {
    let message = &failure.message;
    match failure.kind.as_str() {
        "ModuleNotFoundError" if message.starts_with("No module named 'skills") => {
            Some("code can import the skills that are in `mount_skills`")
        }
        "FileNotFoundError" if message.contains("'/blobs/") || message.contains("no such blob") => {
            Some("code can read the blobs that are in `input_blobs`, with `runtime.blobs`")
        }
        _ => None,
    }
}

fn note_masked(run: &mut Run, is_masked: bool) {
    if is_masked {
        run.warnings.push("a secret in the output is masked".to_owned());
    }
}

/// Returns the summary that an output has itself.
fn own_summary(output: &Value) -> Option<String> {
    let summary = one_line(output.get("summary")?.as_str()?);
    (!summary.is_empty()).then_some(summary)
}

/// Returns a string on one line, cut if it is long.
fn one_line(text: &str) -> String {
    let line = text.split(|c: char| c.is_whitespace() || c.is_control());
    let line = line.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SUMMARY_CHARACTERS_MAX) {
        None => line,
        Some((end, _)) => format!("{}…", &line[..end]),
    }
}

/// Returns what an output is, such as "an object with 2 fields".
fn description(output: &Value) -> String {
    let count = |count: usize, one: &str, many: &str| match count {
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    };
    match output {
        Value::Null => "nothing".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) => {
            format!("a string of {}", count(text.chars().count(), "character", "characters"))
        }
        Value::Array(items) => format!("a list of {}", count(items.len(), "item", "items")),
        Value::Object(fields) => {
            format!("an object with {}", count(fields.len(), "field", "fields"))
        }
    }
}

/// Returns the beginning of what a program printed, and how much was left out.
fn preview(logs: &Logs) -> Option<String> {
    let text = &logs.text;
    if text.is_empty() && logs.dropped_bytes == 0 {
        return None;
    }
    let end = text.floor_char_boundary(LOGS_PREVIEW_BYTES_MAX);
    let omitted = logs.dropped_bytes + (text.len() - end) as u64;
    let shown = &text[..end];
    Some(match omitted {
        0 => shown.to_owned(),
        _ => format!("{}\n… ({omitted} more bytes)", shown.trim_end_matches('\n')),
    })
}
