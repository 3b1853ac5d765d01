//! `dibber serve --skills`: runs, as far as this machine can isolate them.

use std::process::Command;

use dibber_server::store::sqlite::SqliteStore;
use dibber_server::store::{
    FamilyId, SkillRun, SkillRunList, StoreExt, StoreResult, database_path,
};
use serde_json::{Value, json};

use crate::support::command::Dibber;
use crate::support::pages::block_below;
use crate::support::sandbox::skip;
use crate::support::skill_server::{SkillServer, refusal, write_skill};
use crate::support::{Tree, package};

/// Code that ends long after every test.
pub(crate) const SLEEP: &str = "import time\ndef main(args):\n    time.sleep(60)\n";

/// The runs of a server that has ended, the latest first.
pub(crate) fn recorded(tree: &Tree) -> Vec<SkillRun> {
    let store = SqliteStore::open(&database_path(&tree.path().join("data"))).expect("a database");
    let runs: StoreResult<_> = store.read_blocking(|store| {
        let families = store.families()?.rows;
        let family: &FamilyId = &families.first().expect("a family").id;
        let list = SkillRunList { limit: 200, ..SkillRunList::default() };
        Ok(store.skill_runs(family, &list)?.rows)
    });
    runs.expect("runs")
}

#[test]
fn a_run_returns_its_output_its_logs_and_its_error() {
    let server = SkillServer::start(&[]);
    let add = json!({"name": "math.add", "args": {"a": 40, "b": 2}});
    let Some(run) = server.run("execute_skill", &add) else { return };
    assert_eq!((&run["status"], &run["output"]), (&json!("completed"), &json!({"sum": 42})));
    assert_eq!(run["logs_preview"], "adding\n");
    let id = run["run_id"].as_str().expect("an id").to_owned();
    assert!(id.starts_with("run_"), "{id}");
    let failed = server.run("execute_skill", &json!({"name": "family.dates.fail"})).expect("a run");
    assert_eq!(
        (&failed["status"], &failed["error"]["type"]),
        (&json!("failed"), &json!("KeyError"))
    );
    let code = |code: &str, more: Value| {
        let mut params = json!({"language": "python", "code": code});
        for (name, value) in more.as_object().expect("parameters") {
            params[name] = value.clone();
        }
        server.run("run_code", &params).expect("a run")
    };
    for (source, more, kind) in [
        (SLEEP, json!({"timeout_ms": 200}), "Timeout"),
        ("x = 1", json!({}), "EntrypointNotFound"),
        ("def main(args): return {1, 2}", json!({}), "NotSerializable"),
        ("def main(args): return args[", json!({}), "SyntaxError"),
        ("def main(args): raise SystemExit(3)", json!({}), "SystemExit"),
    ] {
        let run = code(source, more);
        assert_eq!(run["error"]["type"], kind, "{run}");
    }
    let capped = code("def main(args): return 1", json!({"timeout_ms": 10_000_000}));
    assert_eq!(capped["warnings"].as_array().map(Vec::len), Some(1), "{capped}");
    // A large output is a blob, which the same token reads.
    let large = code("def main(args): return \"é\" * 50000", json!({}));
    assert!(large.get("output").is_none(), "{}", large["summary"]);
    let read = json!({"blob_id": large["output_blobs"][0], "mode": "full"});
    let content = server.result("read_blob", &read)["content"].clone();
    let content = serde_json::from_str::<String>(content.as_str().expect("text")).expect("JSON");
    assert_eq!(content.chars().count(), 50_000);
    let summary = code("def main(args): return {\"summary\": \"PRIVATE\"}", json!({}));
    assert_eq!(summary["summary"], "PRIVATE");
    code("def main(args): raise ValueError(\"PRIVATE\")", json!({}));
    let SkillServer { serving, tree } = server;
    serving.signal("TERM");
    let (_, log) = serving.ended();
    assert!(log.contains("method=\"execute_skill\""), "{log}");
    assert!(!log.contains("math.add") && !log.contains("adding"), "{log}");
    let runs = recorded(&tree);
    assert_eq!(runs.len(), 11);
    assert!(!format!("{runs:?}").contains("PRIVATE"), "{runs:#?}");
    assert_eq!(runs.last().map(|run| run.id.as_str()), Some(id.as_str()));
}

