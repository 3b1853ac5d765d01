//! A value of frontmatter that cannot stand as it is written, and how it can.

use super::line::Line;
use super::{Cause, Repair};
use dibber_skill::diagnostic::{Applicability, Edit};
use dibber_skill::skill::yaml_scalar::{quoted, reads_as};
use dibber_skill::skill::{KeyStyle, after_closing, is_block_header, parse_entry};
use dibber_text::{Span, ellipsize};

const QUOTE: &str = "Put the value in quotes";

/// Finds out what is wrong with the value on `line`; the parser gave up at `at`.
pub(super) fn cause(line: &Line<'_>, at: usize) -> Option<Cause> {
    if line.parts.style == KeyStyle::Glued {
        return Some(glued(line));
    }
    match line.value_text().chars().next()? {
        quote @ ('"' | '\'') => in_quotes(line, quote),
        '[' | '{' => brackets(line, at),
        '|' | '>' if !is_block_header(line.value_text()) => Some(text_behind_indicator(line)),
        first if is_reserved(line.value_text(), first) => Some(reserved(line, first)),
        _ => {
            let colon = first_colon(line.value_text())?;
            Some(self::colon(line, line.value.start + colon, line.whole_value()))
        }
    }
}

/// A colon in an unquoted text, which begins a key; `at` is the colon, `value` all of the text.
pub(super) fn colon(line: &Line<'_>, at: usize, value: Span) -> Cause {
    let key = ellipsize(line.key_text());
    let message = format!("a colon in the unquoted value of `{key}` begins another key");
    let written = &line.text[value.range()];
    let cause = with_quotes(line, value, written, Applicability::Safe, message);
    Cause { span: Span::new(at, at + 1), ..cause }
}

/// The first colon that YAML takes for the end of a key.
pub(super) fn first_colon(value: &str) -> Option<usize> {
    let bytes = value.as_bytes();
    memchr::memchr_iter(b':', bytes).find(|&at| {
        bytes.get(at + 1).is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
    })
}

/// Tells whether an unquoted text cannot begin with what `value` begins with.
fn is_reserved(value: &str, first: char) -> bool {
    match first {
        '@' | '`' | '*' | '&' | '!' | '%' | '|' | '>' | ',' | ']' | '}' => true,
        '-' | '?' | ':' => value[1..].starts_with([' ', '\t']) || value.len() == 1,
        _ => false,
    }
}

fn reserved(line: &Line<'_>, first: char) -> Cause {
    let key = ellipsize(line.key_text());
    let reads = match first {
        '*' => "refers to an anchor, and there is none of that name",
        '&' => "names an anchor",
        '!' => "begins a tag",
        '|' | '>' => "begins a text on the lines below",
        '-' => "begins a list, which has to stand on a line of its own",
        _ => "cannot begin a value",
    };
    let character = if first == '`' { "a backtick".to_owned() } else { format!("`{first}`") };
    let message = format!("{character} in front of the value of `{key}` {reads}");
    let value = line.value_text();
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let may_be_meant = match first {
        '*' | '&' | '!' => value[1..].chars().all(is_name),
        '-' | '?' | ':' | '|' | '>' => true,
        _ => false,
    };
    let applicability = if may_be_meant { Applicability::Unsafe } else { Applicability::Safe };
    let cause = with_quotes(line, line.whole_value(), value, applicability, message);
    let span = Span::new(line.value.start, line.value.start + first.len_utf8());
    Cause { span, ..cause }
}

/// Offers to put `value` in quotes, so that it is read as `text`.
fn with_quotes(
    line: &Line<'_>,
    value: Span,
    text: &str,
    applicability: Applicability,
    message: String,
) -> Cause {
    let written = &line.text[value.range()];
    let text = if value == line.value { text } else { written };
    // What stands behind ` #` may be a comment, or belong to the text.
    let comment = if value == line.value { text.find(" #") } else { None };
    let (text, span) = match comment {
        Some(at) if text == written => {
            let text = text[..at].trim_end();
            (text, Span::new(value.start, value.start + text.len()))
        }
        _ => (text, value),
    };
    let new = quoted(text);
    let is_one_line = !text.contains(['\n', '\r']);
    let applicability = match (comment, is_one_line) {
        (None, true) => applicability,
        _ => Applicability::Unsafe,
    };
    let is_right = if is_one_line {
        reads_as(&new, text)
    } else {
        parse_entry(&format!("key: {new}")).is_some()
    };
    let help = if text.chars().count() < 60 && is_one_line {
        format!("put the value in quotes: `{}: {new}`", line.key_text())
    } else {
        "put the value in quotes".to_owned()
    };
    let edits = vec![Edit { span, text: new }];
    let repair = is_right.then_some(Repair { applicability, title: QUOTE, edits });
    Cause { repair, ..Cause::new(value, message, help) }
}

