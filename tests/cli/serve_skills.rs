//! `dibber serve --skills`: the Skills Protocol on the wire.

use std::io::Write as _;

use serde_json::{Value, json};

use crate::support::Tree;
use crate::support::command::Dibber;
use crate::support::server_process::{Serving, serve};
use crate::support::skill_server::{SkillServer, refusal, request, write_skill, write_skills};

#[test]
fn calls_are_answered_with_their_ids() {
    let server = SkillServer::start(&[]);
    let guide = r#"{"jsonrpc":"2.0","id":ID,"method":"load_skills_protocol_guide"}"#;
    for id in ["1", "-1", "1.50", "1e400", "123456789012345678901234567890", "null", "\"a\\u00e9\""]
    {
        let answer = server.post(guide.replace("ID", id));
        assert!(answer.body.contains(&format!("\"id\":{id},")), "{id}: {}", answer.body);
        assert_eq!(answer.status, 200);
    }
    // Members that JSON-RPC does not have are ignored, and null parameters are none.
    let odd =
        r#" {"params":null,"\u006dethod":"list_skills","x":{"id":1},"id":"b","jsonrpc":"2.0"} "#;
    assert_eq!(server.post(odd).json()["id"], "b");
}

#[test]
fn batches_are_answered_in_their_order_and_notifications_not_at_all() {
    let server = SkillServer::start(&[]);
    let call = |id: usize| json!({"jsonrpc": "2.0", "id": id, "method": "list_skills", "params": {"limit": 1}});
    let notification = |method: &str| json!({"jsonrpc": "2.0", "method": method});
    let create = json!({"jsonrpc": "2.0", "method": "create_blob",
                        "params": {"content": "a", "kind": "text/plain"}});
    let batch =
        json!([call(3), notification("list_skills"), 1, call(2), notification("none"), call(1)]);
    let answers = server.post(batch.to_string()).json();
    let ids: Vec<_> =
        answers.as_array().expect("a list").iter().map(|it| it["id"].clone()).collect();
    assert_eq!(Value::from(ids), json!([3, null, 2, 1]));
    assert_eq!(refusal(&answers[1]), "-32600 NOT_A_REQUEST");
    for silent in [
        notification("list_skills"),
        notification("execute_skill"),
        create.clone(),
        json!([create, notification("run_code")]),
    ] {
        let answer = server.post(silent.to_string());
        assert_eq!((answer.status, answer.body.as_str()), (204, ""), "{silent}");
    }
    let fifty: Vec<_> = (0..50).map(call).collect();
    assert_eq!(server.post(json!(fifty).to_string()).json().as_array().map(Vec::len), Some(50));
    let more: Vec<_> = (0..51).map(call).collect();
    for batch in [json!(more), json!([])] {
        assert_eq!(refusal(&server.post(batch.to_string()).json()), "-32600 BATCH_SIZE");
    }
    let log = server.serving;
    log.signal("TERM");
    let (_, log) = log.ended();
    // What notifications would have run or created is not there, and the log says why.
    assert!(
        log.contains("method=\"create_blob\"") && log.contains("NOTIFICATION_REFUSED"),
        "{log}"
    );
    assert!(!log.contains("text/plain"), "{log}");
}

