//! `dibber login` and `dibber logout` with a real `dibber serve`, and with servers that lie.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::Child;

use serde_json::{Value, json};

use super::sign_in::signed_in;
use crate::support::Tree;
use crate::support::browser::{Browser, field, parameter};
use crate::support::command::{Dibber, Ended, state_in};
use crate::support::fake_server::{Fake, Reply, Request};
use crate::support::server_process::{Answer, Serving};

/// A server, a browser in which its owner has signed in, and the state of a user of the client.
struct World {
    serving: Serving,
    browser: Browser,
    home: Tree,
}

impl World {
    fn new() -> Self {
        let serving = Serving::start();
        let browser = signed_in(&serving);
        Self { serving, browser, home: Tree::new() }
    }

    fn url(&self) -> String {
        format!("http://{}/mcp", self.serving.address)
    }

    fn dibber(&self, arguments: &[&str]) -> Dibber {
        let url = self.url();
        let server = ["--server", url.as_str()];
        Dibber::new(arguments.iter().chain(&server))
            .data(self.home.path())
            .in_directory(self.home.path())
    }

    fn status(&self) -> (Ended, Value) {
        let ended = self.dibber(&["status", "--json"]).run_bounded();
        let json = serde_json::from_str(&ended.stdout).expect("JSON");
        (ended, json)
    }

    /// The file of the sign-in.
    fn file(&self) -> PathBuf {
        let files = fs::read_dir(state_in(self.home.path()).join("sign-ins")).expect("a directory");
        let mut paths = files.map(|file| file.expect("a file").path());
        paths.find(|path| path.extension().is_some_and(|end| end == "json")).expect("a file")
    }

    /// Lets the token expire.
    fn expire(&self) {
        let path = self.file();
        let mut stored: Value =
            serde_json::from_str(&fs::read_to_string(&path).expect("a file")).expect("JSON");
        stored["tokens"]["expiresAt"] = json!(1);
        fs::write(path, stored.to_string()).expect("a file");
    }

    /// Signs in with some of the scopes that are asked for.
    fn sign_in(&mut self, scopes: &[&str]) -> Ended {
        let login = Login::start(self.dibber(&["login", "--no-browser"]));
        let answer = allow(&mut self.browser, &login.page, scopes);
        let shown = Login::lead_browser_to(&location(&answer));
        assert_eq!(shown.status, 200, "{shown:?}");
        login.end()
    }
}

/// A sign-in that waits for the browser.
struct Login {
    child: Child,
    /// The page to open.
    page: String,
}

impl Login {
    fn start(login: Dibber) -> Self {
        let mut child = login.start();
        let mut page = String::new();
        let stdout = child.stdout.as_mut().expect("a pipe");
        BufReader::new(stdout).read_line(&mut page).expect("text");
        assert!(!page.is_empty(), "it ends without a page");
        Self { child, page: page.trim().to_owned() }
    }

    fn lead_browser_to(location: &str) -> Answer {
        let rest = location.strip_prefix("http://").expect("an address");
        let (address, path) = rest.split_once('/').expect("a path");
        Browser::new(address).get(&format!("/{path}"))
    }

    fn end(self) -> Ended {
        Ended::of(&self.child.wait_with_output().expect("an end"))
    }
}

fn location(answer: &Answer) -> String {
    answer.header("location").unwrap_or_else(|| panic!("{answer:?}")).to_owned()
}

/// Allows what a page asks for.
fn allow(browser: &mut Browser, page: &str, scopes: &[&str]) -> Answer {
    let path = page.splitn(4, '/').nth(3).expect("a path");
    let page = browser.get(&format!("/{path}"));
    assert_eq!(page.status, 200, "{page:?}");
    let (token, request) = (field(&page, "form"), field(&page, "request"));
    let mut fields =
        vec![("form", token.as_str()), ("request", request.as_str()), ("decision", "allow")];
    fields.extend(scopes.iter().map(|scope| ("scope", *scope)));
    browser.submit("/oauth/authorize", &fields)
}

