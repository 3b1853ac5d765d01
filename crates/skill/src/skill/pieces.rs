//! Lines of frontmatter, looked at without a YAML parser: which of them begin with a key, and
//! which belong to the key above.

use super::positions::{after_quoted, skip_blanks};
use dibber_text::Span;

/// The key that a line begins with.
pub struct Key {
    /// The key, in bytes of the line.
    pub span: Span,
    /// The byte after the colon.
    pub after_colon: usize,
    /// How surely it is a key.
    pub style: KeyStyle,
    /// What follows on the line.
    pub value: Value,
}

/// How surely something is a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyStyle {
    /// A word, or a quoted string, and a colon.
    Word,
    /// A word and a colon without the space after it that makes it a key, or with the wide
    /// colon of Chinese and Japanese keyboards.
    Glued,
    /// Several words and a colon.
    Words,
}

/// What follows a key on its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Nothing, or a comment.
    None,
    /// A `|` or `>`, and nothing else.
    Block,
    /// Anything else.
    Some,
}

/// What separates values in YAML.
const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];

/// The most characters of a key that is more than one word.
const WORDS_MAX: usize = 40;

/// Returns the key that `line` begins with, after its indentation.
pub fn key_of(line: &str) -> Option<Key> {
    let line = line.trim_end_matches(['\n', '\r']);
    let indent = indentation(line);
    let rest = &line[indent..];
    let length = match rest.chars().next()? {
        '"' | '\'' => after_quoted(rest, 0)?,
        c if c.is_alphanumeric() || matches!(c, '_' | '$' | '.') => {
            let is_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '$' | '/');
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        }
        _ => return None,
    };
    let after_word = rest[length..].trim_start_matches([' ', '\t']);
    let colon = rest.len() - after_word.len();
    if let Some(after) = after_word.strip_prefix(':')
        && (after.is_empty() || after.starts_with([' ', '\t']))
    {
        let span = Span::new(indent, indent + length);
        return Some(key(span, indent + colon + 1, KeyStyle::Word, after));
    }
    let glued = rest[length..].strip_prefix(':').filter(|after| !after.starts_with(['/', ':']));
    let wide = rest[length..].strip_prefix('\u{FF1A}');
    let is_name = rest[..length].bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    if let (true, Some(after)) = (is_name, glued.or(wide)) {
        let span = Span::new(indent, indent + length);
        return Some(key(span, line.len() - after.len(), KeyStyle::Glued, after));
    }
    let words = rest.find(": ").or_else(|| rest.ends_with(':').then(|| rest.len() - 1))?;
    (words <= WORDS_MAX && !rest.starts_with(['"', '\''])).then(|| {
        let span = Span::new(indent, indent + words);
        key(span, indent + words + 1, KeyStyle::Words, &rest[words + 1..])
    })
}

fn key(span: Span, after_colon: usize, style: KeyStyle, after: &str) -> Key {
    // Other white space, such as U+00A0, is a part of the value.
    let value = after.trim_matches(BLANKS);
    let value = match value.as_bytes().first() {
        None | Some(b'#') => Value::None,
        Some(b'|' | b'>') if is_block_header(value) => Value::Block,
        Some(_) => Value::Some,
    };
    Key { span, after_colon, style, value }
}

