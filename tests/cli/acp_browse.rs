//! `dibber acp browse`, with recorded streams and agents that are scripts of the shell.

#[cfg(unix)]
use std::path::Path;

use serde_json::{Value, json};

use crate::support::command::{Dibber, Ended, state_in};
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
fn an_approval_is_of_one_command() {
    let tree = Tree::new();
    let lines = update(&skills());
    let script = agent("lines");
    let directories: Vec<_> = ["one", "two"].map(|name| tree.path().join(name)).into();
    for name in ["one", "two"] {
        tree.write(&format!("{name}/lines"), lines.as_bytes());
        tree.write(&format!("{name}/agent"), script.as_bytes());
    }
    let run = |directory: &Path, arguments: &[&str], command: &[&str]| {
        let run = Dibber::new(["acp", "browse"]).arguments(arguments).arguments(&["--"]);
        let run = run.arguments(command).in_directory(directory).data(tree.path());
        run.env("PATH", "/usr/bin:/bin").run()
    };
    let approval = |directory: &Path, command: &[&str]| {
        parsed(&run(directory, &["--json"], command))["items"][1]["approval"].clone()
    };
    // The same words for a shell, and other ones for a program.
    let (quoted, spread) = (["sh", "./agent", "a b"], ["sh", "./agent", "a", "b"]);
    assert_eq!(run(&directories[0], &["--approve", "pdf"], &quoted).code, 0);
    assert_eq!(approval(&directories[0], &quoted), "approved");
    assert_eq!(approval(&directories[0], &spread), Value::Null);
    // The same path of another file.
    assert_eq!(approval(&directories[1], &quoted), Value::Null);
}

#[test]
fn a_file_of_approvals_that_cannot_be_used_is_kept() {
    let tree = Tree::new();
    tree.write("stream", update(&skills()).as_bytes());
    let newer = r#"{"version":2,"items":[{"agent":"new"}],"more":true}"#;
    let large = " ".repeat(5 << 20);
    for (contents, expected) in [
        (newer, "its version is 2, and this dibber supports version 1"),
        (&large, "is larger than 4 MiB"),
        ("{", "is damaged"),
    ] {
        let path = state_in(tree.path()).join("acp-approvals.json");
        std::fs::create_dir_all(state_in(tree.path())).expect("a directory");
        std::fs::write(&path, contents).expect("a file");
        let ended = browse(&tree, &["--from", "stream", "--approve", "pdf"]);
        assert_eq!(ended.code, 2, "{}", ended.show());
        assert!(ended.stderr.contains(expected), "{}", ended.show());
        assert!(std::fs::read_to_string(&path).expect("a file") == contents);
    }
}

#[test]
fn approvals_at_the_same_time_are_all_kept() {
    const COUNT: usize = 8;
    let tree = Tree::new();
    let name = |number: usize| format!("skill-{number}");
    let skill = |number| json!({"name": name(number), "description": "Is approved."});
    let all: Vec<Value> = (0..COUNT).map(skill).collect();
    tree.write("stream", update(&all.into()).as_bytes());
    let approve = |number: usize| browse(&tree, &["--from", "stream", "--approve", &name(number)]);
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..COUNT).map(|number| scope.spawn(move || approve(number))).collect();
        for run in runs {
            let ended = run.join().expect("a run");
            assert_eq!(ended.code, 0, "{}", ended.show());
        }
    });
    let printed = parsed(&browse(&tree, &["--from", "stream", "--json"]));
    for item in printed["items"].as_array().expect("a list") {
        assert_eq!(item["approval"], "approved", "{printed:#}");
    }
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

#[cfg(unix)]
#[test]
fn an_agent_that_asks_and_does_not_read_is_not_waited_for() {
    let tree = Tree::new();
    // More answers than a pipe has room for.
    let request = json!({"jsonrpc": "2.0", "id": "x".repeat(1000), "method": "fs/read_text_file"});
    let script = format!(
        "yes '{request}' | head -4000
        i=0; while [ $i -lt 100 ]; do sleep 0.1; i=$((i+1)); done; echo > late"
    );
    let ended = browse(&tree, &["--wait", "1", "--", "sh", "-c", &script]);
    assert_eq!(ended.code, 6, "{}", ended.show());
    assert!(ended.stderr.contains("does not answer"), "{}", ended.show());
    assert!(!tree.path().join("late").exists());
}
