//! Skills in the Agent Client Protocol: announced, read, and added to an agent.

use std::fmt::Write;
use std::path::PathBuf;

use dibber_catalog::acp::{
    Announced, Collector, Conductor, Difference, Form, METADATA_KEY, OfferedKind, Proxy,
    ProxySkill, UpdateNotification, Version, differences, read_update, schema, update_of,
};
use dibber_catalog::{
    Catalog, ContentsBuilder, ContentsLimits, FileContents, FollowedFolders, SkillPath, read_body,
};
use serde_json::{Value, json};
use tempfile::TempDir;

fn tree(skills: &[(&str, &str)]) -> TempDir {
    let tree = tempfile::tempdir().expect("a directory");
    for (path, frontmatter) in skills {
        let directory = tree.path().join(path);
        std::fs::create_dir_all(&directory).expect("a directory");
        let text = format!("---\n{frontmatter}---\n\n# Body\n");
        std::fs::write(directory.join("SKILL.md"), text).expect("a file");
    }
    tree
}

fn catalog(tree: &TempDir) -> Catalog {
    Catalog::read(&[tree.path().to_owned()])
}

fn emitted(catalog: &Catalog, form: Form) -> Value {
    let line = UpdateNotification::new("s", update_of(catalog, form)).to_line();
    serde_json::from_str(&line).expect("JSON")
}

fn skill(name: &str) -> ProxySkill {
    skill_with(name, "")
}

fn skill_with(name: &str, more: &str) -> ProxySkill {
    let text = format!("---\nname: {name}\ndescription: Does {name}.\n{more}---\nBody.\n");
    let mut builder = ContentsBuilder::new(ContentsLimits::ACCEPTED);
    let path = SkillPath::new("SKILL.md").expect("a path");
    let file = FileContents { bytes: text.into_bytes(), is_executable: false };
    builder.insert(path, file).expect("a file");
    let description = builder.finish().expect("a skill").describe().description;
    ProxySkill {
        description: description.expect("a description"),
        directory: PathBuf::from("/skills").join(name),
        skill_file: "SKILL.md".to_owned(),
    }
}

#[expect(clippy::unnecessary_wraps, reason = "what reads bodies may fail")]
fn body(_: &ProxySkill) -> Option<String> {
    Some("Fill $ARGUMENTS in ${CLAUDE_SKILL_DIR}, for $5.".to_owned())
}

fn client(proxy: &mut Proxy, message: &Value) -> String {
    let line = message.to_string();
    String::from_utf8(proxy.client_line(line.as_bytes(), &mut body).into_owned()).expect("UTF-8")
}

fn agent(proxy: &mut Proxy, line: &str) -> (String, Vec<Value>) {
    let lines = proxy.agent_line(line.as_bytes());
    let line = String::from_utf8(lines.line.into_owned()).expect("UTF-8");
    (line, lines.after.iter().map(|line| serde_json::from_str(line).expect("JSON")).collect())
}

fn names(update: &Value) -> Vec<&str> {
    let commands = update["params"]["update"]["availableCommands"].as_array().expect("a list");
    commands.iter().map(|command| command["name"].as_str().expect("a name")).collect()
}

/// Begins a session `s`, and returns what the editor gets.
fn begin(proxy: &mut Proxy) -> Vec<Value> {
    let request =
        json!({"jsonrpc": "2.0", "id": "n\u{e9}w", "method": "session/new", "params": {}});
    client(proxy, &request);
    let answer = r#"{"jsonrpc":"2.0","id":"n\u00e9w","result":{"sessionId":"s"}}"#;
    let (line, after) = agent(proxy, answer);
    assert_eq!(line, answer);
    after
}

fn commands(items: &str) -> String {
    format!(
        r#"{{ "jsonrpc":"2.0","method":"session/update","params":{{"sessionId":"s","update":{{"availableCommands": [{items}] ,"sessionUpdate":"available_commands_update"}}}}}}"#
    )
}

fn prompt(text: &str) -> Value {
    let blocks = json!([{"type": "text", "text": text, "x": 1}, {"type": "text", "text": "/pdf"}]);
    let params = json!({"sessionId": "s", "prompt": blocks});
    json!({"jsonrpc": "2.0", "id": 7, "method": "session/prompt", "params": params})
}

