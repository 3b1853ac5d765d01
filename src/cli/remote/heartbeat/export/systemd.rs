//! Timers as units of systemd.

use super::timers::{Format, TimerFile, TimerSet};
use crate::cli::error::CommandError;
use dibber_schedule::on_calendar;

const SERVICE: &str = "dibber.service";
const TIMER: &str = "dibber.timer";

pub(super) const FORMAT: Format = Format {
    program: "systemd",
    write,
    next_step: |_| "in ~/.config/systemd/user, `systemctl --user enable --now dibber.timer` starts the timers",
};

#[expect(clippy::unnecessary_wraps, reason = "the form of all formats")]
fn write(timers: &TimerSet<'_>) -> Result<Vec<TimerFile>, CommandError> {
    let words: Vec<_> = timers.start.words().iter().map(|word| quoted(word)).collect();
    let service = format!(
        "# {SERVICE}, of `dibber heartbeat export --systemd`\n\
         [Unit]\nDescription=The heartbeats that are due\n\n\
         [Service]\nType=oneshot\nExecStart={}\n",
        words.join(" ")
    );
    let mut timer = format!(
        "# {TIMER}, of `dibber heartbeat export --systemd`\n\
         [Unit]\nDescription=The times of the heartbeats\n\n[Timer]\n"
    );
    for simultaneous in timers.simultaneous() {
        timer += &simultaneous.comments("");
        for event in on_calendar(&simultaneous.first.schedule) {
            timer += &format!("OnCalendar={event}\n");
        }
    }
    timer += "AccuracySec=1s\nPersistent=true\n\n[Install]\nWantedBy=timers.target\n";
    let file = |name, text| TimerFile { name, text };
    Ok(vec![file(SERVICE, service), file(TIMER, timer)])
}

/// Returns a word of `ExecStart=`, in which `%` begins a specifier and `$` a variable.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._/+,=:@".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    let mut quoted = String::from("\"");
    for c in word.chars() {
        match c {
            '"' | '\\' => quoted.push('\\'),
            '%' | '$' => quoted.push(c),
            _ => {}
        }
        quoted.push(c);
    }
    quoted.push('"');
    quoted
}
