//! Writers who publish the same skill, each from its own directory, over a network that loses
//! answers.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use dibber_client::IdempotencyKey;
use dibber_server::http::{Hosts, Limits};
use dibber_server::store::FamilyId;
use dibber_skill::contract::{
    HEARTBEAT_CREATE, HEARTBEAT_UPDATE, HeartbeatChange, HeartbeatCreate, HeartbeatId,
    HeartbeatListArguments, HeartbeatListItem, HeartbeatUpdate, SKILL_ARCHIVE, SKILL_UPDATE, Scope,
    SkillArchive, SkillId, SkillListArguments, SkillUpdate, StoredSkill, WireEnum,
};
use serde::Serialize;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::support::Tree;
use crate::support::command::{Dibber, Ended, state_in};
use crate::support::interceptor::{Interceptor, Mode};
use crate::support::stores::issue_token;
#[cfg(unix)]
use crate::support::terminal::Terminal;
use crate::support::wire::{HOME, TestServer, object};

/// The path of the skill in every writer's directory.
pub(crate) const SKILL: &str = "skills/water-plants";

/// How often it is looked whether something has happened.
const POLL: Duration = Duration::from_millis(2);

/// A server, and a proxy before it.
pub(crate) struct World {
    pub(crate) test_server: TestServer,
    pub(crate) interceptor: Interceptor,
    token: String,
    runtime: Runtime,
}

/// A directory with the skill, and a journal.
pub(crate) struct Writer {
    pub(crate) tree: Tree,
    data: Tree,
}

/// How a command ended.
pub(crate) enum End {
    /// By itself.
    Exit(Ended),
    /// It was killed once its write was intercepted.
    Killed,
}

impl End {
    /// The exit code; none of a command that was killed.
    pub(crate) fn code(&self) -> Option<i32> {
        match self {
            Self::Exit(ended) => Some(ended.code),
            Self::Killed => None,
        }
    }

    pub(crate) fn show(&self) -> String {
        match self {
            Self::Exit(ended) => ended.show(),
            Self::Killed => "killed".to_owned(),
        }
    }
}

/// What a server has.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Snapshot {
    pub(crate) skills: Vec<StoredSkill>,
    pub(crate) heartbeats: Vec<HeartbeatListItem>,
}

impl World {
    pub(crate) fn new() -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let test_server = TestServer::new();
        let user = format!("us_{HOME}");
        let token = issue_token(
            &test_server.server,
            &FamilyId::from(HOME.to_owned()),
            &user.as_str().into(),
            &Scope::all(),
        );
        let server = test_server.server.clone();
        let interceptor = runtime.block_on(async move {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
            let address: SocketAddr = listener.local_addr().expect("an address");
            tokio::spawn(async move {
                let (hosts, never) = (Hosts::new("127.0.0.1"), std::future::pending());
                server.listen(listener, hosts, Limits::default(), never).await;
            });
            Interceptor::before(address).await
        });
        Self { test_server, interceptor, token: token.expect("a token"), runtime }
    }

    /// A command of a writer that was not started yet.
    pub(crate) fn dibber(&self, writer: &Writer, arguments: &[&str]) -> Dibber {
        self.command(writer.tree.path(), writer.data.path(), arguments)
    }

    /// A command that runs in one directory and has its journal in another.
    pub(crate) fn command(&self, directory: &Path, data: &Path, arguments: &[&str]) -> Dibber {
        let host = self.interceptor.address.ip().to_string();
        self.command_at(&host, directory, data, arguments)
    }

    /// A command that calls the server by this name of this machine.
    fn command_at(&self, host: &str, directory: &Path, data: &Path, arguments: &[&str]) -> Dibber {
        let url = format!("http://{host}:{}/mcp", self.interceptor.address.port());
        Dibber::new(arguments)
            .arguments(&["--server", &url])
            .in_directory(directory)
            .data(data)
            .env("DIBBER_TOKEN", &self.token)
            .env("COLUMNS", "80")
    }

    /// A command of a writer at a terminal.
    #[cfg(unix)]
    pub(crate) fn terminal(&self, writer: &Writer, arguments: &[&str]) -> Terminal {
        let url = format!("http://{}/mcp", self.interceptor.address);
        let arguments = [arguments, &["--server", &url]].concat();
        let variables = [("NO_COLOR", "1"), ("DIBBER_TOKEN", &*self.token)];
        Terminal::start_with(writer.tree.path(), &writer.data, &arguments, &variables)
    }

    /// Runs a command over a network without faults.
    pub(crate) fn run(&self, writer: &Writer, arguments: &[&str]) -> Ended {
        self.dibber(writer, arguments).run()
    }

    /// Runs a command that calls the server by another name of this machine.
    pub(crate) fn run_at(&self, host: &str, writer: &Writer, arguments: &[&str]) -> Ended {
        self.command_at(host, writer.tree.path(), writer.data.path(), arguments).run()
    }

    /// Runs a command whose writes are intercepted. One that is held is killed.
    pub(crate) fn run_with(&self, writer: &Writer, arguments: &[&str], mode: Mode) -> End {
        self.intercept(self.dibber(writer, arguments), mode)
    }

    /// Runs a command whose writes are intercepted. One that is held is killed.
    pub(crate) fn intercept(&self, command: Dibber, mode: Mode) -> End {
        self.interceptor.set(mode);
        let before = self.interceptor.hits();
        let mut child = command.start();
        let is_held = matches!(mode, Mode::HoldRequest | Mode::HoldAnswer);
        let end = loop {
            if child.try_wait().expect("a process").is_some() {
                break End::Exit(Ended::of(&child.wait_with_output().expect("a process")));
            }
            if is_held && self.interceptor.hits() > before {
                child.kill().expect("it can be killed");
                child.wait().expect("a process");
                break End::Killed;
            }
            std::thread::sleep(POLL);
        };
        self.interceptor.set(Mode::Pass);
        end
    }

    /// What the server has, without what differs from call to call.
    pub(crate) fn snapshot(&self) -> Snapshot {
        self.snapshot_of(&SkillListArguments::default())
    }

    /// The same with the skills that are archived.
    pub(crate) fn snapshot_with_archived(&self) -> Snapshot {
        let list = SkillListArguments { include_archived: Some(true), ..Default::default() };
        self.snapshot_of(&list)
    }

    fn snapshot_of(&self, list: &SkillListArguments) -> Snapshot {
        self.runtime.block_on(async {
            let client = self.test_server.client(HOME);
            let list = SkillListArguments { limit: Some(200), ..list.clone() };
            let mut skills = Vec::new();
            for item in client.skill_list(&list).await.expect("a list").items {
                skills.push(client.skill_get(&item.skill_id).await.expect("a skill").skill);
            }
            let heartbeats = client
                .heartbeat_list(&HeartbeatListArguments::default())
                .await
                .expect("a list")
                .items;
            Snapshot { skills, heartbeats }
        })
    }

    /// Changes a skill as another client of the family does.
    pub(crate) fn update(&self, update: &SkillUpdate) {
        self.write(SKILL_UPDATE, update);
    }

    /// Archives or unarchives a skill, as another client of the family does.
    pub(crate) fn archive(&self, skill_id: &SkillId, archived: bool) {
        self.write(SKILL_ARCHIVE, &SkillArchive { skill_id: skill_id.clone(), archived });
    }

    /// Calls a tool that writes, as another client of the family does.
    fn write(&self, tool: &str, arguments: &impl Serialize) {
        let client = self.test_server.client(HOME);
        let arguments = object(serde_json::to_value(arguments).expect("an object"));
        let key = IdempotencyKey::new();
        self.runtime.block_on(client.call(tool, arguments, Some(&key))).expect("a write");
    }

    /// Creates a heartbeat that runs a skill, as another client of the family does.
    pub(crate) fn add_heartbeat(&self, name: &str, cron: &str, skill_id: &SkillId) {
        let create = HeartbeatCreate {
            name: name.to_owned(),
            cron: cron.to_owned(),
            run_skill_id: skill_id.clone(),
            ..HeartbeatCreate::default()
        };
        self.write(HEARTBEAT_CREATE, &create);
    }

    /// Changes a heartbeat as another client of the family does.
    pub(crate) fn change_heartbeat(&self, id: &HeartbeatId, change: HeartbeatChange) {
        self.write(HEARTBEAT_UPDATE, &HeartbeatUpdate { heartbeat_id: id.clone(), change });
    }

    /// The last line of the prompt of each skill.
    pub(crate) fn last_lines(&self) -> Vec<String> {
        let last = |skill: &StoredSkill| skill.prompt.lines().last().unwrap_or_default().to_owned();
        self.snapshot().skills.iter().map(last).collect()
    }
}