/// A key with no space behind its colon, or with a wide colon.
fn glued(line: &Line<'_>) -> Cause {
    let key = line.key_text();
    let colon =
        Span::new(line.key.end, line.key.start + line.parts.after_colon - line.parts.span.start);
    let message = if line.text[colon.range()].starts_with(':') {
        format!("no space stands behind the colon of `{}`, so it is no key", ellipsize(key))
    } else {
        format!("the wide colon behind `{}` is not the one that YAML knows", ellipsize(key))
    };
    let entry = parse_entry(&format!("{key}: {}", line.value_text()));
    let is_right = entry.is_some_and(|entry| entry.key.as_str() == Some(key));
    let edits = vec![Edit { span: colon, text: ": ".to_owned() }];
    let title = "Write a colon and a space";
    let repair = is_right.then_some(Repair { applicability: Applicability::Safe, title, edits });
    let help = format!("write `{}: {}`", ellipsize(key), ellipsize(line.value_text()));
    Cause { repair, ..Cause::new(colon, message, help) }
}

/// A `|` or `>` with the text on the same line.
fn text_behind_indicator(line: &Line<'_>) -> Cause {
    let value = line.value_text();
    let indicators = ['|', '>', '+', '-'];
    let rest = value.trim_start_matches(indicators).trim_start();
    let span = Span::new(line.value.end - rest.len(), line.value.end);
    let indicator = value[..value.len() - rest.len()].trim_end();
    let message = format!(
        "the text of `{}` stands on the same line as its `{indicator}`",
        ellipsize(line.key_text())
    );
    let whole = line.whole_value();
    let below = line.text[line.value.end..whole.end].trim_start_matches(['\n', '\r']);
    let indent =
        if below.is_empty() { line.margin() + 2 } else { dibber_skill::skill::indentation(below) };
    let line_break = if line.text.contains("\r\n") { "\r\n" } else { "\n" };
    let between = Span::new(line.value.start + indicator.len(), span.start);
    let text = format!("{line_break}{}", " ".repeat(indent));
    let margin = " ".repeat(line.margin());
    let fixed = format!("{margin}key: {indicator}{text}{}", &line.text[span.start..whole.end]);
    let edits = vec![Edit { span: between, text }];
    let title = "Move the text to the next line";
    let repair =
        parse_entry(&fixed).map(|_| Repair { applicability: Applicability::Unsafe, title, edits });
    let help = format!("begin the text on the next line, indented, or leave `{indicator}` out");
    Cause { repair, ..Cause::new(span, message, help) }
}

fn in_quotes(line: &Line<'_>, quote: char) -> Option<Cause> {
    let key = ellipsize(line.key_text());
    let value = line.value_text();
    let opening = Span::new(line.value.start, line.value.start + 1);
    let Some(end) = after_closing(&line.text[..line.end], line.value.start) else {
        let message = format!("the quote in front of the value of `{key}` is never closed");
        let new = format!("{value}{quote}");
        let edits = vec![Edit { span: Span::empty(line.value.end), text: quote.to_string() }];
        let is_right =
            line.whole_value() == line.value && parse_entry(&format!("key: {new}")).is_some();
        let title = "Close the quote at the end of the line";
        let repair =
            is_right.then_some(Repair { applicability: Applicability::Unsafe, title, edits });
        let help = format!("close the text with `{quote}`");
        return Some(Cause { repair, ..Cause::new(opening, message, help) });
    };
    if end >= line.value.end {
        return escape(line, quote);
    }
    let closing = Span::new(end - 1, end);
    let before = line.text[..closing.start].chars().next_back().unwrap_or(' ');
    let after = line.text[end..].chars().next().unwrap_or(' ');
    // What follows the closing quote ends in any character, of any number of bytes: only a quote
    // is cut off at the end.
    let inner = value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    let opens_inside = before.is_whitespace() && !after.is_whitespace();
    let is_apostrophe = quote == '\'' && before.is_alphanumeric() && after.is_alphanumeric();
    let escape = if quote == '"' { "\\" } else { "''" };
    let closes = !before.is_whitespace() && !after.is_alphanumeric();
    let (text, is_sure) = match inner {
        Some(inner) if opens_inside || is_apostrophe => (inner, !inner.contains(escape)),
        _ => (value, closes),
    };
    let applicability = if is_sure { Applicability::Safe } else { Applicability::Unsafe };
    let message = if text == value {
        format!("the value of `{key}` goes on behind the closing quote")
    } else {
        format!("a quote inside the quoted value of `{key}` ends it")
    };
    let cause = with_quotes(line, line.value, text, applicability, message);
    Some(Cause { span: closing, ..cause })
}

/// A backslash in double quotes that begins no escape of YAML's.
fn escape(line: &Line<'_>, quote: char) -> Option<Cause> {
    let value = line.value_text();
    if quote != '"' {
        return None;
    }
    let mut edits = Vec::new();
    let mut rest = 1;
    while let Some(found) = value.get(rest..).and_then(|text| text.find('\\')) {
        let at = rest + found;
        let escaped = value[at + 1..].chars().next()?;
        rest = at + 1 + escaped.len_utf8();
        if !is_escape(&value[at + 1..], escaped) {
            let span = Span::new(at, rest).shift(line.value.start);
            edits.push(Edit { span, text: format!("\\\\{escaped}") });
        }
    }
    let span = edits.first()?.span;
    let message = format!("`{}` is no escape that YAML knows", &line.text[span.range()]);
    let help = "write the backslash twice, or put the value in single quotes";
    let title = "Write the backslash twice";
    let repair = Some(Repair { applicability: Applicability::Unsafe, title, edits });
    Some(Cause { repair, ..Cause::new(span, message, help) })
}

