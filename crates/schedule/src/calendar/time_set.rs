//! Times of day as a set that is quick to compare.

use super::bits::{have_common_bits, set_bits};
use super::month::MINUTES_OF_DAY;
use crate::cron::Cron;

const TIME_WORDS: usize = MINUTES_OF_DAY.div_ceil(64);

/// Returns the bit of the part of the day that a minute is in.
///
/// Parts of 23 minutes are the shortest for which the 64 bits of a word are enough.
const fn part_of_day(minute: usize) -> u64 {
    1 << (minute / MINUTES_OF_DAY.div_ceil(64))
}

/// A set of minutes of the day.
#[derive(Clone, Debug, Default)]
pub(crate) struct TimeSet {
    /// The parts of the day that contain minutes of the set. These alone suffice for most sets
    /// that have nothing in common.
    parts: u64,
    minutes: [u64; TIME_WORDS],
}

impl TimeSet {
    /// Returns the times of day that an expression matches.
    pub(crate) fn new(cron: &Cron) -> Self {
        let mut set = Self::default();
        cron.each_time(|time| set.insert(usize::from(time)));
        set
    }

    pub(crate) fn from_minutes(minutes: impl Iterator<Item = usize>) -> Self {
        let mut set = Self::default();
        minutes.for_each(|minute| set.insert(minute));
        set
    }

    /// Returns the parts of the day that contain minutes of the set, a bit for each.
    pub(crate) const fn parts(&self) -> u64 {
        self.parts
    }

    pub(crate) fn extend_from(&mut self, other: &Self) {
        self.parts |= other.parts;
        for (own, others) in self.minutes.iter_mut().zip(other.minutes) {
            *own |= others;
        }
    }

    fn insert(&mut self, minute: usize) {
        self.parts |= part_of_day(minute);
        self.minutes[minute / 64] |= 1 << (minute % 64);
    }

    pub(crate) fn intersects(&self, other: &Self) -> bool {
        self.parts & other.parts != 0 && have_common_bits(&self.minutes, &other.minutes)
    }

    /// Returns the minutes of the same day that are at most `within` from one of these.
    pub(crate) fn widened(&self, within: usize) -> Self {
        let mut set = Self::default();
        for minute in self.all() {
            let last = (minute + within).min(MINUTES_OF_DAY - 1);
            set.insert_range(minute.saturating_sub(within), last);
        }
        set
    }

    /// Returns the minutes that are at most `within` from one of these, across midnight too.
    pub(crate) fn widened_across_midnight(&self, within: usize) -> Self {
        let mut set = self.widened(within);
        for minute in self.all() {
            if minute < within {
                set.insert_range(MINUTES_OF_DAY + minute - within, MINUTES_OF_DAY - 1);
            }
            if minute + within >= MINUTES_OF_DAY {
                set.insert_range(0, minute + within - MINUTES_OF_DAY);
            }
        }
        set
    }

    /// Returns the fewest minutes from one of these to one of the others, on the same day.
    pub(crate) fn distance(&self, other: &Self) -> Option<usize> {
        if self.intersects(other) {
            return Some(0);
        }
        // One pass over both: only the neighbours of a minute among the others can be nearest.
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

    pub(crate) fn first(&self) -> Option<usize> {
        self.all().next()
    }

    pub(crate) fn last(&self) -> Option<usize> {
        let index = self.minutes.iter().rposition(|word| *word != 0)?;
        Some(index * 64 + self.minutes[index].ilog2() as usize)
    }

    fn all(&self) -> impl Iterator<Item = usize> {
        let words = self.minutes.iter().enumerate();
        words.flat_map(|(index, word)| set_bits(*word).map(move |bit| index * 64 + bit as usize))
    }

    fn insert_range(&mut self, first: usize, last: usize) {
        let (first_part, last_part) = (part_of_day(first), part_of_day(last));
        // The difference has all bits from the first part up to, but without, the last one.
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
