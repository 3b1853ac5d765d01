//! The arguments of a call are checked against the whole schema of a tool, also inside of them.

use serde_json::{Value, json};

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

/// Of several schemas, the error is that of the one for which the value was meant.
#[test]
fn the_error_is_that_of_the_closest_branch() {
    let shape = |kind: &str, field: &str, schema: &Value| {
        json!({
            "type": "object", "required": ["kind", field], "additionalProperties": false,
            "properties": {field: schema, "kind": {"const": kind}},
        })
    };
    let schema = json!({
        "type": "object",
        "properties": {
            "shape": {"oneOf": [
                {"$ref": "#/$defs/circle"},
                shape("square", "side", &json!({"type": "number"})),
                shape("label", "angle", &json!({"type": "string"})),
            ]},
            "any": {"anyOf": [{"type": "integer", "minimum": 10}, {"type": "string", "maxLength": 3}]},
            "all": {"type": "array", "items": {"$ref": "#/$defs/circle"}},
            "list": {"anyOf": [
                {"type": "array", "items": {"type": "integer"}},
                {"type": "array", "items": {"type": "string"}},
            ]},
        },
        "$defs": {"circle": shape("circle", "angle", &json!({"type": "number"}))},
    });
    let tools = json!([{"name": "plan", "inputSchema": schema}]);
    let planned = json!({"resultType": "complete", "content": [{"type": "text", "text": "ok"}]});
    let server = Fake::new(move |request| Some(request.usual(&tools, &planned)));
    let refused = [
        "shape:={\"kind\": \"square\", \"side\": \"long\"}",
        "shape:={\"kind\": \"square\", \"angle\": 3}",
        "shape:={\"kind\": \"label\", \"angle\": 3}",
        "shape:={\"kind\": \"oval\", \"angle\": 3}",
        "shape:={\"side\": 3}",
        "shape=5",
        "any:=true",
        "any=long",
        "list:=[\"a\", 2]",
        "all=circle",
    ];
    let shown: String = refused.iter().map(|argument| call(&server, argument)).collect();
    insta::assert_snapshot!("closest_branch", shown);
    assert_eq!(server.calls().len(), 0);
}

/// A number is sent with the digits with which it was typed, or not at all.
#[test]
fn a_number_with_too_many_digits_is_refused() {
    let schema = json!({
        "type": "object",
        "properties": {
            "id": {"type": ["string", "integer"]}, "limit": {"type": "number"}, "more": {},
        },
    });
    let tools = json!([{"name": "plan", "inputSchema": schema}]);
    let planned = json!({"resultType": "complete", "content": [{"type": "text", "text": "ok"}]});
    let server = Fake::new(move |request| Some(request.usual(&tools, &planned)));
    let refused = [
        "limit=12345678901234567890123",
        "limit:=0.1234567890123456789",
        "more:=[{\"a\": 12345678901234567890123}]",
    ];
    let mut shown: String = refused.iter().map(|argument| call(&server, argument)).collect();
    let from_file = ["call", "plan", "--args-json", "-", "--server", &server.url()];
    let file = Dibber::new(from_file).input(b"{\"limit\": 12345678901234567890123}").run();
    shown += &file.show();
    insta::assert_snapshot!("too_many_digits", shown);
    assert_eq!(server.calls().len(), 0);
    for accepted in ["limit=18446744073709551615", "limit=0.1", "id=12345678901234567890123"] {
        let shown = call(&server, accepted);
        assert!(shown.contains("exit code: 0"), "{shown}");
    }
    let sent: Vec<_> =
        server.calls().iter().map(|call| call.message["params"]["arguments"].clone()).collect();
    assert_eq!(
        sent,
        [
            json!({"limit": 18_446_744_073_709_551_615_u64}),
            json!({"limit": 0.1}),
            json!({"id": "12345678901234567890123"}),
        ]
    );
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
