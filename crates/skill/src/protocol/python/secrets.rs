//! Which secrets a Python file reads from `runtime.secrets`.
//!
//! A secret counts only if its name is written where it is read, and if `runtime` is certainly the
//! module of a run: imported, and never bound to anything else.

use super::statement::{Statement, certain_statements};
use super::tokens::{Token, TokenKind};
use dibber_text::Span;

const MODULE: &str = "runtime";
const SECRETS: &str = "secrets";

/// The name of a secret that is read, and its bytes, with the quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::protocol) struct SecretRead<'t> {
    pub(in crate::protocol) name: &'t str,
    pub(in crate::protocol) span: Span,
}

/// Returns where a file reads secrets, in its order.
pub(in crate::protocol) fn secrets_read(text: &str) -> Vec<SecretRead<'_>> {
    if !text.contains(SECRETS) || !text.contains(MODULE) {
        return Vec::new();
    }
    let Some(statements) = certain_statements(text) else { return Vec::new() };
    let has_module = statements.iter().any(imports_module) && !is_rebound(&statements, MODULE);
    let has_secrets = statements.iter().any(imports_secrets) && !is_rebound(&statements, SECRETS);
    let mut found = Vec::new();
    for Statement { tokens, .. } in &statements {
        for at in (0..tokens.len()).filter(|at| tokens[*at].is_word(SECRETS)) {
            let is_read = match at.checked_sub(1).map(|before| tokens[before]) {
                Some(dot) if dot.is_symbol('.') => has_module && is_of_module(tokens, at),
                _ => has_secrets,
            };
            if is_read {
                found.extend(read_after(tokens, at));
            }
        }
    }
    found
}

/// Returns `true` if `runtime.` is before the token, and nothing that it may be a part of.
fn is_of_module(tokens: &[Token<'_>], at: usize) -> bool {
    let Some(module) = at.checked_sub(2) else { return false };
    let is_part = module > 0 && tokens[module - 1].is_symbol('.');
    tokens[module].is_word(MODULE) && !is_part
}

/// Returns the secret that `["NAME"]` or `.get("NAME"` after `secrets` reads.
fn read_after<'t>(tokens: &[Token<'t>], at: usize) -> Option<SecretRead<'t>> {
    let after: Vec<Token<'t>> = tokens[at + 1..].iter().copied().take(4).collect();
    let (name, closing) = match &after[..] {
        [open, name, close, ..] if open.is_symbol('[') => (name, (close, "]")),
        [dot, get, open, name] if is_call_of_get(dot, get, open) => {
            (name, (tokens.get(at + 5)?, "),"))
        }
        _ => return None,
    };
    let TokenKind::Text(Some(text)) = name.kind else { return None };
    if is_assigned(&tokens[at + 1..]) {
        return None;
    }
    let (close, expected) = closing;
    expected
        .chars()
        .any(|symbol| close.is_symbol(symbol))
        .then_some(SecretRead { name: text, span: name.span })
}

