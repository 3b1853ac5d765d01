//! How often a tool is executed when its answer does not come.

use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use dibber_client::{Client, ClientError, Endpoint, IdempotencyKey, Options, Retry, ToolInfo};
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use tokio::net::TcpSocket;
use tokio::runtime::Runtime;

use crate::support::fake_server::{Fake, Reply, Request};
use crate::support::wire::{HOME, TestServer};

/// How often a call is tried.
const ATTEMPTS: u32 = 3;

/// What a server declares about its tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tool {
    /// It is read-only.
    ReadOnly,
    /// It is idempotent.
    Idempotent,
    /// Nothing, as most servers do.
    Plain,
    /// Nothing, but the server declares that it honours keys.
    Declared,
    /// Nothing, but it has the name and the arguments of a tool of the contract.
    Contract,
}

const TOOLS: [Tool; 5] =
    [Tool::ReadOnly, Tool::Idempotent, Tool::Plain, Tool::Declared, Tool::Contract];

impl Tool {
    fn name(self) -> &'static str {
        if self == Self::Contract { "skill.post_result" } else { "send" }
    }

    fn listed(self) -> Value {
        let annotations = match self {
            Self::ReadOnly => json!({"readOnlyHint": true}),
            Self::Idempotent => json!({"idempotentHint": true}),
            _ => json!({}),
        };
        let properties = json!({"skillId": {"type": "string"}, "result": {"type": "object"}});
        json!([{
            "name": self.name(), "annotations": annotations,
            "inputSchema": {"type": "object", "properties": properties},
        }])
    }

    fn usual(self, request: &Request, result: &Value) -> Reply {
        if self == Self::Declared {
            request.usual_with_keys(&self.listed(), result)
        } else {
            request.usual(&self.listed(), result)
        }
    }
}

/// What becomes of the answer to each call; the tool was executed before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Silence,
    CutAnswer,
    CutStream,
    EmptyStream,
    Damaged,
    InternalError,
    RefusedInternally,
    Status(u16),
}

impl Fault {
    fn reply(self, request: &Request) -> Option<Reply> {
        let done = json!({"resultType": "complete", "content": []});
        Some(match self {
            Self::Silence => return None,
            Self::CutAnswer => request.result(&done).cut(10),
            Self::CutStream => Reply::cut_stream("event: message\ndata: {\"jsonrpc\": \"2.0\", "),
            Self::EmptyStream => Reply::cut_stream(": nothing yet\n\n"),
            Self::Damaged => Reply::json(200, "{{{{"),
            Self::InternalError => request.error(-32603, "boom"),
            Self::RefusedInternally => {
                let error = json!({"code": "INTERNAL_ERROR", "message": "boom", "fix": "again"});
                request.result(&json!({
                    "resultType": "complete", "content": [], "isError": true,
                    "structuredContent": {"error": error},
                }))
            }
            Self::Status(status) => Reply::json(status, ""),
        })
    }

    /// How the call ends, as the client reports it.
    fn ending(self, tool: Tool) -> &'static str {
        match self {
            Self::RefusedInternally => "refused",
            Self::Status(429) => "too many",
            Self::InternalError if tool == Tool::ReadOnly => "rejected",
            _ if tool == Tool::ReadOnly => "unreachable",
            _ => "unknown",
        }
    }

    fn executions(self, tool: Tool) -> usize {
        match (self, tool) {
            // One attempt may take the whole time, and an error that the server answers is final.
            (Self::Silence | Self::InternalError, _) | (_, Tool::Plain | Tool::Contract) => 1,
            _ => ATTEMPTS as usize,
        }
    }
}

const FAULTS: [Fault; 10] = [
    Fault::Silence,
    Fault::CutAnswer,
    Fault::CutStream,
    Fault::EmptyStream,
    Fault::Damaged,
    Fault::InternalError,
    Fault::RefusedInternally,
    Fault::Status(502),
    Fault::Status(408),
    Fault::Status(429),
];

fn ending(answer: &Result<Value, ClientError>) -> &'static str {
    match answer {
        Ok(_) => "done",
        Err(ClientError::OutcomeUnknown(_)) => "unknown",
        Err(
            ClientError::Unreachable(_) | ClientError::NoAnswer(_) | ClientError::AnswerLost(_),
        ) => "unreachable",
        Err(ClientError::TooManyRequests(_)) => "too many",
        Err(ClientError::Refused(_)) => "refused",
        Err(ClientError::Rejected(_)) => "rejected",
        Err(_) => "another",
    }
}

fn client(address: SocketAddr, timeout: Duration, attempts: u32) -> Client {
    let url = format!("http://{address}/mcp").parse().expect("an address");
    let wait = Duration::from_millis(2);
    let retry = Retry { attempts, first: wait, max: wait, ..Retry::default() };
    let options = Options { timeout, retry, ..Options::new(Timestamp::now) };
    Client::new(
        Endpoint::Http { url, token: None, sign_in: None, headers: Vec::new(), authority: None },
        options,
    )
}

