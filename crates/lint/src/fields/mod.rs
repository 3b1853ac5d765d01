//! What rules ask of a frontmatter field: is it there, is it a text, where do its characters
//! stand, and what is the edit that writes another text in its place.
//!
//! The modules below know single fields, and which fields there are.

use std::ops::Range;

pub(super) mod allowed_tools;
mod clients;
pub(super) mod into_metadata;
pub(super) mod unspecified;

use dibber_skill::diagnostic::Edit;

use dibber_skill::skill::yaml_scalar::as_scalar;
use dibber_skill::skill::{Entry, FaultKind, Node, NodeKind, ScalarStyle, ScalarType, Skill};
use dibber_text::Span;

/// Whether a field is there.
pub(crate) enum Presence<'a> {
    /// It is there, whatever it holds.
    Given,
    /// It is there and holds nothing.
    Empty(&'a Entry),
    /// It is not there, but a key that differs from it by a slip is.
    Misspelled(&'a Entry),
    /// It is not there.
    Absent,
    /// The frontmatter was not read as a whole, or a broken line may hold it.
    Unknown,
}

/// Tells whether a field is there.
pub(crate) fn presence<'a>(skill: &'a Skill, field: &str) -> Presence<'a> {
    if !skill.has_whole_frontmatter() {
        return Presence::Unknown;
    }
    match skill.field(field) {
        Some(entry) if is_empty(&entry.value) => Presence::Empty(entry),
        Some(_) => Presence::Given,
        None if broken_line_may_hold(skill, field) => Presence::Unknown,
        None => {
            let is_slip = |entry: &&Entry| {
                entry.key.as_str().is_some_and(|key| clients::misspelled(key) == Some(field))
            };
            skill.fields().iter().find(is_slip).map_or(Presence::Absent, Presence::Misspelled)
        }
    }
}

/// Tells whether a value is nothing at all, or only white space.
pub(crate) fn is_empty(value: &Node) -> bool {
    value.scalar_type() == Some(ScalarType::Null)
        || value.as_str().is_some_and(|text| text.trim().is_empty())
}

fn broken_line_may_hold(skill: &Skill, field: &str) -> bool {
    skill.faults.iter().any(|fault| match &fault.kind {
        FaultKind::InvalidYaml { entry, .. } => skill
            .source
            .slice(*entry)
            .split(['\n', '\r'])
            .any(|line| line.trim_start().starts_with(field)),
        _ => false,
    })
}

/// Tells whether the entry stands on lines that are not YAML; its value is then only the text
/// of those lines.
pub(crate) fn is_broken(skill: &Skill, entry: &Entry) -> bool {
    skill.faults.iter().any(|fault| match &fault.kind {
        FaultKind::InvalidYaml { entry: lines, .. } => lines.overlaps(entry.key.span),
        _ => false,
    })
}

/// A field whose value is a text, and not a blank one.
pub(crate) struct TextField<'a> {
    /// The text without white space around it.
    pub(crate) text: &'a str,
    /// The value.
    pub(crate) value: &'a Node,
    skill: &'a Skill,
}

impl<'a> TextField<'a> {
    /// The field of that key, if it is a text and its lines are YAML.
    pub(crate) fn of(skill: &'a Skill, key: &str) -> Option<Self> {
        let entry = skill.field(key)?;
        let value = &entry.value;
        let text = value.as_text()?.trim();
        if text.is_empty() || is_broken(skill, entry) {
            return None;
        }
        Some(Self { text, value, skill })
    }

    /// Returns the byte of the file at which `text` begins, if it is written as it is read.
    fn written_at(&self) -> Option<usize> {
        let written = self.skill.source.slice(self.value.span);
        let at = written.rfind(self.text)?;
        let (before, after) = (&written[..at], &written[at + self.text.len()..]);
        // A tag or an anchor may come before it.
        let is_separate = |before: &str| before.is_empty() || before.ends_with(char::is_whitespace);
        // Between the quotes there is nothing else: the end of an escape may look like the text,
        // as in `"\\u"`, which is read as `\u`.
        let is_whole = match self.quote() {
            Some(quote) => {
                let before = before.trim_end().strip_suffix(quote);
                before.is_some_and(is_separate) && after.trim_start() == quote
            }
            None => is_separate(before) && after.trim().is_empty(),
        };
        (is_whole && !self.value.is_alias).then_some(self.value.span.start + at)
    }

    fn quote(&self) -> Option<&'static str> {
        match self.value.kind {
            NodeKind::Scalar { style: ScalarStyle::SingleQuoted, .. } => Some("'"),
            NodeKind::Scalar { style: ScalarStyle::DoubleQuoted, .. } => Some("\""),
            _ => None,
        }
    }

    /// Where a part of the text stands; the whole value if it is not written as it is read.
    pub(crate) fn part(&self, part: Range<usize>) -> Span {
        self.written_at().map_or(self.value.span, |at| Span::from(part).shift(at))
    }

    /// Where the text stands after its first `count` characters.
    pub(crate) fn after(&self, count: usize) -> Span {
        let start = self.text.char_indices().nth(count).map_or(self.text.len(), |(at, _)| at);
        self.part(start..self.text.len())
    }

    /// The edit that writes a name in the place of this text, in quotes only where there are
    /// some already or where the name would not be read as a text.
    pub(crate) fn replaced_by(&self, name: &str) -> Option<Edit> {
        let span = Span::from(0..self.text.len()).shift(self.written_at()?);
        let is_plain =
            matches!(self.value.kind, NodeKind::Scalar { style: ScalarStyle::Plain, .. });
        let text = if is_plain { as_scalar(name)? } else { name.to_owned() };
        Some(Edit { span, text })
    }
}

/// The edit that puts quotes around an unquoted scalar, so that it is the text that is written
/// there. None where more than the scalar itself is written: a tag, an anchor, an alias.
pub(crate) fn quoting(skill: &Skill, value: &Node) -> Option<Edit> {
    let written = skill.source.slice(value.span);
    let is_all = value.as_str() == Some(written) && !value.is_alias && !written.is_empty();
    is_all.then(|| Edit { span: value.span, text: format!("\"{written}\"") })
}

/// The line, with its line break, that an entry of the frontmatter has for itself. None if the
/// entry covers several, shares it, or ends the file.
pub(crate) fn own_line(skill: &Skill, entry: &Entry) -> Option<Span> {
    let (text, lines) = (skill.source.text(), skill.source.lines());
    let number = lines.line(entry.key.span.start);
    let start = lines.start(number)?;
    let end = lines.start(number + 1)?;
    let is_alone = start == entry.key.span.start && entry.value.span.end < end;
    let is_block = matches!(
        entry.value.kind,
        NodeKind::Scalar { style: ScalarStyle::Literal | ScalarStyle::Folded, .. }
    );
    (is_alone && !is_block && text[..start].ends_with(['\n', '\r']))
        .then_some(Span::new(start, end))
}

/// The byte after the colon behind an entry's key.
pub(crate) fn after_colon(skill: &Skill, entry: &Entry) -> Option<usize> {
    let end = entry.key.span.end;
    let rest = &skill.source.text()[end..];
    let spaces = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    rest[spaces..].starts_with(':').then_some(end + spaces + 1)
}
