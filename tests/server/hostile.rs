//! Arguments that no sane client would send: each is refused with a reason, and the next
//! call is answered as ever.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::support::wire::{
    CANVAS, HOME, TestServer, ok, outline, refused, sample_arguments, with, write_sample,
};
use crate::support::wire_calls::{samples, seed_family};

#[tokio::test]
async fn arguments_beyond_every_size() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let megabytes = |count: usize| "é".repeat(count << 19);
    let inputs: Vec<_> = (0..100_000).map(|n| json!({"name": format!("a{n}")})).collect();
    let unknown: Map<_, _> = (0..50_000).map(|n| (format!("x{n}"), json!(n))).collect();
    let placeholders = "{{input.plant}}".repeat(13_000);
    let wrong = [
        (json!({"prompt": megabytes(10)}), "/prompt=TOO_LONG"),
        (json!({"name": megabytes(1)}), "/name=TOO_LONG"),
        (json!({"inputVariables": inputs}), "/inputVariables=TOO_MANY"),
        (json!({"canvasIds": vec![CANVAS; 101]}), "/canvasIds=TOO_MANY"),
    ];
    for (others, expected) in wrong {
        let refusal = refused(&client, "skill_write", with(sample_arguments(), others)).await;
        assert_eq!(outline(&refusal), format!("BAD_INPUT INVALID_ARGUMENTS {expected}"));
    }
    let refusal = refused(&client, "skill_write", with(sample_arguments(), unknown.into())).await;
    let issues = refusal.details.expect("details")["issues"].as_array().expect("issues").len();
    assert_eq!(issues, 100);
    assert!(refusal.message.contains("49999"), "{}", refusal.message);
    let many = json!({"prompt": placeholders});
    let written = ok(&client, "skill_write", with(sample_arguments(), many)).await;
    let input = json!({"skillId": written["skillId"], "input": {"plant": "x".repeat(1 << 20)}});
    let refusal = refused(&client, "skill_invoke", input).await;
    assert_eq!(outline(&refusal), "BAD_INPUT INPUT_TOO_LARGE");
}

#[tokio::test]
async fn lines_that_are_no_messages() {
    let test_server = TestServer::new();
    let mut pipe = test_server.connect(HOME).await;
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let call = |arguments: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{{"name":"skill_list","arguments":{arguments}}}}}"#
        )
    };
    let lines: [Vec<u8>; 9] = [
        deep.clone().into_bytes(),
        call(&format!("{{\"cursor\":{deep}}}")).into_bytes(),
        call("[]").into_bytes(),
        call("\"text\"").into_bytes(),
        call("{\"cursor\":1e999}").into_bytes(),
        call("{\"cursor\":\"\\ud800\"}").into_bytes(),
        b"\xFF\xFE\x00".to_vec(),
        b"{".to_vec(),
        vec![b'x'; 17 << 20],
    ];
    for line in lines {
        pipe.send(&line).await;
        let answer = pipe.call("skill_list", json!({})).await;
        assert_eq!(answer["structuredContent"]["items"], json!([]));
    }
}

/// What is just deep enough to be read can be stored and is given back as it was.
#[tokio::test]
async fn values_as_deep_as_json_is_read() {
    let test_server = TestServer::new();
    let mut pipe = test_server.connect(HOME).await;
    let ids = seed_family(&test_server, HOME, "ours", CANVAS);
    for depth in [100, 110, 115, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128] {
        let mut value = json!("leaf");
        for _ in 0..depth {
            value = json!([value]);
        }
        let arguments = json!({"skillId": ids.skill, "input": {"plant": value}});
        let request = json!({
            "jsonrpc": "2.0", "id": "deep", "method": "tools/call",
            "params": {"name": "skill_invoke", "arguments": arguments},
        });
        pipe.send(request.to_string().as_bytes()).await;
        let posted = json!({"skillId": ids.skill, "result": {"summary": "Still here."}});
        let answer = pipe.call("skill_post_result", posted).await;
        assert_eq!(answer["isError"], false, "{depth}: {answer}");
    }
}

/// Any JSON, with the names of arguments among its keys, and ids and hashes among its strings.
fn any_json() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        any::<String>(),
        "[a-z0-9_-]{0,12}",
        Just("sk_ours".to_owned()),
        Just("hb_ours".to_owned()),
        Just(CANVAS.to_owned()),
        Just("{{input.plant}} {{input.".to_owned()),
        Just("0 8 * * *".to_owned()),
        Just("generic".to_owned()),
        Just("\0".to_owned()),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text.prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map("[a-zA-Z]{0,6}|name|plant", inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Every argument of every tool is replaced by each of some values, and beside them an unknown
    /// one is given: the answer is a success or a refusal, never a fault of the server.
    #[test]
    fn no_json_makes_the_server_fail(values in prop::collection::vec(any_json(), 8), key in ".{0,8}") {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let test_server = TestServer::new();
            let ids = seed_family(&test_server, HOME, "ours", CANVAS);
            let mut pipe = test_server.connect(HOME).await;
            let tools = pipe.ask("tools/list", json!({})).await["result"]["tools"].clone();
            for tool in tools.as_array().expect("tools") {
                let name = tool["name"].as_str().expect("a name");
                let fields = tool["inputSchema"]["properties"].as_object().expect("fields");
                let fields: Vec<_> = fields.keys().chain([&key]).collect();
                for sample in samples(&ids).iter().filter(|sample| sample.tool == name) {
                    for (value, field) in values.iter().zip(fields.iter().cycle()) {
                        let mut arguments = sample.arguments.clone();
                        arguments[field.as_str()] = value.clone();
                        let answer = pipe.call(name, arguments.clone()).await;
                        let code = &answer["structuredContent"]["error"]["code"];
                        assert_ne!(*code, "INTERNAL_ERROR", "{name}: {arguments}");
                        assert!(answer["isError"].is_boolean(), "{name}: {arguments}: {answer}");
                    }
                }
            }
        });
    }
}

#[tokio::test]
async fn an_id_with_a_control_character_is_a_bad_input() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let skill = write_sample(&client, json!({})).await;
    let heartbeat = json!({"name": "Tea", "cron": "0 8 * * *", "runSkillId": skill});
    let add = json!({"heartbeatId": "hb_1", "action": "add_member"});
    for id in ["\0", "\u{1B}[31m"] {
        let calls = [
            ("skill_write", with(sample_arguments(), json!({"canvasIds": [id]}))),
            ("skill_update", json!({"skillId": skill, "addCanvasIds": [id]})),
            ("skill_update", json!({"skillId": skill, "removeCanvasIds": [id]})),
            ("heartbeat_create", with(heartbeat.clone(), json!({"childId": id}))),
            ("heartbeat_create", with(heartbeat.clone(), json!({"sourceChatId": id}))),
            ("heartbeat_update", with(add.clone(), json!({"targetUserId": id}))),
        ];
        for (tool, arguments) in calls {
            let refusal = refused(&client, tool, arguments).await;
            let shown = outline(&refusal);
            assert!(shown.starts_with("BAD_INPUT INVALID_ARGUMENTS /"), "{tool}: {shown}");
            assert!(shown.ends_with("=WRONG_FORM"), "{tool}: {shown}");
            assert!(refusal.message.contains("`: an id contains '\\"), "{}", refusal.message);
        }
    }
}
