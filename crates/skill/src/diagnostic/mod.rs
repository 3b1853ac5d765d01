//! What a rule is, and what it finds.
//!
//! A rule makes [`Finding`]s, which speak of bytes. The linter gives each its level and works
//! out lines and columns, which makes it a [`Diagnostic`]: all that a report needs, without the
//! file it came from. Nothing here prints.

mod excerpt;

use std::fmt;

use dibber_text::{Message, Problem, Span};

pub use excerpt::{EXCERPT_LINES_MAX, Excerpt, Range};

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Not reported.
    Allow,
    /// Reported; does not fail the run.
    Warn,
    /// Reported, and fails the run.
    Deny,
}

impl Level {
    /// Every level, mildest first.
    pub const ALL: [Self; 3] = [Self::Allow, Self::Warn, Self::Deny];

    /// The word for it in `dibber.toml` and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Warn => "warn",
            Self::Deny => "deny",
        }
    }

    /// The level of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }
}

/// What a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// What the Agent Skills specification says.
    Spec,
    /// What some clients or systems read differently.
    Portability,
    /// The files of the skill, and how they refer to each other.
    Structure,
    /// What the text says to a model.
    Writing,
    /// What may harm the users of the skill.
    Security,
    /// How the skill is published: `sprout.yaml`, and children's names.
    Sprout,
    /// How the skill is run and found in the Skills Protocol: `skill.toml`.
    Protocol,
    /// The waivers that keep findings quiet.
    Waivers,
    /// What dibber itself failed in; no rule belongs to it.
    Internal,
}

impl Group {
    /// Every group that rules belong to, in the order in which they are listed.
    pub const ALL: [Self; 8] = [
        Self::Spec,
        Self::Portability,
        Self::Structure,
        Self::Writing,
        Self::Security,
        Self::Sprout,
        Self::Protocol,
        Self::Waivers,
    ];

    /// The word for it in `dibber.toml` and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Spec => "spec",
            Self::Portability => "portability",
            Self::Structure => "structure",
            Self::Writing => "writing",
            Self::Security => "security",
            Self::Sprout => "sprout",
            Self::Protocol => "protocol",
            Self::Waivers => "waivers",
            Self::Internal => "internal",
        }
    }

    /// The group of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|group| group.name() == name)
    }
}

/// Whether a rule can repair what it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixAvailability {
    /// It cannot.
    None,
    /// For some of what it finds.
    Sometimes(Applicability),
    /// For all of it.
    Always(Applicability),
}

/// Whether a fix may be applied without looking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Applicability {
    /// What the skill says to any client stays the same.
    Safe,
    /// A person should look at the result.
    Unsafe,
}

impl Applicability {
    /// The word for it in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
        }
    }
}

/// What is known of a rule before it runs.
#[derive(Debug)]
pub struct RuleMeta {
    /// The name, which reads well after "allow"; never used again for another rule.
    pub id: &'static str,
    /// What it is about.
    pub group: Group,
    /// Its level unless something says otherwise.
    pub level: Level,
    /// Whether it can repair what it finds.
    pub fix: FixAvailability,
    /// The version of dibber that had it first.
    pub since: &'static str,
    /// One line, without a full stop.
    pub summary: &'static str,
    /// Markdown under the headings `What it does`, `Why is this bad`, `Example`, `Instead`,
    /// `Source`. The examples are run as tests.
    pub docs: &'static str,
}

/// Where in a skill a finding is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In `SKILL.md`.
    SkillFile(Span),
    /// In another text file of the skill: its index there, and the bytes.
    Resource(usize, Span),
    /// A file of the skill as a whole: its path from the skill's directory.
    File(String),
}

impl Place {
    /// The place of other bytes in the same file; a file as a whole stays one.
    #[must_use]
    pub fn with_span(&self, span: Span) -> Self {
        match self {
            Self::SkillFile(_) => Self::SkillFile(span),
            Self::Resource(index, _) => Self::Resource(*index, span),
            Self::File(path) => Self::File(path.clone()),
        }
    }
}

/// A second place that helps to understand a finding; in the same file as the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The bytes.
    pub span: Span,
    /// What is to be seen there.
    pub text: Message,
}

/// One replacement of bytes in `SKILL.md`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes that go; empty for an insertion.
    pub span: Span,
    /// What comes in their place.
    pub text: String,
}

/// Returns `text` with edits that do not overlap. Insertions at the same byte are in their order.
pub fn with_edits<'a>(text: &str, edits: impl IntoIterator<Item = &'a Edit>) -> String {
    let mut edits: Vec<&Edit> = edits.into_iter().collect();
    edits.sort_by_key(|edit| edit.span);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        out.push_str(&text[at..edit.span.start]);
        out.push_str(&edit.text);
        at = edit.span.end;
    }
    out.push_str(&text[at..]);
    out
}

