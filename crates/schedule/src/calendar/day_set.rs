//! The days that an expression matches, as a set that is quick to compare.

use super::bits::have_common_bits;
use super::month::{EVERY_KIND_OF_YEAR, Month, first_day, weekday};
use crate::cron::Cron;

/// Years differ in the weekday of 1 January and in the leap day: there are 14 kinds of them.
const YEARS: usize = 14;
/// A bit for each of the 366 days that a year has at most.
const YEAR_WORDS: usize = 6;

/// The days that an expression matches in every kind of year there is.
#[derive(Clone, Debug)]
pub(crate) struct DaySet([[u64; YEAR_WORDS]; YEARS]);

/// Returns the index of a kind of year.
const fn kind_of_year(first_weekday: usize, is_leap: bool) -> usize {
    first_weekday * 2 + is_leap as usize
}

/// Returns the kinds of year that may follow one of a kind: two leap years are never consecutive.
fn following_kinds(kind: usize) -> impl Iterator<Item = usize> {
    let (first_weekday, is_leap) = (kind / 2, kind % 2 == 1);
    let next = (first_weekday + 1 + usize::from(is_leap)) % 7;
    let may_be_leap = [false, true].into_iter().take(if is_leap { 1 } else { 2 });
    may_be_leap.map(move |is_leap| kind_of_year(next, is_leap))
}

impl DaySet {
    #[expect(clippy::cast_possible_truncation, reason = "the halves of a wide word")]
    pub(crate) fn new(cron: &Cron) -> Self {
        let mut set = Self([[0; YEAR_WORDS]; YEARS]);
        let mut seen = [false; YEARS];
        for year in EVERY_KIND_OF_YEAR {
            let first = first_day(Month { year, month: 1 });
            let length = first_day(Month { year: year + 1, month: 1 }) - first;
            let first_weekday = usize::try_from(weekday(first)).expect("less than seven");
            let kind = kind_of_year(first_weekday, length == 366);
            if std::mem::replace(&mut seen[kind], true) {
                continue;
            }
            for month in 1..=12 {
                let month = Month { year, month };
                let before = usize::try_from(first_day(month) - first).expect("a day of the year");
                // `days_in` has the first at bit 1. A month may go on into the next word.
                let days = u128::from(cron.days_in(month) >> 1) << (before % 64);
                let [low, high] = [days, days >> 64].map(|word| word as u64);
                set.0[kind][before / 64] |= low;
                if high != 0 {
                    set.0[kind][before / 64 + 1] |= high;
                }
            }
        }
        set
    }

    /// Returns `true` if there is a day in both sets.
    pub(crate) fn intersects(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(own, others)| have_common_bits(own, others))
    }

    /// Returns `true` if there is a day in this set with its next day in the other one.
    pub(crate) fn intersects_next_day(&self, other: &Self) -> bool {
        (0..YEARS).any(|kind| {
            let next = &other.0[kind];
            // The other set shifted back by a day, with the first bit of the following word.
            let in_a_year = self.0[kind].iter().enumerate().any(|(index, days)| {
                let carried = next.get(index + 1).map_or(0, |word| word << 63);
                days & (next[index] >> 1 | carried) != 0
            });
            // 31 December is at index 364 or 365, and its next day is in another kind of year.
            let last = 364 + kind % 2;
            let ends = self.0[kind][last / 64] >> (last % 64) & 1 == 1;
            in_a_year || (ends && following_kinds(kind).any(|next| other.0[next][0] & 1 == 1))
        })
    }
}
