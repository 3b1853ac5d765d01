//! The commands that messages suggest: each selects the server of the command that suggests it.

use serde_json::{Value, json};

use crate::support::Tree;
use crate::support::command::{Dibber, Ended};
use crate::support::fake_server::{Fake, Request};

const SKILL: &str =
    "---\nname: week\ndescription: Plan the week. Use when it begins.\n---\n\n# Plan\n\nPlan.\n";

/// A server without skills and heartbeats, and without `heartbeat_create` and `skill_archive`.
fn server() -> Fake {
    Fake::new(|request| {
        let tools = ["skill_list", "skill_get", "skill_write", "heartbeat_list"];
        let tools = tools.map(|name| json!({"name": name, "inputSchema": {"type": "object"}}));
        Some(request.usual(&json!(tools), &answer(request)))
    })
}

fn answer(request: &Request) -> Value {
    let parameters = &request.message["params"];
    let arguments = &parameters["arguments"];
    let answer = match parameters["name"].as_str() {
        Some("skill_write") if arguments["dryRun"] == true => {
            let preview = json!({"name": arguments["name"]});
            json!({"specHash": "h", "previewSkill": preview, "policyDecision": "allow"})
        }
        Some("skill_write") => json!({"skillId": "sk_1", "nextStep": "Invoke it."}),
        Some("skill_get") => {
            let skill = json!({
                "skillId": "sk_1", "name": "Plan", "category": "generic", "prompt": "# Plan\n\nPlan.\n",
                "description": "Plan the week. Use when it begins.",
            });
            json!({"skill": skill, "canvases": []})
        }
        _ => json!({"items": [], "nextCursor": null}),
    };
    json!({"resultType": "complete", "content": [{"type": "text", "text": answer.to_string()}]})
}

fn project() -> Tree {
    let tree = Tree::new();
    tree.write("dibber.toml", b"");
    tree.write("week/SKILL.md", SKILL.as_bytes());
    tree.write("week/sprout.yaml", b"heartbeats:\n  - name: Week\n    cron: 0 8 * * 1\n");
    tree
}

fn run(tree: &Tree, arguments: &[&str]) -> Ended {
    let dibber = Dibber::new(arguments).in_directory(tree.path());
    dibber.data(&tree.path().join("data")).env("COLUMNS", "80").run()
}

/// Returns the commands that an output suggests.
fn suggested(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2).filter(|code| code.starts_with("dibber "))
}

#[test]
fn a_suggested_command_selects_the_same_server() {
    let (server, tree) = (server(), project());
    let url = server.url();
    let commands: [&[&str]; 10] = [
        &["skill", "get", "nothing"],
        &["skill", "get", "./nothing"],
        &["skill", "get", "week"],
        &["invoke", "nothing"],
        &["heartbeat", "pause", "nothing"],
        &["heartbeat", "list"],
        &["call", "nothing"],
        &["tools", "nothing"],
        &["pull", "nothing"],
        &["guide"],
    ];
    let (mut found, mut found_in_json) = (0, 0);
    for command in commands {
        let ended = run(&tree, &[command, &["--server", &url]].concat());
        for code in suggested(&ended.stderr) {
            assert!(code.ends_with(&format!(" --server {url}")), "{}", ended.show());
            found += 1;
        }
        if command[0] == "heartbeat" {
            continue;
        }
        let ended = run(&tree, &[command, &["--server", &url, "--json"]].concat());
        for code in suggested(&ended.stdout) {
            assert!(code.ends_with(&format!(" --server {url}")), "{}", ended.show());
            found_in_json += 1;
        }
    }
    assert!(found_in_json >= 5, "{found_in_json} suggestions in JSON");
    assert!(found >= 7, "{found} suggestions");
}

#[test]
fn a_suggested_command_has_no_option_that_it_does_not_know() {
    let (server, tree) = (server(), project());
    tree.write("week/SKILL.md", b"---\nname: B c\ndescription: x\n---\nx\n");
    let ended = run(&tree, &["push", "week", "--yes", "--server", &server.url()]);
    let codes: Vec<_> = suggested(&ended.stderr).collect();
    assert!(codes.iter().any(|code| code.starts_with("dibber lint")), "{}", ended.show());
    assert!(codes.iter().all(|code| code.ends_with(" week")), "{}", ended.show());
}

