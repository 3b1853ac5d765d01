//! Timers as lines of a crontab.

use super::timers::{Format, TimerFile, TimerSet};
use crate::cli::error::CommandError;

pub(super) const FORMAT: Format = Format {
    program: "cron",
    write,
    next_step: |_| "`crontab -e` opens the crontab that the lines belong in",
};

#[expect(clippy::unnecessary_wraps, reason = "the form of all formats")]
fn write(timers: &TimerSet<'_>) -> Result<Vec<TimerFile>, CommandError> {
    // In a crontab, `%` ends the command.
    let command = timers.start.line().replace('%', "\\%");
    let mut text =
        "# Of `dibber heartbeat export --cron`. CRON_TZ is for cronie: a cron that does not\n\
                    # know it, such as that of Debian, takes the times for those of the computer.\n"
            .to_owned();
    let mut zone = None;
    for simultaneous in timers.simultaneous() {
        let heartbeat = simultaneous.first;
        if zone != Some(heartbeat.zone_name()) {
            zone = Some(heartbeat.zone_name());
            text += &format!("CRON_TZ={}\n", heartbeat.zone_name());
        }
        let cron = heartbeat.schedule.cron.normalized();
        text += &format!("{}{cron} {command}\n", simultaneous.comments(""));
    }
    Ok(vec![TimerFile { name: "dibber.crontab", text }])
}
