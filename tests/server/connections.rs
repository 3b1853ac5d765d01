//! Many connections to a server over HTTP: who is answered, and who makes room.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use dibber_server::http::{Hosts, Limits};
use dibber_server::store::FamilyId;
use dibber_skill::contract::{Scope, WireEnum};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::time::timeout;

use crate::support::command::Dibber;
use crate::support::stores::issue_token;
use crate::support::wire::{HOME, TestServer};

/// How long a test waits for what never comes when it fails.
const PATIENCE: Duration = Duration::from_mins(1);
/// As good as no limit.
const FOREVER: Duration = Duration::from_hours(1);
/// A page that needs no token, and is larger than its request.
const GUIDE: &str = "GET /guides/skill/authoring-guide.md HTTP/1.1\r\nHost: localhost\r\n\r\n";
const CALL: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"mcp_health","arguments":{}}}"#;

/// A server over HTTP, and the tokens of a parent.
struct Served {
    address: SocketAddr,
    token: String,
    other_token: String,
    _house: TestServer,
}

/// Limits of so many connections with a token and without, and none of time.
fn limits(authenticated_max: usize, unauthenticated_max: usize) -> Limits {
    Limits { authenticated_max, unauthenticated_max, head_time: FOREVER, write_time: FOREVER }
}

impl Served {
    async fn new(limits: Limits) -> Self {
        let test_server = TestServer::new();
        let family = FamilyId::from(HOME.to_owned());
        let parent = format!("us_{HOME}").into();
        let issue = || issue_token(&test_server.server, &family, &parent, &Scope::all());
        let (token, other_token) = (issue().expect("a token"), issue().expect("a token"));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let server = test_server.server.clone();
        tokio::spawn(async move {
            server.listen(listener, Hosts::new("127.0.0.1"), limits, std::future::pending()).await;
        });
        Self { address, token, other_token, _house: test_server }
    }

    /// The head of a call, with further header lines.
    fn head(&self, headers: &str) -> String {
        format!(
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\
             Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
             Content-Length: {}\r\n{headers}\r\n",
            self.token,
            CALL.len()
        )
    }

    /// Connects with a token, and sends a call without its body, so that the request is in progress.
    async fn waiting(&self) -> TcpStream {
        let mut stream = self.connect().await;
        let head = self.head("Expect: 100-continue\r\n");
        stream.write_all(head.as_bytes()).await.expect("it reads");
        // The server waits for the body now.
        assert!(answer(&mut stream).await.starts_with("HTTP/1.1 100 "));
        stream
    }

    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.expect("it listens")
    }

    /// Connects from an address of this machine, with a receive buffer that is soon full.
    async fn connect_from(&self, address: &str) -> TcpStream {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_recv_buffer_size(4096).expect("a small buffer");
        socket.bind(format!("{address}:0").parse().expect("an address")).expect("an address");
        socket.connect(self.address).await.expect("it listens")
    }

    /// Connects, asks for a page many times and never reads one.
    async fn stalled(&self) -> TcpStream {
        let stream = self.connect_from("127.0.0.1").await;
        stream.writable().await.expect("it is open");
        stream.try_write(GUIDE.repeat(1_500).as_bytes()).expect("it reads");
        stream
    }

    /// Calls a tool on a connection; gives the head of the answer.
    async fn call_on(&self, stream: &mut TcpStream) -> String {
        let request = format!("{}{CALL}", self.head(""));
        stream.write_all(request.as_bytes()).await.expect("it reads");
        answer(stream).await
    }

    /// Calls a tool on a connection with the other token; gives the head of the answer.
    async fn call_with_other_token(&self, stream: &mut TcpStream) -> String {
        let head = self.head("").replace(&self.token, &self.other_token);
        stream.write_all(format!("{head}{CALL}").as_bytes()).await.expect("it reads");
        answer(stream).await
    }

    /// Calls a tool on a new connection.
    async fn call(&self) -> String {
        self.call_on(&mut self.connect().await).await
    }
}

