//! Resources whose state changes: what they contain, and waiting for a change.

use std::time::{Duration, Instant};

use dibber_server::Caller;
use dibber_skill::contract::Scope;
use serde_json::{Value, json};

use crate::support::wire::{
    CANVAS, HOME, NOW, OTHER, RawConnection, TestServer, ok, outline, parent, refused, write_sample,
};
use crate::support::wire_calls::{Ids, seed_family};

/// The URIs of the resources of a family.
fn uris(ids: &Ids) -> [String; 5] {
    [
        "sprout://family/activity".to_owned(),
        "sprout://family/inbox".to_owned(),
        format!("sprout://skill/{}", ids.skill),
        format!("sprout://heartbeat/{}", ids.heartbeat),
        format!("sprout://child/{}/today", ids.child),
    ]
}

/// Reads a resource, which has to be there.
async fn read(pipe: &mut RawConnection, uri: &str) -> Value {
    let answer = pipe.ask("resources/read", json!({"uri": uri})).await;
    let content = &answer["result"]["contents"][0];
    assert_eq!((&content["uri"], &content["mimeType"]), (&json!(uri), &json!("application/json")));
    serde_json::from_str(content["text"].as_str().expect("text")).expect("JSON")
}

/// Gives the heartbeat of a family to its child.
fn give_to_child(test_server: &TestServer, ids: &Ids) {
    let ids = ids.clone();
    test_server.change(move |store| {
        let (family, id) = (HOME.into(), ids.heartbeat.as_str().into());
        let mut heartbeat = store.heartbeat(&family, &id).expect("one").expect("one");
        heartbeat.child_id = Some(ids.child.into());
        store.put_heartbeat(&family, &heartbeat).expect("a change");
    });
}

#[tokio::test]
async fn resources_contain_what_the_tools_answer() {
    let test_server = TestServer::new();
    let ids = seed_family(&test_server, HOME, "ours", CANVAS);
    give_to_child(&test_server, &ids);
    let mut pipe = test_server.connect(HOME).await;
    let [activity, inbox, skill, heartbeat, today] = uris(&ids);
    for (uri, tool, arguments) in [
        (&activity, "activity_list", json!({})),
        (&inbox, "inbox_list", json!({})),
        (&skill, "skill_get", json!({"skillId": ids.skill})),
    ] {
        let mut state = read(&mut pipe, uri).await;
        let version = state.as_object_mut().expect("an object").remove("version");
        assert!(version.is_some_and(|version| version.is_string()));
        let mut answer = pipe.call(tool, arguments).await["structuredContent"].clone();
        answer.as_object_mut().expect("an object").remove("nextStep");
        assert_eq!(state, answer, "{uri}");
    }
    let state = read(&mut pipe, &heartbeat).await;
    let listed = pipe.call("heartbeat_list", json!({})).await["structuredContent"].clone();
    assert_eq!(state["heartbeat"], listed["items"][0]);
    assert_eq!(state["cancelled"], false);
    let cancel = json!({"heartbeatId": ids.heartbeat, "action": "cancel"});
    pipe.call("heartbeat_update", cancel).await;
    assert_eq!(read(&mut pipe, &heartbeat).await["cancelled"], true);
    assert_eq!(read(&mut pipe, &today).await["heartbeats"], json!([]));
}

#[tokio::test]
async fn a_day_has_what_fires_on_it_and_what_became_of_it() {
    let test_server = TestServer::new();
    let ids = seed_family(&test_server, HOME, "ours", CANVAS);
    give_to_child(&test_server, &ids);
    let mut pipe = test_server.connect(HOME).await;
    let uri = &uris(&ids)[4];
    let claim = json!({"action": "claim", "runId": ids.run});
    let claimed = pipe.call("heartbeat_due", claim).await["structuredContent"].clone();
    let result = json!({
        "skillId": ids.skill, "heartbeatId": ids.heartbeat, "result": {"summary": "Done."},
    });
    pipe.call("skill_post_result", result).await;
    let state = read(&mut pipe, uri).await;
    assert!(NOW.starts_with("2026-05-23"));
    assert_eq!(state["date"], "2026-05-23");
    let fires = json!([{
        "heartbeatId": ids.heartbeat, "name": "Plants", "runSkillId": ids.skill,
        "times": ["2026-05-23T08:00:00-04:00"],
    }]);
    assert_eq!(state["heartbeats"], fires);
    assert_eq!(
        state["runs"],
        json!([claimed["run"].as_object().map(|run| {
            let mut run = run.clone();
            run.remove("promptHash");
            run
        })])
    );
    // The card that was there is older.
    assert_eq!(state["cards"].as_array().expect("cards").len(), 1, "{state}");
    assert_eq!(state["cards"][0]["summary"], "Done.");
    test_server.move_clock(24 * 60 * 60);
    let next = read(&mut pipe, uri).await;
    assert_eq!(
        (&next["date"], &next["runs"], &next["cards"]),
        (&json!("2026-05-24"), &json!([]), &json!([]),)
    );
    assert_ne!(next["version"], state["version"]);
}

