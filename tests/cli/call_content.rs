//! `dibber call` of tools of any MCP server: every kind of content, and errors of every kind.

use std::fs;

use serde_json::{Map, Value, json};

use crate::support::Tree;
use crate::support::command::Dibber;
use crate::support::fake_server::{Fake, Request};
#[cfg(unix)]
use crate::support::terminal::Terminal;

/// The tools: one changes something, the other does not.
fn tools() -> Value {
    json!([
        {"name": "draw", "inputSchema": {"type": "object"}},
        {
            "name": "look", "inputSchema": {"type": "object"},
            "annotations": {"readOnlyHint": true},
        },
    ])
}

fn answering(result: Value) -> Fake {
    Fake::new(move |request| Some(request.usual(&tools(), &result)))
}

fn shown(server: &Fake, arguments: &[&str]) -> String {
    let run = Dibber::new(["call"]).env("COLUMNS", "80");
    run.arguments(arguments).arguments(&["--server", &server.url()]).run().show()
}

fn content(blocks: &Value) -> Value {
    json!({"resultType": "complete", "content": blocks})
}

/// Every kind of block, and one that no revision of the protocol has.
fn every_block() -> Value {
    json!([
        {"type": "text", "text": "first\nsecond"},
        {"type": "text", "text": "{\"a\": 1}"},
        {"type": "image", "data": "iVBORw0=", "mimeType": "image/png"},
        {"type": "hologram", "x": 1},
        {"type": "audio", "data": "AAAA", "mimeType": "audio/wav; rate=1"},
        {"type": "resource_link", "uri": "file:///x", "name": "x", "mimeType": "text/plain"},
        {"type": "resource", "resource": {"uri": "demo://1", "text": "embedded"}},
        {"type": "resource", "resource":
            {"uri": "demo://2", "blob": "AQID", "mimeType": "application/../x"}},
        {"type": "image", "data": "no base64!", "mimeType": "image/png"},
    ])
}

#[test]
fn every_block_is_shown() {
    let server = answering(content(&every_block()));
    insta::assert_snapshot!("every_block", shown(&server, &["draw"]));
}

/// A tool that changes something may have done it.
#[test]
fn content_that_is_not_a_list_is_a_protocol_error() {
    let server = answering(content(&json!("nope")));
    for (tool, code) in [("look", 6), ("draw", 7)] {
        let ended = Dibber::new(["call", tool, "--server", &server.url()]).run();
        let expected = "the content of the tool's result is not a list";
        assert!(ended.stderr.contains(expected), "{}", ended.show());
        assert_eq!(ended.code, code, "{}", ended.show());
    }
}

#[test]
fn bytes_are_saved_as_new_files() {
    let server = answering(content(&every_block()));
    let tree = Tree::new();
    let directory = tree.path().join("out");
    let path = directory.to_string_lossy().into_owned();
    let run = || shown(&server, &["draw", "--output", &path]).replace(&path, "DIR");
    insta::assert_snapshot!("every_block_saved", run());
    assert_eq!(fs::read(directory.join("image-3.png")).expect("a file"), b"\x89PNG\r");
    fs::write(directory.join("image-3.png"), "mine").expect("written");
    assert!(run().contains("saved as DIR/image-4.png"));
    assert_eq!(fs::read(directory.join("image-3.png")).expect("a file"), b"mine");
}

#[test]
fn the_result_as_json_is_complete() {
    let result = content(&every_block());
    let server = answering(result.clone());
    let run = Dibber::new(["call", "draw", "--json", "--server", &server.url()]).run();
    let printed: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(printed["content"], result["content"]);
}

#[test]
fn a_value_that_is_sent_as_text_and_as_json_is_printed_once() {
    let both = |text: &str, structured: Value| {
        let mut result = content(&json!([{"type": "text", "text": text}]));
        result["structuredContent"] = structured;
        shown(&answering(result), &["look"])
    };
    insta::assert_snapshot!("both_same", both("{\"a\":1}", json!({"a": 1})));
    insta::assert_snapshot!("both_wrapped", both("3", json!({"result": 3})));
    insta::assert_snapshot!("both_differ", both("One item:", json!({"items": [1]})));
    insta::assert_snapshot!("nothing", shown(&answering(content(&json!([]))), &["look"]));
}

#[test]
fn an_error_of_a_tool_is_not_said_to_have_changed_nothing() {
    let failing = |text: &str| {
        let mut result = content(&json!([{"type": "text", "text": text}]));
        result["isError"] = true.into();
        answering(result)
    };
    let full = failing("line 1\nno \u{1b}[31mroom");
    insta::assert_snapshot!("tool_error", shown(&full, &["draw"]));
    insta::assert_snapshot!("tool_error_read_only", shown(&full, &["look"]));
    insta::assert_snapshot!("tool_error_again", shown(&full, &["draw"]));
    let coded = failing("BAD_INPUT PII_IN_PROMPT: the prompt contains a phone number");
    insta::assert_snapshot!("tool_error_of_the_contract", shown(&coded, &["draw"]));
    insta::assert_snapshot!("tool_error_empty", shown(&failing(""), &["draw"]));
}

