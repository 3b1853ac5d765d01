//! A skill as a whole: its directory, its `SKILL.md` and its other text files.

use std::cell::OnceCell;

use super::bundle::Bundle;
use super::fault::{Fault, FaultKind};
use super::frontmatter::{self, Frontmatter};
use super::markdown::Markdown;
use super::node::Entry;
use super::recover;
use super::resource::Resource;
use super::unread::UnreadFile;
use dibber_text::{BYTE_ORDER_MARK, Source, Span};

/// The most bytes of a `SKILL.md`, or of another text file in a skill, that are read (1 MiB).
pub const SKILL_BYTES_MAX: usize = 1 << 20;

/// One skill, parsed.
#[derive(Debug)]
pub struct Skill {
    /// The directory.
    pub bundle: Bundle,
    /// The `SKILL.md`.
    pub source: Source,
    /// The frontmatter, if there is any.
    pub frontmatter: Option<Frontmatter>,
    /// The bytes after the frontmatter.
    pub body: Span,
    /// What is wrong with the frontmatter as text.
    pub faults: Vec<Fault>,
    /// The other text files that were read; those of skills in directories below are not among
    /// them.
    pub resources: Vec<Resource>,
    /// The other files that were searched for secrets.
    pub unread: Vec<UnreadFile>,
    markdown: OnceCell<Markdown>,
}

impl Skill {
    /// Parses a skill; it never fails.
    pub fn parse(bundle: Bundle, source: Source, resources: Vec<Resource>) -> Self {
        Self::parse_with(bundle, source, resources, recover::FAULTS_MAX)
    }

    fn parse_with(
        bundle: Bundle,
        source: Source,
        resources: Vec<Resource>,
        faults_max: usize,
    ) -> Self {
        let mut faults = Vec::new();
        let (frontmatter, body) = frontmatter::parse(source.text(), faults_max, &mut faults);
        let (unread, markdown) = (Vec::new(), OnceCell::new());
        Self { bundle, source, frontmatter, body, faults, resources, unread, markdown }
    }

    /// Parses the same skill again with other content in its `SKILL.md`.
    #[must_use]
    pub fn with_text(self, text: String) -> Self {
        self.with_text_and_faults(text, recover::FAULTS_MAX)
    }

    /// Parses the same skill again with other content, and reports every broken piece of the
    /// frontmatter, however many there are: to repair them all at once.
    #[must_use]
    pub fn with_text_and_all_faults(self, text: String) -> Self {
        self.with_text_and_faults(text, usize::MAX)
    }

    fn with_text_and_faults(self, text: String, faults_max: usize) -> Self {
        let mut bundle = self.bundle;
        bundle.skill_file_bytes = text.len() as u64;
        let source = Source::new(self.source.path(), text);
        let parsed = Self::parse_with(bundle, source, self.resources, faults_max);
        Self { unread: self.unread, ..parsed }
    }

    /// Returns `true` if the text is the file as it is on disk, to the byte: it is UTF-8, and it
    /// was read to its end.
    pub fn is_whole_text(&self) -> bool {
        self.source.not_utf8().is_none()
            && self.bundle.skill_file_bytes == self.source.text().len() as u64
    }

    /// Returns `true` if the file is larger than what was read of it.
    pub fn is_cut(&self) -> bool {
        self.bundle.skill_file_bytes > self.source.text().len() as u64
    }

    /// Returns the body.
    pub fn body_text(&self) -> &str {
        self.source.slice(self.body)
    }

    /// Returns the top-level frontmatter entries, in the order of the file.
    pub fn fields(&self) -> &[Entry] {
        self.frontmatter.as_ref().map_or(&[], Frontmatter::entries)
    }

    /// Returns the first top-level frontmatter entry with that key.
    pub fn field(&self, key: &str) -> Option<&Entry> {
        self.fields().iter().find(|entry| entry.key.as_str() == Some(key))
    }

    /// Returns the value of a frontmatter field, if it is a string.
    pub fn string_field(&self, key: &str) -> Option<(&str, Span)> {
        let value = &self.field(key)?.value;
        value.as_text().map(|text| (text, value.span))
    }

    /// Returns `true` if the frontmatter was read to its end as a mapping, so that a key that is
    /// not there is really missing. Without a closing fence, its end is unknown.
    pub fn has_whole_frontmatter(&self) -> bool {
        let leaves_keys_unread = |fault: &Fault| match fault.kind {
            FaultKind::Limit { .. } => true,
            FaultKind::InvalidYaml { entry, .. } => {
                !self.fields().iter().any(|field| field.span().overlaps(entry))
            }
            _ => false,
        };
        self.frontmatter
            .as_ref()
            .is_some_and(|frontmatter| frontmatter.is_mapping() && frontmatter.closing.is_some())
            && !self.faults.iter().any(leaves_keys_unread)
    }

    /// Returns the other text file at that path from the skill's directory.
    pub fn resource(&self, path: &str) -> Option<&Resource> {
        self.resources.iter().find(|file| file.path == path)
    }

    /// Returns the links and code of the body, read on first use; spans are of the whole file.
    pub fn markdown(&self) -> &Markdown {
        self.markdown.get_or_init(|| Markdown::parse(self.body_text(), self.body.start))
    }

    /// Returns the byte at which the text starts, after a byte-order mark.
    pub fn text_start(&self) -> usize {
        let text = self.source.text();
        text.len() - text.trim_start_matches(BYTE_ORDER_MARK).len()
    }
}
