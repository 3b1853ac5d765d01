//! `dibber resources`, `resource read`, `prompts` and `prompt get`.

use std::fs;

use serde_json::{Value, json};

use crate::support::command::{Dibber, Ended};
use crate::support::fake_server::{Fake, Reply, Request};
use crate::support::{Tree, package};

fn server() -> Fake {
    Fake::new(|request| Some(answer(request)))
}

fn answer(request: &Request) -> Reply {
    let parameters = &request.message["params"];
    let complete = |mut result: Value| {
        result["resultType"] = "complete".into();
        result["ttlMs"] = 0.into();
        result["cacheScope"] = "private".into();
        request.result(&result)
    };
    match (request.method(), parameters["uri"].as_str(), parameters["name"].as_str()) {
        ("resources/list", ..) if parameters["cursor"].is_null() => complete(json!({
            "resources": [
                {"uri": "demo://text", "name": "text", "description": "Some \u{1b}[31mtext",
                    "mimeType": "text/plain", "size": 5},
                {"name": "no URI"},
            ],
            "nextCursor": "2",
        })),
        ("resources/list", ..) => {
            complete(json!({"resources": [{"uri": "demo://bytes", "name": "b"}]}))
        }
        ("resources/templates/list", ..) => complete(json!({"resourceTemplates": [
            {"uriTemplate": "demo://{id}", "name": "one"},
        ]})),
        ("resources/read", Some("demo://text"), _) => {
            complete(json!({"contents": [{"uri": "demo://text", "text": "Hello.\n"}]}))
        }
        ("resources/read", Some("demo://bytes"), _) => complete(json!({"contents": [
            {"uri": "demo://bytes", "blob": "AQID", "mimeType": "application/pdf"},
        ]})),
        ("resources/read", ..) => request.error(-32602, "unknown resource"),
        ("prompts/list", ..) => complete(json!({"prompts": [
            {"name": "plan", "description": "Plans a week.", "arguments": [
                {"name": "who", "required": true, "description": "For whom."}, {"name": "when"},
            ]},
            {"name": "bare"},
        ]})),
        ("prompts/get", _, Some("plan")) => {
            let text = format!("Plan a week for {}.", parameters["arguments"]["who"]);
            complete(json!({"messages": [
                {"role": "user", "content": {"type": "text", "text": text}},
                {"role": "assistant", "content": {"type": "image", "data": "AQID",
                    "mimeType": "image/png"}},
            ]}))
        }
        ("prompts/get", _, Some("broken")) => request.error(-32603, "no template"),
        ("prompts/get", ..) => complete(json!({"messages": [
            {"role": "user", "content": {"type": "text", "text": "Only this."}},
        ]})),
        _ => request.usual(&json!([]), &json!({})),
    }
}

fn run(server: &Fake, arguments: &[&str]) -> Ended {
    let run = Dibber::new(arguments).env("COLUMNS", "80");
    run.arguments(&["--server", &server.url()]).run()
}

#[test]
fn resources_are_listed_and_read() {
    let server = server();
    let show = |arguments: &[&str]| run(&server, arguments).show();
    insta::assert_snapshot!("resources", show(&["resources"]));
    insta::assert_snapshot!("resource_text", show(&["resource", "read", "demo://text"]));
    insta::assert_snapshot!("resource_bytes", show(&["resource", "read", "demo://bytes"]));
    insta::assert_snapshot!("resource_json", show(&["resource", "read", "demo://text", "--json"]));
    insta::assert_snapshot!("resource_unknown", show(&["resource", "read", "demo://none"]));
    let tree = Tree::new();
    let path = tree.path().to_string_lossy().into_owned();
    let saved = show(&["resource", "read", "demo://bytes", "--output", &path]);
    insta::assert_snapshot!("resource_saved", saved.replace(&path, "DIR"));
    assert_eq!(fs::read(tree.path().join("resource-1.pdf")).expect("a file"), [1, 2, 3]);
    let tools = server.seen().iter().filter(|one| one.method() == "tools/list").count();
    assert_eq!(tools, 0, "nothing needs the tools");
}

#[test]
fn prompts_are_listed_and_filled_in() {
    let server = server();
    let show = |arguments: &[&str]| run(&server, arguments).show();
    insta::assert_snapshot!("prompts", show(&["prompts"]));
    insta::assert_snapshot!("prompt", show(&["prompt", "get", "plan", "who=Kim", "when="]));
    insta::assert_snapshot!("prompt_one", show(&["prompt", "get", "bare"]));
    insta::assert_snapshot!("prompt_json", show(&["prompt", "get", "bare", "--json"]));
    insta::assert_snapshot!("prompt_argument", show(&["prompt", "get", "plan", "Kim"]));
    insta::assert_snapshot!("prompt_missing", show(&["prompt", "get", "plan", "when=now"]));
    for (prompt, known) in [("plan", "`who`, `when`"), ("bare", "no arguments")] {
        let ended = run(&server, &["prompt", "get", prompt, "who=Kim", "whem=now"]);
        assert_eq!(ended.code, 2, "{}", ended.show());
        assert!(ended.stderr.contains("has no argument `wh"), "{}", ended.show());
        assert!(ended.stderr.contains(&format!("it takes {known}")), "{}", ended.show());
    }
    insta::assert_snapshot!("prompt_twice", show(&["prompt", "get", "plan", "a=1", "a=2"]));
}

