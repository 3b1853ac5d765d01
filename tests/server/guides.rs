//! The instructions and the guides: that they are short enough, that they name every reason, and
//! that each example in them works.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use dibber_schedule::{ClockFormat, Cron, FIRES_PER_DAY_MAX, cadence_text};
use dibber_server::guides::{Guide, INSTRUCTIONS, guides, index};
use dibber_server::tool_arguments;
use dibber_skill::contract::{
    CANVASES_MAX, DATABASE_DAMAGED, Decision, DueAction, ErrorCode, GUIDES,
    HEARTBEAT_NAME_CHARACTERS_MAX, HeartbeatAction, IDEMPOTENCY_CONFLICT, SAFETY_CHECK_FAILED,
    SCOPE_MISSING, SKILL_CHANGED, WireEnum,
};
use dibber_skill::draft::Reason;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

use crate::server::heartbeats::{ASSIGNMENT, SAM, test_server};
use crate::support::package;
use crate::support::wire::{CANVAS, HOME, TestServer, ok, parent, sample};

/// The most tokens of the instructions, which every request of an agent carries.
const INSTRUCTIONS_TOKENS_MAX: usize = 800;

/// The maximum number of tokens of a string in practice: English prose has about four characters or
/// three quarters of a word in each, and names such as `skill_write` count by their parts.
fn tokens(text: &str) -> usize {
    let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
    let signs = text.chars().filter(|c| !c.is_alphanumeric() && !c.is_whitespace()).count();
    (parts.count() + signs / 2).max(text.len() / 4)
}

#[test]
fn the_instructions_are_short() {
    let tokens = tokens(INSTRUCTIONS);
    assert!(tokens < INSTRUCTIONS_TOKENS_MAX, "{tokens}");
    assert!(tokens > INSTRUCTIONS_TOKENS_MAX / 2, "{tokens} are too few to be counted right");
    for (_, uri) in GUIDES {
        assert!(INSTRUCTIONS.contains(uri), "{uri}");
    }
}

#[test]
fn every_tool_and_every_action_is_in_a_guide() {
    let text: String = guides().iter().map(Guide::text).chain([INSTRUCTIONS]).collect();
    let is_mentioned = |word: &str| {
        text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|mentioned| mentioned == word)
    };
    // How the connection is does not depend on what is written.
    let tools = tool_arguments().map(|tool| tool.tool).filter(|tool| !tool.starts_with("mcp_"));
    let words = tools.chain(HeartbeatAction::words().iter().copied());
    let words = words.chain(DueAction::words().iter().copied());
    let missing: Vec<_> = words.filter(|word| !is_mentioned(word)).collect();
    assert_eq!(missing, [] as [&str; 0]);
    for word in ["resource_wait", "heartbeat_due", "claim", "complete", "fail"] {
        assert!(INSTRUCTIONS.contains(word), "{word}");
    }
}

/// Every word in backticks.
fn quoted(text: &str) -> BTreeSet<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// Returns `true` if a word is written as reasons are.
fn is_reason(word: &str) -> bool {
    word.len() > 1
        && word.contains('_')
        && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
}

/// Every reason in the sources of the tools.
fn reasons_in_sources() -> BTreeSet<String> {
    fn files(directory: &Path, into: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                files(&path, into);
            } else {
                into.push(path);
            }
        }
    }
    let directory = package().join("crates/server/src");
    let mut paths = Vec::new();
    files(&directory, &mut paths);
    // The reasons of the administration of families and their grants, the words of the database, the refusals before
    // MCP and the variables of a program are not answered by a tool; the Skills Protocol has a guide of
    // its own.
    let is_of_tools = |path: &&PathBuf| {
        let others =
            ["store", "http", "families", "authorization", "protocol", "safety/command.rs"];
        let others = others.into_iter().chain(["firing/runner", "running_program.rs"]);
        !others.into_iter().any(|name| path.starts_with(directory.join(name)))
    };
    let mut reasons = BTreeSet::new();
    for path in paths.iter().filter(is_of_tools) {
        let text =
            fs::read_to_string(path).expect("a string").replace("env!(\"CARGO_PKG_VERSION\")", "");
        reasons.extend(text.split('"').filter(|word| is_reason(word)).map(str::to_owned));
    }
    reasons
}

