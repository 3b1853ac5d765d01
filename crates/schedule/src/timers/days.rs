//! The days of a schedule, as timers state them.

use crate::cron::Cron;

/// The days of the week from Sunday on.
pub(super) const EVERY_WEEKDAY: u64 = 0x7F;
/// The days from the first to the 31st.
pub(super) const EVERY_DAY_OF_MONTH: u64 = 0xFFFF_FFFE;
/// The months from January to December.
pub(super) const EVERY_MONTH: u64 = 0x1FFE;

/// The days of a schedule, apart from its months; a bit for each day that is given.
#[derive(Clone, Copy)]
pub(super) enum Days {
    Every,
    OfMonth(u64),
    OfWeek(u64),
    /// Those that are in one of the sets, at least.
    Either {
        of_month: u64,
        of_week: u64,
    },
    /// Those that are in both sets.
    Both {
        of_month: u64,
        of_week: u64,
    },
}

impl Days {
    /// Returns the days of an expression.
    pub(super) fn of(cron: &Cron) -> Self {
        let of_month = cron.day_of_month.values & EVERY_DAY_OF_MONTH;
        let of_week = cron.day_of_week.values & EVERY_WEEKDAY;
        let is_every_date = of_month == EVERY_DAY_OF_MONTH;
        let is_every_weekday = of_week == EVERY_WEEKDAY;
        match (cron.requires_both_day_fields(), is_every_date, is_every_weekday) {
            (true, true, true) | (false, true, _) | (false, _, true) => Self::Every,
            (true, true, false) => Self::OfWeek(of_week),
            (true, false, true) => Self::OfMonth(of_month),
            (true, false, false) => Self::Both { of_month, of_week },
            (false, false, false) => Self::Either { of_month, of_week },
        }
    }
}
