//! The safety check: a program that judges what is published, and can only refuse more.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use dibber_client::{Client, TIMEOUT_DEFAULT};
use dibber_server::SafetyCommand;
use insta::assert_snapshot;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe;

use crate::server::heartbeats::{create, test_server};
use crate::support::wire::{
    HOME, OTHER, TestServer, add_family, keyed, ok, outline, refused, replayed, sample_arguments,
    with,
};

/// How long a killed process may take to end; what survives takes much longer.
const ENDS_WITHIN: Duration = Duration::from_mins(1);

/// A server whose check is a shell script, which runs in a directory of its own.
struct Judged {
    test_server: TestServer,
    directory: TempDir,
}

impl Judged {
    fn by(script: &str) -> Self {
        let directory = TempDir::new().expect("a temporary directory");
        let command = command(script, directory.path());
        Self { test_server: with_check(test_server(), command), directory }
    }

    /// A check that writes the input into a file, and this verdict to standard output.
    fn saying(verdict: &Value) -> Self {
        Self::by(&format!("cat >> input; echo >> input; echo '{verdict}'"))
    }

    /// A check that writes the verdict that is in a file. The first one is this.
    fn changeable(verdict: &Value) -> Self {
        let judged = Self::by("cat verdict");
        judged.change_to(verdict);
        judged
    }

    fn change_to(&self, verdict: &Value) {
        let path = self.directory.path().join("verdict");
        fs::write(path, verdict.to_string()).expect("a verdict");
    }

    fn client(&self) -> Client {
        self.test_server.client(HOME)
    }

    /// The objects that the program has read, in order.
    fn inputs(&self) -> Vec<Value> {
        let lines = fs::read_to_string(self.directory.path().join("input")).unwrap_or_default();
        lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }
}

fn command(script: &str, directory: &Path) -> SafetyCommand {
    let arguments = vec!["-c".to_owned(), script.to_owned()];
    SafetyCommand::new("sh".into(), arguments, directory.to_owned())
}

fn with_check(mut test_server: TestServer, command: SafetyCommand) -> TestServer {
    test_server.server = test_server.server.with_safety_command(command);
    test_server
}

fn dry_run() -> Value {
    with(sample_arguments(), json!({"dryRun": true}))
}

#[tokio::test]
async fn a_review_binds_the_commit_to_a_preview() {
    let judged = Judged::saying(&json!({
        "decision": "review",
        "reasons": ["it waters too much", {"message": "who is meant?", "path": "/prompt"}],
    }));
    let client = judged.client();
    let preview = ok(&client, "skill_write", dry_run()).await;
    assert_snapshot!(format!("{:#}", preview["policyDecision"]));
    let error = refused(&client, "skill_write", sample_arguments()).await;
    assert_eq!(
        outline(&error),
        "BAD_INPUT REVIEW_NEEDS_SPEC_HASH /specHash=REVIEW_NEEDS_SPEC_HASH"
    );
    assert!(error.message.contains("it waters too much; who is meant?"), "{}", error.message);
    let hashed = with(sample_arguments(), json!({"specHash": preview["specHash"]}));
    ok(&client, "skill_write", hashed).await;
    assert_eq!(judged.inputs().len(), 3, "each preview and each commit is judged");
}

