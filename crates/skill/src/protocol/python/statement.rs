//! The statements of a Python file: lines, with those that brackets join.

use super::tokens::{Token, TokenKind, tokens};

/// The columns from one tab stop to the next.
const TAB: usize = 8;

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
}

/// Returns the statements of a text, each of which has tokens.
pub(super) fn statements(text: &str) -> Vec<Statement<'_>> {
    let mut found: Vec<Statement<'_>> = Vec::new();
    let (mut end, mut brackets) = (0, 0_usize);
    for token in tokens(text) {
        let begins = found.is_empty()
            || (token.depth == 0
                && brackets == 0
                && text.get(end..token.span.start).is_some_and(|between| between.contains('\n')));
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

fn indent(text: &str, at: usize) -> usize {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let next = |column: usize, c| if c == '\t' { (column / TAB + 1) * TAB } else { column + 1 };
    text[start..at].chars().fold(0, next)
}
