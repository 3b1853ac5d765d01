//! `dibber acp proxy`, with agents that are scripts of the shell.

use std::fs;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use super::acp_command::SKILLS;
use crate::support::Tree;
use crate::support::command::{Dibber, Ended};

/// Answers `session/new`, and sends back everything else.
const AGENT: &str = r#"read -r line
echo '{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}'
cat"#;

fn proxy(tree: &Tree, script: &str) -> Dibber {
    let skills = ["acp", "proxy", "--skills", "skills", "--", "sh", "-c", script];
    Dibber::new(skills).in_directory(tree.path())
}

fn new_session() -> String {
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "session/new", "params": {}});
    format!("{message}\n")
}

fn prompt(text: &str) -> String {
    let prompt = json!([{"type": "text", "text": text}]);
    let params = json!({"sessionId": "s", "prompt": prompt});
    let message = json!({"jsonrpc": "2.0", "id": 2, "method": "session/prompt", "params": params});
    format!("{message}\n")
}

#[test]
fn skills_are_announced_and_called() {
    let tree = Tree::from_archive(SKILLS, false);
    let call = prompt("/pdf a.pdf");
    let other = " not JSON\r\n{\"x\":  1.0}\n\n\u{feff}no end";
    let ended = proxy(&tree, AGENT).input(new_session() + &call + other).run();
    assert_eq!(ended.code, 0, "{}", ended.show());
    let lines: Vec<&str> = ended.stdout.split_inclusive('\n').collect();
    let update: Value = serde_json::from_str(lines[1]).expect("JSON");
    let commands = update["params"]["update"]["availableCommands"].as_array().expect("a list");
    assert_eq!(commands.len(), 1);
    assert_eq!(
        (&commands[0]["name"], &commands[0]["input"]["hint"]),
        (&json!("pdf"), &json!("[file]"))
    );
    let directory = tree.path().canonicalize().expect("a path").join("skills/pdf");
    let text =
        format!("Base directory for this skill: {}\n\nRead a.pdf.", directory.to_string_lossy());
    assert_eq!(lines[2], prompt(&text));
    assert_eq!(lines[3..].concat(), other);
}

#[test]
fn many_messages_and_long_lines_pass_byte_for_byte_in_both_directions() {
    let tree = Tree::from_archive(SKILLS, false);
    let mut lines = new_session();
    for number in 0..50_000 {
        lines.push_str(&format!(
            "{{\"method\":\"session/update\" ,\"params\":{{\"n\":{number}.0,\"id\":\"\\u00e9\"}}}}\n"
        ));
    }
    // Longer than what is looked at: it would be changed otherwise.
    let long = prompt(&format!("/pdf {}", "x".repeat(17 << 20)));
    lines.push_str(&long);
    lines.push_str("{\"id\":1,\"result\":null}\n");
    tree.write("lines", lines.as_bytes());
    let ended = proxy(&tree, "cat > copy").input(lines.clone()).run();
    assert_eq!((ended.code, ended.stdout.as_str()), (0, ""));
    assert!(tree.read("copy") == lines);
    let ended = proxy(&tree, "cat lines; exit 7").run();
    assert_eq!(ended.code, 7);
    assert!(ended.stdout == lines);
}

#[test]
fn the_end_of_the_agent_is_that_of_the_proxy() {
    let tree = Tree::from_archive(SKILLS, false);
    let run = |script: &str| proxy(&tree, script).run_bounded();
    let ended = run("echo last; echo problem >&2; exit 3");
    assert_eq!((ended.code, &*ended.stdout, &*ended.stderr), (3, "last\n", "problem\n"));
    assert_eq!(run("kill -KILL $$").code, 137);
    let missing = ["acp", "proxy", "--", "./no-agent"];
    let Ended { code, stderr, .. } = Dibber::new(missing).in_directory(tree.path()).run();
    assert_eq!(code, 2);
    assert!(stderr.starts_with("error: cannot start the agent `./no-agent`: "), "{stderr}");
}

/// An editor with an agent behind a proxy.
struct Editor {
    process: Child,
    input: Option<ChildStdin>,
    output: Option<Lines<BufReader<ChildStdout>>>,
}

impl Editor {
    fn start(directory: &Path, arguments: &[&str], script: &str) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_dibber"))
            .args(["acp", "proxy", "--skills", "skills"])
            .args(arguments)
            .args(["--", "sh", "-c", script])
            .current_dir(directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let output = BufReader::new(process.stdout.take().expect("a pipe")).lines();
        let input = process.stdin.take();
        Self { process, input, output: Some(output) }
    }

    fn send(&mut self, line: &str) {
        let input = self.input.as_mut().expect("a pipe");
        input.write_all(line.as_bytes()).and_then(|()| input.flush()).expect("a line");
    }

    fn receive(&mut self) -> Value {
        let output = self.output.as_mut().expect("a pipe");
        let line = output.next().expect("a line").expect("UTF-8");
        serde_json::from_str(&line).expect("JSON")
    }

