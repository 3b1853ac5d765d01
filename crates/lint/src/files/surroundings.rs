//! What the words around a path say of it: whether it is meant for a file that has to be there.

use dibber_text::Span;

/// How many bytes in front of a path, and behind it, are looked at.
const NEAR_BYTES_MAX: usize = 300;
/// Words right in front of a path that is going to be written.
const MAKING_WORDS: [&str; 18] = [
    "create",
    "creates",
    "write",
    "writes",
    "generate",
    "generates",
    "produce",
    "produces",
    "add",
    "new",
    "save",
    "output",
    "-o",
    "--output",
    ">",
    ">>",
    "tee",
    "touch",
];
/// Words between a verb of making and the path that is made.
const PREPOSITIONS: [&str; 7] = ["to", "as", "into", "in", "at", "under", "called"];
/// Beginnings of verbs that make files.
const MAKING_VERBS: [&str; 12] = [
    "creat", "writ", "sav", "generat", "output", "export", "stor", "record", "append", "cop",
    "download", "put",
];
/// What calls a path an example.
const EXAMPLE_WORDS: [&str; 6] = ["xample", "e.g.", "such as", "for instance", "eg.", "like "];
/// What says, behind a path, that the file need not be there.
const OPTIONAL_WORDS: [&str; 7] = [
    "if it exist",
    "if exist",
    "if present",
    "if available",
    "(optional",
    "will be created",
    "does not exist",
];

/// Tells whether the bytes are the text or the target of a Markdown link.
pub(crate) fn is_in_link(text: &str, span: Span) -> bool {
    let (before, after) = before_and_behind(text, span);
    let bracket = after.find(['[', ']']);
    let in_text = bracket.is_some_and(|at| after[at..].starts_with("]("));
    in_text || before.trim_end_matches(['.', '/']).ends_with("](") || before.ends_with("]: ")
}

/// Tells whether the words around a path call it an example, or something that will be written.
pub(crate) fn is_example_or_output(text: &str, span: Span) -> bool {
    let (before, after) = before_and_behind(text, span);
    let whole = before;
    let before = before.trim_end_matches(['`', '"', '\'', '*', '(', '.', '/', ' ', ':', '=']);
    let after = after.get(..after.floor_char_boundary(40)).unwrap_or_default();
    let last = before.rsplit([' ', '\t']).next().unwrap_or_default().to_lowercase();
    let has = |words: &[&str], text: &str| words.iter().any(|word| text.contains(word));
    // A command that is commented out: `# python scripts/run.py`.
    let is_comment = matches!(last.as_str(), "python" | "python3" | "bash" | "sh" | "node")
        && before.trim_start().starts_with('#');
    is_comment
        || MAKING_WORDS.contains(&last.as_str())
        || (PREPOSITIONS.contains(&last.as_str()) && has(&MAKING_VERBS, &before.to_lowercase()))
        || has(&EXAMPLE_WORDS, whole)
        || has(&OPTIONAL_WORDS, after)
}

/// Tells whether the line of a path, or the one above it, speaks of another skill.
pub(crate) fn is_of_other_skill(text: &str, span: Span) -> bool {
    let (before, after) = before_and_behind(text, span);
    let above = before_on_page(text, span).rsplit('\n').nth(1).unwrap_or_default();
    [before, after, above].iter().any(|part| {
        let part = part.to_lowercase();
        part.contains(" skill") && !part.contains("this skill") && !part.contains("the skill")
    })
}

/// What stands before and behind the bytes on their line, as far as it matters.
pub(crate) fn before_and_behind(text: &str, span: Span) -> (&str, &str) {
    let to = text.floor_char_boundary(span.end + NEAR_BYTES_MAX);
    let before = before_on_page(text, span).rsplit('\n').next().unwrap_or_default();
    let after = text[span.end..to].split('\n').next().unwrap_or_default();
    (before, after)
}

fn before_on_page(text: &str, span: Span) -> &str {
    &text[text.ceil_char_boundary(span.start.saturating_sub(NEAR_BYTES_MAX))..span.start]
}
