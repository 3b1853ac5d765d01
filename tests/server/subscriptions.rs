//! Subscriptions: a client that watches resources is notified of their changes, in every revision
//! of MCP, over pipes and over HTTP.

use std::net::SocketAddr;
use std::time::Duration;

use dibber_server::http::{Hosts, Limits};
use dibber_server::store::FamilyId;
use dibber_skill::contract::{Scope, WireEnum};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::support::server_process::MODERN;
use crate::support::stores::issue_token;
use crate::support::wire::{CANVAS, HOME, RawConnection, TestServer, ok, outline, refused, sample};
use crate::support::wire_calls::seed_family;

/// How long a test waits for what never comes when it fails.
pub(super) const PATIENCE: Duration = Duration::from_mins(2);

pub(super) const ACTIVITY: &str = "sprout://family/activity";
const DAY_SECONDS: i64 = 24 * 60 * 60;
const UPDATED: &str = "notifications/resources/updated";

/// Changes the activity of the family, or a skill.
pub(super) fn change(test_server: &TestServer, uri: &str) {
    let skill = uri.strip_prefix("sprout://skill/").map(str::to_owned);
    test_server.change(move |store| {
        let family = FamilyId::from(HOME.to_owned());
        if let Some(id) = skill {
            let skill = store.skill(&family, &id.as_str().into()).expect("one").expect("one");
            return store.put_skill(&family, &skill).expect("a change");
        }
        let event = dibber_server::store::Event {
            kind: dibber_skill::contract::ActivityType::SkillInvoked,
            actor: None,
            refs: dibber_skill::contract::ActivityRefs::default(),
            payload: serde_json::Map::new(),
            at: 0,
        };
        store.add_event(&family, &event, 100).expect("an event");
    });
}

/// Waits for the next message on a pipe, which has to be news about a resource; returns its URI.
pub(super) async fn news(pipe: &mut RawConnection) -> String {
    let message = timeout(PATIENCE, pipe.message()).await.expect("a message");
    assert_eq!(message["method"], UPDATED, "{message}");
    message["params"]["uri"].as_str().expect("a URI").to_owned()
}