/// Returns `true` for `["NAME"] =`.
fn is_assigned(after: &[Token<'_>]) -> bool {
    let is_equals = |at: usize| after.get(at).is_some_and(|token| token.is_symbol('='));
    is_equals(3) && !is_equals(4)
}

fn is_call_of_get(dot: &Token<'_>, get: &Token<'_>, open: &Token<'_>) -> bool {
    dot.is_symbol('.') && get.is_word("get") && open.is_symbol('(')
}

/// Returns `true` for `import runtime`, also with other modules.
fn imports_module(statement: &Statement<'_>) -> bool {
    let tokens = &statement.tokens;
    let is_alone = |at: usize| {
        tokens[at].is_word(MODULE)
            && (tokens[at - 1].is_word("import") || tokens[at - 1].is_symbol(','))
            && tokens.get(at + 1).is_none_or(|next| next.is_symbol(','))
    };
    tokens[0].is_word("import") && (1..tokens.len()).any(is_alone)
}

/// Returns `true` for `from runtime import secrets`, also with other names.
fn imports_secrets(statement: &Statement<'_>) -> bool {
    let tokens = &statement.tokens;
    tokens.len() > 3
        && tokens[0].is_word("from")
        && tokens[1].is_word(MODULE)
        && tokens[2].is_word("import")
        && tokens[3..].iter().any(|token| token.is_word(SECRETS))
        && !tokens.iter().any(|token| token.is_word("as"))
}

/// Returns `true` if a name may be bound in another way than by these imports.
fn is_rebound(statements: &[Statement<'_>], name: &str) -> bool {
    statements.iter().any(|statement| {
        if imports_module(statement) || imports_secrets(statement) {
            return false;
        }
        let tokens = &statement.tokens;
        let is_import = tokens[0].is_word("import") || tokens[0].is_word("from");
        (0..tokens.len()).filter(|at| tokens[*at].is_word(name)).any(|at| {
            let before = at.checked_sub(1).map(|before| tokens[before]);
            let is_attribute = before.is_some_and(|before| before.is_symbol('.'));
            // A name that is used is followed by what is read of it.
            let is_used =
                tokens.get(at + 1).is_some_and(|next| next.is_symbol('.') || next.is_symbol('['));
            is_import || !(is_attribute || is_used)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<&str> {
        secrets_read(text).into_iter().map(|read| read.name).collect()
    }

    #[test]
    fn secrets_are_read_in_these_ways() {
        for text in [
            "import runtime\nx = runtime.secrets[\"A\"]",
            "import os, runtime\nx = runtime.secrets['A']",
            "import runtime\nx = runtime . secrets [ r'A' ]",
            "import runtime\nx = runtime.secrets.get('A', None)",
            "import runtime\ndef main(args):\n    return f\"Bearer {runtime.secrets['A']}!\"",
            "def main(args):\n    import runtime\n    return runtime.secrets[\n  'A'\n]",
            "from runtime import blobs, secrets\nx = secrets.get('A')",
            "import os, \\\n    runtime\nx = runtime.secrets['A']",
            "import runtime\nx = runtime.secrets \\\n    ['A']",
            "import runtime\n# it\nx = runtime.secrets['A']",
            "import runtime\nif runtime.secrets['A'] == x: pass",
        ] {
            for text in with_line_ends(text) {
                assert_eq!(names(&text), ["A"], "{text:?}");
            }
        }
        let text = "import runtime\nx = runtime.secrets['A']";
        let span = secrets_read(text)[0].span;
        assert_eq!(&text[span.range()], "'A'");
    }

    #[test]
    fn what_is_not_certain_is_not_read() {
        for text in [
            "x = runtime.secrets['A']",
            "import runtime\n# runtime.secrets['A']",
            "import runtime\n'''\nruntime.secrets[\"A\"]\n'''",
            "import runtime\nx = runtime.secrets[name]",
            "import runtime\nx = runtime.secrets['A' + b]",
            "import runtime\nx = runtime.secrets['\\x41']",
            "import runtime\nx = runtime.secrets[f'{a}']",
            "import runtime\nx = other.runtime.secrets['A']",
            "import runtime\nx = secrets['A']",
            "import runtime\ndef main(runtime):\n    return runtime.secrets['A']",
            "import runtime\nruntime = object()\nx = runtime.secrets['A']",
            "import runtime\nfor runtime in a: runtime.secrets['A']",
            "import runtime as r\nx = runtime.secrets['A']",
            "import other as runtime\nimport runtime\nx = runtime.secrets['A']",
            "from a import runtime\nimport runtime\nx = runtime.secrets['A']",
            "from runtime import secrets\nimport secrets\nx = secrets['A']",
            "from runtime import secrets as s\nx = secrets['A']",
            "import runtime\nx = '{runtime.secrets[\"A\"]}'",
            "import runtime\nx = f'{{runtime.secrets[\"A\"]}}'",
            "import runtime\nx = 'it\\\n runtime.secrets[\"A\"] '",
            "import runtime\nfrom a import b, \\\n    runtime\nx = runtime.secrets['A']",
            "import runtime\nfrom a import *\nx = runtime.secrets['A']",
            "import runtime, sys\nsys.modules['runtime'] = a\nx = runtime.secrets['A']",
            "import runtime\nruntime.secrets['A'] = 'x'",
            "import runtime\nx = f'{'''a'''}'\nx = runtime.secrets['A']",
        ] {
            for text in with_line_ends(text) {
                assert_eq!(names(&text), Vec::<&str>::new(), "{text:?}");
            }
        }
    }

    fn with_line_ends(text: &str) -> [String; 3] {
        ["\n", "\r\n", "\r"].map(|end| text.replace('\n', end))
    }

    #[test]
    fn every_beginning_of_a_text_is_read() {
        let text = "import runtime\nx = f\"\"\"ä{runtime.secrets['A']:>{w}}\"\"\" + r'\\'\n";
        for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
            assert!(names(&text[..end]).len() <= 1, "{end}");
        }
    }
}
