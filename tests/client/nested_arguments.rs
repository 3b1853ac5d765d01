//! The arguments of a call are checked against the whole schema of a tool, also inside of them.

use serde_json::json;

use crate::support::command::Dibber;
use crate::support::fake_server::Fake;

fn server() -> Fake {
    let day = json!({
        "type": "object", "required": ["name"], "additionalProperties": false,
        "properties": {
            "name": {"type": "string", "minLength": 3, "maxLength": 9, "pattern": "^[a-z]+$"},
            "hours": {"type": "array", "maxItems": 2, "items": {"type": "integer", "maximum": 23}},
            "mood": {"enum": ["good", "bad"]},
        },
    });
    let schema = json!({
        "type": "object",
        "properties": {
            "c": {"const": "x"},
            "five": {"const": 5},
            "label": {"type": "string", "minLength": 2, "maxLength": 4},
            "tags": {"type": "array", "minItems": 1, "items": {"type": "string"}},
            "days": {"type": "array", "items": {"$ref": "#/$defs/day"}},
            "by": {"type": "object", "additionalProperties": {"type": "integer"}},
            "when": {"anyOf": [{"$ref": "#/$defs/day"}, {"type": "null"}]},
        },
        "$defs": {"day": day},
    });
    let tools = json!([{"name": "plan", "inputSchema": schema}]);
    let planned = json!({"resultType": "complete", "content": [{"type": "text", "text": "ok"}]});
    Fake::new(move |request| Some(request.usual(&tools, &planned)))
}

fn call(server: &Fake, argument: &str) -> String {
    let dibber = Dibber::new(["call", "plan", argument, "--server", &server.url()]);
    format!("$ dibber call plan {argument}\n{}", dibber.env("COLUMNS", "80").run().show())
}

#[test]
fn what_is_inside_an_argument_is_checked() {
    let server = server();
    let refused = [
        "c=y",
        "five=6",
        "label=a",
        "label=abcde",
        "tags:=[]",
        "days:=[{\"name\": \"monday\"}, {\"hours\": []}]",
        "days:=[{\"name\": \"Monday\"}]",
        "days:=[{\"name\": \"mo\"}]",
        "days:=[{\"name\": \"mon\", \"hour\": 5}]",
        "days:=[{\"name\": \"mon\", \"hours\": [9, 24]}]",
        "days:=[{\"name\": \"mon\", \"hours\": [1, 2, 3]}]",
        "days:=[{\"name\": \"mon\", \"mood\": \"goood\"}]",
        "by={\"x\": \"y\"}",
        "when:={\"name\": 5}",
    ];
    let shown: String = refused.iter().map(|argument| call(&server, argument)).collect();
    insta::assert_snapshot!("nested_arguments", shown);
    assert_eq!(server.calls().len(), 0);
    for accepted in [
        "c=x",
        "five=5",
        "label=äöü",
        "days=[{\"name\": \"mon\", \"hours\": [9], \"mood\": \"bad\"}]",
        "days:=[{\"name\": \"mon\", \"mood\": null}]",
        "by={\"x\": 1}",
        "when:={\"name\": \"mon\"}",
    ] {
        let shown = call(&server, accepted);
        assert!(shown.contains("exit code: 0"), "{shown}");
    }
}

/// A schema that is its own part, or very wide, costs no more than a limited amount of work.
#[test]
fn a_recursive_schema_ends() {
    let node = json!({"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}});
    let schema = json!({
        "type": "object", "properties": {"node": {"$ref": "#/$defs/node"}},
        "$defs": {"node": node},
    });
    let tools = json!([{"name": "plan", "inputSchema": schema}]);
    let planned = json!({"resultType": "complete", "content": [{"type": "text", "text": "ok"}]});
    let server = Fake::new(move |request| Some(request.usual(&tools, &planned)));
    let nested = (0..60).fold("{}".to_owned(), |inner, _| format!("{{\"next\": {inner}}}"));
    let shown = call(&server, &format!("node={nested}"));
    assert!(shown.contains("exit code: 0"), "{shown}");
}
