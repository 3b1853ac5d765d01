//! A child's name is hidden beside and around a character that is escaped: the escape would split
//! the name, or join with it to one word, so names are masked before anything is escaped.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::Tree;
use crate::support::command::{Dibber, Ended};
use crate::support::fake_server::{Fake, Request};
use crate::support::server_process::{MODERN, Serving, serve};

/// The name on the list.
const NAME: &str = "Zebulonka";
/// The same in capitals, with a character in it that takes no space.
const SPLIT: &str = "ZEBU\u{200B}LONKA";

/// A private list with the name.
struct Family(Tree);

impl Family {
    fn new() -> Self {
        let list = Tree::new();
        list.write("names", format!("{NAME}\n").as_bytes());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let private = std::fs::Permissions::from_mode(0o600);
            std::fs::set_permissions(list.path().join("names"), private).expect("permissions");
        }
        Self(list)
    }

    fn list(&self) -> PathBuf {
        self.0.path().join("names")
    }

    fn run(&self, directory: &Tree, arguments: &[&str]) -> Ended {
        Dibber::new(arguments)
            .in_directory(directory.path())
            .env("DIBBER_NAMES", &self.list().to_string_lossy())
            .run()
    }
}

fn assert_hidden(ended: &Ended) {
    let shown = ended.show();
    assert!(!shown.to_lowercase().contains("lonka"), "{shown}");
    assert!(shown.contains("*********"), "it was there to be shown:\n{shown}");
}

/// Answers a request with the name wherever a server can send a string.
fn answer(request: &Request) -> Value {
    let named = |word: &str| format!("{word}\t{NAME} {SPLIT}");
    match (request.method(), request.message["params"]["name"].as_str()) {
        ("server/discover", _) => json!({
            "resultType": "complete", "supportedVersions": [MODERN], "capabilities": {"tools": {}},
            "ttlMs": 0, "cacheScope": "private",
            "_meta": {"io.modelcontextprotocol/serverInfo":
                {"name": named("fake"), "version": named("1")}},
        }),
        ("tools/list", _) => {
            let tool = |name: &str| {
                json!({
                    "name": name, "title": named("title"), "description": named("description"),
                    "annotations": {"readOnlyHint": true},
                    "inputSchema": {"type": "object", "properties": {
                        named("field"): {"type": "string", "description": named("about")},
                        "of": {"enum": [named("word")]},
                    }},
                })
            };
            let tools: Vec<_> = ["mcp_whoami", "mcp_health", "other"].map(tool).into();
            json!({"resultType": "complete", "tools": tools, "ttlMs": 0, "cacheScope": "private"})
        }
        (_, Some("mcp_whoami")) => complete(&json!({
            "userId": named("u"), "name": named("Ann"), "familyId": "fam_1", "scopes": [],
            "server": named("s"),
        })),
        (_, Some("mcp_health")) => complete(&json!({
            "status": named("poor"), "time": named("t"), "server": named("s"),
        })),
        _ => complete(&json!({named("key"): named("value")})),
    }
}

fn complete(value: &Value) -> Value {
    json!({"resultType": "complete", "content": [], "structuredContent": value})
}

#[test]
fn what_a_server_sends() {
    let family = Family::new();
    let server = Fake::new(|request| Some(request.result(&answer(request))));
    let url = server.url();
    for arguments in [
        &["status"][..],
        &["status", "--json"],
        &["tools"],
        &["tools", "--json"],
        &["tools", "other"],
        &["call", "other"],
    ] {
        let arguments = [arguments, &["--server", &url]].concat();
        assert_hidden(&family.run(&family.0, &arguments));
    }
}

/// What is shortened is masked before: half of a name would not be recognized.
#[test]
fn fields_with_long_names() {
    let family = Family::new();
    let server = Fake::new(|request| {
        let mut answer = answer(request);
        if request.method() == "tools/list" {
            let long = format!("aaaaaa-{NAME}-{}", "a".repeat(60));
            let field = json!({"const": long, "format": long});
            answer["tools"][2]["inputSchema"]["properties"] =
                json!({long.as_str(): field, "of": {"type": "integer", "description": NAME}});
        }
        Some(request.result(&answer))
    });
    let url = server.url();
    for arguments in [&["tools", "other"][..], &["call", "other", "of=x"]] {
        let shown = family.run(&family.0, &[arguments, &["--server", &url]].concat()).show();
        assert!(!shown.contains("Zebul"), "{shown}");
    }
}

#[cfg(unix)]
#[test]
fn the_directory_of_a_server() {
    let (family, parent) = (Family::new(), Tree::new());
    let data = parent.path().join(format!("of\t{SPLIT}"));
    let mut command = serve(&data, &["--listen", "127.0.0.1:0"]);
    command.env("DIBBER_NAMES", family.list());
    let server = Serving::of(command, &data);
    server.signal("TERM");
    let (_, log) = server.ended();
    assert!(log.contains("of\\t**********"), "{log}");
    assert!(!log.contains("LONKA"), "{log}");
    let data = data.to_string_lossy();
    assert_hidden(&family.run(&family.0, &["status", "--data", &data]));
}

#[test]
fn inputs_that_are_missing() {
    let (family, tree) = (Family::new(), Tree::new());
    let skill = format!(
        "---\nname: a-plan\ndescription: Plans a day. Use when asked.\n---\n\nGreet \
         {{{{input.{NAME}}}}} and {{{{input.sk_live_4eC39HqLyjWDarjtT1zdp7dcX}}}}.\n"
    );
    tree.write("a-plan/SKILL.md", skill.as_bytes());
    for arguments in [&["render", "a-plan"][..], &["dry-run", "a-plan", "--input", "x=1"]] {
        let ended = family.run(&tree, arguments);
        assert_hidden(&ended);
        assert!(!ended.show().contains("4eC39"), "{}", ended.show());
    }
}