#[tokio::test]
async fn a_subscriber_on_a_pipe_is_told_until_it_unsubscribes() {
    let test_server = TestServer::new();
    test_server.add_skill(HOME, "sk_1", sample());
    let skill = "sprout://skill/sk_1";
    let mut pipe = test_server.connect(HOME).await;
    let hello = pipe.ask(
        "initialize",
        json!({"protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "again", "version": "1"}}),
    );
    let capabilities = hello.await["result"]["capabilities"].clone();
    assert_eq!(capabilities["resources"]["subscribe"], true, "{capabilities}");
    for uri in [ACTIVITY, skill, skill] {
        let answer = pipe.ask("resources/subscribe", json!({"uri": uri})).await;
        assert_eq!(answer["result"], json!({}), "{answer}");
    }
    change(&test_server, ACTIVITY);
    assert_eq!(news(&mut pipe).await, ACTIVITY);
    change(&test_server, skill);
    assert_eq!(news(&mut pipe).await, skill);
    pipe.ask("resources/unsubscribe", json!({"uri": skill})).await;
    change(&test_server, skill);
    change(&test_server, ACTIVITY);
    assert_eq!(news(&mut pipe).await, ACTIVITY);
    let missing = pipe.ask("resources/subscribe", json!({"uri": "sprout://skill/sk_2"})).await;
    assert_eq!(missing["error"]["code"], -32002);
    let listen = pipe.ask("subscriptions/listen", json!({"notifications": {}})).await;
    assert_eq!(listen["error"]["code"], -32601, "it is not of this revision: {listen}");
}

/// A refused call undoes what it decided, and the next call decides it again, with the same versions.
#[tokio::test]
async fn a_refused_call_is_no_news_and_hides_none() {
    let test_server = TestServer::new();
    let ids = seed_family(&test_server, HOME, "ours", CANVAS);
    let client = test_server.client(HOME);
    let uri = format!("sprout://heartbeat/{}", ids.heartbeat);
    let mut pipe = test_server.connect(HOME).await;
    pipe.ask("resources/subscribe", json!({"uri": uri})).await;
    test_server.move_clock(12 * DAY_SECONDS);
    let claim = json!({"action": "claim", "runId": "run_nobody"});
    refused(&client, "heartbeat_due", claim).await;
    let early = timeout(Duration::from_millis(300), pipe.message()).await;
    ok(&client, "heartbeat_due", json!({"action": "list"})).await;
    assert_eq!(news(&mut pipe).await, uri);
    assert!(early.is_err(), "{early:?}");
}

/// A client is notified of a new day, whatever else it is notified of at that time.
#[tokio::test]
async fn a_new_day_is_news() {
    let test_server = TestServer::new();
    let ids = seed_family(&test_server, HOME, "ours", CANVAS);
    let today = format!("sprout://child/{}/today", ids.child);
    let mut pipe = test_server.connect(HOME).await;
    for uri in [ACTIVITY, &today] {
        pipe.ask("resources/subscribe", json!({"uri": uri})).await;
    }
    for _ in 0..2 {
        change(&test_server, ACTIVITY);
        assert_eq!(news(&mut pipe).await, ACTIVITY);
        test_server.move_clock(DAY_SECONDS);
        change(&test_server, ACTIVITY);
        assert_eq!([news(&mut pipe).await, news(&mut pipe).await], [ACTIVITY, &today]);
    }
}

#[tokio::test]
async fn a_client_watches_a_limited_number_of_resources() {
    let test_server = TestServer::new();
    let mut pipe = test_server.connect(HOME).await;
    for number in 0..=64 {
        let id = format!("sk_{number}");
        test_server.add_skill(HOME, &id, sample());
        let uri = format!("sprout://skill/{id}");
        let answer = pipe.ask("resources/subscribe", json!({"uri": uri})).await;
        assert_eq!(answer.get("error").is_some(), number == 64, "{number}: {answer}");
    }
}

/// While a client does not read, many changes of a resource become one message, and none is missed.
#[tokio::test]
async fn a_client_that_is_slow_hears_of_many_changes_once() {
    let test_server = TestServer::new();
    let mut pipe = test_server.connect(HOME).await;
    pipe.ask("resources/subscribe", json!({"uri": ACTIVITY})).await;
    for _ in 0..3_000 {
        change(&test_server, ACTIVITY);
    }
    assert_eq!(news(&mut pipe).await, ACTIVITY);
    let mut count = 1;
    while timeout(Duration::from_secs(1), pipe.message()).await.is_ok() {
        count += 1;
    }
    assert!(count < 3_000, "{count}");
    change(&test_server, ACTIVITY);
    assert_eq!(news(&mut pipe).await, ACTIVITY);
}

/// A server over HTTP, with the token of a parent.
pub(super) struct Served {
    pub(super) test_server: TestServer,
    pub(super) address: SocketAddr,
    pub(super) token: String,
    stop: Option<oneshot::Sender<()>>,
    ended: tokio::task::JoinHandle<()>,
}

impl Served {
    pub(super) async fn new(limits: Limits) -> Self {
        let test_server = TestServer::new();
        let family = FamilyId::from(HOME.to_owned());
        let user = format!("us_{HOME}").into();
        let token = issue_token(&test_server.server, &family, &user, &Scope::all());
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (stop, stopped) = oneshot::channel();
        let server = test_server.server.clone();
        let ended = tokio::spawn(async move {
            let stop = async { drop(stopped.await) };
            server.listen(listener, Hosts::new("127.0.0.1"), limits, stop).await;
        });
        let token = token.expect("a token");
        Self { test_server, address, token, stop: Some(stop), ended }
    }

    /// Begins a session; returns its id.
    pub(super) async fn begin_session(&self) -> String {
        let client = json!({"name": "tests", "version": "1"});
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        let head = self.send("2025-11-25", "initialize", params).await.head().await;
        let id = head.lines().find_map(|line| line.strip_prefix("mcp-session-id: "));
        id.unwrap_or_else(|| panic!("{head}")).to_owned()
    }

    /// Opens the stream of a session.
    pub(super) async fn stream(&self, session: &str) -> Stream {
        self.send_without_body("GET", session).await
    }

    /// Sends a request about a session itself.
    pub(super) async fn send_without_body(&self, method: &str, session: &str) -> Stream {
        let mut stream = TcpStream::connect(self.address).await.expect("it listens");
        let request = format!(
            "{method} /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\
             Accept: text/event-stream\r\nMcp-Session-Id: {session}\r\n\r\n",
            self.token
        );
        stream.write_all(request.as_bytes()).await.expect("it reads");
        Stream { stream, read: String::new() }
    }

    /// Sends a request of a session.
    pub(super) async fn send_in(&self, session: &str, method: &str, uri: &str) -> Stream {
        let params = json!({"uri": uri, "session": session});
        self.send("2025-11-25", method, params).await
    }

    /// Sends a request on a connection of its own.
    pub(super) async fn send(&self, revision: &str, method: &str, mut params: Value) -> Stream {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_recv_buffer_size(4096).expect("a small buffer");
        let mut stream = socket.connect(self.address).await.expect("it listens");
        if revision == MODERN {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": MODERN,
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": {"name": "tests", "version": "1"},
            });
        }
        let name = params["uri"].as_str().or(params["name"].as_str());
        let name = name.unwrap_or_default().to_owned();
        let session = params["session"].as_str();
        let session = session.map(|id| format!("Mcp-Session-Id: {id}\r\n")).unwrap_or_default();
        let body = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
        let body = body.to_string();
        let request = format!(
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\
             Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
             MCP-Protocol-Version: {revision}\r\nMcp-Method: {method}\r\nMcp-Name: {name}\r\n{session}\
             Content-Length: {}\r\n\r\n{body}",
            self.token,
            body.len()
        );
        stream.write_all(request.as_bytes()).await.expect("it reads");
        Stream { stream, read: String::new() }
    }

    pub(super) async fn subscribe(&self, uri: &str) -> Stream {
        self.send("2025-11-25", "resources/subscribe", json!({"uri": uri})).await
    }

    pub(super) async fn listen(&self, uris: &[String]) -> Stream {
        let params = json!({"notifications": {"resourceSubscriptions": uris}});
        self.send(MODERN, "subscriptions/listen", params).await
    }

    /// Stops the server, and waits until it has ended.
    pub(super) async fn stop(mut self) {
        drop(self.stop.take());
        timeout(Duration::from_secs(5), self.ended).await.expect("it ends").expect("no panic");
    }
}

