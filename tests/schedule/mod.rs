//! The schedule engine: fires, conflicts, words and pictures.

pub(crate) mod cadence;
pub(crate) mod cadence_reader;
pub(crate) mod clock_changes;
pub(crate) mod conflicts;
pub(crate) mod crontab;
pub(crate) mod errors;
pub(crate) mod fires;
pub(crate) mod ics_calendar;
pub(crate) mod pictures;
pub(crate) mod timers;
pub(crate) mod words;
pub(crate) mod words_used;