#[test]
fn a_person_signs_in_and_out() {
    let mut world = World::new();
    let refused = world.dibber(&["tools"]).run_bounded();
    assert_eq!(refused.code, 4, "{}", refused.show());
    assert!(refused.stderr.contains("`dibber login --server http://"), "{}", refused.show());
    let done = world.sign_in(&["skill:read", "heartbeat:read"]);
    assert_eq!(done.code, 0, "{}", done.show());
    assert!(done.stderr.contains("allowed: skill:read, heartbeat:read"), "{}", done.show());
    let stored = fs::read_to_string(world.file()).expect("a file");
    let stored: Value = serde_json::from_str(&stored).expect("JSON");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(world.file()).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let (ended, status) = world.status();
    assert_eq!((ended.code, &status["reached"]), (0, &json!(true)), "{}", ended.show());
    assert_eq!(status["signIn"]["scopes"], json!(["skill:read", "heartbeat:read"]));
    assert_eq!(status["signIn"]["issuer"], format!("http://{}", world.serving.address));
    assert!(status["signIn"]["expiresAt"].is_string() && status["token"].is_null());
    let shown = world.dibber(&["status"]).run_bounded();
    assert!(shown.stdout.contains("from `dibber login` at http://"), "{}", shown.show());
    for secret in ["accessToken", "refreshToken"] {
        let secret = stored["tokens"][secret].as_str().expect("a token");
        for output in [&done, &ended, &shown] {
            assert!(!output.show().contains(secret), "{}", output.show());
        }
    }
    // A second sign-in is one of the same client.
    world.sign_in(&["skill:read"]);
    let data = world.serving.data.to_str().expect("a path");
    let grants = || Dibber::new(["family", "grants", "--json", "--data", data]).run().stdout;
    let listed: Value = serde_json::from_str(&grants()).expect("JSON");
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(1), "{listed}");
    let out = world.dibber(&["logout"]).run_bounded();
    assert_eq!(out.code, 0, "{}", out.show());
    let listed: Value = serde_json::from_str(&grants()).expect("JSON");
    assert_eq!(listed["items"], json!([]), "{}", out.show());
    assert_eq!(world.status().0.code, 4);
    let again = world.dibber(&["logout"]).run_bounded();
    assert!(again.stderr.contains("you are not signed in"), "{}", again.show());
}

#[test]
fn two_processes_renew_a_token_once() {
    let mut world = World::new();
    world.sign_in(&["skill:read"]);
    world.expire();
    let start = || world.dibber(&["status", "--json"]).start();
    let ended = [start(), start(), start()].map(|child| child.wait_with_output().expect("an end"));
    for output in &ended {
        let ended = Ended::of(output);
        assert_eq!(ended.code, 0, "{}", ended.show());
    }
    // A second use of the old token would have ended the sign-in.
    world.expire();
    let (ended, status) = world.status();
    assert_eq!(ended.code, 0, "{}", ended.show());
    assert!(status["signIn"]["expiresAt"].as_str().expect("a time") > "2000");
}

#[test]
fn what_was_narrowed_is_less_and_what_was_revoked_is_nothing() {
    let mut world = World::new();
    world.sign_in(&["skill:read", "skill:write"]);
    let page = world.browser.get("/agents");
    let (form, grant) = (field(&page, "form"), field(&page, "grant"));
    let mut change = |action| {
        let fields =
            [("form", &*form), ("grant", &*grant), ("scope", "skill:read"), ("action", action)];
        assert_eq!(world.browser.submit("/agents", &fields).status, 303);
    };
    // The token is refused, and the next one permits less.
    change("keep");
    let (ended, status) = world_status(&world.serving, &world.home);
    assert_eq!(ended.code, 0, "{}", ended.show());
    assert_eq!(status["signIn"]["scopes"], json!(["skill:read"]));
    change("end");
    let (ended, _) = world_status(&world.serving, &world.home);
    assert_eq!(ended.code, 4, "{}", ended.show());
    let shown = ended.stderr;
    assert!(
        shown.contains("does not accept the sign-in") && shown.contains("`dibber login --server"),
        "{shown}"
    );
}

fn world_status(serving: &Serving, home: &Tree) -> (Ended, Value) {
    let url = format!("http://{}/mcp", serving.address);
    let ended = Dibber::new(["status", "--json", "--server", &url])
        .data(home.path())
        .in_directory(home.path())
        .run_bounded();
    let json = serde_json::from_str(&ended.stdout).expect("JSON");
    (ended, json)
}

