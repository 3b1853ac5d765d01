//! How soon 1,000 subscribers are notified of a change.
//!
//! A server over HTTP and its subscribers are in this process, on loopback, and each subscriber has a
//! connection of its own. The time is that from before a change is written until a subscriber has read
//! the notification about it, so it includes the commit. `cargo bench --bench watch` measures;
//! with `-- --test`, everything runs once in a small size. It needs two open files for each
//! subscriber: `ulimit -n 4096`.
#![expect(clippy::print_stdout, reason = "the figures are what it is for")]

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dibber_server::Server;
use dibber_server::families::TokenGrant;
use dibber_server::http::{Hosts, Limits};
use dibber_server::store::sqlite::SqliteStore;
use dibber_server::store::{Event, FamilyId, StoreExt, StoreResult};
use dibber_skill::contract::{ActivityRefs, ActivityType, Scope, WireEnum};
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

const RESOURCE: &str = "sprout://family/activity";

/// How often the resource changes. The subscribers are not slower than that.
const PAUSE: Duration = Duration::from_millis(200);

fn main() {
    let is_test = std::env::args().any(|argument| argument == "--test");
    let (subscribers, rounds) = if is_test { (10, 2) } else { (1000, 50) };
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let mut times = runtime.block_on(measure(subscribers, rounds));
    times.sort();
    let at = |share: usize| times[(times.len() - 1) * share / 1000].as_secs_f64() * 1e3;
    println!(
        "{subscribers} subscribers, {rounds} changes: p50 {:.1} ms, p99 {:.1} ms, maximum {:.1} ms",
        at(500),
        at(990),
        at(1000)
    );
}

/// Returns how long each notification took.
async fn measure(subscribers: usize, rounds: usize) -> Vec<Duration> {
    let directory = tempfile::tempdir().expect("a directory");
    let store = Arc::new(SqliteStore::open(&directory.path().join("dibber.db")).expect("a store"));
    let server = Server::new(store, Arc::new(Timestamp::now));
    let (family, token) = {
        let server = server.clone();
        tokio::task::spawn_blocking(move || family(&server)).await.expect("a family")
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let limits = Limits { authenticated_max: 4096, ..Limits::default() };
    let listening = server.clone();
    tokio::spawn(async move {
        listening.listen(listener, Hosts::new("127.0.0.1"), limits, std::future::pending()).await;
    });
    let (heard, mut hearing) = mpsc::unbounded_channel();
    for _ in 0..subscribers {
        subscribe(address, &token, heard.clone()).await;
    }
    let mut times = Vec::new();
    for _ in 0..rounds {
        let began = Instant::now();
        change(&server, family.clone()).await;
        for _ in 0..subscribers {
            let heard: Instant = hearing.recv().await.expect("a subscriber");
            times.push(heard - began);
        }
        tokio::time::sleep(PAUSE).await;
    }
    server.store().close();
    times
}

/// Creates a family with a token.
fn family(server: &Server) -> (FamilyId, String) {
    let family = server.home("UTC").expect("a family");
    let user_id = server.household(&family.id).expect("a family").users[0].id.clone();
    let grant = TokenGrant { user_id, scopes: Scope::all(), name: None, expires_at: None };
    let (send, token) = std::sync::mpsc::channel();
    let issued = server.issue_token(&family.id, grant, move |token| {
        send.send(token.to_owned()).map_err(std::io::Error::other)
    });
    assert!(issued.is_ok(), "a token");
    (family.id, token.recv().expect("a token"))
}

/// Records that something has happened.
async fn change(server: &Server, family: FamilyId) {
    let event = Event {
        kind: ActivityType::SkillInvoked,
        actor: None,
        refs: ActivityRefs::default(),
        payload: Map::new(),
        at: 0,
    };
    let written: StoreResult<()> =
        server.store().write(move |store| store.add_event(&family, &event, 10_000)).await;
    written.expect("a change");
}

/// Subscribes on a new connection; each notification is reported with the time at which it was read.
async fn subscribe(address: SocketAddr, token: &str, heard: mpsc::UnboundedSender<Instant>) {
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    let params = json!({"uri": RESOURCE});
    let body =
        json!({"jsonrpc": "2.0", "id": 1, "method": "resources/subscribe", "params": params});
    let body = body.to_string();
    let request = format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
         MCP-Protocol-Version: 2025-11-25\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.expect("it reads");
    let mut lines = BufReader::new(stream).lines();
    let answer = next(&mut lines).await;
    assert_eq!(answer["result"], json!({}), "{answer}");
    tokio::spawn(async move {
        loop {
            let news = next(&mut lines).await;
            let at = Instant::now();
            assert_eq!(news["params"]["uri"], RESOURCE, "{news}");
            if heard.send(at).is_err() {
                return;
            }
        }
    });
}

/// Returns the next message of a stream.
async fn next(lines: &mut tokio::io::Lines<BufReader<TcpStream>>) -> Value {
    loop {
        let line = lines.next_line().await.expect("a line").expect("a message");
        if let Some(json) = line.strip_prefix("data: ") {
            return serde_json::from_str(json).expect("JSON");
        }
    }
}
