//! `dibber protocol` against a server of the Skills Protocol that is well.

use std::fs;

use serde_json::{Value, json};

use crate::support::command::{Dibber, Ended};
use crate::support::fake_server::{Fake, Reply, Request};
#[cfg(unix)]
use crate::support::terminal::Terminal;
use crate::support::{Tree, package};

/// A guide, which is a SKILL.md.
const GUIDE: &str = "---\nname: Guide\n---\n\n# Guide\n\nCall `list_skills`.\n";

/// A skill that counts days.
fn described() -> Value {
    json!({"skill": {
        "name": "family.dates.countdown", "version": "1.2.0", "kind": "action",
        "namespace": "family",
        "manifest": {
            "name": "family.dates.countdown", "version": "1.2.0",
            "description": "Counts the days to a date.", "kind": "action",
            "runtime": {"language": "python", "entrypoint": "code/main.py", "export": "main"},
            "permissions": {"secrets": ["CALENDAR_TOKEN"]},
            "input_schema": {
                "type": "object", "required": ["date"],
                "properties": {"date": {"type": "string", "description": "The day."}},
            },
        },
        "frontmatter": {"name": "Countdown"}, "documentation": "# Countdown\n\nCounts days.\n",
    }})
}

fn completed(output: &Value) -> Value {
    json!({
        "status": "completed", "run_id": "run_2f", "summary": "returned an object",
        "output": output, "output_blobs": ["blob:out1"], "logs_preview": "counting\ndone\n",
        "warnings": ["timeout_ms is over the limit of 300000"],
    })
}

/// What the server answers to each method.
fn answer(request: &Request) -> Reply {
    let parameters = &request.message["params"];
    let result = match request.method() {
        "list_skills" if parameters["cursor"] == "page-2" => json!({
            "skills": [{"name": "zoo.feeding"}], "next_cursor": null,
        }),
        "list_skills" => json!({
            "skills": [
                {"name": "family.dates.countdown", "version": "1.2.0", "kind": "action",
                    "namespace": "family", "description": "Counts the days to a date."},
                {"name": "skills.protocol.guide", "version": "0.1.0", "kind": "instruction",
                    "namespace": "skills",
                    "description": "How to use the tools of the Skills Protocol, for models that \
                        have not used them before."},
            ],
            "next_cursor": "page-2",
        }),
        "describe_skill" => described(),
        "read_skill_file" if parameters["path"] == "icon.png" => json!({
            "name": "family.dates.countdown", "version": "1.2.0", "path": "icon.png",
            "content": "iVBORwAN", "encoding": "base64", "size_bytes": 6,
        }),
        "read_skill_file" => json!({
            "name": "family.dates.countdown", "version": "1.2.0", "path": parameters["path"],
            "content": "# Countdown\r\n", "encoding": "utf-8", "size_bytes": 13,
        }),
        "execute_skill" | "run_code" => completed(&json!({"days": 28})),
        "create_blob" => json!({"blob_id": "blob:in1", "size_bytes": 4}),
        "read_blob" if parameters["mode"] == "full" => json!({
            "blob_id": parameters["blob_id"], "kind": "text/csv", "mode": "full",
            "content": "a,b\n1,2\n", "encoding": "utf-8", "size_bytes": 8, "truncated": false,
        }),
        "read_blob" => json!({
            "blob_id": parameters["blob_id"], "kind": "text/csv", "mode": parameters["mode"],
            "content": "a,b\n", "encoding": "utf-8", "size_bytes": 8, "truncated": true,
        }),
        "load_skills_protocol_guide" => json!({"content": GUIDE}),
        _ => return request.error(-32601, "unknown method"),
    };
    request.result(&result)
}

fn server() -> Fake {
    Fake::new(|request| Some(answer(request)))
}

fn endpoint(server: &Fake) -> String {
    format!("http://{}/rpc", server.address)
}

fn protocol(server: &Fake, arguments: &[&str]) -> Dibber {
    let run = Dibber::new(["protocol"]).env("COLUMNS", "80").arguments(arguments);
    run.arguments(&["--server", &endpoint(server)])
}

