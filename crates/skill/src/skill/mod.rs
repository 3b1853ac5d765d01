//! A skill as data: its directory, its frontmatter with a span for every key and value, its body.
//!
//! Parsing never fails: it returns the skill and the [`Fault`]s. Nothing here reads a file,
//! and nothing here judges: what is wrong and how much it matters is for the rules to say.

mod bundle;
mod frontmatter;
mod markdown;
pub mod name;
mod pieces;
mod placeholder;
mod positions;
mod recover;
mod schema;
mod tree_builder;
mod yaml;
pub mod yaml_scalar;

use std::cell::OnceCell;

pub use bundle::{
    Bundle, BundleFile, BundleKind, FILES_MAX, FileKind, FileTree, NestedFiles, NestedSkills,
    PROTOCOL_FILE_NAME, SKILL_FILE_NAME, TreeFile,
};
pub use frontmatter::is_like_fence;
pub use frontmatter::{FRONTMATTER_BYTES_MAX, Frontmatter};
pub use markdown::{Heading, Link, LinkKind, Markdown};
pub use pieces::{
    Key, KeyStyle, Value, after_closing, indentation, is_block_header, key_of, lines_of, trimmed,
};
pub use placeholder::INPUT_NAME_RULE;
pub use placeholder::{
    Placeholder, PlaceholderKind, corrected_name, is_input_name, placeholder_of, placeholders,
};
pub use positions::skip_blanks;
pub use schema::{ScalarType, type_in_yaml_1_1, type_in_yaml_1_2};
pub use yaml::{
    ALIASES_MAX, DEPTH_MAX, Entry, NODES_MAX, Node, NodeKind, ScalarStyle, parse_entry,
    parses_as_mapping,
};

use dibber_text::{BYTE_ORDER_MARK, Source, Span};

/// The most bytes of a `SKILL.md`, or of another text file in a skill, that are read (1 MiB).
pub const SKILL_BYTES_MAX: usize = 1 << 20;

/// Something that is wrong with the frontmatter as text, found while parsing it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where in `SKILL.md`.
    pub span: Span,
    /// What.
    pub kind: FaultKind,
}

/// The kinds of [`Fault`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The file does not begin with a line `---`.
    MissingFrontmatter(InsteadOfFrontmatter),
    /// There is no second line `---`.
    UnclosedFrontmatter,
    /// The YAML has a fault: what the parser says, and the lines of the key it happened under.
    InvalidYaml {
        /// The parser's words.
        message: String,
        /// The lines that belong to the same key, with their line break.
        entry: Span,
    },
    /// A limit was reached, and the rest of the frontmatter was not read.
    Limit {
        /// What there is too much of, with its unit: "bytes", "levels of nesting".
        what: &'static str,
        /// How much is allowed.
        max: usize,
    },
    /// The frontmatter is a list or a single value.
    NotAMapping {
        /// What it is: "a list", "a text", "empty".
        found: &'static str,
    },
    /// A key that stands twice in the same mapping; the span is the second one's.
    DuplicateKey {
        /// The key.
        key: String,
        /// Where it stood first.
        first: Span,
    },
}

/// What a file without frontmatter begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InsteadOfFrontmatter {
    /// Nothing: the file is empty or blank.
    Nothing,
    /// Blank lines, and then the line `---`; the frontmatter was read all the same.
    BlankLines,
    /// A code fence, and in it the line `---`.
    CodeFence,
    /// Text, with a line `---` and `name:` further down.
    Text,
    /// Text, and no frontmatter anywhere.
    Body,
}

/// Parses a whole file of YAML with the limits of frontmatter; what is broken is left out, and
/// the rest is read.
pub fn parse_yaml(text: &str) -> (Option<Node>, Vec<Fault>) {
    frontmatter::parse_file(text)
}

/// A text file of the skill beside its `SKILL.md`.
#[derive(Debug)]
pub struct Resource {
    /// The path from the skill's directory, with `/` between its parts.
    pub path: String,
    /// The text.
    pub source: Source,
    markdown: OnceCell<Markdown>,
}

impl Resource {
    /// Makes a text file of a skill: its path from the skill's directory, and the text.
    pub fn new(path: impl Into<String>, source: Source) -> Self {
        Self { path: path.into(), source, markdown: OnceCell::new() }
    }

    /// The links and code of the text taken as Markdown, read on first use.
    pub fn markdown(&self) -> &Markdown {
        self.markdown.get_or_init(|| Markdown::parse(self.source.text(), 0))
    }
}

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
        Self { bundle, source, frontmatter, body, faults, resources, markdown: OnceCell::new() }
    }

    /// Parses the same skill again with another text in its `SKILL.md`.
    #[must_use]
    pub fn with_text(self, text: String) -> Self {
        self.with_text_and_faults(text, recover::FAULTS_MAX)
    }

    /// Parses the same skill again with another text, and notes every broken piece of the
    /// frontmatter, however many there are: to repair them all at once.
    #[must_use]
    pub fn with_text_and_all_faults(self, text: String) -> Self {
        self.with_text_and_faults(text, usize::MAX)
    }

    fn with_text_and_faults(self, text: String, faults_max: usize) -> Self {
        let mut bundle = self.bundle;
        bundle.skill_file_bytes = text.len() as u64;
        let source = Source::new(self.source.path(), text);
        Self::parse_with(bundle, source, self.resources, faults_max)
    }

    /// Tells whether the text is the file as it is on disk, to the byte: it is UTF-8, and it was
    /// read to its end.
    pub fn is_whole_text(&self) -> bool {
        self.source.not_utf8().is_none()
            && self.bundle.skill_file_bytes == self.source.text().len() as u64
    }

    /// Tells whether the file is larger than what was read of it.
    pub fn is_cut(&self) -> bool {
        self.bundle.skill_file_bytes > self.source.text().len() as u64
    }

    /// The body as text.
    pub fn body_text(&self) -> &str {
        self.source.slice(self.body)
    }

    /// The top-level frontmatter entries, in the order of the file.
    pub fn fields(&self) -> &[Entry] {
        self.frontmatter.as_ref().map_or(&[], Frontmatter::entries)
    }

    /// The first top-level frontmatter entry with that key.
    pub fn field(&self, key: &str) -> Option<&Entry> {
        self.fields().iter().find(|entry| entry.key.as_str() == Some(key))
    }

    /// The text of a frontmatter field, when it is a text.
    pub fn string_field(&self, key: &str) -> Option<(&str, Span)> {
        let value = &self.field(key)?.value;
        value.as_text().map(|text| (text, value.span))
    }

    /// Tells whether the frontmatter was read to its end as a mapping, so that a key that is
    /// not there is really missing. Without a closing fence nobody knows where the end is.
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

    /// The other text file at that path from the skill's directory.
    pub fn resource(&self, path: &str) -> Option<&Resource> {
        self.resources.iter().find(|file| file.path == path)
    }

    /// The links and code of the body, read on first use; spans are of the whole file.
    pub fn markdown(&self) -> &Markdown {
        self.markdown.get_or_init(|| Markdown::parse(self.body_text(), self.body.start))
    }

    /// Where the text starts, after a byte-order mark.
    pub fn text_start(&self) -> usize {
        let text = self.source.text();
        text.len() - text.trim_start_matches(BYTE_ORDER_MARK).len()
    }
}