#[test]
fn every_reason_of_the_server_is_in_a_guide() {
    let text: String = guides().iter().map(Guide::text).collect();
    let quoted = quoted(&text);
    let mut reasons = reasons_in_sources();
    assert!(reasons.len() > 25 && reasons.contains("SPEC_HASH_MISMATCH"), "{reasons:?}");
    reasons.extend(Reason::ALL.map(|reason| reason.code().to_owned()));
    reasons.extend(ErrorCode::words().iter().map(|&word| word.to_owned()));
    let shared = [
        "CADENCE_OVER_CAP",
        "NEVER_FIRES",
        IDEMPOTENCY_CONFLICT,
        SCOPE_MISSING,
        SKILL_CHANGED,
        DATABASE_DAMAGED,
        SAFETY_CHECK_FAILED,
    ];
    reasons.extend(shared.map(str::to_owned));
    let missing: Vec<_> = reasons.iter().filter(|it| !quoted.contains(it.as_str())).collect();
    assert_eq!(missing, Vec::<&String>::new());
    // And none that nothing answers.
    let codes = quoted.iter().filter(|word| is_reason(word));
    let unknown: Vec<_> = codes.filter(|word| !reasons.contains(**word)).collect();
    assert_eq!(unknown, Vec::<&&str>::new());
}

#[test]
fn the_decisions_and_the_limits_are_those_of_the_program() {
    let [skill, heartbeat, canvas] = guides() else { panic!("three guides") };
    for reason in Reason::ALL {
        // Only servers of another make have canvas ids of other forms.
        let is_refused_here = reason == Reason::InvalidCanvasId;
        let decision = if is_refused_here { Decision::Refuse } else { reason.decision() };
        let row = format!("| `{}` | {} |", reason.code(), decision.name());
        assert!(skill.text().contains(&row), "{row}");
    }
    let assert_contains = |text: &str, limit: String| assert!(text.contains(&limit), "{limit}");
    assert_contains(skill.text(), format!("at most {CANVASES_MAX}, each a UUID"));
    assert_contains(canvas.text(), format!("at most {CANVASES_MAX} canvases"));
    assert_contains(
        heartbeat.text(),
        format!("at most {HEARTBEAT_NAME_CHARACTERS_MAX} characters"),
    );
    assert_contains(heartbeat.text(), format!("at most {FIRES_PER_DAY_MAX} fires in any 24 hours"));
}

/// The tables of a guide come from the schemas of the tools.
#[test]
fn the_arguments_are_those_of_the_tools() {
    for (guide, tool) in guides().iter().zip(["skill_write", "heartbeat_create"]) {
        let arguments = tool_arguments().find(|known| known.tool == tool).expect("a tool");
        for name in arguments.schema()["properties"].as_object().expect("properties").keys() {
            let row = format!("\n| `{name}` | ");
            assert!(guide.text().contains(&row), "{row}");
        }
    }
    assert!(guides().iter().all(|guide| !guide.text().contains("<!--")), "every table is there");
    let table = |guide: &Guide| {
        let lines = guide.text().lines().skip_while(|line| !line.starts_with("| argument |"));
        let lines: Vec<_> = lines.take_while(|line| line.starts_with('|')).collect();
        lines.join("\n")
    };
    let [skill, heartbeat, _] = guides() else { panic!("three guides") };
    insta::assert_snapshot!(format!("{}\n\n{}", table(skill), table(heartbeat)));
}

