//! Servers that are programs, servers with a name, and headers.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::Tree;
use crate::support::command::Dibber;
use crate::support::fake_server::Fake;

/// A server of an older revision, as a shell script. It answers by the number of each request.
const SCRIPT: &str = r#"
echo "started with ${GREETING:-nothing} and ${SECRET:-no secret}" >&2
while read -r line; do
  id=${line#*\"id\":}; id=${id%%[,\}]*}
  case $line in
    *server/discover*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}\n' "$id";;
    *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"script","version":"1"}}}\n' "$id";;
    *tools/list*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"look","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}]}}\n' "$id";;
    *tools/call*) printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"seen"}]}}\n' "$id";;
  esac
done
echo ended >> "${ENDED:-/dev/null}"
"#;

struct Place {
    tree: Tree,
}

impl Place {
    fn new() -> Self {
        let tree = Tree::new();
        tree.write("server.sh", SCRIPT.as_bytes());
        tree.write("dies.sh", b"echo 'no key \x1b[31mset' >&2\nexit 3\n");
        tree.write(
            "halfway.sh",
            SCRIPT.replace("*tools/call*)", "*tools/call*) echo boom >&2; exit 4;").as_bytes(),
        );
        Self { tree }
    }

    fn run(&self, arguments: &[&str]) -> Dibber {
        let tree = self.tree.path().to_string_lossy().into_owned();
        Dibber::new(arguments)
            .in_directory(self.tree.path())
            .env("HOME", &tree)
            .env("XDG_CONFIG_HOME", &format!("{tree}/config"))
            .env("SECRET", "s3cret")
            .env("COLUMNS", "80")
    }

    fn show(&self, arguments: &[&str]) -> String {
        self.run(arguments).run().show_without(self.tree.path())
    }

    fn user(&self, text: &str) {
        self.tree.write("config/dibber/dibber.toml", text.as_bytes());
    }
}

#[test]
fn a_program_is_a_server() {
    let place = Place::new();
    let server = ["--server", "stdio:sh 'server.sh'"];
    insta::assert_snapshot!("program_call", place.show(&[&["call", "look"][..], &server].concat()));
    let status = place.show(&[&["status", "-v"][..], &server].concat());
    insta::assert_snapshot!("program_status", status);
    insta::assert_snapshot!(
        "program_no_tool",
        place.show(&[&["call", "lok"][..], &server].concat())
    );
}

#[test]
fn the_server_in_this_program_is_a_program_too() {
    let place = Place::new();
    let data = place.tree.path().join("family");
    let server = format!(
        "stdio:{} serve --stdio --data '{}'",
        env!("CARGO_BIN_EXE_dibber"),
        data.to_string_lossy()
    );
    let ended = place.run(&["call", "mcp_whoami", "--json", "--server", &server]).run();
    assert_eq!(ended.code, 0, "{}", ended.show());
    let result: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    assert!(result["structuredContent"]["userId"].is_string(), "{result}");
}

#[test]
fn the_command_line_of_a_server_is_neither_shown_nor_recorded() {
    let place = Place::new();
    place.tree.write("dibber.toml", b"");
    place.tree.write(
        "tea/SKILL.md",
        b"---\nname: tea\ndescription: Makes tea. Use when tea is asked for.\n---\n\nMake tea.\n",
    );
    let program = Path::new(env!("CARGO_BIN_EXE_dibber"));
    let mut path = vec![program.parent().expect("a directory").to_owned()];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").expect("a path")));
    let path = std::env::join_paths(path).expect("paths");
    let server = "stdio:dibber serve --stdio --data hunter2";
    let run = |arguments: &[&str]| {
        let run = place.run(&[arguments, &["--server", server]].concat());
        let ended = run.env("PATH", &path.to_string_lossy()).run();
        assert_eq!(ended.code, 0, "{}", ended.show());
        ended.show()
    };
    let shown = [run(&["push", "--yes"]), run(&["status"]), run(&["skill", "list", "--json"])];
    let lock = place.tree.read("dibber.lock");
    for text in shown.iter().chain([&lock]) {
        assert!(!text.contains("hunter2") && text.contains("stdio:dibber#"), "{text}");
    }
}

