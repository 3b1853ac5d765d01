//! The keys of a manifest, and which of them an unknown one was meant to be.

use crate::skill::Entry;
use dibber_text::{Message, closest_match, message};

/// The keys of one kind of mapping.
pub(super) struct Keys {
    /// The mapping, as messages name it.
    pub(super) of: &'static str,
    /// The keys, in the order of the documentation.
    pub(super) known: &'static [&'static str],
    /// What people write instead of one of them.
    instead: &'static [(&'static str, &'static str)],
    /// What people write that belongs elsewhere, and where.
    elsewhere: &'static [(&'static str, &'static str)],
}

pub(super) const MANIFEST: Keys = Keys {
    of: "`sprout.yaml`",
    known: &[
        "label",
        "summary",
        "category",
        "hands",
        "inputs",
        "include",
        "kidCallable",
        "ageRange",
        "canvases",
        "result",
        "heartbeats",
    ],
    instead: &[
        ("name", "label"),
        ("title", "label"),
        ("description", "summary"),
        ("tools", "hands"),
        ("allowed-tools", "hands"),
        ("handsReferenced", "hands"),
        ("inputVariables", "inputs"),
        ("variables", "inputs"),
        ("includes", "include"),
        ("files", "include"),
        ("resources", "include"),
        ("age", "ageRange"),
        ("ages", "ageRange"),
        ("canvasIds", "canvases"),
        ("responseModel", "result"),
        ("results", "result"),
        ("output", "result"),
        ("schedule", "heartbeats"),
        ("schedules", "heartbeats"),
        ("cron", "heartbeats"),
    ],
    elsewhere: &[
        ("prompt", "the prompt is the text below the frontmatter of `SKILL.md`"),
        ("instructions", "the prompt is the text below the frontmatter of `SKILL.md`"),
        ("timezone", "write it as `tz` in an item of `heartbeats`"),
        ("tz", "write it in an item of `heartbeats`"),
        ("<<", "merge keys are not supported; write the keys out"),
    ],
};

pub(super) const INPUT: Keys = Keys {
    of: "an input",
    known: &["name", "type", "description", "required"],
    instead: &[("summary", "description"), ("desc", "description"), ("label", "name")],
    elsewhere: &[
        ("optional", "write `required: false` for an input that may be left out"),
        (
            "default",
            "with `required: false`, an input without a value is filled with an empty string",
        ),
        ("<<", "merge keys are not supported; write the keys out"),
    ],
};

pub(super) const HEARTBEAT: Keys = Keys {
    of: "a heartbeat",
    known: &["name", "cron", "tz", "input", "assignmentSkill", "postResultNotify", "missedFires"],
    instead: &[
        ("label", "name"),
        ("title", "name"),
        ("schedule", "cron"),
        ("timezone", "tz"),
        ("skillInput", "input"),
        ("assignmentSkillId", "assignmentSkill"),
        ("notify", "postResultNotify"),
        ("missed", "missedFires"),
    ],
    elsewhere: &[("<<", "merge keys are not supported; write the keys out")],
};

impl Keys {
    /// Returns the key that `written` was probably meant to be.
    pub(super) fn meant(&self, written: &str) -> Option<&'static str> {
        if self.elsewhere(written).is_some() {
            return None;
        }
        let same = |key: &str| is_same(key, written);
        let known = self.known.iter().copied();
        let instead = self.instead.iter().find(|(word, _)| same(word)).map(|(_, key)| *key);
        known.clone().find(|key| same(key)).or(instead).or_else(|| closest_match(written, known))
    }

    /// Returns what to do about `written`, which is none of the keys, in a mapping of `entries`.
    pub(super) fn help(&self, written: &str, entries: &[Entry]) -> Message {
        if let Some(help) = self.elsewhere(written) {
            return help.into();
        }
        let is_there = |key| entries.iter().any(|entry| entry.key.as_str() == Some(key));
        match self.meant(written) {
            Some(key) if is_there(key) => {
                message!["remove it; `", key, "` is already set"]
            }
            Some(key) => message!["write `", key, "`"],
            None => message![
                "the keys of ",
                self.of,
                " are ",
                Message::join(self.known.iter().copied(), ", ")
            ],
        }
    }

    fn elsewhere(&self, written: &str) -> Option<&'static str> {
        self.elsewhere.iter().find(|(word, _)| is_same(word, written)).map(|(_, help)| *help)
    }
}

/// Returns `true` if two keys differ only in uppercase letters and in what joins their words.
fn is_same(key: &str, written: &str) -> bool {
    fn letters(key: &str) -> impl Iterator<Item = char> {
        let is_part = |c: &char| !matches!(c, '-' | '_' | ' ');
        key.chars().filter(is_part).map(|c| c.to_ascii_lowercase())
    }
    letters(key).eq(letters(written))
}
