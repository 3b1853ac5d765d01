//! The tokens of a Python file, as far as they tell code from comments and strings.

use dibber_text::Span;

/// How many strings with fields are looked into inside one another.
const DEPTH_MAX: usize = 3;

/// The characters that end a line, of which a carriage return and a newline are one end.
pub(super) const LINE_ENDS: [char; 2] = ['\n', '\r'];

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind<'t> {
    /// A name, a keyword, or a part of a number.
    Word(&'t str),
    /// A string; its value if that is what is between the quotes.
    Text(Option<&'t str>),
    /// A string that is not closed.
    OpenText,
    /// Any other character.
    Symbol(char),
}

/// A token with its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub(super) kind: TokenKind<'t>,
    pub(super) span: Span,
    /// How many strings the token is in: the fields of an f-string are code.
    pub(super) depth: usize,
}

impl Token<'_> {
    pub(super) fn is_word(&self, word: &str) -> bool {
        self.kind == TokenKind::Word(word)
    }

    pub(super) fn is_symbol(&self, symbol: char) -> bool {
        self.kind == TokenKind::Symbol(symbol)
    }
}

/// Returns the tokens of a file. It may be anything; what is not Python gives some tokens, too.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut scanner = Scanner { text, found: Vec::new() };
    scanner.scan(Span::new(0, text.len()), 0);
    scanner.found
}

struct Scanner<'t> {
    text: &'t str,
    found: Vec<Token<'t>>,
}

impl<'t> Scanner<'t> {
    fn scan(&mut self, part: Span, depth: usize) {
        let mut at = part.start;
        while let Some(c) = self.text[at..part.end].chars().next() {
            let rest = &self.text[at..part.end];
            let length = match c {
                '#' => rest.find(LINE_ENDS).unwrap_or(rest.len()),
                '\\' if rest[1..].starts_with(LINE_ENDS) => 1,
                '"' | '\'' => self.string(at, 0, part.end, depth),
                c if is_of_word(c) => self.word(at, part.end, depth),
                c => {
                    if !c.is_whitespace() {
                        self.push(TokenKind::Symbol(c), at, c.len_utf8(), depth);
                    }
                    c.len_utf8()
                }
            };
            at += length;
        }
    }

    fn push(&mut self, kind: TokenKind<'t>, at: usize, length: usize, depth: usize) {
        self.found.push(Token { kind, span: Span::new(at, at + length), depth });
    }

    /// Reads a word, or the string whose prefix it is; returns its length.
    fn word(&mut self, at: usize, end: usize, depth: usize) -> usize {
        let rest = &self.text[at..end];
        let length = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
        let is_prefix = length <= 2
            && rest[..length].bytes().all(|byte| b"rbuftRBUFT".contains(&byte))
            && rest[length..].starts_with(['"', '\'']);
        if is_prefix {
            return self.string(at, length, end, depth);
        }
        self.push(TokenKind::Word(&rest[..length]), at, length, depth);
        length
    }

    /// Reads a string with a prefix of that length; returns the length of both.
    fn string(&mut self, at: usize, prefix: usize, end: usize, depth: usize) -> usize {
        let rest = &self.text[at + prefix..end];
        let quote = &rest[..1];
        let (opening, is_long) = match quote.repeat(3) {
            long if rest.starts_with(&long) => (3, true),
            _ => (1, false),
        };
        let (inside, closing) = content(&rest[opening..], quote, is_long);
        let prefix_text = &self.text[at..at + prefix];
        let value = &rest[opening..opening + inside];
        let is_plain =
            !value.contains('\\') && prefix_text.bytes().all(|byte| b"uUrR".contains(&byte));
        let length = prefix + opening + inside + closing;
        let kind = match closing {
            0 => TokenKind::OpenText,
            _ => TokenKind::Text(is_plain.then_some(value)),
        };
        self.push(kind, at, length, depth);
        if prefix_text.contains(['f', 'F', 't', 'T']) && depth < DEPTH_MAX {
            let start = at + prefix + opening;
            for field in fields(value) {
                self.scan(Span::new(start + field.start, start + field.end), depth + 1);
            }
        }
        length
    }
}

/// Returns the length of what is inside a string, and that of its closing quotes: 0 if they are not
/// there. A backslash keeps the next character from closing it, also in raw strings.
fn content(text: &str, quote: &str, is_long: bool) -> (usize, usize) {
    let closing = if is_long { quote.repeat(3) } else { quote.to_owned() };
    let mut characters = text.char_indices();
    while let Some((at, c)) = characters.next() {
        if text[at..].starts_with(&closing) {
            return (at, closing.len());
        }
        match c {
            '\n' | '\r' if !is_long => return (at, 0),
            '\\' if text[at + 1..].starts_with("\r\n") => _ = characters.nth(1),
            '\\' => _ = characters.next(),
            _ => {}
        }
    }
    (text.len(), 0)
}

/// Returns the fields of an f-string, without their braces. Two braces are one that is meant.
fn fields(text: &str) -> Vec<Span> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let (mut at, mut depth, mut start) = (0, 0_usize, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'{' if depth == 0 && bytes.get(at + 1) == Some(&b'{') => at += 1,
            b'{' => {
                depth += 1;
                if depth == 1 {
                    start = at + 1;
                }
            }
            b'}' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    found.push(Span::new(start, at));
                }
            }
            _ => {}
        }
        at += 1;
    }
    found
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