#[test]
fn a_secret_comes_from_the_file_of_the_owner() {
    use std::os::unix::fs::PermissionsExt as _;
    let server = SkillServer::start(&[]);
    let code = b"import runtime\ndef main(args):\n    print(runtime.secrets[\"KEY\"])\n    return len(runtime.secrets[\"KEY\"])\n";
    server.tree.write("skills/needs.secret/code/main.py", code);
    server.tree.write("data/secrets.toml", b"[secrets]\nKEY = \"a-long-secret-value\"\n");
    let file = server.tree.path().join("data/secrets.toml");
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o600)).expect("a mode");
    let Some(run) = server.run("execute_skill", &json!({"name": "needs.secret"})) else { return };
    assert_eq!(run["output"], 19, "{run}");
    assert!(!run.to_string().contains("a-long-secret-value"), "{run}");
}

#[test]
fn without_a_sandbox_skills_can_only_be_read() {
    let tree = Tree::new();
    crate::support::skill_server::write_skills(&tree);
    tree.write("data/dibber.toml", b"[sandbox]\npython = \"/nonexistent/python\"\n");
    let server = SkillServer::over(tree, &[]);
    for (method, params) in [
        ("execute_skill", json!({"name": "math.add", "args": {"a": 1, "b": 2}})),
        ("run_code", json!({"language": "python", "code": "def main(args): return 1"})),
    ] {
        let answer = server.call(method, &params);
        assert_eq!(refusal(&answer), "-32603 SANDBOX_UNAVAILABLE", "{answer}");
        assert!(answer["error"]["message"].as_str().expect("text").contains("/nonexistent/python"));
    }
    assert!(server.result("list_skills", &json!({}))["skills"].is_array());
    server.result("create_blob", &json!({"content": "a", "kind": "text/plain"}));
    server.serving.signal("TERM");
    let (_, log) = server.serving.ended();
    assert!(log.contains("cannot be run") && log.contains("/nonexistent/python"), "{log}");
}

