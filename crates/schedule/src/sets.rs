//! The days and the times of a schedule as sets that are quick to compare.

use super::Cron;
use super::days::{Month, days_to, values};

/// The minutes of a day.
pub(super) const DAY_MINUTES: usize = 24 * 60;
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
    #[expect(clippy::cast_possible_truncation, reason = "the halves of a wide word")]
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

    /// Tells whether there is a day in both.
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(own, others)| have_common_bits(own, others))
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

fn have_common_bits<const WORDS: usize>(a: &[u64; WORDS], b: &[u64; WORDS]) -> bool {
    a.iter().zip(b).fold(0, |common, (a, b)| common | (a & b)) != 0
}

/// A bit for each part of the day: parts of 23 minutes are the shortest that a word has bits for.
const fn part_of_day(minute: usize) -> u64 {
    1 << (minute / DAY_MINUTES.div_ceil(64))
}

/// Minutes of the day.
#[derive(Clone, Debug, Default)]
pub(super) struct TimeSet {
    /// The parts of the day that it has minutes in. Most sets that have nothing in common are told
    /// apart by these alone.
    parts: u64,
    minutes: [u64; TIME_WORDS],
}

impl TimeSet {
    /// The times that a schedule has.
    pub(super) fn new(cron: &Cron) -> Self {
        let mut set = Self::default();
        cron.each_time(|time| set.insert(usize::from(time)));
        set
    }

    pub(super) fn of(minutes: impl Iterator<Item = usize>) -> Self {
        let mut set = Self::default();
        minutes.for_each(|minute| set.insert(minute));
        set
    }

    /// A bit for each part of the day that it has minutes in.
    pub(super) const fn parts(&self) -> u64 {
        self.parts
    }

    pub(super) fn insert_all_of(&mut self, other: &Self) {
        self.parts |= other.parts;
        for (own, others) in self.minutes.iter_mut().zip(other.minutes) {
            *own |= others;
        }
    }

    fn insert(&mut self, minute: usize) {
        self.parts |= part_of_day(minute);
        self.minutes[minute / 64] |= 1 << (minute % 64);
    }

    pub(super) fn meets(&self, other: &Self) -> bool {
        self.parts & other.parts != 0 && have_common_bits(&self.minutes, &other.minutes)
    }

    /// All minutes of the same day that are at most `within` from one of these.
    pub(super) fn widened(&self, within: usize) -> Self {
        let mut set = Self::default();
        for minute in self.all() {
            let last = (minute + within).min(DAY_MINUTES - 1);
            set.insert_range(minute.saturating_sub(within), last);
        }
        set
    }

    /// All minutes that are at most `within` from one of these, on a clock that goes round.
    pub(super) fn widened_round(&self, within: usize) -> Self {
        let mut set = self.widened(within);
        for minute in self.all() {
            if minute < within {
                set.insert_range(DAY_MINUTES + minute - within, DAY_MINUTES - 1);
            }
            if minute + within >= DAY_MINUTES {
                set.insert_range(0, minute + within - DAY_MINUTES);
            }
        }
        set
    }

    /// The fewest minutes from one of these to one of the others, on the same day.
    pub(super) fn distance(&self, other: &Self) -> Option<usize> {
        if self.meets(other) {
            return Some(0);
        }
        let mut others = other.all().peekable();
        let mut before = None;
        let mut least = None;
        for minute in self.all() {
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
        self.all().next()
    }

    pub(super) fn last(&self) -> Option<usize> {
        let index = self.minutes.iter().rposition(|word| *word != 0)?;
        Some(index * 64 + self.minutes[index].ilog2() as usize)
    }

    fn all(&self) -> impl Iterator<Item = usize> {
        let words = self.minutes.iter().enumerate();
        words.flat_map(|(index, word)| values(*word).map(move |bit| index * 64 + bit as usize))
    }

    fn insert_range(&mut self, first: usize, last: usize) {
        let (first_part, last_part) = (part_of_day(first), part_of_day(last));
        self.parts |= last_part | (last_part - first_part);
        let (low, high) = (u64::MAX << (first % 64), u64::MAX >> (63 - last % 64));
        if first / 64 == last / 64 {
            self.minutes[first / 64] |= low & high;
            return;
        }
        self.minutes[first / 64] |= low;
        self.minutes[first / 64 + 1..last / 64].fill(u64::MAX);
        self.minutes[last / 64] |= high;
    }
}
