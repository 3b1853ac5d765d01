//! A server over a fresh database, with a fixed clock, and clients that speak to it
//! over pipes.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use dibber_client::{Client, ClientError, Endpoint, IdempotencyKey, Options};
use dibber_server::store::sqlite::SqliteStore;
use dibber_server::store::{
    Canvas, Child, Family, FamilyId, Skill, SkillList, Store, StoreExt, StoreResult, User, Writer,
};
use dibber_server::{Caller, Server};
use dibber_skill::contract::{Category, Scope, SkillId, SkillWrite, ToolError, WireEnum};
use jiff::Timestamp;
use jiff::civil::date;
use serde_json::{Map, Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
};

use crate::support::TEST_NAMES;

/// The present of every test, until it is moved: 08:00 on a Saturday in New York.
pub(crate) const NOW: &str = "2026-05-23T12:00:00.250Z";

/// The family that tests are about. Its children have the names of [`TEST_NAMES`].
pub(crate) const HOME: &str = "fam_home";
/// A family that must stay invisible to it.
pub(crate) const OTHER: &str = "fam_other";

/// A canvas of [`HOME`] with ages, and more of them: up to 9, in the place of the last digit.
pub(crate) const CANVAS: &str = "11111111-0000-4000-8000-000000000001";
/// A canvas of [`HOME`] without ages.
pub(crate) const LEGACY_CANVAS: &str = "11111111-0000-4000-8000-0000000000aa";
/// A canvas of [`OTHER`].
pub(crate) const FOREIGN_CANVAS: &str = "22222222-0000-4000-8000-000000000001";

/// A server with its database and its clock.
pub(crate) struct TestServer {
    pub(crate) server: Server,
    store: Arc<dyn Store>,
    now: Arc<AtomicI64>,
}

impl TestServer {
    /// Creates a server with two families, each with a parent, children and canvases.
    pub(crate) fn new() -> Self {
        Self::with_families_in(Arc::new(SqliteStore::temporary().expect("a database")))
    }

    /// Creates a server with the same families in an empty store.
    pub(crate) fn with_families_in(store: Arc<dyn Store>) -> Self {
        let test_server = Self::over(store);
        test_server.change(|store| {
            add_family(store, HOME, "America/New_York", "11111111");
            add_family(store, OTHER, "Europe/Berlin", "22222222");
            for (index, name) in TEST_NAMES.lines().enumerate() {
                add_child(store, &format!("ch_{index}"), name);
            }
            let legacy = canvas(LEGACY_CANVAS, "Old board", None);
            store.add_canvas(&FamilyId::from(HOME.to_owned()), &legacy).expect("a canvas");
        });
        test_server
    }

    /// A server over a database as it is.
    pub(crate) fn over(store: Arc<dyn Store>) -> Self {
        let now: Timestamp = NOW.parse().expect("a time");
        let now = Arc::new(AtomicI64::new(now.as_millisecond()));
        let clock = Arc::clone(&now);
        let clock = move || {
            Timestamp::from_millisecond(clock.load(Ordering::Relaxed)).expect("a time in range")
        };
        Self { server: Server::new(Arc::clone(&store), Arc::new(clock)), store, now }
    }

    /// Returns the present.
    pub(crate) fn now(&self) -> Timestamp {
        Timestamp::from_millisecond(self.now.load(Ordering::Relaxed)).expect("a time in range")
    }

    /// Moves the clock, ahead or back.
    pub(crate) fn move_clock(&self, seconds: i64) {
        self.now.fetch_add(seconds * 1000, Ordering::Relaxed);
    }

    /// Changes the database past the tools.
    pub(crate) fn change(&self, work: impl FnOnce(&dyn Writer) + Send + 'static) {
        let changed: StoreResult<()> = self.store.write_blocking(|store| {
            work(store);
            Ok(())
        });
        changed.expect("a change");
    }

    /// The skills of [`HOME`] after the one with that id in the order in which they were added,
    /// past the tools: the id and the name of each.
    pub(crate) fn skills_after(&self, id: Option<SkillId>) -> Vec<(SkillId, String)> {
        let list = SkillList { after: id, limit: usize::MAX, ..SkillList::default() };
        let skills: StoreResult<_> = self.store.read_blocking(move |store| {
            store.skills(&FamilyId::from(HOME.to_owned()), &list).map(|page| page.rows)
        });
        let skills = skills.expect("skills").into_iter();
        skills.map(|skill| (skill.id, skill.written.name)).collect()
    }

