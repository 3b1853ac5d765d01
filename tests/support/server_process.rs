//! A real `dibber serve`, and raw HTTP to speak with it.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;

use serde_json::{Value, json};

use crate::support::{Tree, package};

/// The newest revision, in which requests do not depend on one another.
pub(crate) const MODERN: &str = "2026-07-28";

/// A server that is stopped when the test ends.
pub(crate) struct Serving {
    child: Child,
    pub(crate) address: String,
    pub(crate) data: PathBuf,
    /// Removed after it, if it is its own.
    directory: Option<Tree>,
    log: Option<JoinHandle<String>>,
}

/// An answer over HTTP.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let headers = self.head.lines().filter_map(|line| line.split_once(':'));
        let mut named = headers.filter(|(header, _)| header.eq_ignore_ascii_case(name));
        named.next().map(|(_, value)| value.trim())
    }

    /// The reason of an error of the contract.
    pub(crate) fn reason(&self) -> String {
        self.json()["error"]["reason"].as_str().expect("a reason").to_owned()
    }
}

/// `dibber serve`, not started yet, with none of the environment that would change it.
pub(crate) fn serve(data: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dibber"));
    command.arg("serve").args(arguments).arg("--data").arg(data);
    command.env("DIBBER_NAMES", package().join("no-names"));
    for name in ["DIBBER_LOG", "DIBBER_DATA", "DIBBER_DATABASE", "DIBBER_SERVER", "DIBBER_TOKEN"] {
        command.env_remove(name);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

impl Serving {
    /// Starts in a data directory of its own.
    pub(crate) fn start() -> Self {
        let directory = Tree::new();
        let data = directory.path().join("data");
        let mut serving = Self::start_in(&data);
        serving.directory = Some(directory);
        serving
    }

    pub(crate) fn start_in(data: &Path) -> Self {
        Self::of(serve(data, &["--listen", "127.0.0.1:0"]), data)
    }

    /// Starts a command that is to listen, and waits until it does.
    pub(crate) fn of(mut command: Command, data: &Path) -> Self {
        let mut child = command.spawn().expect("the binary starts");
        let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut output = String::new();
        let address = loop {
            let from = output.len();
            let read = stderr.read_line(&mut output).expect("text");
            assert!(read > 0, "it ended without listening:\n{output}");
            if let Some((_, rest)) = output[from..].split_once("://") {
                break rest.split("/mcp").next().expect("an address").to_owned();
            }
        };
        let log = std::thread::spawn(move || {
            stderr.read_to_string(&mut output).expect("text");
            output
        });
        Self { child, address, data: data.to_owned(), directory: None, log: Some(log) }
    }

    pub(crate) fn token(&self) -> String {
        fs::read_to_string(self.data.join("token")).expect("a token").trim().to_owned()
    }

    pub(crate) fn connect(&self) -> TcpStream {
        TcpStream::connect(&self.address).expect("it listens")
    }

    /// Returns the id of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, name: &str) {
        let id = self.id().to_string();
        let sent = Command::new("kill").args([&format!("-{name}"), &id]).status();
        assert!(sent.expect("kill").success(), "SIG{name}");
    }

    /// Waits for its end; returns the exit code and the log.
    pub(crate) fn ended(mut self) -> (i32, String) {
        let status = self.child.wait().expect("a process");
        let log = self.log.take().expect("once").join().expect("text");
        (status.code().unwrap_or(-1), log)
    }

    /// The head of a request that shows the token, without the line of the length.
    pub(crate) fn head(&self) -> String {
        format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\
             Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n",
            self.address,
            self.token()
        )
    }

    /// Sends bytes on a connection of their own, and reads one answer.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.connect();
        stream.write_all(bytes).expect("it reads");
        answer(&mut BufReader::new(stream))
    }

    /// Sends a message with further header lines, each with its end.
    pub(crate) fn post(&self, headers: &str, body: &[u8]) -> Answer {
        let mut bytes = self.head().into_bytes();
        bytes.extend(format!("{headers}Content-Length: {}\r\n\r\n", body.len()).bytes());
        bytes.extend(body);
        self.raw(&bytes)
    }

    /// Calls a tool in the newest revision.
    pub(crate) fn call(&self, tool: &str, arguments: &Value) -> Answer {
        let params = json!({"name": tool, "arguments": arguments});
        self.modern("tools/call", params, &format!("Mcp-Name: {tool}\r\n"))
    }

    /// Sends a request of the newest revision.
    pub(crate) fn modern(&self, method: &str, mut params: Value, headers: &str) -> Answer {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "tests", "version": "1"},
        });
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let headers =
            format!("{headers}MCP-Protocol-Version: {MODERN}\r\nMcp-Method: {method}\r\n");
        self.post(&headers, message.to_string().as_bytes())
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
        drop(self.directory.take());
    }
}

/// Reads one answer with a declared length.
pub(crate) fn answer(stream: &mut impl BufRead) -> Answer {
    let mut head = String::new();
    loop {
        let from = head.len();
        let read = stream.read_line(&mut head).expect("text");
        assert!(read > 0, "the connection ended after {head:?}");
        if head[from..].trim().is_empty() {
            break;
        }
    }
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a status");
    let head = head.to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.map_or(0, |length| length.parse().expect("a length"))];
    stream.read_exact(&mut body).expect("a body");
    Answer { status, head, body: String::from_utf8(body).expect("UTF-8") }
}
