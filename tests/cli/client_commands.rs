//! `dibber status`, `tools` and `call`, against servers that are well and servers that are not.

use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

#[cfg(unix)]
use crate::support::command::restore_interrupts;
use crate::support::command::{Dibber, Ended, keep_in, state_in};
use crate::support::fake_server::{Fake, Reply, Request};
use crate::support::server_process::{MODERN, Serving};
use crate::support::{Tree, package};

fn dibber(arguments: &[&str]) -> Dibber {
    Dibber::new(arguments).in_own_directory().env("COLUMNS", "80")
}

/// The output of a command for a server, with `URL` in the place of its address.
fn shown(server: &Fake, arguments: &[&str]) -> String {
    let url = server.url();
    let run = dibber(arguments).arguments(&["--server", &url]).run();
    run.show().replace(&url, "URL")
}

/// The output as JSON, which has to be of the schema.
fn of_schema(ended: &Ended, name: &str) -> Value {
    let value: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let path = package().join(format!("schemas/{name}.schema.json"));
    let schema: Value = serde_json::from_slice(&fs::read(path).expect("the schema")).expect("JSON");
    let validator = jsonschema::draft202012::new(&schema).expect("a schema");
    let errors: Vec<_> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{value:#}");
    value
}

/// A tool that changes something.
fn tools() -> Value {
    json!([{
        "name": "note_write", "title": "Write a note", "description": "Keeps a note.",
        "inputSchema": {
            "type": "object", "properties": {"text": {"type": "string", "description": "It."}},
            "required": ["text"],
        },
    }])
}

/// A server with that tool, which answers every call with this result.
fn answering(result: Value) -> Fake {
    Fake::new(move |request| Some(request.usual(&tools(), &result)))
}

fn structured(value: &Value) -> Value {
    json!({"resultType": "complete", "content": [], "structuredContent": value})
}

#[test]
fn a_server_that_is_well() {
    let server = answering(structured(&json!({"noteId": "n_1"})));
    insta::assert_snapshot!("status", shown(&server, &["status"]));
    insta::assert_snapshot!("status_json", shown(&server, &["status", "--json"]));
    insta::assert_snapshot!("tools", shown(&server, &["tools"]));
    insta::assert_snapshot!("tools_one", shown(&server, &["tools", "note.write"]));
    insta::assert_snapshot!("tools_json", shown(&server, &["tools", "--json"]));
    insta::assert_snapshot!("call", shown(&server, &["call", "note_write", "text=a"]));
    insta::assert_snapshot!("no_tool", shown(&server, &["call", "note_writ", "text=a"]));
    insta::assert_snapshot!("no_tool_far", shown(&server, &["tools", "sing"]));
}

#[test]
fn json_is_of_its_schema() {
    let serving = Serving::start();
    let url = format!("http://{}/mcp", serving.address);
    let json = |arguments: &[&str]| {
        let run = dibber(arguments).arguments(&["--json", "--server", &url]);
        run.env("DIBBER_TOKEN", &serving.token()).run()
    };
    let status = of_schema(&json(&["status"]), "status");
    assert_eq!(status["whoami"]["scopes"].as_array().expect("a list").len(), 5);
    assert_eq!(status["token"], "DIBBER_TOKEN");
    let tools = of_schema(&json(&["tools"]), "tools");
    assert_eq!(tools["items"].as_array().expect("a list").len(), 19);
    of_schema(&json(&["tools", "skill_get"]), "tools");
    of_schema(&dibber(&["status", "--json"]).run(), "status");
    let fake = answering(json!({}));
    of_schema(&dibber(&["status", "--json", "--server", &fake.url()]).run(), "status");
    of_schema(&dibber(&["tools", "--json", "--server", &fake.url()]).run(), "tools");
    let refused = Fake::new(|_| Some(Reply::json(401, "{}")));
    let refused = dibber(&["status", "--json", "--server", &refused.url()]).run();
    assert_eq!(refused.code, 4);
    assert_eq!(of_schema(&refused, "status")["reached"], false);
}

/// To ask for the state of something does not create it.
#[test]
fn the_status_of_a_new_database_creates_nothing() {
    let directory = Tree::new();
    let data = directory.path().join("new");
    let status = || dibber(&["status"]).arguments(&["--data", &data.to_string_lossy()]);
    let shown = status().run();
    assert_eq!(shown.code, 0, "{}", shown.show());
    assert!(shown.stdout.contains("dibber.db (none yet)"), "{}", shown.show());
    let json = of_schema(&status().arguments(&["--json"]).run(), "status");
    assert_eq!((&json["reached"], &json["error"]), (&json!(false), &json!(null)));
    assert!(!data.exists());
}

#[test]
fn a_server_that_cannot_be_reached() {
    let command = ["status", "--json", "--server", "http://127.0.0.1:1/mcp"];
    let ended = dibber(&command).run();
    assert_eq!(ended.code, 6);
    of_schema(&ended, "status");
    insta::assert_snapshot!("unreachable_json", ended.show());
    for (name, arguments) in [
        ("unreachable_status", &["status"][..]),
        ("unreachable_call", &["call", "note_write", "text=a"]),
    ] {
        let run = dibber(arguments).arguments(&["--server", "http://127.0.0.1:1/mcp"]).run();
        insta::assert_snapshot!(name, run.show());
    }
}

#[test]
fn a_server_that_asks_for_a_token() {
    let server = Fake::new(|_| Some(Reply::json(401, "{}")));
    insta::assert_snapshot!("unauthorized", shown(&server, &["tools"]));
    assert_eq!(server.seen().len(), 1, "no handshake would help");
}

#[test]
fn a_web_page_is_not_a_server() {
    let server = Fake::new(|_| Some(Reply::page(200, "<!doctype html><title>Hello</title>")));
    insta::assert_snapshot!("html", shown(&server, &["status"]));
    let server = Fake::new(|_| Some(Reply::page(404, &"<p>gone</p>\n".repeat(1_000))));
    insta::assert_snapshot!("not_found", shown(&server, &["tools"]));
}

#[test]
fn every_issue_of_a_refusal_is_listed() {
    let issues = [("/text", "is missing"), ("/\u{1b}[31m", "is no\nkey")];
    let issues = issues.map(|(path, message)| {
        json!({"path": path, "reason": "R", "message": message, "fix": "leave it out"})
    });
    let result = |error: Value| {
        let mut result = structured(&json!({"error": error}));
        result["isError"] = true.into();
        answering(result)
    };
    let many = result(json!({
        "code": "BAD_INPUT", "reason": "INVALID_ARGUMENTS", "message": "2 of the arguments are bad",
        "fix": "mend \u{1b}[2Jthem", "details": {"issues": issues, "limit": 5},
    }));
    insta::assert_snapshot!("refused", shown(&many, &["call", "note_write", "text=a"]));
    let foreign = answering(json!({
        "resultType": "complete", "isError": true,
        "content": [{"type": "text", "text": "no \u{1b}[31mroom"}],
    }));
    insta::assert_snapshot!("failed", shown(&foreign, &["call", "note_write", "text=a"]));
}

#[test]
fn escape_codes_are_shown_escaped() {
    let tool = json!([{
        "name": "evil\u{1b}[2J", "title": "\u{1b}]0;owned\u{7}", "description": "a\u{1b}[31mb",
        "inputSchema": {"type": "object", "properties": {"\u{1b}[1m": {"type": "string"}}},
    }]);
    let server = Fake::new(move |request| Some(request.usual(&tool, &json!({}))));
    let answer = answering(structured(&json!({"text": "\u{1b}[31mred\u{202e}"})));
    for run in [
        shown(&server, &["tools"]),
        shown(&server, &["tools", "evil\u{1b}[2J"]),
        shown(&server, &["tools", "--json"]),
        shown(&server, &["call", "evil"]),
        shown(&answer, &["call", "note_write", "text=a"]),
    ] {
        assert!(!run.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{run:?}");
    }
    let run = dibber(&["call", "note_write", "text=a", "--server", &answer.url()]).run();
    let value: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(value, json!({"text": "\u{1b}[31mred\u{202e}"}), "as JSON it is what it was");
}

#[test]
fn a_lock_file_that_cannot_be_read_is_reported() {
    let tree = Tree::new();
    tree.write("dibber.toml", b"");
    tree.write("dibber.lock", b"<<<<<<< HEAD\nversion = 2\n=======\n>>>>>>> other\n");
    let data = tree.path().join("data").to_string_lossy().into_owned();
    let status = |options: &[&str]| {
        dibber(&["status", "--data", &data]).arguments(options).in_directory(tree.path()).run()
    };
    let ended = status(&[]);
    assert_eq!(ended.code, 2, "{}", ended.show());
    assert!(ended.stdout.contains("database"), "{}", ended.show());
    let error =
        "error: dibber.lock: line 1: it contains conflict markers\nhelp: remove the markers";
    assert!(ended.stderr.starts_with(error), "{}", ended.show());
    let json = of_schema(&status(&["--json"]), "status");
    assert_eq!(json["error"]["message"], "dibber.lock: line 1: it contains conflict markers");
}

#[test]
fn arguments_that_cannot_be_read_are_explained() {
    let call = |arguments: &[&str]| dibber(&["call", "mcp_whoami"]).arguments(arguments).run();
    insta::assert_snapshot!("no_sign", call(&["text"]).show());
    insta::assert_snapshot!("no_name", call(&["=a"]).show());
    insta::assert_snapshot!("no_value", call(&["minutes:="]).show());
    insta::assert_snapshot!("no_json", call(&["minutes:=1x"]).show());
    insta::assert_snapshot!("twice", call(&["a=1", "a=2"]).show());
    let file = |text: &str| {
        dibber(&["call", "mcp_whoami", "--args-json", "-"]).input(text.as_bytes()).run().show()
    };
    insta::assert_snapshot!("file_list", file("[]"));
    insta::assert_snapshot!("file_cut", file("{\"a\": "));
    let deep = format!("{{\"a\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    insta::assert_snapshot!("file_deep", file(&deep));
    let server = answering(structured(&json!({})));
    let run = dibber(&["call", "note_write", "text=", "--server", &server.url()]).run();
    assert_eq!(run.code, 0, "{}", run.show());
    assert_eq!(called(&server)["text"], "", "an empty string is a value");
}

/// The arguments of the only call that came.
fn called(server: &Fake) -> Value {
    let seen = server.seen();
    let calls: Vec<&Request> = seen.iter().filter(|one| one.method() == "tools/call").collect();
    assert_eq!(calls.len(), 1);
    calls[0].message["params"]["arguments"].clone()
}

#[test]
fn large_arguments_and_answers() {
    let server = answering(structured(&json!({"text": "a".repeat(10 << 20)})));
    let arguments = json!({"text": "b".repeat(10 << 20)}).to_string();
    let call = ["call", "note_write", "--args-json", "-", "--server", &server.url()];
    let run = dibber(&call).input(arguments).run();
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(run.stdout.len(), (10 << 20) + "{\n  \"text\": \"\"\n}\n".len());
    assert_eq!(called(&server)["text"].as_str().map(str::len), Some(10 << 20));
    let server = answering(structured(&json!({"text": "a".repeat(20 << 20)})));
    insta::assert_snapshot!("too_large", shown(&server, &["call", "note_write", "text=a"]));
}

#[test]
fn an_older_server_is_supported() {
    type Answer = fn(&Request) -> Option<Reply>;
    let discover: [(&str, Answer); 5] = [
        ("an error", |request| Some(request.error(-32601, "method not found"))),
        ("an empty result", |request| Some(request.result(&json!({})))),
        ("a session is missing", |_| Some(Reply::json(400, "{\"error\": \"no session\"}"))),
        ("it knows others only", |request| {
            let body = json!({"jsonrpc": "2.0", "id": request.message["id"], "error": {
                "code": -32022, "message": "unsupported",
                "data": {"supported": ["2025-11-25"], "requested": MODERN},
            }});
            Some(Reply::json(400, body.to_string()))
        }),
        ("silence", |_| None),
    ];
    for (what, answer) in discover {
        let server = Fake::new(move |request| match request.method() {
            "server/discover" => answer(request),
            _ => Some(request.usual(&tools(), &json!({}))),
        });
        let url = server.url();
        let run = dibber(&["status", "--json", "--timeout", "1", "--server", &url]).run();
        assert_eq!(run.code, 0, "{what}: {}", run.show());
        let status = of_schema(&run, "status");
        assert_eq!(status["protocolVersion"], "2025-11-25", "{what}");
        let count = |method| server.seen().iter().filter(|one| one.method() == method).count();
        assert_eq!((count("server/discover"), count("initialize")), (1, 1), "{what}");
    }
}

#[test]
fn a_proxy_is_used_but_not_for_this_computer() {
    let proxy = answering(structured(&json!({})));
    let through = format!("http://{}", proxy.address);
    let status = |url: &str| dibber(&["status", "--timeout", "1", "--server", url]);
    let run = status("http://dibber.invalid/mcp").env("HTTP_PROXY", &through).run();
    assert_eq!(run.code, 0, "{}", run.show());
    assert_eq!(proxy.seen()[0].line, "POST http://dibber.invalid/mcp HTTP/1.1");
    let before = proxy.seen().len();
    let secure = status("https://dibber.invalid/mcp").env("HTTPS_PROXY", &through);
    assert_eq!(secure.run().code, 6);
    assert_eq!(proxy.seen()[before].line, "CONNECT dibber.invalid:443 HTTP/1.1");
    let before = proxy.seen().len();
    let past = status("http://dibber.invalid/mcp").env("HTTP_PROXY", &through);
    assert_eq!(past.env("NO_PROXY", "dibber.invalid").run().code, 6);
    let here = answering(json!({}));
    for name in ["HTTP_PROXY", "http_proxy", "ALL_PROXY"] {
        assert_eq!(status(&here.url()).env(name, &through).run().code, 0);
    }
    assert_eq!(proxy.seen().len(), before);
}

/// Runs a call, sends a signal as soon as the server has it, and returns the output.
#[cfg(unix)]
pub(crate) fn interrupted(server: &Fake, data: &Tree, method: &str, signal: &str) -> String {
    let call = ["call", "note_write", "text=a", "--server", &server.url()];
    interrupted_command(&call, server, data, method, signal)
}

/// The same with another command.
#[cfg(unix)]
pub(crate) fn interrupted_command(
    arguments: &[&str],
    server: &Fake,
    data: &Tree,
    method: &str,
    signal: &str,
) -> String {
    restore_interrupts();
    let arrived = || server.seen().iter().filter(|request| request.method() == method).count();
    let before = arrived();
    let mut command = Command::new(env!("CARGO_BIN_EXE_dibber"));
    keep_in(&mut command, data.path());
    let mut child = command
        .args(arguments)
        .env("DIBBER_NAMES", package().join("no-names"))
        .env_remove("DIBBER_TOKEN")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    while arrived() == before {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let sent = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
    assert!(sent.expect("kill").success());
    let mut stderr = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut stderr).expect("text");
    let status = child.wait().expect("a process");
    format!("exit code: {:?}\n{stderr}", status.code())
}

#[cfg(unix)]
#[test]
fn a_call_that_is_interrupted_is_gone_on_with() {
    let data = Tree::new();
    let entries = || {
        let Ok(directory) = fs::read_dir(state_in(data.path()).join("journal")) else { return 0 };
        let names = directory.map(|entry| entry.expect("an entry").file_name());
        names.filter(|name| name.to_string_lossy().ends_with(".json")).count()
    };
    let silent_at = |silent: &'static str| {
        Fake::new(move |request| {
            let usual = request.usual_with_keys(&tools(), &structured(&json!({"noteId": "n_1"})));
            (request.method() != silent).then_some(usual)
        })
    };
    let early = silent_at("tools/list");
    assert_eq!(interrupted(&early, &data, "tools/list", "INT"), "exit code: Some(130)\n");
    assert_eq!(entries(), 0);

    let answers = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let is_awake = std::sync::Arc::clone(&answers);
    let server = Fake::new(move |request| {
        let is_silent =
            request.method() == "tools/call" && !is_awake.load(std::sync::atomic::Ordering::SeqCst);
        let usual = request.usual_with_keys(&tools(), &structured(&json!({"noteId": "n_1"})));
        (!is_silent).then_some(usual)
    });
    insta::assert_snapshot!("interrupted", interrupted(&server, &data, "tools/call", "INT"));
    assert_eq!(entries(), 1);
    let silent = silent_at("tools/call");
    for signal in ["TERM", "HUP"] {
        let data = Tree::new();
        let shown = interrupted(&silent, &data, "tools/call", signal);
        assert!(shown.starts_with("exit code: Some(130)\nerror: interrupted before"), "{shown}");
    }
    answers.store(true, std::sync::atomic::Ordering::SeqCst);
    insta::assert_snapshot!("resumed", {
        let call = ["call", "note_write", "text=a", "--server", &server.url()];
        dibber(&call).data(data.path()).run().show()
    });
    assert_eq!(entries(), 0);
    let keys: Vec<_> = server
        .seen()
        .iter()
        .filter(|request| request.method() == "tools/call")
        .map(|request| request.header("idempotency-key").map(str::to_owned))
        .collect();
    assert_eq!(keys.len(), 2);
    assert!(keys[0].is_some() && keys[0] == keys[1], "{keys:?}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_call_without_a_key_is_not_repeated() {
    let data = Tree::new();
    let server = Fake::new(|request| {
        let usual = request.usual(&tools(), &structured(&json!({"noteId": "n_1"})));
        (request.method() != "tools/call").then_some(usual)
    });
    insta::assert_snapshot!("interrupted_once", interrupted(&server, &data, "tools/call", "INT"));
    let call = ["call", "note_write", "text=a", "--server", &server.url()];
    assert_eq!(dibber(&call).data(data.path()).run_bounded().code, 7);
    assert_eq!(server.calls().len(), 1);
}

#[test]
fn an_answer_that_is_not_encrypted_is_named() {
    use std::io::Write;

    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("https://{}/mcp", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut stream = stream;
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
        }
    });
    let ended = dibber(&["tools", "--server", &url, "--timeout", "5"]).run();
    assert_eq!(ended.code, 6, "{}", ended.show());
    let shown = ended.show();
    assert!(shown.contains("the answer of the server is not encrypted: "), "{shown}");
    assert!(shown.contains("write `http://` instead of `https://`"), "{shown}");
    assert!(!shown.contains("tried"), "{shown}");
}
