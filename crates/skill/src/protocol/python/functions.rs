//! Which functions a Python file defines at its top.
//!
//! Nothing here parses Python. A name may come into a module in many ways, and a file that is right
//! must not be reported, so every statement that may bind a name counts.

use super::statement::{Statement, certain_statements, statements};
use dibber_text::Span;

/// Words that bind a name in their statement.
const BINDING: [&str; 8] = ["def", "class", "import", "for", "as", "global", "type", "case"];

/// How a file defines a name at its top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::protocol) enum Definition {
    /// It certainly does not.
    None,
    /// As a function that takes no argument; the bytes of its name.
    WithoutParameters(Span),
    /// In a way that is right, or that cannot be known.
    Other,
}

/// Returns how a file defines a name.
pub(in crate::protocol) fn definition(text: &str, name: &str) -> Definition {
    let Some(statements) = certain_statements(text) else { return Definition::Other };
    let scopes = are_in_scopes(&statements);
    let mut binding =
        (0..statements.len()).filter(|at| may_bind(&statements[*at], scopes[*at], name));
    let Some(at) = binding.next() else { return Definition::None };
    let is_decorated = at > 0 && statements[at - 1].tokens[0].is_symbol('@');
    if binding.next().is_some() || is_decorated || statements[at].function() != Some(name) {
        return Definition::Other;
    }
    let tokens = &statements[at].tokens;
    match tokens.iter().position(|token| token.is_word(name)).and_then(|at| tokens.get(at..at + 3))
    {
        Some([name, open, close]) if open.is_symbol('(') && close.is_symbol(')') => {
            Definition::WithoutParameters(name.span)
        }
        _ => Definition::Other,
    }
}

/// Returns the functions that the file defines without an indent.
pub(in crate::protocol) fn functions(text: &str) -> Vec<&str> {
    let at_top = statements(text).into_iter().filter(|statement| statement.indent == 0);
    at_top.filter_map(|statement| statement.function()).collect()
}

fn may_bind(statement: &Statement<'_>, is_in_scope: bool, name: &str) -> bool {
    if statement.function() == Some(name) {
        return !is_in_scope;
    }
    let has_word = |word: &str| statement.tokens.iter().any(|token| token.is_word(word));
    has_word(name)
        && (statement.tokens.iter().any(|token| token.is_symbol('='))
            || BINDING.iter().any(|word| has_word(word)))
}

/// Returns for each statement whether it is in a function or a class.
fn are_in_scopes(statements: &[Statement<'_>]) -> Vec<bool> {
    // The statements around the next one: their indent, and whether names in them are not at the top.
    let mut around: Vec<(usize, bool)> = Vec::new();
    let mut is_in_scope = |statement: &Statement<'_>| {
        while around.pop_if(|(indent, _)| *indent >= statement.indent).is_some() {}
        let is_inside = around.last().is_some_and(|(_, is_inside)| *is_inside);
        around.push((statement.indent, is_inside || statement.has_scope()));
        is_inside
    };
    statements.iter().map(&mut is_in_scope).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_certainly_is_not_there_is_missing() {
        for missing in [
            "",
            "# def main(args):\n",
            "\"\"\"\ndef main(args):\n    pass\n\"\"\"\n",
            "class Main:\n    def main(self, args):\n        return 1\n",
            "def run(args):\n    def main():\n        pass\n    return main\n",
            "def run(\n    args,\n):\n  if args:\n    def main(a):\n      pass\n",
            "main(1)\n",
            "text = 'a\\\ndef main(args): pass\\\n'\n",
            "# a \\\nmain\n",
        ] {
            for missing in with_line_ends(missing) {
                assert_eq!(definition(&missing, "main"), Definition::None, "{missing:?}");
            }
        }
        for other in [
            "def main(args):\n    pass\n",
            "async def main(args):\n    pass\n",
            "main = 1",
            "from a import (\n  main,\n)\n",
            "if 1:\n\tdef main(args):\n\t\tpass\n",
            "from a import *",
            "globals()['main'] = 1",
            "def make():\n    global main\n    def main(a):\n        pass\n",
            "def main[T](args: T):\n    pass\n",
            "def main(\n    args\n):\n    pass\n",
            "# a\ndef main(args):\n    pass\n",
            "from a import b, \\\n    main\n",
            "x = \\\n    main = 1\n",
            "def \\\n    main(args):\n    pass\n",
            "class A:\n    a = 1\n\u{c}def main(args):\n    pass\n",
            "match x:\n    case main:\n        pass\n",
            "import sys\nsys.modules[__name__] = a\n",
            "def __getattr__(name):\n    return a\n",
            "a.__dict__.update(b)\n",
            "eval('(main := a)')\n",
            "sys._getframe().f_globals['main'] = a\n",
            // A string that is not closed may hide what is after it.
            "x = f'{'''a'''}'\ndef main(args):\n    pass\n",
        ] {
            for other in with_line_ends(other) {
                assert_eq!(definition(&other, "main"), Definition::Other, "{other:?}");
            }
        }
    }

    fn with_line_ends(text: &str) -> [String; 3] {
        ["\n", "\r\n", "\r"].map(|end| text.replace('\n', end))
    }

    #[test]
    fn a_function_without_parameters_is_certain() {
        for text in ["def main():\n    pass\n", "def main(  # none\n):\n    pass\n"] {
            let found = definition(text, "main");
            assert_eq!(found, Definition::WithoutParameters(Span::new(4, 8)), "{text}");
        }
        for text in [
            "@with_args\ndef main():\n    pass\n",
            "def main():\n    pass\nmain = with_args(main)\n",
            "def main(*args):\n    pass\n",
            "if 1:\n    def main():\n        pass\nelse:\n    def main(a):\n        pass\n",
        ] {
            assert_eq!(definition(text, "main"), Definition::Other, "{text}");
        }
    }
}
