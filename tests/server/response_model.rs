//! Response models in calls: they are written, changed and read, and results have to match them.

use serde_json::{Value, json};

use crate::support::wire::{
    HOME, TestServer, ok, outline, refused, sample_arguments, with, write_sample,
};

fn model() -> Value {
    json!({
        "type": "object", "required": ["watered"],
        "properties": {"watered": {"type": "integer"}, "note": {"type": "string"}},
    })
}

#[tokio::test]
async fn a_model_is_written_changed_and_removed() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let plain = write_sample(&client, json!({})).await;
    let found = ok(&client, "skill_get", json!({"skillId": plain})).await;
    assert_eq!(found["skill"].get("responseModel"), Some(&Value::Null));
    let hash = found["skill"]["contentHash"].clone();

    let update = json!({"skillId": plain, "responseModel": model()});
    let updated = ok(&client, "skill_update", update.clone()).await;
    assert_eq!(updated["changedFields"], json!(["responseModel"]));
    assert_ne!(updated["contentHash"], hash);
    let again = ok(&client, "skill_update", update).await;
    assert_eq!(again["changedFields"], json!([]));
    let found = ok(&client, "skill_get", json!({"skillId": plain})).await;
    assert_eq!(found["skill"]["responseModel"], model());
    ok(&client, "skill_update", json!({"skillId": plain, "name": "Ferns"})).await;
    let removed =
        ok(&client, "skill_update", json!({"skillId": plain, "responseModel": null})).await;
    assert_eq!(removed["changedFields"], json!(["responseModel"]));
    ok(&client, "skill_update", json!({"skillId": plain, "name": "Plants"})).await;

    let arguments = with(sample_arguments(), json!({"responseModel": model()}));
    let preview =
        ok(&client, "skill_write", with(arguments.clone(), json!({"dryRun": true}))).await;
    assert_eq!(preview["previewSkill"]["responseModel"], model());
    let hash = json!({"specHash": preview["specHash"]});
    let other = with(sample_arguments(), hash.clone());
    let error = refused(&client, "skill_write", other).await;
    assert_eq!(error.reason.as_deref(), Some("SPEC_HASH_MISMATCH"), "the model is in the hash");
    ok(&client, "skill_write", with(arguments, hash)).await;
}

#[tokio::test]
async fn an_invalid_model_is_refused_with_every_path() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let id = write_sample(&client, json!({})).await;
    let mut refusals = Vec::new();
    for model in [
        json!({"type": "text", "properties": {"a/b": {"minItems": "x"}}}),
        json!({"items": {"$ref": "https://example.org/schema"}}),
        json!({"properties": {"Ottilie": {"type": "text"}}}),
        json!({"description": "What Ottilie has done"}),
        json!({"properties": {"ottilieHasDone": true}}),
        json!({"maximum": 9_007_199_254_740_993_u64}),
    ] {
        let arguments = with(sample_arguments(), json!({"responseModel": model}));
        let written = refused(&client, "skill_write", arguments).await;
        let update = json!({"skillId": id, "responseModel": model});
        let updated = refused(&client, "skill_update", update).await;
        refusals.push(format!("{}\n{}", outline(&written), outline(&updated)));
    }
    insta::assert_snapshot!(refusals.join("\n\n"));
}

#[tokio::test]
async fn data_have_to_match_the_model() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let id = write_sample(&client, json!({"responseModel": model()})).await;
    let post = |result: Value| json!({"skillId": id, "result": result});
    ok(
        &client,
        "skill_post_result",
        post(json!({"summary": "Done.", "data": {"watered": 3}, "more": 1})),
    )
    .await;
    let mut refusals = Vec::new();
    for result in [
        json!({"summary": "Done."}),
        json!({"summary": "Done.", "data": null}),
        json!({"summary": "Done.", "data": {"watered": "three", "note": 1}}),
        json!({"data": {"watered": 3}}),
    ] {
        let error = refused(&client, "skill_post_result", post(result)).await;
        refusals.push(format!("{}\n{}\n{}", outline(&error), error.message, error.fix));
    }
    insta::assert_snapshot!(refusals.join("\n\n"));
    let listed = ok(&client, "inbox_list", json!({})).await;
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(1), "nothing else was posted");
}