/// The answer to a request.
pub(super) struct Stream {
    stream: TcpStream,
    read: String,
}

impl Stream {
    /// Reads up to a string, and returns what comes before it; none if the stream ends first.
    pub(super) async fn read_to(&mut self, end: &str) -> Option<String> {
        loop {
            if let Some(at) = self.read.find(end) {
                let rest = self.read.split_off(at + end.len());
                let mut before = std::mem::replace(&mut self.read, rest);
                before.truncate(at);
                return Some(before);
            }
            let mut bytes = [0; 4096];
            let read = timeout(PATIENCE, self.stream.read(&mut bytes)).await.expect("more");
            match read {
                Ok(0) | Err(_) => return None,
                Ok(count) => self.read += std::str::from_utf8(&bytes[..count]).expect("UTF-8"),
            }
        }
    }

    pub(super) async fn head(&mut self) -> String {
        self.read_to("\r\n\r\n").await.expect("a head").to_lowercase()
    }

    /// Returns the next message of a stream; none if it ends.
    pub(super) async fn message(&mut self) -> Option<Value> {
        loop {
            let line = self.read_to("\n").await?;
            if let Some(json) = line.strip_prefix("data: ") {
                return Some(serde_json::from_str(json).expect("JSON"));
            }
        }
    }

    pub(super) async fn news(&mut self) -> String {
        let message = self.message().await.expect("a message");
        assert_eq!(message["method"], UPDATED, "{message}");
        message["params"]["uri"].as_str().expect("a URI").to_owned()
    }
}

