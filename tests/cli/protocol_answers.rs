//! `dibber protocol`: answers whose meaning has to be told apart, and blobs that have to be whole.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::support::Tree;
use crate::support::command::{Dibber, Ended};
use crate::support::fake_server::{Fake, Reply, Request};

/// How many bytes the servers of these tests send at once.
const PART_BYTES: usize = 1000;

fn run(server: &Fake, arguments: &[&str]) -> Ended {
    let url = format!("http://{}/rpc", server.address);
    Dibber::new(["protocol"]).arguments(arguments).arguments(&["--server", &url]).run()
}

fn always(reply: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Fake {
    Fake::new(move |request| Some(reply(request)))
}

fn answering(result: Value) -> Fake {
    always(move |request| request.result(&result))
}

#[test]
fn words_of_other_servers_for_success_are_success() {
    for word in ["completed", "success", "succeeded", "ok", "done", "COMPLETED", "Finished"] {
        let server = answering(json!({"status": word, "output": 7}));
        let ended = run(&server, &["run", "a.b"]);
        assert_eq!((ended.code, &*ended.stdout), (0, "7\n"), "{word}: {}", ended.show());
    }
}

#[test]
fn words_of_other_servers_for_failure_are_failure() {
    for word in ["failed", "error", "timed_out", "Timed Out", "cancelled", "CANCELED"] {
        let ended = run(&answering(json!({"status": word})), &["run", "a.b"]);
        assert_eq!(ended.code, 8, "{word}: {}", ended.show());
    }
}

/// A script that repeats a run after 8 must not repeat one that is still to come.
#[test]
fn a_run_that_has_not_ended_has_an_unknown_outcome() {
    for word in ["queued", "running", "pending", "in-progress", "ACCEPTED"] {
        let ended = run(&answering(json!({"status": word, "run_id": "r1"})), &["run", "a.b"]);
        assert_eq!(ended.code, 7, "{word}: {}", ended.show());
        let words =
            format!("the run has not ended: its status is `{word}`\nhelp: it may still run");
        assert!(ended.stderr.contains(&words), "{}", ended.show());
    }
}

#[test]
fn an_unknown_status_is_an_unknown_outcome() {
    let ended = run(&answering(json!({"status": "purple", "output": 7})), &["run", "a.b"]);
    assert_eq!((ended.code, &*ended.stdout), (7, "7\n"), "{}", ended.show());
    assert!(ended.stderr.contains("dibber does not know the status `purple`"), "{}", ended.show());
    let both = json!({"status": "completed", "output": 7, "error": {"message": "no disk"}});
    let ended = run(&answering(both), &["run", "a.b"]);
    assert_eq!((ended.code, &*ended.stdout), (7, "7\n"), "{}", ended.show());
    assert!(ended.stderr.contains("no disk"), "{}", ended.show());
}

#[test]
fn a_result_is_not_thrown_away_for_a_field_beside_it() {
    let wrong = json!({
        "status": "completed", "output": 1, "run_id": 7, "summary": [], "output_blobs": "x",
        "logs_preview": {}, "error": null,
    });
    let ended = run(&answering(wrong.clone()), &["run", "a.b"]);
    assert_eq!((ended.code, &*ended.stdout), (0, "1\n"), "{}", ended.show());
    assert!(ended.stderr.contains("in the answer of the server, `summary` is"), "{}", ended.show());
    let ended = run(&answering(wrong), &["run", "a.b", "--json"]);
    assert_eq!(ended.code, 0, "{}", ended.show());
    let ended = run(&answering(json!({"output": 1})), &["run", "a.b"]);
    assert_eq!((ended.code, &*ended.stdout), (7, "1\n"), "{}", ended.show());
}

/// A run cannot be repeated to see what it returned.
#[test]
fn an_output_is_printed_as_it_came() {
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    for output in [
        r#"{"n":123456789012345678901234567890}"#,
        "[18446744073709551616,100000000000000000000,-9223372036854775809]",
        r#"{"pi": 3.141592653589793238462643383279, "z": 1, "a": 1e-400}"#,
        r#"{"a":1,"a":2}"#,
        r#""a\ud83db""#,
        "[1,1e400]",
        &deep,
    ] {
        let answer = output.to_owned();
        let server = always(move |request| {
            let id = &request.message["id"];
            let run = format!(r#"{{"status":"completed","run_id":"run_1","output":{answer}}}"#);
            Reply::json(200, format!("\u{feff}{{\"id\":{id},\"result\":{run}}}"))
        });
        let ended = run(&server, &["run", "a.b"]);
        assert_eq!((ended.code, ended.stdout.trim_end()), (0, output), "{}", ended.show());
        let ended = run(&server, &["run", "a.b", "--json"]);
        assert_eq!(ended.code, 0, "{}", ended.show());
        assert!(ended.stdout.contains(&format!("\"output\": {output},")), "{}", ended.stdout);
    }
}

/// The output may be under another name.
#[test]
fn what_is_beside_a_missing_output_is_named() {
    let ended = run(&answering(json!({"status": "completed", "result": 7})), &["run", "a.b"]);
    assert_eq!((ended.code, &*ended.stdout), (0, "null\n"), "{}", ended.show());
    assert!(ended.stderr.contains("`result` is ignored"), "{}", ended.show());
}

#[test]
fn a_run_that_returns_nothing_prints_null() {
    for result in [json!({"status": "completed"}), json!({"status": "ok", "output": null})] {
        assert_eq!(run(&answering(result), &["run", "a.b"]).stdout, "null\n");
    }
    let in_blob = json!({"status": "completed", "output_blobs": ["blob:1"]});
    assert_eq!(run(&answering(in_blob), &["run", "a.b"]).stdout, "");
}

#[test]
fn text_goes_to_a_program_as_it_is() {
    let text = "ret \u{1b}[31mred\u{7}\r\n";
    let server = answering(json!({"status": "completed", "output": text}));
    assert_eq!(run(&server, &["run", "a.b"]).stdout, text);
}

#[test]
fn an_answer_with_a_result_and_an_error_may_have_run() {
    let server = always(|request| {
        let error = json!({"code": -32602, "message": "no"});
        let id = &request.message["id"];
        Reply::json(200, json!({"id": id, "result": {"status": "ok"}, "error": error}).to_string())
    });
    assert_eq!(run(&server, &["run", "a.b"]).code, 7);
}

/// A server that closes a connection after its answer does so without a word.
#[test]
fn no_call_is_sent_over_a_connection_that_was_used() {
    let tree = Tree::new();
    let file = tree.path().join("one.txt");
    std::fs::write(&file, "one").expect("a file");
    let server = always(|request| match request.method() {
        // The connection ends after the last byte.
        "create_blob" => request.result(&json!({"blob_id": "blob:1"})).closed(),
        _ => request.result(&json!({"status": "completed", "output": 7})),
    });
    for _ in 0..5 {
        let file = file.to_str().expect("UTF-8");
        let ended = run(&server, &["run", "a.b", "--blob-file", file, "--blob-file", file]);
        assert_eq!(ended.code, 0, "{}", ended.show());
    }
}

/// A server with a blob; `offset` is what it makes of the parameter.
fn blob_server(bytes: Vec<u8>, offset: fn(u64) -> usize) -> Fake {
    let bytes = Arc::new(bytes);
    always(move |request| {
        let params = &request.message["params"];
        let from = offset(params["offset"].as_u64().unwrap_or_default()).min(bytes.len());
        let length = params["max_bytes"].as_u64().unwrap_or(u64::MAX).min(PART_BYTES as u64);
        let length = usize::try_from(length).expect("small");
        let part = &bytes[from..bytes.len().min(from + length)];
        request.result(&json!({
            "blob_id": params["blob_id"], "mode": params["mode"], "encoding": "utf-8",
            "content": String::from_utf8_lossy(part), "size_bytes": bytes.len(),
            "truncated": from + part.len() < bytes.len(),
        }))
    })
}

fn save(server: &Fake) -> (Ended, Option<Vec<u8>>) {
    let tree = Tree::new();
    let file = tree.path().join("saved");
    let ended = run(server, &["get-blob", "blob:1", "--output", file.to_str().expect("UTF-8")]);
    (ended, std::fs::read(&file).ok())
}

#[test]
fn a_large_blob_is_read_in_parts() {
    let offset = |offset| usize::try_from(offset).expect("small");
    for bytes in [vec![b'0'; 3 * PART_BYTES], (b'a'..=b'w').cycle().take(3500).collect()] {
        let server = blob_server(bytes.clone(), offset);
        let (ended, saved) = save(&server);
        assert_eq!(ended.code, 0, "{}", ended.show());
        assert!(saved.as_ref() == Some(&bytes));
        let ended = run(&server, &["get-blob", "blob:1", "--full"]);
        assert!(ended.raw == bytes, "{}", ended.code);
        let ended = run(&server, &["get-blob", "blob:1", "--full", "--json"]);
        let json: Value = serde_json::from_str(&ended.stdout).expect("JSON");
        assert_eq!(json["content"].as_str().map(str::len), Some(bytes.len()));
        assert_eq!(json["truncated"], false);
    }
}

#[test]
fn a_server_that_ignores_the_offset_is_noticed() {
    for bytes in [vec![b'0'; 3 * PART_BYTES], (b'a'..=b'w').cycle().take(3500).collect()] {
        let (ended, saved) = save(&blob_server(bytes.clone(), |_| 0));
        assert_eq!((ended.code, saved), (6, None), "{}", ended.show());
        let sent = format!("sends only 1000 of the {} bytes", bytes.len());
        assert!(ended.stderr.contains(&sent), "{}", ended.show());
    }
}

#[test]
fn a_blob_of_another_size_is_not_saved() {
    let cases = [
        json!({"content": "abc", "size_bytes": 10, "truncated": false}),
        json!({"content": "abc", "size_bytes": 2}),
        json!({"preview": "\u{fffd}\u{fffd}", "size_bytes": 2, "truncated": false}),
        json!({"preview": "abc"}),
        json!({"content": "", "size_bytes": 9, "truncated": true}),
        json!({"content": "abc", "blob_id": "blob:2"}),
    ];
    for case in cases {
        let (ended, saved) = save(&answering(case.clone()));
        assert_eq!((ended.code, saved), (6, None), "{case}: {}", ended.show());
        let ended = run(&answering(case.clone()), &["get-blob", "blob:1", "--full"]);
        assert_eq!((ended.code, &*ended.stdout), (6, ""), "{case}: {}", ended.show());
    }
    let (ended, saved) = save(&answering(json!({"preview": "abc", "size_bytes": 3})));
    assert_eq!((ended.code, saved), (0, Some(b"abc".to_vec())), "{}", ended.show());
}

fn save_part(server: &Fake, part: &[&str]) -> (Ended, Option<Vec<u8>>) {
    let tree = Tree::new();
    let file = tree.path().join("saved");
    let mut arguments = vec!["get-blob", "blob:1", "--output", file.to_str().expect("UTF-8")];
    arguments.extend(part);
    (run(server, &arguments), std::fs::read(&file).ok())
}

#[test]
fn a_part_is_saved_as_it_was_asked_for_or_not_at_all() {
    let bytes: Vec<u8> = (b'a'..=b'w').cycle().take(3500).collect();
    let server = blob_server(bytes.clone(), |offset| usize::try_from(offset).expect("small"));
    let (ended, saved) = save_part(&server, &["--head", "2500"]);
    assert!(saved.as_deref() == Some(&bytes[..2500]), "{}", ended.show());
    let text = "x".repeat(300);
    let cases = [
        (json!({"content": text, "size_bytes": 1000, "truncated": false}), "--head"),
        (json!({"content": text, "size_bytes": 1000, "truncated": true}), "--tail"),
        (json!({"content": text, "truncated": true}), "--tail"),
        (json!({"content": "x".repeat(600), "size_bytes": 1000}), "--head"),
        (json!({"content": "x".repeat(500), "size_bytes": 400}), "--head"),
        (json!({"preview": "\u{fffd}".repeat(166), "size_bytes": 1000}), "--head"),
        (json!({"content": "", "size_bytes": 1000}), "--tail"),
        (json!({"content": "x".repeat(500), "size_bytes": 500, "blob_id": "blob:2"}), "--head"),
    ];
    for (case, part) in cases {
        let (ended, saved) = save_part(&answering(case.clone()), &[part, "500"]);
        assert_eq!((ended.code, saved), (6, None), "{case}: {}", ended.show());
    }
    for size in [500, 1000] {
        let case = json!({"content": "x".repeat(500), "size_bytes": size});
        let (ended, saved) = save_part(&answering(case), &["--tail", "500"]);
        assert_eq!((ended.code, saved.map(|saved| saved.len())), (0, Some(500)));
    }
}

#[test]
fn a_blob_of_the_parts_of_two_is_not_saved() {
    let cases = [
        (json!({"blob_id": "blob:2"}), "of another blob, `blob:2`"),
        (json!({"size_bytes": 3001}), "its size changes from 3000 to 3001"),
        (json!({"kind": "image/png"}), "its type changes"),
        (json!({"content": "x".repeat(2001)}), "its parts have 3001 bytes"),
        (json!({"mode": "sample_tail"}), "not the one that was asked for"),
    ];
    for (change, words) in cases {
        let server = always(move |request| {
            let from = request.message["params"]["offset"].as_u64().unwrap_or_default();
            let part = if from == 0 { "y" } else { "x" };
            let mut answer = json!({
                "blob_id": "blob:1", "kind": "text/plain", "content": part.repeat(1000),
                "size_bytes": 3000, "truncated": from < 2000,
            });
            if from == 1000 {
                let change = change.as_object().expect("an object").clone();
                answer.as_object_mut().expect("an object").extend(change);
            }
            request.result(&answer)
        });
        for part in [&[][..], &["--head", "2500"]] {
            let (ended, saved) = save_part(&server, part);
            assert_eq!((ended.code, saved), (6, None), "{words}: {}", ended.show());
            let stderr = ended.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(stderr.contains(words), "{words}: {}", ended.show());
        }
    }
}

#[test]
fn a_file_of_another_size_is_not_printed() {
    let ended = run(&answering(json!({"content": "abc", "size_bytes": 10})), &["cat", "a.b"]);
    assert_eq!((ended.code, &*ended.stdout), (6, ""), "{}", ended.show());
}

#[test]
fn what_another_name_has_is_warned_about() {
    let skill = answering(json!({"skill": {"name": "other.skill"}}));
    let ended = run(&skill, &["describe", "a.b"]);
    assert!(
        ended.stderr.contains("warning: the server describes `other.skill`"),
        "{}",
        ended.show()
    );
    let file = answering(json!({"path": "/etc/passwd", "content": "x"}));
    let ended = run(&file, &["cat", "a.b"]);
    assert!(
        ended.stderr.contains("warning: the server has sent `/etc/passwd`"),
        "{}",
        ended.show()
    );
}

#[test]
fn errors_of_refused_calls_match_their_schema() {
    let schema = Dibber::new(["schema", "error"]).run().stdout;
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    let schema = jsonschema::draft202012::new(&schema).expect("a schema");
    let data = json!({"reason": "CURSOR_INVALID", "help": "begin anew"});
    let servers = [
        always(move |request| request.error_with(-32602, "no", &data)),
        always(|request| request.error(-32601, "no")),
        always(|request| request.error_with(-32602, "", &json!("text"))),
    ];
    for server in servers {
        for arguments in [&["list", "--json"][..], &["run", "a.b", "--json"]] {
            let ended = run(&server, arguments);
            let json: Value = serde_json::from_str(&ended.stdout).expect("JSON");
            if let Err(error) = schema.validate(&json) {
                panic!("{error}: {json:#}");
            }
            assert!(json["error"]["serverError"]["code"].is_string(), "{json:#}");
        }
    }
}

#[test]
fn a_file_of_another_skill_is_noticed() {
    let server = answering(json!({"content": "abc", "name": "c.d"}));
    let ended = run(&server, &["cat", "a.b"]);
    assert_eq!((ended.code, &*ended.stdout), (0, "abc"), "{}", ended.show());
    assert!(ended.stderr.contains("a file of `c.d` instead of `a.b`"), "{}", ended.show());
}

#[test]
fn no_more_skills_are_listed_than_were_asked_for() {
    let skills: Vec<Value> = (0..30).map(|number| json!({"name": format!("a.{number}")})).collect();
    let server = answering(json!({"skills": skills, "next_cursor": "x"}));
    let ended = run(&server, &["list", "--limit", "20"]);
    assert_eq!((ended.code, ended.stdout.lines().count()), (0, 20), "{}", ended.show());
    assert!(ended.stderr.contains("10 skills are left out"), "{}", ended.show());
    assert!(!ended.stderr.contains("--cursor"), "{}", ended.show());
}

#[test]
fn an_incomplete_list_is_printed_and_said_to_be_one() {
    let server = always(|request| {
        let page = request.message["params"]["cursor"].as_str().unwrap_or("0").to_owned();
        if page == "2" {
            return request.error(-32602, "bad cursor");
        }
        let next = page.parse::<u8>().expect("a number") + 1;
        request.result(&json!({
            "skills": [{"name": format!("a.n{page}")}], "next_cursor": next.to_string(),
        }))
    });
    let ended = run(&server, &["list", "--all"]);
    assert_eq!((ended.code, &*ended.stdout), (3, "a.n0\na.n1\n"), "{}", ended.show());
    assert!(ended.stderr.contains("bad cursor"), "{}", ended.show());
    assert!(ended.stderr.contains("incomplete"), "{}", ended.show());
    let ended = run(&server, &["list", "--all", "--json"]);
    let json: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let listed = (ended.code, json["items"].as_array().map(Vec::len), &json["nextCursor"]);
    assert_eq!(listed, (3, Some(2), &json!("2")), "{}", ended.show());
}

#[test]
fn a_refused_run_says_how_its_files_are_used_again() {
    let server = always(|request| match request.message["method"].as_str() {
        Some("create_blob") => request.result(&json!({"blob_id": "blob:new"})),
        _ => request.error(-32602, "no such skill"),
    });
    let tree = Tree::new();
    tree.write("data.txt", b"abc");
    let file = tree.path().join("data.txt");
    let arguments = ["run", "a.b", "--blob-file", file.to_str().expect("UTF-8")];
    for arguments in [&arguments[..], &[&arguments[..], &["--json"]].concat()] {
        let ended = run(&server, arguments);
        assert_eq!(ended.code, 3, "{}", ended.show());
        let shown = ended.show();
        assert!(shown.contains("`--blob blob:new` uses them again"), "{shown}");
    }
}

#[test]
fn the_beginning_of_a_documentation_ends_at_a_word() {
    let text = "Counted words. ".repeat(40);
    let text: String = text.chars().take(500).collect();
    let server = answering(json!({"name": "a.b", "documentation": text}));
    let ended = run(&server, &["describe", "a.b"]);
    assert!(ended.stdout.trim_end().ends_with(" words. …"), "{}", ended.show());
    assert!(ended.stderr.contains("` prints all of its SKILL.md"), "{}", ended.show());
    let ended = run(&server, &["describe", "a.b", "--detail", "full"]);
    assert!(!ended.show().contains('…'), "{}", ended.show());
}
