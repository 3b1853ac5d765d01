//! Signing in to `dibber serve`, and what agents get with OAuth: the flows, and attacks on them.

use serde_json::{Value, json};

use crate::support::browser::{Browser, field, form, parameter};
use crate::support::command::Dibber;
use crate::support::server_process::{Answer, Serving};

/// The verifier and the challenge of RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const BACK: &str = "http://127.0.0.1:49152/back";

/// A server, and a browser in which its owner has signed in.
struct World {
    serving: Serving,
    browser: Browser,
    client: String,
}

impl World {
    fn new() -> Self {
        let serving = Serving::start();
        let browser = signed_in(&serving);
        let client = register(&serving, "Garden Planner");
        Self { serving, browser, client }
    }

    fn url(&self) -> String {
        format!("http://{}", self.serving.address)
    }

    /// The path of a request for some scopes.
    fn request(&self, scope: &str) -> String {
        let resource = format!("{}/mcp", self.url());
        let query = form(&[
            ("response_type", "code"),
            ("client_id", &self.client),
            ("redirect_uri", BACK),
            ("scope", scope),
            ("state", "s1"),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
            ("resource", &resource),
        ]);
        format!("/oauth/authorize?{query}")
    }

    /// Allows a request with some of its scopes.
    fn allow(&mut self, asked: &str, allowed: &[&str]) -> Answer {
        let path = self.request(asked);
        let page = self.browser.get(&path);
        assert_eq!(page.status, 200, "{page:?}");
        let (token, request) = (field(&page, "form"), field(&page, "request"));
        let mut fields =
            vec![("form", token.as_str()), ("request", request.as_str()), ("decision", "allow")];
        fields.extend(allowed.iter().map(|scope| ("scope", *scope)));
        self.browser.submit("/oauth/authorize", &fields)
    }

    fn code(&mut self, scope: &str) -> String {
        let answer = self.allow(scope, &scope.split(' ').collect::<Vec<_>>());
        assert_eq!(answer.status, 303, "{answer:?}");
        parameter(&answer, "code").expect("a code")
    }

    fn token_request(&self, fields: &[(&str, &str)]) -> Answer {
        let client = ("client_id", self.client.as_str());
        let body = form(&[&[client], fields].concat());
        Browser::new(&self.serving.address).send("POST", "/oauth/token", &[], &body)
    }

    fn exchange(&self, code: &str) -> Answer {
        self.token_request(&[
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", BACK),
            ("code_verifier", VERIFIER),
        ])
    }

    fn renew(&self, token: &str) -> Answer {
        self.token_request(&[("grant_type", "refresh_token"), ("refresh_token", token)])
    }

    /// The status of a call with a token.
    fn call(&self, token: &str, tool: &str) -> Answer {
        call(&self.serving, token, tool)
    }

    fn grants(&self) -> Value {
        let data = self.serving.data.to_str().expect("a path");
        let listed = Dibber::new(["family", "grants", "--json", "--data", data]).run();
        serde_json::from_str(&listed.stdout).expect("JSON")
    }
}

fn call(serving: &Serving, token: &str, tool: &str) -> Answer {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": tool, "arguments": {}, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "tests", "version": "1"}}}})
    .to_string();
    let request = format!(
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
         MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: {tool}\r\n\
         Content-Length: {}\r\n\r\n{body}",
        serving.address,
        body.len()
    );
    serving.raw(request.as_bytes())
}

/// Returns the link that `dibber family invite` prints, as a path.
pub(super) fn invite(serving: &Serving, more: &[&str]) -> String {
    let data = serving.data.to_str().expect("a path");
    let url = format!("http://{}", serving.address);
    let invite = Dibber::new(["family", "invite", "--public-url", &url, "--data", data]);
    let invited = invite.arguments(more).run();
    assert_eq!(invited.code, 0, "{}", invited.show());
    invited.stdout.trim().strip_prefix(&url).expect("a link").to_owned()
}

pub(super) fn signed_in(serving: &Serving) -> Browser {
    let mut browser = Browser::new(&serving.address);
    let page = browser.get(&invite(serving, &[]));
    let answer = browser.submit("/sign-in", &[("link", &field(&page, "link"))]);
    assert_eq!(answer.status, 303, "{answer:?}");
    browser
}

