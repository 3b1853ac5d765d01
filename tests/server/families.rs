//! Two families: what belongs to one is, for the other, the same as what there is not.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::wire::{CANVAS, FOREIGN_CANVAS, HOME, OTHER, RawConnection, TestServer};
use crate::support::wire_calls::{Ids, Sample, samples, seed_family};

/// Arguments that are ids, or hold some.
fn is_id(name: &str) -> bool {
    name.ends_with("Id") || name.ends_with("Ids")
}

/// Ids of that kind in the other family, and one that does not exist, in the same form.
fn foreign(pointer: &str, theirs: &Ids) -> (Vec<String>, String) {
    let name = pointer.split('/').rfind(|part| part.parse::<usize>().is_err()).expect("a name");
    match name {
        "skillId" | "runSkillId" | "assignmentSkillId" => {
            let skill = &theirs.skill;
            let kinds = ["", "_scheduler", "_home", "_archived"];
            (kinds.map(|kind| format!("{skill}{kind}")).to_vec(), "sk_nobody".to_owned())
        }
        "canvasIds" | "addCanvasIds" | "removeCanvasIds" => {
            (vec![theirs.canvas.clone()], "99999999-0000-4000-8000-000000000009".to_owned())
        }
        "heartbeatId" => (vec![theirs.heartbeat.clone()], "hb_nobody".to_owned()),
        "runId" => (vec![theirs.run.clone()], "run_nobody".to_owned()),
        "childId" => (vec![theirs.child.clone()], "ch_nobody".to_owned()),
        "sourceChatId" => {
            (vec![theirs.chat.clone(), format!("th_{OTHER}")], "th_nobody".to_owned())
        }
        "threadId" => (vec![theirs.chat.clone(), format!("th_{OTHER}")], "th_nobody".to_owned()),
        "resultId" | "resultIds" => (vec![theirs.card.clone()], "rs_nobody".to_owned()),
        "targetUserId" => {
            (vec![theirs.user.clone(), format!("us_{OTHER}")], "us_nobody".to_owned())
        }
        "uri" => {
            let Ids { skill, heartbeat, child, .. } = theirs;
            let uris = [format!("skill/{skill}"), format!("heartbeat/{heartbeat}")];
            let uris = uris.into_iter().chain([format!("child/{child}/today")]);
            let uris = uris.map(|path| format!("sprout://{path}")).collect();
            (uris, "sprout://skill/sk_nobody".to_owned())
        }
        other => panic!("no test knows what `{other}` is the id of"),
    }
}

/// The whole answer to a call with that id in that place.
async fn answer(pipe: &mut RawConnection, sample: &Sample, pointer: &str, id: &str) -> String {
    let mut arguments = sample.arguments.clone();
    *arguments.pointer_mut(pointer).expect("an argument") = json!(id);
    let answer = pipe.call(sample.tool, arguments).await;
    assert_eq!(answer["isError"], true, "{} {pointer} took {id}: {answer}", sample.tool);
    let code = &answer["structuredContent"]["error"]["code"];
    let is_hidden =
        ["PERMISSION_DENIED", "DOMAIN_NOT_FOUND"].contains(&code.as_str().unwrap_or(""));
    let is_own_matter = pointer.starts_with("/removeCanvasIds");
    assert!(is_hidden || is_own_matter, "{} {pointer}: {answer}", sample.tool);
    answer.to_string().replace(id, "ID")
}

#[tokio::test]
async fn no_tool_reveals_data_of_another_family() {
    let test_server = TestServer::new();
    let ours = seed_family(&test_server, HOME, "ours", CANVAS);
    let theirs = seed_family(&test_server, OTHER, "theirs", FOREIGN_CANVAS);
    test_server.add_skill(OTHER, "sk_theirs_archived", crate::support::wire::sample());
    test_server.archive_in(OTHER, "sk_theirs_archived");
    let mut pipe = test_server.connect(HOME).await;
    let tools = pipe.ask("tools/list", json!({})).await["result"]["tools"].clone();
    for tool in tools.as_array().expect("tools") {
        let name = tool["name"].as_str().expect("a name");
        let samples: Vec<_> =
            samples(&ours).into_iter().filter(|sample| sample.tool == name).collect();
        assert!(!samples.is_empty(), "no sample calls `{name}`");
        let probed: BTreeSet<_> = samples.iter().flat_map(|sample| sample.ids).collect();
        let fields = tool["inputSchema"]["properties"].as_object().expect("fields");
        for field in fields.keys().filter(|field| is_id(field)) {
            let is_probed =
                probed.iter().any(|pointer| pointer.split('/').any(|part| part == field));
            assert!(is_probed, "no sample of `{name}` has an id in `{field}`");
        }
        for sample in &samples {
            for pointer in sample.ids {
                let (theirs, missing) = foreign(pointer, &theirs);
                let unknown = answer(&mut pipe, sample, pointer, &missing).await;
                for id in theirs {
                    let foreign = answer(&mut pipe, sample, pointer, &id).await;
                    assert_eq!(foreign, unknown, "{name} {pointer} {id}");
                }
            }
        }
    }
}

#[tokio::test]
async fn lists_and_cursors_stay_within_the_family() {
    let test_server = TestServer::new();
    seed_family(&test_server, HOME, "ours", CANVAS);
    seed_family(&test_server, OTHER, "theirs", FOREIGN_CANVAS);
    let (mut pipe, mut other) = (test_server.connect(HOME).await, test_server.connect(OTHER).await);
    let tools = pipe.ask("tools/list", json!({})).await["result"]["tools"].clone();
    let mut lists = 0;
    for tool in tools.as_array().expect("tools") {
        let name = tool["name"].as_str().expect("a name");
        if tool["inputSchema"]["properties"].get("cursor").is_none() {
            continue;
        }
        lists += 1;
        let page = pipe.call(name, json!({})).await;
        assert!(!page.to_string().contains("theirs"), "{page}");
        assert!(page.to_string().contains("ours"), "{page}");
        let page = other.call(name, json!({"limit": 1})).await;
        let Value::String(cursor) = &page["structuredContent"]["nextCursor"] else { continue };
        let foreign = pipe.call(name, json!({"cursor": cursor})).await;
        assert_eq!(foreign, pipe.call(name, json!({"cursor": "nonsense"})).await);
        assert_eq!(foreign["structuredContent"]["error"]["reason"], "INVALID_CURSOR");
    }
    assert!(lists > 0);
}
