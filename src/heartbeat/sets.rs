//! The days and the times of a schedule as sets that are quick to compare.

use super::Cron;
use super::days::{Month, days_to, values};

/// The minutes of a day.
const DAY_MINUTES: usize = 24 * 60;
const TIME_WORDS: usize = DAY_MINUTES.div_ceil(64);

/// Years differ in the weekday of 1 January and in the leap day: there are 14 of them.
const YEARS: usize = 14;
/// A bit for each of the 366 days that a year has at most.
const YEAR_WORDS: usize = 6;
/// Years in a row in which there is one of each kind.
const EVERY_KIND: std::ops::Range<i64> = 2000..2028;

/// The days that a schedule matches: those of every year there can be.
#[derive(Clone, Debug)]
pub(super) struct DaySet([[u64; YEAR_WORDS]; YEARS]);

/// The place of a kind of year.
const fn kind_of_year(first_weekday: usize, is_leap: bool) -> usize {
    first_weekday * 2 + is_leap as usize
}

/// The kinds of year that come after one of a kind: a leap year is never followed by another.
fn following(kind: usize) -> impl Iterator<Item = usize> {
    let (first_weekday, is_leap) = (kind / 2, kind % 2 == 1);
    let next = (first_weekday + 1 + usize::from(is_leap)) % 7;
    let may_be_leap = [false, true].into_iter().take(if is_leap { 1 } else { 2 });
    may_be_leap.map(move |is_leap| kind_of_year(next, is_leap))
}

impl DaySet {
    pub(super) fn new(cron: &Cron) -> Self {
        let mut set = Self([[0; YEAR_WORDS]; YEARS]);
        let mut seen = [false; YEARS];
        for year in EVERY_KIND {
            let first = days_to(Month { year, month: 1 });
            let length = days_to(Month { year: year + 1, month: 1 }) - first;
            // 1970-01-01 was a Thursday.
            let weekday = usize::try_from((first + 4).rem_euclid(7)).expect("less than seven");
            let kind = kind_of_year(weekday, length == 366);
            if std::mem::replace(&mut seen[kind], true) {
                continue;
            }
            for month in 1..=12 {
                let month = Month { year, month };
                let before = usize::try_from(days_to(month) - first).expect("a day of the year");
                for day in values(cron.days_in(month) >> 1) {
                    let day = before + day as usize;
                    set.0[kind][day / 64] |= 1 << (day % 64);
                }
            }
        }
        set
    }

    /// Tells whether there is a day in both.
    pub(super) fn meets(&self, other: &Self) -> bool {
        let pairs = self.0.as_flattened().iter().zip(other.0.as_flattened());
        pairs.fold(0, |shared, (a, b)| shared | (a & b)) != 0
    }

    /// Tells whether there is a day in this one with the day after it in the other.
    pub(super) fn meets_day_after(&self, other: &Self) -> bool {
        (0..YEARS).any(|kind| {
            let next = &other.0[kind];
            let in_a_year = self.0[kind].iter().enumerate().any(|(index, days)| {
                let carried = next.get(index + 1).map_or(0, |word| word << 63);
                days & (next[index] >> 1 | carried) != 0
            });
            // 31 December is the last day, and 1 January of the next year is after it.
            let last = 364 + kind % 2;
            let ends = self.0[kind][last / 64] >> (last % 64) & 1 == 1;
            in_a_year || (ends && following(kind).any(|next| other.0[next][0] & 1 == 1))
        })
    }
}

/// Minutes of the day.
#[derive(Clone, Debug, Default)]
pub(super) struct TimeSet([u64; TIME_WORDS]);

impl TimeSet {
    /// The times that a schedule has.
    pub(super) fn new(cron: &Cron) -> Self {
        let mut set = Self::default();
        cron.each_time(|time| set.insert(usize::from(time)));
        set
    }

    pub(super) fn insert(&mut self, minute: usize) {
        self.0[minute / 64] |= 1 << (minute % 64);
    }

    pub(super) fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).fold(0, |shared, (a, b)| shared | (a & b)) != 0
    }

    /// All minutes of the same day that are at most `within` from one of these.
    pub(super) fn widened(&self, within: usize) -> Self {
        let mut set = Self::default();
        for minute in self.minutes() {
            let last = (minute + within).min(DAY_MINUTES - 1);
            set.insert_all(minute.saturating_sub(within), last);
        }
        set
    }

    /// All minutes that are at most `within` from one of these, on a clock that goes round.
    pub(super) fn widened_round(&self, within: usize) -> Self {
        let mut set = self.widened(within);
        for minute in self.minutes() {
            if minute < within {
                set.insert_all(DAY_MINUTES + minute - within, DAY_MINUTES - 1);
            }
            if minute + within >= DAY_MINUTES {
                set.insert_all(0, minute + within - DAY_MINUTES);
            }
        }
        set
    }

    /// The fewest minutes from one of these to one of the others, on the same day.
    pub(super) fn distance(&self, other: &Self) -> Option<usize> {
        let mut others = other.minutes().peekable();
        let mut before = None;
        let mut least = None;
        for minute in self.minutes() {
            while let Some(next) = others.next_if(|next| *next <= minute) {
                before = Some(next);
            }
            let distances =
                [before, others.peek().copied()].map(|at| at.map(|at| at.abs_diff(minute)));
            least = distances.into_iter().flatten().chain(least).min();
        }
        least
    }

    pub(super) fn first(&self) -> Option<usize> {
        self.minutes().next()
    }

    pub(super) fn last(&self) -> Option<usize> {
        let index = self.0.iter().rposition(|word| *word != 0)?;
        Some(index * 64 + self.0[index].ilog2() as usize)
    }

    fn minutes(&self) -> impl Iterator<Item = usize> {
        let words = self.0.iter().enumerate();
        words.flat_map(|(index, word)| values(*word).map(move |bit| index * 64 + bit as usize))
    }

    fn insert_all(&mut self, first: usize, last: usize) {
        let (low, high) = (u64::MAX << (first % 64), u64::MAX >> (63 - last % 64));
        if first / 64 == last / 64 {
            self.0[first / 64] |= low & high;
            return;
        }
        self.0[first / 64] |= low;
        self.0[first / 64 + 1..last / 64].fill(u64::MAX);
        self.0[last / 64] |= high;
    }
}