fn register(serving: &Serving, name: &str) -> String {
    let body = json!({"client_name": name, "redirect_uris": ["http://127.0.0.1/back"],
        "grant_types": ["authorization_code", "refresh_token",
            "urn:ietf:params:oauth:grant-type:device_code"]});
    let answer =
        Browser::new(&serving.address).send("POST", "/oauth/register", &[], &body.to_string());
    assert_eq!(answer.status, 201, "{answer:?}");
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    answer.json()["client_id"].as_str().expect("an id").to_owned()
}

#[test]
fn a_client_finds_everything_from_a_refusal() {
    let world = World::new();
    let refused = world.call("wrong", "mcp_whoami");
    assert_eq!(refused.status, 401);
    let challenge = refused.header("www-authenticate").expect("a challenge");
    let (_, metadata) = challenge.split_once("resource_metadata=\"").expect("an address");
    let path =
        metadata.trim_end_matches('"').strip_prefix(&world.url()).expect("its own").to_owned();
    let mut browser = Browser::new(&world.serving.address);
    let resource = browser.get(&path).json();
    assert_eq!(resource["resource"], format!("{}/mcp", world.url()));
    assert_eq!(resource["authorization_servers"], json!([world.url()]));
    let server = browser.get("/.well-known/oauth-authorization-server").json();
    assert_eq!(server["issuer"], world.url());
    for endpoint in ["authorization_endpoint", "token_endpoint", "registration_endpoint"] {
        assert!(
            server[endpoint].as_str().is_some_and(|url| url.starts_with(&world.url())),
            "{server}"
        );
    }
    assert_eq!(browser.get("/.well-known/oauth-protected-resource/other").status, 404);
}

#[test]
fn a_person_allows_what_an_agent_asks_for() {
    let mut world = World::new();
    let code = world.code("skill:read heartbeat:read");
    let tokens = world.exchange(&code);
    assert_eq!((tokens.status, tokens.header("cache-control")), (200, Some("no-store")));
    let tokens = tokens.json();
    assert_eq!(tokens["scope"], "skill:read heartbeat:read");
    let token = tokens["access_token"].as_str().expect("a token");
    let called = world.call(token, "skill_list");
    assert!(called.status == 200 && !called.body.contains("PERMISSION_DENIED"), "{called:?}");
    // What was not allowed is refused, and the client learns what to ask for.
    let missing = world.call(token, "family_query_overview");
    assert_eq!(missing.status, 403, "{missing:?}");
    let challenge = missing.header("www-authenticate").expect("a challenge");
    let scopes = "error=\"insufficient_scope\", scope=\"family:read skill:read heartbeat:read\"";
    assert!(challenge.contains(scopes), "{challenge}");
    // A further request adds to the grant.
    let code = world.code("family:read");
    let wider = world.exchange(&code).json();
    assert_eq!(wider["scope"], "family:read skill:read heartbeat:read");
    let token = wider["access_token"].as_str().expect("a token");
    assert_eq!(world.call(token, "family_query_overview").status, 200);
    let grants = world.grants();
    assert_eq!(grants["items"].as_array().map(Vec::len), Some(1), "{grants}");
    assert_eq!(grants["items"][0]["client"], "Garden Planner");
}

#[test]
fn a_person_narrows_and_refuses() {
    let mut world = World::new();
    let answer = world.allow("skill:read skill:write", &["skill:read"]);
    let tokens = world.exchange(&parameter(&answer, "code").expect("a code")).json();
    assert_eq!(tokens["scope"], "skill:read");
    // Scopes that were not asked for are not granted.
    let answer = world.allow("skill:read", &["skill:read", "family:read"]);
    let tokens = world.exchange(&parameter(&answer, "code").expect("a code")).json();
    assert_eq!(tokens["scope"], "skill:read");
    let nothing = world.allow("skill:read", &[]);
    assert!(nothing.status == 200 && nothing.body.contains("Choose at least one"), "{nothing:?}");
    let page = world.browser.get(&world.request("skill:read"));
    let (token, request) = (field(&page, "form"), field(&page, "request"));
    let fields = [("form", token.as_str()), ("request", request.as_str()), ("decision", "refuse")];
    let refused = world.browser.submit("/oauth/authorize", &fields);
    assert_eq!(parameter(&refused, "error").as_deref(), Some("access_denied"));
    assert_eq!(parameter(&refused, "state").as_deref(), Some("s1"));
    assert_eq!(parameter(&refused, "iss"), Some(world.url()));
}

