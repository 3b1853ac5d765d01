//! Which functions a Python file defines, as far as its lines show.
//!
//! Nothing here parses Python. A name may come into a module in many ways, and a file that is right
//! must not be reported, so every line that may bind a name counts.

use std::path::Path;

/// Calls that bind names which no line mentions.
const DYNAMIC: [&str; 4] = ["globals()", "exec(", "setattr(", "import *"];

/// Returns `true` if a path is that of a Python file.
pub(super) fn is_python(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "py")
}

/// Returns `true` unless the file certainly does not define a name at its top.
pub(super) fn may_define(text: &str, name: &str) -> bool {
    text.lines().any(|line| may_bind(code_of(line), name))
}

fn may_bind(code: &str, name: &str) -> bool {
    if DYNAMIC.iter().any(|call| code.contains(call)) {
        return true;
    }
    let mut words = words(code);
    let has_name = words.clone().any(|word| word == name);
    has_name
        && (code.contains('=')
            || words.any(|word| matches!(word, "def" | "class" | "import"))
            || is_line_of_import(code, name))
}

/// Returns `true` for a line such as `main,` or `main as run,` of an import with parentheses.
fn is_line_of_import(code: &str, name: &str) -> bool {
    let Some(rest) = code.trim().strip_suffix(name).or_else(|| code.trim().strip_prefix(name))
    else {
        return false;
    };
    let rest = rest.trim();
    rest.is_empty() || rest.starts_with([',', ')']) || words(rest).any(|word| word == "as")
}

/// Returns the functions that the lines define without an indent.
pub(super) fn functions(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let rest = line.strip_prefix("async ").unwrap_or(line).strip_prefix("def ")?;
        words(rest).next()
    })
}

fn code_of(line: &str) -> &str {
    line.split('#').next().unwrap_or_default()
}

fn words(code: &str) -> impl Iterator<Item = &str> + Clone {
    let words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| !word.is_empty())
}
