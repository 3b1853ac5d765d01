//! The edits that move top-level fields of the frontmatter into `metadata`.

use super::entry::own_line;
use dibber_skill::diagnostic::Edit;
use dibber_skill::skill::yaml_scalar;
use dibber_skill::skill::{Entry, NodeKind, ScalarStyle, Skill};
use dibber_text::Span;

/// Moves fields into the `metadata` of a skill.
pub(crate) struct MetadataMove<'a> {
    skill: &'a Skill,
    target: Target<'a>,
}

/// Where the moved lines are inserted.
enum Target<'a> {
    /// A new `metadata`, instead of the first moved line.
    New,
    /// After the last line of an existing `metadata` in block style.
    After { at: usize, indent: &'a str, entries: &'a [Entry] },
}

impl<'a> MetadataMove<'a> {
    /// Finds where moved lines can be inserted; `None` if the frontmatter has problems, or a
    /// `metadata` to which no line can be added.
    pub(crate) fn new(skill: &'a Skill) -> Option<Self> {
        let frontmatter = skill.frontmatter.as_ref()?;
        if !skill.faults.is_empty() || frontmatter.closing.is_none() {
            return None;
        }
        let target = match skill.field("metadata") {
            None => Target::New,
            Some(metadata) => end_of_block(skill, metadata)?,
        };
        Some(Self { skill, target })
    }

    /// Returns `true` if the entry is a single line that can be moved.
    pub(crate) fn can_move(&self, entry: &Entry) -> bool {
        let Some(key) = entry.key.as_str() else { return false };
        let is_simple =
            key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        let has_key =
            |entries: &[Entry]| entries.iter().any(|entry| entry.key.as_str() == Some(key));
        let is_duplicate = match &self.target {
            Target::New => false,
            Target::After { entries, .. } => has_key(entries),
        };
        is_simple
            && key.starts_with(|c: char| c.is_ascii_alphabetic())
            && self.skill.source.slice(entry.key.span) == key
            && !is_duplicate
            && self.line(entry).is_some()
    }

    /// Returns the edits that move `entries`, for each of which [`Self::can_move`] is true.
    pub(crate) fn edits<'e>(&self, entries: impl Iterator<Item = &'e Entry>) -> Vec<Edit> {
        let (indent, at) = match &self.target {
            Target::New => ("  ", None),
            Target::After { at, indent, .. } => (*indent, Some(*at)),
        };
        let mut moved = String::new();
        let mut edits = Vec::new();
        for (span, line) in entries.filter_map(|entry| self.line(entry)) {
            if at.is_none() && moved.is_empty() {
                moved = format!("metadata:{}", line_break(&line));
            }
            moved += indent;
            moved += &line;
            edits.push(Edit { span, text: String::new() });
        }
        // A deletion and the insertion at the same byte are one edit, so that their order is
        // certain.
        let at = at.or(edits.first().map(|edit| edit.span.start)).unwrap_or_default();
        match edits.iter_mut().find(|edit| edit.span.start == at) {
            Some(edit) => edit.text = moved,
            None => edits.push(Edit { span: Span::empty(at), text: moved }),
        }
        edits.sort_by_key(|edit| edit.span);
        edits
    }

    /// Returns the span of the entry's line, and the line for `metadata`: the value as a string,
    /// and everything else unchanged.
    fn line(&self, entry: &Entry) -> Option<(Span, String)> {
        let line = own_line(self.skill, entry)?;
        let text = |start, end| self.skill.source.slice(Span::new(start, end));
        let written = entry.value.as_str()?;
        if entry.value.is_alias || entry.value.tag.is_some() || entry.value.span.is_empty() {
            return None;
        }
        let value = self.skill.source.slice(entry.value.span);
        let value = match &entry.value.kind {
            NodeKind::Scalar { style: ScalarStyle::Plain, .. } if value != written => return None,
            NodeKind::Scalar { style: ScalarStyle::Plain, .. } => yaml_scalar::as_scalar(written)?,
            _ if value.starts_with('&') => return None,
            _ => value.to_owned(),
        };
        let before = text(entry.key.span.start, entry.value.span.start);
        let after = text(entry.value.span.end, line.end);
        Some((line, format!("{before}{value}{after}")))
    }
}

fn line_break(line: &str) -> &str {
    &line[line.trim_end_matches(['\n', '\r']).len()..]
}

fn end_of_block<'a>(skill: &'a Skill, metadata: &'a Entry) -> Option<Target<'a>> {
    let NodeKind::Mapping(entries) = &metadata.value.kind else { return None };
    let (first, last) = (entries.first()?, entries.last()?);
    let (source, lines) = (&skill.source, skill.source.lines());
    let line = lines.start(lines.line(first.key.span.start))?;
    let indent = source.slice(Span::new(line, first.key.span.start));
    let is_block = !metadata.value.is_alias
        && metadata.value.span.start == first.key.span.start
        && !indent.is_empty()
        && indent.bytes().all(|byte| byte == b' ');
    let end = last.value.span.end.max(last.key.span.end);
    let at = lines.start(lines.line(end) + 1)?;
    is_block.then_some(Target::After { at, indent, entries })
}