#[test]
fn what_is_no_call_is_an_error_with_its_code() {
    let server = SkillServer::start(&[]);
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let deep_parameter = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"execute_skill","params":{{"name":"math.add","args":{{"a":{deep}}}}}}}"#
    );
    let many = format!("[{}1]", "[],".repeat(500_000));
    let cases: &[(&[u8], &str)] = &[
        (b"", "-32700 NOT_JSON"),
        (b"{", "-32700 NOT_JSON"),
        (b"{} {}", "-32700 NOT_JSON"),
        (b"\xEF\xBB\xBF{}", "-32700 NOT_JSON"),
        (b"\xFF\xFE{\x00}\x00", "-32700 NOT_JSON"),
        (b"{\"a\":\"\x00\"}", "-32700 NOT_JSON"),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"list_skills\"}\0", "-32700 NOT_JSON"),
        (b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"list_skills\"},", "-32700 NOT_JSON"),
        (b"{'jsonrpc':'2.0'}", "-32700 NOT_JSON"),
        (b"{\"id\":NaN}", "-32700 NOT_JSON"),
        (b"{}", "-32600 NOT_A_REQUEST"),
        (b"null", "-32600 NOT_A_REQUEST"),
        (b"1e999", "-32600 NOT_A_REQUEST"),
        (b"{\"jsonrpc\":2.0,\"id\":1,\"method\":\"list_skills\"}", "-32600 NOT_A_REQUEST"),
        (b"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"list_skills\"}", "-32600 NOT_A_REQUEST"),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1}", "-32600 NOT_A_REQUEST"),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":1}", "-32600 NOT_A_REQUEST"),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", "-32600 NOT_A_REQUEST"),
        (b"{\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"list_skills\"}", "-32600 NOT_A_REQUEST"),
        (b"{\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"list_skills\"}", "-32600 NOT_A_REQUEST"),
        (b"{\"jsonrpc\":\"2.0\",\"id\":\"\\ud800\",\"method\":\"list_skills\"}", "-32600 NOT_A_REQUEST"),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"list_skills\"}", "-32600 NOT_A_REQUEST"),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"list_skills\",\"\\u006dethod\":\"run_code\"}",
            "-32600 NOT_A_REQUEST",
        ),
        (b"{\"\\udc00\":1,\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"}", "-32600 NOT_A_REQUEST"),
        (many.as_bytes(), "-32600 BATCH_SIZE"),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"list_skill\"}", "-32601 UNKNOWN_METHOD"),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\"}", "-32601 UNKNOWN_METHOD"),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"rpc.discover\"}", "-32601 UNKNOWN_METHOD"),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"list_skills\",\"params\":[]}", "-32602 INVALID_PARAMS"),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"list_skills\",\"params\":1}", "-32602 INVALID_PARAMS"),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"list_skills\",\"params\":{\"limit\":1,\"limit\":2}}",
            "-32602 INVALID_PARAMS",
        ),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"list_skills\",\"params\":{\"cursor\":\"\\udead\"}}",
            "-32602 INVALID_PARAMS",
        ),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"list_skills\",\"params\":{\"limit\":1e999}}",
            "-32602 INVALID_PARAMS",
        ),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"execute_skill\",\"params\":{\"name\":\"math.add\",\
              \"args\":{\"a\":18446744073709551616,\"b\":0}}}",
            "-32602 INVALID_PARAMS",
        ),
        (deep.as_bytes(), "-32600 NOT_A_REQUEST"),
        (deep_parameter.as_bytes(), "-32602 INVALID_PARAMS"),
    ];
    for (body, expected) in cases {
        let answer = server.post(body);
        let shown = String::from_utf8_lossy(&body[..body.len().min(100)]);
        assert_eq!(answer.status, 200, "{shown}");
        let answer = answer.json();
        let answer = answer.get(0).unwrap_or(&answer);
        assert_eq!(refusal(answer), *expected, "{shown}: {answer}");
        assert_eq!(answer["jsonrpc"], "2.0");
    }
    assert_eq!(server.result("list_skills", &json!({}))["next_cursor"], Value::Null);
}

