//! How fast the server answers over loopback HTTP, and how long a push takes.
//!
//! Everything is measured from outside: `dibber serve` and `dibber push` run as processes of
//! their own, on the same machine as the callers. `cargo bench --bench wire` measures;
//! with `-- --test`, everything runs once in a small size.
#![expect(clippy::print_stdout, reason = "the figures are what it is for")]
#![expect(clippy::print_stderr, reason = "what the server warns of is passed on")]

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use dibber_server::store::sqlite::SqliteStore;
use dibber_server::store::{FamilyId, Skill, Store, StoreExt, StoreResult};
use dibber_skill::contract::{InputVariable, SkillWrite};
use serde_json::{Value, json};
use tempfile::TempDir;

/// How many callers call at once.
const CONNECTIONS: usize = 32;

/// How much is done.
struct Size {
    invocations: usize,
    writes: usize,
    skills: usize,
    pages: usize,
    pushed: usize,
    repeats: usize,
}

const WHOLE: Size = Size {
    invocations: 60_000,
    writes: 8_000,
    skills: 100_000,
    pages: 200,
    pushed: 200,
    repeats: 40,
};
const SMALL: Size =
    Size { invocations: 64, writes: 64, skills: 200, pages: 2, pushed: 3, repeats: 1 };

fn main() {
    let size = if std::env::args().any(|argument| argument == "--test") { SMALL } else { WHOLE };
    calls(&size);
    lists(&size);
    pushes(&size);
}

/// `skill_invoke` and `skill_write`, many at once.
fn calls(size: &Size) {
    let server = Serve::start(TempDir::new().expect("a directory"));
    let written = server.caller().call("skill_write", &skill(0));
    let skill_id = written["skillId"].as_str().expect("a skill").to_owned();
    let invoke = json!({"skillId": skill_id, "input": {"child_name": "you", "topic": "tides"}});
    server.measure("skill_invoke", size.invocations, |_| ("skill_invoke", invoke.clone()));
    server.measure("skill_write, durable", size.writes, |n| ("skill_write", skill(n)));
}

