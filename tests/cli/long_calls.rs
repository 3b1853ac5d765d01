//! Calls that take long: progress, cancellation, and questions of the server.

use std::time::Duration;

use serde_json::{Value, json};

#[cfg(unix)]
use crate::cli::client_commands::interrupted;
#[cfg(unix)]
use crate::support::Tree;
use crate::support::command::{Dibber, Ended};
use crate::support::fake_server::{Fake, Reply, Request};
#[cfg(unix)]
use crate::support::terminal::Terminal;

/// A part of the timeout, which is a second.
const PAUSE: Duration = Duration::from_millis(400);

fn tools() -> Value {
    json!([{"name": "work", "inputSchema": {"type": "object"}}])
}

/// A server that answers calls in this way.
fn working(call: impl Fn(&Request) -> Option<Reply> + Send + Sync + 'static) -> Fake {
    Fake::new(move |request| match request.method() {
        "tools/call" => call(request),
        _ => Some(request.usual(&tools(), &json!({}))),
    })
}

fn call(server: &Fake, arguments: &[&str]) -> Ended {
    call_within("1", server, arguments)
}

/// Calls the tool with a timeout in seconds.
fn call_within(timeout: &str, server: &Fake, arguments: &[&str]) -> Ended {
    let run = Dibber::new(["call", "work", "--server", &server.url(), "--timeout", timeout]);
    run.env("COLUMNS", "80").arguments(arguments).run_bounded()
}

fn done(request: &Request) -> Value {
    let content = json!([{"type": "text", "text": "done"}]);
    let result = json!({"resultType": "complete", "content": content});
    json!({"jsonrpc": "2.0", "id": request.message["id"], "result": result})
}

fn progress(request: &Request, done: usize) -> Value {
    let token = &request.message["params"]["_meta"]["progressToken"];
    let progress = json!({"progressToken": token, "progress": done, "total": 5, "message": "a"});
    json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": progress})
}

#[test]
fn progress_extends_the_timeout() {
    let server = working(|request| {
        let mut messages: Vec<_> = (0..4).map(|count| progress(request, count)).collect();
        messages.push(done(request));
        Some(Reply::slow_stream(&messages, PAUSE))
    });
    insta::assert_snapshot!("progress", call(&server, &[]).show());
    assert_eq!(server.calls().len(), 1);
}

#[test]
fn the_progress_of_another_call_does_not_extend_it() {
    let server = working(|request| {
        let mut messages: Vec<_> = (0..9).map(|count| progress(request, count)).collect();
        for message in &mut messages {
            message["params"]["progressToken"] = "another".into();
        }
        messages.push(done(request));
        Some(Reply::slow_stream(&messages, PAUSE))
    });
    assert_eq!(call(&server, &[]).code, 7);
}

#[test]
fn a_call_that_is_given_up_is_cancelled() {
    let cancelled = |server: &Fake| {
        let seen = server.seen().into_iter();
        let mut cancelled = seen.filter(|one| one.method() == "notifications/cancelled");
        let cancelled = cancelled.next().expect("a cancellation");
        assert_eq!(cancelled.message["params"]["requestId"], server.calls()[0].message["id"]);
    };
    // The newest revision has no such message over HTTP: the end of the stream is the cancellation.
    let older = Fake::new(|request| match request.method() {
        "server/discover" => Some(request.error(-32601, "unknown")),
        "tools/call" => None,
        _ => Some(request.usual(&tools(), &json!({}))),
    });
    assert_eq!(call(&older, &[]).code, 7);
    cancelled(&older);
}

#[cfg(unix)]
#[test]
fn a_call_that_is_interrupted_is_cancelled() {
    let tools = json!([{"name": "note_write", "inputSchema": {"type": "object"}}]);
    let older = Fake::new(move |request| match request.method() {
        "server/discover" => Some(request.error(-32601, "unknown")),
        "tools/call" => None,
        _ => Some(request.usual(&tools, &json!({}))),
    });
    let shown = interrupted(&older, &Tree::new(), "tools/call", "INT");
    assert!(shown.starts_with("exit code: Some(130)\nerror: interrupted"), "{shown}");
    let seen = older.seen();
    let cancelled = seen.iter().find(|one| one.method() == "notifications/cancelled");
    let cancelled = &cancelled.expect("a cancellation").message["params"];
    assert_eq!(cancelled["requestId"], older.calls()[0].message["id"]);
}

/// What the client answers to a question.
fn answer_to(question: &Value) -> (Ended, Value) {
    let question = question.clone();
    let server = working(move |request| {
        let asked = json!({
            "jsonrpc": "2.0", "id": "e1", "method": "elicitation/create", "params": question,
        });
        Some(Reply::slow_stream(&[asked, done(request)], PAUSE))
    });
    let ended = call(&server, &[]);
    let answers = server.seen().into_iter().filter(|one| one.message["id"] == "e1");
    let answers: Vec<_> = answers.map(|one| one.message["result"].clone()).collect();
    assert_eq!(answers.len(), 1, "{}", ended.show());
    (ended, answers[0].clone())
}

fn form() -> Value {
    json!({"message": "Who are \u{1b}[31myou?", "requestedSchema": {
        "type": "object", "required": ["town", "name"], "properties": {
            "town": {"type": "string"}, "name": {"type": "string"},
            "age": {"type": "integer", "minimum": 0},
        },
    }})
}