#[tokio::test]
async fn a_review_that_the_preview_did_not_show_stops_the_commit() {
    let review = |reason: &str| json!({"decision": "review", "reasons": [reason]});
    let judged = Judged::changeable(&json!({"decision": "approve"}));
    let client = judged.client();
    let preview = ok(&client, "skill_write", dry_run()).await;
    let hashed = with(sample_arguments(), json!({"specHash": preview["specHash"]}));
    judged.change_to(&review("it waters too much"));
    let error = refused(&client, "skill_write", hashed.clone()).await;
    assert_snapshot!(format!("{}\n  {}\n  {}\n", outline(&error), error.message, error.fix));
    assert_eq!(judged.test_server.skills_after(None).len(), 2);
    ok(&client, "skill_write", dry_run()).await;
    // A program that asks in other words each time stops nothing.
    judged.change_to(&review("it waters too little"));
    let written = ok(&client, "skill_write", hashed.clone()).await;
    let next_step = written["nextStep"].as_str().expect("a sentence");
    assert!(next_step.ends_with(" Tell the parent also: it waters too little."), "{next_step}");
    judged.change_to(&json!({"decision": "refuse", "reasons": ["it waters too little"]}));
    let error = refused(&client, "skill_write", hashed).await;
    assert!(outline(&error).contains("SAFETY_REJECTED"), "{}", outline(&error));
}

#[tokio::test]
async fn a_review_of_another_argument_than_was_shown_stops_the_commit() {
    let review = |reasons: &[(&str, &str)]| {
        let reason = |(message, path): &(&str, &str)| json!({"message": message, "path": path});
        json!({"decision": "review", "reasons": reasons.iter().map(reason).collect::<Vec<_>>()})
    };
    let (prompt, description) =
        (("it waters too much", "/prompt"), ("who waters?", "/description"));
    let judged = Judged::changeable(&review(&[prompt]));
    let client = judged.client();
    let preview = ok(&client, "skill_write", dry_run()).await;
    let hashed = with(sample_arguments(), json!({"specHash": preview["specHash"]}));
    judged.change_to(&review(&[prompt, description]));
    let error = refused(&client, "skill_write", hashed.clone()).await;
    assert_eq!(outline(&error), "BAD_INPUT PREVIEW_OUTDATED /specHash=PREVIEW_OUTDATED");
    assert!(error.message.contains("who waters?"), "{}", error.message);
    assert!(!error.message.contains("h_"), "{}", error.message);
    assert_eq!(judged.test_server.skills_after(None).len(), 2);
    ok(&client, "skill_write", dry_run()).await;
    // What the preview has shown more stops nothing.
    judged.change_to(&review(&[description]));
    ok(&client, "skill_write", hashed).await;
}

#[tokio::test]
async fn a_review_is_passed_on_by_what_writes_at_once() {
    let judged = Judged::saying(&json!({"decision": "review", "reasons": ["who is meant?"]}));
    let client = judged.client();
    let id = ok(&client, "heartbeat_create", create()).await["heartbeatId"].clone();
    let rename = json!({"heartbeatId": id, "action": "edit_name", "name": "Evening"});
    let patch = json!({"action": "edit_name", "name": "Evening"});
    let describe = json!({"mode": "update", "heartbeatId": id, "patch": patch});
    let mut shown = String::new();
    for (tool, arguments) in [("heartbeat_describe", describe), ("heartbeat_update", rename)] {
        let answer = ok(&client, tool, arguments).await;
        shown += &format!("{tool}: {}\n", answer["nextStep"]);
    }
    assert_snapshot!(shown);
}

#[tokio::test]
async fn a_review_binds_a_change_to_a_preview() {
    let review = |reason: &str| json!({"decision": "review", "reasons": [reason]});
    let judged = Judged::changeable(&json!({"decision": "approve"}));
    let client = judged.client();
    let update = json!({"skillId": "sk_run", "description": "Waters plants."});
    let dry_run = with(update.clone(), json!({"dryRun": true}));
    let dry = ok(&client, "skill_update", dry_run.clone()).await;
    let hashed = with(update.clone(), json!({"specHash": dry["specHash"]}));
    judged.change_to(&review("who is meant?"));
    let mut shown = String::new();
    for arguments in [update, hashed.clone()] {
        let error = refused(&client, "skill_update", arguments).await;
        shown += &format!("{}\n  {}\n  {}\n", outline(&error), error.message, error.fix);
    }
    let dry = ok(&client, "skill_update", dry_run).await;
    shown += &format!("{:#}\n", dry["policyDecision"]["reasons"]);
    let changed = ok(&client, "skill_update", hashed).await;
    shown += &format!("{}\n", changed["nextStep"]);
    assert_snapshot!(shown);
}