    /// Adds a skill past the tools.
    pub(crate) fn add_skill(&self, family: &str, id: &str, written: SkillWrite) {
        let family = FamilyId::from(family.to_owned());
        let id = id.to_owned();
        self.change(move |store| {
            let skill = Skill {
                id: id.into(),
                written,
                is_archived: false,
                created_at: 0,
                last_triggered_at: None,
            };
            store.add_skill(&family, &skill).expect("a skill");
        });
    }

    /// Archives a skill of [`HOME`].
    pub(crate) fn archive(&self, id: &str) {
        self.archive_in(HOME, id);
    }

    /// Archives a skill of a family.
    pub(crate) fn archive_in(&self, family: &str, id: &str) {
        let (family, id) = (FamilyId::from(family.to_owned()), id.to_owned());
        self.change(move |store| {
            let skill =
                store.skill(&family, &id.as_str().into()).expect("a skill").expect("a skill");
            store.put_skill(&family, &Skill { is_archived: true, ..skill }).expect("a change");
        });
    }

    /// A client of the parent of a family.
    pub(crate) fn client(&self, family: &str) -> Client {
        self.client_as(parent(family))
    }

    /// A connection to write messages to by hand, as the parent of a family.
    pub(crate) async fn connect(&self, family: &str) -> RawConnection {
        self.connect_as(parent(family)).await
    }

    /// A connection to write messages to by hand, as this caller.
    pub(crate) async fn connect_as(&self, caller: Caller) -> RawConnection {
        let (near, far) = tokio::io::duplex(1 << 16);
        let server = self.server.clone();
        tokio::spawn(async move {
            let (input, output) = tokio::io::split(far);
            drop(server.serve(caller, input, output).await);
        });
        let (input, output) = tokio::io::split(near);
        let mut pipe = RawConnection { lines: BufReader::new(input).lines(), output, id: 0 };
        let client = json!({"name": "by hand", "version": "1"});
        let hello = json!({
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client,
        });
        pipe.ask("initialize", hello).await;
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        pipe.send(ready.to_string().as_bytes()).await;
        pipe
    }

    /// A client of a caller.
    pub(crate) fn client_as(&self, caller: Caller) -> Client {
        let server = self.server.clone();
        let connect = move || {
            let (near, far) = tokio::io::duplex(1 << 16);
            let (server, caller) = (server.clone(), caller.clone());
            tokio::spawn(async move {
                let (input, output) = tokio::io::split(far);
                // A client that hangs up early is no fault of the server.
                drop(server.serve(caller, input, output).await);
            });
            near
        };
        Client::new(Endpoint::Embedded(Arc::new(connect)), Options::new(Timestamp::now))
    }
}

/// A connection with nothing between the test and the bytes.
pub(crate) struct RawConnection {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    output: WriteHalf<DuplexStream>,
    id: u64,
}

impl RawConnection {
    /// Sends a line.
    pub(crate) async fn send(&mut self, line: &[u8]) {
        self.output.write_all(line).await.expect("a reader");
        self.output.write_all(b"\n").await.expect("a reader");
    }

    /// Waits for the next message, of whatever kind.
    pub(crate) async fn message(&mut self) -> Value {
        let line = self.lines.next_line().await.expect("a line").expect("a message");
        serde_json::from_str(&line).expect("JSON")
    }

    /// Sends a request, and waits for what is answered to it: the whole message.
    pub(crate) async fn ask(&mut self, method: &str, params: Value) -> Value {
        self.id += 1;
        let id = self.id;
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.send(request.to_string().as_bytes()).await;
        loop {
            let answer = self.message().await;
            if answer["id"] == id {
                return answer;
            }
        }
    }

    /// Calls a tool by hand; gives the whole result.
    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments})).await;
        answer["result"].clone()
    }
}

/// The parent of a family, who may do everything.
pub(crate) fn parent(family: &str) -> Caller {
    Caller {
        family: FamilyId::from(family.to_owned()),
        user_id: format!("us_{family}").into(),
        scopes: Scope::all(),
        token_expires_at: None,
        grant_id: None,
    }
}

