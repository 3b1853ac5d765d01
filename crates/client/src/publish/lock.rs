//! `dibber.lock`: which skill of which server a folder was published as.
//!
//! The file is TOML, with a block for each skill and server, sorted by them and a line for each
//! fact: two branches that publish different skills merge without a conflict. It holds paths, ids,
//! hashes, times and the names of heartbeats, nothing of what a skill says, and no secret.
//!
//! It stands where `dibber.toml` stands or would stand, and its paths begin there. What the server
//! in the program has stored means nothing on another machine, so that is recorded in a file of
//! the same kind beside the database, with whole paths.

use std::collections::BTreeMap;
use std::fmt;

use jiff::Timestamp;
use serde::Deserialize;

use super::toml_text;

/// The name of the file.
pub const LOCK_FILE_NAME: &str = "dibber.lock";

/// The most bytes of the file that are read: some 100,000 skills (64 MiB).
pub const LOCK_BYTES_MAX: u64 = 64 << 20;

/// The version of the file's shape.
const VERSION: i64 = 1;

const HEADER: &str = "\
# What was published, and where. `dibber push` and `dibber pull` keep this file; commit it.
";

/// The beginnings of the lines between which git leaves a conflict.
const CONFLICT_MARKS: [&str; 3] = ["<<<<<<< ", "=======", ">>>>>>> "];

/// What was published, by the folder of the skill and the name of the server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lock {
    entries: BTreeMap<(String, String), Published>,
}

/// What a server has of the skill in one folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Published {
    /// The id of the skill there.
    pub skill_id: String,
    /// The spec-hash of what was published last: `h_…`.
    pub spec_hash: String,
    /// The content hash of what the server had after it: `c_…`. A skill with another one was
    /// changed since, by another writer.
    pub content_hash: Option<String>,
    /// When, in UTC (RFC 3339).
    pub time: String,
    /// The ids of its heartbeats there, by the names that `sprout.yaml` gives them.
    pub heartbeats: BTreeMap<String, String>,
}

/// Why a text is no `dibber.lock`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockError {
    /// The line, from 1, where that is known.
    pub line: Option<usize>,
    /// What is wrong, as a sentence fragment.
    pub message: String,
    /// The way out.
    pub help: &'static str,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LockV1 {
    #[serde(rename = "version")]
    _version: i64,
    #[serde(default, rename = "skill")]
    skills: Vec<SkillV1>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct SkillV1 {
    path: String,
    server: String,
    skill_id: String,
    spec_hash: String,
    content_hash: Option<String>,
    time: String,
    #[serde(default)]
    heartbeats: BTreeMap<String, String>,
}

/// The version alone, of a file that may be newer than this program.
#[derive(Deserialize)]
struct Versioned {
    version: i64,
}

impl Lock {
    /// Reads the text of a file. Nothing of it is left out: what cannot be understood is an error.
    pub fn parse(text: &str) -> Result<Self, LockError> {
        if let Some(line) = text.lines().position(is_conflict_mark) {
            return Err(LockError {
                line: Some(line + 1),
                message: "it holds the marks of a merge conflict".to_owned(),
                help: "keep the blocks of both sides and take the marks out; of two blocks with \
                       the same path and server, keep the newer one",
            });
        }
        let versioned: Result<Versioned, _> = toml::from_str(text);
        if let Some(version) = versioned.ok().map(|file| file.version).filter(|it| *it != VERSION) {
            return Err(LockError {
                line: None,
                message: format!(
                    "its version is {version}, and this dibber knows version {VERSION}"
                ),
                help: "use the dibber that has written it, or a newer one",
            });
        }
        let file: LockV1 = toml::from_str(text).map_err(|error| LockError {
            line: error.span().map(|span| line_of(text, span.start)),
            message: error.message().to_owned(),
            help: HELP,
        })?;
        let mut lock = Self::default();
        for skill in file.skills {
            let SkillV1 { path, server, skill_id, spec_hash, content_hash, time, heartbeats } =
                skill;
            let published = Published { skill_id, spec_hash, content_hash, time, heartbeats };
            if lock.entries.insert((path.clone(), server.clone()), published).is_some() {
                return Err(LockError {
                    line: None,
                    message: format!("it has two blocks for `{path}` on `{server}`"),
                    help: "keep the newer one",
                });
            }
        }
        Ok(lock)
    }

    /// The text of the file.
    pub fn write(&self) -> String {
        use toml_text::string;
        let mut out = format!("{HEADER}version = {VERSION}\n");
        for ((path, server), published) in &self.entries {
            let Published { skill_id, spec_hash, content_hash, time, heartbeats } = published;
            out += &format!("\n[[skill]]\npath = {}\nserver = {}\n", string(path), string(server));
            out += &format!("skillId = {}\nspecHash = {}\n", string(skill_id), string(spec_hash));
            if let Some(content_hash) = content_hash {
                out += &format!("contentHash = {}\n", string(content_hash));
            }
            out += &format!("time = {}\n", string(time));
            if !heartbeats.is_empty() {
                out += "[skill.heartbeats]\n";
            }
            for (name, id) in heartbeats {
                out += &format!("{} = {}\n", string(name), string(id));
            }
        }
        out
    }

    /// What a server has of the skill in the folder of that path.
    pub fn get(&self, path: &str, server: &str) -> Option<&Published> {
        self.entries.get(&(path.to_owned(), server.to_owned()))
    }

    /// The paths of the folders that were published as that skill.
    pub fn paths_of<'a>(
        &'a self,
        server: &'a str,
        skill_id: &'a str,
    ) -> impl Iterator<Item = &'a str> {
        let is_it = move |((_, on), published): &(&(String, String), &Published)| {
            on == server && published.skill_id == skill_id
        };
        self.entries.iter().filter(is_it).map(|((path, _), _)| path.as_str())
    }

    /// Records that the skill in a folder was published. Of the same skill, its heartbeats stay.
    pub fn record(&mut self, path: &str, server: &str, mut published: Published) {
        let key = (path.to_owned(), server.to_owned());
        if let Some(known) = self.entries.remove(&key)
            && known.skill_id == published.skill_id
            && published.heartbeats.is_empty()
        {
            published.heartbeats = known.heartbeats;
        }
        self.entries.insert(key, published);
    }

    /// Records that a heartbeat of a skill was made. False when the skill is not known, and then
    /// nothing is recorded.
    pub fn record_heartbeat(&mut self, path: &str, server: &str, name: &str, id: &str) -> bool {
        let entry = self.entries.get_mut(&(path.to_owned(), server.to_owned()));
        let Some(published) = entry else { return false };
        published.heartbeats.insert(name.to_owned(), id.to_owned());
        true
    }

    /// Forgets a heartbeat that is there no more.
    pub fn forget_heartbeat(&mut self, path: &str, server: &str, name: &str) {
        if let Some(published) = self.entries.get_mut(&(path.to_owned(), server.to_owned())) {
            published.heartbeats.remove(name);
        }
    }
}

/// What to do about a file that cannot be understood.
const HELP: &str = "take the file back from version control, or mend that line; nothing was \
                    overwritten";

/// Returns a time as a lock file has it: in UTC, with whole seconds (RFC 3339).
pub fn format_time(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

fn is_conflict_mark(line: &str) -> bool {
    let [ours, between, theirs] = CONFLICT_MARKS;
    line.starts_with(ours) || line == between || line.starts_with(theirs)
}

fn line_of(text: &str, at: usize) -> usize {
    text[..text.floor_char_boundary(at)].matches('\n').count() + 1
}

impl fmt::Display for LockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for LockError {}