#[test]
fn the_schedules_of_the_guide_have_their_described_meaning() {
    let is_schedule = |line: &&str| line.starts_with("- `") && line.contains("* *");
    let lines: Vec<_> = guides()[1].text().lines().filter(is_schedule).collect();
    assert_eq!(lines.len(), 4);
    for line in lines {
        let (cron, words) = line[3..].split_once("`: ").expect("words");
        let cron = Cron::parse(cron).expect("a schedule");
        assert_eq!(words, cadence_text(&cron, "America/New_York", ClockFormat::default()));
    }
}

/// An example of a guide: the tool, and the arguments.
fn examples(text: &'static str) -> Vec<(&'static str, Value)> {
    let mut examples = Vec::new();
    for (index, block) in text.split("```").enumerate() {
        if index % 2 == 0 {
            continue;
        }
        let (head, body) = block.split_once('\n').expect("a line");
        match head.split_once(' ') {
            Some(("json", tool)) => {
                examples.push((tool, serde_json::from_str(body).expect("JSON")));
            }
            _ => assert_eq!(head, "text", "a block that nothing tries"),
        }
    }
    examples
}

/// The example with ids in the place of `<skillId>` and the like.
fn filled_in(example: Value, ids: &Value) -> Value {
    match example {
        Value::String(text) => {
            let name = text.strip_prefix('<').and_then(|text| text.strip_suffix('>'));
            name.map_or(Value::String(text.clone()), |name| ids[name].clone())
        }
        Value::Array(items) => items.into_iter().map(|item| filled_in(item, ids)).collect(),
        Value::Object(fields) => {
            let fill = |(name, value)| (name, filled_in(value, ids));
            Value::Object(fields.into_iter().map(fill).collect())
        }
        other => other,
    }
}

/// The seconds until a heartbeat of the guide has fired.
const DAYS: i64 = 3 * 24 * 60 * 60;

/// Runs each example as the guide describes: a skill is previewed and then written, a heartbeat
/// is described before it is made, and some days pass until a run is due.
async fn run(test_server: &TestServer, text: &'static str, ids: &mut Value) -> usize {
    let client = &test_server.client(HOME);
    let examples = examples(text);
    for (tool, example) in &examples {
        let mut arguments = filled_in(example.clone(), ids);
        if *tool == "heartbeat_due" && arguments["action"] == "list" {
            test_server.move_clock(DAYS);
        }
        if *tool == "heartbeat_create" {
            let describe = json!({"mode": "create", "payload": arguments});
            let described = ok(client, "heartbeat_describe", describe).await;
            assert_eq!(described["warnings"], json!([]), "{arguments}");
        }
        let mut answer = ok(client, tool, arguments.clone()).await;
        assert!(answer["nextStep"].is_string());
        if arguments["dryRun"] == true {
            assert_eq!(answer["policyDecision"]["decision"], "allow", "{arguments}");
            let fields = arguments.as_object_mut().expect("an object");
            fields.remove("dryRun");
            fields.insert("specHash".to_owned(), answer["specHash"].clone());
            answer = ok(client, tool, arguments.clone()).await;
        }
        if *tool == "skill_write" && arguments["inputVariables"].as_array().map(Vec::len) == Some(2)
        {
            ids["skillId"] = answer["skillId"].clone();
        }
        if *tool == "skill_post_result" {
            ids["resultId"] = answer["resultId"].clone();
        }
        if *tool == "activity_list" {
            assert_ne!(answer["items"], json!([]), "{arguments}");
        }
        if let Some(run) = answer.pointer("/items/0/runId") {
            ids["runId"] = run.clone();
        }
        if *tool == "heartbeat_create" {
            ids["heartbeatId"] = answer["heartbeatId"].clone();
        }
    }
    examples.len()
}

#[tokio::test]
async fn every_example_of_the_guides_works() {
    let test_server = test_server();
    test_server.add_skill(HOME, "sk_plain", sample());
    let mut ids = json!({
        "skillId": "sk_plain",
        "assignmentSkillId": ASSIGNMENT,
        "childId": "ch_0",
        "child_name": "a child",
        "targetUserId": SAM,
        "canvasId": CANVAS,
        "eventId": "ev_0",
    });
    let mut counts = Vec::new();
    for guide in guides() {
        counts.push(run(&test_server, guide.text(), &mut ids).await);
    }
    assert_eq!(counts, [15, 13, 2]);
}

