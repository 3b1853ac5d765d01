//! Machines of one project: each has a home directory, a journal and a copy of the files, in which
//! every text that somebody writes is another one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use dibber_skill::contract::{HeartbeatId, HeartbeatListItem, SkillId, StoredSkill};
use dibber_skill::discover;
use dibber_skill::draft::Draft;

use crate::support::Tree;
use crate::support::command::Dibber;
use crate::support::writers::World;

/// The name of the file that records what was published.
const LOCK: &str = "dibber.lock";

/// A machine: `home`, `data` and `project` in one directory.
pub(crate) struct Machine {
    tree: Tree,
}

/// What is published of a skill.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Content {
    pub(crate) label: String,
    pub(crate) summary: String,
    pub(crate) prompt: String,
}

/// A heartbeat of a skill: its name and its schedule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Heartbeat {
    pub(crate) name: String,
    pub(crate) cron: String,
}

impl Heartbeat {
    /// The heartbeat with this number, which fires once a day, and at no time when another one
    /// does.
    pub(crate) fn new(number: usize) -> Self {
        let cron = format!("{} {} * * *", number % 60, number / 60 % 24);
        Self { name: format!("Tea {}", word(number)), cron }
    }

    pub(crate) fn of_listed(listed: &HeartbeatListItem) -> Self {
        Self { name: listed.name.clone(), cron: listed.cron.clone() }
    }
}

/// A folder with a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Folder {
    /// Its path in the project.
    pub(crate) path: String,
    pub(crate) content: Content,
    /// The heartbeats of its `sprout.yaml`.
    pub(crate) heartbeats: Vec<Heartbeat>,
    /// The words in its files, also where another one is published in their place.
    pub(crate) words: BTreeSet<String>,
}

/// A record of `dibber.lock`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) path: String,
    pub(crate) skill_id: SkillId,
    pub(crate) content_hash: String,
    /// The heartbeats that were published, by their names.
    pub(crate) heartbeats: BTreeMap<String, HeartbeatId>,
}

/// A part of a skill that a person edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Label,
    Summary,
    First,
    Last,
}

impl Field {
    pub(crate) const ALL: [Self; 4] = [Self::Label, Self::Summary, Self::First, Self::Last];
}

impl Content {
    /// A skill with this heading, which no edit changes, and one word in each field.
    pub(crate) fn new(heading: &str, words: [&str; 4]) -> Self {
        let [label, summary, first, last] = words;
        Self {
            label: format!("Skill {label}"),
            summary: format!("Does what {summary} needs. Use when somebody asks for it."),
            prompt: format!(
                "\n# {heading}\n\nBegin with {first}.\n\nThen wait.\n\nThen look.\n\nThen go.\n\nEnd with {last}.\n"
            ),
        }
    }

    pub(crate) fn of_stored(stored: &StoredSkill) -> Self {
        Self {
            label: stored.name.clone(),
            summary: stored.description.clone(),
            prompt: stored.prompt.clone(),
        }
    }

    /// The heading, by which it is known from which skill a copy comes.
    pub(crate) fn heading(&self) -> &str {
        self.prompt.lines().find(|line| line.starts_with("# ")).unwrap_or_default()
    }

    /// The word of a field; none if somebody has removed it.
    pub(crate) fn word(&self, field: Field) -> Option<String> {
        let text = match field {
            Field::Label => &self.label,
            Field::Summary => &self.summary,
            Field::First => self.prompt.lines().find(|line| line.starts_with("Begin"))?,
            Field::Last => self.prompt.lines().find(|line| line.starts_with("End"))?,
        };
        words(text).into_iter().next()
    }

    /// The same with another word in a field.
    pub(crate) fn with(&self, field: Field, word: &str) -> Self {
        let mut words = Field::ALL.map(|field| self.word(field).unwrap_or_default());
        let at = Field::ALL.iter().position(|other| *other == field).expect("a field");
        word.clone_into(&mut words[at]);
        let [label, summary, first, last] = &words;
        Self::new(self.heading().trim_start_matches("# "), [label, summary, first, last])
    }
}

impl Machine {
    /// A machine with an empty project.
    pub(crate) fn new() -> Self {
        let machine = Self { tree: Tree::new() };
        machine.tree.write("project/dibber.toml", b"");
        for name in ["home", "data"] {
            fs::create_dir_all(machine.tree.path().join(name)).expect("a directory");
        }
        machine
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.tree.path().join("project")
    }

    /// A command in the project.
    pub(crate) fn dibber(&self, world: &World, arguments: &[&str]) -> Dibber {
        let home = self.tree.path().join("home");
        let mut dibber = world.command(&self.project(), &self.tree.path().join("data"), arguments);
        let places = [("HOME", ""), ("XDG_CONFIG_HOME", "config")];
        for (name, place) in places {
            dibber = dibber.env(name, &home.join(place).to_string_lossy());
        }
        dibber
    }

