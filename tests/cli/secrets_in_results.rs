//! No secret that is sent to a server shows in what is made of its results, nor is it written.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::Tree;
use crate::support::command::Dibber;
use crate::support::fake_server::{Fake, Reply, Request};
use crate::support::server_process::MODERN;

/// The token, and the values of two headers, of which the last one is no secret.
const TOKEN: &str = "sprtSECRETtoken9f8e7d6c5b4a";
const HEADER_VALUE: &str = "othersecret-8";
const TEAM: &str = "parents";

/// A server whose every answer has the token and the header in it.
fn server() -> Fake {
    let said = format!("x {TOKEN} {HEADER_VALUE} {TEAM} y");
    Fake::new(move |request| Some(answer(request, &said)))
}

fn answer(request: &Request, said: &str) -> Reply {
    let names = [
        "skill_list",
        "skill_get",
        "skill_write",
        "heartbeat_list",
        "heartbeat_describe",
        "heartbeat_create",
        "mcp_whoami",
        "mcp_health",
    ];
    let schema = json!({"type": "object", "properties": {
        "a": {"type": "string", "description": said},
    }});
    let tool =
        |name: &str| json!({"name": name, "description": said, "inputSchema": schema.clone()});
    let content = match request.message["params"]["name"].as_str() {
        Some("skill_list") => json!({"items": [skill(said)], "nextCursor": null}),
        Some("skill_get") => json!({"skill": skill(said), "canvases": []}),
        Some("heartbeat_list") => json!({"items": [{
            "heartbeatId": "hb_1", "name": said, "cron": "0 9 * * *", "tz": "UTC",
            "cadenceText": said, "enabled": true, "nextRunAt": null, "lastRunAt": null,
            "chatId": "th_1", "runSkillId": "sk_1",
        }], "nextCursor": null}),
        Some("heartbeat_describe") => json!({
            "cadenceText": said, "nextFireAt": null, "preview": {"kind": "skill", "name": said},
            "warnings": [said],
        }),
        Some("mcp_whoami") => json!({"userId": "u", "name": said, "familyId": "f", "scopes": []}),
        _ => json!({"status": said, "time": said, "server": said}),
    };
    let text = json!([{"type": "text", "text": content.to_string()}]);
    let result = json!({"resultType": "complete", "content": text, "structuredContent": content});
    let list = json!({"name": "p", "description": said, "uri": "memo://a"});
    match request.method() {
        "server/discover" => request.result(&json!({
            "resultType": "complete", "supportedVersions": [MODERN], "ttlMs": 0,
            "capabilities": {"tools": {}, "prompts": {}, "resources": {}}, "cacheScope": "private",
            "_meta": {"io.modelcontextprotocol/serverInfo": {"name": said, "version": said}},
        })),
        "prompts/list" => request.result(&json!({"resultType": "complete", "prompts": [list]})),
        "resources/list" => request.result(&json!({"resultType": "complete", "resources": [list]})),
        "resources/templates/list" => {
            request.result(&json!({"resultType": "complete", "resourceTemplates": []}))
        }
        _ => request.usual(&names.map(tool).into_iter().collect(), &result),
    }
}

fn skill(said: &str) -> Value {
    json!({
        "skillId": "sk_1", "name": said, "description": said, "category": "generic",
        "prompt": format!("# Plan\n\n{said}\n"), "archived": false,
    })
}

/// Runs a command with the token in a variable or, for a headless machine, in a file.
fn run(server: &Fake, tree: &Tree, arguments: &[&str], token_file: Option<&Path>) -> (i32, String) {
    let (header, team) = (format!("X-Api-Key: {HEADER_VALUE}"), format!("X-Team: {TEAM}"));
    let url = server.url();
    let dibber = Dibber::new(arguments).arguments(&["--server", &url, "--header", &header]);
    let dibber = dibber.arguments(&["--header", &team]);
    let dibber = dibber.in_directory(tree.path()).data(&tree.path().join("data"));
    let ended = match token_file {
        Some(file) => dibber.arguments(&["--token-file", &file.to_string_lossy()]).run(),
        None => dibber.env("DIBBER_TOKEN", TOKEN).run(),
    };
    (ended.code, ended.show())
}

#[test]
fn a_server_that_repeats_the_token_in_its_results() {
    let (server, tree) = (server(), Tree::new());
    for command in [
        &["status"][..],
        &["tools"],
        &["tools", "skill_get"],
        &["skill", "list"],
        &["skill", "get", "sk_1"],
        &["heartbeat", "list"],
        &["call", "skill_list"],
        &["prompts"],
        &["resources"],
    ] {
        for format in [&[][..], &["--json"]] {
            let command = [command, format].concat();
            let (code, shown) = run(&server, &tree, &command, None);
            assert_eq!(code, 0, "{shown}");
            assert!(!shown.contains(TOKEN) && !shown.contains(HEADER_VALUE), "{shown}");
            assert!(shown.contains("x **** **** parents y"), "{shown}");
        }
    }
    let create = ["heartbeat", "create", "E", "--schedule", "every day at 9am", "--tz", "UTC"];
    let create = [&create[..], &["--skill", "sk_1", "-n"]].concat();
    let (code, shown) = run(&server, &tree, &create, None);
    assert!(code == 0 && shown.contains("****") && !shown.contains(TOKEN), "{shown}");
}

#[test]
fn a_token_of_a_file_is_masked_as_well() {
    let (server, tree) = (server(), Tree::new());
    tree.write("token", TOKEN.as_bytes());
    let file = tree.path().join("token");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("the owner's file");
    }
    let (code, shown) = run(&server, &tree, &["call", "skill_list"], Some(&file));
    assert!(code == 0 && shown.contains("****") && !shown.contains(TOKEN), "{shown}");
}

#[test]
fn a_skill_with_the_token_in_it_is_not_pulled() {
    let (server, tree) = (server(), Tree::new());
    tree.write("dibber.toml", b"");
    for arguments in [&["sk_1", "--into", "x"][..], &["--all"], &["sk_1", "--dry-run"]] {
        let command = [&["pull", "--yes"], arguments].concat();
        let (code, shown) = run(&server, &tree, &command, None);
        assert_eq!(code, 3, "{shown}");
        assert!(shown.contains("sk_1 contains the token or another secret"), "{shown}");
        assert!(!shown.contains(TOKEN) && !shown.contains(HEADER_VALUE), "{shown}");
    }
    let names = fs::read_dir(tree.path()).expect("a directory").flatten();
    let names: Vec<_> = names.map(|entry| entry.file_name()).collect();
    assert!(names.iter().all(|name| name == "dibber.toml" || name == "data"), "{names:?}");
}