#[test]
fn a_question_is_declined_without_a_terminal() {
    let (ended, answer) = answer_to(&form());
    insta::assert_snapshot!("question_declined", ended.show());
    assert_eq!(answer, json!({"action": "decline"}));
}

/// A server that asks questions, with a pause before each, and then answers.
fn inquisitive(questions: usize, pause: Duration) -> Fake {
    working(move |request| {
        let question = |index| {
            json!({"jsonrpc": "2.0", "id": format!("e{index}"), "method": "elicitation/create",
                "params": form()})
        };
        let mut messages: Vec<_> = (0..questions).map(question).collect();
        messages.push(done(request));
        Some(Reply::slow_stream(&messages, pause))
    })
}

#[test]
fn questions_that_are_declined_do_not_extend_the_timeout() {
    let ended = call(&inquisitive(9, PAUSE), &[]);
    assert_eq!(ended.code, 7, "{}", ended.show());
}

#[test]
fn a_server_cannot_ask_without_end() {
    let server = inquisitive(103, Duration::from_millis(2));
    let ended = call_within("60", &server, &[]);
    let shown = ended.stderr.matches("declined to give the server").count();
    assert_eq!((ended.code, shown), (0, 100), "{}", ended.show());
}

/// A server that needs input before it answers, in the newest revision.
fn asking(requests: Value) -> Fake {
    working(move |request| {
        if request.message["params"]["inputResponses"].is_object() {
            return Some(request.result(&done(request)["result"]));
        }
        Some(request.result(&json!({
            "resultType": "input_required", "requestState": "s-1", "inputRequests": requests,
        })))
    })
}

#[test]
fn input_that_a_result_asks_for_is_sent_with_the_same_call() {
    let server = asking(json!({"who": {"method": "elicitation/create", "params": form()}}));
    insta::assert_snapshot!("input_declined", call(&server, &["a=b"]).show());
    let calls = server.calls();
    assert_eq!(calls.len(), 2);
    let sent = &calls[1].message["params"];
    assert_eq!(sent["inputResponses"], json!({"who": {"action": "decline"}}));
    assert_eq!(sent["requestState"], "s-1");
    assert_eq!(sent["arguments"], json!({"a": "b"}));
}

#[cfg(unix)]
#[test]
fn a_question_is_asked_at_a_terminal() {
    let server = asking(json!({"who": {"method": "elicitation/create", "params": form()}}));
    let data = Tree::new();
    let url = server.url();
    let mut terminal =
        Terminal::start(data.path(), &data, &["call", "work", "--server", url.as_str()]);
    terminal.wait_for("the server asks: Who are \\u{1b}[31myou?");
    terminal.answer("answer it?", "y");
    terminal.answer("town", "Ulm");
    terminal.answer("name", "Jay");
    terminal.answer("age, optional", "seven");
    terminal.wait_for("`seven` is not a whole number");
    terminal.answer("age, optional", "7");
    let (shown, _) = terminal.end();
    assert!(shown.contains("done"), "{shown}");
    let sent = &server.calls()[1].message["params"]["inputResponses"]["who"];
    let content = json!({"age": 7, "name": "Jay", "town": "Ulm"});
    assert_eq!(sent, &json!({"action": "accept", "content": content}));
}

fn page() -> Value {
    json!({"mode": "url", "message": "Sign in, please.", "elicitationId": "1",
        "url": "https://accounts.example/sign-in?state=1"})
}

#[cfg(unix)]
#[test]
fn a_page_is_shown_with_its_host_at_a_terminal() {
    let server = asking(json!({"who": {"method": "elicitation/create", "params": page()}}));
    let data = Tree::new();
    let url = server.url();
    let mut terminal =
        Terminal::start(data.path(), &data, &["call", "work", "--server", url.as_str()]);
    terminal.wait_for("the server asks: Sign in, please.");
    terminal.wait_for("open this address, of `accounts.example`:");
    terminal.wait_for("  https://accounts.example/sign-in?state=1");
    terminal.answer("have you opened it?", "y");
    let (shown, _) = terminal.end();
    assert!(shown.contains("done"), "{shown}");
    let sent = &server.calls()[1].message["params"]["inputResponses"]["who"];
    assert_eq!(sent, &json!({"action": "accept"}));
}

#[test]
fn a_page_is_declined_without_a_terminal() {
    let (ended, answer) = answer_to(&page());
    assert_eq!(answer, json!({"action": "decline"}));
    let server = asking(json!({
        "page": {"method": "elicitation/create", "params": page()},
        "user": {"method": "elicitation/create", "params":
            {"mode": "url", "message": "As a user.", "url": "https://good.example@bad.example/"}},
        "file": {"method": "elicitation/create", "params":
            {"mode": "url", "message": "A file.", "url": "file:///etc/passwd"}},
        "voice": {"method": "elicitation/create", "params": {"mode": "voice", "message": "Say it."}},
    }));
    insta::assert_snapshot!("page_declined", ended.show() + &call(&server, &[]).show());
}

#[test]
fn input_that_cannot_be_given_is_named() {
    let model = json!({"a": {"method": "sampling/createMessage", "params":
        {"messages": [], "maxTokens": 1}}});
    insta::assert_snapshot!("input_of_a_model", call(&asking(model), &[]).show());
    let endless = working(|request| {
        Some(request.result(&json!({"resultType": "input_required", "requestState": "s"})))
    });
    insta::assert_snapshot!("input_endless", call(&endless, &[]).show());
    assert_eq!(endless.calls().len(), 10);
}
