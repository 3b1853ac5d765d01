//! One push through a network that breaks: nothing is written twice, no success is reported
//! falsely, nothing is lost.

use std::collections::BTreeMap;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use dibber_client::publish::{
    CurrentSkills, ForeignChanges, ListedSkills, LockKey, Moves, Permission, Previews,
    PublishError, Publisher, PushPolicy, Records, SkillBlocked, SkillDraft, SkillStep,
    apply_skills, plan_skills,
};
use dibber_client::{Client, ClientError, Endpoint, Journal, Options, Retry, Token};
use dibber_server::http::{Hosts, Limits};
use dibber_server::store::FamilyId;
use dibber_skill::contract::{
    SKILL_WRITE, Scope, SkillId, SkillListArguments, SkillWrite, WireEnum,
};
use dibber_skill::spec_hash::SpecHash;
use jiff::Timestamp;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::runtime::{Handle, Runtime};

use crate::client::publish_workflow::{lock_files, recorded_server};
use crate::support::chance::Chance;
use crate::support::fault_proxy::{End, Fault, Proxy};
use crate::support::stores::issue_token;
use crate::support::wire::{HOME, NOW, TestServer, object, sample};

/// How many pushes run at the same time.
pub(super) const AT_ONCE: usize = 8;
/// How many pushes go to one server: their skills are one page of a list, so that the requests of each
/// push are the same.
const PER_SERVER: usize = 150;
/// How many schedules of faults are tried.
const SCHEDULES: u64 = 1_000;
/// From how many bytes the quick sweep takes one.
const BYTES_PER_FAULT: usize = 8;
/// How long the client waits for an answer while there are faults: short, and long enough for a
/// busy machine to answer where there is none.
const IMPATIENCE: Duration = Duration::from_secs(1);
/// At every how many bytes nothing more comes, which lasts as long as the client waits.
const STALL_EVERY: usize = 61;

pub(super) fn now() -> Timestamp {
    NOW.parse().expect("a time")
}

/// A server over HTTP with one family.
pub(super) struct Served {
    pub(super) test_server: TestServer,
    pub(super) address: SocketAddr,
    token: Token,
}

impl Served {
    pub(super) async fn new() -> Self {
        let test_server = TestServer::new();
        let family = FamilyId::from(HOME.to_owned());
        let user = format!("us_{HOME}");
        let token = issue_token(&test_server.server, &family, &user.as_str().into(), &Scope::all())
            .expect("a token");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let server = test_server.server.clone();
        tokio::spawn(async move {
            server
                .listen(
                    listener,
                    Hosts::new("127.0.0.1"),
                    Limits::default(),
                    std::future::pending(),
                )
                .await;
        });
        Self { test_server, address, token: Token::parse(&token).expect("a token") }
    }

    pub(super) fn client(&self, address: SocketAddr, options: Options) -> Client {
        let url = format!("http://{address}/mcp").parse().expect("an address");
        Client::new(
            Endpoint::Http {
                url,
                token: Some(self.token.clone()),
                sign_in: None,
                headers: Vec::new(),
                authority: None,
            },
            options,
        )
    }

    /// The ids of the skills of each name.
    async fn skills(&self) -> BTreeMap<String, Vec<SkillId>> {
        let client = self.test_server.client(HOME);
        let mut skills: BTreeMap<String, Vec<SkillId>> = BTreeMap::new();
        let mut list = SkillListArguments { limit: Some(200), ..SkillListArguments::default() };
        loop {
            let page = client.skill_list(&list).await.expect("a page");
            for item in page.items {
                skills.entry(item.name).or_default().push(item.skill_id);
            }
            list.cursor = page.next_cursor;
            if list.cursor.is_none() {
                return skills;
            }
        }
    }
}

/// Options for a broken network, with so many attempts.
pub(super) fn impatient(attempts: u32) -> Options {
    Options {
        timeout: IMPATIENCE,
        retry: Retry {
            attempts,
            first: Duration::from_millis(1),
            max: Duration::from_millis(4),
            retry_after_max: Duration::ZERO,
            total: Duration::from_mins(1),
        },
        clock: now,
    }
}

