//! `dibber protocol` against servers that say it in another way, and against servers that misbehave.

use std::time::Duration;

use serde_json::{Value, json};

#[cfg(unix)]
use super::client_commands::interrupted_command;
#[cfg(unix)]
use crate::support::Tree;
use crate::support::command::{Dibber, Ended};
use crate::support::fake_server::{Fake, Reply, Request};

/// What a terminal would act on, and what reverses the reading direction.
const HOSTILE: &str = "x\u{1b}[2J\u{7}\u{202e}y\nerror: forged";

/// The commands, one for each method.
const COMMANDS: [&[&str]; 8] = [
    &["list"],
    &["describe", "a.b"],
    &["cat", "a.b"],
    &["run", "a.b"],
    &["code", "-"],
    &["put-blob", "-"],
    &["get-blob", "blob:1"],
    &["guide"],
];

/// Returns `true` if a command runs or creates something.
fn has_effect(arguments: &[&str]) -> bool {
    ["run", "code", "put-blob"].contains(&arguments[0])
}

fn run(server: &Fake, arguments: &[&str]) -> Ended {
    let url = format!("http://{}/rpc", server.address);
    let run = Dibber::new(["protocol"]).env("COLUMNS", "80").arguments(arguments);
    let run = run.arguments(&["--server", &url]).input("def main(args): pass\n");
    // A run is waited for half a minute longer than it may take.
    let timeout: &[&str] = if has_effect(arguments) { &[] } else { &["--timeout", "2"] };
    run.arguments(timeout).run()
}