#[test]
fn an_error_of_the_protocol_is_shown_with_its_details() {
    let failing = |code: i32| {
        Fake::new(move |request: &Request| {
            if request.method() != "tools/call" {
                return Some(request.usual(&tools(), &json!({})));
            }
            let data = json!({"why": "because \u{1b}[31m"});
            Some(request.error_with(code, "bad \u{1b}[31m", &data))
        })
    };
    insta::assert_snapshot!("rpc_invalid", shown(&failing(-32602), &["draw"]));
    insta::assert_snapshot!("rpc_own_code", shown(&failing(-32000), &["draw"]));
    insta::assert_snapshot!("rpc_own_code_read_only", shown(&failing(-32000), &["look"]));
    insta::assert_snapshot!("rpc_internal", shown(&failing(-32603), &["draw"]));
}

#[test]
fn a_result_that_is_not_understood_has_an_unknown_outcome() {
    let task = json!({"resultType": "task", "taskId": "1", "status": "working",
        "createdAt": "2026-11-22T09:00:00Z", "lastUpdatedAt": "2026-11-22T09:00:00Z"});
    insta::assert_snapshot!("result_task", shown(&answering(task), &["draw"]));
    let older = Fake::new(|request| match request.method() {
        "server/discover" => Some(request.error(-32601, "unknown")),
        "tools/call" => Some(request.result(&json!({"task": {
            "taskId": "1", "status": "working", "createdAt": "2026-11-22T09:00:00Z",
        }}))),
        _ => Some(request.usual(&tools(), &json!({}))),
    });
    insta::assert_snapshot!("result_older_task", shown(&older, &["draw"]));
    insta::assert_snapshot!("result_list", shown(&answering(json!([1])), &["draw"]));
}

#[test]
fn a_malformed_tool_does_not_hide_the_others() {
    let tools = json!([
        {"name": "good", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}},
        {"name": "bare"},
        {"inputSchema": {"type": "object"}},
        {"name": "odd", "inputSchema": "none", "annotations": {"destructiveHint": "yes"}},
        {"name": "gentle", "inputSchema": {"type": "object"},
            "annotations": {"destructiveHint": false}},
    ]);
    let server = Fake::new(move |request| Some(request.usual(&tools, &json!({}))));
    let run = Dibber::new(["tools", "--json", "--server", &server.url()]).run();
    let listed: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let listed = listed["items"].as_array().expect("a list").iter();
    let listed: Vec<_> =
        listed.map(|tool| (tool["name"].as_str(), tool["destructive"].as_bool())).collect();
    let expected = [("good", true), ("bare", true), ("odd", true), ("gentle", false)];
    assert_eq!(listed, expected.map(|(name, destructive)| (Some(name), Some(destructive))));
}

#[test]
fn a_page_is_as_large_as_the_schema_allows() {
    let limit = |schema: Value| {
        let tools = json!([{"name": "skill_list", "annotations": {"readOnlyHint": true},
            "inputSchema": {"type": "object", "properties": {"limit": schema}}}]);
        let page = json!({"resultType": "complete", "content": [],
            "structuredContent": {"items": [], "nextCursor": null}});
        let server = Fake::new(move |request| Some(request.usual(&tools, &page)));
        let run = Dibber::new(["skill", "list", "--server", &server.url()]).run();
        assert_eq!(run.code, 0, "{}", run.show());
        server.calls()[0].message["params"]["arguments"]["limit"].clone()
    };
    assert_eq!(limit(json!({"type": "integer", "maximum": 20})), 20);
    assert_eq!(limit(json!({"type": "integer"})), 50);
    assert_eq!(limit(json!({"type": "integer", "maximum": 1_000})), 200);
}