/// Speaks the protocol line by line, as any client may, and returns the answers.
async fn answers_to(
    test_server: &TestServer,
    version: &str,
    requests: &[(&str, Value)],
) -> Vec<Value> {
    let (near, far) = tokio::io::duplex(1 << 16);
    let server = test_server.server.clone();
    tokio::spawn(async move {
        let (input, output) = tokio::io::split(far);
        drop(server.serve(parent(HOME), input, output).await);
    });
    let (input, mut output) = tokio::io::split(near);
    let mut lines = BufReader::new(input).lines();
    let client = json!({"name": "test", "version": "1"});
    let first = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": client});
    let mut answers = Vec::new();
    let all = [("initialize", first)].into_iter().chain(requests.iter().cloned());
    for (id, (method, params)) in all.enumerate() {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        output.write_all(format!("{request}\n").as_bytes()).await.expect("the server listens");
        let line = lines.next_line().await.expect("an answer").expect("an answer");
        answers.push(serde_json::from_str(&line).expect("JSON"));
        if id == 0 {
            let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
            output.write_all(format!("{ready}\n").as_bytes()).await.expect("the server listens");
        }
    }
    answers
}

#[tokio::test]
async fn the_guides_are_resources_and_the_instructions_come_first() {
    let test_server = test_server();
    let read = |uri: &str| ("resources/read", json!({"uri": uri}));
    let requests = [
        ("resources/list", json!({})),
        read(GUIDES[0].1),
        read(GUIDES[1].1),
        read(GUIDES[2].1),
        read("sprout://task/authoring-guide"),
        ("prompts/list", json!({})),
        ("prompts/get", json!({"name": "any"})),
        (
            "completion/complete",
            json!({
                "ref": {"type": "ref/resource", "uri": GUIDES[0].1},
                "argument": {"name": "any", "value": ""},
            }),
        ),
    ];
    let answers = answers_to(&test_server, "2025-11-25", &requests).await;
    assert_eq!(answers[0]["result"]["instructions"], INSTRUCTIONS);
    assert!(answers[0]["result"]["capabilities"]["resources"].is_object());
    assert_eq!(answers[0]["result"]["capabilities"].get("prompts"), None);
    for (index, (guide, (_, uri))) in guides().iter().zip(GUIDES).enumerate() {
        assert_eq!(guide.uri, uri);
        assert_eq!(uri, format!("sprout://{}", guide.path.trim_end_matches(".md")));
        let listed = &answers[1]["result"]["resources"][index];
        assert_eq!((&listed["uri"], &listed["size"]), (&json!(uri), &json!(guide.text().len())));
        let content = &answers[2 + index]["result"]["contents"][0];
        assert_eq!(content["text"], guide.text());
        assert_eq!(content["mimeType"], "text/markdown");
        assert!(index_has(guide.path) && index_has(uri));
    }
    // Revision 2026-07-28 asks for the URI in the data of the error.
    assert_eq!(answers[5]["error"]["code"], -32002);
    assert_eq!(answers[5]["error"]["data"]["uri"], "sprout://task/authoring-guide");
    for answer in &answers[6..9] {
        assert_eq!(answer["error"]["code"], -32601, "{answer}");
    }
}

fn index_has(text: &str) -> bool {
    index().contains(text)
}

#[tokio::test]
async fn a_client_reads_the_guides() {
    let test_server = test_server();
    let client = test_server.client(HOME);
    for guide in guides() {
        assert_eq!(client.resource(guide.uri).await.expect("a guide").text(), guide.text());
    }
    let error = client.resource("sprout://nowhere").await.expect_err("nothing there");
    assert!(error.to_string().contains("resource not found"), "{error}");
    let instructions = client.server().await.expect("a server").instructions;
    assert_eq!(instructions.as_deref(), Some(INSTRUCTIONS));
}
