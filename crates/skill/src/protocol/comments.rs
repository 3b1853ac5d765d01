//! The comments of a `skill.toml`, which the parser does not report.

use toml::de::{DeTable, DeValue};

use super::model::PROTOCOL_BYTES_MAX;
use super::reader::{Value, span};
use dibber_text::{Source, Span};

/// The most marks that are looked at.
const MARKS_MAX: usize = 1000;

/// Returns the comments of a `skill.toml` that begin with a mark, each from its `#` to the end of its
/// line, with the place of the mark. A `#` in a string or a key begins none.
pub fn comments(source: &Source, mark: &str) -> Vec<(Span, usize)> {
    let text = source.text();
    if text.len() > PROTOCOL_BYTES_MAX || !text.contains(mark) {
        return Vec::new();
    }
    let (root, errors) = DeTable::parse_recoverable(text);
    let mut strings = Vec::new();
    add_strings(root.get_ref(), &mut strings);
    strings.extend(errors.iter().filter_map(toml::de::Error::span).map(Span::from));
    let is_string = |at: usize| strings.iter().any(|string| string.contains(at));
    let begin = |(at, _): (usize, &str)| {
        let line = source.lines().line_span(text, source.lines().line(at));
        let before = text[line.start..at].trim_end_matches([' ', '\t']);
        let code = before.trim_end_matches('#');
        let start = line.start + code.len();
        let end = line.start + source.slice(line).trim_end().len();
        let is_comment = code.len() < before.len() && !is_string(start);
        is_comment.then(|| (Span::new(start, end), at))
    };
    text.match_indices(mark).take(MARKS_MAX).filter_map(begin).collect()
}

fn add_strings(table: &DeTable<'_>, strings: &mut Vec<Span>) {
    for (key, value) in table {
        strings.push(Span::from(key.span()));
        add_strings_of(value, strings);
    }
}

fn add_strings_of(value: &Value<'_>, strings: &mut Vec<Span>) {
    match value.get_ref() {
        DeValue::String(_) => strings.push(span(value)),
        DeValue::Array(items) => items.iter().for_each(|item| add_strings_of(item, strings)),
        DeValue::Table(table) => add_strings(table, strings),
        _ => {}
    }
}