#[test]
fn each_form_is_nested_and_sorted_and_keeps_metadata_apart() {
    let tree = tree(&[
        (
            "b",
            "name: b\ndescription: Does b.\ndisable-model-invocation: true\nuser-invocable: false\n",
        ),
        (
            "a",
            "name: a\ndescription: Does a.\nlicense: MIT\ncompatibility: Needs git\n\
             allowed-tools: Read Bash(git:*)\nargument-hint: '[file]'\nmetadata:\n  author: x\n  \
             traceparent: y\n  io.modelcontextprotocol/z: y\n",
        ),
        ("a/nested", "name: nested\ndescription: Is a part of a.\n"),
        ("twice", "name: a\ndescription: Comes later.\n"),
        ("bad", "name: Bad Name\ndescription: Has no name.\n"),
    ]);
    let catalog = catalog(&tree);
    let metadata = json!({"author": "x"});
    let update = &emitted(&catalog, Form::Skills)["params"];
    assert_eq!(update["sessionId"], "s");
    let expected = json!({"sessionUpdate": "available_skills_update", "availableSkills": [
        {"name": "a", "description": "Does a.", "license": "MIT", "compatibility": "Needs git",
            "allowedTools": ["Read", "Bash(git:*)"], "_meta": {METADATA_KEY: metadata}},
        {"name": "b", "description": "Does b.", "_meta": {
            "agentskills.io/disableModelInvocation": true, "agentskills.io/userInvocable": false}},
    ]});
    assert_eq!(update["update"], expected);
    let custom = emitted(&catalog, Form::CustomSkills);
    assert_eq!(custom["params"]["update"]["sessionUpdate"], "_dibber/available_skills_update");
    let first = |version| {
        let message = emitted(&catalog, Form::Commands(version));
        // Users do not call the other one.
        assert_eq!(names(&message), ["a"]);
        message["params"]["update"]["availableCommands"][0].clone()
    };
    let meta = json!({METADATA_KEY: metadata, "agentskills.io/skill": true});
    let expected = json!({"name": "a", "description": "Does a.", "input": {"hint": "[file]"},
        "_meta": meta});
    assert_eq!(first(Version::V1), expected);
    let input = json!({"type": "text", "hint": "[file]"});
    let expected = json!({"type": "command", "name": "a", "description": "Does a.", "input": input,
        "_meta": meta});
    assert_eq!(first(Version::V2), expected);
}

#[test]
fn what_is_emitted_is_read_without_problems_and_has_the_schema() {
    let tree = tree(&[("a", "name: a\ndescription: Does a.\nallowed-tools: Read\n")]);
    let validator = jsonschema::validator_for(&schema()).expect("a schema");
    for form in [Form::Skills, Form::CustomSkills, Form::Commands(Version::V2)] {
        let message = emitted(&catalog(&tree), form);
        assert!(validator.is_valid(&message), "{message}");
        let read = read_update(&message).expect("an update");
        assert_eq!((read.session_id.as_deref(), &read.problems[..]), (Some("s"), &[][..]));
    }
}

