//! Explains an invalid value of frontmatter and suggests how to write it.

use super::line::KeyLine;
use super::problem::SyntaxProblem;
use dibber_skill::diagnostic::{Applicability, Edit, Fix};
use dibber_skill::skill::yaml_scalar::{quoted, reads_as};
use dibber_skill::skill::{KeyStyle, after_closing, is_block_header, parse_entry};
use dibber_text::{Message, Span, message, quote, quote_in_full};

const QUOTE: &str = "Quote the value";

/// Explains what is wrong with the value on `line`; the parser stopped at `at`.
pub(super) fn diagnose(line: &KeyLine<'_>, at: usize) -> Option<SyntaxProblem> {
    if line.parts.style == KeyStyle::Glued {
        return Some(glued(line));
    }
    match line.value_text().chars().next()? {
        quote @ ('"' | '\'') => quoted_value(line, quote),
        '[' | '{' => brackets(line, at),
        '|' | '>' if !is_block_header(line.value_text()) => Some(text_after_indicator(line)),
        first if is_reserved(line.value_text(), first) => Some(reserved(line, first)),
        _ => {
            let colon = first_colon(line.value_text())?;
            Some(colon_in_value(line, line.value.start + colon, line.whole_value()))
        }
    }
}

/// A colon at `at` in the unquoted `value`, which YAML reads as the end of a key.
pub(super) fn colon_in_value(line: &KeyLine<'_>, at: usize, value: Span) -> SyntaxProblem {
    let key = quote(line.key_text());
    let message = message!["a colon in the unquoted value of `", key, "` begins another key"];
    let written = &line.text[value.range()];
    let cause = with_quotes(line, value, written, Applicability::Safe, message);
    cause.at(Span::new(at, at + 1))
}

/// Returns the first colon that YAML reads as the end of a key: one before white space.
pub(super) fn first_colon(value: &str) -> Option<usize> {
    let bytes = value.as_bytes();
    memchr::memchr_iter(b':', bytes).find(|&at| {
        bytes.get(at + 1).is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
    })
}

/// Returns `true` if an unquoted value must not begin as `value` does (YAML 1.2.2, section 5.3:
/// indicator characters).
fn is_reserved(value: &str, first: char) -> bool {
    match first {
        '@' | '`' | '*' | '&' | '!' | '%' | '|' | '>' | ',' | ']' | '}' => true,
        '-' | '?' | ':' => value[1..].starts_with([' ', '\t']) || value.len() == 1,
        _ => false,
    }
}

fn reserved(line: &KeyLine<'_>, first: char) -> SyntaxProblem {
    let key = quote(line.key_text());
    let reads = match first {
        '*' => "refers to an anchor that does not exist",
        '&' => "names an anchor",
        '!' => "begins a tag",
        '|' | '>' => "begins a block scalar",
        '-' => "begins a list, which must be on a line of its own",
        _ => "cannot begin a value",
    };
    let character = if first == '`' { message!["a backtick"] } else { message!["`", first, "`"] };
    let message = message![character, " before the value of `", key, "` ", reads];
    let value = line.value_text();
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    // These may be an intended anchor, tag, list or block scalar, so quotes could change the
    // meaning: the fix is unsafe.
    let may_be_meant = match first {
        '*' | '&' | '!' => value[1..].chars().all(is_name),
        '-' | '?' | ':' | '|' | '>' => true,
        _ => false,
    };
    let applicability = if may_be_meant { Applicability::Unsafe } else { Applicability::Safe };
    let cause = with_quotes(line, line.whole_value(), value, applicability, message);
    let span = Span::new(line.value.start, line.value.start + first.len_utf8());
    cause.at(span)
}

/// Suggests quotes around `value`, so that it is read as `text`.
fn with_quotes(
    line: &KeyLine<'_>,
    value: Span,
    text: &str,
    applicability: Applicability,
    message: Message,
) -> SyntaxProblem {
    let written = &line.text[value.range()];
    let text = if value == line.value { text } else { written };
    // Text after ` #` may be a comment or part of the value: the fix takes it for a comment, as
    // YAML does, and is unsafe.
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
    // A value on one line must be read as exactly this text. Line folding changes a longer one, so
    // there it is enough that it parses.
    let is_right = if is_one_line {
        reads_as(&new, text)
    } else {
        parse_entry(&format!("key: {new}")).is_some()
    };
    let help = if text.chars().count() < 60 && is_one_line {
        message![
            "quote the value: `",
            quote_in_full(line.key_text()),
            ": ",
            quote_in_full(&new),
            "`"
        ]
    } else {
        message!["quote the value"]
    };
    let edits = vec![Edit { span, text: new }];
    let repair = is_right.then_some(Fix { applicability, title: QUOTE, edits });
    SyntaxProblem::new(value, message, help).with_repair(repair)
}