/// Returns `true` if `value` is the `|` or `>` of a block scalar, with or without its indicators
/// and a comment.
pub fn is_block_header(value: &str) -> bool {
    let rest = value.strip_prefix(['|', '>']).unwrap_or("x");
    let rest = rest.trim_start_matches(['+', '-', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
    rest.is_empty()
        || rest.starts_with([' ', '\t']) && rest.trim_start_matches(BLANKS).starts_with('#')
}

/// Returns the bytes `part` without the spaces, tabs and line breaks at both ends.
pub fn trimmed(text: &str, part: Span) -> Span {
    let content = text[part.range()].trim_start_matches(BLANKS);
    let start = part.end - content.len();
    Span::new(start, start + content.trim_end_matches(BLANKS).len())
}

/// Returns the number of spaces and tabs that `line` begins with.
pub fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// Returns the lines of `part`, each with its line break.
pub fn lines_of(text: &str, part: Span) -> impl Iterator<Item = Span> {
    let mut at = part.start;
    std::iter::from_fn(move || {
        if at >= part.end {
            return None;
        }
        let bytes = &text.as_bytes()[..part.end];
        let line_break = memchr::memchr2(b'\n', b'\r', &bytes[at..]).map(|length| at + length);
        let end = match line_break {
            Some(end) if bytes[end..].starts_with(b"\r\n") => end + 2,
            Some(end) => end + 1,
            None => part.end,
        };
        let line = Span::new(at, end);
        at = end;
        Some(line)
    })
}

/// Cuts `part` before each line that begins with a key and is indented by `margin`.
pub(super) fn pieces(text: &str, part: Span, margin: usize) -> Vec<Span> {
    let mut pieces: Vec<Span> = Vec::new();
    let mut closes = Closes { text, end: part.end, open_until: part.start, can_close: true };
    let mut is_flattened = false;
    for line in lines_of(text, part) {
        let content = &text[line.range()];
        let is_blank = content.trim().is_empty();
        let key = if is_blank || indentation(content) != margin { None } else { key_of(content) };
        let is_part = content.trim_start().starts_with(['#', '-', ']', '}']);
        let is_stray = !is_blank && key.is_none() && indentation(content) <= margin && !is_part;
        let begins = line.start >= closes.open_until
            && key.as_ref().is_some_and(|key| key.style == KeyStyle::Word || !is_flattened);
        match (pieces.last_mut(), key) {
            (Some(piece), _) if !begins => piece.end = line.end,
            (_, Some(key)) => {
                is_flattened = key.value == Value::Block;
                closes.value_at(line.start + key.after_colon);
                pieces.push(line);
            }
            (_, None) => pieces.push(line),
        }
        // Once a line of it is indented, a block scalar is not flattened. Where one line of a
        // text is at the margin, the next ones are too, whatever they look like.
        is_flattened &= begins || is_blank || indentation(content) <= margin;
        is_flattened |= is_stray && !begins && line.start >= closes.open_until;
    }
    pieces
}

/// Where quotes and brackets that reach over several lines end.
struct Closes<'a> {
    text: &'a str,
    end: usize,
    /// Before this byte no line begins a key.
    open_until: usize,
    /// A bracket that is never closed was not met yet; each one costs a look at everything
    /// after it.
    can_close: bool,
}

impl Closes<'_> {
    fn value_at(&mut self, after_colon: usize) {
        let text = &self.text[..self.end];
        let blanks = text[after_colon..].len() - text[after_colon..].trim_start_matches(' ').len();
        let start = after_colon + blanks;
        let is_bracket = text[start..].starts_with(['[', '{']);
        let end = if is_bracket && !self.can_close { None } else { after_closing(text, start) };
        self.can_close &= !is_bracket || end.is_some();
        if let Some(end) = end {
            let rest = text[end..].trim_start_matches([' ', '\t']);
            if rest.is_empty() || rest.starts_with(['\n', '\r', '#']) {
                self.open_until = end;
            }
        }
    }
}

/// Returns the byte after the quote or bracket that closes the one at `start`.
pub fn after_closing(text: &str, start: usize) -> Option<usize> {
    match text.as_bytes().get(start)? {
        b'"' | b'\'' => after_quoted(text, start),
        b'[' | b'{' => after_brackets(text, start),
        _ => None,
    }
}

fn after_brackets(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (start, 0_usize);
    while at < bytes.len() {
        match bytes[at] {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth -= 1,
            b'"' | b'\'' => {
                at = after_quoted(text, at)?;
                continue;
            }
            b'#' if bytes[at - 1].is_ascii_whitespace() => {
                at = skip_blanks(text, at);
                continue;
            }
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
    None
}