/// Calls the tool as `dibber call` does: with a key if the server is known to honour it.
async fn call(client: &Client, tool: &ToolInfo) -> Result<Value, ClientError> {
    let key = tool.honours_keys().then(IdempotencyKey::new);
    client.call(&tool.name, Map::new(), key.as_ref()).await
}

#[test]
fn a_tool_with_side_effects_is_executed_once() {
    let runtime = Runtime::new().expect("a runtime");
    for tool in TOOLS {
        for fault in FAULTS {
            let server = Fake::new(move |request| match request.method() {
                "tools/call" => fault.reply(request),
                _ => Some(tool.usual(request, &json!({}))),
            });
            let silence = Duration::from_millis(500);
            let timeout = if fault == Fault::Silence { silence } else { Duration::from_mins(1) };
            let client = client(server.address, timeout, ATTEMPTS);
            runtime.block_on(async {
                // A busy machine may need more than one timeout to connect.
                let listed = loop {
                    if let Ok(tools) = client.tools().await {
                        break tools;
                    }
                };
                let answer = call(&client, &listed[0]).await;
                let case = format!("{tool:?}, {fault:?}: {answer:?}");
                assert_eq!(server.calls().len(), fault.executions(tool), "{case}");
                assert_eq!(ending(&answer), fault.ending(tool), "{case}");
            });
            let keys: Vec<_> = server
                .calls()
                .iter()
                .map(|call| call.header("idempotency-key").map(str::to_owned))
                .collect();
            let has_key = tool == Tool::Declared;
            assert!(keys.iter().all(|key| key.is_some() == has_key), "{tool:?}: {keys:?}");
            assert!(keys.iter().all(|key| *key == keys[0]), "{tool:?}: {keys:?}");
        }
    }
}

#[test]
fn a_refused_connection_is_tried_again_for_every_tool() {
    let runtime = Runtime::new().expect("a runtime");
    for tool in TOOLS {
        // A port that is taken, but does not listen yet, refuses connections.
        let port = TcpSocket::new_v4().expect("a socket");
        port.bind("127.0.0.1:0".parse().expect("an address")).expect("a port");
        let address = port.local_addr().expect("an address");
        let client = client(address, Duration::from_mins(1), u32::MAX);
        runtime.block_on(async {
            let called = client.call(tool.name(), Map::new(), None);
            let starting = async {
                tokio::time::sleep(Duration::from_millis(50)).await;
                let listener: TcpListener =
                    port.listen(16).expect("a listener").into_std().expect("a listener");
                listener.set_nonblocking(false).expect("a listener");
                let done = json!({"resultType": "complete", "content": []});
                Fake::on(listener, move |request| Some(tool.usual(request, &done)))
            };
            let (answer, server) = futures_util::join!(called, starting);
            assert_eq!(ending(&answer), "done", "{tool:?}: {answer:?}");
            assert_eq!(server.calls().len(), 1, "{tool:?}");
        });
    }
}

#[test]
fn a_session_that_ended_is_renewed_where_the_call_can_be_repeated() {
    let runtime = Runtime::new().expect("a runtime");
    for tool in TOOLS {
        let sessions = AtomicUsize::new(0);
        let server = Fake::new(move |request| {
            let is_first = request.header("mcp-session-id") == Some("s-1");
            match request.method() {
                "server/discover" => Some(request.error(-32601, "method not found")),
                "initialize" => {
                    let session = format!("s-{}", sessions.fetch_add(1, Ordering::SeqCst) + 1);
                    let reply = tool.usual(request, &json!({}));
                    Some(reply.header("Mcp-Session-Id", &session))
                }
                "tools/call" if is_first => Some(Reply::json(404, "")),
                _ => Some(tool.usual(request, &json!({"content": []}))),
            }
        });
        let client = client(server.address, Duration::from_mins(1), ATTEMPTS);
        runtime.block_on(async {
            let listed = client.tools().await.expect("tools");
            let answer = call(&client, &listed[0]).await;
            let is_once = matches!(tool, Tool::Plain | Tool::Contract);
            let expected = if is_once { ("unknown", 1) } else { ("done", 2) };
            let case = format!("{tool:?}: {answer:?}");
            assert_eq!((ending(&answer), server.calls().len()), expected, "{case}");
        });
    }
}