#[test]
fn a_client_that_knows_only_the_page_of_the_protocol_does_everything() {
    let server = SkillServer::start(&[]);
    let script = package().join("tests/conformance/skills_protocol_client.py");
    let ran = Command::new("python3")
        .arg(script)
        .env("SKILLS_ENDPOINT", format!("http://{}/rpc", server.serving.address))
        .env("SKILLS_TOKEN", server.serving.token())
        .output();
    let Ok(ran) = ran else {
        skip("there is no python3");
        return;
    };
    let (stdout, stderr) =
        (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{stdout}{stderr}");
    let (read, executed) = (
        "guide: True\n\
         sorted: True unique: True\n\
         namespace: ['math.add']\n\
         summary: Does math.add. action\n\
         manifest: code/main.py\n\
         file: True\n\
         head: True True\n\
         tail: héllo \n\
         refused: -32602\n",
        "executed: completed {'sum': 42} True\n\
         failed: failed KeyError\n\
         code: completed {'sum': 3, 'words': 1000}\n",
    );
    let rest = stdout.strip_prefix(read).unwrap_or_else(|| panic!("{stdout}"));
    match rest.strip_prefix("skipped: ") {
        Some(reason) => skip(reason),
        None => assert_eq!(rest, executed),
    }
}

#[test]
fn the_methods_are_tools_of_mcp_if_they_are_wanted() {
    let names = |server: &SkillServer| -> Vec<String> {
        let listed = server.serving.modern("tools/list", json!({}), "").json();
        let tools = listed["result"]["tools"].as_array().expect("tools").clone();
        tools.iter().map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect()
    };
    let without = SkillServer::start(&[]);
    let usual = names(&without);
    let unknown = without.serving.call("list_skills", &json!({})).json();
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    let server = SkillServer::start(&["--skill-tools"]);
    let all = names(&server);
    assert_eq!(all[..usual.len()], usual);
    assert_eq!(all[usual.len()..].len(), 8);
    assert_eq!(all[usual.len()], "list_skills");
    let discovered = server.serving.modern("server/discover", json!({}), "").json();
    let declared = &discovered["result"]["capabilities"]["experimental"];
    let keyed = &declared["com.sproutgoodhabits/idempotencyKey"]["tools"];
    assert!(keyed.as_array().expect("tools").contains(&json!("skill_write")), "{discovered}");
    let listed = server.serving.modern("tools/list", json!({}), "").json();
    for tool in &listed["result"]["tools"].as_array().expect("tools")[usual.len()..] {
        assert!(!keyed.as_array().expect("tools").contains(&tool["name"]), "{tool}");
        let hint = &tool["annotations"]["idempotentHint"];
        let is_read = tool["annotations"]["readOnlyHint"] == true;
        assert!(is_read || hint == false, "{tool}");
    }
    let call = |tool: &str, arguments: &Value| {
        server.serving.call(tool, arguments).json()["result"].clone()
    };
    let listed = call("list_skills", &json!({"namespace": "math"}));
    assert_eq!(listed["structuredContent"]["skills"][0]["name"], "math.add", "{listed}");
    let unknown = call("describe_skill", &json!({"name": "none"}));
    assert_eq!(
        (&unknown["isError"], &unknown["structuredContent"]["error"]["code"]),
        (&json!(true), &json!("DOMAIN_NOT_FOUND"))
    );
    // Both ways are the same caller, who has the same blobs.
    let blob = call("create_blob", &json!({"content": "a", "kind": "text/plain"}));
    let read = json!({"blob_id": blob["structuredContent"]["blob_id"]});
    assert_eq!(server.result("read_blob", &read)["content"], "a");
    let add = json!({"name": "math.add", "args": {"a": 1, "b": 2}});
    if server.run("execute_skill", &add).is_some() {
        assert_eq!(call("execute_skill", &add)["structuredContent"]["output"], json!({"sum": 3}));
    }
}

/// The commands of the page, in its order, with the address of a server.
#[test]
fn the_examples_of_the_book_run_on_a_server() {
    let tree = Tree::new();
    let list = "import runtime\n\ndef main(args):\n    \
                return runtime.blobs.read_text(runtime.blobs.list()[0]) * 10000\n";
    write_skill(&tree, "family.dates.list", "", list);
    tree.write("birthdays.csv", b"Jo,2019-03-01\n");
    let made = Dibber::new(["new", "family.dates.countdown", "--template", "skills-protocol"])
        .arguments(&[
            "--yes",
            "--description",
            "Counts the days to a date. Use when someone asks for a holiday.",
        ])
        .in_directory(&tree.path().join("skills"))
        .run();
    assert_eq!(made.code, 0, "{}", made.show());
    let server = SkillServer::over(tree, &[]);
    let address = server.serving.address.trim_start_matches("http://").to_owned();
    let countdown = json!({"name": "family.dates.countdown", "args": {"date": "2026-12-24"}});
    if server.run("execute_skill", &countdown).is_none() {
        return;
    }
    let data = server.tree.path().join("data");
    let token = server.serving.token();
    let mut blob = String::new();
    for heading in ["## Run a skill", "Large data goes in and out as blobs:"] {
        let block = block_below("skills-protocol-servers.md", heading);
        for line in block.lines().filter(|line| line.starts_with("dibber ")) {
            let line = line.replace("127.0.0.1:7340", &address).replace("blob:5f0c2a", &blob);
            let mut words: Vec<&str> = line.split(' ').skip(1).collect();
            if !words.contains(&"--server") {
                words.extend(["--server", &address]);
            }
            let ended = Dibber::new(words)
                .env("DIBBER_TOKEN", &token)
                .data(&data)
                .in_directory(server.tree.path())
                .run();
            assert_eq!(ended.code, 0, "{line}: {}", ended.show());
            if let Some(at) = ended.stderr.rfind("blob:") {
                let id = ended.stderr[at..].split(|c: char| c.is_whitespace() || c == '`').next();
                id.expect("an id").clone_into(&mut blob);
            }
        }
    }
    let list = server.tree.read("list.csv");
    assert_eq!(serde_json::from_str::<String>(&list).expect("JSON").len(), 140_000);
}
