//! A place in the lexemes of a schedule in words.

use super::error::{EXAMPLES, ScheduleTextError};
use super::hints::hint;
use super::lexer::{Lexeme, LexemeKind};
use super::vocabulary::{Term, words};
use crate::cadence::capitalized;
use dibber_text::{Message, Span, closest_match, message, quote};

/// The most letters of an abbreviation, which has no plural in a suggestion.
const ABBREVIATION_MAX: usize = 4;

/// A place in the lexemes of a schedule in words.
pub(super) struct Cursor<'a> {
    pub(super) text: &'a str,
    pub(super) lexemes: &'a [Lexeme],
    pub(super) at: usize,
}

impl Cursor<'_> {
    /// Returns the lexeme that many after the next one.
    pub(super) fn peek(&self, by: usize) -> Option<Lexeme> {
        self.lexemes.get(self.at + by).copied()
    }

    /// Returns the meaning of the word that many after the next one.
    pub(super) fn term(&self, by: usize) -> Option<Term> {
        match self.peek(by)?.kind {
            LexemeKind::Term(term) => Some(term),
            _ => None,
        }
    }

    /// Returns the bytes of the next lexeme; at the end, the empty span there.
    pub(super) fn span(&self) -> Span {
        self.peek(0).map_or(Span::empty(self.text.trim_end().len()), |lexeme| lexeme.span)
    }

    /// Returns the bytes from the lexeme at `start` to the last one that was taken.
    pub(super) fn span_from(&self, start: usize) -> Span {
        let last = self.at.saturating_sub(1).max(start);
        match (self.lexemes.get(start), self.lexemes.get(last)) {
            (Some(first), Some(last)) => Span::new(first.span.start, last.span.end),
            _ => self.span(),
        }
    }

    /// Takes a word of that meaning.
    pub(super) fn take(&mut self, term: Term) -> bool {
        let is_next = self.term(0) == Some(term);
        self.at += usize::from(is_next);
        is_next
    }

    /// Takes the words of those meanings, or none of them.
    pub(super) fn take_all(&mut self, terms: &[Term]) -> bool {
        let are_next = terms.iter().enumerate().all(|(by, term)| self.term(by) == Some(*term));
        self.at += if are_next { terms.len() } else { 0 };
        are_next
    }

    /// Takes a word with a meaning of which `value` returns something.
    pub(super) fn take_value<T>(&mut self, value: impl FnOnce(Term) -> Option<T>) -> Option<T> {
        let found = value(self.term(0)?)?;
        self.at += 1;
        Some(found)
    }

    pub(super) fn take_sign(&mut self, sign: char) -> bool {
        let is_next = self.is_sign(0, sign);
        self.at += usize::from(is_next);
        is_next
    }

    pub(super) fn is_sign(&self, by: usize, sign: char) -> bool {
        self.peek(by).is_some_and(|lexeme| lexeme.kind == LexemeKind::Sign(sign))
    }

    /// Returns what `parse` returns, and stays where it is if that is nothing.
    pub(super) fn attempt<T>(
        &mut self,
        parse: impl FnOnce(&mut Self) -> Result<Option<T>, ScheduleTextError>,
    ) -> Result<Option<T>, ScheduleTextError> {
        let start = self.at;
        let parsed = parse(self)?;
        if parsed.is_none() {
            self.at = start;
        }
        Ok(parsed)
    }

    /// Returns the items of a list, "a", "a and b" or "a, b or c"; nothing if it has none.
    pub(super) fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self, bool) -> Result<Option<T>, ScheduleTextError>,
    ) -> Result<Option<Vec<T>>, ScheduleTextError> {
        let mut items = Vec::new();
        loop {
            let is_first = items.is_empty();
            let next = self.attempt(|cursor| {
                if !is_first && !cursor.take_separator() && !cursor.is_weekday_after_weekday() {
                    return Ok(None);
                }
                item(cursor, is_first)
            })?;
            match next {
                Some(next) => items.push(next),
                None => return Ok(Some(items).filter(|items| !items.is_empty())),
            }
        }
    }

    /// Takes ",", "/", "and", ", and" or "or".
    fn take_separator(&mut self) -> bool {
        let has_comma = self.take_sign(',') || self.take_sign('/');
        let has_word = self.take_sign('&') || self.take(Term::And) || self.take(Term::Or);
        has_comma || has_word
    }

    /// Returns `true` inside of "mon wed fri", a list without separators.
    fn is_weekday_after_weekday(&self) -> bool {
        let is_weekday = |lexeme: Option<&Lexeme>| {
            lexeme.is_some_and(|it| matches!(it.kind, LexemeKind::Term(Term::Weekdays(_))))
        };
        let before = self.at.checked_sub(1).and_then(|at| self.lexemes.get(at));
        is_weekday(before) && is_weekday(self.lexemes.get(self.at))
    }

    /// Takes "to" or a dash.
    pub(super) fn take_to(&mut self) -> bool {
        self.take(Term::To) || self.take_sign('-')
    }

    /// Returns the error for something other than `what`, which has to be next.
    pub(super) fn expected(&self, what: impl Into<Message>) -> ScheduleTextError {
        let Some(next) = self.peek(0) else {
            let message = message!["the schedule ends without ", what.into()];
            return ScheduleTextError::new(self.span(), message, EXAMPLES);
        };
        if next.kind == LexemeKind::Unknown {
            return self.unexpected();
        }
        let written = quote(&self.text[next.span.range()]);
        let message = message!["expected ", what.into(), ", found `", written, "`"];
        ScheduleTextError::new(next.span, message, EXAMPLES)
    }

    /// Returns the error for the word after the next one, "summer" in "in summer", if it is a word
    /// that no schedule can have.
    pub(super) fn next_with_hint(&self) -> Option<ScheduleTextError> {
        self.term(0)?;
        let after = self.peek(1).filter(|after| after.kind == LexemeKind::Unknown)?;
        self.hinted(after.span)
    }

    /// Returns the error for a word that no schedule can have, with what to write instead.
    fn hinted(&self, span: Span) -> Option<ScheduleTextError> {
        let written = &self.text[span.range()];
        let (problem, help) = hint(&written.to_lowercase())?;
        let message = message!["`", quote(written), "` ", problem];
        Some(ScheduleTextError::new(span, message, help))
    }

    /// Returns the error for a word that cannot be here.
    pub(super) fn unexpected(&self) -> ScheduleTextError {
        let span = self.span();
        let written = &self.text[span.range()];
        if self.peek(0).is_none_or(|next| next.kind != LexemeKind::Unknown) {
            let message = message!["unexpected `", quote(written), "`"];
            let is_quote = written.starts_with(['"', '\'', '`', '\u{201C}', '\u{201D}']);
            let help = if is_quote { "remove the quotes" } else { EXAMPLES };
            return ScheduleTextError::new(span, message, help);
        }
        if let Some(error) = self.hinted(span) {
            return error;
        }
        let message = message!["unknown word `", quote(written), "` in a schedule"];
        let singular = written.strip_suffix('s').unwrap_or(written);
        let similar = closest_match(written, words()).or_else(|| closest_match(singular, words()));
        let Some(similar) = similar else {
            return ScheduleTextError::new(span, message, EXAMPLES);
        };
        let is_plural = written.ends_with('s') && !similar.ends_with('s');
        let plural = if is_plural && similar.len() > ABBREVIATION_MAX { "s" } else { "" };
        let similar = format!("{similar}{plural}");
        if similar == written.to_lowercase() {
            return ScheduleTextError::new(span, message, EXAMPLES);
        }
        let is_name = written.starts_with(char::is_uppercase);
        let similar = if is_name { capitalized(&similar) } else { similar };
        ScheduleTextError::misspelled(span, message, similar)
    }
}
