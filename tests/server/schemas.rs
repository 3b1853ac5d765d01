//! The schemas of `tools/list` match what the tools accept and answer.

use std::collections::BTreeSet;
use std::sync::Arc;

use dibber_server::store::{Changes, ReadJob, Store, StoreError, WriteJob};
use dibber_server::{Caller, tool_arguments};
use dibber_skill::contract::{ErrorCode, PublicTool, Scope, ToolError, WireEnum};
use jsonschema::Validator;
use serde_json::{Map, Value, json};

use crate::support::wire::{CANVAS, HOME, OTHER, RawConnection, TestServer, parent, with};
use crate::support::wire_calls::{samples, seed_family};

async fn tools(pipe: &mut RawConnection) -> Vec<Value> {
    let listed = pipe.ask("tools/list", json!({})).await;
    listed["result"]["tools"].as_array().expect("tools").clone()
}

fn validator(schema: &Value) -> Validator {
    assert_eq!(schema["type"], "object", "{schema}");
    jsonschema::draft202012::meta::validate(schema).expect("a schema of 2020-12");
    jsonschema::draft202012::new(schema).expect("a schema")
}

/// The same schema without fields that it does not name, at any depth.
fn closed(schema: &Value) -> Value {
    match schema {
        Value::Array(items) => items.iter().map(closed).collect(),
        Value::Object(fields) => {
            let close = |(name, value): (&String, &Value)| (name.clone(), closed(value));
            let mut fields: Map<String, Value> = fields.iter().map(close).collect();
            if fields.get("properties").is_some_and(Value::is_object) {
                fields.insert("additionalProperties".to_owned(), false.into());
            }
            fields.into()
        }
        other => other.clone(),
    }
}