#[test]
fn a_code_works_once_and_for_its_own_request_alone() {
    let mut world = World::new();
    let wrong = |world: &mut World, change: (&str, &str)| {
        let code = world.code("skill:read");
        let mut fields = vec![
            ("grant_type", "authorization_code"),
            ("code", code.as_str()),
            ("redirect_uri", BACK),
            ("code_verifier", VERIFIER),
        ];
        fields.retain(|(name, _)| *name != change.0);
        fields.push(change);
        let refused = world.token_request(&fields);
        assert_eq!(
            (refused.status, &refused.json()["error"]),
            (400, &json!("invalid_grant")),
            "{change:?}"
        );
        // Nor does it work in the right way afterwards.
        assert_eq!(world.exchange(&code).status, 400);
    };
    wrong(&mut world, ("redirect_uri", "http://127.0.0.1:49153/back"));
    wrong(&mut world, ("code_verifier", &"a".repeat(43)));
    let other = register(&world.serving, "Other");
    let own = std::mem::replace(&mut world.client, other.clone());
    world.client = own;
    let code = world.code("skill:read");
    let own = std::mem::replace(&mut world.client, other);
    assert_eq!(world.exchange(&code).json()["error"], "invalid_grant");
    world.client = own;
    // A replay revokes what the first use has given.
    let code = world.code("skill:read");
    let tokens = world.exchange(&code).json();
    let token = tokens["access_token"].as_str().expect("a token");
    assert_eq!(world.call(token, "skill_list").status, 200);
    assert_eq!(world.exchange(&code).json()["error"], "invalid_grant");
    assert_eq!(world.call(token, "skill_list").status, 401);
    let refresh = tokens["refresh_token"].as_str().expect("a token");
    assert_eq!(world.renew(refresh).status, 400);
}

#[test]
fn a_token_that_gets_others_is_used_once() {
    let mut world = World::new();
    let code = world.code("skill:read skill:write");
    let first = world.exchange(&code).json();
    let refresh = |tokens: &Value| tokens["refresh_token"].as_str().expect("a token").to_owned();
    let second = world.renew(&refresh(&first)).json();
    let narrow = world.token_request(&[
        ("grant_type", "refresh_token"),
        ("refresh_token", &refresh(&second)),
        ("scope", "skill:read"),
    ]);
    let narrow = narrow.json();
    assert_eq!(narrow["scope"], "skill:read");
    let wide = world.token_request(&[
        ("grant_type", "refresh_token"),
        ("refresh_token", &refresh(&narrow)),
        ("scope", "family:read"),
    ]);
    assert_eq!(wide.json()["error"], "invalid_scope");
    let third = world.renew(&refresh(&narrow)).json();
    let token = third["access_token"].as_str().expect("a token");
    assert_eq!(world.call(token, "skill_list").status, 200);
    // Someone has an old one: everything ends.
    assert_eq!(world.renew(&refresh(&first)).json()["error"], "invalid_grant");
    assert_eq!(world.call(token, "skill_list").status, 401);
    assert_eq!(world.grants()["items"], json!([]));
}

