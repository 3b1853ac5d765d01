//! `dibber acp browse`, with recorded streams and agents that are scripts of the shell.

use serde_json::{Value, json};

use crate::support::command::{Dibber, Ended};
use crate::support::{Tree, package};

fn update(skills: &Value) -> String {
    let update = json!({"sessionUpdate": "available_skills_update", "availableSkills": skills});
    let params = json!({"sessionId": "s", "update": update});
    format!("{}\n", json!({"jsonrpc": "2.0", "method": "session/update", "params": params}))
}

fn skills() -> Value {
    json!([
        {"name": "pdf", "description": "Reads \u{1b}[31mPDFs\u{202e}.\nAnd more.", "license": "MIT OR Apache-2.0",
            "compatibility": "Needs no-such-thing, docker and the internet",
            "allowedTools": ["Bash(git:*)", "Read"], "_meta": {"x": 1}},
        {"name": "closed", "description": "Is closed.", "license": "LICENSE.txt"},
        {"name": "Bad", "description": "x"},
    ])
}

/// A script that answers both requests and then sends this.
fn agent(lines: &str) -> String {
    let answer = |id: &str, result: Value| json!({"jsonrpc": "2.0", "id": id, "result": result});
    let initialized = answer("dibber-initialize", json!({"protocolVersion": 1}));
    let session = answer("dibber-session", json!({"sessionId": "s"}));
    format!(
        "read -r a; echo '{initialized}'; read -r b; echo '{session}'; cat '{lines}'; cat > rest"
    )
}

fn browse(tree: &Tree, arguments: &[&str]) -> Ended {
    let run = Dibber::new(["acp", "browse"]).arguments(arguments).in_directory(tree.path());
    // Of a recorded stream nothing is started, and no program is there.
    let path = if arguments.contains(&"--from") { "/none" } else { "/usr/bin:/bin" };
    run.data(tree.path()).env("PATH", path).run()
}

fn parsed(ended: &Ended) -> Value {
    serde_json::from_str(&ended.stdout).expect("JSON")
}

#[test]
fn a_recorded_stream_is_shown_escaped_and_filtered() {
    let tree = Tree::new();
    let stream = "not JSON\n".to_owned() + &update(&json!([])) + &update(&skills());
    tree.write("stream", stream.as_bytes());
    insta::assert_snapshot!("acp_browse", browse(&tree, &["--from", "stream"]).show());
    let names = |arguments: &[&str]| {
        let ended = browse(&tree, &[&["--from", "stream", "--json"], arguments].concat());
        let items = parsed(&ended)["items"].as_array().expect("a list").clone();
        items
            .iter()
            .map(|item| item["name"].as_str().expect("a name").to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&["--license", "apache-2.0"]), ["pdf"]);
    assert_eq!(names(&["--license", "GPL-2.0-only"]), [""; 0]);
    assert_eq!(names(&["--tool", "bash"]), ["pdf"]);
    assert_eq!(names(&["--needs", "Internet"]), ["pdf"]);
    assert_eq!(names(&[]), ["closed", "pdf"]);
    let schema = std::fs::read_to_string(package().join("schemas/acp-browse.schema.json"));
    let schema: Value = serde_json::from_str(&schema.expect("a file")).expect("JSON");
    let printed = parsed(&browse(&tree, &["--from", "stream", "--json"]));
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    assert!(validator.is_valid(&printed), "{printed:#}");
    assert_eq!(printed["items"][1]["needs"], json!(["docker", "network"]));
}

#[test]
fn wrong_arguments_are_explained() {
    let tree = Tree::new();
    for arguments in [
        &["--from", "missing"][..],
        &["--from", "a", "--from", "b"],
        &["--compare", "--from", "a"],
        &["--", "--"],
        &["--", "./no-agent"],
    ] {
        let ended = browse(&tree, arguments);
        assert_eq!(ended.code, 2, "{}", ended.show());
    }
}

#[cfg(unix)]
#[test]
fn an_approval_is_lost_when_the_skill_changes() {
    let tree = Tree::new();
    tree.write("lines", update(&skills()).as_bytes());
    let script = agent("lines");
    let run =
        |arguments: &[&str]| browse(&tree, &[arguments, &["--", "sh", "-c", &script]].concat());
    let approval = || parsed(&run(&["--json"]))["items"][1]["approval"].clone();
    assert_eq!(approval(), Value::Null);
    let ended = run(&["--approve", "pdf"]);
    assert_eq!((ended.code, &*ended.stderr), (0, "approved for `pdf`: Bash(git:*) Read\n"));
    assert_eq!(approval(), "approved");
    let mut changed = skills();
    changed[0]["allowedTools"] = json!(["Bash", "Read"]);
    tree.write("lines", update(&changed).as_bytes());
    assert_eq!(approval(), "lost");
    assert!(run(&[]).stdout.contains("not approved: the skill has changed since"));
    assert_eq!(run(&["--approve", "none"]).code, 5);
}

#[cfg(unix)]
#[test]
fn two_agents_are_compared() {
    let tree = Tree::new();
    tree.write("a", update(&skills()).as_bytes());
    let mut other = skills();
    other[0]["license"] = "MIT".into();
    other[1]["name"] = "new".into();
    tree.write("b", update(&other).as_bytes());
    let (a, b) = (agent("a"), agent("b"));
    let ended = browse(&tree, &["--compare", "--", "sh", "-c", &a, "--", "sh", "-c", &b]);
    let expected = "closed: only the first agent offers it\nnew: only the second agent offers it\n\
                    pdf: license differ\n";
    assert_eq!((ended.code, &*ended.stdout), (1, expected), "{}", ended.show());
    let ended = browse(&tree, &["--compare", "--from", "a", "--from", "a"]);
    assert_eq!(ended.code, 0, "{}", ended.show());
}

#[cfg(unix)]
#[test]
fn agents_that_fail_or_are_silent_end_in_time() {
    let tree = Tree::new();
    let run = |arguments: &[&str], script: &str| {
        let ended = browse(&tree, &[arguments, &["--", "sh", "-c", script]].concat());
        (ended.code, ended.stderr.lines().next().unwrap_or_default().to_owned())
    };
    let (code, message) = run(&[], "exit 0");
    assert_eq!((code, &*message), (6, "error: the agent `sh -c exit 0` has ended"));
    let error = json!({"code": -32000, "message": "Log in"});
    let refusal = json!({"jsonrpc": "2.0", "id": "dibber-initialize", "error": error});
    let (code, message) = run(&[], &format!("echo '{refusal}'; cat > /dev/null"));
    assert_eq!((code, &*message), (6, "error: the agent refuses `initialize`: Log in"));
    let (code, message) = run(&["--wait", "1"], "while :; do sleep 0.1; done");
    assert_eq!(code, 6);
    assert!(message.ends_with("does not answer"), "{message}");
}