fn always(reply: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Fake {
    Fake::new(move |request| Some(reply(request)))
}

fn answering(result: Value) -> Fake {
    always(move |request| request.result(&result))
}

#[test]
fn the_forms_of_another_server_are_read() {
    let forge = always(|request| {
        let result = match request.method() {
            "list_skills" => json!({"skills": [{"name": "a.b", "version": null}, "c.d", 7]}),
            "describe_skill" => json!({
                "manifest": {"name": "a.b", "version": "0.1.0", "kind": "workflow"},
                "skill_md_preview": "# A\n",
            }),
            "read_skill_file" => json!({"name": "a.b", "path": "SKILL.md", "content": "# A\n"}),
            "execute_skill" => json!({"status": "completed", "output": "done"}),
            "run_code" => json!({"status": "cancelled", "error": "stopped by its owner"}),
            "create_blob" => json!({"blob_id": "blob:1"}),
            "read_blob" => json!({
                "blob_id": "blob:1", "kind": "text/plain", "preview": "one", "size_bytes": 9,
                "truncated": true,
            }),
            _ => json!("# Guide\n"),
        };
        request.result(&result)
    });
    let shown: Vec<String> = COMMANDS.iter().map(|it| run(&forge, it).show()).collect();
    let url = format!("http://{}/rpc", forge.address);
    insta::assert_snapshot!("forge", shown.join("\n").replace(&url, "URL"));
}

/// An error of JSON-RPC counts, whatever the status of HTTP.
#[test]
fn a_refusal_may_have_any_status() {
    for status in [400, 404, 422, 500, 503] {
        let server = always(move |request| {
            let error = json!({"code": -32602, "message": "no such skill", "data": [HOSTILE]});
            let body = json!({"jsonrpc": "2.0", "id": request.message["id"], "error": error});
            Reply::json(status, body.to_string())
        });
        for arguments in COMMANDS {
            let ended = run(&server, arguments);
            assert_eq!(ended.code, 3, "{arguments:?} {status}: {}", ended.show());
            assert!(ended.stderr.contains("no such skill (code -32602)"), "{}", ended.show());
        }
    }
}

/// Asserts that each command ends with a code, and that what has an effect is sent once.
fn check(server: &Fake, reads: i32, effects: i32, words: &str) {
    for arguments in COMMANDS {
        let before = server.seen().len();
        let ended = run(server, arguments);
        let expected = if has_effect(arguments) { effects } else { reads };
        assert_eq!(ended.code, expected, "{arguments:?}: {}", ended.show());
        assert!(ended.stderr.contains(words), "{arguments:?}: {}", ended.show());
        let sent = server.seen().len() - before;
        assert!(sent == 1 || !has_effect(arguments), "{arguments:?}: sent {sent} times");
    }
}

#[test]
fn answers_that_are_none_are_named() {
    let json = |body: &'static str| always(move |_| Reply::json(200, body));
    check(&json("{\"jsonrpc\": \"2.0\", \"id\": 1"), 6, 7, "cut off");
    check(&json("{]"), 6, 7, "not valid JSON");
    check(&json("7"), 6, 7, "not an object");
    check(&json(""), 6, 7, "its answer is empty");
    check(&json("{\"id\": 99, \"result\": {}}"), 6, 7, "for another request");
    check(&json("{\"id\": \"1\", \"result\": {}}"), 6, 7, "for another request");
    check(&json("{\"result\": {}}"), 6, 7, "for another request");
    check(&json("{\"id\": 1}"), 6, 7, "neither a result nor an error");
    check(&json("{\"id\": 1, \"error\": \"no\"}"), 6, 7, "has no code");
    check(&json("[{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {}}]"), 6, 7, "batch");
    check(&always(|_| Reply::page(200, "<p>Welcome</p>")), 6, 7, "text/html instead of JSON");
}

#[test]
fn answers_of_another_shape_are_named() {
    check(&answering(json!(7)), 6, 7, "is not an object");
    check(&answering(Value::Null), 6, 7, "is not an object");
    check(&answering(json!({})), 6, 7, "its answer has");
    let wrong = json!({
        "skills": 7, "skill": 7, "content": 7, "status": 7, "blob_id": 7, "preview": 7,
    });
    check(&answering(wrong), 6, 7, "is not");
}

#[test]
fn what_http_refuses_has_not_run() {
    let status = |status: u16| always(move |_| Reply::page(status, "<p>no</p>"));
    check(&status(404), 6, 6, "it answered HTTP 404");
    check(&status(413), 6, 6, "larger than it accepts");
    check(&status(401), 4, 4, "requires a token");
    check(&status(429), 6, 6, "no more requests");
    let moved = always(|_| Reply::json(307, "").header("Location", "/elsewhere"));
    check(&moved, 6, 6, "redirects are not followed");
    assert!(moved.seen().iter().all(|request| request.line.starts_with("POST /rpc")));
    // A gateway may have passed the request on.
    check(&status(502), 6, 7, "it answered HTTP 502");
}

#[test]
fn a_lost_answer_leaves_the_outcome_unknown() {
    let cut = always(|request| request.result(&json!({"status": "completed"})).cut(20));
    check(&cut, 6, 7, "help: ");
    let ended = run(&cut, &["run", "a.b"]);
    assert!(ended.stderr.contains("it may have run: check"), "{}", ended.show());
    let ended = run(&cut, &["put-blob", "-"]);
    assert!(ended.stderr.contains("may have been stored"), "{}", ended.show());
}

/// Only commands that read end early enough for a test.
#[test]
fn silence_ends_with_the_timeout() {
    let silent = Fake::new(|_| None);
    for arguments in COMMANDS.iter().filter(|arguments| !has_effect(arguments)) {
        let ended = run(&silent, arguments);
        assert_eq!(ended.code, 6, "{}", ended.show());
        assert!(ended.stderr.contains("no answer within 2 seconds"), "{}", ended.show());
    }
    let slow = always(|_| Reply::slow_stream(&[json!({}), json!({})], Duration::from_mins(1)));
    let ended = run(&slow, &["list"]);
    assert!(ended.stderr.contains("no answer within 2 seconds"), "{}", ended.show());
}

#[test]
fn an_answer_is_bounded() {
    let huge = always(|request| request.result(&json!({"content": "x".repeat(17 << 20)})));
    let ended = run(&huge, &["guide"]);
    assert_eq!(ended.code, 6, "{}", ended.show());
    assert!(ended.stderr.contains("larger than 16777216 bytes"), "{}", ended.show());
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let deep = format!("{{\"id\": 1, \"result\": {{\"content\": {deep}}}}}");
    let deep = always(move |_| Reply::json(200, deep.clone()));
    let ended = run(&deep, &["guide"]);
    assert!(ended.stderr.contains("not valid JSON"), "{}", ended.show());
}

#[test]
fn a_list_without_an_end_ends() {
    let page = json!({"skills": [{"name": "a.b"}], "next_cursor": "again"});
    let ended = run(&answering(page), &["list", "--all"]);
    assert_eq!(ended.code, 6, "{}", ended.show());
    assert!(ended.stderr.contains("leads to the same page"), "{}", ended.show());
}

/// An answer in which every string is hostile.
fn hostile() -> Value {
    json!({
        "skills": [{"name": HOSTILE, "version": HOSTILE, "kind": HOSTILE, "description": HOSTILE}],
        "skill": {
            "name": HOSTILE, "version": HOSTILE, "kind": HOSTILE, "documentation": HOSTILE,
            "manifest": {
                "description": HOSTILE, "runtime": {"entrypoint": HOSTILE},
                "permissions": {"secrets": [HOSTILE], "network": HOSTILE},
                "input_schema": {"properties": {HOSTILE: {"description": HOSTILE}}},
            },
        },
        "status": HOSTILE, "run_id": HOSTILE, "summary": HOSTILE, "output": {HOSTILE: HOSTILE},
        "output_blobs": [HOSTILE], "logs_preview": HOSTILE,
        "error": {"type": HOSTILE, "message": HOSTILE, "trace": HOSTILE},
        "blob_id": HOSTILE, "kind": HOSTILE, "warnings": [HOSTILE], "content": HOSTILE,
    })
}

#[test]
fn nothing_of_a_server_acts_on_a_terminal() {
    let answers = answering(hostile());
    let refuses = always(|request| {
        let issue = json!({
            "path": HOSTILE, "reason": HOSTILE, "message": HOSTILE, "fix": HOSTILE,
        });
        let data = json!({"reason": HOSTILE, "help": HOSTILE, "issues": [issue.clone(), issue]});
        request.error_with(-32602, HOSTILE, &data)
    });
    for arguments in COMMANDS {
        for server in [&answers, &refuses] {
            for json in [&[][..], &["--json"]] {
                let ended = run(server, &[arguments, json].concat());
                // `cat` and `get-blob` write bytes as they are.
                let is_exact = ["cat", "get-blob"].contains(&arguments[0]) && json.is_empty();
                let stdout = if is_exact { "" } else { &ended.stdout };
                for stream in [stdout, &ended.stderr] {
                    let is_live = |c: char| c == '\u{1b}' || c == '\u{7}' || c == '\u{202e}';
                    assert!(!stream.contains(is_live), "{arguments:?}: {}", ended.show());
                }
                let forged = ended.stderr.lines().any(|line| line == "error: forged");
                assert!(!forged, "{arguments:?}: {}", ended.show());
            }
        }
    }
}

#[test]
fn a_token_that_comes_back_is_masked() {
    const TOKEN: &str = "tok_0123456789abcdef";
    let answers = answering(json!({
        "skills": [{"name": TOKEN}], "skill": {"name": TOKEN}, "content": TOKEN,
        "status": "failed", "error": {"type": "E", "message": TOKEN}, "blob_id": TOKEN,
    }));
    let refuses = always(|request| request.error_with(-32602, TOKEN, &json!({"help": TOKEN})));
    for arguments in COMMANDS {
        for server in [&answers, &refuses] {
            let url = format!("http://{}/rpc", server.address);
            let run = Dibber::new(["protocol"]).arguments(arguments).env("DIBBER_TOKEN", TOKEN);
            let ended = run.arguments(&["--server", &url]).input("x").run();
            assert!(!ended.show().contains(TOKEN), "{arguments:?}: {}", ended.show());
        }
    }
}

/// The connection ends with the command, and whether the run does is up to the server.
#[cfg(unix)]
#[test]
fn an_interrupted_run_may_have_run() {
    let (silent, data) = (Fake::new(|_| None), Tree::new());
    let url = format!("http://{}/rpc", silent.address);
    let cases = [
        ("execute_skill", "run", "error: interrupted before the server answered\n"),
        ("list_skills", "list", ""),
    ];
    for (method, command, words) in cases {
        let arguments = ["protocol", command, "a.b", "--server", &url];
        let ended = interrupted_command(&arguments, &silent, &data, method, "INT");
        let code = "exit code: Some(130)\n";
        let expected = format!("{code}{words}");
        assert!(ended.starts_with(&expected), "{ended}");
        assert_eq!(ended.contains("may have run"), command == "run", "{ended}");
    }
}
