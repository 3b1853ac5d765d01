//! What became of a run, as the methods return it.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use dibber_protocol::{FinishedRun, LOGS_PREVIEW_BYTES_MAX, RunPlan, finish_run, sandbox_refusal};
use dibber_sandbox::{Job, Logs, Mode, Outcome, Output, Program, RunError, SandboxError, Secrets};
use dibber_skill::contract::skills_protocol::{RpcReason, RunStatus};
use serde_json::{Value, json};

const SECRET: &str = "geheim-4711";

fn plan(secret: &str) -> RunPlan {
    let secrets = BTreeMap::from([("TOKEN".to_owned(), secret.to_owned())]);
    let job = Job {
        program: Program::Skill { name: "family.notes".to_owned(), function: "main".to_owned() },
        secrets: Secrets(secrets),
        ..Job::code("")
    };
    RunPlan { job, warnings: vec!["cut".to_owned()] }
}

fn finished(result: Result<Output, RunError>, logs: &str, dropped_bytes: u64) -> FinishedRun {
    let logs = Logs { text: logs.to_owned(), dropped_bytes };
    finish_run(outcome(result, logs), &plan(SECRET), "run_1".to_owned())
}

fn outcome(result: Result<Output, RunError>, logs: Logs) -> Outcome {
    let duration = Duration::from_millis(1);
    Outcome { mode: Mode::Full, result, logs, duration, controllers: Vec::new() }
}

fn inline(value: Value) -> FinishedRun {
    finished(Ok(Output::Inline(value)), "", 0)
}

fn error(kind: &str, message: &str) -> RunError {
    RunError { kind: kind.to_owned(), message: message.to_owned(), trace: None }
}

#[test]
fn the_summary_is_that_of_the_output_or_says_what_it_is() {
    for (output, summary) in [
        (json!({"summary": " Three days.\n\nGood. "}), "Three days. Good."),
        (json!({"summary": "a\u{1b}[2Jb"}), "a [2Jb"),
        (json!({"summary": " "}), "`family.notes` returned an object with 1 field"),
        (json!({"summary": 7, "a": 1}), "`family.notes` returned an object with 2 fields"),
        (json!([]), "`family.notes` returned a list of 0 items"),
        (json!("ä"), "`family.notes` returned a string of 1 character"),
        (json!(1.5), "`family.notes` returned the number 1.5"),
        (json!(true), "`family.notes` returned true"),
        (json!(null), "`family.notes` returned nothing"),
    ] {
        let FinishedRun { run, large_output, .. } = inline(output.clone());
        assert_eq!(run.summary, summary, "{output}");
        assert_eq!((run.status, run.error), (RunStatus::Completed, None));
        assert_eq!((run.run_id.as_str(), large_output), ("run_1", None));
        assert_eq!(run.warnings, ["cut"]);
        assert_eq!(run.output, Some(output));
    }
    let long = inline(json!({"summary": "ä".repeat(1000)})).run.summary;
    assert_eq!(long, format!("{}…", "ä".repeat(300)));
}

#[test]
fn a_large_output_is_for_a_blob() {
    let json = format!("\"{}\"", "x".repeat(70_000));
    let FinishedRun { run, large_output, .. } = finished(Ok(Output::Large(json.clone())), "", 0);
    assert_eq!((run.output, large_output), (None, Some(json)));
    assert_eq!(run.summary, "`family.notes` returned 70002 bytes of JSON");
}

#[test]
fn a_failed_run_has_its_error_and_what_it_printed() {
    let run = finished(Err(error("ValueError", "no date\nat all")), "before\n", 0).run;
    assert_eq!(run.status, RunStatus::Failed);
    assert_eq!(run.summary, "`family.notes` failed: ValueError: no date at all");
    assert_eq!(run.logs_preview.as_deref(), Some("before\n"));
    let failure = run.error.expect("an error");
    assert_eq!((&*failure.kind, &*failure.message), ("ValueError", "no date\nat all"));
    let run = finished(Err(error("KeyboardInterrupt", "")), "", 0).run;
    assert_eq!(run.summary, "`family.notes` failed: KeyboardInterrupt");
    assert_eq!(run.logs_preview, None);
}