#[tokio::test]
async fn the_answer_to_a_subscription_over_http_stays_open() {
    let served = Served::new(Limits::default()).await;
    let mut stream = served.subscribe(ACTIVITY).await;
    assert!(stream.head().await.contains("content-type: text/event-stream"));
    let answer = stream.message().await.expect("an answer");
    assert_eq!(answer, json!({"jsonrpc": "2.0", "id": 7, "result": {}}));
    for _ in 0..3 {
        change(&served.test_server, ACTIVITY);
        assert_eq!(stream.news().await, ACTIVITY);
    }
    let mut other = served.subscribe("sprout://family/inbox").await;
    assert!(other.message().await.is_some());
    let uri = json!({"uri": ACTIVITY});
    let mut ended = served.send("2025-11-25", "resources/unsubscribe", uri).await;
    assert!(ended.head().await.starts_with("http/1.1 200"));
    assert_eq!(stream.message().await, None, "it has ended");
    let mut missing = served.subscribe("sprout://skill/sk_nobody").await;
    assert!(missing.head().await.contains("content-type: application/json"));
    // The server does not wait for clients that listen.
    served.stop().await;
    assert_eq!(other.message().await, None);
}

/// A call that waits does not keep the server from stopping.
#[tokio::test]
async fn a_wait_ends_when_the_server_stops() {
    let served = Served::new(Limits::default()).await;
    let wait = |since: Value| {
        let resources = json!([{"uri": ACTIVITY, "sinceVersion": since}]);
        json!({"name": "resource_wait", "arguments": {"resources": resources}})
    };
    let mut waiting = served.send("2025-11-25", "tools/call", wait(json!("v0"))).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    served.stop().await;
    let head = waiting.head().await;
    assert!(head.starts_with("http/1.1 200"), "{head}");
    assert!(waiting.read_to("INTERNAL_ERROR").await.is_some());
    assert!(waiting.read_to("the server is stopping").await.is_some());
}

#[tokio::test]
async fn a_wait_says_nothing_to_a_token_that_was_revoked_meanwhile() {
    let served = Served::new(Limits::default()).await;
    let resources = json!([{"uri": ACTIVITY, "sinceVersion": "v0"}]);
    let arguments = json!({"resources": resources, "includeState": true});
    let wait = json!({"name": "resource_wait", "arguments": arguments});
    let mut waiting = served.send("2025-11-25", "tools/call", wait).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    let (family, user) = (FamilyId::from(HOME.to_owned()), format!("us_{HOME}").into());
    assert_eq!(served.test_server.server.revoke_tokens(&family, &user).expect("a change"), 1);
    change(&served.test_server, ACTIVITY);
    assert!(waiting.read_to("PERMISSION_DENIED").await.is_some());
    assert!(waiting.read_to("TOKEN_UNKNOWN").await.is_some());
}

#[tokio::test]
async fn a_client_that_listens_is_told_of_each_resource() {
    let served = Served::new(Limits::default()).await;
    served.test_server.add_skill(HOME, "sk_1", sample());
    let uris = [ACTIVITY, "sprout://skill/sk_1"].map(str::to_owned);
    let mut stream = served.listen(&uris).await;
    assert!(stream.head().await.contains("content-type: text/event-stream"));
    let first = stream.message().await.expect("a message");
    assert_eq!(first["method"], "notifications/subscriptions/acknowledged");
    let accepted = &first["params"]["notifications"]["resourceSubscriptions"];
    assert_eq!(accepted, &json!(uris));
    // At the beginning each of them may have changed.
    assert_eq!([stream.news().await, stream.news().await], uris);
    for uri in [&uris[1], &uris[0], &uris[1]] {
        change(&served.test_server, uri);
        let message = stream.message().await.expect("a message");
        assert_eq!(&message["params"]["uri"], uri);
        assert_eq!(message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 7);
    }
    let mut old = served.send(MODERN, "resources/subscribe", json!({"uri": ACTIVITY})).await;
    let head = old.head().await;
    assert!(head.starts_with("http/1.1 404"), "it is not of this revision: {head}");
    served.stop().await;
    // The last message says that it was ended in good order.
    assert_eq!(stream.message().await.expect("a result")["id"], 7);
    assert_eq!(stream.message().await, None);
}

