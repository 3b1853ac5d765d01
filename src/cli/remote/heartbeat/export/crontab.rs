//! Timers as lines of a crontab.

use super::timers::{Format, TimerFile, TimerSet};
use crate::cli::error::CommandError;

pub(super) const FORMAT: Format = Format {
    program: "cron",
    write,
    next_step: "`crontab -e` opens the crontab that the lines belong in",
};

#[expect(clippy::unnecessary_wraps, reason = "the form of all formats")]
fn write(timers: &TimerSet) -> Result<Vec<TimerFile>, CommandError> {
    // In a crontab, `%` ends the command.
    let command = timers.start.line().replace('%', "\\%");
    let mut text =
        "# Of `dibber heartbeat export --cron`. CRON_TZ is for cronie: a cron that does not\n\
                    # know it, such as that of Debian, takes the times for those of the computer.\n"
            .to_owned();
    let mut zone = None;
    for heartbeat in &timers.timers {
        if zone != Some(heartbeat.zone_name()) {
            zone = Some(heartbeat.zone_name());
            text += &format!("CRON_TZ={}\n", heartbeat.zone_name());
        }
        let cron = heartbeat.schedule.cron.normalized();
        text += &format!("# {}\n{cron} {command}\n", heartbeat.title());
    }
    Ok(vec![TimerFile { name: "dibber.crontab", text }])
}
