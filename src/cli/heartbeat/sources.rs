//! The schedules that the arguments name.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

use super::arguments::{Options, Source};
use crate::cli::default_zone::DefaultZone;
use crate::cli::drafted::Drafted;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use dibber_schedule::{Crontab, CrontabEntry, CrontabProblem};
use dibber_skill::discover::{self, DiscoverErrorKind};
use dibber_text::{Message, escape_line, message, quote_argument, quote_in_full};

/// The most bytes of a list (1 MiB).
const LIST_BYTES_MAX: u64 = 1 << 20;
/// The most schedules of one run.
const SCHEDULES_MAX: usize = 2_000;

/// A schedule that an argument names.
pub(super) struct RequestedSchedule {
    /// Its line, if it is from a list or a crontab.
    pub(super) line: Option<ListLine>,
    pub(super) name: Option<String>,
    pub(super) skill: Option<SkillRun>,
    pub(super) cron: String,
    /// The zone that is written beside it.
    pub(super) zone: Option<String>,
    /// The zone if none is written, neither beside it nor in its words.
    pub(super) default_zone: DefaultZone,
}

impl RequestedSchedule {
    /// Returns `true` if it is an argument itself, and not from a file.
    pub(super) const fn is_typed(&self) -> bool {
        self.line.is_none() && self.skill.is_none()
    }
}

/// A line of a list or a crontab.
pub(super) struct ListLine {
    /// The name of the list.
    pub(super) list: String,
    /// The number of the line, from 1.
    pub(super) number: usize,
    /// The user that runs the command, in a crontab of the system.
    pub(super) user: Option<String>,
    /// The command after the schedule, in a crontab.
    pub(super) command: Option<String>,
}

impl ListLine {
    /// Returns the name of the list and the number of the line.
    pub(super) fn place(&self) -> String {
        format!("{}:{}", self.list, self.number)
    }
}

/// The skill that a heartbeat runs.
#[derive(Clone)]
pub(super) struct SkillRun {
    pub(super) name: String,
    /// Its directory.
    pub(super) path: String,
}

/// All requested schedules, and the sources that could not be read.
pub(super) struct RequestedSchedules {
    pub(super) schedules: Vec<RequestedSchedule>,
    pub(super) problems: Vec<SourceError>,
    pub(super) exit: Exit,
}

/// A path or a list that could not be read.
pub(super) struct SourceError {
    pub(super) path: String,
    pub(super) error: CommandError,
}

/// Reads all sources.
pub(super) fn gather(options: &Options) -> Result<RequestedSchedules, CommandError> {
    let mut gathered =
        RequestedSchedules { schedules: Vec::new(), problems: Vec::new(), exit: Exit::Done };
    for source in &options.sources {
        match source {
            Source::Schedule(cron) => gathered.schedules.push(RequestedSchedule {
                line: None,
                name: None,
                skill: None,
                cron: cron.clone(),
                zone: options.zone.clone(),
                default_zone: options.default_zone.clone(),
            }),
            Source::Skills(path) => gathered.add_skills(path.clone()),
            Source::List(path) => {
                let shown = escape_line(&path.to_string_lossy()).into_owned();
                gathered.add_list(&shown, || limited(File::open(path)?), options);
            }
            Source::StandardInput => {
                let read = || limited(io::stdin().lock());
                gathered.add_list("standard input", read, options);
            }
        }
        if gathered.schedules.len() > SCHEDULES_MAX {
            return Err(CommandError::new(message!["more than ", SCHEDULES_MAX, " schedules"])
                .help("preview fewer of them at once"));
        }
    }
    Ok(gathered)
}

impl RequestedSchedules {
    fn add_problem(&mut self, path: &str, error: CommandError, exit: Exit) {
        self.problems.push(SourceError { path: path.to_owned(), error });
        self.exit = self.exit.worst(exit);
    }