/// Reads an answer; gives its head.
async fn answer(stream: &mut TcpStream) -> String {
    let read = async {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            head.push(char::from(stream.read_u8().await.unwrap_or_else(|error| {
                panic!("the connection ended after {head:?}: {error}");
            })));
        }
        let lines = head.to_lowercase();
        let length = lines.lines().find_map(|line| line.strip_prefix("content-length: "));
        let mut body = vec![0; length.map_or(0, |length| length.parse().expect("a length"))];
        stream.read_exact(&mut body).await.expect("a body");
        head
    };
    timeout(PATIENCE, read).await.expect("an answer")
}

/// Waits until the server has closed a connection on which nothing was asked.
async fn closed(stream: &mut TcpStream) {
    let read = timeout(PATIENCE, stream.read_u8()).await.expect("an end");
    let error = read.expect_err("nothing is answered");
    let is_end =
        matches!(error.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset);
    assert!(is_end, "{error}");
}

fn assert_ok(head: &str) {
    assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
}

#[tokio::test]
async fn connections_that_never_read_do_not_delay_others() {
    let served = Served::new(limits(2, 4)).await;
    let mut stalled = Vec::new();
    for _ in 0..9 {
        stalled.push(served.stalled().await);
    }
    assert_ok(&served.call().await);
    // A connection that has shown a token stays, however many come after it.
    let mut ours = served.connect().await;
    assert_ok(&served.call_on(&mut ours).await);
    for _ in 0..9 {
        stalled.push(served.stalled().await);
        assert_ok(&served.call_on(&mut ours).await);
    }
}

#[tokio::test]
async fn idle_connections_do_not_delay_others() {
    let served = Served::new(limits(2, 4)).await;
    let mut silent = Vec::new();
    for head in ["", "POST /mcp HTTP/1.1\r\nHost: local"] {
        for _ in 0..5 {
            let mut stream = served.connect().await;
            stream.write_all(head.as_bytes()).await.expect("it reads");
            silent.push(stream);
        }
        assert_ok(&served.call().await);
    }
    closed(&mut silent[0]).await;
}

/// All of these are accepted one right after the other, since they wait to be.
#[tokio::test]
async fn a_call_in_a_flood_of_new_connections_is_answered() {
    let served = Served::new(limits(2, 4)).await;
    let mut flood = Vec::new();
    let connect = async |flood: &mut Vec<TcpStream>| {
        for _ in 0..40 {
            flood.push(served.connect().await);
        }
    };
    for _ in 0..5 {
        connect(&mut flood).await;
        let mut ours = served.connect().await;
        let request = format!("{}{CALL}", served.head(""));
        ours.write_all(request.as_bytes()).await.expect("it reads");
        connect(&mut flood).await;
        assert_ok(&answer(&mut ours).await);
    }
}

#[tokio::test]
async fn an_idle_connection_makes_room_for_another_with_a_token() {
    let served = Served::new(limits(2, 4)).await;
    let (mut first, mut second) = (served.connect().await, served.connect().await);
    assert_ok(&served.call_on(&mut second).await);
    assert_ok(&served.call_on(&mut first).await);
    assert_ok(&served.call_on(&mut second).await);
    assert_ok(&served.call().await);
    closed(&mut first).await;
    assert_ok(&served.call_on(&mut second).await);
}

#[tokio::test]
async fn a_request_that_is_being_answered_is_not_cut_off() {
    let served = Served::new(limits(1, 4)).await;
    let mut ours = served.waiting().await;
    let refused = served.call().await;
    assert!(refused.starts_with("HTTP/1.1 503 "), "{refused}");
    assert!(refused.to_lowercase().contains("retry-after: 1\r\n"), "{refused}");
    ours.write_all(CALL.as_bytes()).await.expect("it reads");
    assert_ok(&answer(&mut ours).await);
    assert_ok(&served.call().await);
    closed(&mut ours).await;
}