    fn names(&mut self) -> Vec<String> {
        let update = self.receive();
        let commands = update["params"]["update"]["availableCommands"].as_array().expect("a list");
        commands.iter().map(|command| command["name"].to_string()).collect()
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn a_change_of_the_folders_is_announced_and_called() {
    let tree = Tree::from_archive(SKILLS, false);
    let mut editor = Editor::start(tree.path(), &[], AGENT);
    editor.send(&new_session());
    editor.receive();
    assert_eq!(editor.names(), ["\"pdf\""]);
    let skill = b"---\nname: notes\ndescription: Writes notes.\n---\nWrite.\n";
    tree.write("skills/notes/SKILL.md", skill);
    assert_eq!(editor.names(), ["\"notes\"", "\"pdf\""]);
    editor.send(&prompt("/notes"));
    assert!(
        editor.receive()["params"]["prompt"][0]["text"].as_str().expect("text").ends_with("Write.")
    );
    fs::remove_dir_all(tree.path().join("skills/pdf")).expect("removed");
    assert_eq!(editor.names(), ["\"notes\""]);
    drop(editor.input.take());
    assert_eq!(editor.process.wait().expect("an end").code(), Some(0));
}

/// Returns `true` if this process, and each that it starts, ignores `SIGHUP`.
fn is_hangup_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask & 1 != 0)
}

#[test]
fn an_interrupted_proxy_ends_its_agent() {
    if is_hangup_ignored() {
        // The program keeps such a disposition of signals, and is then not interrupted.
        return;
    }
    let tree = Tree::from_archive(SKILLS, false);
    // Writes its id, and what has ended it.
    let script = r#"trap 'echo ended > end; exit' TERM
echo "{\"pid\":$$}"
while :; do sleep 0.05; done"#;
    let mut editor = Editor::start(tree.path(), &[], script);
    editor.receive();
    let id = editor.process.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().expect("kill").success());
    assert_eq!(editor.process.wait().expect("an end").code(), Some(130));
    assert_eq!(tree.read("end"), "ended\n");
}

#[test]
fn an_editor_that_reads_no_more_ends_the_proxy() {
    let tree = Tree::from_archive(SKILLS, false);
    // Another process of the agent has its output, and goes on writing.
    let script = "(i=0; while [ $i -lt 100 ]; do echo; sleep 0.1; i=$((i+1)); done; echo > late) &
        sleep 1; exit 3";
    let mut editor = Editor::start(tree.path(), &[], script);
    drop(editor.output.take());
    assert_eq!(editor.process.wait().expect("an end").code(), Some(3));
    assert!(!tree.path().join("late").exists());
}

#[test]
fn what_a_component_of_a_conductor_cannot_pass_is_answered() {
    let tree = Tree::from_archive(SKILLS, false);
    let long = "x".repeat(17 << 20);
    let line = |message: Value| format!("{message}\n");
    let first = json!({"jsonrpc": "2.0", "id": 0, "method": "proxy/initialize"});
    // An object is written in the order of its keys here: `id`, `jsonrpc`, `method`, `params`.
    let request = json!({"jsonrpc": "2.0", "id": 7, "method": "session/prompt", "params": long});
    let answer = json!({"jsonrpc": "2.0", "id": "dibber-1", "result": long});
    let notification = json!({"jsonrpc": "2.0", "method": "session/cancel", "params": long});
    let unknown = format!("{{\"params\":\"{long}\",\"id\":7,\"method\":\"x\"}}\n");
    let input = line(first)
        + &line(request)
        + &line(answer)
        + &line(notification)
        + &unknown
        + "\nnot JSON\n5\n"
        + &line(json!({"jsonrpc": "2.0", "id": 9, "method": "proxy/successor"}));
    let arguments = ["acp", "proxy", "--skills", "skills", "--conductor"];
    let ended = Dibber::new(arguments).in_directory(tree.path()).input(input).run();
    let lines: Vec<Value> =
        ended.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let answered: Vec<_> =
        lines.iter().skip(1).map(|line| (&line["id"], &line["error"]["code"])).collect();
    let (null, code) = (Value::Null, |code: i32| Value::from(code));
    let expected = [
        (&json!(7), &code(-32600)),
        (&json!(0), &code(-32600)),
        (&null, &code(-32600)),
        (&null, &code(-32600)),
        (&null, &code(-32700)),
        (&null, &code(-32600)),
        (&json!(9), &code(-32602)),
    ];
    assert_eq!(answered, expected, "{}", ended.show());
    assert_eq!(lines[1]["error"]["message"], "the message is longer than 16 MiB");
}

#[test]
fn a_component_of_a_conductor_wraps_what_is_for_the_agent() {
    let tree = Tree::from_archive(SKILLS, false);
    let input = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"proxy/initialize\",\"params\":{}}\n";
    let arguments = ["acp", "proxy", "--skills", "skills", "--conductor"];
    let ended = Dibber::new(arguments).in_directory(tree.path()).input(input).run();
    let expected = "{\"jsonrpc\":\"2.0\",\"id\":\"dibber-1\",\"method\":\"proxy/successor\",\
                    \"params\":{\"method\":\"initialize\",\"params\":{}}}\n";
    assert_eq!((ended.code, &*ended.stdout), (0, expected));
}
