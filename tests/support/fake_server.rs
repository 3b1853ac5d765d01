//! Servers that misbehave: each answers what a test sets.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::server_process::MODERN;

/// A request that came.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// The first line, such as `POST /mcp HTTP/1.1`.
    pub(crate) line: String,
    /// The headers in lower case, a line each.
    pub(crate) headers: String,
    /// The body, if it is JSON.
    pub(crate) message: Value,
}

impl Request {
    /// The method of the protocol.
    pub(crate) fn method(&self) -> &str {
        self.message["method"].as_str().unwrap_or_default()
    }

    /// A header's value.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    /// The answer of the protocol with this result.
    pub(crate) fn result(&self, result: &Value) -> Reply {
        let body = json!({"jsonrpc": "2.0", "id": self.message["id"], "result": result});
        Reply::json(200, body.to_string())
    }

    /// The answer of the protocol with this error.
    pub(crate) fn error(&self, code: i32, message: &str) -> Reply {
        self.error_with(code, message, &Value::Null)
    }

    /// The same with these details.
    pub(crate) fn error_with(&self, code: i32, message: &str, data: &Value) -> Reply {
        let mut error = json!({"code": code, "message": message});
        if !data.is_null() {
            error["data"] = data.clone();
        }
        let body = json!({"jsonrpc": "2.0", "id": self.message["id"], "error": error});
        Reply::json(200, body.to_string())
    }

    /// The answer of a server with these tools, which it answers with this result.
    pub(crate) fn usual(&self, tools: &Value, result: &Value) -> Reply {
        self.usual_with(&json!({"tools": {}}), tools, result)
    }

    /// The same of a server that declares that these tools honour idempotency keys.
    pub(crate) fn usual_with_keys(&self, tools: &Value, result: &Value) -> Reply {
        let names = tools.as_array().into_iter().flatten().map(|tool| &tool["name"]);
        let names: Vec<_> = names.collect();
        let experimental = json!({"com.sproutgoodhabits/idempotencyKey": {"tools": names}});
        self.usual_with(&json!({"tools": {}, "experimental": experimental}), tools, result)
    }

    /// The same of a server with these capabilities.
    pub(crate) fn usual_with(&self, capabilities: &Value, tools: &Value, result: &Value) -> Reply {
        self.usual_as("fake", capabilities, tools, result)
    }

    /// The same of a server with this name.
    pub(crate) fn usual_as(
        &self,
        name: &str,
        capabilities: &Value,
        tools: &Value,
        result: &Value,
    ) -> Reply {
        match self.method() {
            "server/discover" => self.result(&json!({
                "resultType": "complete", "supportedVersions": [MODERN],
                "capabilities": capabilities, "ttlMs": 0, "cacheScope": "private",
                "_meta": {"io.modelcontextprotocol/serverInfo":
                    {"name": name, "version": "1.0"}},
            })),
            "initialize" => self.result(&json!({
                "protocolVersion": self.message["params"]["protocolVersion"],
                "capabilities": capabilities, "serverInfo": {"name": name, "version": "1.0"},
            })),
            "tools/list" => self.result(&json!({
                "resultType": "complete", "tools": tools, "ttlMs": 0, "cacheScope": "private",
            })),
            "tools/call" => self.result(result),
            _ => Reply::json(202, ""),
        }
    }
}

/// What a server answers.
pub(crate) struct Reply {
    status: u16,
    kind: &'static str,
    body: String,
    /// After how many bytes of the body the connection is closed; `None` for a whole body.
    cut: Option<usize>,
    /// More headers, each with the end of its line.
    headers: String,
    /// Where the body pauses, and for how long.
    pauses: (&'static str, Duration),
}

impl Reply {
    pub(crate) fn json(status: u16, body: impl Into<String>) -> Self {
        Self {
            status,
            kind: "application/json",
            body: body.into(),
            cut: None,
            headers: String::new(),
            pauses: ("", Duration::ZERO),
        }
    }

    pub(crate) fn page(status: u16, body: &str) -> Self {
        Self { kind: "text/html", ..Self::json(status, body) }
    }

    /// An event stream with these bytes and no end: the connection is closed after them.
    pub(crate) fn cut_stream(body: &str) -> Self {
        Self { kind: "text/event-stream", ..Self::json(200, body) }.cut(body.len())
    }