/// Options for a network that is whole, on a machine that is busy.
pub(super) fn patient() -> Options {
    Options { timeout: Duration::from_mins(1), ..impatient(5) }
}

/// Pushes one new skill, as `dibber push --new` does. Each is pushed from the same directory.
async fn push(
    client: &Client,
    directory: &Path,
    skill: &SkillWrite,
) -> Result<SkillId, PublishError> {
    let call = object(serde_json::to_value(skill).expect("an object"));
    let draft = SkillDraft {
        arguments: skill,
        hash: SpecHash::compute(SKILL_WRITE, &call).expect("a hash"),
        include: Vec::new(),
        key: LockKey::new(&directory.join("plants")),
        permission: Permission::Allowed,
        foreign_changes: ForeignChanges::Block,
        merged_content: None,
        moved: None,
        interrupted_at: None,
    };
    let policy = PushPolicy {
        records: Records::Ignore,
        moves: Moves::Certain,
        previews: Previews::Required,
    };
    let (mut locks, listed) = (lock_files(), ListedSkills::new(client));
    let journal = &Journal::new(journal_in(directory));
    let publisher = Publisher { client, journal, server: recorded_server(), clock: now };
    let planned = plan_skills(vec![draft], policy, publisher, (&mut locks, &listed), || {});
    let planned = Box::pin(planned).await?;
    if let SkillStep::Blocked(SkillBlocked::Call(error)) = &planned[0].step {
        return Err(error.clone().into());
    }
    let steps = planned.iter().map(|planned| (&planned.draft, &planned.step));
    let applied = Box::pin(apply_skills(
        steps,
        publisher,
        (&mut locks, &CurrentSkills::new(&listed)),
        &mut (),
    ))
    .await;
    assert!(applied.failure.is_none(), "{applied:?}");
    applied.results.into_iter().flatten().next().expect("a result")
}

fn journal_in(directory: &Path) -> PathBuf {
    directory.join("journal")
}

/// A push that goes wrong.
struct Case {
    name: String,
    /// What happens to its requests, one after the other.
    faults: Vec<Option<Fault>>,
    /// How often each call is tried.
    attempts: u32,
    /// Whether the client is connected before there are faults.
    is_connected: bool,
}

/// Returns a new directory of a project, in memory if possible, so that nothing waits for a disk.
fn project_directory() -> TempDir {
    let directory = TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).expect("a directory");
    fs::write(directory.path().join("dibber.toml"), "").expect("a file");
    directory
}

/// A client that pushes one skill after the other.
struct Worker {
    served: Arc<Served>,
    /// A client without faults.
    whole: Client,
    /// The project, with the journal.
    directory: TempDir,
    /// Up to where in the store it has looked.
    seen: Option<SkillId>,
}

impl Worker {
    fn new(served: Arc<Served>) -> Self {
        let whole = served.client(served.address, patient());
        Self { served, whole, directory: project_directory(), seen: None }
    }

    /// A push through faults, and again when it failed. Returns the id that was reported, and how
    /// the first one ended.
    async fn push(&mut self, case: &Case) -> (SkillId, Option<PublishError>) {
        let Case { name, faults, .. } = case;
        let skill = SkillWrite { name: name.clone(), ..sample() };
        let proxy = Proxy::before(self.served.address).await;
        let client = self.served.client(proxy.address, impatient(case.attempts));
        if case.is_connected {
            // Whether a busy machine answers in time is not what this is about.
            let _ = client.tools().await;
        }
        proxy.plan.set(faults.clone());
        let error = match push(&client, self.directory.path(), &skill).await {
            Ok(id) => return (id, None),
            Err(error) => error,
        };
        if !matches!(error, PublishError::Call(ClientError::OutcomeUnknown(_))) {
            assert!(!self.sees(name), "{name} is there: {error}; {faults:?}");
        }
        let again = push(&self.whole, self.directory.path(), &skill).await;
        let id = again.unwrap_or_else(|again| {
            panic!("{name}: {again}, without faults, after {error}; {faults:?}")
        });
        let left = fs::read_dir(journal_in(self.directory.path())).expect("a journal");
        let left = left.filter(|entry| {
            let name = entry.as_ref().expect("an entry").file_name();
            Path::new(&name).extension().is_some()
        });
        assert_eq!(left.count(), 0, "{name}: the journal is not empty; {faults:?}");
        (id, Some(error))
    }

