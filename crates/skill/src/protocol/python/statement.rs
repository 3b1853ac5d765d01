//! The statements of a Python file: lines, with those that brackets join.

use super::tokens::{LINE_ENDS, Token, TokenKind, tokens};

/// The columns from one tab stop to the next.
const TAB: usize = 8;

/// Words that bind names which no statement mentions.
const DYNAMIC: [&str; 10] = [
    "__dict__",
    "__getattr__",
    "eval",
    "exec",
    "f_globals",
    "globals",
    "locals",
    "modules",
    "setattr",
    "vars",
];

/// A statement of one or more lines.
#[derive(Debug)]
pub(super) struct Statement<'t> {
    /// The column of its first token.
    pub(super) indent: usize,
    /// All tokens, those in the fields of strings included.
    pub(super) tokens: Vec<Token<'t>>,
}

impl<'t> Statement<'t> {
    /// Returns the name of the function that the statement defines.
    pub(super) fn function(&self) -> Option<&'t str> {
        let at = usize::from(self.tokens[0].is_word("async"));
        match self.tokens.get(at + 1)?.kind {
            TokenKind::Word(name) if self.tokens[at].is_word("def") => Some(name),
            _ => None,
        }
    }

    /// Returns `true` if what is indented below the statement has names of its own.
    pub(super) fn has_scope(&self) -> bool {
        self.function().is_some() || self.tokens[0].is_word("class")
    }

    /// Returns `true` if the statement may bind names that it does not mention.
    fn is_dynamic(&self) -> bool {
        let mut pairs = self.tokens.windows(2);
        pairs.any(|pair| pair[0].is_word("import") && pair[1].is_symbol('*'))
            || self.tokens.iter().any(|token| DYNAMIC.iter().any(|word| token.is_word(word)))
    }
}

/// Returns the statements of a program; none if names may be bound in other ways than by a statement that
/// mentions them, or if a string is not closed: what is after it may be code or not.
pub(super) fn certain_statements(text: &str) -> Option<Vec<Statement<'_>>> {
    let statements = statements(text);
    let mut tokens = statements.iter().flat_map(|statement| &statement.tokens);
    let is_certain = !statements.iter().any(Statement::is_dynamic)
        && !tokens.any(|token| token.kind == TokenKind::OpenText);
    is_certain.then_some(statements)
}

/// Returns the statements of a program, each of which has tokens.
pub(super) fn statements(text: &str) -> Vec<Statement<'_>> {
    let mut found: Vec<Statement<'_>> = Vec::new();
    let (mut end, mut brackets) = (0, 0_usize);
    for token in tokens(text) {
        let begins = found.is_empty()
            || (token.depth == 0
                && brackets == 0
                && text.get(end..token.span.start).is_some_and(ends_line));
        if begins {
            let indent = indent(text, token.span.start);
            found.push(Statement { indent, tokens: Vec::new() });
        }
        if token.depth == 0 {
            end = token.span.end;
            match token.kind {
                TokenKind::Symbol('(' | '[' | '{') => brackets += 1,
                TokenKind::Symbol(')' | ']' | '}') => brackets = brackets.saturating_sub(1),
                _ => {}
            }
        }
        if let Some(statement) = found.last_mut() {
            statement.tokens.push(token);
        }
    }
    found
}

/// Returns `true` if a line ends in what is between two tokens, and no backslash joins it to the next.
fn ends_line(between: &str) -> bool {
    let mut rest = between;
    while let Some((line, after)) = rest.split_once(LINE_ENDS) {
        if line.contains('#') || !line.ends_with('\\') {
            return true;
        }
        let is_pair = rest[line.len()..].starts_with("\r\n");
        rest = if is_pair { &after[1..] } else { after };
    }
    false
}

fn indent(text: &str, at: usize) -> usize {
    let start = text[..at].rfind(LINE_ENDS).map_or(0, |newline| newline + 1);
    let next = |column: usize, c| match c {
        '\t' => (column / TAB + 1) * TAB,
        // A form feed, which separates pages.
        '\u{c}' => 0,
        _ => column + 1,
    };
    text[start..at].chars().fold(0, next)
}
