//! Errors that quote what was sent: a name of a child of the family is masked in them.

use serde_json::json;

use crate::support::TEST_NAMES;
use crate::support::wire::{HOME, TestServer, refused, sample_arguments, with, write_sample};

#[tokio::test]
async fn a_child_s_name_is_masked_in_an_error_about_what_was_sent() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let name = TEST_NAMES.lines().next().expect("a name");
    for (field, value) in [("category", name), (name, "x")] {
        let arguments = with(sample_arguments(), json!({field: value, "dryRun": true}));
        let error = refused(&client, "skill_write", arguments).await;
        let shown = format!("{} {} {}", error.message, error.fix, json!(error.details));
        assert!(!shown.contains(name), "{shown}");
        assert!(error.message.contains("****"), "{shown}");
    }
    let skill = write_sample(&client, json!({})).await;
    for (field, sent) in [("tz", name.to_owned()), ("cron", format!("0 8 * * {name}"))] {
        let heartbeat = json!({"name": "Tea", "cron": "0 8 * * *", "runSkillId": skill});
        let arguments = with(heartbeat, json!({field: sent}));
        let error = refused(&client, "heartbeat_create", arguments).await;
        let shown = format!("{} {} {}", error.message, error.fix, json!(error.details));
        assert!(!shown.contains(name) && error.message.contains("***"), "{shown}");
    }
    let mut pipe = test_server.connect(HOME).await;
    let answer = pipe.ask("tools/call", json!({"name": name, "arguments": {}})).await;
    let masked = "*".repeat(name.chars().count());
    let expected = format!("unknown tool `{masked}`; tools/list has every tool");
    assert_eq!(answer["error"]["message"], expected);
    for (method, params) in [(name, json!({})), ("resources/read", json!({"uri": name}))] {
        let answer = pipe.ask(method, params).await;
        assert!(answer["error"]["code"].is_number() && !answer.to_string().contains(name));
    }
}