    /// An event stream with these messages, and a pause before each.
    pub(crate) fn slow_stream(messages: &[Value], pause: Duration) -> Self {
        let events = messages.iter().map(|message| format!("data: {message}\n\n"));
        Self { pauses: ("\n\n", pause), ..Self::cut_stream(&events.collect::<String>()) }
    }

    /// The same reply with one more header.
    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push_str(&format!("{name}: {value}\r\n"));
        self
    }

    /// The same reply, but the connection is closed after that many bytes of the body.
    pub(crate) fn cut(self, bytes: usize) -> Self {
        Self { cut: Some(bytes), ..self }
    }

    /// The same reply, after which the connection is closed without a word.
    pub(crate) fn closed(self) -> Self {
        let bytes = self.body.len();
        self.cut(bytes)
    }
}

/// A server, which lives as long as the test.
pub(crate) struct Fake {
    pub(crate) address: SocketAddr,
    seen: Arc<Mutex<Vec<Request>>>,
}

impl Fake {
    /// Answers every request; none is a silence that does not end.
    pub(crate) fn new(answer: impl Fn(&Request) -> Option<Reply> + Send + Sync + 'static) -> Self {
        Self::on(TcpListener::bind("127.0.0.1:0").expect("a port"), answer)
    }

    /// The same on a port that listens already.
    pub(crate) fn on(
        listener: TcpListener,
        answer: impl Fn(&Request) -> Option<Reply> + Send + Sync + 'static,
    ) -> Self {
        let address = listener.local_addr().expect("an address");
        let seen = Arc::<Mutex<Vec<Request>>>::default();
        let (requests, answer) = (Arc::clone(&seen), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (requests, answer) = (Arc::clone(&requests), Arc::clone(&answer));
                std::thread::spawn(move || serve(&stream, &requests, &*answer));
            }
        });
        Self { address, seen }
    }

    /// The address of its endpoint.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    /// The calls of tools that came so far.
    pub(crate) fn calls(&self) -> Vec<Request> {
        let seen = self.seen().into_iter();
        seen.filter(|request| request.method() == "tools/call").collect()
    }

    /// What came so far.
    pub(crate) fn seen(&self) -> Vec<Request> {
        self.seen.lock().expect("no panic").clone()
    }
}

/// A connection, until the client goes.
fn serve(
    stream: &TcpStream,
    seen: &Mutex<Vec<Request>>,
    answer: &dyn Fn(&Request) -> Option<Reply>,
) {
    let mut reader = BufReader::new(stream);
    while let Some(request) = read(&mut reader) {
        seen.lock().expect("no panic").push(request.clone());
        let Some(Reply { status, kind, body, cut, headers, pauses }) = answer(&request) else {
            // Whatever comes now is not answered, either.
            let _ = std::io::copy(&mut reader, &mut std::io::sink());
            return;
        };
        let length = match kind {
            "text/event-stream" => "Connection: close".to_owned(),
            _ => format!("Content-Length: {}", body.len()),
        };
        let head =
            format!("HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\n{headers}{length}\r\n\r\n");
        let sent = &body[..cut.unwrap_or(body.len())];
        let mut stream = stream;
        let mut written = stream.write_all(head.as_bytes());
        let (end, pause) = pauses;
        let parts = if end.is_empty() { vec![sent] } else { sent.split_inclusive(end).collect() };
        for part in parts {
            std::thread::sleep(pause);
            written = written.and_then(|()| stream.write_all(part.as_bytes()));
        }
        if written.is_err() || cut.is_some() {
            return;
        }
    }
}

fn read(reader: &mut impl BufRead) -> Option<Request> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let mut headers = String::new();
    loop {
        let from = headers.len();
        reader.read_line(&mut headers).ok().filter(|read| *read > 0)?;
        if headers[from..].trim().is_empty() {
            break;
        }
    }
    let headers: String =
        headers.lines().map(|line| format!("{}\n", line.to_lowercase())).collect();
    let length = headers.lines().find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.and_then(|length| length.parse().ok()).unwrap_or_default()];
    reader.read_exact(&mut body).ok()?;
    let message = serde_json::from_slice(&body).unwrap_or_default();
    Some(Request { line: line.trim_end().to_owned(), headers, message })
}
