//! The instructions of every connection, and the guides that an agent reads before it writes.
//!
//! A guide does not repeat what the schema of a tool says of its arguments: a line
//! `<!-- arguments: skill_write -->` is replaced by the table of them.

use std::sync::LazyLock;

use super::argument_table::argument_table;
use dibber_skill::contract::GUIDES;

/// The beginning of a line that is replaced by the arguments of a tool.
const TABLE_BEGIN: &str = "<!-- arguments: ";
/// The end of such a line.
const TABLE_END: &str = " -->";

/// The media type of a guide.
pub const GUIDE_MIME_TYPE: &str = "text/markdown";

/// The instructions that every connection begins with: the mental model, the sequences, and which
/// guide to read when.
pub const INSTRUCTIONS: &str = include_str!("../guides/instructions.md");

/// One guide.
#[derive(Debug)]
pub struct Guide {
    /// The resource: `sprout://skill/authoring-guide`.
    pub uri: &'static str,
    /// The path under `/guides/` and in the source: `skill/authoring-guide.md`.
    pub path: &'static str,
    /// The title.
    pub title: &'static str,
    /// When to read it.
    pub about: &'static str,
    text: LazyLock<String>,
}

impl Guide {
    /// Returns the text, as Markdown.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// The guides, in the order of [`GUIDES`].
static ALL: [Guide; 3] = [
    Guide {
        uri: GUIDES[0].1,
        path: "skill/authoring-guide.md",
        title: "Authoring skills",
        about: "Read it before skill_write and skill_update.",
        text: LazyLock::new(|| with_tables(include_str!("../guides/skill/authoring-guide.md"))),
    },
    Guide {
        uri: GUIDES[1].1,
        path: "heartbeat/authoring-guide.md",
        title: "Scheduling with heartbeats",
        about: "Read it before heartbeat_create, heartbeat_update and heartbeat_due.",
        text: LazyLock::new(|| with_tables(include_str!("../guides/heartbeat/authoring-guide.md"))),
    },
    Guide {
        uri: GUIDES[2].1,
        path: "canvas/sdk.md",
        title: "Canvases in skills",
        about: "Read it before you link a canvas to a skill.",
        text: LazyLock::new(|| with_tables(include_str!("../guides/canvas/sdk.md"))),
    },
];

/// Returns every guide.
pub fn guides() -> &'static [Guide] {
    &ALL
}

/// Returns a list of the guides as Markdown, each with its resource and its path from `/`.
pub fn index() -> String {
    let mut index = "# Guides\n\n".to_owned();
    for Guide { uri, path, title, about, .. } in guides() {
        index += &format!("- [{title}](/guides/{path}) (`{uri}`): {about}\n");
    }
    index
}

/// Replaces each such line by the table of the arguments of its tool.
fn with_tables(source: &str) -> String {
    let mut text = String::with_capacity(source.len());
    for line in source.split_inclusive('\n') {
        let tool = line.trim_end().strip_prefix(TABLE_BEGIN);
        match tool.and_then(|tool| argument_table(tool.strip_suffix(TABLE_END)?)) {
            Some(table) => text += &table,
            None => text += line,
        }
    }
    text
}