#[test]
fn each_method_refuses_with_a_reason() {
    let server = SkillServer::start(&[]);
    let page = server.result("list_skills", &json!({"limit": 1}));
    let cursor = page["next_cursor"].as_str().expect("a cursor");
    let two_times = json!({"timeout_ms": 1, "limits": {"timeout_ms": 2}});
    let with = |method: &str, params: Value, expected: &str| {
        let answer = server.call(method, &params);
        assert_eq!(refusal(&answer), expected, "{method} {params}: {answer}");
    };
    let mut code = json!({"language": "python", "code": "def main(args): return 1"});
    with("list_skills", json!({"detail": "all", "limit": "1"}), "-32602 INVALID_PARAMS");
    with("list_skills", json!({"limit": 201}), "-32602 INVALID_PARAMS");
    with("list_skills", json!({"cursor": "x"}), "-32602 INVALID_CURSOR");
    with("list_skills", json!({"cursor": cursor, "detail": "summary"}), "-32602 INVALID_CURSOR");
    with("describe_skill", json!({}), "-32602 INVALID_PARAMS");
    with("describe_skill", json!({"name": null}), "-32602 INVALID_PARAMS");
    with("describe_skill", json!({"name": "math.ad"}), "-32602 SKILL_NOT_FOUND");
    with(
        "describe_skill",
        json!({"name": "math.add", "version": "9.0.0"}),
        "-32602 VERSION_NOT_FOUND",
    );
    let file = |path: &str| json!({"name": "math.add", "path": path});
    with("read_skill_file", file("none"), "-32602 FILE_NOT_FOUND");
    with("read_skill_file", file("../math.add/SKILL.md"), "-32602 INVALID_PATH");
    with("read_skill_file", file("/etc/passwd"), "-32602 INVALID_PATH");
    with("read_skill_file", file("a\u{0}"), "-32602 INVALID_PATH");
    with("read_skill_file", file("large.bin"), "-32602 FILE_TOO_LARGE");
    with("execute_skill", json!({"name": "none"}), "-32602 SKILL_NOT_FOUND");
    with("execute_skill", json!({"name": "plain"}), "-32602 NOT_EXECUTABLE");
    with("execute_skill", json!({"name": "skills.protocol.guide"}), "-32602 NOT_EXECUTABLE");
    with(
        "execute_skill",
        json!({"name": "math.add", "args": {"a": "1"}}),
        "-32602 INVALID_ARGUMENTS",
    );
    with("execute_skill", json!({"name": "needs.network"}), "-32602 NETWORK_NOT_SUPPORTED");
    with("execute_skill", json!({"name": "needs.packages"}), "-32602 DEPENDENCIES_NOT_INSTALLED");
    with("execute_skill", json!({"name": "needs.secret"}), "-32602 SECRET_MISSING");
    let no_blob = json!({"name": "math.add", "args": {"a": 1, "b": 2},
                         "input_blobs": ["blob:0123456789abcdef0123456789abcdef"]});
    let answer = server.call("execute_skill", &no_blob);
    // Where nothing can be run, blobs are not looked for.
    let is_refused = ["-32602 BLOB_NOT_FOUND", "-32603 SANDBOX_UNAVAILABLE"];
    assert!(is_refused.contains(&refusal(&answer).as_str()), "{answer}");
    let mut times = two_times.clone();
    times["name"] = "family.dates.fail".into();
    with("execute_skill", times, "-32602 INVALID_PARAMS");
    with("run_code", json!({"language": "ruby", "code": ""}), "-32602 INVALID_PARAMS");
    code["mount_skills"] = json!(["none"]);
    with("run_code", code.clone(), "-32602 SKILL_NOT_FOUND");
    code["mount_skills"] = json!(["math.add@9.9.9"]);
    with("run_code", code.clone(), "-32602 VERSION_NOT_FOUND");
    code["mount_skills"] = json!(vec!["math.add"; 101]);
    with("run_code", code, "-32602 INVALID_PARAMS");
    let blob =
        |content: &str, kind: &str| json!({"content": content, "kind": kind, "encoding": "base64"});
    with("create_blob", blob("%", "text/plain"), "-32602 INVALID_PARAMS");
    with("create_blob", blob("", "text"), "-32602 INVALID_PARAMS");
    with("read_blob", json!({"blob_id": "x", "max_bytes": -1}), "-32602 INVALID_PARAMS");
    with("read_blob", json!({"blob_id": "blob:00"}), "-32602 BLOB_NOT_FOUND");
    // Nothing ran, so it is not an internal error, after which code may have begun.
    server.tree.write("data/secrets.toml", b"[secrets\n");
    with("execute_skill", json!({"name": "needs.secret"}), "-32602 SECRET_MISSING");
}

#[test]
fn every_problem_of_the_parameters_is_named_at_once_and_unknown_ones_are_ignored() {
    let server = SkillServer::start(&[]);
    let answer = server.call("run_code", &json!({"language": 1, "args": [], "timeout_ms": 0}));
    let issues = answer["error"]["data"]["issues"].as_array().expect("issues").clone();
    let paths: Vec<_> =
        issues.iter().map(|issue| issue["path"].as_str().expect("a path")).collect();
    assert_eq!(paths.len(), 4, "{answer}");
    for path in ["/language", "/args", "/timeout_ms", "/code"] {
        assert!(paths.contains(&path), "{path}: {answer}");
    }
    for (method, params) in [
        ("list_skills", json!({"nmespace": "x", "limit": null})),
        ("load_skills_protocol_guide", json!({"verbose": true})),
        ("describe_skill", json!({"name": "math.add", "versoin": "2"})),
    ] {
        let warnings = server.result(method, &params)["warnings"].clone();
        assert_eq!(warnings.as_array().map(Vec::len), Some(1), "{method}: {warnings}");
    }
    // A refusal may be due to what was ignored.
    for (method, params, meant) in [
        ("read_blob", json!({"id": "blob:1"}), "blob_id"),
        ("describe_skill", json!({"name": "math.none", "detial": "full"}), "detail"),
        ("execute_skill", json!({"name": "math.add", "arguments": {"a": 1}}), "args"),
    ] {
        let data = server.call(method, &params)["error"]["data"].clone();
        let expected = format!("did you mean `{meant}`?");
        assert!(data["warnings"][0].as_str().is_some_and(|it| it.ends_with(&expected)), "{data}");
    }
    let blobs = json!({"language": "python", "code": "", "input_blobs": ["blob:1"]});
    let refused = server.call("run_code", &blobs);
    if refusal(&refused) != "-32603 SANDBOX_UNAVAILABLE" {
        let error = &refused["error"];
        assert_eq!(error["message"], "`input_blobs/0` is not the id of a blob");
        assert_eq!(error["data"]["issues"][0]["path"], "/input_blobs/0");
    }
}

