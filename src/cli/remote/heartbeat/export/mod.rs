//! `dibber heartbeat export`: timers of other programs that start what is due.

pub(super) mod arguments;
mod crontab;
mod github;
mod json;
mod launchd;
mod systemd;
mod timers;

use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::find::Heartbeats;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::heartbeat::relative::day;
use crate::cli::mask::mask;
use crate::cli::output::Output;
use crate::cli::remote::session::Session;
use crate::cli::term::ui::Ui;
use crate::cli::write;
use arguments::ExportArgs;
use dibber_client::ServerTarget;
use dibber_schedule::{ClockFormat, Cron, Schedule, cadence_text, clock_change_after, zone};
use dibber_server::store::DatabaseAddress;
use dibber_skill::contract::HeartbeatListItem;
use dibber_skill::names::Roster;
use dibber_text::{message, quote, quote_in_full, quote_path};
use json::ExportV1;
use timers::{Format, Start, Timer, TimerFile, TimerSet};

/// What each of the files contains.
const WRITTEN_BY: &str = "dibber heartbeat export";

pub(super) fn run(
    typed: &ExportArgs,
    session: &Session,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let roster = ui.names()?;
    let format = format_of(typed);
    let items = chosen(typed, session, ui)?;
    let timers = items.iter().map(|item| timer(item, &roster)).collect::<Result<Vec<_>, _>>()?;
    let start = start(typed, session, ui)?;
    check_line(&start.line(), &roster)?;
    let target = &session.server.selection.target;
    let timers = TimerSet { timers, start, target, now: Timestamp::now() };
    let files = (format.write)(&timers)?;
    warn_of_clock_changes(&timers, format, ui);
    if typed.json {
        ui.print_json(&ExportV1::new(&timers, &files))?;
        return Ok(Exit::Done);
    }
    write_files(&files, typed.output.as_ref(), ui)?;
    ui.eprintln((format.next_step)(&timers));
    Ok(Exit::Done)
}

const fn format_of(typed: &ExportArgs) -> &'static Format {
    if typed.systemd {
        &systemd::FORMAT
    } else if typed.cron {
        &crontab::FORMAT
    } else if typed.github_actions {
        &github::FORMAT
    } else {
        &launchd::FORMAT
    }
}

/// Returns the heartbeats that were named, or all; those that are paused have no times.
fn chosen(
    typed: &ExportArgs,
    session: &Session,
    ui: &mut Ui,
) -> Result<Vec<HeartbeatListItem>, CommandError> {
    let heartbeats = Heartbeats::load(session)?;
    let mut items: Vec<HeartbeatListItem> = Vec::new();
    for name in &typed.heartbeats {
        let named = heartbeats.find(name, session)?;
        let unlisted = || {
            let message = message!["unknown heartbeat `", quote(name), "`"];
            CommandError::new(message).exit(Exit::NotFound)
        };
        let item = named.item.ok_or_else(unlisted)?;
        if !items.iter().any(|other| other.heartbeat_id == item.heartbeat_id) {
            items.push(item);
        }
    }
    if typed.heartbeats.is_empty() {
        items = heartbeats.items().to_vec();
    }
    let (on, paused): (Vec<_>, Vec<_>) = items.into_iter().partition(|item| item.enabled);
    for item in paused {
        ui.warning(message!["`", quote(item.name.trim()), "` is paused, and gets no timer"]);
    }
    if on.is_empty() {
        return Err(CommandError::new("there are no heartbeats to write timers for")
            .help("`dibber heartbeat list` lists the heartbeats")
            .exit(Exit::NotFound));
    }
    Ok(on)
}

/// Returns a heartbeat as a timer.
fn timer(item: &HeartbeatListItem, roster: &Roster) -> Result<Timer, CommandError> {
    let name = mask(&item.name, roster);
    let unknown = |what: &'static str| {
        let message = message!["`", quote(&name), "`: the server lists no ", what, " for it"];
        CommandError::new(message).exit(Exit::Failed)
    };
    let cron = Cron::parse(&item.cron).map_err(|_| unknown("valid schedule"))?;
    let named = item.tz.as_deref().ok_or_else(|| unknown("time zone"))?;
    let zone = zone(named).map_err(|_| unknown("known time zone"))?;
    let zone_name = zone.iana_name().unwrap_or_default();
    let cadence = cadence_text(&cron, zone_name, ClockFormat::Twelve);
    let id = mask(item.heartbeat_id.as_str(), roster);
    Ok(Timer { id, name, cadence, schedule: Schedule { cron, zone } })
}

