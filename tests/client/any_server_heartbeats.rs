//! Heartbeats on a server of another make, which lists little of them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::support::Tree;
use crate::support::command::{Dibber, Ended};
use crate::support::fake_server::{Fake, Reply, Request};

const TOOLS: [&str; 10] = [
    "skill_write",
    "skill_update",
    "skill_list",
    "skill_get",
    "heartbeat_create",
    "heartbeat_update",
    "heartbeat_describe",
    "heartbeat_list",
    "mcp_whoami",
    "mcp_health",
];

/// What a server does in its own way.
#[derive(Clone, Copy, Default)]
struct Ways {
    /// A warning about every heartbeat.
    warning: Option<&'static str>,
    /// Whether the answer to the first commit is an error without a code.
    loses_commit: bool,
}

#[derive(Default)]
struct Stored {
    skills: Vec<Value>,
    heartbeats: Vec<Value>,
    /// The answers to writes, by their keys.
    answers: BTreeMap<String, Value>,
    made: usize,
}

impl Stored {
    fn call(&mut self, tool: &str, arguments: &Value, ways: Ways) -> Value {
        match tool {
            "skill_write" if arguments["dryRun"] == true => {
                json!({"specHash": "own", "policyDecision": "allow"})
            }
            "skill_write" => {
                let mut skill = arguments.clone();
                skill["skillId"] = format!("sk_{}", self.skills.len()).into();
                skill["category"] = "generic".into();
                self.skills.push(skill.clone());
                json!({"skillId": skill["skillId"], "nextStep": "Invoke it."})
            }
            "skill_get" => {
                let id = &arguments["skillId"];
                let skill = self.skills.iter().find(|skill| skill["skillId"] == *id);
                json!({"skill": skill.expect("a skill"), "canvases": []})
            }
            "heartbeat_create" => {
                self.made += 1;
                let id = format!("hb_{}", self.made);
                let item = json!({
                    "heartbeatId": id, "name": arguments["name"], "cron": arguments["cron"],
                    "cadenceText": "Some day", "enabled": true, "nextRunAt": null,
                    "lastRunAt": null, "chatId": "th",
                });
                self.heartbeats.push(item);
                json!({"heartbeatId": id, "chatId": "th", "nextFireAt": "later"})
            }
            "heartbeat_update" => {
                let id = &arguments["heartbeatId"];
                if arguments["action"] == "cancel" {
                    self.heartbeats.retain(|it| it["heartbeatId"] != *id);
                }
                for it in self.heartbeats.iter_mut().filter(|it| it["heartbeatId"] == *id) {
                    for name in ["name", "cron"] {
                        if let Some(value) = arguments.get(name) {
                            it[name] = value.clone();
                        }
                    }
                }
                json!({"heartbeatId": id, "status": "updated"})
            }
            "heartbeat_describe" => json!({
                "cadenceText": "Some day", "nextFireAt": null,
                "preview": {"kind": "skill", "skillId": "sk_0", "name": "Plan"},
                "warnings": ways.warning.into_iter().collect::<Vec<_>>(),
            }),
            "heartbeat_list" => json!({"items": self.heartbeats, "nextCursor": null}),
            "mcp_whoami" => json!({"userId": "u", "familyId": "f", "scopes": []}),
            _ => json!({"items": [], "nextCursor": null}),
        }
    }
}

struct World {
    tree: Tree,
    server: Fake,
    stored: Arc<Mutex<Stored>>,
}

impl World {
    fn new(ways: Ways) -> Self {
        let stored = Arc::new(Mutex::new(Stored::default()));
        let of_server = Arc::clone(&stored);
        let server = Fake::new(move |request| {
            Some(answer(request, &mut of_server.lock().expect("no panic"), ways))
        });
        let tree = Tree::new();
        tree.write("dibber.toml", b"");
        let world = Self { tree, server, stored };
        world.write("plan", "Ada", "0 17 * * 5", "America/New_York");
        world
    }

    /// Writes a skill with one heartbeat.
    fn write(&self, name: &str, who: &str, cron: &str, tz: &str) {
        let skill = format!(
            "---\nname: {name}\ndescription: Plans the week. Use when a parent wants to plan.\n\
             ---\n\n# Plan\n\nPlan the week of {{{{input.who}}}}.\n"
        );
        self.tree.write(&format!("{name}/SKILL.md"), skill.as_bytes());
        let manifest = format!(
            "label: {name}\ninputs:\n  - name: who\n    type: string\n    description: Who\n\
             heartbeats:\n  - name: Weekly plan\n    cron: '{cron}'\n    tz: {tz}\n    \
             input:\n      who: {who}\n"
        );
        self.tree.write(&format!("{name}/sprout.yaml"), manifest.as_bytes());
    }