    /// The folders of skills, sorted by their paths.
    pub(crate) fn folders(&self) -> Vec<Folder> {
        let project = self.project();
        let (found, problems) = discover::find(std::slice::from_ref(&project));
        assert!(problems.is_empty() || found.is_empty(), "{problems:?}");
        let folders = found.iter().map(|found| {
            let skill = discover::load_published(found).expect("a skill");
            let draft = Draft::new(&skill);
            let heartbeats = draft.manifest.iter().flat_map(|manifest| &manifest.heartbeats);
            let heartbeats = heartbeats.map(|heartbeat| Heartbeat {
                name: heartbeat.name.value.clone(),
                cron: heartbeat.cron.value.clone(),
            });
            let heartbeats = heartbeats.collect();
            let draft = draft.certain().expect("a valid skill");
            let path = found.directory.strip_prefix(&project).expect("a path in the project");
            let content = Content {
                label: draft.name.clone(),
                summary: draft.description.clone(),
                prompt: draft.prompt.clone(),
            };
            let files = ["SKILL.md", "sprout.yaml"].map(|name| found.directory.join(name));
            let texts = files.map(|file| fs::read_to_string(file).unwrap_or_default());
            Folder {
                path: path.to_string_lossy().into_owned(),
                content,
                heartbeats,
                words: words(&texts.join("\n")),
            }
        });
        let mut folders: Vec<_> = folders.collect();
        folders.sort_by(|a, b| a.path.cmp(&b.path));
        folders
    }

    /// Writes the files of a skill.
    pub(crate) fn write(&self, path: &str, content: &Content, heartbeats: &[Heartbeat]) {
        let name = path.rsplit('/').next().expect("a name");
        let Content { label, summary, prompt } = content;
        let text = format!("---\nname: {name}\ndescription: {summary}\n---\n{prompt}");
        self.tree.write(&format!("project/{path}/SKILL.md"), text.as_bytes());
        let mut manifest = format!("label: {label}\n");
        if !heartbeats.is_empty() {
            manifest += "heartbeats:\n";
        }
        for Heartbeat { name, cron } in heartbeats {
            manifest += &format!("  - name: {name}\n    cron: {cron}\n");
        }
        self.tree.write(&format!("project/{path}/sprout.yaml"), manifest.as_bytes());
    }

    pub(crate) fn has(&self, path: &str) -> bool {
        self.project().join(path).exists()
    }

    /// Removes a folder.
    pub(crate) fn remove(&self, path: &str) {
        fs::remove_dir_all(self.project().join(path)).expect("a directory");
    }

    /// The text of `dibber.lock`, if there is one.
    pub(crate) fn lock(&self) -> Option<String> {
        fs::read_to_string(self.project().join(LOCK)).ok()
    }

    /// The records of `dibber.lock`.
    pub(crate) fn records(&self) -> Vec<Record> {
        let lock = self.lock().unwrap_or_default();
        let records = lock.split("[[skill]]").skip(1).map(|block| {
            let value = |key: &str| {
                let line =
                    block.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
                line.unwrap_or_default().trim_matches('"').to_owned()
            };
            let heartbeat = |line: &str| {
                let (name, rest) = line.strip_prefix('"')?.split_once("\" = { heartbeatId = \"")?;
                let (id, _) = rest.split_once('"')?;
                Some((name.to_owned(), id.to_owned().into()))
            };
            Record {
                path: value("path"),
                skill_id: value("skillId").into(),
                content_hash: value("contentHash"),
                heartbeats: block.lines().filter_map(heartbeat).collect(),
            }
        });
        records.collect()
    }

    /// Takes the record of another machine, or none if that has none.
    pub(crate) fn take_lock(&self, other: &Self) {
        let path = self.project().join(LOCK);
        match other.lock() {
            Some(lock) => fs::write(path, lock).expect("a file"),
            None if path.exists() => fs::remove_file(path).expect("a file"),
            None => {}
        }
    }

    /// Replaces all folders by those of another machine.
    pub(crate) fn take_folders(&self, other: &Self) {
        for folder in self.folders() {
            self.remove(&folder.path);
        }
        for folder in other.folders() {
            let (from, to) =
                (other.project().join(&folder.path), self.project().join(&folder.path));
            fs::create_dir_all(&to).expect("a directory");
            for entry in fs::read_dir(from).expect("a directory") {
                let entry = entry.expect("an entry");
                if entry.file_type().expect("a type").is_file() {
                    fs::copy(entry.path(), to.join(entry.file_name())).expect("a copy");
                }
            }
        }
    }
}

/// Returns the words that [`word`] makes.
pub(crate) fn words(text: &str) -> BTreeSet<String> {
    let parts = text.split(|c: char| !c.is_ascii_alphanumeric());
    let is_word = |part: &&str| {
        part.strip_prefix('w').is_some_and(|digits| {
            digits.len() == DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    parts.filter(is_word).map(str::to_owned).collect()
}

/// The digits of a word.
const DIGITS: usize = 4;

/// Returns the word with this number.
pub(crate) fn word(number: usize) -> String {
    format!("w{number:0DIGITS$}")
}