#[tokio::test]
async fn what_is_refused_already_is_not_judged() {
    let judged = Judged::saying(&json!({"decision": "approve"}));
    let client = judged.client();
    let named = json!({"prompt": "Ask Ottilie about {{input.plant}}."});
    ok(&client, "skill_write", with(dry_run(), named.clone())).await;
    refused(&client, "skill_write", with(sample_arguments(), named)).await;
    let rename = json!({"skillId": "sk_run", "instructions": "Ask Ottilie."});
    refused(&client, "skill_update", rename).await;
    let missing = with(create(), json!({"skillInput": {}}));
    ok(&client, "heartbeat_describe", json!({"mode": "create", "payload": missing})).await;
    assert_eq!(judged.inputs(), Vec::<Value>::new());
}

#[tokio::test]
async fn a_reason_shows_no_secret() {
    // The parts are joined at run time, so that scanners do not report this file.
    let token = ["ghp", "_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17"].concat();
    let long = format!("{} {token}", "x".repeat(490));
    let judged = Judged::saying(&json!({"decision": "refuse", "reasons": [token, long]}));
    let preview = ok(&judged.client(), "skill_write", dry_run()).await;
    let reasons = preview["policyDecision"]["reasons"].to_string();
    assert!(reasons.contains("ghp_****"), "{reasons}");
    assert!(!reasons.contains("zQWB"), "{reasons}");
}

#[tokio::test]
async fn a_family_does_not_make_another_one_wait() {
    let judged = Judged::by(
        "read -r subject; case $subject in *slow*) while ! [ -e go ]; do sleep 0.01; done;; esac
         echo '{\"decision\": \"approve\"}'",
    );
    let slow = (0..8).map(|_| {
        let client = judged.client();
        tokio::spawn(async move {
            ok(&client, "skill_write", with(dry_run(), json!({"name": "slow"}))).await
        })
    });
    let slow: Vec<_> = slow.collect();
    ok(&judged.test_server.client(OTHER), "skill_write", dry_run()).await;
    assert!(slow.iter().all(|call| !call.is_finished()));
    fs::write(judged.directory.path().join("go"), "").expect("a file");
    for call in slow {
        call.await.expect("a preview");
    }
}

#[tokio::test]
async fn programs_that_never_end_leave_time_for_another_family() {
    let directory = TempDir::new().expect("a temporary directory");
    let script = "read -r subject
        case $subject in *slow*) echo >> started; exec sleep 1000;; esac
        echo '{\"decision\": \"approve\"}'";
    let command = command(script, directory.path()).with_timeout(Duration::from_secs(8));
    let test_server = with_check(test_server(), command);
    let slow = (1..=4).map(|number| {
        let (family, canvases) = (format!("fam_slow_{number}"), format!("3333333{number}"));
        let client = test_server.client(&family);
        test_server.change(move |store| add_family(store, &family, "Europe/Berlin", &canvases));
        tokio::spawn(async move {
            let slow = with(dry_run(), json!({"name": "slow", "canvasIds": []}));
            refused(&client, "skill_write", slow).await
        })
    });
    let slow: Vec<_> = slow.collect();
    let started = || fs::read(directory.path().join("started")).unwrap_or_default().len();
    while started() < slow.len() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    ok(&test_server.client(OTHER), "skill_write", with(dry_run(), json!({"canvasIds": []}))).await;
    for call in slow {
        let error = call.await.expect("a refusal");
        assert!(error.message.contains("the program has not ended"), "{}", error.message);
    }
}

#[test]
fn a_client_waits_longer_than_the_checks_of_a_call_take() {
    assert!(SafetyCommand::TIMEOUT < TIMEOUT_DEFAULT);
}