    /// Returns `true` if a skill of that name was made since it looked last.
    fn sees(&mut self, name: &str) -> bool {
        let skills = self.served.test_server.skills_after(self.seen.clone());
        if let Some((id, _)) = skills.last() {
            self.seen = Some(id.clone());
        }
        skills.iter().any(|(_, other)| other == name)
    }
}

/// Runs pushes, and looks whether each is in the store once.
fn run_all(cases: Vec<Case>) -> BTreeMap<&'static str, usize> {
    let mut endings = BTreeMap::new();
    let mut cases = cases.into_iter().peekable();
    while cases.peek().is_some() {
        for (ending, count) in run_on_one_server(cases.by_ref().take(PER_SERVER).collect()) {
            *endings.entry(ending).or_default() += count;
        }
    }
    endings
}

/// Runs pushes to one server, a few at the same time.
fn run_on_one_server(cases: Vec<Case>) -> BTreeMap<&'static str, usize> {
    let runtime = Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let served = Arc::new(Served::new().await);
        let cases = Arc::new(cases);
        let next = Arc::new(AtomicUsize::new(0));
        let workers: Vec<_> = (0..AT_ONCE)
            .map(|_| {
                let mut worker = Worker::new(served.clone());
                let (cases, next) = (cases.clone(), next.clone());
                let handle = Handle::current();
                // A push stays on one thread.
                tokio::task::spawn_blocking(move || {
                    let mut published = Vec::new();
                    while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let pushed = handle.block_on(worker.push(case));
                        published.push((case.name.clone(), pushed));
                    }
                    published
                })
            })
            .collect();
        let mut endings = BTreeMap::new();
        let mut published = BTreeMap::new();
        for worker in workers {
            for (name, (id, error)) in worker.await.expect("no panic") {
                *endings.entry(ending(error.as_ref())).or_default() += 1;
                published.insert(name, vec![id]);
            }
        }
        assert_eq!(published.len(), cases.len());
        assert_eq!(served.skills().await, published, "each once, with the id that was reported");
        endings
    })
}

fn ending(error: Option<&PublishError>) -> &'static str {
    match error {
        None => "done",
        Some(PublishError::Call(ClientError::OutcomeUnknown(_))) => "unknown",
        Some(PublishError::Call(ClientError::Unreachable(_) | ClientError::AnswerLost(_))) => {
            "unreachable"
        }
        Some(PublishError::Call(ClientError::Unauthorized)) => "unauthorized",
        Some(PublishError::Call(ClientError::Protocol(_))) => "protocol",
        Some(_) => "refused",
    }
}

/// The bytes of the requests and replies of a dry-run, a list and a commit.
fn lengths() -> Vec<(usize, usize)> {
    let runtime = Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let served = Served::new().await;
        let proxy = Proxy::before(served.address).await;
        let client = served.client(proxy.address, patient());
        client.tools().await.expect("a server");
        proxy.lengths.lock().expect("no panic").clear();
        let directory = project_directory();
        let skill = SkillWrite { name: "Plant 00000".to_owned(), ..sample() };
        push(&client, directory.path(), &skill).await.expect("a push");
        proxy.lengths.lock().expect("no panic").clone()
    })
}

/// What can happen at a byte of a request and of its reply.
fn faults_at(at: usize) -> [Vec<Fault>; 2] {
    let stall = at.is_multiple_of(STALL_EVERY);
    let request =
        [Fault::Request(at, End::Reset), Fault::Request(at, End::Close), Fault::CorruptRequest(at)];
    let reply =
        [Fault::Reply(at, End::Reset), Fault::Reply(at, End::Close), Fault::CorruptReply(at)];
    [
        request.into_iter().chain(stall.then_some(Fault::Request(at, End::Stall))).collect(),
        reply.into_iter().chain(stall.then_some(Fault::Reply(at, End::Stall))).collect(),
    ]
}