#[test]
fn what_was_granted_is_narrowed_and_revoked() {
    let mut world = World::new();
    let code = world.code("skill:read skill:write");
    let tokens = world.exchange(&code).json();
    let token = tokens["access_token"].as_str().expect("a token");
    let page = world.browser.get("/agents");
    assert!(page.body.contains("Garden Planner"), "{page:?}");
    let (form_token, grant) = (field(&page, "form"), field(&page, "grant"));
    let fields = |action| {
        [
            ("form", form_token.as_str()),
            ("grant", grant.as_str()),
            ("scope", "skill:read"),
            ("action", action),
        ]
    };
    assert_eq!(world.browser.submit("/agents", &fields("keep")).status, 303);
    assert_eq!(world.call(token, "skill_list").status, 401);
    let refresh = tokens["refresh_token"].as_str().expect("a token");
    let narrow = world.renew(refresh).json();
    assert_eq!(narrow["scope"], "skill:read");
    let token = narrow["access_token"].as_str().expect("a token");
    assert_eq!(world.browser.submit("/agents", &fields("end")).status, 303);
    assert_eq!(world.call(token, "skill_list").status, 401);
    // In a terminal, and by the client itself.
    let code = world.code("skill:read skill:write");
    let tokens = world.exchange(&code).json();
    let data = world.serving.data.to_str().expect("a path").to_owned();
    let id = world.grants()["items"][0]["grantId"].as_str().expect("an id").to_owned();
    let narrowed = ["family", "grants", "--narrow", &id, "--scope", "skill:read", "--data", &data];
    assert_eq!(Dibber::new(narrowed).run().code, 0);
    let wider = ["family", "grants", "--narrow", &id, "--scope", "family:read", "--data", &data];
    assert_ne!(Dibber::new(wider).run().code, 0);
    let refresh = tokens["refresh_token"].as_str().expect("a token");
    let body = form(&[("token", refresh), ("client_id", &world.client)]);
    let revoked = Browser::new(&world.serving.address).send("POST", "/oauth/revoke", &[], &body);
    assert_eq!(revoked.status, 200);
    assert_eq!(world.renew(refresh).status, 400);
    assert_eq!(world.grants()["items"], json!([]));
}

#[test]
fn a_device_is_connected_with_a_code() {
    let mut world = World::new();
    let body = form(&[("client_id", &world.client), ("scope", "skill:read heartbeat:read")]);
    let start =
        || Browser::new(&world.serving.address).send("POST", "/oauth/device", &[], &body).json();
    let codes = start();
    let device = codes["device_code"].as_str().expect("a code").to_owned();
    let poll = |world: &World, device: &str| {
        let kind = "urn:ietf:params:oauth:grant-type:device_code";
        world.token_request(&[("grant_type", kind), ("device_code", device)])
    };
    assert_eq!(poll(&world, &device).json()["error"], "authorization_pending");
    assert_eq!(poll(&world, &device).json()["error"], "slow_down");
    let typed = codes["user_code"].as_str().expect("a code").to_lowercase();
    let page = world.browser.get("/device");
    let token = field(&page, "form");
    let wrong = world.browser.submit("/device", &[("form", &token), ("code", "BBBB-BBBB")]);
    assert!(wrong.body.contains("No device waits"), "{wrong:?}");
    let page = world.browser.submit("/device", &[("form", &token), ("code", &typed)]);
    assert!(page.body.contains("Garden Planner"), "{page:?}");
    let allow = [
        ("form", token.as_str()),
        ("code", &typed),
        ("scope", "skill:read"),
        ("decision", "allow"),
    ];
    let done = world.browser.submit("/device", &allow);
    assert!(done.body.contains("The device is connected"), "{done:?}");
    // The code does not work a second time.
    assert!(world.browser.submit("/device", &allow).body.contains("No device waits"));
    let tokens = poll(&world, &device).json();
    assert_eq!(tokens["scope"], "skill:read");
    assert_eq!(poll(&world, &device).json()["error"], "invalid_grant");
    let refused = start();
    let typed = refused["user_code"].as_str().expect("a code");
    let refuse = [("form", token.as_str()), ("code", typed), ("decision", "refuse")];
    world.browser.submit("/device", &refuse);
    let device = refused["device_code"].as_str().expect("a code");
    assert_eq!(poll(&world, device).json()["error"], "access_denied");
}