#[tokio::test]
async fn the_program_reads_the_draft_and_the_decision() {
    let judged = Judged::saying(&json!({"decision": "approve"}));
    let client = judged.client();
    ok(&client, "skill_write", with(dry_run(), json!({"handsReferenced": ["gems_adjust"]}))).await;
    ok(&client, "heartbeat_describe", json!({"mode": "create", "payload": create()})).await;
    let made = ok(&client, "heartbeat_create", create()).await;
    let id = &made["heartbeatId"];
    let rename = json!({"heartbeatId": id, "action": "edit_name", "name": "Evening"});
    ok(&client, "heartbeat_update", rename).await;
    ok(&client, "heartbeat_update", json!({"heartbeatId": id, "action": "pause"})).await;
    let inputs = judged.inputs();
    assert_eq!(inputs.len(), 4, "pausing publishes nothing");
    assert_eq!(inputs[1], inputs[2], "what was described is what was created");
    assert_snapshot!(format!("{:#}\n{:#}\n{:#}", inputs[0], inputs[1], inputs[3]));
}

#[tokio::test]
async fn a_refusal_stops_every_write() {
    let refusing = json!({"decision": "refuse", "reasons": ["\u{1b}[31mknives, Ottilie"]});
    let judged = Judged::saying(&refusing);
    let client = judged.client();
    let preview = ok(&client, "skill_write", dry_run()).await;
    assert_eq!(preview["policyDecision"]["decision"], "refuse");
    let hashed = with(sample_arguments(), json!({"specHash": preview["specHash"]}));
    let update = json!({"skillId": "sk_run", "instructions": "Water it."});
    let mut shown = String::new();
    for (tool, arguments) in
        [("skill_write", hashed), ("skill_update", update), ("heartbeat_create", create())]
    {
        let error = refused(&client, tool, arguments).await;
        shown += &format!("{tool}\n  {}\n  {}\n  {}\n", outline(&error), error.message, error.fix);
    }
    let describe = json!({"mode": "create", "payload": create()});
    let described = ok(&client, "heartbeat_describe", describe).await;
    shown += &format!("heartbeat_describe\n  {}\n", described["nextStep"]);
    assert_snapshot!(shown);
    for update in [json!({"name": "Plants"}), json!({"description": "Waters."})] {
        let update = with(json!({"skillId": "sk_run"}), update);
        let error = refused(&client, "skill_update", update).await;
        assert_eq!(outline(&error), "BAD_INPUT SAFETY_REJECTED =SAFETY_REJECTED");
    }
    // What reads is not judged, and neither is an update that changes nothing.
    let same = json!({"skillId": "sk_run", "addCanvasIds": [], "kidCallable": false});
    ok(&client, "skill_update", same).await;
    assert_eq!(ok(&client, "heartbeat_list", json!({})).await["items"], json!([]));
}

#[tokio::test]
async fn an_approval_loosens_nothing() {
    let judged = Judged::saying(&json!({"decision": "approve", "reasons": ["fine"]}));
    let client = judged.client();
    let named = with(dry_run(), json!({"prompt": "Ask Ottilie about {{input.plant}}."}));
    let preview = ok(&client, "skill_write", named).await;
    assert_eq!(preview["policyDecision"]["decision"], "refuse");
    let preview = ok(&client, "skill_write", dry_run()).await;
    assert_eq!(preview["policyDecision"], json!({"decision": "allow", "reasons": []}));
}

