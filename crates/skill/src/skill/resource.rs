//! The other text files of a skill, next to its `SKILL.md`.

use std::cell::OnceCell;

use super::markdown::Markdown;
use dibber_text::Source;

/// A text file of the skill other than its `SKILL.md`.
#[derive(Debug)]
pub struct Resource {
    /// The path from the skill's directory, with `/` between its parts.
    pub path: String,
    /// The text.
    pub source: Source,
    markdown: OnceCell<Markdown>,
}

impl Resource {
    /// Creates a text file of a skill from its path in the skill's directory and its content.
    pub fn new(path: impl Into<String>, source: Source) -> Self {
        Self { path: path.into(), source, markdown: OnceCell::new() }
    }

    /// Returns the links and code of the text, taken as Markdown, read on first use.
    pub fn markdown(&self) -> &Markdown {
        self.markdown.get_or_init(|| Markdown::parse(self.source.text(), 0))
    }
}