/// A path is one argument of the command, whatever is in it.
#[test]
fn the_path_of_a_folder_with_a_space_is_quoted() {
    let tree = project();
    tree.write("my week/SKILL.md", SKILL.as_bytes());
    let ended = run(&tree, &["skill", "get", "./my week", "--data", "data"]);
    assert!(ended.stderr.contains("`dibber push 'my week' --data data`"), "{}", ended.show());
    let ended = run(&tree, &["hash", "my week"]);
    assert!(!ended.stderr.contains(" my week`"), "{}", ended.show());
}

/// What is run on the computer of a server selects no server.
#[test]
fn a_check_of_the_database_is_suggested_without_the_server() {
    let server = Fake::new(|request| {
        let mut answer = answer(request);
        if answer["content"][0]["text"].as_str().is_some_and(|text| text.contains("items")) {
            let damaged = json!({"items": [], "nextCursor": null, "damagedItems": 2});
            answer["content"][0]["text"] = damaged.to_string().into();
        }
        let tools = ["skill_list", "skill_get", "skill_write", "heartbeat_list"];
        let tools = tools.map(|name| json!({"name": name, "inputSchema": {"type": "object"}}));
        Some(request.usual(&json!(tools), &answer))
    });
    let ended = run(&project(), &["heartbeat", "list", "--server", &server.url()]);
    let help = "`dibber doctor --database` on its computer lists what is damaged";
    assert!(ended.stderr.replace("\n ", "").contains(help), "{}", ended.show());
}

#[test]
fn the_directory_of_the_database_is_suggested_too() {
    let tree = project();
    let ended = run(&tree, &["skill", "get", "nothing", "--data", "elsewhere"]);
    assert!(ended.stderr.contains("`dibber skill list --data elsewhere`"), "{}", ended.show());
}

/// The options of `dibber family` may be before or after its action.
#[test]
fn the_family_and_its_database_are_suggested_too() {
    let tree = project();
    let data = ["family", "--data", "my data", "add-canvas", "Wall", "--family", "ours"];
    assert_eq!(run(&tree, &data).code, 0);
    let list = "`dibber family token --list --data 'my data' --family ours` lists the tokens";
    for options in [
        ["family", "--data", "my data", "--family", "ours", "token", "--revoke", "tok_0"],
        ["family", "token", "--revoke", "tok_0", "--family", "ours", "--data", "my data"],
    ] {
        let ended = run(&tree, &options);
        assert_eq!(ended.code, 5, "{}", ended.show());
        assert!(ended.stderr.replace("\n      ", " ").contains(list), "{}", ended.show());
    }
}

#[test]
fn a_missing_token_file_is_explained() {
    let tree = project();
    let options = ["tools", "--server", "http://127.0.0.1:9/mcp", "--token-file", "nope"];
    let ended = run(&tree, &options);
    assert!(ended.stderr.starts_with("error: cannot read nope: "), "{}", ended.show());
    assert!(ended.stderr.contains("\nhelp: name the file with the token"), "{}", ended.show());
}

#[test]
fn nothing_is_suggested_that_a_token_does_not_permit() {
    let (server, tree) = (server(), project());
    let url = server.url();
    let push = ["push", "week", "--yes", "--no-heartbeats", "--server", &url];
    let pushed = run(&tree, &push);
    assert_eq!(pushed.code, 0, "{}", pushed.show());
    assert!(pushed.stderr.contains("The heartbeats of week are not set on"), "{}", pushed.show());
    assert!(pushed.stderr.contains("where you may not set them"), "{}", pushed.show());
    assert!(!pushed.stderr.contains("dibber push"), "{}", pushed.show());
}

#[test]
fn a_server_that_cannot_archive_has_a_way_to_forget_a_folder() {
    let (server, tree) = (server(), project());
    let url = server.url();
    let pushed = run(&tree, &["push", "week", "--yes", "--no-heartbeats", "--server", &url]);
    assert_eq!(pushed.code, 0, "{}", pushed.show());
    std::fs::remove_dir_all(tree.path().join("week")).expect("a directory");
    let pruned = run(&tree, &["push", "--prune", "--yes", "--server", &url]);
    let unlink = format!("`dibber skill unlink PATH --server {url}` removes the folder");
    assert!(pruned.stderr.contains(&unlink), "{}", pruned.show());
    let unlinked = run(&tree, &["skill", "unlink", "week", "--server", &url]);
    assert_eq!(unlinked.code, 0, "{}", unlinked.show());
}