/// Between the client and the server may be a gateway, which answers for the server.
#[test]
fn an_answer_that_may_be_of_a_gateway_leaves_the_outcome_unknown() {
    let runtime = Runtime::new().expect("a runtime");
    for (tool, expected) in [(Tool::ReadOnly, "another"), (Tool::Plain, "unknown")] {
        let server = Fake::new(move |request| {
            Some(match request.method() {
                "tools/call" => Reply::page(404, "<p>gone</p>"),
                _ => tool.usual(request, &json!({})),
            })
        });
        let client = client(server.address, Duration::from_mins(1), ATTEMPTS);
        let answer = runtime.block_on(client.call(tool.name(), Map::new(), None));
        assert_eq!((ending(&answer), server.calls().len()), (expected, 1), "{answer:?}");
    }
}

#[test]
fn a_refusal_after_an_attempt_that_may_have_run_is_the_outcome_only_if_it_was_stored() {
    let runtime = Runtime::new().expect("a runtime");
    for (replayed, expected) in [(false, "unknown"), (true, "refused")] {
        let calls = AtomicUsize::new(0);
        let server = Fake::new(move |request| {
            if request.method() == "tools/call" && calls.fetch_add(1, Ordering::SeqCst) == 0 {
                return Some(Reply::json(502, ""));
            }
            let error = json!({"code": "PERMISSION_DENIED", "message": "no", "fix": ""});
            let answer = json!({"error": error, "replayed": replayed});
            let refused = json!({
                "resultType": "complete", "content": [], "structuredContent": answer,
                "isError": true,
            });
            Some(Tool::Declared.usual(request, &refused))
        });
        let client = client(server.address, Duration::from_mins(1), ATTEMPTS);
        let key = IdempotencyKey::new();
        let call = client.call(Tool::Declared.name(), Map::new(), Some(&key));
        let answer = runtime.block_on(call);
        assert_eq!((ending(&answer), server.calls().len()), (expected, 2), "{answer:?}");
    }
}

#[test]
fn a_redirect_does_not_repeat_a_call_that_is_sent_once() {
    let runtime = Runtime::new().expect("a runtime");
    for (tool, expected) in [
        (Tool::ReadOnly, ("done", 2)),
        (Tool::Declared, ("done", 2)),
        (Tool::Plain, ("unknown", 1)),
    ] {
        let server = Fake::new(move |request| {
            Some(match request.method() {
                "tools/call" if request.line.contains(" /mcp ") => {
                    Reply::json(307, "").header("Location", "/elsewhere")
                }
                _ => tool.usual(request, &json!({"content": []})),
            })
        });
        let client = client(server.address, Duration::from_mins(1), ATTEMPTS);
        let listed = runtime.block_on(client.tools()).expect("tools");
        let answer = runtime.block_on(call(&client, &listed[0]));
        assert_eq!((ending(&answer), server.calls().len()), expected, "{tool:?}: {answer:?}");
    }
}

#[test]
fn what_follows_a_redirect_is_sent_to_its_target() {
    let runtime = Runtime::new().expect("a runtime");
    let server = Fake::new(move |request| {
        Some(if request.line.contains(" /mcp ") {
            Reply::json(307, "").header("Location", "/mcp/")
        } else {
            Tool::Plain.usual(request, &json!({"content": []}))
        })
    });
    let client = client(server.address, Duration::from_mins(1), ATTEMPTS);
    let answer = runtime.block_on(client.call("send", Map::new(), None));
    assert_eq!((ending(&answer), server.calls().len()), ("done", 1), "{answer:?}");
    let lines: Vec<_> = server.seen().into_iter().map(|request| request.line).collect();
    assert_eq!(lines[0], "POST /mcp HTTP/1.1");
    assert!(lines[1..].iter().all(|line| line == "POST /mcp/ HTTP/1.1"), "{lines:?}");
}

#[test]
fn an_extension_declares_keys_too() {
    let capabilities =
        json!({"tools": {}, "extensions": {"com.sproutgoodhabits/idempotencyKey": {}}});
    let tools = json!([
        {"name": "skill_write", "inputSchema": {"type": "object"}},
        {"name": "send", "inputSchema": {"type": "object"}},
        {"name": "look", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}},
    ]);
    let server =
        Fake::new(move |request| Some(request.usual_with(&capabilities, &tools, &json!({}))));
    let runtime = Runtime::new().expect("a runtime");
    let client = client(server.address, Duration::from_mins(1), ATTEMPTS);
    let listed = runtime.block_on(client.tools()).expect("tools");
    let honours: Vec<_> = listed.iter().map(ToolInfo::honours_keys).collect();
    let expected = [true, false, false];
    assert_eq!(honours, expected, "without names, only the tools of the contract honour keys");
}

#[test]
fn the_server_of_this_program_declares_keys() {
    let runtime = Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let tools = TestServer::new().client(HOME).tools().await.expect("tools");
        assert!(tools.iter().any(ToolInfo::honours_keys));
        assert!(tools.iter().all(|tool| tool.honours_keys() != tool.is_read_only));
    });
}