#[test]
fn a_sandbox_that_runs_nothing_is_a_refusal_without_paths_of_the_host() {
    let text = |text: &str| text.to_owned();
    for (sandbox_error, reason, message) in [
        (
            SandboxError::Launcher(io::Error::other("/tmp/x: no processes")),
            RpcReason::Internal,
            "the sandbox ended without a result",
        ),
        (
            SandboxError::Refused { step: text("create /tmp/x"), reason: text("no") },
            RpcReason::SandboxUnavailable,
            "nothing ran: the sandbox could not be prepared",
        ),
        (
            SandboxError::InvalidSkill {
                step: text("copy `a\u{1b}.md` of the skill `a.b`"),
                reason: text("a symbolic link"),
            },
            RpcReason::InvalidSkill,
            "nothing ran: cannot copy `a\\u{1b}.md` of the skill `a.b`: a symbolic link",
        ),
        (
            SandboxError::InvalidJob(text("`/` cannot be the name of a skill or blob")),
            RpcReason::InvalidParams,
            "nothing ran: `/` cannot be the name of a skill or blob",
        ),
    ] {
        let refusal = sandbox_refusal(&sandbox_error);
        assert_eq!((refusal.reason(), &*refusal.message), (Some(reason), message));
    }
}

#[test]
fn secrets_are_masked_wherever_a_run_says_them() {
    let failed = RunError {
        trace: Some(format!("line {SECRET}")),
        ..error(SECRET, &format!("bad token {SECRET}!"))
    };
    let run = finished(Err(failed), &format!("token={SECRET}\n"), 0);
    let shown = format!("{run:?}");
    assert!(!shown.contains(SECRET) && shown.contains("bad token ****!"), "{shown}");
    let run = inline(json!({"summary": SECRET, SECRET: [SECRET, 1]}));
    assert_eq!(run.run.output, Some(json!({"summary": "****", "****": ["****", 1]})));
    assert_eq!(run.run.warnings, ["cut", "a secret in the output is masked"]);
    let large = finished(Ok(Output::Large(format!("[\"{SECRET}\"]"))), "", 0);
    assert_eq!(large.large_output.as_deref(), Some("[\"****\"]"));
}

#[test]
fn secrets_of_several_lines_are_masked_line_by_line_and_escaped() {
    let secret = "-----BEGIN-----\nABCDEFGHIJ\n-----END-----";
    let logs = Logs { text: "got ABCDEFGHIJ\n".to_owned(), dropped_bytes: 0 };
    let result = Ok(Output::Large(json!([secret]).to_string()));
    let outcome = Outcome {
        mode: Mode::Full,
        result,
        logs,
        duration: Duration::ZERO,
        controllers: Vec::new(),
    };
    let run = finish_run(outcome, &plan(secret), "run_1".to_owned());
    assert_eq!(run.logs.text, "got ****\n");
    assert_eq!(run.large_output.as_deref(), Some("[\"****\"]"));
}

/// What Python prints of `SPECIAL`, and the first characters of it.
const SPECIAL: &str = "pä\"ss'w\\ö\nrt\u{1f600}\u{ad}li";

