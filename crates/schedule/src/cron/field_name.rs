//! The five fields of a cron expression: their names, limits and value names.

use std::fmt;

use dibber_text::{Message, message};

const MONTHS: [&str; 12] =
    ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const WEEKDAYS: [&str; 7] = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

/// A field of a cron expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FieldName {
    /// The minute, 0 to 59.
    Minute,
    /// The hour, 0 to 23.
    Hour,
    /// The day of the month, 1 to 31.
    DayOfMonth,
    /// The month, 1 to 12.
    Month,
    /// The day of the week, 0 to 7; both 0 and 7 are Sunday.
    DayOfWeek,
}

impl FieldName {
    /// The fields in the order in which they are written.
    pub const ALL: [Self; 5] =
        [Self::Minute, Self::Hour, Self::DayOfMonth, Self::Month, Self::DayOfWeek];

    /// Returns the name of the field in English.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Minute => "minute",
            Self::Hour => "hour",
            Self::DayOfMonth => "day of the month",
            Self::Month => "month",
            Self::DayOfWeek => "day of the week",
        }
    }

    /// Returns the smallest and the largest number that may be written.
    pub(super) const fn limits(self) -> (u8, u8) {
        match self {
            Self::Minute => (0, 59),
            Self::Hour => (0, 23),
            Self::DayOfMonth => (1, 31),
            Self::Month => (1, 12),
            Self::DayOfWeek => (0, 7),
        }
    }

    /// Returns the names that may replace numbers, beginning with the one of the smallest number.
    pub(super) const fn value_names(self) -> &'static [&'static str] {
        match self {
            Self::Month => &MONTHS,
            Self::DayOfWeek => &WEEKDAYS,
            Self::Minute | Self::Hour | Self::DayOfMonth => &[],
        }
    }

    /// Returns what may be written, in words: "1 to 12, or JAN to DEC".
    pub(super) fn allowed(self) -> Message {
        let (min, max) = self.limits();
        match self.value_names() {
            [first, .., last] => message![min, " to ", max, ", or ", *first, " to ", *last],
            _ => message![min, " to ", max],
        }
    }

    /// Returns the last value that `*` matches: Sunday counts once, as 0.
    pub(super) const fn last_of_star(self) -> u8 {
        match self {
            Self::DayOfWeek => 6,
            _ => self.limits().1,
        }
    }
}

impl fmt::Display for FieldName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
