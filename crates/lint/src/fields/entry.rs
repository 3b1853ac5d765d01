//! An entry of the frontmatter as it is written: its line, its colon, quotes around its value.

use dibber_skill::diagnostic::Edit;
use dibber_skill::skill::{Entry, FaultKind, Node, NodeKind, ScalarStyle, Skill};
use dibber_text::Span;

/// Returns `true` if the entry is on lines that are not YAML; its value is then only the text of
/// those lines.
pub(crate) fn is_broken(skill: &Skill, entry: &Entry) -> bool {
    skill.faults.iter().any(|fault| match &fault.kind {
        FaultKind::InvalidYaml { entry: lines, .. } => lines.overlaps(entry.key.span),
        _ => false,
    })
}

/// Returns the edit that quotes an unquoted scalar, so that it is read as the string that is
/// written; `None` if there is more than the scalar itself: a tag, an anchor, an alias.
pub(crate) fn quote_edit(skill: &Skill, value: &Node) -> Option<Edit> {
    let written = skill.source.slice(value.span);
    let is_all = value.as_str() == Some(written) && !value.is_alias && !written.is_empty();
    is_all.then(|| Edit { span: value.span, text: format!("\"{written}\"") })
}

/// Returns the line, with its line break, that contains only this entry of the frontmatter.
/// `None` if the entry spans several lines, shares a line, or ends the file.
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

/// Returns the byte after the colon of an entry.
pub(crate) fn after_colon(skill: &Skill, entry: &Entry) -> Option<usize> {
    let end = entry.key.span.end;
    let rest = &skill.source.text()[end..];
    let spaces = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    rest[spaces..].starts_with(':').then_some(end + spaces + 1)
}
