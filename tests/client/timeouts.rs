//! `--timeout` is the whole time that is waited for an answer, and a connection that was never
//! made leaves no outcome unknown.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::net::TcpSocket;
use tokio::runtime::Runtime;

use crate::support::command::{Dibber, Ended};
use crate::support::fake_server::{Fake, Reply};
use crate::support::package;

/// Commands that connect first, and of which nothing was sent when that fails.
fn commands() -> Vec<Vec<String>> {
    let example = package().join("examples/bedtime-story").to_string_lossy().into_owned();
    let commands: [&[&str]; 8] = [
        &["status"],
        &["tools"],
        &["call", "send_email"],
        &["skill", "list"],
        &["invoke", "sk_x"],
        &["heartbeat", "list"],
        &["skill", "update", "sk_x", "--name", "y", "--yes"],
        &["push", "--yes", &example],
    ];
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    commands.into_iter().map(owned).collect()
}

fn run(address: SocketAddr, seconds: &str, arguments: &[String]) -> Ended {
    let url = format!("http://{address}/mcp");
    Dibber::new(arguments)
        .env("COLUMNS", "80")
        .arguments(&["--server", &url, "--timeout", seconds])
        .run_bounded()
}

/// Runs every command, all at the same time.
fn all_fail_to_connect(address: SocketAddr) {
    let runs: Vec<_> = commands()
        .into_iter()
        .map(|arguments| std::thread::spawn(move || (run(address, "1", &arguments), arguments)))
        .collect();
    for finished in runs {
        let (ended, arguments) = finished.join().expect("no panic");
        let shown = ended.show();
        assert_eq!(ended.code, 6, "{arguments:?}: {shown}");
        let error = "the server cannot be reached: no answer within 1 second";
        assert!(ended.stderr.contains(error), "{arguments:?}: {shown}");
        assert!(!shown.contains("unknown"), "{arguments:?}: {shown}");
    }
}

#[test]
fn a_server_that_accepts_and_is_silent() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        let mut open = Vec::new();
        for stream in listener.incoming().map_while(Result::ok) {
            open.push(stream);
        }
    });
    all_fail_to_connect(address);
}

#[test]
fn a_server_whose_backlog_is_full() {
    let runtime = Runtime::new().expect("a runtime");
    let _entered = runtime.enter();
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind("127.0.0.1:0".parse().expect("an address")).expect("a port");
    let listener = socket.listen(1).expect("a listener");
    let address = listener.local_addr().expect("an address");
    // The places are taken by connections that are never accepted.
    let connect = |_| TcpStream::connect_timeout(&address, Duration::from_millis(100));
    let taken: Vec<_> = (0..4).map(connect).collect();
    all_fail_to_connect(address);
    drop((taken, listener));
}

/// A complete id, which is not looked up.
const ID: &str = "sk_00000000000000000000000000000000";

#[test]
fn a_server_that_is_silent_after_the_handshake() {
    let tool = |name: &str, annotations: Value| json!({"name": name, "inputSchema": {"type": "object"}, "annotations": annotations});
    let tools = json!([
        tool("look", json!({"readOnlyHint": true})),
        tool("send", json!({})),
        tool("skill_list", json!({})),
        tool("skill_get", json!({})),
        tool("skill_update", json!({})),
    ]);
    let skill = json!({"skillId": ID, "name": "x", "description": "x",
        "category": "generic", "prompt": "x", "archived": false});
    let found = json!({"skill": skill, "canvases": []});
    let found = json!({"resultType": "complete", "content": [], "structuredContent": found});
    let server = Fake::new(move |request| {
        let is_write = request.message["params"]["name"] != "skill_get";
        let is_silent = request.method() == "tools/call" && is_write;
        (!is_silent).then(|| request.usual_with_keys(&tools, &found))
    });
    // Longer than the handshake and the reading before a write take on a busy machine.
    let run = &|arguments: &[&str]| {
        let arguments: Vec<String> = arguments.iter().map(|word| (*word).to_owned()).collect();
        run(server.address, "5", &arguments)
    };
    let none = "the server was reached, but gave no answer within 5 seconds";
    let unknown = "the outcome of the call is unknown: no answer within 5 seconds";
    let resume = "run the same command again";
    let cases = [
        (&["call", "look"][..], 6, none),
        (&["skill", "list"], 6, none),
        (&["call", "send"], 7, unknown),
        (&["skill", "update", ID, "--name", "y", "--yes"], 7, unknown),
    ];
    std::thread::scope(|scope| {
        for (arguments, code, error) in cases {
            scope.spawn(move || {
                let ended = run(arguments);
                assert_eq!(ended.code, code, "{arguments:?}: {}", ended.show());
                assert!(ended.stderr.contains(error), "{arguments:?}: {}", ended.show());
                let is_resumable = ended.stderr.contains(resume);
                assert_eq!(is_resumable, code == 7, "{arguments:?}: {}", ended.show());
            });
        }
    });
    let calls = server.calls().len();
    assert_eq!(calls, 6, "four that are silent, each sent once, and `skill_get` twice");
}

#[test]
fn a_server_that_is_always_busy() {
    // All attempts and the waits between them share the seconds of the timeout.
    let server = Fake::new(|_| Some(Reply::json(503, "")));
    let ended = run(server.address, "3", &["tools".to_owned()]);
    assert_eq!(ended.code, 6, "{}", ended.show());
    let error = "the server cannot be reached: it answered HTTP 503 (tried ";
    assert!(ended.stderr.contains(error), "{}", ended.show());
}

#[test]
fn a_wait_that_is_longer_than_the_timeout_is_not_begun() {
    let server = Fake::new(|_| Some(Reply::json(429, "").header("Retry-After", "20")));
    let ended = run(server.address, "5", &["tools".to_owned()]);
    assert_eq!(ended.code, 6, "{}", ended.show());
    let error = "it answered HTTP 429 (it asks to wait for 20 seconds)";
    assert!(ended.stderr.contains(error), "{}", ended.show());
    assert_eq!(server.seen().len(), 1);
}
