//! Words that hint at the use of the network or of a shell.
//!
//! These are hints, not findings: a document may only mention such a command, and a program can do without
//! any of these words.

use crate::contents::SkillContents;

/// A word that hints at something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The path in the skill.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// What it hints at.
    pub kind: HintKind,
    /// The word.
    pub word: &'static str,
}

/// What a word hints at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HintKind {
    /// The use of the network.
    Network,
    /// Commands that are run.
    Shell,
}

impl HintKind {
    /// Returns the word that messages and JSON have for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Network => "network",
            Self::Shell => "shell",
        }
    }
}

/// The most hints of a kind in a file.
const HINTS_MAX: usize = 3;

/// The most bytes of a file in which hints are looked for (1 MiB).
const BYTES_MAX: usize = 1 << 20;

const WORDS: [(HintKind, &str); 26] = [
    (HintKind::Network, "curl "),
    (HintKind::Network, "wget "),
    (HintKind::Network, "Invoke-WebRequest"),
    (HintKind::Network, "Invoke-RestMethod"),
    (HintKind::Network, "import requests"),
    (HintKind::Network, "requests.get("),
    (HintKind::Network, "requests.post("),
    (HintKind::Network, "urllib"),
    (HintKind::Network, "http.client"),
    (HintKind::Network, "httpx"),
    (HintKind::Network, "import socket"),
    (HintKind::Network, "fetch("),
    (HintKind::Network, "axios"),
    (HintKind::Network, "WebFetch"),
    (HintKind::Shell, "subprocess"),
    (HintKind::Shell, "os.system("),
    (HintKind::Shell, "shell=True"),
    (HintKind::Shell, "child_process"),
    (HintKind::Shell, "eval("),
    (HintKind::Shell, "sudo "),
    (HintKind::Shell, "rm -rf"),
    (HintKind::Shell, "chmod +x"),
    (HintKind::Shell, "npm install"),
    (HintKind::Shell, "pip install"),
    (HintKind::Shell, "npx "),
    // Claude Code runs the command in the skill file when the skill is loaded.
    (HintKind::Shell, "!`"),
];

/// Returns the hints, in the order of the files and lines.
pub(super) fn hints(contents: &SkillContents) -> Vec<Hint> {
    let mut hints = Vec::new();
    for (path, file) in contents.files() {
        let beginning = &file.bytes[..file.bytes.len().min(BYTES_MAX)];
        let text = String::from_utf8_lossy(beginning);
        for kind in [HintKind::Network, HintKind::Shell] {
            let words = WORDS.iter().filter(|(of, _)| *of == kind).map(|(_, word)| *word);
            let found = words.flat_map(|word| {
                let places = text.match_indices(word).take(HINTS_MAX);
                places.map(move |(at, _)| (at, word))
            });
            let mut found: Vec<_> = found.collect();
            found.sort_unstable();
            for (at, word) in found.into_iter().take(HINTS_MAX) {
                let line = text[..at].matches('\n').count() + 1;
                hints.push(Hint {
                    path: path.as_str().to_owned(),
                    line,
                    kind,
                    word: word.trim_end(),
                });
            }
        }
    }
    hints
}
