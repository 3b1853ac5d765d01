//! What the end of a run and the bytes of its result mean.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::read::Kept;
use crate::limits::Limits;
use crate::outcome::{OUTPUT_INLINE_BYTES_MAX, Output, RunError};
use crate::specification::Ending;
use dibber_text::strict_json::{self, large_integer, levels};

/// The most bytes of the parts of an error, which are those of the harness.
const KIND_BYTES_MAX: usize = 200;
const MESSAGE_BYTES_MAX: usize = 16_000;
const TRACE_BYTES_MAX: usize = 64_000;

/// The kinds of errors that only the sandbox has, whatever the classes of the code are called.
const KINDS_OF_SANDBOX: [&str; 8] = [
    "Cancelled",
    "CpuLimit",
    "DiskLimit",
    "MemoryLimit",
    "OutputLimit",
    "ProcessLimit",
    "ProgramExited",
    "Timeout",
];

/// The most digits of an integer that an error shows.
const INTEGER_BYTES_SHOWN: usize = 40;

/// The most levels of arrays and objects in an output: with those of the answer around it, fewer than the
/// 128 that readers of JSON accept.
const OUTPUT_LEVELS_MAX: usize = 120;

/// The type of the error of a run whose program ended without a result.
pub(super) const PROGRAM_EXITED: &str = "ProgramExited";

/// The result that the harness writes: one of the two.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Written<'a> {
    #[serde(borrow)]
    Output(&'a RawValue),
    Error(WrittenError),
}

#[derive(Deserialize)]
struct WrittenError {
    r#type: String,
    message: String,
    trace: Option<String>,
}

impl WrittenError {
    /// Returns the error. The harness cuts it as well, but code can write past the harness.
    fn shortened(self) -> RunError {
        let cut = |mut text: String, bytes_max: usize| {
            text.truncate(text.floor_char_boundary(bytes_max));
            text
        };
        let kind = cut(self.r#type, KIND_BYTES_MAX);
        let is_reserved = KINDS_OF_SANDBOX.contains(&kind.as_str());
        RunError {
            kind: if is_reserved { format!("code.{kind}") } else { kind },
            message: cut(self.message, MESSAGE_BYTES_MAX),
            trace: self.trace.map(|trace| cut(trace, TRACE_BYTES_MAX)),
        }
    }
}

/// Returns what a function returned, or why it did not.
pub(super) fn result(ending: Ending, written: &Kept, limits: &Limits) -> Result<Output, RunError> {
    if let Some(error) = limit_error(ending, limits) {
        return Err(error);
    }
    if written.dropped > 0 {
        let message = format!("the result is larger than {} bytes", limits.output_bytes);
        return Err(RunError::new("OutputLimit", message));
    }
    if written.bytes.is_empty() {
        return Err(RunError::new(PROGRAM_EXITED, early_end(ending)));
    }
    let invalid = |reason: String| RunError::new("InvalidResult", reason);
    let text = std::str::from_utf8(&written.bytes).map_err(|error| invalid(error.to_string()))?;
    match serde_json::from_str(text).map_err(|error| invalid(error.to_string()))? {
        Written::Output(value) => {
            if let Some(integer) = large_integer(value.get()) {
                return Err(not_serializable(integer));
            }
            if levels(value.get()) > OUTPUT_LEVELS_MAX {
                let message = format!(
                    "the returned value has more than {OUTPUT_LEVELS_MAX} levels: return a part of it, or a \
                     string of JSON"
                );
                return Err(RunError::new("NotSerializable", message));
            }
            output_of(text, value.get()).map_err(|error| {
                // Keys of a dictionary that are the same as strings, such as `1` and `"1"`.
                let kind = if error.is_data() { "NotSerializable" } else { "InvalidResult" };
                RunError::new(
                    kind,
                    format!("the returned value is not JSON: {}", without_place(&error)),
                )
            })
        }
        Written::Error(error) => Err(error.shortened()),
    }
}

/// Returns an error without its place, which is one in JSON that the caller does not have.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message).to_owned()
}