/// The first and the last page of a long list.
fn lists(size: &Size) {
    let data = TempDir::new().expect("a directory");
    drop(Serve::start_in(&data));
    fill(data.path(), size.skills);
    let server = Serve::start(data);
    let mut caller = server.caller();
    let mut cursor = Value::Null;
    let mut last = json!({"limit": 50});
    loop {
        let mut page = json!({"limit": 200});
        if !cursor.is_null() {
            page["cursor"] = cursor.clone();
            last["cursor"] = cursor;
        }
        cursor = caller.call("skill_list", &page)["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    for (name, list) in [("first", json!({"limit": 50})), ("last", last)] {
        let mut times: Vec<Duration> =
            (0..size.pages).map(|_| timed(|| caller.call("skill_list", &list))).collect();
        let [median, p99] = quantiles(&mut times);
        println!(
            "skill_list, {name} page of {} skills: median {median:?}, p99 {p99:?}",
            size.skills
        );
    }
}

/// `dibber push`, from start to exit.
fn pushes(size: &Size) {
    let directory = TempDir::new().expect("a directory");
    write_skills(&directory.path().join("one"), 1);
    let one = directory.path().join("one");
    let first = |_| {
        let data = TempDir::new().expect("a directory");
        timed(|| push(&one, "local", data.path(), ""))
    };
    let again = |_| timed(|| push(&one, "local", directory.path(), ""));
    let mut times: Vec<Duration> = (0..size.repeats).map(first).collect();
    let [median, p99] = quantiles(&mut times);
    println!("push of one skill, local, into a new database: median {median:?}, p99 {p99:?}");
    let mut times: Vec<Duration> = (0..size.repeats).map(again).collect();
    let [median, p99] = quantiles(&mut times);
    println!("push of one skill, local: median {median:?}, p99 {p99:?}");
    let many = directory.path().join("many");
    write_skills(&many, size.pushed);
    let server = Serve::start(TempDir::new().expect("a directory"));
    let time = timed(|| push(&many, &server.url(), directory.path(), &server.token));
    println!("push of {} skills over loopback: {time:?}", size.pushed);
}

fn push(skills: &Path, server: &str, data: &Path, token: &str) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dibber"));
    command.args(["push", "--yes", "--new", "--server", server, "--data"]).arg(data).arg(skills);
    command.env("DIBBER_TOKEN", token).env_remove("DIBBER_SERVER").current_dir(skills);
    let output = command.output().expect("dibber runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn write_skills(directory: &Path, count: usize) {
    for number in 0..count {
        let directory = directory.join(format!("made-{number}"));
        fs::create_dir_all(&directory).expect("a directory");
        let text = format!(
            "---\nname: made-{number}\ndescription: Tells a story of number {number}. Use when \
             somebody asks for a story of a number.\n---\n\n# Story of number {number}\n\nTell \
             {{{{input.listener}}}} a story in which the number {number} is found at the end.\n"
        );
        fs::write(directory.join("SKILL.md"), text).expect("a file");
    }
}

fn skill(number: usize) -> Value {
    json!({
        "name": format!("Story {number}"),
        "description": "Tells a story about what was learned today.",
        "prompt": "Tell {{input.child_name}} a story about {{input.topic}} that ends well.",
        "inputVariables": [{"name": "child_name"}, {"name": "topic"}],
    })
}

/// Writes many skills past the server, as it would have written them.
fn fill(data: &Path, count: usize) {
    let store = SqliteStore::open(&data.join("dibber.db")).expect("a store");
    let family = family(&store);
    let added: StoreResult<()> = store.write_blocking(move |store| {
        (0..count).try_for_each(|number| store.add_skill(&family, &made(number)))
    });
    added.expect("every skill is written");
    store.close();
}

fn made(number: usize) -> Skill {
    let written = SkillWrite {
        name: format!("Story {number}"),
        description: "Tells a story about what was learned today.".to_owned(),
        prompt: "Tell {{input.child_name}} a story.".to_owned(),
        input_variables: vec![InputVariable {
            name: "child_name".to_owned(),
            ..InputVariable::default()
        }],
        ..SkillWrite::default()
    };
    Skill {
        id: format!("sk_{number:032x}").into(),
        written,
        is_archived: number % 10 == 9,
        created_at: 0,
        last_triggered_at: None,
    }
}

fn family(store: &SqliteStore) -> FamilyId {
    let families: StoreResult<_> = store.read_blocking(|store| store.families());
    families.expect("a store").rows.first().expect("a family").id.clone()
}

fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// The median and the 99th percentile.
fn quantiles(times: &mut [Duration]) -> [Duration; 2] {
    times.sort();
    [50, 99].map(|percent| times[(times.len() - 1) * percent / 100])
}

/// A server as a process.
struct Serve {
    process: Child,
    address: String,
    token: String,
    /// Deleted after the process has ended.
    data: Option<TempDir>,
}

impl Serve {
    fn start(data: TempDir) -> Self {
        let mut serve = Self::start_in(&data);
        serve.data = Some(data);
        serve
    }

    fn start_in(data: &TempDir) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_dibber"))
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(data.path())
            .env("DIBBER_LOG", "warn")
            .stderr(Stdio::piped())
            .spawn()
            .expect("dibber runs");
        let mut lines = BufReader::new(process.stderr.take().expect("a pipe")).lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| Some(line.split_once("http://")?.1.split('/').next()?.to_owned()))
            .expect("the address of the server");
        std::thread::spawn(move || {
            lines.map_while(Result::ok).for_each(|line| eprintln!("{line}"));
        });
        let token = fs::read_to_string(data.path().join("token")).expect("a token");
        Self { process, address, token: token.trim().to_owned(), data: None }
    }

    fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    fn caller(&self) -> Caller {
        let stream = TcpStream::connect(&self.address).expect("a connection");
        stream.set_nodelay(true).expect("a socket");
        Caller {
            reader: BufReader::new(stream.try_clone().expect("a socket")),
            stream,
            address: self.address.clone(),
            token: self.token.clone(),
        }
    }

    fn measure(
        &self,
        name: &str,
        count: usize,
        call: impl Fn(usize) -> (&'static str, Value) + Sync,
    ) {
        let next = AtomicUsize::new(0);
        let start = Instant::now();
        let mut times: Vec<Duration> = std::thread::scope(|scope| {
            let callers: Vec<_> = (0..CONNECTIONS)
                .map(|_| {
                    scope.spawn(|| {
                        let (mut caller, mut times) = (self.caller(), Vec::new());
                        loop {
                            let number = next.fetch_add(1, Ordering::Relaxed);
                            if number >= count {
                                return times;
                            }
                            let (tool, arguments) = call(number);
                            times.push(timed(|| caller.call(tool, &arguments)));
                        }
                    })
                })
                .collect();
            callers.into_iter().flat_map(|caller| caller.join().expect("a caller")).collect()
        });
        let count = u32::try_from(times.len()).expect("fewer calls");
        let rate = f64::from(count) / start.elapsed().as_secs_f64();
        let [median, p99] = quantiles(&mut times);
        println!(
            "{name}: {rate:.0} a second over {CONNECTIONS} connections, median {median:?}, p99 {p99:?}"
        );
    }
}

impl Drop for Serve {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
        drop(self.data.take());
    }
}

/// One connection, kept open, that calls in the current lifecycle of the protocol.
struct Caller {
    reader: BufReader<TcpStream>,
    stream: TcpStream,
    address: String,
    token: String,
}

impl Caller {
    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        const VERSION: &str = "2026-07-28";
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": VERSION,
            "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "0"},
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let body = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments, "_meta": meta},
        })
        .to_string();
        let request = format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: \
             application/json\r\nAccept: application/json, text/event-stream\r\n\
             MCP-Protocol-Version: {VERSION}\r\nMcp-Method: tools/call\r\nMcp-Name: {tool}\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.address,
            self.token,
            body.len()
        );
        self.stream.write_all(request.as_bytes()).expect("the server reads");
        let answer = self.answer().expect("the server answers");
        let answer: Value = serde_json::from_str(&answer).expect("an answer in JSON");
        let result = &answer["result"];
        assert!(result["isError"] != true, "{answer}");
        result["structuredContent"].clone()
    }

    fn answer(&mut self) -> io::Result<String> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.reader.read_line(&mut line)?;
            let line = line.trim_end().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().map_err(io::Error::other)?;
            }
        }
        let mut body = vec![0; length];
        self.reader.read_exact(&mut body)?;
        String::from_utf8(body).map_err(io::Error::other)
    }
}
