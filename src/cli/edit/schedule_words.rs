//! The schedule of a skill in words.

use crate::cli::locale_clock::clock_of_locale;
use crate::cli::new::rhythm::NEVER;
use dibber_schedule::{ScheduleText, cadence_text};
use dibber_skill::contract::TIME_ZONE_DEFAULT;
use dibber_skill::manifest::WireSchedule;
use dibber_skill::revision::CurrentSchedule;

/// Returns when a skill runs by itself. A single schedule is in words that can be typed; one that is
/// invalid is as it is written.
pub(super) fn words_of(schedule: &CurrentSchedule) -> String {
    match schedule {
        CurrentSchedule::Never => NEVER.to_owned(),
        CurrentSchedule::One { cron, time_zone } => words(cron, time_zone.as_deref()),
        CurrentSchedule::Several(names) => format!("{} schedules", names.len()),
    }
}

fn words(cron: &str, time_zone: Option<&str>) -> String {
    let parsed = ScheduleText::parse(cron);
    let schedule = parsed.map(|parsed| (parsed.cron, WireSchedule::new(parsed, time_zone)));
    match schedule {
        Ok((cron, Ok(WireSchedule { time_zone, .. }))) => {
            let zone = time_zone.as_deref().unwrap_or(TIME_ZONE_DEFAULT);
            cadence_text(&cron, zone, clock_of_locale())
        }
        _ => cron.to_owned(),
    }
}