#[test]
fn a_link_signs_in_once() {
    let serving = Serving::start();
    let link = invite(&serving, &[]);
    let mut browser = Browser::new(&serving.address);
    // Programs that look at links for people follow them, too.
    for _ in 0..2 {
        assert_eq!(browser.get(&link).status, 200);
    }
    let page = browser.get(&link);
    let secret = field(&page, "link");
    let elsewhere = [("Origin", "https://evil.example"), ("Sec-Fetch-Site", "cross-site")];
    let forged = Browser::new(&serving.address).send(
        "POST",
        "/sign-in",
        &elsewhere,
        &form(&[("link", &secret)]),
    );
    assert_eq!(forged.status, 403, "{forged:?}");
    for (next, expected) in
        [("//evil.example/", "/"), ("/\\evil.example", "/"), ("https://evil.example/", "/")]
    {
        let page = browser.get(&invite(&serving, &[]));
        let fields = [("link", &*field(&page, "link")), ("next", next)];
        let answer = Browser::new(&serving.address).submit("/sign-in", &fields);
        assert_eq!(answer.header("location"), Some(expected), "{next}");
    }
    let answer = browser.submit("/sign-in", &[("link", &secret), ("next", "/device?code=A")]);
    assert_eq!(answer.header("location"), Some("/device?code=a"));
    let cookie = answer.header("set-cookie").expect("a cookie");
    assert!(cookie.contains("httponly; samesite=lax"), "{cookie}");
    let again = Browser::new(&serving.address).submit("/sign-in", &[("link", &secret)]);
    assert!(again.status == 400 && again.body.contains("cannot be used"), "{again:?}");
    assert_eq!(browser.get(&link).status, 400);
    // Signing out ends the session, also for a copy of its cookie.
    let mut copy = browser.clone();
    let page = browser.get("/agents");
    let left = browser.submit("/sign-out", &[("form", &field(&page, "form"))]);
    assert_eq!(left.header("location"), Some("/sign-out"));
    assert!(copy.get("/agents").body.contains("You need a link"), "{page:?}");
}

#[test]
fn no_other_site_acts_for_a_person() {
    let mut world = World::new();
    let page = world.browser.get(&world.request("skill:read"));
    let (token, request) = (field(&page, "form"), field(&page, "request"));
    let allow = |token: &str| {
        form(&[
            ("form", token),
            ("request", &request),
            ("scope", "skill:read"),
            ("decision", "allow"),
        ])
    };
    // Without the secret of the form, with that of another session, and from another site.
    let other = signed_in(&world.serving).get("/device");
    for wrong in ["", "x", &field(&other, "form")] {
        let answer = world.browser.send("POST", "/oauth/authorize", &[], &allow(wrong));
        assert!(answer.status == 400 && answer.body.contains("out of date"), "{answer:?}");
    }
    for headers in [
        &[("Origin", "https://evil.example")][..],
        &[("Origin", "null")],
        &[("Sec-Fetch-Site", "cross-site")],
    ] {
        let answer = world.browser.send("POST", "/oauth/authorize", headers, &allow(&token));
        assert!(matches!(answer.status, 400 | 403), "{headers:?}: {answer:?}");
    }
    assert_eq!(world.grants()["items"], json!([]));
    // No page can be put into a frame, or runs a script.
    for path in ["/", "/agents", "/device", "/sign-in", &world.request("skill:read")] {
        let page = world.browser.get(path);
        if page.status == 303 {
            continue;
        }
        let policy = page.header("content-security-policy").expect("a policy");
        assert!(
            policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"),
            "{policy}"
        );
        assert_eq!(page.header("x-frame-options"), Some("deny"));
        assert!(!page.body.contains("<script"), "{path}");
    }
}

#[test]
fn nothing_of_a_client_acts_on_a_page_or_leads_a_browser_away() {
    let mut world = World::new();
    world.client = register(&world.serving, "<script>alert(1)</script>\u{202e}\" onload=x");
    let page = world.browser.get(&world.request("skill:read"));
    assert!(
        page.status == 200 && !page.body.contains("<script>") && !page.body.contains('\u{202e}'),
        "{page:?}"
    );
    let path = world.request("skill:read");
    let encoded = "redirect_uri=http%3A%2F%2F127.0.0.1%3A49152%2Fback";
    assert!(path.contains(encoded), "{path}");
    for other in [
        "redirect_uri=https%3A%2F%2Fevil.example%2Fback",
        "redirect_uri=http%3A%2F%2F127.0.0.1%3A49152%2Fback%23x",
        "redirect_uri=http%3A%2F%2F127.0.0.1%40evil.example%2Fback",
        "redirect_uri=http%3A%2F%2Flocalhost%3A49152%2Fback",
        "redirect_uri=http%3A%2F%2F127.0.0.1.evil.example%2Fback",
        "x=1",
    ] {
        let answer = world.browser.get(&path.replace(encoded, other));
        assert_eq!((answer.status, answer.header("location")), (400, None), "{other}");
    }
    let weak = path.replace("code_challenge_method=S256", "code_challenge_method=plain");
    let answer = world.browser.get(&weak);
    assert_eq!(parameter(&answer, "error").as_deref(), Some("invalid_request"));
    let elsewhere = path.replace("%2Fmcp", ".evil.example%2Fmcp");
    assert_eq!(
        parameter(&world.browser.get(&elsewhere), "error").as_deref(),
        Some("invalid_target")
    );
    for id in ["client_00", "https%3A%2F%2F127.0.0.1%2Fclient", "https%3A%2F%2Flocalhost%2Fclient"]
    {
        let answer = world.browser.get(&path.replace(&world.client, id));
        assert_eq!((answer.status, answer.header("location")), (400, None), "{id}");
    }
}