/// Adds a family with a parent and canvases whose ids begin like that.
pub(crate) fn add_family(store: &dyn Writer, id: &str, time_zone: &str, canvases: &str) {
    let family = FamilyId::from(id.to_owned());
    let row = Family {
        id: family.clone(),
        name: id.to_owned(),
        time_zone: time_zone.to_owned(),
        chat_id: format!("th_{id}").into(),
    };
    store.add_family(&row).expect("a family");
    let user = User { id: format!("us_{id}").into(), name: "A parent".to_owned() };
    store.add_user(&family, &user).expect("a user");
    for number in 1..=9 {
        let id = format!("{canvases}-0000-4000-8000-00000000000{number}");
        let canvas = canvas(&id, &format!("Canvas {number}"), Some("5-7"));
        store.add_canvas(&family, &canvas).expect("a canvas");
    }
}

fn add_child(store: &dyn Writer, id: &str, name: &str) {
    let child = Child { id: id.into(), name: name.to_owned(), birth_date: date(2019, 4, 30) };
    store.add_child(&FamilyId::from(HOME.to_owned()), &child).expect("a child");
}

/// A canvas.
pub(crate) fn canvas(id: &str, name: &str, ages: Option<&str>) -> Canvas {
    Canvas {
        id: id.into(),
        name: name.to_owned(),
        emoji: Some("🎨".to_owned()),
        age_range: ages.map(str::to_owned),
    }
}

/// A canvas of [`HOME`] by its number, 1 to 9.
pub(crate) fn canvas_id(number: usize) -> String {
    format!("{}{number}", &CANVAS[..CANVAS.len() - 1])
}

/// A skill with one input.
pub(crate) fn sample() -> SkillWrite {
    SkillWrite {
        name: "Water the plants".to_owned(),
        description: "Reminds of the plants.".to_owned(),
        prompt: "Look at {{input.plant}}, then say what it needs.".to_owned(),
        category: Some(Category::Generic),
        input_variables: vec![dibber_skill::contract::InputVariable {
            name: "plant".to_owned(),
            ..Default::default()
        }],
        ..SkillWrite::default()
    }
}

/// The same as arguments of a call.
pub(crate) fn sample_arguments() -> Value {
    serde_json::to_value(sample()).expect("an object")
}

/// Arguments with others in their place, or beside them; null takes one away.
pub(crate) fn with(mut arguments: Value, others: Value) -> Value {
    let fields = arguments.as_object_mut().expect("an object");
    for (name, value) in object(others) {
        match value {
            Value::Null => drop(fields.remove(&name)),
            value => drop(fields.insert(name, value)),
        }
    }
    arguments
}

/// Returns an answer as the server repeats it from memory.
pub(crate) fn replayed(answer: &Value) -> Value {
    with(answer.clone(), json!({"replayed": true}))
}

/// An object as arguments.
pub(crate) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        other => panic!("not an object: {other}"),
    }
}

/// Calls a tool that answers.
pub(crate) async fn ok(client: &Client, tool: &str, arguments: Value) -> Value {
    let answer = client.call(tool, object(arguments), None).await;
    answer.unwrap_or_else(|error| panic!("{tool}: {error:?}"))
}

/// Calls a tool that refuses.
pub(crate) async fn refused(client: &Client, tool: &str, arguments: Value) -> ToolError {
    refusal(client.call(tool, object(arguments), None).await)
}

/// Calls a tool with an idempotency key.
pub(crate) async fn keyed(
    client: &Client,
    tool: &str,
    arguments: Value,
    key: &str,
) -> Result<Value, ClientError> {
    client.call(tool, object(arguments), Some(&IdempotencyKey::parse(key).expect("a key"))).await
}

/// The error of an answer that has to be one.
pub(crate) fn refusal(answer: Result<Value, ClientError>) -> ToolError {
    match answer {
        Err(ClientError::Refused(error)) => *error,
        other => panic!("not a refusal: {other:?}"),
    }
}

/// An error in one line: the code, the reason, and the path and reason of every fault.
pub(crate) fn outline(error: &ToolError) -> String {
    let reason = error.reason.as_deref().unwrap_or("-");
    let issues = error.details.as_ref().and_then(|details| details["issues"].as_array());
    let issues = issues
        .into_iter()
        .flatten()
        .map(|issue| format!(" {}={}", issue["path"].as_str().expect("a path"), issue["reason"]));
    format!("{} {reason}{}", error.code.name(), issues.collect::<String>().replace('"', ""))
}

/// Writes the sample skill, and gives its id.
pub(crate) async fn write_sample(client: &Client, others: Value) -> String {
    let written = ok(client, "skill_write", with(sample_arguments(), others)).await;
    written["skillId"].as_str().expect("an id").to_owned()
}

/// A reference to the skill of that id, as arguments.
pub(crate) fn skill_id(id: &str) -> Value {
    json!({"skillId": id})
}