fn faults(schema: &Validator, value: &Value) -> Vec<String> {
    schema.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

#[tokio::test]
async fn every_tool_is_listed_so_that_every_client_takes_it() {
    let test_server = TestServer::new();
    let mut pipe = test_server.connect(HOME).await;
    for tool in tools(&mut pipe).await {
        let name = tool["name"].as_str().expect("a name");
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        assert!((1..=64).contains(&name.len()) && name.chars().all(is_plain), "{name}");
        validator(&tool["inputSchema"]);
        validator(&tool["outputSchema"]);
        for (field, schema) in tool["inputSchema"]["properties"].as_object().expect("fields") {
            let about = schema["description"].as_str().unwrap_or_default();
            assert!(about.ends_with('.'), "{name}: {field}: {about:?}");
        }
        assert_eq!(tool["inputSchema"], closed(&tool["inputSchema"]), "{name}");
        assert!(tool["outputSchema"].get("additionalProperties").is_none(), "{name}");
        assert!(tool["outputSchema"].get("required").is_none(), "{name}");
        let is_replayable = tool["outputSchema"]["properties"]["replayed"].is_object();
        assert_eq!(is_replayable, tool["annotations"]["readOnlyHint"] == false, "{name}");
        for text in ["title", "description"] {
            assert!(tool[text].as_str().is_some_and(|text| !text.is_empty()), "{name}: {text}");
        }
        let hints = &tool["annotations"];
        for hint in ["readOnlyHint", "destructiveHint", "openWorldHint"] {
            assert!(hints[hint].is_boolean(), "{name}: {hint}");
        }
        assert_eq!(hints["idempotentHint"].is_boolean(), hints["readOnlyHint"] == false, "{name}");
    }
}

/// Every answer has exactly the fields of its schema, and the text beside it is the same JSON.
#[tokio::test]
async fn every_answer_is_one_that_its_schema_describes() {
    let test_server = TestServer::new();
    let ids = seed_family(&test_server, HOME, "ours", CANVAS);
    let mut pipe = test_server.connect(HOME).await;
    let tools = tools(&mut pipe).await;
    let mut called = Vec::new();
    for sample in samples(&ids) {
        let Some(tool) = tools.iter().find(|tool| tool["name"] == sample.tool) else { continue };
        let arguments = faults(&validator(&tool["inputSchema"]), &sample.arguments);
        assert_eq!(arguments, [""; 0], "the arguments of {}", sample.tool);
        let answer = pipe.call(sample.tool, sample.arguments).await;
        assert_eq!(answer["isError"], false, "{}: {answer}", sample.tool);
        let content = &answer["structuredContent"];
        let strict = closed(&tool["outputSchema"]);
        assert_eq!(faults(&validator(&strict), content), [""; 0], "{}: {content}", sample.tool);
        let next_step = content["nextStep"].as_str().expect("a next step");
        assert!(next_step.ends_with('.'), "{}: {next_step}", sample.tool);
        let text = answer["content"][0]["text"].as_str().expect("a string");
        assert_eq!(serde_json::from_str::<Value>(text).expect("JSON"), *content);
        called.push(sample.tool);
    }
    for tool in tools {
        let name = tool["name"].as_str().expect("a name");
        assert!(called.contains(&name), "no sample calls `{name}`");
    }
}

/// A store that reads and writes nothing.
#[derive(Default)]
struct BrokenStore(Arc<Changes>);

impl Store for BrokenStore {
    fn submit_read(&self, job: ReadJob) {
        job(Err(StoreError::new("the disk is gone")));
    }

    fn submit_write(&self, job: Box<dyn WriteJob>) {
        job.finish(Err(StoreError::new("the disk is gone")));
    }

    fn changes(&self) -> &Arc<Changes> {
        &self.0
    }

    fn follow(&self, _: i64) {}

    fn close(&self) {}
}

/// Calls tools; returns the result of each call that failed.
async fn failures(
    pipe: &mut RawConnection,
    calls: Vec<(&'static str, Value)>,
) -> Vec<(String, Value)> {
    let mut failures = Vec::new();
    for (tool, arguments) in calls {
        let result = pipe.call(tool, arguments).await;
        if result["isError"] == true {
            failures.push((tool.to_owned(), result["structuredContent"].clone()));
        }
    }
    failures
}

/// Some clients validate an error against the schema of the tool and show only that it does not
/// match, which hides the error.
#[tokio::test]
async fn every_error_matches_the_schema_of_its_tool() {
    let test_server = TestServer::new();
    let ids = seed_family(&test_server, HOME, "ours", CANVAS);
    let calls = || samples(&ids).into_iter().map(|sample| (sample.tool, sample.arguments));
    let mut pipe = test_server.connect(HOME).await;
    let tools = tools(&mut pipe).await;
    let unknown = |(tool, arguments)| (tool, with(arguments, json!({"unknown": 1})));
    let mut failed = failures(&mut pipe, calls().map(unknown).collect()).await;
    let mut stranger = test_server.connect(OTHER).await;
    failed.extend(failures(&mut stranger, calls().collect()).await);
    let visitor = Caller { scopes: Vec::new(), ..parent(HOME) };
    let mut visitor = test_server.connect_as(visitor).await;
    failed.extend(failures(&mut visitor, calls().collect()).await);
    let mut broken = TestServer::over(Arc::new(BrokenStore::default())).connect(HOME).await;
    failed.extend(failures(&mut broken, calls().collect()).await);

    let mut codes = BTreeSet::new();
    for (name, content) in failed {
        let tool = tools.iter().find(|tool| tool["name"] == *name).expect("a tool");
        let strict = closed(&tool["outputSchema"]);
        // What else there is to know differs from error to error.
        assert_eq!(faults(&validator(&strict), &content), [""; 0], "{name}: {content}");
        codes.insert((name, content["error"]["code"].as_str().expect("a code").to_owned()));
    }
    for tool in &tools {
        let name = tool["name"].as_str().expect("a name");
        let has = |code: ErrorCode| codes.contains(&(name.to_owned(), code.name().to_owned()));
        assert!(has(ErrorCode::BadInput), "{name}");
        let needs_scope = !name.starts_with("mcp_");
        assert_eq!(has(ErrorCode::PermissionDenied), needs_scope, "{name}");
        let schema = validator(&tool["outputSchema"]);
        for code in ErrorCode::all() {
            let error = ToolError::new(code, "a message", "a fix");
            assert_eq!(faults(&schema, &json!({"error": error})), [""; 0], "{name}");
            let replayed = json!({"error": error.reason("A_REASON"), "replayed": true});
            assert_eq!(faults(&schema, &replayed), [""; 0], "{name}");
        }
        assert_ne!(faults(&schema, &json!({})), [""; 0], "{name}: neither a success nor an error");
    }
    for code in ErrorCode::all() {
        assert!(codes.iter().any(|(_, seen)| seen == code.name()), "{code:?}");
    }
}

/// What nothing asks for is reported with its whole name, however long it is and however many there
/// are.
#[tokio::test]
async fn ignored_inputs_are_as_their_schema_describes() {
    let test_server = TestServer::new();
    let ids = seed_family(&test_server, HOME, "ours", CANVAS);
    let mut pipe = test_server.connect(HOME).await;
    let mut input: Map<String, Value> = (0..150).map(|n| (format!("x{n}"), json!(n))).collect();
    input.insert("long".repeat(100), json!(1));
    input.insert("plant".to_owned(), json!("fern"));
    let heartbeat = json!({
        "name": "Ferns", "cron": "0 8 * * *", "runSkillId": ids.skill, "skillInput": input,
    });
    let invocation = json!({"skillId": ids.skill, "input": input});
    let tools = tools(&mut pipe).await;
    for (name, arguments) in [("heartbeat_create", heartbeat), ("skill_invoke", invocation)] {
        let tool = tools.iter().find(|tool| tool["name"] == name).expect("a tool");
        let answer = pipe.call(name, arguments).await;
        let content = &answer["structuredContent"];
        assert_eq!(faults(&validator(&tool["outputSchema"]), content), [""; 0], "{name}");
        assert_eq!(content["ignoredInputs"].as_array().map(Vec::len), Some(151), "{name}");
    }
}

/// The checker of the server and the schema that clients see refuse the same.
#[tokio::test]
async fn arguments_are_refused_where_their_schema_refuses_them() {
    // These check that the arguments belong together, too, and report it with the same reason.
    const STRICTER: [&str; 3] = ["heartbeat_describe", "heartbeat_due", "heartbeat_update"];
    let test_server = TestServer::new();
    let ids = seed_family(&test_server, HOME, "ours", CANVAS);
    let mut pipe = test_server.connect(HOME).await;
    let values = [
        json!(null),
        json!(true),
        json!(1.0),
        json!(1.5),
        json!(201),
        json!("x"),
        json!("x".repeat(5_000)),
        json!(["x"]),
        json!([{"name": "x", "no": 1}]),
        json!({"a": [null]}),
    ];
    for tool in tools(&mut pipe).await {
        let samples = samples(&ids);
        let sample = samples.iter().find(|sample| tool["name"] == sample.tool).expect("a sample");
        let schema = validator(&tool["inputSchema"]);
        for field in tool["inputSchema"]["properties"].as_object().expect("fields").keys() {
            for value in &values {
                let arguments = with(sample.arguments.clone(), json!({field: value}));
                let is_valid = schema.is_valid(&arguments);
                let answer = pipe.call(sample.tool, arguments).await;
                let error = &answer["structuredContent"]["error"];
                let is_accepted = error["reason"] != "INVALID_ARGUMENTS";
                let agrees = is_accepted == is_valid || STRICTER.contains(&sample.tool) && is_valid;
                assert!(agrees, "{} {field}: {value:.60}: {error}", sample.tool);
                assert_ne!(error["code"], "INTERNAL_ERROR", "{} {field}: {value:.60}", sample.tool);
            }
        }
    }
}

/// A model should not be offered what its token refuses, nor be asked for the list again and again.
#[tokio::test]
async fn the_list_of_the_tools_is_what_the_token_permits_and_may_be_kept() {
    let test_server = TestServer::new();
    let names = async |scopes: &[Scope]| {
        let caller = Caller { scopes: scopes.to_vec(), ..parent(HOME) };
        let tools = tools(&mut test_server.connect_as(caller).await).await;
        tools.iter().map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect()
    };
    let none: Vec<String> = names(&[]).await;
    // What it waits for needs the scope of the resource.
    assert_eq!(none, ["resource_wait", "mcp_whoami", "mcp_health"]);
    let reader: Vec<String> = names(&[Scope::SkillRead]).await;
    let of_reader = ["skill_list", "skill_get", "resource_wait", "mcp_whoami", "mcp_health"];
    assert_eq!(reader, of_reader);
    let writer: Vec<String> = names(&[Scope::HeartbeatWrite]).await;
    let of_heartbeats = ["create", "update", "describe", "list", "due"];
    let mut expected = of_heartbeats.map(|name| format!("heartbeat_{name}")).to_vec();
    expected.extend(none);
    assert_eq!(writer, expected);
    let listed = test_server.connect(HOME).await.ask("tools/list", json!({})).await;
    assert_eq!(listed["result"]["ttlMs"], 3_600_000);
    assert_eq!(listed["result"]["cacheScope"], "private");
}

#[tokio::test]
async fn what_is_no_call_of_a_tool_is_told_so() {
    let test_server = TestServer::new();
    let mut pipe = test_server.connect(HOME).await;
    for params in [
        json!({"name": "skill_list", "arguments": []}),
        json!({"name": "skill_list", "arguments": "text"}),
        json!({"arguments": {}}),
        json!({"name": 1}),
    ] {
        let answer = pipe.ask("tools/call", params.clone()).await;
        assert_eq!(answer["error"]["code"], -32602, "{params}: {answer}");
    }
    assert_eq!(pipe.ask("resources/read", json!({"uri": 1})).await["error"]["code"], -32602);
    for (method, message) in [
        ("tools/kall", "method not found"),
        ("prompts/list", "method not found: prompts/list"),
        ("prompts/get", "method not found: prompts/get"),
        ("subscriptions/listen", "method not found: subscriptions/listen"),
    ] {
        let answer = pipe.ask(method, json!({})).await;
        assert_eq!(answer["error"], json!({"code": -32601, "message": message}));
    }
    let answer = pipe.ask("tools/call", json!({"name": "skill_lst", "arguments": {}})).await;
    assert_eq!(answer["error"]["message"], "unknown tool `skill_lst`; did you mean `skill_list`?");
    let answer = pipe.ask("tools/call", json!({"name": "teleport", "arguments": {}})).await;
    assert_eq!(answer["error"]["message"], "unknown tool `teleport`; tools/list has every tool");
}

/// The most characters of the tools as compact JSON: about 7,000 tokens. Agents read all of them before
/// their first call.
const TOOLS_CHARACTERS_MAX: usize = 28_900;

#[tokio::test]
async fn the_list_of_the_tools_is_short() {
    let test_server = TestServer::new();
    let mut pipe = test_server.connect(HOME).await;
    let characters = json!({"tools": tools(&mut pipe).await}).to_string().chars().count();
    assert!(
        characters <= TOOLS_CHARACTERS_MAX,
        "{characters} characters, the maximum is {TOOLS_CHARACTERS_MAX}"
    );
}

/// A skill for a home agent that runs what is due names the tool for it.
#[test]
fn the_tools_of_this_server_are_known_hands() {
    let tools = tool_arguments().map(|tool| tool.tool);
    let unknown: Vec<_> = tools.filter(|tool| PublicTool::named(tool).is_none()).collect();
    assert_eq!(unknown, [] as [&str; 0]);
}