#[test]
fn secrets_are_masked_in_every_form_that_python_prints() {
    for printed in [
        SPECIAL,
        // json.dumps, with and without ASCII, and json.dumps of that.
        r#"p\u00e4\"ss'w\\\u00f6\nrt\ud83d\ude00\u00adli"#,
        "pä\\\"ss'w\\\\ö\\nrt\u{1f600}\u{ad}li",
        r#"p\\u00e4\\\"ss'w\\\\\\u00f6\\nrt\\ud83d\\ude00\\u00adli"#,
        // repr and ascii, alone and in a list that has both quotes.
        "pä\"ss\\'w\\\\ö\\nrt\u{1f600}\\xadli",
        r#"p\xe4"ss\'w\\\xf6\nrt\U0001f600\xadli"#,
        // repr of its bytes.
        r#"p\xc3\xa4"ss\'w\\\xc3\xb6\nrt\xf0\x9f\x98\x80\xc2\xadli"#,
    ] {
        let logs = Logs { text: format!("<{printed}>"), dropped_bytes: 0 };
        let result = Err(error("KeyError", &format!("'{printed}'")));
        let finished = finish_run(outcome(result, logs), &plan(SPECIAL), "run_1".to_owned());
        assert_eq!(finished.logs.text, "<****>", "{printed}");
        assert_eq!(finished.run.error.expect("an error").message, "'****'", "{printed}");
    }
}

#[test]
fn the_beginning_of_a_secret_at_a_cut_is_masked() {
    let padding = "x".repeat(3980);
    for printed in ["pä\"s", r#"p\u00e4\"s"#, r#"p\u00e4\"ss'w\\\u00"#, "pä\"ss'w\\\u{fffd}"] {
        let text = format!("{padding}{printed}");
        let failed = RunError { trace: Some(text.clone()), ..error("ValueError", &text) };
        let logs = Logs { text, dropped_bytes: 1 };
        let result = Err(failed);
        let finished = finish_run(outcome(result, logs), &plan(SPECIAL), "run_1".to_owned());
        let failure = finished.run.error.expect("an error");
        let expected = format!("{padding}****");
        assert_eq!(finished.logs.text, expected, "{printed}");
        assert_eq!((failure.message, failure.trace), (expected.clone(), Some(expected)));
    }
    // What was not cut is not touched, nor are three characters.
    for (text, dropped_bytes) in [("a pä\"s", 0), ("a pä\"", 1)] {
        let logs = Logs { text: text.to_owned(), dropped_bytes };
        let result = Ok(Output::Inline(json!(1)));
        let finished = finish_run(outcome(result, logs), &plan(SPECIAL), "run_1".to_owned());
        assert_eq!(finished.logs.text, text);
    }
}

#[test]
fn logs_are_cut_between_characters_and_say_what_is_left_out() {
    let preview = |text: &str, dropped| {
        finished(Ok(Output::Inline(json!(1))), text, dropped).run.logs_preview.expect("logs")
    };
    let fits = "x".repeat(LOGS_PREVIEW_BYTES_MAX);
    assert_eq!(preview(&fits, 0), fits);
    // The limit is within the last character.
    let text = format!("{}ä", "x".repeat(LOGS_PREVIEW_BYTES_MAX - 1));
    assert_eq!(preview(&text, 0), format!("{}\n… (2 more bytes)", &text[..text.len() - 2]));
    assert_eq!(preview("a\n", 7), "a\n… (7 more bytes)");
    assert_eq!(preview("", 7), "\n… (7 more bytes)");
}

#[test]
fn what_a_call_has_not_mounted_is_named() {
    let message = |kind: &str, message: &str| {
        finished(Err(error(kind, message)), "", 0).run.error.expect("an error").message
    };
    let skill = message("ModuleNotFoundError", "No module named 'skills.family'");
    assert!(
        skill.ends_with("'skills.family' (code can import the skills that are in `mount_skills`)")
    );
    let blob = message("FileNotFoundError", "[Errno 2] No such file or directory: '/blobs/1'");
    assert!(blob.contains("`input_blobs`"), "{blob}");
    assert!(message("FileNotFoundError", "no such blob: blob:1").contains("`input_blobs`"));
    for (kind, other) in
        [("ModuleNotFoundError", "No module named 'numpy'"), ("ValueError", "no such blob: 1")]
    {
        assert_eq!(message(kind, other), other);
    }
}