#[test]
fn arguments_have_the_types_of_the_schema() {
    let tools = json!([{"name": "go", "annotations": {"readOnlyHint": true}, "inputSchema": {
        "type": "object", "$defs": {"Size": {"enum": [1, 2]}}, "properties": {
            "text": {"type": "string"}, "count": {"type": "integer"}, "part": {"type": "number"},
            "quiet": {"type": "boolean"}, "tags": {"type": "array", "items": {"type": "string"}},
            "size": {"$ref": "#/$defs/Size"}, "limit": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "most": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "either": {"type": ["string", "integer"]}, "free": {}, "place": {"type": "object"},
        },
    }}]);
    let done = content(&json!([]));
    let server = Fake::new(move |request| Some(request.usual(&tools, &done)));
    let typed = [
        "go",
        "text=5",
        "count=5",
        "part=0.5",
        "quiet=true",
        "tags=[\"a\"]",
        "size=2",
        "limit=null",
        "most=5",
        "either=5",
        "free=5",
        "place={\"x\": 1}",
        "other=5",
        "exact:=5",
    ];
    assert_eq!(shown(&server, &typed).lines().next(), Some("exit code: 0"));
    let sent = &server.calls()[0].message["params"]["arguments"];
    assert_eq!(
        sent,
        &json!({
            "text": "5", "count": 5, "part": 0.5, "quiet": true, "tags": ["a"], "size": 2, "limit": null, "most": 5,
            "either": "5", "free": "5", "place": {"x": 1}, "other": "5", "exact": 5,
        })
    );
    for whole in ["count=1e3", "count=1000.0"] {
        assert_eq!(shown(&server, &["go", whole]).lines().next(), Some("exit code: 0"));
        let calls = server.calls();
        let sent = &calls.last().expect("a call").message["params"]["arguments"]["count"];
        assert_eq!(sent.to_string(), "1000");
    }
    insta::assert_snapshot!("type_too_large", shown(&server, &["go", "count=1e400", "part=1"]));
    insta::assert_snapshot!("type_too_large_json", shown(&server, &["go", "part:=-1e400"]));
    insta::assert_snapshot!("type_integer", shown(&server, &["go", "count=five"]));
    insta::assert_snapshot!("type_fraction", shown(&server, &["go", "count=5.5"]));
    insta::assert_snapshot!("type_boolean", shown(&server, &["go", "quiet=yes"]));
    insta::assert_snapshot!("type_list", shown(&server, &["go", "tags=a"]));
    insta::assert_snapshot!("type_choice", shown(&server, &["go", "size=big"]));
    assert_eq!(server.calls().len(), 3);
}

#[test]
fn the_list_of_tools_says_what_each_does() {
    let tools = json!([
        {"name": "add", "inputSchema": {}, "annotations": {"readOnlyHint": true},
            "description": "  Adds two numbers. They may be negative.\nMore."},
        {"name": "send", "title": "Send mail", "inputSchema": {}, "description": "Sends mail\nnow"},
        {"name": "bare", "title": "Bare", "inputSchema": {}},
        {"name": "nothing", "inputSchema": {}},
    ]);
    let server = Fake::new(move |request| Some(request.usual(&tools, &json!({}))));
    let run = Dibber::new(["tools", "--server", &server.url()]).env("COLUMNS", "80").run();
    insta::assert_snapshot!("tools_described", run.show());
}

#[test]
fn keys_that_are_masked_alike_keep_their_values() {
    let points = json!({"Mia": 1, "Zoe": 2, "***": 3});
    let server =
        answering(json!({"resultType": "complete", "content": [], "structuredContent": points}));
    let tree = Tree::new();
    tree.write("names", b"Mia\nZoe\n");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let private = fs::Permissions::from_mode(0o600);
        fs::set_permissions(tree.path().join("names"), private).expect("permissions");
    }
    let ended = Dibber::new(["call", "look", "--json", "--server", &server.url()])
        .env("DIBBER_NAMES", &tree.path().join("names").to_string_lossy())
        .run();
    let printed: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let expected = json!({"***": 3, "*** (2)": 1, "*** (3)": 2});
    assert_eq!(printed["structuredContent"], expected, "{}", ended.show());
}

/// A schema that is its own part many times has more ways through it than can be followed.
#[test]
fn a_schema_that_contains_itself_is_checked_as_far_as_it_can_be() {
    let part = json!({"$ref": "#/$defs/a"});
    let schema = json!({
        "type": "object", "properties": {"count": part},
        "$defs": {"a": {"type": "integer", "allOf": vec![part; 60]}},
    });
    let tools = json!([{"name": "plan", "inputSchema": schema}]);
    let done = json!({"resultType": "complete", "content": [{"type": "text", "text": "ok"}]});
    let server = Fake::new(move |request| Some(request.usual(&tools, &done)));
    let refused = shown(&server, &["plan", "count=many"]);
    assert!(refused.starts_with("exit code: 2"), "{refused}");
    let accepted = shown(&server, &["plan", "count=5"]);
    assert!(accepted.starts_with("exit code: 0"), "{accepted}");
    let calls = server.calls();
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0].message["params"]["arguments"], json!({"count": 5}));
}