#[test]
fn an_error_that_the_server_answers_is_not_tried_again() {
    let server = server();
    let ended = run(&server, &["prompt", "get", "broken"]);
    let gets = server.seen().iter().filter(|one| one.method() == "prompts/get").count();
    assert_eq!(gets, 1);
    insta::assert_snapshot!("prompt_broken", ended.show());
}

#[test]
fn the_lists_as_json_are_of_their_schemas() {
    let server = server();
    for name in ["resources", "prompts"] {
        let ended = run(&server, &[name, "--json"]);
        let value: Value = serde_json::from_str(&ended.stdout).expect("JSON");
        let path = package().join(format!("schemas/{name}.schema.json"));
        let schema: Value =
            serde_json::from_slice(&fs::read(path).expect("the schema")).expect("JSON");
        let validator = jsonschema::draft202012::new(&schema).expect("a schema");
        let errors: Vec<_> = validator.iter_errors(&value).map(|one| one.to_string()).collect();
        assert!(errors.is_empty(), "{errors:#?}\n{value:#}");
        assert_eq!(
            value["items"].as_array().map(Vec::len),
            Some(if name == "prompts" { 2 } else { 3 })
        );
    }
}

#[test]
fn a_server_without_them_says_so() {
    let server = Fake::new(|request| match request.method() {
        "resources/list" | "prompts/list" => Some(request.error(-32601, "Method not found")),
        _ => Some(request.usual(&json!([]), &json!({}))),
    });
    insta::assert_snapshot!("no_resources", run(&server, &["resources"]).show());
    insta::assert_snapshot!("no_prompts", run(&server, &["prompts"]).show());
}

#[test]
fn the_server_in_this_program_has_no_prompts() {
    let ended = Dibber::new(["prompts"]).run();
    assert_eq!((ended.code, ended.stderr.as_str()), (0, "the server has no prompts\n"));
    let json = Dibber::new(["prompts", "--json"]).run();
    assert!(json.stdout.contains("\"items\": []"), "{}", json.show());
}

/// What a reference refers to is shown as if it were in its place; what is its own part is shown
/// once.
#[test]
fn references_in_the_schema_of_a_tool_are_followed() {
    let schema = json!({
        "type": "object", "required": ["days"],
        "properties": {
            "days": {"type": "array", "items": {"$ref": "#/$defs/Day"}},
            "filter": {"$ref": "#/$defs/Filter"},
            "first": {"allOf": [{"$ref": "#/$defs/Day"}], "default": "mon", "description": "First."},
            "loop": {"$ref": "#/$defs/Loop"},
            "lost": {"$ref": "#/$defs/Lost"},
            "maybe": {"anyOf": [{"$ref": "#/$defs/Filter"}, {"type": "null"}]},
            "many": {"type": "array", "items": {"$ref": "#/$defs/Filter"}},
            "own": {"type": "object", "properties": {"day": {"$ref": "#/definitions/Old"}}},
            "whole": {"$ref": "#"},
        },
        "$defs": {
            "Day": {"enum": ["mon", "tue"], "description": "A day."},
            "Filter": {
                "type": "object", "description": "A filter.", "required": ["day"],
                "properties": {
                    "day": {"$ref": "#/$defs/Day", "description": "Its day."},
                    "not": {"$ref": "#/$defs/Filter"},
                },
            },
            "Loop": {"$ref": "#/$defs/Loop"},
        },
        "definitions": {"Old": {"type": "integer", "minimum": 1}},
    });
    let server = Fake::new(move |request| {
        let tool = json!({"name": "look", "inputSchema": schema});
        Some(request.usual(&json!([tool]), &json!({})))
    });
    insta::assert_snapshot!("references", run(&server, &["tools", "look"]).stdout);
}

#[test]
fn long_descriptions_of_tools_are_shortened() {
    let long = "A very long description ".repeat(2_000);
    let server = Fake::new(move |request| {
        let tool = json!({"name": "look", "description": long, "inputSchema": {"type": "object"}});
        Some(request.usual(&json!([tool]), &json!({})))
    });
    let list = run(&server, &["tools"]).stdout;
    assert!(list.len() < 600, "{list}");
    assert!(list.contains("… (47599 more characters)"), "{list}");
    let one = run(&server, &["tools", "look"]).stdout;
    assert!(one.len() < 25_000, "{} bytes", one.len());
    assert!(one.contains("… and 28000 more characters, which `--json` prints"), "{one}");
    assert!(run(&server, &["tools", "look", "--json"]).stdout.len() > 48_000);
}