#[test]
fn a_token_that_only_reads_runs_and_creates_nothing() {
    let server = SkillServer::start(&[]);
    let data = server.serving.data.to_str().expect("a path").to_owned();
    let token = |scope: &str| {
        let file = server.tree.path().join(format!("{}.txt", scope.replace(':', "-")));
        let path = file.to_str().expect("a path");
        let issued =
            Dibber::new(["family", "token", "--data", &data, "--scope", scope, "--output", path])
                .run();
        assert_eq!(issued.code, 0, "{}", issued.show());
        std::fs::read_to_string(file).expect("a token").trim().to_owned()
    };
    let (reader, other) = (token("skill:read"), token("heartbeat:read"));
    let scope_missing = "-32602 SCOPE_MISSING";
    for (method, params) in [
        ("execute_skill", json!({"name": "math.add"})),
        ("run_code", json!({"language": "python", "code": ""})),
        ("create_blob", json!({"content": "", "kind": "text/plain"})),
    ] {
        assert_eq!(refusal(&server.call_as(&reader, method, &params)), scope_missing, "{method}");
    }
    assert!(server.call_as(&reader, "list_skills", &json!({}))["result"]["skills"].is_array());
    assert_eq!(refusal(&server.call_as(&other, "list_skills", &json!({}))), scope_missing);
    // A blob belongs to the token that has created it.
    let blob = server.result("create_blob", &json!({"content": "a", "kind": "text/plain"}));
    let read = json!({"blob_id": blob["blob_id"]});
    assert_eq!(refusal(&server.call_as(&reader, "read_blob", &read)), "-32602 BLOB_NOT_FOUND");
    assert_eq!(server.result("read_blob", &read)["content"], "a");
}

#[test]
fn a_request_that_is_no_message_has_a_status_of_its_own() {
    let server = SkillServer::start(&[]);
    let (head, token) = (server.head(&server.serving.token()), server.serving.token());
    let body = request("list_skills", &json!({}));
    let send = |head: &str| {
        let bytes = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
        server.serving.raw(bytes.as_bytes())
    };
    let get = send(
        &head.replacen("POST", "GET", 1).replace(&format!("Authorization: Bearer {token}\r\n"), ""),
    );
    assert_eq!((get.status, get.reason().as_str()), (405, "METHOD_NOT_ALLOWED"));
    assert_eq!(get.header("allow"), Some("post"));
    assert!(get.body.contains("JSON-RPC 2.0") && get.body.contains("/rpc"), "{}", get.body);
    let cases = [
        (head.replace("application/json", "text/plain"), 415, "NOT_JSON"),
        (head.replace(&token, "dib_0"), 401, "TOKEN_UNKNOWN"),
        (head.replace("Authorization", "X-Authorization"), 401, "TOKEN_MISSING"),
        (head.replace(&server.serving.address, "evil.example"), 403, "HOST_NOT_ALLOWED"),
        (format!("{head}Origin: https://evil.example\r\n"), 403, "ORIGIN_NOT_ALLOWED"),
        (head.replacen("/rpc", "/rpc/", 1), 404, "NO_SUCH_PATH"),
    ];
    for (head, status, reason) in cases {
        let answer = send(&head);
        assert_eq!((answer.status, answer.reason().as_str()), (status, reason), "{head}");
    }
    let charset = send(&head.replace("application/json", "Application/JSON; charset=utf-8"));
    assert_eq!(charset.status, 200);
    let large = server.post(vec![b' '; (5 << 20) + 1]);
    assert_eq!((large.status, large.reason().as_str()), (413, "BODY_TOO_LARGE"));
    // A batch whose end does not arrive is not begun.
    let mut cut = server.serving.connect();
    let batch = format!("[{body},{body}");
    let head = format!("{head}Content-Length: {}\r\n\r\n{batch}", batch.len() + 100);
    cut.write_all(head.as_bytes()).expect("it reads");
    drop(cut);
    server.serving.signal("TERM");
    let (_, log) = server.serving.ended();
    assert!(!log.contains("call of a batch"), "{log}");
}