/// Only what the token permits is acknowledged, and an error names the resource that it is about.
#[tokio::test]
async fn a_client_that_listens_learns_what_cannot_be_watched() {
    let mut served = Served::new(Limits::default()).await;
    served.test_server.add_skill(HOME, "sk_1", sample());
    let uris = ["sprout://what", ACTIVITY, "sprout://skill/sk_1"].map(str::to_owned);
    let mut missing =
        served.listen(&[&uris[1..], &["sprout://skill/sk_2".to_owned()]].concat()).await;
    missing.message().await.expect("an acknowledgment");
    let error = missing.message().await.expect("an error");
    assert_eq!(error["error"]["data"]["uri"], "sprout://skill/sk_2");
    assert_eq!(missing.message().await, None);
    let (family, user) = (FamilyId::from(HOME.to_owned()), format!("us_{HOME}").into());
    let reader = issue_token(&served.test_server.server, &family, &user, &[Scope::SkillRead]);
    served.token = reader.expect("a token");
    let mut stream = served.listen(&uris).await;
    let first = stream.message().await.expect("an acknowledgment");
    let accepted = &first["params"]["notifications"]["resourceSubscriptions"];
    assert_eq!(accepted, &json!(uris[2..]));
    assert_eq!(stream.news().await, uris[2]);
    served.stop().await;
}

/// A wait for what has changed already watches nothing, so that it is not refused when the clients of
/// the family watch as much as they may.
#[tokio::test]
async fn a_wait_that_ends_at_once_watches_nothing() {
    let served = Served::new(Limits::default()).await;
    let (mut uris, mut streams) = (Vec::new(), Vec::new());
    for number in 0..64 {
        let id = format!("sk_{number}");
        served.test_server.add_skill(HOME, &id, sample());
        uris.push(format!("sprout://skill/{id}"));
    }
    for _ in 0..64 {
        let mut stream = served.listen(&uris).await;
        stream.message().await.expect("an acknowledgment");
        stream.news().await;
        streams.push(stream);
    }
    let client = served.test_server.client(HOME);
    let first = ok(&client, "resource_wait", json!({"resources": [{"uri": ACTIVITY}]})).await;
    let resource = json!({"uri": ACTIVITY, "sinceVersion": first["resources"][0]["version"]});
    let error = refused(&client, "resource_wait", json!({"resources": [resource]})).await;
    let outline = outline(&error);
    assert_eq!(outline, "BAD_INPUT TOO_MANY_WATCHED /resources=TOO_MANY_WATCHED");
    served.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_does_not_read_is_disconnected() {
    let write_time = Duration::from_millis(300);
    let served = Served::new(Limits { write_time, ..Limits::default() }).await;
    let ids: Vec<_> = (0..64).map(|number| format!("sk_{number:0200}")).collect();
    for id in &ids {
        served.test_server.add_skill(HOME, id, sample());
    }
    let uris: Vec<_> = ids.iter().map(|id| format!("sprout://skill/{id}")).collect();
    let mut stream = served.listen(&uris).await;
    stream.message().await.expect("an acknowledgment");
    for _ in 0..600 {
        let ids = ids.clone();
        served.test_server.change(move |store| {
            let family = FamilyId::from(HOME.to_owned());
            for id in ids {
                let skill = store.skill(&family, &id.as_str().into()).expect("one").expect("one");
                store.put_skill(&family, &skill).expect("a change");
            }
        });
        tokio::time::sleep(Duration::from_millis(3)).await;
    }
    tokio::time::sleep(2 * write_time).await;
    let end = async { while stream.message().await.is_some() {} };
    timeout(PATIENCE, end).await.expect("an end");
}