#[test]
fn a_program_that_does_not_end_is_ended() {
    let place = Place::new();
    let script = format!("{SCRIPT}\nexec sleep 1000\n");
    place.tree.write("stays.sh", script.as_bytes());
    let ended = place.run(&["call", "look", "--server", "stdio:sh stays.sh"]).run_bounded();
    assert_eq!((ended.code, ended.stdout.as_str()), (0, "seen\n"), "{}", ended.show());
}

#[test]
fn a_program_that_fails_is_explained() {
    let place = Place::new();
    let call = |server: &str| place.show(&["call", "look", "--timeout", "5", "--server", server]);
    insta::assert_snapshot!("program_missing", call("stdio:no-such-program-of-mcp"));
    insta::assert_snapshot!("program_dies", call("stdio:sh dies.sh"));
    insta::assert_snapshot!("program_halfway", call("stdio:sh halfway.sh"));
    insta::assert_snapshot!("program_shell", call("stdio:sh server.sh | cat"));
    insta::assert_snapshot!("program_quote", call("stdio:sh 'server.sh"));
    insta::assert_snapshot!("program_empty", call("stdio:"));
}

/// A program whose answers no JSON parser accepts is not waited for until the timeout.
#[test]
fn an_answer_of_a_program_that_cannot_be_parsed_is_a_protocol_error() {
    let place = Place::new();
    for (name, value) in [("surrogate.sh", r#""\\ud800""#), ("number.sh", "1e400")] {
        let answer = SCRIPT.replace(r#""text":"seen""#, &format!(r#""text":"seen","x":{value}"#));
        place.tree.write(name, answer.as_bytes());
        let writes = answer.replace("\"readOnlyHint\":true", "\"readOnlyHint\":false");
        place.tree.write("writes.sh", writes.as_bytes());
        for (script, code) in [(name, 6), ("writes.sh", 7)] {
            let server = format!("stdio:sh {script}");
            let call = ["call", "look", "--timeout", "100", "--server", &server];
            let ended = place.run(&call).run_bounded();
            assert_eq!(ended.code, code, "{}", ended.show());
            assert!(ended.stderr.contains("cannot be parsed: "), "{}", ended.show());
        }
    }
}

#[test]
fn servers_have_names_in_the_users_configuration() {
    let place = Place::new();
    let ended = place.tree.path().join("ended");
    place.user(&format!(
        "[servers.weather]\ncommand = \"sh server.sh\"\n\
         env = {{ GREETING = \"hello\", ENDED = \"{}\" }}\n\
         [servers.far]\nurl = \"http://example.org/mcp\"\nheaders = {{ X-Key = \"hunter2\" }}\n",
        ended.to_string_lossy()
    ));
    insta::assert_snapshot!("named", place.show(&["status", "-v", "--server", "weather"]));
    assert_eq!(fs::read_to_string(ended).expect("it has ended by itself"), "ended\n");
    insta::assert_snapshot!("named_unknown", place.show(&["status", "--server", "wether"]));
    insta::assert_snapshot!("named_none", place.show(&["status", "--server", "sea"]));
    let far = place.show(&["status", "--server", "far"]);
    assert!(!far.contains("hunter2"), "{far}");
    insta::assert_snapshot!("named_in_clear", far);
}

#[test]
fn a_wrong_server_in_the_configuration_is_shown_in_its_place() {
    let shown = |text: &str| {
        let place = Place::new();
        place.user(text);
        place.show(&["status", "--server", "a"])
    };
    insta::assert_snapshot!("named_both", shown("[servers.a]\nurl = \"local\"\ncommand = \"b\"\n"));
    insta::assert_snapshot!("named_neither", shown("[servers.a]\nenv = { A = \"b\" }\n"));
    insta::assert_snapshot!("named_key", shown("[servers.a]\nurl = \"local\"\nheader = \"b\"\n"));
    insta::assert_snapshot!("named_local", shown("[servers.a]\nurl = \"local\"\n"));
    let header = "[servers.a]\nurl = \"https://a.org\"\nheaders = { \"a b\" = \"hunter2\" }\n";
    insta::assert_snapshot!("named_header", shown(header));
    insta::assert_snapshot!(
        "named_command",
        shown("[servers.a]\ncommand = \"b --key 'hunter2\"\n")
    );
    let project = Place::new();
    project.tree.write("dibber.toml", b"[servers.a]\ncommand = \"touch owned\"\n");
    insta::assert_snapshot!("named_in_project", project.show(&["status"]));
    project.tree.write("dibber.toml", b"[server]\nurl = \"stdio:touch owned\"\n");
    insta::assert_snapshot!("program_in_project", project.show(&["status"]));
    assert!(!project.tree.path().join("owned").exists());
}

#[test]
fn no_value_of_a_configuration_is_shown() {
    let shown = |text: &str| {
        let place = Place::new();
        place.tree.write("echoes.sh", b"echo \"$@ ($2)\" >&2\nexit 3\n");
        place.user(text);
        let shown = [
            place.show(&["servers"]),
            place.show(&["servers", "--json"]),
            place.show(&["config", "show"]),
            place.show(&["config", "show", "--json"]),
            place.show(&["status", "--server", "z"]),
            place.show(&["status", "--server", "none", "--json"]),
        ]
        .concat();
        assert!(!shown.contains("hunter2"), "{shown}");
        place.show(&["servers"])
    };
    let words = "[\"sh\", \"echoes.sh\", \"--token\", \"hunter2\", \"PASSWORD=hunter2\", \"pg://u:hunter2@h/d\"";
    insta::assert_snapshot!("hidden_list", shown(&format!("[servers.z]\ncommand = {words}]\n")));
    let broken = shown(&format!("[servers.z]\ncommand = {words}, 5]\nurl = 5\n"));
    insta::assert_snapshot!("hidden_items", broken);
    shown(&format!("[servers.z]\ncommand = {words}\n"));
    shown(&format!("[servers.z]\nheaders = {words}]\n"));
    shown("[servers]\nz = { env = [\n  \"hunter2=a\",\n] }\n");
    let wrong = shown("[server]\nurl = \"https://example.org/mcp?token=hunter2#x\"\n");
    insta::assert_snapshot!("hidden_lines", wrong);
    insta::assert_snapshot!(
        "hidden_type",
        shown("[servers.z]\ncommand = { run = \"no --token hunter2\" }\n")
    );
    shown("[server]\nurl = \"https://dibber.invalid/mcp?token=hunter2\"\n");
    let token = format!("ghp_{}", "hunter2".repeat(5) + "h");
    let place = Place::new();
    place.user(&format!(
        "[servers.z]\nurl = \"https://a.org\"\nheaders = {{ X-{token} = \"a\" }}\n"
    ));
    insta::assert_snapshot!("hidden_header", place.show(&["servers"]));
    place.tree.write("tells.sh", b"echo 'no postgres://u:hunter2@h/d?k=hunter2' >&2\nexit 3\n");
    let output = place.show(&["call", "look", "-v", "--server", "stdio:sh tells.sh"]);
    insta::assert_snapshot!("hidden_standard_error", output);
}

#[test]
fn headers_are_sent_with_every_request() {
    let server = Fake::new(|request| Some(request.usual(&json!([]), &json!({}))));
    let place = Place::new();
    let url = server.url();
    let run = ["tools", "--server", &url, "--header", "X-Key: hunter2", "--header", "x-b:c"];
    assert_eq!(place.run(&run).run().code, 0);
    assert!(!server.seen().is_empty());
    for request in server.seen() {
        assert_eq!(request.header("x-key"), Some("hunter2"));
        assert_eq!(request.header("x-b"), Some("c"));
    }
    let wrong = |header: &str, server: &str| {
        let shown = place.show(&["tools", "--server", server, "--header", header]);
        assert!(!shown.contains("hunter2"), "{shown}");
        shown
    };
    insta::assert_snapshot!("header_no_colon", wrong("X-Key hunter2", &url));
    insta::assert_snapshot!("header_reserved", wrong("Accept: hunter2", &url));
    insta::assert_snapshot!("header_local", wrong("X-Key: hunter2", "local"));
    insta::assert_snapshot!(
        "header_in_clear",
        wrong("X-Key: hunter2", "http://example.org:80/mcp")
    );
}

#[test]
fn a_server_of_this_computer_needs_no_scheme_and_no_path() {
    let server = Fake::new(|request| Some(request.usual(&json!([]), &json!({}))));
    for name in [
        format!("{}", server.address),
        format!("http://{}", server.address),
        format!("http://{}/", server.address),
    ] {
        let ended = Dibber::new(["tools", "--server", &name]).run();
        assert_eq!(ended.code, 0, "{name}: {}", ended.show());
    }
    assert!(server.seen().iter().all(|request| request.line == "POST /mcp HTTP/1.1"));
}

/// The files of other clients, with every kind of server.
fn client_files(place: &Place) {
    let home = json!({
        "history": ["x"],
        "mcpServers": {
            "weather": {"command": "sh", "args": ["server.sh"], "env": {"GREETING": "${SECRET}"}},
            "keyed": {"command": "npx", "args": ["-y", "a", "--api-key", "hunter2", "--token=hunter2"]},
            "remote": {"command": "mcp-remote", "args": [
                "https://a.org/mcp?user=ann@b.org&key=hunter2", "--token", "-hunter2",
                "--header", "Authorization: Bearer hunter2", "-H", "X-Org: hunter2",
            ]},
            "far": {"type": "http", "url": "https://a.org/mcp?key=hunter2",
                "headers": {"X-Key": "hunter2"}},
            "old": {"type": "sse", "url": "https://a.org/sse"},
        },
        "projects": {place.tree.path().to_string_lossy(): {"mcpServers": {
            "here": {"command": "sh", "args": ["${CLAUDE_PROJECT_DIR}/server.sh"]},
        }}},
    });
    place.tree.write(".claude.json", home.to_string().as_bytes());
    let project = json!({"mcpServers": {
        "weather": {"command": "false"},
        "local-one": {"command": "sh", "args": ["server.sh"], "env": {"GREETING": "${NONE:-hi}"}},
        "thief": {"url": "https://b.org/mcp", "headers": {"Authorization": "Bearer ${SECRET}"}},
    }});
    place.tree.write(".mcp.json", project.to_string().as_bytes());
    let editor = b"{\n  // of this project\n  \"servers\": {\n    \"asks\": {\"command\": \"a\", \"args\": [\"${input:key}\"],},\n  },\n}\n";
    place.tree.write(".vscode/mcp.json", editor);
    place.tree.write(".cursor/mcp.json", b"not JSON");
}

#[test]
fn servers_of_other_clients_are_known_by_name() {
    let place = Place::new();
    client_files(&place);
    place.user("[servers.mine]\nurl = \"https://c.org/mcp\"\nheaders = { X-Key = \"hunter2\" }\n");
    let listed = place.show(&["servers"]);
    assert!(!listed.contains("hunter2") && !listed.contains("s3cret"), "{listed}");
    insta::assert_snapshot!("servers", listed);
    let json = place.run(&["servers", "--json"]).run();
    let value: Value = serde_json::from_str(&json.stdout).expect("JSON");
    let schema = crate::support::package().join("schemas/servers.schema.json");
    let schema = serde_json::from_slice(&fs::read(schema).expect("a schema")).expect("JSON");
    let validator = jsonschema::draft202012::new(&schema).expect("a schema");
    assert!(validator.is_valid(&value), "{value:#}");
    assert!(!json.stdout.contains("hunter2"), "{value:#}");
}

#[test]
fn a_server_of_another_client_is_selected_by_name() {
    let place = Place::new();
    client_files(&place);
    let status = |name: &str| place.show(&["status", "-v", "--server", name]);
    insta::assert_snapshot!("of_client_user", status("@weather"));
    insta::assert_snapshot!("of_client_here", status("@here"));
    insta::assert_snapshot!("of_client_project", status("@local-one"));
    insta::assert_snapshot!("of_client_thief", status("@thief"));
    insta::assert_snapshot!("of_client_sse", status("@old"));
    insta::assert_snapshot!("of_client_input", status("@asks"));
    insta::assert_snapshot!("of_client_unknown", status("@wether"));
    let by_variable = place.run(&["status"]).env("DIBBER_SERVER", "@local-one").run();
    insta::assert_snapshot!("of_client_variable", by_variable.show_without(place.tree.path()));
}