#[test]
fn a_token_is_for_one_public_url() {
    let mut world = World::new();
    let code = world.code("skill:read");
    let tokens = world.exchange(&code).json();
    let token = tokens["access_token"].as_str().expect("a token");
    // The same data, served under another URL.
    let other = Serving::start_in(&world.serving.data);
    assert_ne!(other.address, world.serving.address);
    assert_eq!(call(&other, token, "skill_list").status, 401);
    assert_eq!(call(&other, &other.token(), "skill_list").status, 200);
    let refresh = tokens["refresh_token"].as_str().expect("a token");
    let body = form(&[
        ("client_id", &world.client),
        ("grant_type", "refresh_token"),
        ("refresh_token", refresh),
    ]);
    assert_eq!(Browser::new(&other.address).send("POST", "/oauth/token", &[], &body).status, 400);
    assert_eq!(world.call(token, "skill_list").status, 200);
}

#[test]
fn many_registrations_do_not_fill_the_server() {
    let serving = Serving::start();
    let body = json!({"redirect_uris": ["http://127.0.0.1/back"]}).to_string();
    let send =
        |body: &str| Browser::new(&serving.address).send("POST", "/oauth/register", &[], body);
    for _ in 0..1010 {
        assert_eq!(send(&body).status, 201);
    }
    let huge =
        json!({"redirect_uris": ["http://127.0.0.1/back"], "x": "y".repeat(20_000)}).to_string();
    assert_eq!(send(&huge).json()["error"], "invalid_client_metadata");
    // Those that were unused for the longest time are gone.
    let database = rusqlite::Connection::open(serving.data.join("dibber.db")).expect("a database");
    let count = database.query_row("SELECT COUNT(*) FROM clients", [], |row| row.get::<_, i64>(0));
    assert_eq!(count.expect("a number"), 1000);
}

#[test]
fn revoking_everything_of_a_person_ends_it_everywhere() {
    let mut world = World::new();
    let code = world.code("skill:read");
    let tokens = world.exchange(&code).json();
    let token = tokens["access_token"].as_str().expect("a token");
    let body = form(&[("client_id", &world.client), ("scope", "skill:read")]);
    let codes =
        Browser::new(&world.serving.address).send("POST", "/oauth/device", &[], &body).json();
    let form_token = field(&world.browser.get("/device"), "form");
    let typed = codes["user_code"].as_str().expect("a code");
    let allow =
        [("form", &*form_token), ("code", typed), ("scope", "skill:read"), ("decision", "allow")];
    world.browser.submit("/device", &allow);
    let unused = world.code("skill:read");
    let data = world.serving.data.to_str().expect("a path");
    assert_eq!(Dibber::new(["family", "token", "--revoke-all", "--data", data]).run().code, 0);
    assert_eq!(world.call(token, "skill_list").status, 401);
    assert_eq!(world.exchange(&unused).json()["error"], "invalid_grant");
    let kind = "urn:ietf:params:oauth:grant-type:device_code";
    let device = codes["device_code"].as_str().expect("a code");
    let polled = world.token_request(&[("grant_type", kind), ("device_code", device)]);
    assert_eq!(polled.json()["error"], "invalid_grant");
    assert!(world.browser.get("/agents").body.contains("You need a link"));
}

#[test]
fn what_is_allowed_no_more_is_lost_at_once() {
    let mut world = World::new();
    let code = world.code("skill:read skill:write");
    let first = world.exchange(&code).json();
    let token = first["access_token"].as_str().expect("a token");
    assert_eq!(world.call(token, "skill_list").status, 200);
    let answer = world.allow("skill:read skill:write", &["skill:read"]);
    let second = world.exchange(&parameter(&answer, "code").expect("a code")).json();
    assert_eq!(second["scope"], "skill:read");
    assert_eq!(world.call(token, "skill_list").status, 401);
}