/// Characters that are written as two escapes each, as JSON does, in `part`.
pub(super) fn halves(text: &str, part: Span) -> Option<Cause> {
    let mut edits = Vec::new();
    let mut at = part.start;
    while let Some(found) = text[at..part.end].find("\\u") {
        at += found;
        let c = surrogates(&text[at..part.end]);
        let length = if c.is_some() { SURROGATES_BYTES } else { 2 };
        let edit = |c: char| Edit { span: Span::new(at, at + length), text: c.to_string() };
        edits.extend(c.map(edit));
        at += length;
    }
    let (span, c) = edits.first().map(|edit| (edit.span, edit.text.clone()))?;
    let message = format!("`{}` is `{c}` in JSON, and nothing in YAML", &text[span.range()]);
    let title = "Write the characters themselves";
    let repair = Some(Repair { applicability: Applicability::Safe, title, edits });
    Some(Cause { repair, ..Cause::new(span, message, format!("write `{c}` itself")) })
}

/// The bytes of a character that is written as two escapes, as in `\ud83d\ude00`.
const SURROGATES_BYTES: usize = 12;

/// The character that `text` begins with, when it is written as two escapes.
fn surrogates(text: &str) -> Option<char> {
    let half = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    char::decode_utf16([half(0)?, half(6)?]).next()?.ok().filter(|c| u32::from(*c) > 0xFFFF)
}

/// Tells whether a backslash in front of `rest`, which begins with `escaped`, is an escape.
fn is_escape(rest: &str, escaped: char) -> bool {
    let digits = match escaped {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        _ => return "0abt\tnvfre \"/\\N_LP\n\r".contains(escaped),
    };
    rest.get(1..=digits).is_some_and(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn brackets(line: &Line<'_>, at: usize) -> Option<Cause> {
    let key = ellipsize(line.key_text());
    let value = line.value_text();
    let opening = Span::new(line.value.start, line.value.start + 1);
    let (bracket, what) = if value.starts_with('[') { (']', "list") } else { ('}', "mapping") };
    let Some(end) = after_closing(&line.text[..line.end], line.value.start) else {
        let message = format!("the bracket in front of the value of `{key}` is never closed");
        let help = format!("close the {what} with `{bracket}`, or put the value in quotes");
        return Some(Cause::new(opening, message, help));
    };
    if end < line.value.end && !line.text[end..line.value.end].trim_start().starts_with('#') {
        let message = format!("`{}` in front of the value of `{key}` begins a {what}", &value[..1]);
        let cause = with_quotes(line, line.value, value, Applicability::Safe, message);
        return Some(Cause { span: opening, ..cause });
    }
    (end <= line.value.end).then(|| items(line, Span::new(opening.end, end - 1), at))?
}

/// The items of a list on one line which need quotes.
fn items(line: &Line<'_>, inside: Span, at: usize) -> Option<Cause> {
    let text = &line.text[inside.range()];
    if !line.value_text().starts_with('[') || text.contains(['#', '\n', '\r']) {
        return None;
    }
    let mut edits = Vec::new();
    let mut start = inside.start;
    for item in split_items(text) {
        let trimmed = item.trim();
        let from = start + item.len() - item.trim_start().len();
        start += item.len() + 1;
        if !trimmed.is_empty() && parse_entry(&format!("key: [{trimmed}]")).is_none() {
            if trimmed.contains(['"', '\'']) {
                return None;
            }
            let span = Span::new(from, from + trimmed.len());
            edits.push(Edit { span, text: quoted(trimmed) });
        }
    }
    let first = edits.iter().find(|edit| edit.span.contains(at)).or(edits.first())?;
    let message = format!(
        "`{}` cannot stand in a list without quotes",
        ellipsize(&line.text[first.span.range()])
    );
    let help = format!("put it in quotes: `{}`", ellipsize(&first.text));
    let cause = Cause::new(first.span, message, help);
    let mut fixed = line.value_text().to_owned();
    for edit in edits.iter().rev() {
        let start = edit.span.start - line.value.start;
        fixed.replace_range(start..start + edit.span.len(), &edit.text);
    }
    let is_right = parse_entry(&format!("key: {fixed}")).is_some();
    let title = "Put the items in quotes";
    let repair = is_right.then_some(Repair { applicability: Applicability::Safe, title, edits });
    Some(Cause { repair, ..cause })
}

/// Cuts the text of a list at the commas that are not inside other brackets.
fn split_items(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    text.split(move |c| {
        match c {
            '[' | '{' => depth += 1,
            ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    })
}
