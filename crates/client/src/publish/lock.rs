//! `dibber.lock`: the skills on servers that directories were published as.
//!
//! The file is TOML, with a block for each skill and server, sorted by them and a line for each
//! fact: two branches that publish different skills merge without a conflict, and two machines that
//! publish the same content write the same block. It contains paths, ids, hashes and the names of
//! heartbeats, no text of a skill, no time and no secret.
//!
//! It is in the directory of `dibber.toml`, and its paths are relative to that directory. A server
//! is recorded by its id, which is the same at every address, and a server without one by its
//! address. For readers, a table has the first address of each id. Version 1 of the file has
//! addresses alone; it is read, and becomes version 2 when it is written.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;
use toml::Spanned;

use super::lock_error::LockError;
use super::lock_heartbeat::{self, HeartbeatRecord, INVALID_HEARTBEAT, INVALID_HEARTBEAT_HELP};
use super::lock_paths::LockPaths;
use super::published::{Published, PublishedHeartbeat};
use crate::recorded_server::{RecordedServer, is_url};
use dibber_catalog::added::AddedLock;
use dibber_skill::contract::{HeartbeatId, SkillId};
use dibber_skill::manifest::is_included_path;
use dibber_text::double_quoted as quoted;

/// The name of the file.
pub const LOCK_FILE_NAME: &str = "dibber.lock";

/// The most bytes of the file that are read: some 100,000 skills (64 MiB).
pub const LOCK_BYTES_MAX: u64 = 64 << 20;

/// The version of the file's shape.
const VERSION: i64 = 2;
/// The oldest version that is read.
const VERSION_MIN: i64 = 1;

const HEADER: &str = "\
# What was published, and where. `dibber push` and `dibber pull` keep this file; commit it.
";

/// The prefixes of the lines that git writes around a conflict.
const CONFLICT_MARKERS: [&str; 3] = ["<<<<<<< ", "=======", ">>>>>>> "];