/// Returns what the timers start.
fn start(typed: &ExportArgs, session: &Session, ui: &mut Ui) -> Result<Start, CommandError> {
    let ServerTarget::Local { data } = &session.server.selection.target else {
        let missing = || {
            let server = quote_in_full(session.server.name());
            CommandError::new(message![
                "the heartbeats are due on ",
                server,
                ", not on this computer"
            ])
            .help(
                "`--run COMMAND` names what the timers start: an agent that asks this server \
                     for what is due",
            )
        };
        return typed.run.clone().map(Start::Shell).ok_or_else(missing);
    };
    let text = |path: &Path| {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        path.to_string_lossy().into_owned()
    };
    // Timers do not search the directories of a shell.
    let program = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("dibber"));
    let mut words = vec![program.to_string_lossy().into_owned()];
    words.extend(["serve", "--once"].map(str::to_owned));
    // The environment of a timer does not say where it is.
    words.extend(["--data".to_owned(), text(data)]);
    match &session.server.database {
        DatabaseAddress::Directory(directory) if directory != data => {
            words.extend(["--database".to_owned(), text(directory)]);
        }
        DatabaseAddress::Directory(_) => {}
        // It may have a password, which belongs in no timer.
        DatabaseAddress::Postgres(_) => {
            ui.warning("the timers need DIBBER_DATABASE in their environment");
        }
    }
    words.extend(typed.run.iter().flat_map(|run| ["--run".to_owned(), with_absolute_path(run)]));
    Ok(Start::Program(words))
}

/// Returns a command line with the absolute path of its program, if it is named by a relative one: timers
/// start it in another directory.
fn with_absolute_path(command: &str) -> String {
    let (program, arguments) = command.split_at(command.find(' ').unwrap_or(command.len()));
    let is_path = program.contains('/') && !program.starts_with(['\'', '"', '~', '$']);
    match std::path::absolute(program) {
        Ok(path) if is_path => format!("{}{arguments}", path.display()),
        _ => command.to_owned(),
    }
}

/// Refuses a command line that no timer can contain.
fn check_line(line: &str, roster: &Roster) -> Result<(), CommandError> {
    let (message, help) = if line.contains(char::is_control) {
        ("the command of the timers has a line break", "write it in one line, or in a script")
    } else if mask(line, roster) != line {
        (
            "the command of the timers contains a child's name or a secret",
            "start a script with another path",
        )
    } else {
        return Ok(());
    };
    Err(CommandError::new(message).help(help).exit(Exit::BadInput))
}

/// Warns of heartbeats at whose times the clocks change: each program treats them in its own way.
fn warn_of_clock_changes(timers: &TimerSet<'_>, format: &Format, ui: &mut Ui) {
    for timer in &timers.timers {
        let Some(fire) = clock_change_after(&timer.schedule, timers.now) else { continue };
        let day = day(fire.at.to_zoned(timer.schedule.zone.clone()).date());
        ui.warning(message![
            "`",
            quote(timer.name.trim()),
            "`: the clocks change at its time on ",
            quote_in_full(&day),
            ", so ",
            format.program,
            " may start at another time, twice or not at all then"
        ]);
    }
}

/// Writes the files, or prints them.
fn write_files(
    files: &[TimerFile],
    output: Option<&Output>,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let Some(path) = output.and_then(Output::file) else {
        let contents: Vec<_> = files.iter().map(|file| file.text.as_str()).collect();
        return ui.print(contents.join("\n").as_bytes());
    };
    let is_directory = path.is_dir() || files.len() > 1;
    if is_directory {
        std::fs::create_dir_all(path).map_err(|error| {
            CommandError::io(message!["cannot write ", quote_path(path)], error)
        })?;
    }
    for file in files {
        let path = if is_directory { path.join(file.name) } else { path.to_owned() };
        check_own(&path)?;
        write::replace(&path, file.text.as_bytes())?;
        ui.eprintln(message!["wrote ", quote_path(&path)]);
    }
    Ok(())
}

/// Refuses to replace a file that this command has not written.
fn check_own(path: &Path) -> Result<(), CommandError> {
    let Ok(present) = std::fs::read(path) else { return Ok(()) };
    if present.windows(WRITTEN_BY.len()).any(|bytes| bytes == WRITTEN_BY.as_bytes()) {
        return Ok(());
    }
    let message = message![quote_path(path), " was not written by this command"];
    Err(CommandError::new(message).help("remove it, or write to another file"))
}