#[test]
fn bad_items_are_skipped_with_their_paths() {
    let skills = json!([
        {"name": "good", "description": "Fine.", "metadata": {"a": "b"}, "allowedTools": ["Read", 1]},
        {"name": "a--b", "description": "x"}, {"name": "c"}, 7,
        {"name": "long", "description": "x".repeat(1025), "license": 1, "_meta": []},
    ]);
    let params = json!({"sessionUpdate": "available_skills_update", "availableSkills": skills});
    let read = read_update(&json!({"method": "session/update", "params": params}));
    let read = read.expect("an update");
    let Announced::Skills(skills) = &read.announced else { panic!("skills") };
    assert_eq!(
        skills.iter().map(|skill| skill.name.as_str()).collect::<Vec<_>>(),
        ["good", "long"]
    );
    assert_eq!(skills[0].meta[METADATA_KEY], json!({"a": "b"}));
    let shown = read.problems.iter().fold(String::new(), |mut all, problem| {
        let skipped = if problem.is_skipped { " (skipped)" } else { "" };
        let message = problem.message.shown(&());
        writeln!(all, "{}: {message}{skipped}", problem.pointer).expect("a string");
        all
    });
    let expected = "\
/params: the update is not in `update`
/params/sessionId: it is not a string
/params/availableSkills/0/allowedTools/1: it is not a string
/params/availableSkills/1/name: the name `a--b` is not at most 64 of `a` to `z`, digits and single hyphens between them (skipped)
/params/availableSkills/2/description: it is missing (skipped)
/params/availableSkills/3: it is not an object (skipped)
/params/availableSkills/4/license: it is not a string
/params/availableSkills/4/description: it has 1025 characters; the maximum is 1024
/params/availableSkills/4/_meta: it is not an object
";
    let mut lines: Vec<&str> = shown.lines().collect();
    let mut expected: Vec<&str> = expected.lines().collect();
    lines.sort_unstable();
    expected.sort_unstable();
    assert_eq!(lines, expected);
    let list = json!({"sessionUpdate": "available_skills_update", "availableSkills": {}});
    let message = json!({"method": "session/update", "params": {"sessionId": "s", "update": list}});
    let read = read_update(&message).expect("an update");
    assert_eq!(read.announced, Announced::Skills(Vec::new()));
    assert_eq!(read.problems[0].pointer, "/params/update/availableSkills");
    assert!(read_update(&json!({"method": "session/update", "params": {"update": 1}})).is_none());
}