/// What was published, by the path of the skill and the key of the server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lock {
    /// The address or the name by which each server was selected first, by its key.
    servers: BTreeMap<String, String>,
    pub(super) entries: BTreeMap<(String, String), Published>,
    /// The skills that were added from elsewhere, which remain as they are.
    added: AddedLock,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LockV2 {
    #[serde(rename = "version")]
    _version: i64,
    #[serde(default)]
    servers: BTreeMap<String, String>,
    #[serde(default, rename = "skill")]
    skills: Vec<SkillV2>,
    #[serde(default)]
    added: Vec<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct SkillV2 {
    path: Spanned<String>,
    server: String,
    /// Where the address of the server was, and when the skill was published.
    server_name: Option<String>,
    #[serde(rename = "time")]
    _time: Option<IgnoredAny>,
    skill_id: SkillId,
    spec_hash: String,
    server_hash: Option<String>,
    content_hash: Option<String>,
    #[serde(default)]
    fields: BTreeMap<String, String>,
    #[serde(default)]
    include: Vec<String>,
    #[serde(default)]
    heartbeats: BTreeMap<String, HeartbeatRecord>,
}

/// The version alone, of a file that may be newer than this program.
#[derive(Deserialize)]
struct Versioned {
    version: i64,
}

impl Lock {
    /// Parses the text of a file. Unknown keys are errors, so that nothing is lost when it is
    /// written, and so are paths that lead out of its directory.
    pub fn parse(text: &str) -> Result<Self, LockError> {
        Self::parse_with(text, LockPaths::Relative)
    }

    /// Parses the text of a file with these paths.
    pub(super) fn parse_with(text: &str, paths: LockPaths) -> Result<Self, LockError> {
        if let Some(line) = text.lines().position(is_conflict_marker) {
            return Err(LockError {
                line: Some(line + 1),
                message: "it contains conflict markers".to_owned(),
                help: "remove the markers: keep the blocks of both sides; within a block, and of \
                       two with the same path and server, keep all lines of one side; of the lines \
                       below `[skill.heartbeats]` and `[servers]`, keep those of both sides, each \
                       key once. If the server has the content of the other side, the next push \
                       says so",
            });
        }
        let versioned: Result<Versioned, _> = toml::from_str(text);
        let is_unknown = |version: &i64| !(VERSION_MIN..=VERSION).contains(version);
        if let Some(version) = versioned.ok().map(|file| file.version).filter(is_unknown) {
            return Err(LockError {
                line: None,
                message: format!(
                    "its version is {version}, and this dibber supports versions {VERSION_MIN} to \
                     {VERSION}"
                ),
                help: "use the version of dibber that has written it, or a newer one",
            });
        }
        let file: LockV2 = toml::from_str(text).map_err(|error| LockError {
            line: error.span().map(|span| line_of(text, span.start)),
            message: error.message().to_owned(),
            help: help_for(error.message()),
        })?;
        let added = parse_added(&file.added, text)?;
        let mut lock = Self { servers: file.servers, added, ..Self::default() };
        for skill in file.skills {
            let start = skill.path.span().start;
            let path = paths.normalize(skill.path.into_inner()).ok_or_else(|| LockError {
                line: Some(line_of(text, start)),
                message: "`path` is not a relative path without `..`".to_owned(),
                help: HELP,
            })?;
            let SkillV2 { server, skill_id, spec_hash, include, .. } = skill;
            if !include.iter().all(|path| is_included_path(path)) {
                return Err(LockError {
                    line: Some(line_of(text, start)),
                    message: "`include` has a path that is not one of a file in the skill"
                        .to_owned(),
                    help: HELP,
                });
            }
            let SkillV2 { server_name, server_hash, content_hash, fields, heartbeats, .. } = skill;
            if let Some(name) = server_name {
                lock.name_server(&server, name);
            }
            let published = Published {
                skill_id,
                spec_hash,
                server_hash,
                content_hash,
                fields,
                include,
                heartbeats: heartbeats.into_iter().map(|(name, it)| (name, it.into())).collect(),
            };
            if lock.entries.insert((path.clone(), server.clone()), published).is_some() {
                return Err(LockError {
                    line: None,
                    message: format!("it has two blocks for `{path}` on `{server}`"),
                    help: "keep one of them; if the server has the content of the other, the next \
                           push says so",
                });
            }
        }
        Ok(lock)
    }

    /// Returns the text of the file.
    pub fn write(&self) -> String {
        let mut out = format!("{HEADER}version = {VERSION}\n");
        let is_used = |server: &&String| self.entries.keys().any(|(_, on)| on == *server);
        let servers: Vec<_> = self.servers.keys().filter(is_used).collect();
        if !servers.is_empty() {
            out += "\n[servers]\n";
        }
        for server in servers {
            out += &format!("{} = {}\n", quoted(server), quoted(&self.servers[server]));
        }
        for ((path, server), published) in &self.entries {
            let Published { skill_id, spec_hash, server_hash, content_hash, .. } = published;
            let Published { fields, include, heartbeats, .. } = published;
            // The first and the last line differ from those of every other block: where two branches
            // have added a block at the same place, git keeps both in one piece.
            let path = quoted(path);
            out += &format!("\n[[skill]] # {path}\npath = {path}\nserver = {}\n", quoted(server));
            out += &format!("skillId = {}\n", quoted(skill_id.as_str()));
            if !include.is_empty() {
                let include: Vec<_> = include.iter().map(|path| quoted(path)).collect();
                out += &format!("include = [{}]\n", include.join(", "));
            }
            out += &format!("specHash = {}\n", quoted(spec_hash));
            if let Some(server_hash) = server_hash {
                out += &format!("serverHash = {}\n", quoted(server_hash));
            }
            if let Some(content_hash) = content_hash {
                out += &format!("contentHash = {}\n", quoted(content_hash));
            }
            if !fields.is_empty() {
                out += &format!("fields = {}\n", lock_heartbeat::inline_table(fields));
            }
            if !heartbeats.is_empty() {
                out += "[skill.heartbeats]\n";
            }
            for (name, heartbeat) in heartbeats {
                out += &format!("{} = {}\n", quoted(name), lock_heartbeat::to_toml(heartbeat));
            }
        }
        if self.added.skills().len() > 0 { self.added.write_into(&out) } else { out }
    }

    /// Returns what the directory at a path was published as.
    pub fn get(&self, path: &str, server: &str) -> Option<&Published> {
        self.entries.get(&(path.to_owned(), server.to_owned()))
    }

    /// Returns the keys of the servers to which the directory at a path was published, each with its
    /// address and what is recorded.
    pub fn servers_of<'a>(
        &'a self,
        path: &'a str,
    ) -> impl Iterator<Item = (&'a str, Option<&'a str>, &'a Published)> {
        let entries = self.entries.iter().filter(move |((at, _), _)| at == path);
        entries.map(|((_, server), published)| {
            // A server without an id is recorded by its address.
            let address = self.servers.get(server).or(Some(server).filter(|key| is_url(key)));
            (server.as_str(), address.map(String::as_str), published)
        })
    }

    /// Records the address of a server, unless one is recorded: those of other machines differ.
    pub(super) fn name_server(&mut self, server: &str, name: String) {
        self.servers.entry(server.to_owned()).or_insert(name);
    }

    /// Returns the paths of the directories that were published as a skill.
    pub fn paths_of<'a>(
        &'a self,
        server: &'a str,
        skill_id: &'a SkillId,
    ) -> impl Iterator<Item = &'a str> {
        let is_it = move |((_, on), published): &(&(String, String), &Published)| {
            on == server && published.skill_id == *skill_id
        };
        self.entries.iter().filter(is_it).map(|((path, _), _)| path.as_str())
    }

    /// Returns everything that is recorded, of all servers, each with its path.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &Published)> {
        self.entries.iter().map(|((path, _), published)| (path.as_str(), published))
    }

    /// Returns what was published to a server, by path.
    pub fn published_on<'a>(
        &'a self,
        server: &'a str,
    ) -> impl Iterator<Item = (&'a str, &'a Published)> {
        let entries = self.entries.iter().filter(move |((_, on), _)| on == server);
        entries.map(|((path, _), published)| (path.as_str(), published))
    }

    /// Removes what is recorded for a path, and returns it.
    pub fn remove(&mut self, path: &str, server: &str) -> Option<Published> {
        self.entries.remove(&(path.to_owned(), server.to_owned()))
    }

    /// Records that the directory at a path was published. If it is the same skill as before, its
    /// heartbeats remain recorded, and so does the hash of the server for the same spec-hash.
    pub fn record(&mut self, path: &str, server: &str, mut published: Published) {
        let key = (path.to_owned(), server.to_owned());
        if let Some(known) = self.entries.remove(&key)
            && known.skill_id == published.skill_id
        {
            if published.heartbeats.is_empty() {
                published.heartbeats = known.heartbeats;
            }
            if known.spec_hash == published.spec_hash {
                published.server_hash = published.server_hash.or(known.server_hash);
            }
        }
        self.entries.insert(key, published);
    }

    /// Records what an earlier version has recorded elsewhere, unless there is a record.
    pub(super) fn record_former(&mut self, path: &str, server: &str, published: Published) {
        if self.get(path, server).is_none() {
            self.record(path, server, published);
        }
    }

    /// Records for the key of a server what is recorded for its address.
    pub(super) fn adopt_address(&mut self, server: &RecordedServer) {
        if server.key() == server.name() {
            return;
        }
        let is_its = |(_, on): &(String, String), _: &mut Published| on == server.name();
        let found: Vec<_> = self.entries.extract_if(.., is_its).collect();
        if let Some(name) = server.hint().filter(|_| !found.is_empty()) {
            self.name_server(server.key(), name);
        }
        for ((path, _), published) in found {
            self.record_former(&path, server.key(), published);
        }
    }

    /// Returns `true` if nothing is recorded.
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.added.skills().len() == 0
    }

    /// Records a heartbeat of a skill. Returns `false`, and records nothing, if the skill is not
    /// recorded.
    pub fn record_heartbeat(
        &mut self,
        path: &str,
        server: &str,
        name: &str,
        heartbeat: PublishedHeartbeat,
    ) -> bool {
        let entry = self.entries.get_mut(&(path.to_owned(), server.to_owned()));
        let Some(published) = entry else { return false };
        let is_it = |other: &PublishedHeartbeat| other.heartbeat_id == heartbeat.heartbeat_id;
        // It may have had another name until now.
        published.heartbeats.retain(|_, other| !is_it(other));
        published.heartbeats.insert(name.to_owned(), heartbeat);
        true
    }

    /// Removes what is recorded of a heartbeat under this name.
    pub(super) fn forget_heartbeat_name(&mut self, path: &str, server: &str, name: &str) {
        if let Some(published) = self.entries.get_mut(&(path.to_owned(), server.to_owned())) {
            published.heartbeats.remove(name);
        }
    }

    /// Removes what is recorded of a heartbeat.
    pub fn remove_heartbeat(&mut self, path: &str, server: &str, id: &HeartbeatId) {
        if let Some(published) = self.entries.get_mut(&(path.to_owned(), server.to_owned())) {
            published.heartbeats.retain(|_, other| other.heartbeat_id != *id);
        }
    }
}