fn shown(server: &Fake, arguments: &[&str]) -> String {
    protocol(server, arguments).run().show().replace(&endpoint(server), "URL")
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

/// The parameters of the only call.
fn only_call(server: &Fake) -> Value {
    let seen = server.seen();
    assert_eq!(seen.len(), 1, "{seen:?}");
    assert_eq!(seen[0].message["jsonrpc"], "2.0");
    seen[0].message["params"].clone()
}

#[test]
fn skills_are_listed_from_all_pages() {
    let server = server();
    insta::assert_snapshot!("list", shown(&server, &["list", "family"]));
    let cursors: Vec<_> =
        server.seen().iter().map(|it| it.message["params"]["cursor"].clone()).collect();
    assert_eq!(cursors, [Value::Null, "page-2".into()]);
    insta::assert_snapshot!("list_limited", shown(&server, &["list", "--limit", "2"]));
    insta::assert_snapshot!("list_continued", shown(&server, &["list", "--cursor", "page-2"]));
}

#[test]
fn a_skill_is_described_and_its_files_are_read() {
    let server = server();
    insta::assert_snapshot!("describe", shown(&server, &["describe", "family.dates.countdown"]));
    let ended = protocol(&server, &["cat", "family.dates.countdown"]).run();
    assert_eq!((ended.code, ended.raw.as_slice()), (0, &b"# Countdown\r\n"[..]));
    let ended = protocol(&server, &["cat", "family.dates.countdown", "icon.png"]).run();
    assert_eq!((ended.code, ended.raw.as_slice()), (0, &b"\x89PNG\0\r"[..]));
    insta::assert_snapshot!("guide", shown(&server, &["guide"]));
    assert_eq!(protocol(&server, &["guide", "--raw"]).run().stdout, GUIDE);
}

#[test]
fn a_run_is_printed_and_its_arguments_are_typed() {
    let server = server();
    let arguments =
        ["run", "family.dates.countdown", "--args", "date=2026-12-24", "--args", "days:=[1, 2]"];
    let more = ["--version", "1.2.0", "--timeout", "400", "--blob", "blob:1"];
    insta::assert_snapshot!("run", shown(&server, &[&arguments[..], &more[..]].concat()));
    assert_eq!(
        only_call(&server),
        json!({
            "name": "family.dates.countdown", "version": "1.2.0", "timeout_ms": 400_000,
            "args": {"date": "2026-12-24", "days": [1, 2]}, "input_blobs": ["blob:1"],
        })
    );
}

#[test]
fn a_file_is_stored_before_the_run_that_reads_it() {
    let (server, tree) = (server(), Tree::new());
    tree.write("data.bin", b"\xff\0\x01\x02");
    tree.write("count.py", b"def main(args):\n    return {}\n");
    let arguments = ["code", "count.py", "--skill", "family.dates@1.0.0", "--entrypoint", "count"];
    let more = ["--blob-file", "data.bin", "--timeout", "5", "--json"];
    let run = protocol(&server, &[&arguments[..], &more[..]].concat()).in_directory(tree.path());
    let ended = run.run();
    assert_eq!(ended.code, 0, "{}", ended.show());
    let printed = of_schema(&ended, "protocol-run");
    assert_eq!(printed["inputBlobs"], json!(["blob:in1"]));
    assert_eq!(printed["run"]["output"], json!({"days": 28}));
    let sent: Vec<_> = server.seen().iter().map(|it| it.message["params"].clone()).collect();
    let stored =
        json!({"content": "/wABAg==", "kind": "application/octet-stream", "encoding": "base64"});
    let code = json!({
        "language": "python", "code": "def main(args):\n    return {}\n", "entrypoint": "count",
        "mount_skills": ["family.dates@1.0.0"], "input_blobs": ["blob:in1"],
        "limits": {"timeout_ms": 5000},
    });
    assert_eq!(sent, [stored, code]);
}

#[test]
fn a_run_that_failed_is_not_a_call_that_was_refused() {
    let failed = Fake::new(|request| {
        Some(request.result(&json!({
            "status": "failed", "run_id": "run_2f", "summary": "ValueError: no such day",
            "logs_preview": "counting\n",
            "error": {"type": "ValueError", "message": "no such day",
                "trace": "  File \"code/main.py\", line 3, in main\n    raise ValueError()\n\
                ValueError: no such day\n"},
        })))
    });
    insta::assert_snapshot!("run_failed", shown(&failed, &["run", "a.b"]));
    let ended = protocol(&failed, &["run", "a.b", "--json"]).run();
    assert_eq!(ended.code, 8, "{}", ended.show());
    assert_eq!(of_schema(&ended, "protocol-run")["run"]["error"]["type"], "ValueError");
    let timeout = Fake::new(|request| {
        Some(request.result(&json!({
            "status": "failed", "run_id": "run_2f", "summary": "",
            "error": {"type": "Timeout", "message": "it took longer than 30 seconds"},
        })))
    });
    insta::assert_snapshot!("run_timeout", shown(&timeout, &["run", "a.b"]));
    let refused = Fake::new(|request| {
        let data = json!({"reason": "INVALID_ARGUMENTS", "help": "write a date", "issues": [
            {"path": "/date", "reason": "MISSING", "message": "it is missing", "fix": "add it"},
        ]});
        Some(request.error_with(-32602, "the arguments do not match", &data))
    });
    insta::assert_snapshot!("run_refused", shown(&refused, &["run", "a.b"]));
}

#[test]
fn each_reason_has_an_exit_code() {
    let cases = [
        (-32602, json!({"reason": "SKILL_NOT_FOUND", "help": "list them"}), 5),
        (-32602, json!({"reason": "BLOB_NOT_FOUND", "help": "store it"}), 5),
        (-32602, json!({"reason": "NOT_EXECUTABLE", "help": "read it"}), 3),
        (-32602, json!({"reason": "SCOPE_MISSING", "help": "use another token"}), 4),
        (-32603, json!({"reason": "SANDBOX_UNAVAILABLE", "help": "ask its owner"}), 6),
        (-32603, json!({"reason": "BUSY", "help": "try again later"}), 6),
        (-32603, json!({"reason": "INTERNAL", "help": "read its log"}), 7),
        (-32602, Value::Null, 3),
        (-32602, json!("a string"), 3),
        (-32601, json!([1, {"reason": 7}]), 6),
        (-32000, json!({"reason": "OWN", "help": 3}), 7),
    ];
    for (code, data, exit) in cases {
        let refusing = data.clone();
        let server = Fake::new(move |request| Some(request.error_with(code, "no", &refusing)));
        let ended = protocol(&server, &["run", "a.b"]).run();
        assert_eq!(ended.code, exit, "{code} {data}: {}", ended.show());
        assert_eq!(server.seen().len(), 1, "sent more than once");
        // A call that reads has no effect that could be unknown.
        let ended = protocol(&server, &["guide"]).run();
        assert_eq!(ended.code, if exit == 7 { 6 } else { exit }, "{}", ended.show());
    }
}

#[test]
fn blobs_go_in_and_out() {
    let (server, tree) = (server(), Tree::new());
    tree.write("data.csv", b"a,b\n");
    let put = protocol(&server, &["put-blob", "data.csv"]).in_directory(tree.path()).run();
    let put = put.show().replace(&endpoint(&server), "URL");
    insta::assert_snapshot!("put_blob", put);
    assert_eq!(only_call(&server), json!({"content": "a,b\n", "kind": "text/csv"}));
    insta::assert_snapshot!("get_blob", shown(&server, &["get-blob", "blob:1"]));
    let tail = protocol(&server, &["get-blob", "blob:1", "--tail", "4"]).run();
    assert_eq!(tail.stdout, "a,b\n");
    let last = server.seen().pop().expect("a call");
    let expected = json!({"blob_id": "blob:1", "mode": "sample_tail", "max_bytes": 4});
    assert_eq!(last.message["params"], expected);
    let save = |more: &[&str]| {
        let arguments = [&["get-blob", "blob:1", "-o", "out.csv"], more].concat();
        protocol(&server, &arguments).in_directory(tree.path()).run()
    };
    let saved = save(&[]);
    assert_eq!((saved.code, saved.stdout.as_str()), (0, ""), "{}", saved.show());
    assert_eq!(tree.read("out.csv"), "a,b\n1,2\n");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let metadata = fs::metadata(tree.path().join("out.csv")).expect("a file");
        assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
    }
    tree.write("out.csv", b"mine");
    let calls = server.seen().len();
    insta::assert_snapshot!("get_blob_in_the_way", save(&[]).show());
    assert_eq!((tree.read("out.csv").as_str(), server.seen().len()), ("mine", calls));
    assert_eq!(save(&["--force"]).code, 0);
    assert_eq!(tree.read("out.csv"), "a,b\n1,2\n");
}

