//! The skill tools over the real wire: what each one answers, and what it refuses.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::wire::{
    CANVAS, FOREIGN_CANVAS, HOME, LEGACY_CANVAS, OTHER, TestServer, canvas_id, keyed, object, ok,
    outline, refusal, refused, replayed, sample_arguments, skill_id, with, write_sample,
};

/// A whole answer, with ids that are chance replaced.
fn shown(answer: &Value) -> String {
    let text = serde_json::to_string_pretty(answer).expect("JSON");
    let mut shown = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find("\"sk_").or_else(|| rest.find("\"rs_")) {
        let (before, id) = rest.split_at(at + 4);
        shown.push_str(before);
        shown.push('…');
        rest = id.trim_start_matches(|c: char| c.is_ascii_hexdigit());
    }
    shown + rest
}

#[tokio::test]
async fn a_skill_is_written_read_invoked_and_its_result_posted() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let arguments = with(sample_arguments(), json!({"canvasIds": [CANVAS], "ageRange": "5-7"}));
    let dry = ok(&client, "skill_write", with(arguments.clone(), json!({"dryRun": true}))).await;
    let hash = dry["specHash"].clone();
    let committed = ok(&client, "skill_write", with(arguments, json!({"specHash": hash}))).await;
    let id = committed["skillId"].as_str().expect("an id");
    let input = json!({"skillId": id, "input": {"plant": "the fern", "pot": 3}});
    let invoked = ok(&client, "skill_invoke", input).await;
    let result = json!({"skillId": id, "result": {"summary": "It was thirsty."}});
    let posted = ok(&client, "skill_post_result", result).await;
    let found = ok(&client, "skill_get", skill_id(id)).await;
    let listed = ok(&client, "skill_list", json!({})).await;
    let all = [dry, committed, invoked, posted, found, listed];
    assert_snapshot!(all.iter().map(shown).collect::<Vec<_>>().join("\n"));
}

#[tokio::test]
async fn an_update_names_what_differs() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let id = write_sample(&client, json!({"canvasIds": [CANVAS]})).await;
    let update = json!({
        "skillId": id, "name": "Plants", "description": "Reminds of the plants.",
        "prompt": "Say {{input.plant}}.", "kidCallable": false, "ageRange": "5-7",
        "removeCanvasIds": [CANVAS], "addCanvasIds": [canvas_id(2)],
    });
    let answer = ok(&client, "skill_update", update.clone()).await;
    assert_eq!(answer["changedFields"], json!(["name", "instructions", "ageRange", "canvasIds"]));
    let skill = ok(&client, "skill_get", skill_id(&id)).await;
    assert_eq!(skill["skill"]["prompt"], "Say {{input.plant}}.");
    assert_eq!(skill["canvases"][0]["canvasId"], canvas_id(2));
    let again = with(update, json!({"removeCanvasIds": null}));
    let answer = ok(&client, "skill_update", again).await;
    assert_eq!(answer["changedFields"], json!([]));
}

#[tokio::test]
async fn canvases_that_cannot_be_linked_are_refused_before_anything_is_previewed() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    for dry_run in [true, false] {
        let write = async |canvases: &[&str]| {
            let others = json!({"dryRun": dry_run, "canvasIds": canvases});
            outline(&refused(&client, "skill_write", with(sample_arguments(), others)).await)
        };
        assert_eq!(
            write(&[CANVAS, LEGACY_CANVAS]).await,
            "BAD_INPUT LEGACY_CANVAS_NO_DIMENSIONS /canvasIds/1=LEGACY_CANVAS_NO_DIMENSIONS"
        );
        assert_eq!(write(&[FOREIGN_CANVAS]).await, "PERMISSION_DENIED - /canvasIds/0=NOT_YOURS");
    }
}

#[tokio::test]
async fn an_update_of_a_skill_that_was_changed_since_it_was_read_is_refused() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let id = write_sample(&client, json!({})).await;
    let hash = async || {
        let found = ok(&client, "skill_get", skill_id(&id)).await;
        found["skill"]["contentHash"].as_str().expect("a hash").to_owned()
    };
    let update = async |others: Value| {
        client.call("skill_update", object(with(skill_id(&id), others)), None).await
    };
    let read = hash().await;
    let renamed = update(json!({"name": "Ferns", "expectedHash": read})).await;
    assert_eq!(renamed.expect("an answer")["changedFields"], json!(["name"]));
    assert_ne!(hash().await, read);
    let stale = refusal(update(json!({"name": "Mosses", "expectedHash": read})).await);
    assert_eq!(outline(&stale), "BAD_INPUT SKILL_CHANGED");
    assert_eq!(ok(&client, "skill_get", skill_id(&id)).await["skill"]["name"], "Ferns");
    // The hash is one of the content, so an update that takes the change back restores it.
    let original = sample_arguments()["name"].clone();
    update(json!({"name": original, "expectedHash": hash().await})).await.expect("an answer");
    assert_eq!(hash().await, read);
    // A hash alone is nothing to update.
    let nothing = refusal(update(json!({"expectedHash": read})).await);
    assert_eq!(outline(&nothing), "BAD_INPUT NOTHING_TO_UPDATE");
}

