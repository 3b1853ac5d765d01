//! Why a schedule is no timer of another program.

use dibber_text::{Message, message};

/// Why a schedule is no timer of another program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimerError {
    /// It fires on days that match both of its day fields, such as every second day if it is a Monday.
    BothDayFields,
    /// It fires at times that are fewer minutes apart than the program allows.
    TooClose {
        /// The fewest minutes.
        minutes: u32,
    },
    /// It would need more entries than this.
    TooManyEntries {
        /// The most entries.
        max: usize,
    },
}

impl TimerError {
    /// Returns what is wrong; `program` is what reads the timer.
    pub fn message(self, program: &'static str) -> Message {
        match self {
            Self::BothDayFields => message![
                program,
                " cannot start on days that match both a day of the month and a day of the week"
            ],
            Self::TooClose { minutes } => {
                message![program, " starts nothing twice within ", minutes, " minutes"]
            }
            Self::TooManyEntries { max } => {
                message!["the schedule needs more than ", max, " entries for ", program]
            }
        }
    }

    /// Returns what to do about it.
    pub const fn help(self) -> &'static str {
        match self {
            Self::BothDayFields => "write the day of the month or the day of the week as `*`",
            Self::TooClose { .. } => "choose times that are further apart",
            Self::TooManyEntries { .. } => "choose fewer times, or the same ones on every day",
        }
    }
}