#[test]
fn a_number_of_an_answer_that_may_be_rounded_is_mentioned() {
    let calling = |number: Value, options: &[&str]| {
        let mut result = content(&json!([]));
        result["structuredContent"] = json!({"ids": [{"id": number}]});
        let server = answering(result);
        Dibber::new(["call", "look", "--server", &server.url()]).arguments(options).run()
    };
    let warning = "warning: the answer has a number of more than 64 bits, which may be rounded\n";
    for options in [&[][..], &["--json"]] {
        let rounded = calling(json!(1.234_567_890_123_456_8e22), options);
        assert_eq!((rounded.code, &*rounded.stderr), (0, warning), "{}", rounded.show());
        for exact in [json!(u64::MAX), json!(i64::MIN), json!(0.1), json!(4e15)] {
            let exact = calling(exact, options);
            assert_eq!((exact.code, &*exact.stderr), (0, ""), "{}", exact.show());
        }
    }
}

/// A pipe gets the joiners that other scripts need.
#[cfg(unix)]
#[test]
fn invisible_characters_are_escaped() {
    let text = "a\u{202E}b\u{200B}c\u{1b}[31m \u{646}\u{200C}\u{645}";
    let mut result = content(&json!([{"type": "text", "text": text}]));
    result["structuredContent"] = json!({"\u{202E}": "\u{2066}"});
    let server = answering(result);
    let data = Tree::new();
    let call = ["call", "look", "--server", &server.url()];
    let (shown, code) = Terminal::start(data.path(), &data, &call).end();
    assert_eq!(code, 0, "{shown}");
    assert!(shown.contains(r"a\u{202e}b\u{200b}c\u{1b}[31m"), "{shown}");
    assert!(shown.contains("\u{646}\\u{200c}\u{645}"), "{shown}");
    let piped = Dibber::new(call).run().stdout;
    let expected = "a\\u{202e}b\\u{200b}c\\u{1b}[31m \u{646}\u{200C}\u{645}\n";
    assert!(piped.contains(expected), "{piped}");
    // The structured content is JSON, and stays so.
    let structured: Value = serde_json::from_str(piped.split_once('\n').expect("lines").1)
        .unwrap_or_else(|error| panic!("{error}: {piped}"));
    assert_eq!(structured, json!({"\u{202E}": "\u{2066}"}));
    let exact = Dibber::new(call).arguments(&["--json"]).run().stdout;
    let exact: Value = serde_json::from_str(&exact).expect("JSON");
    assert_eq!(exact["content"][0]["text"], text);
    let resource = json!({
        "resultType": "complete", "contents": [{"uri": "demo://1", "text": text}],
        "ttlMs": 0, "cacheScope": "private",
    });
    let server = Fake::new(move |request| {
        Some(match request.method() {
            "resources/read" => request.result(&resource),
            _ => request.usual_with(&json!({"resources": {}}), &json!([]), &Value::Null),
        })
    });
    let read = ["resource", "read", "demo://1", "--server", &server.url()];
    let piped = Dibber::new(read).run();
    assert_eq!(piped.stdout, expected, "{}", piped.stderr);
}

#[test]
fn a_list_of_arguments_that_is_cut_says_so() {
    let properties: Map<_, _> = (10..32).map(|index| (format!("{index}"), json!({}))).collect();
    let schema = json!({"properties": properties, "additionalProperties": false});
    let tools = json!([{"name": "plan", "inputSchema": schema}]);
    let server = Fake::new(move |request| Some(request.usual(&tools, &Value::Null)));
    let refused = shown(&server, &["plan", "colour=red"]);
    assert!(refused.contains("`28`, `29`, …"), "{refused}");
}

/// A name that is not listed is not tried, unless it is a tool that a token may not use.
#[test]
fn a_tool_that_is_not_listed_is_not_called() {
    let server = answering(content(&json!([{"type": "text", "text": "done"}])));
    let output = shown(&server, &["drew"]);
    assert!(output.contains("exit code: 2") && output.contains("draw"), "{output}");
    assert!(server.calls().is_empty(), "{:?}", server.calls());
}

/// The tool has answered: nothing is unknown that a second call could repeat unseen.
#[test]
fn a_call_that_a_tool_answered_with_an_error_can_be_sent_again() {
    let tools = json!([{"name": "print", "inputSchema": {"type": "object"}}]);
    let failed = json!({"resultType": "complete", "isError": true,
        "content": [{"type": "text", "text": "no paper"}]});
    let server = Fake::new(move |request| Some(request.usual(&tools, &failed)));
    let directory = Tree::new();
    let data = directory.path().join("data").to_string_lossy().into_owned();
    for _ in 0..2 {
        let run = Dibber::new(["call", "print", "--server", &server.url()]);
        let run = run.env("DIBBER_DATA", &data).run();
        assert!(run.stderr.contains("no paper"), "{}", run.show());
    }
    assert_eq!(server.calls().len(), 2);
}
