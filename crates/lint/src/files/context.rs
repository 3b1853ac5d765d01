//! The context of a path in prose: whether it says that the file has to exist.

use dibber_text::Span;

/// The number of bytes before and after a path that are searched.
const NEAR_BYTES_MAX: usize = 300;
/// Words directly before a path that will be written.
const OUTPUT_WORDS: [&str; 18] = [
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
/// Words between an output verb and the path.
const PREPOSITIONS: [&str; 7] = ["to", "as", "into", "in", "at", "under", "called"];
/// Stems of verbs that create files.
const OUTPUT_VERBS: [&str; 12] = [
    "creat", "writ", "sav", "generat", "output", "export", "stor", "record", "append", "cop",
    "download", "put",
];
/// Words before a path that is an example.
const EXAMPLE_WORDS: [&str; 6] = ["xample", "e.g.", "such as", "for instance", "eg.", "like "];
/// Phrases after a path whose file need not exist.
const OPTIONAL_WORDS: [&str; 7] = [
    "if it exist",
    "if exist",
    "if present",
    "if available",
    "(optional",
    "will be created",
    "does not exist",
];

/// Returns `true` if `span` is the text or the target of a Markdown link.
pub(crate) fn is_in_link(text: &str, span: Span) -> bool {
    let (before, after) = before_and_after(text, span);
    let bracket = after.find(['[', ']']);
    let in_text = bracket.is_some_and(|at| after[at..].starts_with("]("));
    in_text || before.trim_end_matches(['.', '/']).ends_with("](") || before.ends_with("]: ")
}

/// Returns `true` if the context of a path says that it is an example, or will be written.
pub(crate) fn is_example_or_output(text: &str, span: Span) -> bool {
    let (before, after) = before_and_after(text, span);
    let whole_before = before;
    let before = before.trim_end_matches(['`', '"', '\'', '*', '(', '.', '/', ' ', ':', '=']);
    let after = after.get(..after.floor_char_boundary(40)).unwrap_or_default();
    let last = before.rsplit([' ', '\t']).next().unwrap_or_default().to_lowercase();
    let has = |words: &[&str], text: &str| words.iter().any(|word| text.contains(word));
    // A command that is commented out: `# python scripts/run.py`.
    let is_comment = matches!(last.as_str(), "python" | "python3" | "bash" | "sh" | "node")
        && before.trim_start().starts_with('#');
    is_comment
        || OUTPUT_WORDS.contains(&last.as_str())
        || (PREPOSITIONS.contains(&last.as_str()) && has(&OUTPUT_VERBS, &before.to_lowercase()))
        || has(&EXAMPLE_WORDS, whole_before)
        || has(&OPTIONAL_WORDS, after)
}

/// Returns `true` if the line of a path, or the line above it, mentions another skill.
pub(crate) fn belongs_to_other_skill(text: &str, span: Span) -> bool {
    let (before, after) = before_and_after(text, span);
    let above = before_on_page(text, span).rsplit('\n').nth(1).unwrap_or_default();
    [before, after, above].iter().any(|part| {
        let part = part.to_lowercase();
        part.contains(" skill") && !part.contains("this skill") && !part.contains("the skill")
    })
}

/// Returns the text before and after `span` on its line, up to a limit.
pub(crate) fn before_and_after(text: &str, span: Span) -> (&str, &str) {
    let to = text.floor_char_boundary(span.end + NEAR_BYTES_MAX);
    let before = before_on_page(text, span).rsplit('\n').next().unwrap_or_default();
    let after = text[span.end..to].split('\n').next().unwrap_or_default();
    (before, after)
}

fn before_on_page(text: &str, span: Span) -> &str {
    &text[text.ceil_char_boundary(span.start.saturating_sub(NEAR_BYTES_MAX))..span.start]
}