/// A repair: edits of `SKILL.md` that are applied together or not at all.
///
/// `T` is the title: a message in a finding, and a string once it is reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix<T = String> {
    /// What it does, as an order: "Quote the value".
    pub title: T,
    /// Whether it may be applied without looking.
    pub applicability: Applicability,
    /// The edits; they do not overlap.
    pub edits: Vec<Edit>,
}

/// Something a rule has found.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule.
    pub rule: &'static RuleMeta,
    /// Where.
    pub place: Place,
    /// What is wrong, as a sentence fragment.
    pub message: Message,
    /// What is to be seen at the place itself, when the message does not say it.
    pub note: Option<Message>,
    /// What to write or do instead.
    pub help: Option<Message>,
    /// Further places in the same file.
    pub labels: Vec<Label>,
    /// The repair.
    pub fix: Option<Fix<Message>>,
}

impl Finding {
    /// Creates a finding in `SKILL.md`.
    pub fn new(rule: &'static RuleMeta, span: Span, message: impl Into<Message>) -> Self {
        Self::at(rule, Place::SkillFile(span), message)
    }

    /// Creates a finding anywhere in the skill.
    pub fn at(rule: &'static RuleMeta, place: Place, message: impl Into<Message>) -> Self {
        Self {
            rule,
            place,
            message: message.into(),
            note: None,
            help: None,
            labels: Vec::new(),
            fix: None,
        }
    }

    /// Creates a finding of a problem and its labels, which are in the same file as `place`.
    pub fn of_problem(rule: &'static RuleMeta, place: Place, problem: Problem) -> Self {
        let Problem { place: _, message, help, labels } = problem;
        let labels = labels.into_iter();
        let labels = labels.map(|label| Label { span: label.place, text: label.message }).collect();
        Self { help, labels, ..Self::at(rule, place, message) }
    }

    /// Sets the note shown at the place itself.
    #[must_use]
    pub fn note(mut self, note: impl Into<Message>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// Sets what to write or do instead.
    #[must_use]
    pub fn help(mut self, help: impl Into<Message>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Points at one more place of the same file.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<Message>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Offers a repair by one edit of `SKILL.md`.
    #[must_use]
    pub fn fix(
        self,
        applicability: Applicability,
        title: impl Into<Message>,
        span: Span,
        text: impl Into<String>,
    ) -> Self {
        self.fix_all(applicability, title, vec![Edit { span, text: text.into() }])
    }

    /// Offers a repair by several edits of `SKILL.md`.
    #[must_use]
    pub fn fix_all(
        mut self,
        applicability: Applicability,
        title: impl Into<Message>,
        edits: Vec<Edit>,
    ) -> Self {
        self.fix = Some(Fix { title: title.into(), applicability, edits });
        self
    }
}

/// What set the level of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LevelSource {
    /// The rule's own.
    Default,
    /// `dibber.toml` says so: the key, and the line it is on.
    Config {
        /// The path of the file.
        path: String,
        /// The line, from 1.
        line: usize,
        /// What was set: a rule, a group, or `all`.
        key: String,
    },
    /// The command line says so: what was set there.
    CommandLine(String),
}

impl fmt::Display for LevelSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("the rule's default"),
            Self::Config { path, line, key } => write!(f, "`{key}` at {path}:{line}"),
            Self::CommandLine(setting) => write!(f, "`--level {setting}`"),
        }
    }
}

/// A finding as it is reported.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The rule.
    pub rule: &'static RuleMeta,
    /// Its level here; never [`Level::Allow`].
    pub level: Level,
    /// What set that level.
    pub level_source: LevelSource,
    /// The path of the file, as it is shown.
    pub path: String,
    /// The place in the file; none when it is about the file as a whole.
    pub range: Option<Range>,
    /// What is wrong.
    pub message: String,
    /// What is to be seen at the place itself.
    pub note: Option<String>,
    /// What to write or do instead.
    pub help: Option<String>,
    /// Further places in the same file.
    pub labels: Vec<(Range, String)>,
    /// The lines around the place.
    pub excerpt: Option<Excerpt>,
    /// The repair; its edits are in bytes of the file.
    pub fix: Option<Fix>,
    /// Names the finding in the same way after its lines have moved: 16 hex digits, made of the
    /// rule, the path, and the text of the line; of the rule and the path if it has no line.
    pub fingerprint: String,
}