#[tokio::test]
async fn a_check_that_fails_approves_nothing() {
    let scripts = [
        ("exit code", "echo '{\"decision\": \"approve\"}'; exit 3"),
        ("signal", "echo '{\"decision\": \"approve\"}'; kill -9 $$"),
        ("nothing", "cat > /dev/null"),
        ("no JSON", "echo approve"),
        ("another word", "echo '{\"decision\": \"allow\"}'"),
        ("another key", "echo '{\"decision\": \"approve\", \"reason\": []}'"),
        ("two objects", "echo '{\"decision\": \"approve\"}{\"decision\": \"refuse\"}'"),
        ("too much", "echo '{\"decision\": \"approve\"}'; yes ' '"),
    ];
    let mut shown = String::new();
    for (name, script) in scripts {
        let judged = Judged::by(script);
        let client = judged.client();
        for arguments in [dry_run(), sample_arguments()] {
            let error = refused(&client, "skill_write", arguments).await;
            shown += &format!("{name}: {} {}\n", outline(&error), error.message);
        }
        assert_eq!(judged.test_server.skills_after(None).len(), 2, "{name}: {:?}", judged.inputs());
    }
    let missing = SafetyCommand::new("no-such-program".into(), Vec::new(), "/".into());
    let test_server = with_check(test_server(), missing);
    let error = refused(&test_server.client(HOME), "skill_write", dry_run()).await;
    shown += &format!("missing: {} {}\n  {}\n", outline(&error), error.message, error.fix);
    assert_snapshot!(shown);
}

#[tokio::test]
async fn a_program_that_takes_too_long_is_killed_with_what_it_started() {
    is_killed("{ echo started; exec sleep 1000; }").await;
}

/// It is in another process group, and its parent has ended.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn what_has_left_the_session_of_a_program_is_killed() {
    is_killed("setsid sh -c '(echo started; exec sleep 1000) & exit'").await;
}

/// Starts something that never ends in a program that waits for it.
async fn is_killed(start: &str) {
    let directory = TempDir::new().expect("a temporary directory");
    let path = directory.path().join("held");
    let made = Command::new("mkfifo").arg(&path).status().expect("mkfifo runs");
    assert!(made.success());
    let mut held = pipe::OpenOptions::new().open_receiver(&path).expect("a named pipe");
    // It holds the pipe open for as long as it lives.
    let script = format!("{start} > held & wait");
    let script = script.as_str();
    let command = command(script, directory.path()).with_timeout(Duration::from_secs(1));
    let test_server = with_check(test_server(), command);
    let error = refused(&test_server.client(HOME), "skill_write", dry_run()).await;
    assert_eq!(outline(&error), "INTERNAL_ERROR SAFETY_CHECK_FAILED");
    let mut written = String::new();
    let ended = tokio::time::timeout(ENDS_WITHIN, held.read_to_string(&mut written)).await;
    ended.expect("what the program started is killed").expect("the end of the pipe");
    assert_eq!(written, "started\n");
}

#[tokio::test]
async fn a_repeated_call_is_not_judged_again() {
    let judged = Judged::saying(&json!({"decision": "approve"}));
    let client = judged.client();
    let written = keyed(&client, "skill_write", sample_arguments(), "k1").await.expect("a skill");
    let again = keyed(&client, "skill_write", sample_arguments(), "k1").await.expect("the same");
    assert_eq!(again, replayed(&written));
    assert_eq!(judged.inputs().len(), 1);
}

#[tokio::test]
async fn a_failed_check_is_tried_again_with_the_same_key() {
    let judged = Judged::by(
        "cat >> input; echo >> input
         [ -e before ] || { touch before; exit 1; }; echo '{\"decision\": \"approve\"}'",
    );
    let client = judged.client();
    let failed = keyed(&client, "skill_write", sample_arguments(), "k1").await;
    let error = failed.expect_err("the first check failed");
    assert!(error.to_string().contains("SAFETY_CHECK_FAILED"), "{error}");
    assert_eq!(judged.inputs().len(), 1, "the client does not run it again by itself");
    let written = keyed(&client, "skill_write", sample_arguments(), "k1").await.expect("a skill");
    assert_eq!(judged.inputs().len(), 2);
    let again = keyed(&client, "skill_write", sample_arguments(), "k1").await.expect("the same");
    assert_eq!(again, replayed(&written));
    assert_eq!(judged.test_server.skills_after(None).len(), 3);
}