/// Faults at the bytes that a push sends and gets, one at one of a few bytes that chance chooses;
/// with `DIBBER_EVERY_FAULT`, each of them at each byte, which takes minutes.
#[test]
fn a_push_survives_a_fault_at_every_byte() {
    let lengths = lengths();
    assert_eq!(lengths.len(), 3, "a dry-run, a list and a commit");
    let each = std::env::var_os("DIBBER_EVERY_FAULT").is_some();
    let mut chance = Chance::new(0);
    let mut cases = Vec::new();
    for (index, (request, reply)) in lengths.into_iter().enumerate() {
        let mut add = |fault: Fault| {
            let mut faults = vec![None; index];
            faults.push(Some(fault));
            let name = format!("Plant {:05}", cases.len());
            cases.push(Case { name, faults, attempts: 1, is_connected: true });
        };
        add(Fault::Refuse);
        for at in 0..=request.max(reply) {
            for (faults, length) in faults_at(at).into_iter().zip([request, reply]) {
                let one = chance.below(faults.len() * BYTES_PER_FAULT);
                let chosen = |number: usize| at <= length && (each || number == one);
                let faults = faults.into_iter().enumerate();
                faults.filter(|(number, _)| chosen(*number)).for_each(|(_, fault)| add(fault));
            }
        }
    }
    let endings = run_all(cases);
    assert!(endings["unknown"] > 0 && endings["unreachable"] > 0, "{endings:?}");
}

fn some_fault(chance: &mut Chance) -> Option<Fault> {
    let at = chance.below(1_200);
    let end = [End::Reset, End::Close][chance.below(2)];
    Some(match chance.below(48) {
        0..=3 => Fault::Refuse,
        4..=9 => Fault::Request(at, end),
        10..=17 => Fault::Reply(at, end),
        18 => Fault::Reply(at, End::Stall),
        19 => Fault::Request(at, End::Stall),
        20..=22 => Fault::CorruptRequest(at),
        23..=25 => Fault::CorruptReply(at),
        26..=28 => Fault::Longer(1 + chance.below(100)),
        29..=32 => Fault::Twice,
        33..=36 => some_status(chance),
        _ => return None,
    })
}

fn some_status(chance: &mut Chance) -> Fault {
    let status = [408, 425, 429, 500, 502, 503, 504][chance.below(7)];
    let after = [None, Some("0"), Some("60"), Some("Sat, 23 May 2026 11:59:00 GMT")];
    Fault::Status(status, after[chance.below(4)].map(str::to_owned))
}

#[test]
fn a_push_survives_a_thousand_schedules_of_faults() {
    let case = |seed: u64| {
        let mut chance = Chance::new(seed);
        let faults = (0..4 + chance.below(8)).map(|_| some_fault(&mut chance)).collect();
        Case { name: format!("Seed {seed:04}"), faults, attempts: 3, is_connected: false }
    };
    let endings = run_all((0..SCHEDULES).map(case).collect());
    assert!(endings["done"] > 0 && endings["unknown"] > 0, "{endings:?}");
}

/// The message of a client whose server asks for a wait that it does not grant.
fn message_for(retry_after: &str) -> String {
    let runtime = Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let served = Served::new().await;
        let proxy = Proxy::before(served.address).await;
        proxy.plan.set([Some(Fault::Status(429, Some(retry_after.to_owned())))]);
        let client = served.client(proxy.address, patient());
        let message =
            client.server().await.map_or_else(|error| error.to_string(), |_| String::new());
        assert!(proxy.plan.is_over());
        message
    })
}

#[test]
fn the_wait_that_a_server_asks_for_is_reported() {
    let asks = |seconds: u64| {
        format!(
            "the server accepts no more requests for now: it answered HTTP 429 (it asks to wait for \
             {seconds} seconds)"
        )
    };
    assert_eq!(message_for("7"), asks(7));
    assert_eq!(message_for("Sat, 23 May 2026 12:01:00 GMT"), asks(59));
    // A wait that is over or malformed is ignored.
    assert_eq!(message_for("0"), "");
    assert_eq!(message_for("Sat, 23 May 2026 11:00:00 GMT"), "");
    assert_eq!(message_for("soon"), "");
}