/// A key without a space after its colon, or with a full-width colon.
fn glued(line: &KeyLine<'_>) -> SyntaxProblem {
    let key = line.key_text();
    let colon =
        Span::new(line.key.end, line.key.start + line.parts.after_colon - line.parts.span.start);
    let message = if line.text[colon.range()].starts_with(':') {
        message!["missing space after the colon of `", quote(key), "`"]
    } else {
        message!["full-width colon after `", quote(key), "`, which is not a colon in YAML"]
    };
    let entry = parse_entry(&format!("{key}: {}", line.value_text()));
    let is_right = entry.is_some_and(|entry| entry.key.as_str() == Some(key));
    let edits = vec![Edit { span: colon, text: ": ".to_owned() }];
    let title = "Write a colon and a space";
    let repair = is_right.then_some(Fix { applicability: Applicability::Safe, title, edits });
    let help = message!["write `", quote(key), ": ", quote(line.value_text()), "`"];
    SyntaxProblem::new(colon, message, help).with_repair(repair)
}

/// A `|` or `>` with text on the same line.
fn text_after_indicator(line: &KeyLine<'_>) -> SyntaxProblem {
    let value = line.value_text();
    let indicators = ['|', '>', '+', '-'];
    let rest = value.trim_start_matches(indicators).trim_start();
    let span = Span::new(line.value.end - rest.len(), line.value.end);
    let indicator = value[..value.len() - rest.len()].trim_end();
    let message = message![
        "the text of `",
        quote(line.key_text()),
        "` is on the same line as its `",
        quote(indicator),
        "`"
    ];
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
        parse_entry(&fixed).map(|_| Fix { applicability: Applicability::Unsafe, title, edits });
    let help =
        message!["begin the text on the next line, indented, or remove `", quote(indicator), "`"];
    SyntaxProblem::new(span, message, help).with_repair(repair)
}

fn quoted_value(line: &KeyLine<'_>, mark: char) -> Option<SyntaxProblem> {
    let key = quote(line.key_text());
    let value = line.value_text();
    let opening = Span::new(line.value.start, line.value.start + 1);
    let Some(end) = after_closing(&line.text[..line.end], line.value.start) else {
        let message = message!["unclosed quote before the value of `", key, "`"];
        let new = format!("{value}{mark}");
        let edits = vec![Edit { span: Span::empty(line.value.end), text: mark.to_string() }];
        let is_right =
            line.whole_value() == line.value && parse_entry(&format!("key: {new}")).is_some();
        let title = "Close the quote at the end of the line";
        let repair = is_right.then_some(Fix { applicability: Applicability::Unsafe, title, edits });
        let help = message!["close the string with `", mark, "`"];
        return Some(SyntaxProblem::new(opening, message, help).with_repair(repair));
    };
    if end >= line.value.end {
        return escape(line, mark);
    }
    let closing = Span::new(end - 1, end);
    let before = line.text[..closing.start].chars().next_back().unwrap_or(' ');
    let after = line.text[end..].chars().next().unwrap_or(' ');
    // The text after the closing quote may end in any character, of any length in bytes: only a
    // quote is stripped from the end.
    let inner = value.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark));
    // Three mistakes look alike: quoted words inside a quoted value, an apostrophe inside single
    // quotes, and text after a quoted first word. The characters around the quote distinguish
    // them. In the first two the outer quotes are dropped; in the third they are part of the text.
    let opens_inside = before.is_whitespace() && !after.is_whitespace();
    let is_apostrophe = mark == '\'' && before.is_alphanumeric() && after.is_alphanumeric();
    let escape = if mark == '"' { "\\" } else { "''" };
    let closes = !before.is_whitespace() && !after.is_alphanumeric();
    let (text, is_sure) = match inner {
        Some(inner) if opens_inside || is_apostrophe => (inner, !inner.contains(escape)),
        _ => (value, closes),
    };
    let applicability = if is_sure { Applicability::Safe } else { Applicability::Unsafe };
    let message = if text == value {
        message!["the value of `", key, "` continues after the closing quote"]
    } else {
        message!["a quote inside the quoted value of `", key, "` ends it"]
    };
    let cause = with_quotes(line, line.value, text, applicability, message);
    Some(cause.at(closing))
}