#[tokio::test]
async fn resources_are_listed_with_their_templates() {
    let mut pipe = TestServer::new().connect(HOME).await;
    let listed = pipe.ask("resources/list", json!({})).await["result"].clone();
    let uris = listed["resources"].as_array().expect("resources").iter();
    let uris: Vec<_> = uris.filter_map(|resource| resource["uri"].as_str()).skip(3).collect();
    assert_eq!(uris, ["sprout://family/activity", "sprout://family/inbox"]);
    let listed = pipe.ask("resources/templates/list", json!({})).await["result"].clone();
    let templates = listed["resourceTemplates"].as_array().expect("templates").iter();
    let templates: Vec<_> = templates.filter_map(|it| it["uriTemplate"].as_str()).collect();
    let all = [
        "sprout://child/{childId}/today",
        "sprout://heartbeat/{id}",
        "sprout://skill/{id}",
        "skill://{+path}",
    ];
    assert_eq!(templates, all);
}

#[tokio::test]
async fn a_token_reads_what_its_scopes_permit() {
    let test_server = TestServer::new();
    let ids = seed_family(&test_server, HOME, "ours", CANVAS);
    let uris = uris(&ids);
    for (scope, permitted) in [
        (Scope::FamilyRead, "11000"),
        (Scope::SkillRead, "00100"),
        (Scope::HeartbeatWrite, "00010"),
    ] {
        let caller = Caller { scopes: vec![scope], ..parent(HOME) };
        let mut pipe = test_server.connect_as(caller).await;
        for (uri, permitted) in uris.iter().zip(permitted.chars()) {
            for method in ["resources/read", "resources/subscribe"] {
                let answer = pipe.ask(method, json!({"uri": uri})).await;
                let is_permitted = answer.get("error").is_none();
                assert_eq!(is_permitted, permitted == '1', "{scope:?} {uri}: {answer}");
            }
        }
    }
    let mut other = test_server.connect(OTHER).await;
    for uri in &uris[2..] {
        for method in ["resources/read", "resources/subscribe"] {
            let foreign = other.ask(method, json!({"uri": uri})).await["error"].clone();
            let missing = "sprout://skill/sk_nobody";
            let unknown = other.ask(method, json!({"uri": missing})).await["error"].clone();
            assert_eq!(foreign.to_string().replace(uri, missing), unknown.to_string());
            assert_eq!(foreign["code"], -32002);
        }
    }
}

#[tokio::test]
async fn a_wait_ends_with_the_first_change() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let id = write_sample(&client, json!({})).await;
    let (skill, inbox) = (format!("sprout://skill/{id}"), "sprout://family/inbox");
    let wait = |since: Value, timeout: u64| {
        json!({
            "resources": [{"uri": skill, "sinceVersion": since}, {"uri": inbox, "sinceVersion": "v0"}],
            "timeoutMs": timeout,
        })
    };
    let first = ok(&client, "resource_wait", wait(Value::Null, 15_000)).await["resources"].clone();
    assert_eq!((&first[0]["changed"], &first[1]["changed"]), (&json!(true), &json!(false)));
    let version = &first[0]["version"];
    let began = Instant::now();
    let none = ok(&client, "resource_wait", wait(version.clone(), 300)).await;
    assert!(began.elapsed() >= Duration::from_millis(300));
    assert_eq!(none["resources"][0]["changed"], false);
    assert_eq!(&none["resources"][0]["version"], version);
    // A change that takes place meanwhile ends the wait.
    let waiting = {
        let (client, arguments) = (test_server.client(HOME), wait(version.clone(), 15_000));
        tokio::spawn(async move { ok(&client, "resource_wait", arguments).await })
    };
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(!waiting.is_finished());
    ok(&client, "skill_update", json!({"skillId": id, "name": "Ferns"})).await;
    let changed = waiting.await.expect("an answer");
    assert_eq!(changed["resources"][0]["changed"], true);
    assert_eq!(changed["resources"][0].get("state"), None);
    // One that took place before ends it at once, and the answer may contain it.
    let began = Instant::now();
    let mut late = wait(version.clone(), 15_000);
    late["includeState"] = true.into();
    let late = ok(&client, "resource_wait", late).await;
    assert!(began.elapsed() < Duration::from_secs(10));
    assert_eq!(late["resources"][0]["version"], changed["resources"][0]["version"]);
    assert_eq!(late["resources"][0]["state"]["skill"]["name"], "Ferns");
    assert_eq!(late["resources"][1].get("state"), None);
}

