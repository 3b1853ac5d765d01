//! Which server a command speaks with, and which token it sends there.

use std::fs;

use serde_json::Value;

use crate::support::Tree;
use crate::support::command::{Dibber, Ended};
use crate::support::fake_server::{Fake, Reply};

/// A directory with a project and with the user's own configuration.
struct Place {
    tree: Tree,
}

impl Place {
    fn new() -> Self {
        let tree = Tree::new();
        fs::create_dir_all(tree.path().join("project")).expect("a directory");
        Self { tree }
    }

    fn project(self, text: &str) -> Self {
        self.tree.write("project/dibber.toml", text.as_bytes());
        self
    }

    fn user(self, text: &str) -> Self {
        self.tree.write("config/dibber/dibber.toml", text.as_bytes());
        self
    }

    fn command(&self, arguments: &[&str]) -> Dibber {
        Dibber::new(arguments)
            .in_directory(&self.tree.path().join("project"))
            .env("HOME", &self.tree.path().to_string_lossy())
            .env("XDG_CONFIG_HOME", &self.tree.path().join("config").to_string_lossy())
            .env("COLUMNS", "80")
    }

    fn show(&self, ended: &Ended) -> String {
        ended.show_without(self.tree.path())
    }

    fn status(&self, arguments: &[&str]) -> String {
        self.show(&self.command(&["status"]).arguments(arguments).run())
    }
}

/// A server that asks for a token.
fn locked() -> Fake {
    Fake::new(|_| Some(Reply::json(401, "{}")))
}

/// A file with a token, for its owner alone.
#[cfg(unix)]
fn write_token(tree: &Tree, path: &str, text: &[u8], mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    tree.write(path, text);
    let permissions = fs::Permissions::from_mode(mode);
    fs::set_permissions(tree.path().join(path), permissions).expect("its mode");
}

#[test]
fn the_nearest_word_counts() {
    let servers: Vec<Fake> = (0..4).map(|_| locked()).collect();
    let urls: Vec<String> = servers.iter().map(Fake::url).collect();
    let configured = |url: &str| format!("[server]\nurl = \"{url}\"\n");
    let place = Place::new().project(&configured(&urls[2])).user(&configured(&urls[3]));
    let lone = Place::new().user(&configured(&urls[3]));
    let silent = Place::new().project("[lint]\n").user(&configured(&urls[3]));
    let chosen = |command: Dibber| {
        let ended = command.run();
        let json: Value = serde_json::from_str(&ended.stdout).expect("JSON");
        let text = |name: &str| json[name].as_str().expect("a string").to_owned();
        (text("server"), text("because"))
    };
    let asked = |place: &Place| place.command(&["status", "--json"]);
    let by = |index: usize, because: &str| (urls[index].clone(), because.to_owned());
    let argument = asked(&place).env("DIBBER_SERVER", &urls[1]).arguments(&["--server", &urls[0]]);
    assert_eq!(chosen(argument), by(0, "argument"));
    assert_eq!(chosen(asked(&place).env("DIBBER_SERVER", &urls[1])), by(1, "environment"));
    assert_eq!(chosen(asked(&place).env("DIBBER_SERVER", "")), by(2, "project"));
    assert_eq!(chosen(asked(&lone)), by(3, "user"));
    assert_eq!(chosen(asked(&silent)), by(3, "user"));
    let local = chosen(asked(&place).arguments(&["--server", "local"]));
    assert_eq!(local, ("local".to_owned(), "argument".to_owned()));
    assert_eq!(chosen(asked(&Place::new())), ("local".to_owned(), "default".to_owned()));
    for (server, count) in servers.iter().zip([1, 1, 1, 2]) {
        assert!(server.seen().len() >= count, "only who is chosen is asked");
    }
}

#[test]
fn a_fault_in_a_configuration_is_shown_in_its_place() {
    let shown = |text: &str| Place::new().project(text).status(&[]);
    insta::assert_snapshot!("url", shown("[server]\nurl = \"example.org/mcp\"\n"));
    insta::assert_snapshot!("scheme", shown("[server]\nurl = \"ftp://example.org/mcp\"\n"));
    let password = shown("[server]\nurl = \"https://kim:hunter2@a.org\"\n");
    assert!(!password.contains("hunter2"), "{password}");
    insta::assert_snapshot!("password", password);
    insta::assert_snapshot!("local", shown("[server]\nurl = \"locale\"\n"));
    insta::assert_snapshot!("type", shown("[server]\nurl = 7340\n"));
    insta::assert_snapshot!("key", shown("[server]\nurl = \"local\"\ntoken_file = \"t\"\n"));
    insta::assert_snapshot!("missing", shown("[server]\ntoken-file = \"t\"\n"));
    insta::assert_snapshot!("trusted", shown("[server]\ntrusted = [\"https://example.org\"]\n"));
    let own = Place::new().user("[lint]\nexclude = [\"a\"]\n");
    insta::assert_snapshot!("lint", own.status(&[]));
}

#[test]
fn a_server_that_is_none_is_explained() {
    let place = Place::new();
    insta::assert_snapshot!("argument", place.status(&["--server", "lokal"]));
    insta::assert_snapshot!("host", place.status(&["--server", "localhost/mcp"]));
    let environment = place.command(&["status"]).env("DIBBER_SERVER", "https://").run();
    insta::assert_snapshot!("environment", place.show(&environment));
}