#[tokio::test]
async fn a_skill_is_archived_and_put_to_use_again() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let id = write_sample(&client, json!({})).await;
    let archive = |archived: bool| json!({"skillId": id, "archived": archived});
    let answer = ok(&client, "skill_archive", archive(true)).await;
    assert_eq!((&answer["skillId"], &answer["archived"]), (&json!(id), &json!(true)));
    assert_eq!(ok(&client, "skill_list", json!({})).await["items"], json!([]));
    ok(&client, "skill_archive", archive(true)).await;
    let update = refused(&client, "skill_update", json!({"skillId": id, "name": "Ferns"})).await;
    assert_eq!(outline(&update), "BAD_INPUT SKILL_ARCHIVED");
    assert!(update.fix.contains("skill_archive"), "{}", update.fix);
    assert_eq!(ok(&client, "skill_archive", archive(false)).await["archived"], false);
    let heartbeat = json!({
        "name": "Ferns", "cron": "0 8 * * *", "runSkillId": id, "skillInput": {"plant": "fern"},
    });
    let heartbeat = ok(&client, "heartbeat_create", heartbeat).await["heartbeatId"].clone();
    let refusal = refused(&client, "skill_archive", archive(true)).await;
    assert_eq!(outline(&refusal), "BAD_INPUT SKILL_IN_USE");
    ok(&client, "heartbeat_update", json!({"heartbeatId": heartbeat, "action": "cancel"})).await;
    ok(&client, "skill_archive", archive(true)).await;
    let unknown = json!({"skillId": "sk_unknown", "archived": true});
    let refusal = refused(&client, "skill_archive", unknown).await;
    assert_eq!(outline(&refusal), "PERMISSION_DENIED -");
}

/// A model can set neither headers nor metadata.
#[tokio::test]
async fn an_idempotency_key_may_be_an_argument() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let with_key = with(sample_arguments(), json!({"idempotencyKey": "one"}));
    let dry = |arguments: &Value| with(arguments.clone(), json!({"dryRun": true}));
    let hash = ok(&client, "skill_write", dry(&sample_arguments())).await["specHash"].clone();
    assert_eq!(ok(&client, "skill_write", dry(&with_key)).await["specHash"], hash);
    let written = ok(&client, "skill_write", with_key.clone()).await;
    let again = ok(&client, "skill_write", with_key.clone()).await;
    assert_eq!(again, replayed(&written));
    // The header and the argument are the same key, with the same fingerprint.
    let by_header = keyed(&client, "skill_write", sample_arguments(), "one").await;
    assert_eq!(by_header.expect("the recorded answer"), replayed(&written));
    let other = with(with_key, json!({"name": "Another"}));
    let refusal = refused(&client, "skill_write", other).await;
    assert_eq!(outline(&refusal), "BAD_INPUT IDEMPOTENCY_CONFLICT");
    for key in ["", "a key", "é"] {
        let arguments = with(sample_arguments(), json!({"idempotencyKey": key}));
        let refusal = refused(&client, "skill_write", arguments).await;
        assert_eq!(outline(&refusal), "BAD_INPUT INVALID_IDEMPOTENCY_KEY");
    }
    let read = refused(&client, "skill_list", json!({"idempotencyKey": "one"})).await;
    assert_eq!(outline(&read), "BAD_INPUT INVALID_ARGUMENTS /idempotencyKey=UNKNOWN_FIELD");
}

#[tokio::test]
async fn a_server_says_which_one_it_is() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let id = ok(&client, "mcp_whoami", json!({})).await["serverId"].clone();
    assert!(id.as_str().is_some_and(|id| id.starts_with("srv_") && id.len() == 36), "{id}");
    let other = test_server.client(OTHER);
    assert_eq!(ok(&other, "mcp_whoami", json!({})).await["serverId"], id, "all families share it");
    let another = TestServer::new().client(HOME);
    assert_ne!(ok(&another, "mcp_whoami", json!({})).await["serverId"], id);
}

#[tokio::test]
async fn null_takes_the_ages_away() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let id = write_sample(&client, json!({"ageRange": "5-7", "kidCallable": true})).await;
    let update = |others: Value| with(skill_id(&id), others);
    let mut pipe = test_server.connect(HOME).await;
    let take_away = json!({"skillId": id, "ageRange": null});
    let refused = pipe.call("skill_update", take_away.clone()).await;
    let error = &refused["structuredContent"]["error"];
    assert_eq!(error["reason"], "AGE_RANGE_REQUIRED", "children may still launch it");
    ok(&client, "skill_update", update(json!({"kidCallable": false}))).await;
    let answer = pipe.call("skill_update", take_away).await;
    assert_eq!(answer["structuredContent"]["changedFields"], json!(["ageRange"]));
    let skill = ok(&client, "skill_get", skill_id(&id)).await["skill"].clone();
    assert_eq!(skill["ageRange"], Value::Null);
}

/// One skill has one hash, and one stored form.
#[tokio::test]
async fn hands_and_canvases_are_stored_in_one_form() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let plain = json!({"handsReferenced": ["task_create"], "canvasIds": [CANVAS]});
    let other = json!({"handsReferenced": ["task.create"], "canvasIds": [CANVAS.to_uppercase()]});
    let mut hashes = Vec::new();
    for others in [&plain, &other] {
        let arguments = with(sample_arguments(), with(others.clone(), json!({"dryRun": true})));
        let dry = ok(&client, "skill_write", arguments).await;
        assert_eq!(dry["previewSkill"]["handsReferenced"], plain["handsReferenced"]);
        hashes.push(dry["specHash"].clone());
    }
    assert_eq!(hashes[0], hashes[1]);
    let id = write_sample(&client, other).await;
    let skill = ok(&client, "skill_get", skill_id(&id)).await["skill"].clone();
    assert_eq!(skill["canvasIds"], plain["canvasIds"]);
    let again = json!({"skillId": id, "addCanvasIds": [CANVAS.to_uppercase()]});
    assert_eq!(ok(&client, "skill_update", again).await["changedFields"], json!([]));
}