impl Writer {
    /// A writer whose directory has the skill, and has published nothing.
    pub(crate) fn new() -> Self {
        let writer = Self { tree: Tree::new(), data: Tree::new() };
        writer.tree.write("dibber.toml", b"");
        writer.set_line("the old text");
        writer
    }

    /// Writes the skill so that its prompt ends with that line.
    pub(crate) fn set_line(&self, line: &str) {
        let text = format!(
            "---\nname: water-plants\ndescription: Waters the plants. Use when the soil is \
             dry.\n---\n\n# Water plants\n\n{line}\n"
        );
        self.tree.write(&format!("{SKILL}/SKILL.md"), text.as_bytes());
    }

    /// Another writer who has the same files, as after `git clone`.
    pub(crate) fn cloned(&self) -> Self {
        let other = Self { tree: Tree::new(), data: Tree::new() };
        for path in ["dibber.toml", "dibber.lock", &format!("{SKILL}/SKILL.md")] {
            other.tree.write(path, self.tree.read(path).as_bytes());
        }
        let manifest = format!("{SKILL}/sprout.yaml");
        if self.tree.path().join(&manifest).exists() {
            other.tree.write(&manifest, self.tree.read(&manifest).as_bytes());
        }
        other
    }

    /// The number of writes that were begun and have not ended.
    pub(crate) fn unfinished(&self) -> usize {
        let Ok(directory) = std::fs::read_dir(self.journal()) else { return 0 };
        let names = directory.map(|entry| entry.expect("an entry").file_name());
        names.filter(|name| name.to_string_lossy().ends_with(".json")).count()
    }

    fn journal(&self) -> PathBuf {
        state_in(self.data.path()).join("journal")
    }

    /// The entries of the journal: the name and the content of each.
    pub(crate) fn journal_entries(&self) -> Vec<(OsString, Vec<u8>)> {
        let directory = std::fs::read_dir(self.journal()).expect("a journal");
        let entries = directory.map(|entry| entry.expect("an entry"));
        let entries =
            entries.filter(|entry| entry.file_name().to_string_lossy().ends_with(".json"));
        entries
            .map(|entry| (entry.file_name(), std::fs::read(entry.path()).expect("an entry")))
            .collect()
    }

    /// Writes entries that were there before.
    pub(crate) fn restore_journal(&self, entries: &[(OsString, Vec<u8>)]) {
        for (name, content) in entries {
            std::fs::write(self.journal().join(name), content).expect("a file");
        }
    }

    /// The directory of the database, and of what the client keeps.
    pub(crate) fn data(&self) -> &Tree {
        &self.data
    }
}
