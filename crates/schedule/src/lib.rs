//! Heartbeats: when they fire, how often, and in words.
//!
//! The present is an argument of everything here, and the time zone database is part of the
//! program, so a result depends on the arguments alone. The engine (`cron` to `peak`) knows no
//! words and no limits of a server; these are above it.
//!
//! | floor | module | contents | never |
//! |---|---|---|---|
//! | 0 | `cron` | the five fields: parsing, errors, normal form | time zones |
//! | 0 | `tzdb` | time zones by name, and by city | |
//! | 1 | `calendar` | the days and minutes that an expression matches; sets of them | time zones |
//! | 2 | `fires` | the instants at which a schedule fires, across clock changes | words |
//! | 3 | `horizon` | the time span in which fires are compared one by one | |
//! | 4 | `conflicts` | schedules that fire at the same time, or nearly so | words |
//! | 4 | `peak` | the most fires in 24 hours, of one schedule or of several | words |
//! | 4 | `named_schedule` | a schedule with its untrusted name | |
//! | 5 | `cadence` | schedules and clock changes in words | |
//! | 6 | `cap` | the limit of a server, and the closest schedule within it | |
//! | 6 | `ics_calendar` | fires as an iCalendar file | I/O |
//! | 6 | `picture` | fires as a picture for a terminal or as SVG | I/O |
//! | 6 | `timers` | schedules as timers of other programs | I/O |
//! | 6 | `words` | schedules as people write them, parsed | fires |
//! | 7 | `crontab` | the lines of a list of schedules, or of a crontab | commands that run |
//! | 7 | `similar_words` | words for a schedule, similar to those of another one | |
//! | 7 | `schedule_zone` | the time zone of a schedule, in its words or beside it | |

mod cadence;
mod calendar;
mod cap;
mod conflicts;
mod cron;
mod crontab;
mod fires;
mod horizon;
mod ics_calendar;
mod named_schedule;
mod peak;
mod picture;
mod schedule_zone;
mod similar_words;
mod timers;
mod tzdb;
mod words;

pub use cadence::{ClockFormat, cadence_text, clock_change_notes};
pub use cap::{FIRES_PER_DAY_MAX, ScheduleRejection};
pub use conflicts::{
    CONFLICTS_MAX, Conflict, ConflictKind, Conflicts, WITHIN_MINUTES_MAX, conflicts,
};
pub use cron::{Cron, CronError, FieldName, JobKind};
pub use crontab::{Crontab, CrontabEntry, CrontabProblem};
pub use fires::{Fire, Schedule, Timing};
pub use horizon::Horizon;
pub use ics_calendar::{EVENTS_MAX, IcsCalendar, ics_calendar};
pub use named_schedule::NamedSchedule;
pub use peak::{CombinedPeak, Peak, combined_peak};
pub use picture::{DRAWN_MAX, PICTURE_WIDTH, Picture, PictureRole, PictureSegment};
pub use schedule_zone::{ScheduleZoneError, ZoneConflict};
pub use similar_words::words_like;
pub use timers::{
    INTERVALS_MAX, LaunchdInterval, TimerError, clock_change_after, github_cron, has_same_clock,
    launchd_intervals, on_calendar,
};
pub use tzdb::{
    AbbreviatedZone, UnknownZone, is_utc, tzdb_version, zone, zone_names, zone_of_city,
    zone_of_place,
};
pub use words::{ScheduleText, ScheduleTextError};