#[test]
fn a_project_does_not_choose_who_gets_a_token() {
    const URL: &str = "http://dibber.invalid:1/mcp";
    let with_token = |place: &Place, arguments: &[&str]| {
        let command = place.command(&["status"]).arguments(arguments);
        let ended = command.env("DIBBER_TOKEN", "tok-1").run();
        assert!(!ended.show().contains("tok-1"), "{}", ended.show());
        assert_eq!(ended.code, 2);
        place.show(&ended)
    };
    let place = Place::new().project("[server]\nurl = \"https://dibber.invalid:1/mcp\"\n");
    insta::assert_snapshot!(with_token(&place, &[]));
    // A server that may have the token is refused for the next reason, before anything is sent.
    let named = format!("[server]\nurl = \"{URL}\"\n");
    let gets_to_clear_text = |place: &Place, arguments: &[&str]| {
        with_token(place, arguments).contains("which is not encrypted")
    };
    assert!(gets_to_clear_text(&Place::new().project(&named), &["--server", URL]));
    let trusts = |text: &str| gets_to_clear_text(&Place::new().project(&named).user(text), &[]);
    assert!(trusts("[server]\ntrusted = [\"http://dibber.invalid:1\"]\n"));
    assert!(trusts("[server]\nurl = \"http://dibber.invalid:1/other\"\n"));
    assert!(!trusts("[server]\ntrusted = [\"http://dibber.invalid\"]\n"), "another port");
    assert!(!trusts("[server]\ntrusted = [\"https://dibber.invalid:1\"]\n"), "another scheme");
    assert!(!trusts("[server]\ntrusted = [\"http://invalid:1\"]\n"), "another host");
    assert!(!trusts("[server]\ntrusted = []\n"));
    assert!(!trusts("[server]\ntrusted = [\"nonsense\"]\n"));
}

#[cfg(unix)]
#[test]
fn no_token_is_sent_to_a_server_that_only_the_project_selects() {
    let place = Place::new()
        .project("[server]\nurl = \"https://dibber.invalid:1/mcp\"\ntoken-file = \"token\"\n");
    write_token(&place.tree, "project/token", b"tok-1", 0o600);
    insta::assert_snapshot!("inside", place.status(&[]));
    write_token(&place.tree, "mine", b"tok-1", 0o600);
    insta::assert_snapshot!("typed", place.status(&["--token-file", "../mine"]));
    let place = place.project("[server]\nurl = \"http://127.0.0.1:1\"\ntoken-file = \"../mine\"\n");
    insta::assert_snapshot!("outside", place.status(&[]));
}

#[test]
fn a_token_reaches_this_computer_if_the_user_trusts_the_server() {
    let server = locked();
    let place = Place::new().project(&format!("[server]\nurl = \"{}\"\n", server.url()));
    let status = |place: &Place| place.command(&["status"]).env("DIBBER_TOKEN", "Tok-1").run();
    let ended = status(&place);
    assert_eq!(ended.code, 2, "{}", ended.show());
    assert_eq!(server.seen().len(), 0, "any user of this computer may listen there");
    let origin = server.url().trim_end_matches("/mcp").to_owned();
    let place = place.user(&format!("[server]\ntrusted = [\"{origin}\"]\n"));
    let ended = status(&place);
    assert_eq!(ended.code, 4, "{}", ended.show());
    let seen = server.seen();
    assert_eq!(
        seen[0].header("authorization"),
        Some("bearer tok-1"),
        "lower case: all headers are"
    );
}

#[test]
fn a_token_is_not_sent_in_clear_text() {
    let place = Place::new();
    let command = place.command(&["status", "--server", "http://dibber.invalid/mcp"]);
    let ended = command.env("DIBBER_TOKEN", "tok-1").run();
    insta::assert_snapshot!(place.show(&ended));
}

#[cfg(unix)]
#[test]
fn a_file_that_is_not_a_token_is_explained() {
    let place = Place::new();
    let server = locked();
    let shown = |path: &str| {
        let path = place.tree.path().join(path).to_string_lossy().into_owned();
        place
            .status(&["--server", &server.url(), "--token-file", &path])
            .replace(&server.url(), "URL")
    };
    for (name, text, mode) in [
        ("readable", "tok-1\n", 0o644),
        ("empty", "", 0o600),
        ("blank", "\n \n", 0o600),
        ("two", "tok-1\ntok-2\n", 0o600),
    ] {
        write_token(&place.tree, name, text.as_bytes(), mode);
        insta::assert_snapshot!(format!("token_file_{name}"), shown(name));
    }
    insta::assert_snapshot!("token_file_missing", shown("missing"));
    insta::assert_snapshot!("token_file_folder", shown("project"));
    assert!(server.seen().is_empty(), "nothing is sent before the token is known");
    write_token(&place.tree, "good", b"\n\n  Tok-1 \r\n\n", 0o600);
    shown("good");
    assert_eq!(server.seen()[0].header("authorization"), Some("bearer tok-1"));
    let bad = place.command(&["status", "--server", &server.url()]).env("DIBBER_TOKEN", "a b");
    insta::assert_snapshot!("token_in_the_environment", place.show(&bad.run()));
}