#[test]
fn answers_to_other_requests_and_of_other_servers_are_refused() {
    let mut world = World::new();
    let mut refused = |change: &dyn Fn(String) -> String, expected: &str| {
        let login = Login::start(world.dibber(&["login", "--no-browser"]));
        let answer = allow(&mut world.browser, &login.page, &["skill:read"]);
        // Another path is not the answer.
        let other = location(&answer).replace("/callback", "/other");
        assert_eq!(Login::lead_browser_to(&other).status, 404);
        let shown = Login::lead_browser_to(&change(location(&answer)));
        // Whether a code is right, the server says later.
        let is_complete = expected == "invalid_grant";
        assert_eq!(shown.status, if is_complete { 200 } else { 400 }, "{shown:?}");
        let ended = login.end();
        assert_eq!(ended.code, 4, "{}", ended.show());
        assert!(ended.stderr.contains(expected), "{}", ended.show());
    };
    refused(&|location| location.replace("state=", "state=a"), "its `state` is another one");
    refused(&|location| location.replace("iss=http", "iss=https"), "of another server (`iss`)");
    refused(&|location| location.replace("iss=", "x="), "does not name its server (`iss`)");
    refused(&|location| format!("{location}&code=x"), "a parameter is there twice");
    refused(
        &|location| location.replace("code=", "error=access_denied&x="),
        "the request was refused in the browser",
    );
    refused(&|location| location.replace("code=", "code=a"), "invalid_grant");
    assert_eq!(world.status().0.code, 4);
}

#[test]
fn a_device_signs_in_with_a_code() {
    let mut world = World::new();
    let login = Login::start(world.dibber(&["login", "--device", "--scope", "skill:read"]));
    assert!(login.page.ends_with("/device"), "{}", login.page);
    let mut child = login.child;
    let mut line = String::new();
    let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
    stderr.read_line(&mut line).expect("text");
    let code = line.split("the code ").nth(1).expect("a code").trim().trim_end_matches(':');
    let code = code.trim_matches('`').to_owned();
    let page = world.browser.get("/device");
    let form = field(&page, "form");
    let fields =
        [("form", &*form), ("code", &*code), ("scope", "skill:read"), ("decision", "allow")];
    let done = world.browser.submit("/device", &fields);
    assert!(done.body.contains("The device is connected"), "{line} {done:?}");
    assert!(child.wait().expect("an end").success());
    let (ended, status) = world.status();
    assert_eq!(ended.code, 0, "{}", ended.show());
    assert_eq!(status["signIn"]["scopes"], json!(["skill:read"]));
}

#[cfg(unix)]
#[test]
fn the_browser_of_the_user_opens() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new();
    let (script, opened) = (world.home.path().join("browser"), world.home.path().join("opened"));
    let text =
        format!("#!/bin/sh\nprintf %s \"$1\" > {0}.part && mv {0}.part {0}\n", opened.display());
    fs::write(&script, text).expect("a file");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o700)).expect("a file");
    let login = world.dibber(&["login"]).env("BROWSER", script.to_str().expect("a path"));
    let login = Login::start(login);
    let waited = std::time::Instant::now();
    while !opened.exists() {
        assert!(waited.elapsed().as_secs() < 60, "no browser opens");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert_eq!(fs::read_to_string(opened).expect("a file"), login.page);
    let mut browser = world.browser.clone();
    let answer = allow(&mut browser, &login.page, &["skill:read"]);
    assert!(parameter(&answer, "code").is_some());
    Login::lead_browser_to(&location(&answer));
    assert_eq!(login.end().code, 0);
}

#[cfg(unix)]
#[test]
fn an_address_is_pasted() {
    use crate::support::terminal::Terminal;
    let mut world = World::new();
    let url = world.url();
    let arguments = ["login", "--no-browser", "--server", &url];
    let mut terminal = Terminal::start(world.home.path(), &world.home, &arguments);
    terminal.wait_for("open this page in a browser:");
    let before = terminal.wait_for_line("http://");
    let answer = allow(&mut world.browser, &format!("http://{before}"), &["skill:read"]);
    terminal.answer("paste that here:", "http://127.0.0.1/callback?code=a&state=b");
    terminal.answer("another one", &location(&answer));
    let (shown, code) = terminal.end();
    assert!(code == 0 && shown.contains("signed in to"), "{shown}");
    assert_eq!(world.status().0.code, 0);
}