#[test]
fn a_blob_that_is_not_sent_whole_is_not_saved() {
    let tree = Tree::new();
    let server = Fake::new(|request| {
        Some(request.result(&json!({"blob_id": "blob:1", "content": "a", "size_bytes": 9})))
    });
    let arguments = ["get-blob", "blob:1", "-o", "out"];
    let ended = protocol(&server, &arguments).in_directory(tree.path()).run();
    insta::assert_snapshot!("get_blob_cut", ended.show());
    assert!(!tree.path().join("out").exists());
}

#[test]
fn json_is_of_its_schema() {
    let (server, tree) = (server(), Tree::new());
    tree.write("data.csv", b"a,b\n");
    let cases: [(&str, &[&str]); 8] = [
        ("protocol-list", &["list"]),
        ("protocol-describe", &["describe", "a.b", "--detail", "full"]),
        ("protocol-cat", &["cat", "a.b"]),
        ("protocol-cat", &["cat", "a.b", "icon.png"]),
        ("protocol-run", &["run", "a.b"]),
        ("protocol-put-blob", &["put-blob", "data.csv"]),
        ("protocol-get-blob", &["get-blob", "blob:1"]),
        ("protocol-guide", &["guide"]),
    ];
    for (schema, arguments) in cases {
        let run = protocol(&server, arguments).arguments(&["--json"]).in_directory(tree.path());
        let ended = run.run();
        assert_eq!(ended.code, 0, "{}", ended.show());
        let value = of_schema(&ended, schema);
        assert_eq!(value["server"], endpoint(&server), "{value:#}");
    }
}