    fn run(&self, command: &[&str]) -> Ended {
        let url = self.server.url();
        self.run_alone(&[command, &["--server", &url]].concat())
    }

    /// Runs a command that calls no server.
    fn run_alone(&self, command: &[&str]) -> Ended {
        let dibber = Dibber::new(command);
        let data = self.tree.path().join("data");
        dibber.in_directory(self.tree.path()).data(&data).env("COLUMNS", "80").run()
    }

    fn push(&self, name: &str) -> Ended {
        self.run(&["push", "--yes", name])
    }

    fn heartbeats(&self) -> Vec<Value> {
        self.stored.lock().expect("no panic").heartbeats.clone()
    }

    fn made(&self) -> usize {
        self.stored.lock().expect("no panic").made
    }
}

fn answer(request: &Request, stored: &mut Stored, ways: Ways) -> Reply {
    let parameters = &request.message["params"];
    let tools = TOOLS.map(|name| json!({"name": name, "inputSchema": {"type": "object"}}));
    let (tool, arguments) = (parameters["name"].as_str(), &parameters["arguments"]);
    let key = request.header("idempotency-key").map(str::to_owned);
    let known = key.as_ref().and_then(|key| stored.answers.get(key).cloned());
    let is_new = known.is_none();
    let answer = known.unwrap_or_else(|| stored.call(tool.unwrap_or_default(), arguments, ways));
    if let Some(key) = key {
        stored.answers.insert(key, answer.clone());
    }
    let is_commit = tool == Some("skill_write") && arguments["dryRun"] != true;
    let is_lost = ways.loses_commit && is_commit && is_new && stored.skills.len() == 1;
    let text = if is_lost { "something bad happened".to_owned() } else { answer.to_string() };
    let content = json!([{"type": "text", "text": text}]);
    let result = json!({"resultType": "complete", "content": content, "isError": is_lost});
    request.usual_with_keys(&json!(tools), &result)
}

#[test]
fn a_heartbeat_of_another_skill_is_not_taken_for_that_of_a_new_one() {
    for warning in [None, Some("already_assigned")] {
        let world = World::new(Ways { warning, ..Ways::default() });
        world.push("plan");
        world.run(&["heartbeat", "create", "plan", "--yes"]);
        let others = Tree::new();
        others.write("dibber.toml", b"");
        let world = World { tree: others, ..world };
        world.write("other", "Ada", "0 17 * * 5", "America/New_York");
        let before = world.heartbeats().len();
        let ended = world.push("other");
        assert!(!ended.stderr.contains("up to date"), "{}", ended.show());
        // One that the server warns about is made by the next push.
        let expected = if warning.is_none() { before + 1 } else { before };
        assert_eq!(world.heartbeats().len(), expected, "{}", ended.show());
    }
}

#[test]
fn a_warning_of_the_server_s_own_is_shown_and_escaped() {
    let world = World::new(Ways { warning: Some("take\u{1b} care"), ..Ways::default() });
    let first = world.push("plan");
    let described = world.run(&["heartbeat", "describe", "plan"]);
    let again = world.push("plan");
    assert_eq!(world.made(), 1, "{}", again.show());
    // The preview of a new skill says when its heartbeat fires next, which depends on the clock.
    let shown = first.stderr + &described.show() + &again.show();
    let shown = shown.replace(&world.server.url(), "URL");
    insta::assert_snapshot!("any_warning", shown);
}

#[test]
fn a_commit_that_ends_in_an_error_without_a_code_is_resumed() {
    let world = World::new(Ways { loses_commit: true, ..Ways::default() });
    let first = world.push("plan");
    assert_ne!(first.code, 0, "{}", first.show());
    let listed = world.run_alone(&["journal", "list"]);
    assert!(listed.stdout.contains("skill_write"), "{}", listed.show());
    let second = world.push("plan");
    assert_eq!(second.code, 0, "{}", second.show());
    assert_eq!(world.stored.lock().expect("no panic").skills.len(), 1, "{}", second.show());
}