    fn add_skills(&mut self, path: PathBuf) {
        let (found, problems) = discover::find(&[path]);
        for problem in problems {
            let error = CommandError::from(&problem);
            let error = match problem.kind {
                DiscoverErrorKind::NotInSkill => {
                    error.help("`--cron-file` reads a list of schedules")
                }
                _ => error,
            };
            self.add_problem(&problem.path, error, Exit::Usage);
        }
        for found in &found {
            match Drafted::load(found) {
                Ok(drafted) => self.add_skill(&drafted),
                Err(problem) => {
                    let error = CommandError::from(&problem);
                    let exit = error.exit_code();
                    self.add_problem(&problem.path, error, exit);
                }
            }
        }
    }

    fn add_skill(&mut self, drafted: &Drafted) {
        if let [(_, first), others @ ..] = &drafted.draft.problems[..] {
            let path = drafted.path();
            let (argument, path) = (quote_argument(path), quote_in_full(path));
            let more = match others.len() {
                0 => Message::default(),
                count => message![" (and ", count, " more)"],
            };
            let message = message![path, ": ", first.problem.message.clone(), more];
            let help = message!["`dibber lint ", argument, "` shows the lines and the help"];
            let error = CommandError::new(message).help(help);
            self.add_problem(drafted.path(), error, Exit::BadInput);
        }
        let Some(manifest) = &drafted.draft.manifest else { return };
        let skill = SkillRun {
            name: drafted.draft.best_effort().name.clone(),
            path: drafted.path().to_owned(),
        };
        self.schedules.extend(manifest.heartbeats.iter().map(|heartbeat| {
            let zone = heartbeat.time_zone.as_ref();
            RequestedSchedule {
                line: None,
                name: Some(heartbeat.name.value.clone()),
                skill: Some(skill.clone()),
                cron: heartbeat.cron.value.clone(),
                zone: zone.map(|zone| zone.value.clone()),
                default_zone: DefaultZone::of_manifest(),
            }
        }));
    }

    fn add_list(
        &mut self,
        shown: &str,
        read: impl FnOnce() -> io::Result<Vec<u8>>,
        options: &Options,
    ) {
        let text = match read() {
            Ok(bytes) if bytes.len() as u64 > LIST_BYTES_MAX => {
                Err(CommandError::new(message![quote_in_full(shown), " is larger than 1 MiB"]))
            }
            Ok(bytes) => String::from_utf8(bytes)
                .map_err(|_| CommandError::new(message![quote_in_full(shown), " is not UTF-8"])),
            Err(error) => {
                Err(CommandError::io(message!["cannot read ", quote_in_full(shown)], error))
            }
        };
        match text {
            Ok(text) => {
                let crontab = Crontab::parse(&text);
                let entries = crontab.entries.iter();
                self.schedules.extend(entries.map(|entry| listed(entry, shown, options)));
                for problem in &crontab.problems {
                    let place = format!("{shown}:{}", problem.line);
                    self.add_problem(&place, zone_error(problem, &place), Exit::BadInput);
                }
            }
            Err(error) => self.add_problem(shown, error, Exit::Usage),
        }
    }
}

/// Returns the schedule on a line of a list or a crontab.
fn listed(entry: &CrontabEntry<'_>, list: &str, options: &Options) -> RequestedSchedule {
    let owned = |text: Option<&str>| text.map(str::to_owned);
    RequestedSchedule {
        line: Some(ListLine {
            list: list.to_owned(),
            number: entry.line,
            user: owned(entry.user),
            command: owned(entry.command),
        }),
        name: owned(entry.name),
        skill: None,
        cron: entry.schedule.to_owned(),
        zone: owned(entry.zone).or_else(|| options.zone.clone()),
        default_zone: options.default_zone.clone(),
    }
}

/// Returns the error of a line that sets an unknown time zone.
fn zone_error(problem: &CrontabProblem, place: &str) -> CommandError {
    let mut help = problem.zone.help();
    match problem.left_out {
        0 => {}
        1 => help.push("; 1 schedule after it is left out"),
        count => help.push(message!["; ", count, " schedules after it are left out"]),
    }
    CommandError::new(message![quote_in_full(place), ": ", problem.zone.message()]).help(help)
}

/// Reads one byte more than the limit, which shows that there is more.
fn limited(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(LIST_BYTES_MAX + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