#[test]
fn the_endpoint_is_beside_that_of_mcp_and_gets_the_token() {
    let server = server();
    for url in [format!("http://{}", server.address), server.url(), endpoint(&server)] {
        let run = Dibber::new(["protocol", "guide", "--server", &url]);
        let ended = run.env("DIBBER_TOKEN", "tok_0123456789").run();
        assert_eq!(ended.code, 0, "{}", ended.show());
    }
    let other = format!("http://{}/skills/v1", server.address);
    assert_eq!(Dibber::new(["protocol", "guide", "--server", &other]).run().code, 0);
    let seen = server.seen();
    let lines: Vec<_> = seen.iter().map(|request| request.line.as_str()).collect();
    let rpc = "POST /rpc HTTP/1.1";
    assert_eq!(lines, [rpc, rpc, rpc, "POST /skills/v1 HTTP/1.1"]);
    assert_eq!(seen[0].header("authorization"), Some("bearer tok_0123456789"));
    assert_eq!(seen[3].header("authorization"), None);
}

#[test]
fn a_server_without_a_url_is_explained() {
    let ended = Dibber::new(["protocol", "list"]).env("COLUMNS", "80").run();
    insta::assert_snapshot!("no_url", ended.show());
    let ended = Dibber::new(["protocol", "list", "--server", "http://example.invalid/rpc"])
        .env("DIBBER_TOKEN", "tok_0123456789")
        .run();
    assert_eq!(ended.code, 2, "{}", ended.show());
    assert!(ended.stderr.contains("not encrypted"), "{}", ended.show());
}

#[test]
fn what_is_typed_is_checked_before_anything_is_sent() {
    let (server, tree) = (server(), Tree::new());
    tree.write("code.py", b"def main(args): pass\n");
    tree.write("list.json", b"[1]");
    let cases: [&[&str]; 7] = [
        &["run", "a.b", "--args", "date"],
        &["run", "a.b", "--args", "date:=x"],
        &["run", "a.b", "--args-json", "list.json"],
        &["run", "a.b", "--blob-file", "missing"],
        &["code", "-", "--args-json", "-"],
        &["put-blob", "code.py", "--mime", "python"],
        &["get-blob", "blob:1", "--head", "1", "--tail", "1"],
    ];
    for arguments in cases {
        let ended = protocol(&server, arguments).in_directory(tree.path()).run();
        assert_eq!(ended.code, 2, "{arguments:?}: {}", ended.show());
    }
    assert!(server.seen().is_empty(), "{:?}", server.seen());
}

#[cfg(unix)]
#[test]
fn a_terminal_gets_text_alone() {
    let (server, tree) = (server(), Tree::new());
    let url = endpoint(&server);
    let run = |arguments: &[&str]| {
        let arguments = [&["protocol"], arguments, &["--server", &url]].concat();
        Terminal::start(tree.path(), &tree, &arguments).end()
    };
    let (shown, code) = run(&["cat", "a.b", "icon.png"]);
    assert!(code == 2 && shown.contains("`--output FILE` saves it"), "{code}: {shown}");
    let (shown, code) = run(&["cat", "a.b"]);
    assert!(code == 0 && shown.contains("# Countdown\\r"), "{code}: {shown}");
}