/// Returns the error of an integer that would be returned without its last digits.
fn not_serializable(integer: &str) -> RunError {
    let begin = &integer[..integer.len().min(INTEGER_BYTES_SHOWN)];
    let rest = if begin.len() < integer.len() { "…" } else { "" };
    let message = format!(
        "the returned integer {begin}{rest} is beyond 64 bits, and would lose digits: return it as a \
         string"
    );
    RunError::new("NotSerializable", message)
}

fn output_of(text: &str, value: &str) -> serde_json::Result<Output> {
    if text.len() <= OUTPUT_INLINE_BYTES_MAX {
        Ok(Output::Inline(strict_json::parse(value)?))
    } else {
        strict_json::check(value)?;
        Ok(Output::Large(value.to_owned()))
    }
}

/// Returns the error of a run that had to be ended.
fn limit_error(ending: Ending, limits: &Limits) -> Option<RunError> {
    let (kind, message) = match ending {
        Ending::Timeout => {
            ("Timeout", format!("the run took longer than {:?}", limits.capped_timeout()))
        }
        Ending::Memory => {
            ("MemoryLimit", format!("the run used more than {} bytes", limits.memory_bytes))
        }
        Ending::Disk => (
            "DiskLimit",
            format!(
                "the files of the run exceed {} bytes or {} entries",
                limits.disk_bytes, limits.disk_entries
            ),
        ),
        Ending::Processes => (
            "ProcessLimit",
            format!("the run had more than {} processes and threads", limits.processes),
        ),
        Ending::Signaled(SIGNAL_CPU_TIME) => (
            "CpuLimit",
            format!("the run used more than {:?} of CPU time", limits.capped_timeout()),
        ),
        Ending::Cancelled => ("Cancelled", "the run was cancelled".to_owned()),
        Ending::Exited(_) | Ending::Signaled(_) => return None,
    };
    Some(RunError::new(kind, message))
}

/// `SIGXCPU` on Linux.
const SIGNAL_CPU_TIME: i32 = 24;

fn early_end(ending: Ending) -> String {
    match ending {
        Ending::Signaled(signal) => format!("the program was ended by signal {signal}"),
        Ending::Exited(code) => {
            format!("the program exited with code {code} before the function returned")
        }
        _ => "the program ended before the function returned".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Kept, Output, result};
    use crate::limits::Limits;
    use crate::specification::Ending;

    fn kind_of(written: String) -> Option<String> {
        let kept = Kept { bytes: written.into_bytes(), dropped: 0 };
        let returned = result(Ending::Exited(0), &kept, &Limits::default());
        assert!(!matches!(returned, Ok(Output::Inline(_))), "it is large");
        returned.err().map(|error| error.kind)
    }

    #[test]
    fn errors_are_cut() {
        let long = "é".repeat(100_000);
        let written = format!(
            "{{\"error\":{{\"type\":\"{long}\",\"message\":\"{long}\",\"trace\":\"{long}\"}}}}"
        );
        let kept = Kept { bytes: written.into_bytes(), dropped: 0 };
        let error = result(Ending::Exited(0), &kept, &Limits::default()).expect_err("an error");
        let trace = error.trace.expect("a trace");
        assert!(error.kind.len() <= 200 && error.message.len() <= 16_000 && trace.len() <= 64_000);
        assert!(long.starts_with(&error.message) && !error.kind.is_empty());
    }

    #[test]
    fn large_results_are_checked() {
        let padding = "0,".repeat(40_000);
        let cases = [
            ("{\"a\":[1.5,null,true,\"\\u00e9\"]}".to_owned(), None),
            (format!("{}{}", "[".repeat(500), "]".repeat(500)), Some("NotSerializable")),
            (format!("{}{}", "[".repeat(119), "]".repeat(119)), None),
            (format!("{}{}", "[".repeat(120), "]".repeat(120)), Some("NotSerializable")),
            ("1e999".to_owned(), Some("InvalidResult")),
            ("\"\\ud800\"".to_owned(), Some("InvalidResult")),
            ("0]},{".to_owned(), Some("InvalidResult")),
        ];
        for (value, kind) in cases {
            let found = kind_of(format!("{{\"output\":[{padding}{value}]}}"));
            assert_eq!(found.as_deref(), kind, "{value}");
        }
    }
}