#[test]
fn without_skills_there_is_no_endpoint() {
    let server = Serving::start();
    let head = server.head().replacen("/mcp", "/rpc", 1);
    let answer = server.raw(format!("{head}Content-Length: 2\r\n\r\n{{}}").as_bytes());
    assert_eq!((answer.status, answer.reason().as_str()), (404, "NO_SUCH_PATH"));
    assert!(answer.body.contains("--skills DIR"), "{}", answer.body);
}

#[test]
fn directories_are_named_in_the_configuration_and_must_exist() {
    let tree = Tree::new();
    write_skills(&tree);
    tree.write("skills/broken/skill.toml", b"name = 1\n");
    tree.write("data/dibber.toml", b"[server]\nskills = [\"../skills\"]\n");
    let data = tree.path().join("data");
    let listen = ["--listen", "127.0.0.1:0"];
    let serving = Serving::of(serve(&data, &listen), &data);
    let server = SkillServer { serving, tree };
    let skills = server.result("list_skills", &json!({}))["skills"].clone();
    assert_eq!(skills.as_array().map(Vec::len), Some(7), "{skills}");
    server.serving.signal("TERM");
    let (code, log) = server.serving.ended();
    assert_eq!(code, 0);
    assert!(log.contains("skills are served at http://") && log.contains("/rpc"), "{log}");
    assert!(log.contains("serving skills") && log.contains("a skill is skipped"), "{log}");
    let tree = server.tree;
    tree.write("data/dibber.toml", b"[server]\nskills = [\"../none\"]\n");
    let failed = |command: &mut std::process::Command| {
        let output = command.output().expect("it runs");
        assert!(!output.status.success());
        String::from_utf8(output.stderr).expect("text")
    };
    let missing = failed(&mut serve(&data, &listen));
    assert!(missing.contains("does not exist") && missing.contains("dibber.toml"), "{missing}");
    let missing = failed(&mut serve(&data, &["--skills", "none"]));
    assert!(missing.contains("the directory none does not exist"), "{missing}");
    tree.write("data/dibber.toml", b"");
    let none = failed(&mut serve(&data, &["--skill-tools"]));
    assert!(none.contains("there are no skills"), "{none}");
    // A project does not choose what a server runs.
    tree.write("project/dibber.toml", b"[server]\nskills = [\"skills\"]\n");
    let project = Dibber::new(["status"]).in_directory(&tree.path().join("project")).run();
    assert!(project.stderr.contains("`skills` is not allowed"), "{}", project.show());
}

#[test]
fn changes_of_files_count_without_a_restart() {
    let tree = Tree::new();
    write_skills(&tree);
    let server = SkillServer::over(tree, &[]);
    write_skill(&server.tree, "math.new", "", "def main(args):\n    return 1\n");
    let found = (0..600).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        server.call("describe_skill", &json!({"name": "math.new"})).get("result").is_some()
    });
    assert!(found, "the new skill is not served");
}

#[test]
fn answers_are_of_the_published_schema() {
    let server = SkillServer::start(&[]);
    let printed = Dibber::new(["schema", "skills-protocol"]).run();
    let mut schema: Value = serde_json::from_str(&printed.stdout).expect("JSON");
    let blob = server.result("create_blob", &json!({"content": "a", "kind": "text/plain"}));
    let calls = [
        ("list_skills", json!({"detail": "summary", "x": 1})),
        ("describe_skill", json!({"name": "math.add", "detail": "full"})),
        ("read_skill_file", json!({"name": "math.add", "path": "SKILL.md"})),
        ("execute_skill", json!({"name": "family.dates.fail"})),
        ("run_code", json!({"language": "python", "code": "def main(args): return [1]"})),
        ("create_blob", json!({"content": "AA==", "kind": "a/b", "encoding": "base64"})),
        ("read_blob", json!({"blob_id": blob["blob_id"]})),
        ("load_skills_protocol_guide", json!({})),
        ("run_code", json!({})),
        ("none", json!({})),
    ];
    for (method, params) in calls {
        let answer = server.call(method, &params);
        if answer.get("result").is_some() {
            schema["properties"]["result"] = json!({"$ref": format!("#/$defs/{method}")});
        }
        let validator = jsonschema::validator_for(&schema).expect("a schema");
        let problems: Vec<_> =
            validator.iter_errors(&answer).map(|error| error.to_string()).collect();
        assert!(problems.is_empty(), "{method}: {problems:#?}\n{answer:#}");
    }
}

