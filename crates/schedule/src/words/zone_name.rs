//! The name of a time zone, of a city or of a country in a schedule in words.

use super::hints::hint;
use crate::cadence::zone_of_words;
use crate::tzdb::{is_ambiguous_place, is_unambiguous_place, known_zone, zone_of_city};

/// The most letters of an abbreviation that is a word as well: `WET`.
const ABBREVIATION_MAX: usize = 3;

/// The words at the place of a zone.
#[derive(Clone, Copy)]
pub(super) struct ZoneName<'a> {
    words: &'a str,
    /// Whether `in` is before them, or `time` is their last word.
    is_introduced: bool,
}

impl<'a> ZoneName<'a> {
    pub(super) fn new(words: &'a str, is_after_in: bool) -> Self {
        let words = words.trim_start_matches('(').trim_end_matches(')');
        let is_introduced = is_after_in || words.to_lowercase().ends_with(" time");
        Self { words, is_introduced }
    }

    /// Returns the zone that is surely meant. The end of a sentence may be a child's name or any
    /// word: only a capital letter and a well-known name make a place of it.
    pub(super) fn zone(self) -> Option<String> {
        let words = self.words;
        let by_name = || known_zone(words)?.iana_name().map(str::to_owned);
        if words.contains('/') {
            return by_name();
        }
        let has_capital = self.has_capital();
        let is_abbreviation =
            words.len() <= ABBREVIATION_MAX && words.chars().all(char::is_uppercase);
        let is_clear = is_abbreviation || has_capital && self.is_introduced;
        if is_ambiguous_place(words) && !is_clear {
            return None;
        }
        let city = || zone_of_city(words).filter(|_| hint(&words.to_lowercase()).is_none());
        let by_name = || by_name().filter(|_| has_capital || self.is_introduced);
        let is_city = self.is_introduced || has_capital && is_unambiguous_place(words);
        zone_of_words(words).or_else(by_name).or_else(|| if is_city { city() } else { None })
    }

    /// Returns `true` for a place whose name is more likely another word.
    pub(super) fn is_improbable(self) -> bool {
        let is_place = zone_of_city(self.words).is_some() || known_zone(self.words).is_some();
        !self.is_introduced && is_place && !is_unambiguous_place(self.words)
    }

    pub(super) fn has_capital(self) -> bool {
        self.words.starts_with(char::is_uppercase)
    }
}