/// What to do about a key that a block has twice.
const DUPLICATE_HELP: &str = "keep one of the two lines, and begin the block of each skill with a \
                              `[[skill]]` line of its own; in a merge, `git checkout --theirs \
                              dibber.lock`, or `--ours`, takes the file of one side; nothing was \
                              overwritten";

/// What to do about another invalid file.
const HELP: &str = "restore the file from version control, or correct the line; nothing was \
                    overwritten";

/// Returns what to do about an error of the parser.
fn help_for(error: &str) -> &'static str {
    if error.starts_with("duplicate key") {
        DUPLICATE_HELP
    } else if error.starts_with(INVALID_HEARTBEAT) {
        INVALID_HEARTBEAT_HELP
    } else {
        HELP
    }
}

/// Parses the skills that were added, if there are any.
fn parse_added(added: &[IgnoredAny], text: &str) -> Result<AddedLock, LockError> {
    if added.is_empty() {
        return Ok(AddedLock::default());
    }
    let added = AddedLock::parse(text);
    added.map_err(|error| LockError { line: error.line, message: error.message, help: HELP })
}

fn is_conflict_marker(line: &str) -> bool {
    let [ours, between, theirs] = CONFLICT_MARKERS;
    line.starts_with(ours) || line == between || line.starts_with(theirs)
}

fn line_of(text: &str, at: usize) -> usize {
    text[..text.floor_char_boundary(at)].matches('\n').count() + 1
}
