//! What is wrong with frontmatter as text.

use dibber_text::Span;

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
    /// The YAML is invalid: the parser's message, and the lines of the key it happened under.
    InvalidYaml {
        /// The parser's message.
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
        /// What it is: "a list", "a string", "empty".
        found: &'static str,
    },
    /// A duplicate key in a mapping; the span is the second one's.
    DuplicateKey {
        /// The key.
        key: String,
        /// Where it is first.
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
