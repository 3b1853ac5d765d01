//! What all formats of timers have in common: the heartbeats, what is started, and the files.

use jiff::Timestamp;

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use dibber_client::ServerTarget;
use dibber_schedule::{Schedule, TimerError};
use dibber_text::{escape_line, message, quote, shell_word};

/// A heartbeat as a timer.
pub(super) struct Timer {
    pub(super) id: String,
    /// Its name, masked.
    pub(super) name: String,
    /// Its schedule in words.
    pub(super) cadence: String,
    pub(super) schedule: Schedule,
}

/// What timers are written from.
pub(super) struct TimerSet<'a> {
    pub(super) timers: Vec<Timer>,
    pub(super) start: Start,
    /// The server with the heartbeats.
    pub(super) target: &'a ServerTarget,
    pub(super) now: Timestamp,
}

/// Heartbeats with the same times, at which something is started once.
pub(super) struct SimultaneousTimers<'a> {
    /// The first of them.
    pub(super) first: &'a Timer,
    others: Vec<&'a Timer>,
}

/// What timers start.
pub(super) enum Start {
    /// A program with its arguments.
    Program(Vec<String>),
    /// A command line of a shell.
    Shell(String),
}

/// A file with timers.
pub(super) struct TimerFile {
    /// The name that it usually has.
    pub(super) name: &'static str,
    pub(super) text: String,
}

/// A format of timers.
pub(super) struct Format {
    /// What reads the timers, in sentences.
    pub(super) program: &'static str,
    /// Returns the files.
    pub(super) write: fn(&TimerSet<'_>) -> Result<Vec<TimerFile>, CommandError>,
    /// Returns what to do with the files.
    pub(super) next_step: fn(&TimerSet<'_>) -> &'static str,
}

impl TimerSet<'_> {
    /// Returns the heartbeats, those with the same times together.
    pub(super) fn simultaneous(&self) -> Vec<SimultaneousTimers<'_>> {
        let mut groups: Vec<SimultaneousTimers<'_>> = Vec::new();
        for timer in &self.timers {
            match groups.iter_mut().find(|group| group.first.has_times_of(timer)) {
                Some(group) => group.others.push(timer),
                None => groups.push(SimultaneousTimers { first: timer, others: Vec::new() }),
            }
        }
        groups
    }
}

impl SimultaneousTimers<'_> {
    /// Returns a comment for each heartbeat, on lines that begin with `indent`.
    pub(super) fn comments(&self, indent: &str) -> String {
        let all = [self.first].into_iter().chain(self.others.iter().copied());
        all.map(|timer| format!("{indent}# {}\n", timer.title())).collect()
    }
}

impl Timer {
    /// Returns what it is, in one line without quotation marks of its own.
    pub(super) fn title(&self) -> String {
        let (id, name) = (escape_line(&self.id), escape_line(self.name.trim()));
        let name = name.replace('"', "'");
        format!("{id} \"{name}\": {}", escape_line(&self.cadence))
    }

    fn has_times_of(&self, other: &Self) -> bool {
        let cron = |timer: &Self| timer.schedule.cron.normalized();
        self.zone_name() == other.zone_name() && cron(self) == cron(other)
    }

    /// Returns the name of its time zone.
    pub(super) fn zone_name(&self) -> &str {
        self.schedule.zone.iana_name().unwrap_or("UTC")
    }
}

impl Start {
    /// Returns the program and its arguments.
    pub(super) fn words(&self) -> Vec<String> {
        match self {
            Self::Program(words) => words.clone(),
            Self::Shell(command) => {
                ["/bin/sh", "-c", command].map(str::to_owned).into_iter().collect()
            }
        }
    }

    /// Returns the line of a shell that starts it.
    pub(super) fn line(&self) -> String {
        match self {
            Self::Program(words) => {
                let words: Vec<_> = words.iter().map(|word| shell_word(word)).collect();
                words.join(" ")
            }
            Self::Shell(command) => command.clone(),
        }
    }
}

/// Returns the error of a heartbeat that a program cannot start at its times.
pub(super) fn unsupported(
    heartbeat: &Timer,
    error: TimerError,
    program: &'static str,
) -> CommandError {
    let name = quote(heartbeat.name.trim());
    CommandError::new(message!["`", name, "`: ", error.message(program)])
        .help(error.help())
        .exit(Exit::BadInput)
}
