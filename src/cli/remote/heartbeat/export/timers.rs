//! What all formats of timers have in common: the heartbeats, what is started, and the files.

use jiff::Timestamp;

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
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
pub(super) struct TimerSet {
    pub(super) timers: Vec<Timer>,
    pub(super) start: Start,
    /// The server with the heartbeats; none for the database of this computer.
    pub(super) server: Option<String>,
    pub(super) now: Timestamp,
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
    pub(super) write: fn(&TimerSet) -> Result<Vec<TimerFile>, CommandError>,
    /// What is said of the files once they are written.
    pub(super) next_step: &'static str,
}

impl Timer {
    /// Returns what it is, in one line without quotation marks of its own.
    pub(super) fn title(&self) -> String {
        let (id, name) = (escape_line(&self.id), escape_line(self.name.trim()));
        let name = name.replace('"', "'");
        format!("{id} \"{name}\": {}", escape_line(&self.cadence))
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