/// A backslash in double quotes that does not begin an escape of YAML.
fn escape(line: &KeyLine<'_>, mark: char) -> Option<SyntaxProblem> {
    let value = line.value_text();
    if mark != '"' {
        return None;
    }
    let mut edits = Vec::new();
    let mut rest = 1;
    // `rest` moves past the escaped character, so that the second of two backslashes does not
    // begin another escape.
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
    let message = message!["`", quote(&line.text[span.range()]), "` is not a valid escape in YAML"];
    let help = "write the backslash twice, or put the value in single quotes";
    let title = "Write the backslash twice";
    let repair = Some(Fix { applicability: Applicability::Unsafe, title, edits });
    Some(SyntaxProblem::new(span, message, help).with_repair(repair))
}

/// Characters in `part` that are written as surrogate pairs, as in JSON. YAML has no surrogates.
pub(super) fn surrogate_escapes(text: &str, part: Span) -> Option<SyntaxProblem> {
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
    let message = message![
        "`",
        quote(&text[span.range()]),
        "` is `",
        quote(&c),
        "` in JSON, but invalid in YAML"
    ];
    let title = "Write the characters themselves";
    let repair = Some(Fix { applicability: Applicability::Safe, title, edits });
    let help = message!["write `", quote(&c), "` itself"];
    Some(SyntaxProblem::new(span, message, help).with_repair(repair))
}

/// The length in bytes of a surrogate pair, as in `\ud83d\ude00`.
const SURROGATES_BYTES: usize = 12;

/// Returns the character of the surrogate pair that `text` begins with.
fn surrogates(text: &str) -> Option<char> {
    let half = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    char::decode_utf16([half(0)?, half(6)?]).next()?.ok().filter(|c| u32::from(*c) > 0xFFFF)
}

/// Returns `true` if a backslash before `rest`, which begins with `escaped`, is an escape of YAML
/// (YAML 1.2.2, section 5.7).
fn is_escape(rest: &str, escaped: char) -> bool {
    let digits = match escaped {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        _ => return "0abt\tnvfre \"/\\N_LP\n\r".contains(escaped),
    };
    rest.get(1..=digits).is_some_and(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn brackets(line: &KeyLine<'_>, at: usize) -> Option<SyntaxProblem> {
    let key = quote(line.key_text());
    let value = line.value_text();
    let opening = Span::new(line.value.start, line.value.start + 1);
    let (bracket, what) = if value.starts_with('[') { (']', "list") } else { ('}', "mapping") };
    let Some(end) = after_closing(&line.text[..line.end], line.value.start) else {
        let message = message!["unclosed bracket before the value of `", key, "`"];
        let help = message!["close the ", what, " with `", bracket, "`, or quote the value"];
        return Some(SyntaxProblem::new(opening, message, help));
    };
    if end < line.value.end && !line.text[end..line.value.end].trim_start().starts_with('#') {
        let message =
            message!["`", quote(&value[..1]), "` before the value of `", key, "` begins a ", what];
        let cause = with_quotes(line, line.value, value, Applicability::Safe, message);
        return Some(cause.at(opening));
    }
    (end <= line.value.end).then(|| items(line, Span::new(opening.end, end - 1), at))?
}

/// The items of a list on one line that need quotes.
fn items(line: &KeyLine<'_>, inside: Span, at: usize) -> Option<SyntaxProblem> {
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
            // With quotes inside, a comma may be part of an item, and the split is not certain.
            if trimmed.contains(['"', '\'']) {
                return None;
            }
            let span = Span::new(from, from + trimmed.len());
            edits.push(Edit { span, text: quoted(trimmed) });
        }
    }
    let first = edits.iter().find(|edit| edit.span.contains(at)).or(edits.first())?;
    let message =
        message!["`", quote(&line.text[first.span.range()]), "` must be quoted in a list"];
    let help = message!["quote it: `", quote(&first.text), "`"];
    let cause = SyntaxProblem::new(first.span, message, help);
    // From the last edit to the first, so that the offsets of the others stay valid.
    let mut fixed = line.value_text().to_owned();
    for edit in edits.iter().rev() {
        let start = edit.span.start - line.value.start;
        fixed.replace_range(start..start + edit.span.len(), &edit.text);
    }
    let is_right = parse_entry(&format!("key: {fixed}")).is_some();
    let title = "Quote the items";
    let repair = is_right.then_some(Fix { applicability: Applicability::Safe, title, edits });
    Some(cause.with_repair(repair))
}

/// Splits a list at the commas outside of nested brackets.
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
