//! A field whose value is a string: the spans of its characters and the edit that replaces it.

use std::ops::Range;

use super::entry::is_broken;
use dibber_skill::diagnostic::Edit;
use dibber_skill::skill::yaml_scalar::as_scalar;
use dibber_skill::skill::{Node, NodeKind, ScalarStyle, Skill};
use dibber_text::Span;

/// A field whose value is a string that is not blank.
pub(crate) struct StringField<'a> {
    /// The value, trimmed.
    pub(crate) text: &'a str,
    /// The node of the value.
    pub(crate) value: &'a Node,
    skill: &'a Skill,
}

impl<'a> StringField<'a> {
    /// Returns the field with that key, if it is a string and its lines are YAML.
    pub(crate) fn find(skill: &'a Skill, key: &str) -> Option<Self> {
        let entry = skill.field(key)?;
        let value = &entry.value;
        let text = value.as_text()?.trim();
        if text.is_empty() || is_broken(skill, entry) {
            return None;
        }
        Some(Self { text, value, skill })
    }

    /// Returns the byte of the file at which `text`, the whole value or the trimmed one, begins, if
    /// it is written literally, without escapes or folding.
    fn written_at(&self, text: &str) -> Option<usize> {
        let written = self.skill.source.slice(self.value.span);
        let at = written.rfind(text)?;
        let (before, after) = (&written[..at], &written[at + text.len()..]);
        // A tag or an anchor may precede the value.
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

    /// Returns the span of a part of the text; of the whole value if it is not written literally.
    pub(crate) fn part(&self, part: Range<usize>) -> Span {
        self.written_at(self.text).map_or(self.value.span, |at| Span::from(part).shift(at))
    }

    /// Returns the span of the text after its first `count` characters.
    pub(crate) fn after(&self, count: usize) -> Span {
        let start = self.text.char_indices().nth(count).map_or(self.text.len(), |(at, _)| at);
        self.part(start..self.text.len())
    }

    /// Returns the edit that replaces the text by a name, quoted only if it already is or if the
    /// name would not be read as a string.
    pub(crate) fn replaced_by(&self, name: &str) -> Option<Edit> {
        let is_plain =
            matches!(self.value.kind, NodeKind::Scalar { style: ScalarStyle::Plain, .. });
        // White space that YAML does not know, such as U+3000, is part of a plain scalar: a quote
        // after it would not open a string.
        let replaced = if is_plain { self.value.as_text()? } else { self.text };
        let span = Span::from(0..replaced.len()).shift(self.written_at(replaced)?);
        let text = if is_plain { as_scalar(name)? } else { name.to_owned() };
        Some(Edit { span, text })
    }
}
