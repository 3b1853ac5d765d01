//! The safety check: a program that judges what is published, and can only refuse more.

use std::fs;
use std::path::Path;
use std::time::Duration;

use dibber_client::Client;
use dibber_server::SafetyCommand;
use insta::assert_snapshot;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::server::heartbeats::{create, test_server};
use crate::support::wire::{
    HOME, TestServer, keyed, ok, outline, refused, replayed, sample_arguments, with,
};

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
    // A name alone is not judged, and neither is what reads.
    ok(&client, "skill_update", json!({"skillId": "sk_run", "name": "Plants"})).await;
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
    let directory = TempDir::new().expect("a temporary directory");
    let script = "sleep 1000 & echo $! > started; wait";
    let command = command(script, directory.path()).with_timeout(Duration::from_millis(500));
    let test_server = with_check(test_server(), command);
    let error = refused(&test_server.client(HOME), "skill_write", dry_run()).await;
    assert_eq!(outline(&error), "INTERNAL_ERROR SAFETY_CHECK_FAILED");
    let started = fs::read_to_string(directory.path().join("started")).expect("the id of sleep");
    let is_running = || {
        let stat = fs::read_to_string(format!("/proc/{}/stat", started.trim()));
        stat.is_ok_and(|stat| !stat.contains(") Z "))
    };
    while is_running() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
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
        "[ -e before ] || { touch before; exit 1; }; echo '{\"decision\": \"approve\"}'",
    );
    let client = judged.client();
    let failed = keyed(&client, "skill_write", sample_arguments(), "k1").await;
    let written = failed.or(keyed(&client, "skill_write", sample_arguments(), "k1").await);
    assert!(written.expect("a skill")["skillId"].is_string());
}