#[test]
fn skills_follow_the_start_of_a_session_and_stay_in_the_lists_of_the_agent() {
    let mut proxy = Proxy::new(vec![skill("pdf"), skill("notes")]);
    let after = begin(&mut proxy);
    assert_eq!(after.len(), 1);
    assert_eq!(names(&after[0]), ["notes", "pdf"]);
    // Nothing of the line changes besides.
    let own = r#"{"name":"pdf","description":"Its own.","x":1.0} ,5"#;
    let (line, _) = agent(&mut proxy, &commands(own));
    let (before, added) = line.split_once(own).expect("the agent's commands");
    assert_eq!(before, commands(own).split_once(own).expect("them").0);
    assert!(added.starts_with(r#",{"name":"notes","description":"Does notes.""#), "{added}");
    let message: Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(message["params"]["update"]["availableCommands"][3]["name"], "pdf-skill");
    let (line, _) = agent(&mut proxy, &commands("  "));
    assert_eq!(names(&serde_json::from_str(&line).expect("JSON")), ["notes", "pdf"]);
    // In the list of another one, a name that is free.
    agent(&mut proxy, &commands(own));
    let lines = proxy.set_skills(vec![skill("new"), skill("pdf"), skill("pdf-skill")]);
    let update: Value = serde_json::from_str(&lines[0]).expect("JSON");
    let list = update["params"]["update"]["availableCommands"].as_array().expect("a list");
    let names: Vec<_> = list.iter().map(|command| &command["name"]).collect();
    assert_eq!(names, [&json!("pdf"), &Value::Null, &json!("new"), &json!("pdf-skill")]);
    assert!(proxy.set_skills(vec![skill("new"), skill("pdf"), skill("pdf-skill")]).is_empty());
    let lines = proxy.set_skills(Vec::new());
    assert!(lines[0].ends_with(&format!("[{own}]}}}}}}")), "{}", lines[0]);
}

#[test]
fn a_call_is_replaced_by_the_skill_and_nothing_else_of_the_prompt_is() {
    let mut proxy = Proxy::new(vec![skill("pdf"), skill_with("hidden", "user-invocable: false\n")]);
    begin(&mut proxy);
    let original = prompt("/pdf a.pdf $ARGUMENTS\n").to_string();
    let text = "Base directory for this skill: /skills/pdf\n\n\
                Fill a.pdf $ARGUMENTS in /skills/pdf, for $5.";
    let expected = original.replace(r#""/pdf a.pdf $ARGUMENTS\n""#, &Value::from(text).to_string());
    assert_eq!(client(&mut proxy, &prompt("/pdf a.pdf $ARGUMENTS\n")), expected);
    for other in ["/pdfs", "pdf", "/", "/hidden", "/pdf-skill", "a /pdf"] {
        assert_eq!(client(&mut proxy, &prompt(other)), prompt(other).to_string(), "{other}");
    }
    // The agent's own command is called by its name, and the skill by the other.
    agent(&mut proxy, &commands(r#"{"name":"pdf","description":"Its own."}"#));
    assert_eq!(client(&mut proxy, &prompt("/pdf x")), prompt("/pdf x").to_string());
    assert!(client(&mut proxy, &prompt("/pdf-skill x")).contains("Fill x in"));
    // A skill that cannot be read any more is left to the agent.
    let line = prompt("/pdf-skill x").to_string();
    assert_eq!(proxy.client_line(line.as_bytes(), &mut |_| None), line.as_bytes());
    // Without `$ARGUMENTS` they come last.
    let passed = proxy.client_line(line.as_bytes(), &mut |_| Some("Do.\n".to_owned())).into_owned();
    let passed = String::from_utf8(passed).expect("UTF-8");
    assert!(passed.contains(r"/skills/pdf\n\nDo.\n\nARGUMENTS: x"), "{passed}");
}

#[test]
fn what_is_not_understood_passes_as_it_is() {
    let mut proxy = Proxy::new(vec![skill("pdf")]);
    begin(&mut proxy);
    let call = prompt("/pdf").to_string();
    let lines: [&[u8]; 10] = [
        b"", b"not JSON", b"\xff\xfe", b"[", b"[]", b"null", b"{\"method\":1}",
        br#"{"method":"session/update","method":"session/update","params":{}}"#,
        br#"{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"available_commands_update","availableCommands":{}}}}"#,
        br#"{ "id" : 1e3 , "result" : {"a":1,"a":2}, "x": 1.10 }"#,
    ];
    for line in lines {
        let shown = String::from_utf8_lossy(line);
        assert_eq!(proxy.client_line(line, &mut body), line, "{shown}");
        let passed = proxy.agent_line(line);
        assert_eq!((&*passed.line, passed.after.len()), (line, 0), "{shown}");
        // What an agent says is not a prompt, and what an editor says not a list.
        assert_eq!(proxy.agent_line(call.as_bytes()).line, call.as_bytes());
        let list = commands("");
        assert_eq!(proxy.client_line(list.as_bytes(), &mut body), list.as_bytes());
    }
    // Failed requests begin no session; in a batch, each message counts.
    client(&mut proxy, &json!({"id": 1, "method": "session/load", "params": {"sessionId": "old"}}));
    assert!(agent(&mut proxy, r#"{"id":1,"error":{"code":-1,"message":""}}"#).1.is_empty());
    let load = json!({"id": 2, "method": "session/load", "params": {"sessionId": "old"}});
    let batch = client(&mut proxy, &json!([load, prompt("/pdf")]));
    assert!(batch.contains("Base directory"), "{batch}");
    let (_, after) = agent(&mut proxy, r#"[{"id":2,"result":null}]"#);
    assert_eq!(after[0]["params"]["sessionId"], "old");
}

#[test]
fn an_editor_that_knows_skills_is_told_of_them_as_well() {
    for (version, capabilities, tag) in [
        (1, "agentCapabilities", "available_skills_update"),
        (2, "capabilities", "_dibber/available_skills_update"),
    ] {
        let mut proxy = Proxy::new(vec![skill("pdf")]);
        let meta = json!({"_meta": {"agentskills.io/availableSkillsUpdate": true}});
        let params = json!({"protocolVersion": version, "clientCapabilities": meta});
        client(&mut proxy, &json!({"id": 0, "method": "initialize", "params": params}));
        let answer = format!(
            r#"{{"id":0,"result":{{"protocolVersion":{version},"{capabilities}":{{"_meta":{{ }},"x":{{}}}}}}}}"#
        );
        let (line, _) = agent(&mut proxy, &answer);
        let added = r#""_meta":{"agentskills.io/availableSkillsUpdate":true }"#;
        assert_eq!(line, answer.replace(r#""_meta":{ }"#, added));
        let after = begin(&mut proxy);
        assert_eq!(after[1]["params"]["update"]["sessionUpdate"], tag);
        let kind = &after[0]["params"]["update"]["availableCommands"][0]["type"];
        assert_eq!(kind == "command", version == 2);
        assert_eq!(proxy.set_skills(vec![skill("other")]).len(), 2);
    }
}

#[test]
fn version_2_has_the_list_in_the_answer() {
    let mut proxy = Proxy::new(vec![skill("pdf")]);
    client(&mut proxy, &json!({"id": 0, "method": "initialize", "params": {}}));
    agent(&mut proxy, r#"{"id":0,"result":{"protocolVersion":2}}"#);
    client(&mut proxy, &json!({"id": 1, "method": "session/new", "params": {}}));
    let answer = r#"{"id":1,"result":{"sessionId":"s","availableCommands":[{"type":"command","name":"own","description":"x"}]}}"#;
    let (line, after) = agent(&mut proxy, answer);
    let line: Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(line["result"]["availableCommands"][1]["name"], "pdf");
    assert!(after.is_empty());
    let lines = proxy.set_skills(vec![skill("new")]);
    assert_eq!(names(&serde_json::from_str(&lines[0]).expect("JSON")), ["own", "new"]);
}

#[test]
fn in_a_chain_messages_are_wrapped_for_the_agent_and_unwrapped_for_the_editor() {
    let mut chain = Conductor::new(Proxy::new(vec![skill("pdf")]));
    let mut line = |message: &str| chain.line(message.as_bytes(), &mut body);
    let params = r#"{"protocolVersion":1,"x":1.0}"#;
    let wrapped = line(&format!(
        r#"{{"jsonrpc":"2.0","id":0,"method":"proxy/initialize","params":{params}}}"#
    ));
    let expected = format!(
        r#"{{"jsonrpc":"2.0","id":"dibber-1","method":"proxy/successor","params":{{"method":"initialize","params":{params}}}}}"#
    );
    assert_eq!(wrapped, [expected]);
    let answer = line(r#"{"jsonrpc":"2.0","id":"dibber-1","result":{"protocolVersion":1}}"#);
    assert_eq!(answer, [r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}"#]);
    line(r#"{"jsonrpc":"2.0","id":"a","method":"session/new","params":{}}"#);
    let lines = line(r#"{"jsonrpc":"2.0","id":"dibber-2","result":{"sessionId":"s"}}"#);
    assert_eq!(lines[0], r#"{"jsonrpc":"2.0","id":"a","result":{"sessionId":"s"}}"#);
    assert_eq!(names(&serde_json::from_str(&lines[1]).expect("JSON")), ["pdf"]);
    let call = line(&prompt("/pdf x").to_string());
    assert!(call[0].contains("proxy/successor") && call[0].contains("Fill x in"), "{call:?}");
    let cancelled =
        line(r#"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":7}}"#);
    let expected =
        r#"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"dibber-3"}}"#;
    assert_eq!(cancelled, [expected]);
    // A request and a notification of the agent.
    let request = r#"{"jsonrpc":"2.0","id":5,"method":"proxy/successor","params":{"method":"fs/read_text_file","params":{"path":"/a"}}}"#;
    let expected =
        r#"{"jsonrpc":"2.0","id":"dibber-4","method":"fs/read_text_file","params":{"path":"/a"}}"#;
    assert_eq!(line(request), [expected]);
    let error = r#"{"jsonrpc":"2.0","id":"dibber-4","error":{"code":-1,"message":"no"}}"#;
    assert_eq!(line(error), [error.replace(r#""dibber-4""#, "5")]);
    let update: Value = serde_json::from_str(&commands("")).expect("JSON");
    let wrapped = json!({"jsonrpc": "2.0", "method": "proxy/successor", "params": {
        "method": "session/update", "params": update["params"]}});
    assert_eq!(
        names(&serde_json::from_str(&line(&wrapped.to_string())[0]).expect("JSON")),
        ["pdf"]
    );
    assert!(line(r#"{"id":"dibber-9","result":1}"#).is_empty());
    // A batch answers each.
    let batch = r#"[{"id":8,"method":"proxy/successor"},5]"#;
    let answers = line(batch);
    assert!(answers[0].contains(r#""id":8,"error":{"code":-32602"#), "{answers:?}");
    assert!(answers[1].contains(r#""id":null,"error":{"code":-32600"#), "{answers:?}");
}

#[test]
fn folders_are_read_again_when_something_in_them_changes() {
    let tree = tree(&[
        ("all/b", "name: b\ndescription: Does b.\n"),
        ("all/a", "name: a\ndescription: Does a.\n"),
        ("all/a/nested", "name: nested\ndescription: Is a part of a.\n"),
    ]);
    let later = tree.path().join("later");
    let mut folders = FollowedFolders::new(vec![tree.path().join("all"), later.clone()]);
    let mut look = || {
        let mut skills = folders.look()?;
        skills.sort_by(|a, b| a.name().cmp(b.name()));
        Some(skills)
    };
    let shown = |skills: Option<Vec<ProxySkill>>| {
        let skills = skills.expect("a change");
        let all = skills.iter().map(|skill| skill.description.description.clone());
        all.collect::<Vec<_>>()
    };
    let skills = look().expect("the first time");
    assert_eq!(read_body(&skills[0]).as_deref(), Some("\n# Body\n"));
    assert!(look().is_none());
    let changed = tree.path().join("all/a/SKILL.md");
    std::fs::write(&changed, "---\nname: a\ndescription: Does more.\n---\n").expect("a file");
    assert_eq!(shown(look()), ["Does more.", "Does b."]);
    std::fs::create_dir_all(later.join("c")).expect("a directory");
    let text = "---\nname: c\ndescription: Does c.\n---\n";
    std::fs::write(later.join("c/SKILL.md"), text).expect("a file");
    assert_eq!(shown(look()), ["Does more.", "Does b.", "Does c."]);
    std::fs::remove_dir_all(tree.path().join("all")).expect("removed");
    assert_eq!(shown(look()), ["Does c."]);
    std::fs::remove_dir_all(&later).expect("removed");
    assert_eq!(shown(look()), [""; 0]);
    assert!((0..50).all(|_| look().is_none()));
    assert!(read_body(&skills[0]).is_none());
}

#[test]
fn what_an_agent_offers_is_collected_and_compared() {
    let mut collector = Collector::new("/work");
    assert!(collector.start().contains(r#""method":"initialize""#));
    let mut line = |message: Value| collector.line(message.to_string().as_bytes());
    let initialized = json!({"id": "dibber-initialize", "result": {"protocolVersion": 1}});
    let new: Value = serde_json::from_str(&line(initialized).expect("a line")).expect("JSON");
    assert_eq!(new["params"], json!({"cwd": "/work", "mcpServers": []}));
    let asked = line(json!({"id": 5, "method": "fs/read_text_file", "params": {}}));
    assert!(asked.expect("an answer").contains(r#""code":-32601"#));
    assert!(line(json!({"id": "dibber-session", "result": {"sessionId": "s"}})).is_none());
    let update = |tag: &str, key: &str, items: Value| {
        let update = json!({"sessionUpdate": tag, key: items});
        json!({"method": "session/update", "params": {"sessionId": "s", "update": update}})
    };
    let command = |name: &str| json!({"name": name, "description": "x"});
    let commands = json!([command("pdf"), command("own")]);
    line(update("available_commands_update", "availableCommands", commands));
    let skill = |license: &str| json!([{"name": "pdf", "description": "x", "license": license}]);
    line(update("available_skills_update", "availableSkills", skill("MIT")));
    collector.line(b"not JSON");
    let offered = collector.offered();
    let kinds: Vec<_> =
        offered.iter().map(|offered| (&*offered.skill.name, offered.kind)).collect();
    assert_eq!(kinds, [("own", OfferedKind::Command), ("pdf", OfferedKind::Skill)]);
    assert_eq!((collector.has_session(), collector.problems().len()), (true, 1));
    let mut line = |message: Value| collector.line(message.to_string().as_bytes());
    line(update("available_skills_update", "availableSkills", skill("Apache-2.0")));
    line(update("available_commands_update", "availableCommands", json!([command("new")])));
    let later = collector.offered();
    let found = differences(&offered, &later);
    let shown: Vec<_> = found.iter().map(Difference::name).collect();
    assert_eq!(shown, ["new", "own", "pdf"]);
    assert!(matches!(&found[2], Difference::Changed(_, fields) if fields == &["license"]));
    let refused = json!({"id": "dibber-session", "error": {"code": -32000, "message": "log in"}});
    collector.line(refused.to_string().as_bytes());
    assert_eq!(collector.error().map(|error| error.code), Some(-32000));
}