#[tokio::test]
async fn a_wait_for_too_much_is_refused() {
    let test_server = TestServer::new();
    let client = test_server.client(HOME);
    let resource = json!({"uri": "sprout://family/inbox"});
    for arguments in [
        json!({"resources": vec![resource.clone(); 21]}),
        json!({"resources": [resource], "timeoutMs": 15_001}),
        json!({"resources": [{"uri": "sprout://family/inbox", "since": "v1"}]}),
        json!({"resources": []}),
    ] {
        let error = refused(&client, "resource_wait", arguments).await;
        assert!(outline(&error).starts_with("BAD_INPUT INVALID_ARGUMENTS"), "{error:?}");
    }
    for uri in ["sprout://family/secrets", "family/inbox", "sprout://skill/authoring-guide"] {
        let unknown = json!({"resources": [{"uri": uri}]});
        let error = refused(&client, "resource_wait", unknown).await;
        assert_eq!(outline(&error), "DOMAIN_NOT_FOUND - /resources/0/uri=NOT_YOURS");
        assert!(error.fix.contains("sprout://family/inbox"), "{}", error.fix);
    }
}

/// A wait for nothing would always take its whole time.
#[tokio::test]
async fn a_wait_names_what_it_is_for() {
    let client = TestServer::new().client(HOME);
    let resource = r#"{"uri": "sprout://family/activity"}"#;
    for (arguments, path, fix) in [
        (json!({"resources": []}), "/resources", format!("add one, such as {resource}")),
        (json!({}), "/resources", format!("add it: What to wait for, as `[{resource}]`.")),
        (
            json!({"resources": ["sprout://family/activity"]}),
            "/resources/0",
            "use an object with `uri`".to_owned(),
        ),
        (
            json!({"resources": "sprout://family/activity"}),
            "/resources",
            format!("use an array: What to wait for, as `[{resource}]`."),
        ),
    ] {
        let error = refused(&client, "resource_wait", arguments).await;
        assert_eq!(error.reason.as_deref(), Some("INVALID_ARGUMENTS"));
        assert_eq!(error.details.expect("details")["issues"][0]["path"], path);
        assert_eq!(error.fix, fix);
    }
}

/// The error says which of the resources it is about.
#[tokio::test]
async fn a_wait_for_what_cannot_be_read_names_it() {
    let test_server = TestServer::new();
    for uri in ["sprout://skill/sk_nobody", "sprout://family/secrets", "what"] {
        let resources = json!([{"uri": "sprout://family/inbox"}, {"uri": uri}]);
        let wait = json!({"resources": resources});
        let error = refused(&test_server.client(HOME), "resource_wait", wait).await;
        assert_eq!(outline(&error), "DOMAIN_NOT_FOUND - /resources/1/uri=NOT_YOURS");
        assert_eq!(error.message, format!("resource not found in your family: `{uri}`"));
    }
    let caller = Caller { scopes: vec![Scope::SkillRead], ..parent(HOME) };
    let mut pipe = test_server.connect_as(caller).await;
    let wait = json!({"resources": [{"uri": "sprout://family/inbox"}]});
    let error = pipe.call("resource_wait", wait).await["structuredContent"]["error"].clone();
    assert_eq!(error["code"], "PERMISSION_DENIED", "{error}");
    assert_eq!(error["details"]["issues"][0]["path"], "/resources/0/uri", "{error}");
}