/// The metadata of a server that is its own authorization server, as JSON, or what is sent instead.
fn describe(request: &Request, change: &dyn Fn(&str, &mut Value)) -> Option<Reply> {
    let host = format!("http://{}", request.header("host")?);
    let path = request.line.split(' ').nth(1)?.to_owned();
    let mut body = match path.as_str() {
        "/mcp" => {
            let challenge = format!(
                "Bearer resource_metadata=\"{host}/.well-known/oauth-protected-resource/mcp\""
            );
            return Some(Reply::json(401, "{}").header("WWW-Authenticate", &challenge));
        }
        "/.well-known/oauth-protected-resource/mcp" => {
            json!({"resource": format!("{host}/mcp"), "authorization_servers": [host]})
        }
        "/.well-known/openid-configuration" => json!({
            "issuer": host,
            "authorization_endpoint": format!("{host}/authorize"),
            "token_endpoint": format!("{host}/token"),
            "registration_endpoint": format!("{host}/register"),
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic"],
        }),
        "/register" => json!({"client_id": "c", "client_secret": "s",
            "token_endpoint_auth_method": "client_secret_basic"}),
        "/token" => json!({"access_token": "t", "token_type": "bearer"}),
        _ => return Some(Reply::json(404, "{}")),
    };
    change(&path, &mut body);
    let status = if body.get("error").is_some() { 400 } else { 200 };
    Some(Reply::json(status, body.to_string()))
}

fn login_at(fake: &Fake, home: &Tree) -> Dibber {
    Dibber::new(["login", "--no-browser", "--server", &fake.url()])
        .data(home.path())
        .in_directory(home.path())
}

#[test]
fn metadata_that_is_wrong_is_not_followed() {
    let refused = |path: &'static str, field: &'static str, value: Value, expected: &str| {
        let fake = Fake::new(move |request| {
            describe(request, &|of, body| {
                if of.starts_with(path) {
                    body[field] = value.clone();
                }
            })
        });
        let ended = login_at(&fake, &Tree::new()).run_bounded();
        assert_eq!(ended.code, if field == "error" { 4 } else { 6 }, "{}", ended.show());
        assert!(ended.stderr.contains(expected), "{expected}: {}", ended.show());
    };
    let resource = "/.well-known/oauth-protected-resource";
    let server = "/.well-known/openid";
    refused(resource, "resource", json!("https://example.org/mcp"), "another resource");
    refused(resource, "authorization_servers", json!([]), "does not say where to sign in");
    refused(resource, "authorization_servers", json!(["http://example.org"]), "without encryption");
    refused(server, "issuer", json!("https://example.org"), "another issuer");
    refused(server, "code_challenge_methods_supported", json!(["plain"]), "S256");
    refused(server, "token_endpoint", json!("http://example.org/token"), "without encryption");
    refused(server, "token_endpoint", json!(null), "no `token_endpoint`");
    refused(server, "registration_endpoint", json!(null), "no way for programs to register");
    refused("/register", "client_id", json!(""), "no id");
    refused("/register", "error", json!("invalid_client_metadata"), "invalid_client_metadata");
}

#[test]
fn a_server_of_openid_gives_programs_secrets() {
    let fake = Fake::new(|request| describe(request, &|_, _| {}));
    let home = Tree::new();
    let login = Login::start(login_at(&fake, &home));
    let page = login.page.replace("%3A", ":").replace("%2F", "/");
    let query = |name: &str| {
        let rest = page.split_once(&format!("{name}=")).expect("a parameter").1;
        rest.split('&').next().expect("a value").to_owned()
    };
    let back = format!("{}?code=x&state={}", query("redirect_uri"), query("state"));
    assert_eq!(Login::lead_browser_to(&back).status, 200);
    let ended = login.end();
    assert_eq!(ended.code, 0, "{}", ended.show());
    assert!(ended.stderr.contains("no way to renew"), "{}", ended.show());
    let seen = fake.seen();
    let asked = seen.iter().find(|request| request.line.contains("/token")).expect("a request");
    // The id `c` and the secret `s`.
    assert_eq!(asked.header("authorization"), Some("basic yzpz"));
}