/// A content that is larger than a message may be is stored while it arrives.
#[test]
fn a_large_blob_is_a_single_call() {
    let server = SkillServer::start(&[]);
    let text = "é\"\n🌱".repeat(1 << 20);
    let created = |params: Value, id: &str| {
        let message =
            format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"create_blob","params":{params}}}"#);
        server.post(message)
    };
    let params = json!({"content": text, "kind": "text/plain", "knd": 1});
    let answer = created(params.clone(), "1e2");
    assert!(answer.body.contains("\"id\":1e2,"), "{}", answer.body);
    let result = answer.json()["result"].clone();
    assert_eq!(result["size_bytes"], text.len(), "{result}");
    assert_eq!(result["warnings"].as_array().map(Vec::len), Some(1));
    let tail = json!({"blob_id": result["blob_id"], "mode": "sample_tail", "max_bytes": 8});
    assert_eq!(server.result("read_blob", &tail)["content"], "é\"\n🌱");
    // 6 MiB of zeroes, in base64.
    let zeroes = json!({"encoding": "base64", "kind": "a/b", "content": "AAAA".repeat(2 << 20)});
    assert_eq!(created(zeroes, "1").json()["result"]["size_bytes"], 6 << 20);
    for (params, expected) in [
        (json!({"content": text, "kind": "text"}), "-32602 INVALID_PARAMS"),
        (json!({"content": text}), "-32602 INVALID_PARAMS"),
        (
            json!({"content": "A%AA".repeat(2 << 20), "kind": "a/b", "encoding": "base64"}),
            "-32602 INVALID_PARAMS",
        ),
    ] {
        assert_eq!(refusal(&created(params, "1").json()), expected);
    }
    let whole = created(params.clone(), "1").json()["result"]["blob_id"].clone();
    assert!(whole.is_string());
    let message = request("create_blob", &params);
    for broken in [
        message.replace("🌱\"", "\u{1}\""),
        message.replace("🌱\"", "\\ud800\""),
        message.trim_end_matches('}').to_owned(),
        format!("{message}{{"),
    ] {
        assert_eq!(refusal(&server.post(broken).json()), "-32700 NOT_JSON");
    }
    let silent = message.replace("\"id\":1,", "");
    assert_eq!(server.post(silent).status, 204);
    // Everything else is too large, also for those who may create no blob.
    let code = request("run_code", &json!({"language": "python", "code": text}));
    for other in [format!("[{message}]"), message.replace("create_blob", "list_skills"), code] {
        let answer = server.post(other);
        assert_eq!((answer.status, answer.reason().as_str()), (413, "BODY_TOO_LARGE"));
    }
    let files = || {
        let blobs = std::fs::read_dir(server.serving.data.join("blobs")).expect("a directory");
        let store = blobs.flatten().next().expect("a directory").path();
        let files = std::fs::read_dir(store).expect("a directory").flatten();
        files.filter(|file| file.metadata().is_ok_and(|it| it.len() > 1 << 20)).count()
    };
    assert_eq!(files(), 3);
}

/// What a batch has created is answered, although what it reads as well is too large.
#[test]
fn an_answer_that_is_too_large_for_its_batch_is_refused_by_itself() {
    let server = SkillServer::start(&[]);
    // Six bytes for each of these in JSON.
    let content = "\u{1}".repeat(3 << 20);
    let id = server.result("create_blob", &json!({"content": content, "kind": "text/plain"}));
    let read = json!({"blob_id": id["blob_id"], "mode": "full"});
    let create = json!({"content": "a", "kind": "text/plain"});
    let batch = [request("create_blob", &create), request("read_blob", &read)].join(",");
    let answer = server.post(format!("[{batch}]"));
    assert_eq!(answer.status, 200, "{}", answer.body.len());
    let answers = answer.json();
    assert!(answers[0]["result"]["blob_id"].is_string(), "{answers}");
    assert_eq!(refusal(&answers[1]), "-32600 BATCH_SIZE");
    assert_eq!(server.result("read_blob", &read)["size_bytes"], 3 << 20);
}
