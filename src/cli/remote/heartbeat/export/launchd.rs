//! Timers as an agent of launchd.

use std::collections::HashSet;

use super::timers::{Format, TimerFile, TimerSet, unsupported};
use crate::cli::default_zone::DefaultZone;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use dibber_schedule::{has_same_clock, launchd_intervals, zone};
use dibber_text::{message, quote, quote_in_full};

const PROGRAM: &str = "launchd";
/// The label of the agent.
const LABEL: &str = "dibber.heartbeats";

pub(super) const FORMAT: Format = Format {
    program: PROGRAM,
    write,
    next_step: |_| "in ~/Library/LaunchAgents, `launchctl bootstrap gui/$UID` with its path starts the timers",
};

fn write(timers: &TimerSet<'_>) -> Result<Vec<TimerFile>, CommandError> {
    let mut intervals = String::new();
    let mut known = HashSet::new();
    for heartbeat in &timers.timers {
        check_zone(heartbeat.zone_name(), &heartbeat.name, timers)?;
        let of_heartbeat = launchd_intervals(&heartbeat.schedule.cron)
            .map_err(|error| unsupported(heartbeat, error, PROGRAM))?;
        for interval in of_heartbeat.into_iter().filter(|interval| known.insert(*interval)) {
            intervals += "    <dict>\n";
            for (key, value) in interval.keys() {
                intervals += &format!("      <key>{key}</key><integer>{value}</integer>\n");
            }
            intervals += "    </dict>\n";
        }
    }
    let words = timers.start.words();
    let words = words.iter().map(|word| format!("    <string>{}</string>\n", escaped(word)));
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \
         \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n\
         <!-- Of `dibber heartbeat export` -->\n\
         <plist version=\"1.0\">\n<dict>\n  <key>Label</key>\n  <string>{LABEL}</string>\n  \
         <key>ProgramArguments</key>\n  <array>\n{}  </array>\n  \
         <key>StartCalendarInterval</key>\n  <array>\n{intervals}  </array>\n</dict>\n</plist>\n",
        words.collect::<String>()
    );
    Ok(vec![TimerFile { name: "dibber.heartbeats.plist", text }])
}

/// Refuses a heartbeat on another clock than that of this computer, the only one that launchd has.
fn check_zone(name: &str, heartbeat: &str, timers: &TimerSet<'_>) -> Result<(), CommandError> {
    let DefaultZone { name: own, reason: _ } = DefaultZone::of_typed();
    let zones = zone(name).ok().zip(zone(&own).ok());
    if zones.is_some_and(|(zone, own)| has_same_clock(&zone, &own, timers.now)) {
        return Ok(());
    }
    let message = message![
        "`",
        quote(heartbeat),
        "` runs on the clock of ",
        quote_in_full(name),
        ", and launchd knows that of this computer alone, ",
        quote_in_full(&own)
    ];
    let help = "name the heartbeats to write; `dibber serve` runs them in any time zone";
    Err(CommandError::new(message).help(help).exit(Exit::BadInput))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
