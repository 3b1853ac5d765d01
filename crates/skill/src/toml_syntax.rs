//! What is wrong with the syntax of a TOML file, and how messages name its values.

use std::collections::HashSet;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use dibber_text::{Problem, Span, message, quote_in_full};

/// The syntax errors of a TOML file.
pub(crate) struct SyntaxErrors {
    /// The errors, in the order of the parser.
    pub(crate) problems: Vec<Problem>,
    /// Where the parser began to guess; none if every error is inside of one value.
    first_guess: Option<usize>,
}

impl SyntaxErrors {
    /// Returns the errors of a parser that went on after each.
    pub(crate) fn new(text: &str, root: &DeTable<'_>, errors: &[toml::de::Error]) -> Self {
        let span_of = |error: &toml::de::Error| error.span().unwrap_or(text.len()..text.len());
        let mut values = HashSet::new();
        if !errors.is_empty() {
            collect_places(root, &mut values);
        }
        let first_guess = errors
            .iter()
            .map(span_of)
            .filter(|span| span.is_empty() || !values.contains(span))
            .map(|span| span.start)
            .min();
        let problem = |error: &toml::de::Error| {
            let message = message!["not valid TOML: ", quote_in_full(error.message())];
            Problem::new(at_characters(text, span_of(error)), message)
        };
        Self { problems: errors.iter().map(problem).collect(), first_guess }
    }

    /// Returns `true` if the parser had to guess somewhere, so that a key may be there that was not
    /// read.
    pub(crate) const fn has_guess(&self) -> bool {
        self.first_guess.is_some()
    }

    /// Returns `true` if what was read at a place may only follow from a guess.
    ///
    /// An error inside one value leaves everything else as it is written. After any other error, the
    /// parser had to guess.
    pub(crate) fn is_guess(&self, place: Span) -> bool {
        self.first_guess.is_some_and(|first| place.end > first)
            || self.problems.iter().any(|error| error.place == place)
    }
}

/// Returns the parser's place, cut to character boundaries inside of the text.
fn at_characters(text: &str, range: Range<usize>) -> Span {
    let start = text.floor_char_boundary(range.start);
    Span::new(start, text.floor_char_boundary(range.end).max(start))
}

/// Adds the places of all values that hold no others.
fn collect_places(table: &DeTable<'_>, places: &mut HashSet<Range<usize>>) {
    for (_, value) in table {
        collect_place(value, places);
    }
}

fn collect_place(value: &Spanned<DeValue<'_>>, places: &mut HashSet<Range<usize>>) {
    match value.get_ref() {
        DeValue::Table(table) => collect_places(table, places),
        DeValue::Array(items) => {
            for item in items {
                collect_place(item, places);
            }
        }
        _ => {
            places.insert(value.span());
        }
    }
}

/// Returns the type of a value, as messages name it.
pub(crate) fn describe(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(true) => "`true`",
        DeValue::Boolean(false) => "`false`",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