#[tokio::test]
async fn a_token_with_many_connections_in_use_makes_room_for_another_token() {
    let served = Served::new(limits(3, 4)).await;
    let mut first = served.waiting().await;
    let (mut second, mut third) = (served.waiting().await, served.waiting().await);
    let mut other = served.connect().await;
    assert_ok(&served.call_with_other_token(&mut other).await);
    closed(&mut first).await;
    for ours in [&mut second, &mut third] {
        ours.write_all(CALL.as_bytes()).await.expect("it reads");
        assert_ok(&answer(ours).await);
    }
}

#[tokio::test]
async fn a_token_with_few_connections_keeps_them() {
    let served = Served::new(limits(3, 4)).await;
    let mut other = served.connect().await;
    assert_ok(&served.call_with_other_token(&mut other).await);
    let _in_use = (served.waiting().await, served.waiting().await);
    let refused = served.call().await;
    assert!(refused.starts_with("HTTP/1.1 503 "), "{refused}");
    assert_ok(&served.call_with_other_token(&mut other).await);
}

#[tokio::test]
async fn an_answer_that_is_not_read_ends_its_connection() {
    let limits = Limits { write_time: Duration::from_millis(20), ..limits(2, 4) };
    let served = Served::new(limits).await;
    // With a token, for which no connection makes room.
    let mut ours = served.connect_from("127.0.0.1").await;
    assert_ok(&served.call_on(&mut ours).await);
    let ask = async { while ours.write_all(GUIDE.as_bytes()).await.is_ok() {} };
    timeout(PATIENCE, ask).await.expect("the connection ends");
    assert_ok(&served.call().await);
}

/// An answer larger than every buffer arrives whole, in however small pieces it is read.
#[tokio::test]
async fn an_answer_that_is_read_slowly_arrives() {
    let limits = Limits { write_time: Duration::from_secs(30), ..limits(2, 4) };
    let served = Served::new(limits).await;
    let mut ours = served.connect_from("127.0.0.1").await;
    let asked = 100;
    ours.write_all(GUIDE.repeat(asked).as_bytes()).await.expect("it reads");
    for _ in 0..asked {
        assert_ok(&answer(&mut ours).await);
    }
    assert_ok(&served.call_on(&mut ours).await);
}

#[test]
fn the_help_names_the_limits() {
    let Limits { authenticated_max, unauthenticated_max, write_time, .. } = Limits::default();
    let help = Dibber::new(["serve", "--help"]).run().stdout;
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for limit in [
        format!("{authenticated_max} connections that have sent a token"),
        format!("{unauthenticated_max} others"),
        format!("{} seconds", write_time.as_secs()),
    ] {
        assert!(help.contains(&limit), "{limit} in {help}");
    }
}

/// However few files a server may open, some are left for its database and its programs.
#[test]
fn connections_leave_files_for_everything_else() {
    for (files, authenticated, unauthenticated) in
        [(64, 12, 4), (256, 96, 32), (1024, 672, 224), (8192, 2048, 256), (1 << 20, 2048, 256)]
    {
        let Limits { authenticated_max, unauthenticated_max, .. } =
            Limits::for_open_files(files, 0);
        let limits = (authenticated_max, unauthenticated_max);
        assert_eq!(limits, (authenticated, unauthenticated), "{files} files");
    }
    let with_runs = Limits::for_open_files(1024, 8);
    assert_eq!((with_runs.authenticated_max, with_runs.unauthenticated_max), (618, 206));
}

/// Other addresses of the machine itself can be had on Linux alone.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_peer_with_few_connections_keeps_them() {
    let served = Served::new(limits(2, 4)).await;
    let mut other = served.connect_from("127.0.0.2").await;
    let mut crowd = Vec::new();
    for _ in 0..9 {
        crowd.push(served.connect_from("127.0.0.1").await);
    }
    closed(&mut crowd[0]).await;
    assert_ok(&served.call_on(&mut other).await);
}
