//! The keyword `pattern` of JSON Schema.
//!
//! A pattern is searched for anywhere in a string, as JSON Schema 2020-12 says. What it means is
//! that of the `regex` crate, which for the recommended subset of ECMA-262 is the same; look-around
//! and references back are invalid. Every search takes time in proportion to the string.

use std::fmt;

use regex_automata::meta::{Config, Regex};
use regex_automata::util::syntax;

/// The most bytes of a pattern (1 KiB).
const PATTERN_BYTES_MAX: usize = 1 << 10;
/// The most bytes of a pattern that is compiled (1 MiB).
const COMPILED_BYTES_MAX: usize = 1 << 20;
/// The most groups inside one another.
const DEPTH_MAX: u32 = 20;

/// A pattern that strings have to match.
#[derive(Clone)]
pub struct StringPattern {
    text: String,
    regex: Regex,
}

/// A pattern that is invalid, larger than its limit, or not of the subset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidPattern;

impl StringPattern {
    /// Parses a pattern.
    pub fn parse(text: &str) -> Result<Self, InvalidPattern> {
        if text.len() > PATTERN_BYTES_MAX {
            return Err(InvalidPattern);
        }
        let limits = Config::new()
            .nfa_size_limit(Some(COMPILED_BYTES_MAX))
            .onepass_size_limit(Some(COMPILED_BYTES_MAX))
            .hybrid_cache_capacity(COMPILED_BYTES_MAX);
        let regex = Regex::builder()
            .configure(limits)
            .syntax(syntax::Config::new().nest_limit(DEPTH_MAX))
            .build(text)
            .map_err(|_| InvalidPattern)?;
        Ok(Self { text: text.to_owned(), regex })
    }

    /// Returns `true` if the pattern is found in a string.
    pub fn is_match(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    /// Returns the pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Debug for StringPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

impl fmt::Display for InvalidPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the pattern is invalid or too large")
    }
}

impl std::error::Error for InvalidPattern {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_found_anywhere() {
        let pattern = StringPattern::parse("^[0-9]+-|é").expect("a pattern");
        assert!(pattern.is_match("12-x") && pattern.is_match("cafés"));
        assert!(!pattern.is_match("x12-"));
    }

    #[test]
    fn what_could_cost_too_much_is_invalid() {
        for text in ["(?=a)b", r"(a)\1", "(", "((a{100}){100}){100}", &"(".repeat(500)] {
            assert!(StringPattern::parse(text).is_err(), "{text}");
        }
        assert!(StringPattern::parse(&"a".repeat(1_025)).is_err());
        assert!(!StringPattern::parse("(a+)+$").expect("one").is_match(&"a!".repeat(50_000)));
    }
}
