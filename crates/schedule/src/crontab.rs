//! The lines of a list of schedules, which may be the crontab of a machine.
//!
//! A list has a schedule on each line, or a schedule, a time zone and a name with tabs between
//! them. A crontab (crontab(5)) has a command after the five fields, lines that set variables, and
//! in the files of the system a user before each command. A line of any of them may be in one
//! file. `#` begins a comment at the beginning of a line only, because it may be in a command.
//!
//! Schedules are not parsed here, so that each error names its own line.

use crate::cron::is_nickname;
use crate::tzdb::{UnknownZone, zone};
use crate::words::ScheduleText;
use dibber_text::BYTE_ORDER_MARK;

/// The variable that sets the time zone of the schedules after it, as in cronie.
const ZONE_VARIABLE: &str = "CRON_TZ";
/// The variables whose value has no blanks: with some, the line is a schedule after its time zone,
/// which the error of the schedule explains.
const ZONE_VARIABLES: [&str; 2] = [ZONE_VARIABLE, "TZ"];
/// The number of fields of a schedule.
const FIELDS: usize = 5;
/// The most letters of a user's name, as in useradd(8).
const USER_LETTERS_MAX: usize = 32;
/// Programs that often begin a command with a path after them. A user may have such a name, but
/// in a crontab they are the command.
const PROGRAMS: [&str; 40] = [
    "ash", "bash", "cat", "cd", "chronic", "cp", "csh", "curl", "dash", "deno", "env", "exec",
    "find", "fish", "flock", "ionice", "java", "ksh", "ls", "mkdir", "mv", "nice", "node", "nohup",
    "perl", "php", "python", "rm", "rsync", "ruby", "sh", "source", "sudo", "tar", "test", "time",
    "timeout", "touch", "wget", "zsh",
];

/// The schedules of a list or a crontab.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crontab<'a> {
    /// The lines with a schedule, valid or not.
    pub entries: Vec<CrontabEntry<'a>>,
    /// The lines that set an unknown time zone.
    pub problems: Vec<CrontabProblem>,
}

/// A line with a schedule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CrontabEntry<'a> {
    /// The number of the line, from 1.
    pub line: usize,
    /// The schedule as it is written, which may be invalid.
    pub schedule: &'a str,
    /// The name of the time zone, from the line itself or from a `CRON_TZ` before it. The name of
    /// the line itself may be unknown.
    pub zone: Option<&'a str>,
    /// The name of the schedule, in a list.
    pub name: Option<&'a str>,
    /// The user that runs the command, in a crontab of the system.
    pub user: Option<&'a str>,
    /// The command, without the input after a `%`.
    pub command: Option<&'a str>,
}

/// A line that sets an unknown time zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrontabProblem {
    /// The number of the line, from 1.
    pub line: usize,
    /// The time zone.
    pub zone: UnknownZone,
    /// The number of schedules after it that are left out, because their time zone is unknown.
    pub left_out: usize,
}

/// The time zone of the schedules after a line.
enum ZoneState<'a> {
    Known(Option<&'a str>),
    Unknown,
}

impl<'a> Crontab<'a> {
    /// Parses the lines of a list or a crontab.
    pub fn parse(text: &'a str) -> Self {
        let mut crontab = Self::default();
        let mut zone_state = ZoneState::Known(None);
        for (index, line) in text.trim_start_matches(BYTE_ORDER_MARK).lines().enumerate() {
            let (number, line) = (index + 1, line.trim());
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some((name, value)) = assignment(line) {
                if name == ZONE_VARIABLE {
                    zone_state = crontab.set_zone(number, value);
                }
                continue;
            }
            let entry = CrontabEntry::parse(number, line);
            match (&zone_state, crontab.problems.last_mut()) {
                (ZoneState::Unknown, Some(problem)) if entry.zone.is_none() => {
                    problem.left_out += 1;
                }
                (ZoneState::Known(before), _) => {
                    let zone = entry.zone.or(*before);
                    crontab.entries.push(CrontabEntry { zone, ..entry });
                }
                (ZoneState::Unknown, _) => crontab.entries.push(entry),
            }
        }
        crontab
    }

    /// Sets the time zone of the lines after line `line`.
    fn set_zone(&mut self, line: usize, name: &'a str) -> ZoneState<'a> {
        if name.is_empty() {
            return ZoneState::Known(None);
        }
        match zone(name) {
            Ok(_) => ZoneState::Known(Some(name)),
            Err(zone) => {
                self.problems.push(CrontabProblem { line, zone, left_out: 0 });
                ZoneState::Unknown
            }
        }
    }
}

impl<'a> CrontabEntry<'a> {
    fn parse(line: usize, text: &'a str) -> Self {
        let whole = Self { line, schedule: text, ..Self::default() };
        if ScheduleText::parse(text).is_ok() {
            return whole;
        }
        let Some((schedule, rest)) = split_schedule(text) else {
            // Words, or fields that are not five; those may be separated by tabs, too.
            return match text.split_once('\t') {
                Some((schedule, columns)) if schedule.contains(' ') => {
                    whole.with_columns(schedule, columns)
                }
                _ => whole,
            };
        };
        match rest.strip_prefix('\t').filter(|columns| !schedule.contains('\t') && is_list(columns))
        {
            Some(columns) => whole.with_columns(schedule, columns),
            None => whole.with_command(schedule, rest.trim_start()),
        }
    }

    /// Returns it with the time zone and the name after a schedule in a list.
    fn with_columns(self, schedule: &'a str, columns: &'a str) -> Self {
        let present = |text: &'a str| Some(text.trim()).filter(|text| !text.is_empty());
        let (zone, name) = columns.split_once('\t').unwrap_or((columns, ""));
        Self { schedule: schedule.trim(), zone: present(zone), name: present(name), ..self }
    }

    /// Returns it with the command after a schedule in a crontab.
    fn with_command(self, schedule: &'a str, rest: &'a str) -> Self {
        let rest = without_input(rest);
        let (user, command) = match rest.split_once([' ', '\t']) {
            Some((user, command)) if is_user(user) && command.trim_start().starts_with('/') => {
                (Some(user), command.trim_start())
            }
            _ => (None, rest),
        };
        let command = Some(command.trim_end()).filter(|command| !command.is_empty());
        Self { schedule, user, command, ..self }
    }
}

/// Returns the name and the value of a line that sets a variable.
fn assignment(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once('=')?;
    let (name, value) = (unquoted(name.trim()), unquoted(value.trim()));
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_variable = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(is_name)
        && !(ZONE_VARIABLES.contains(&name) && value.contains(char::is_whitespace));
    is_variable.then_some((name, value))
}

/// Returns a string without the quotes around it.
fn unquoted(text: &str) -> &str {
    let without = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    without('"').or_else(|| without('\'')).unwrap_or(text)
}

/// Returns a schedule in fields or a nickname, and what follows it on the line.
fn split_schedule(line: &str) -> Option<(&str, &str)> {
    let mut ends = word_ends(line);
    let first = &line[..ends.next()?];
    if is_nickname(first) {
        let rest = &line[first.len()..];
        return (!rest.is_empty()).then_some((first, rest));
    }
    let (schedule, rest) = line.split_at(ends.nth(FIELDS - 2)?);
    let next = rest.split_ascii_whitespace().next()?;
    let begins_as_field = first.starts_with(|c: char| c.is_ascii_digit() || c == '*');
    let has_fields = schedule.split_ascii_whitespace().enumerate().all(|(index, field)| {
        // Months and days of the week have names.
        field.chars().all(|c| is_field_sign(c) || index >= 3 && c.is_ascii_alphabetic())
    });
    (begins_as_field && has_fields && !is_field(next)).then_some((schedule, rest))
}

/// Returns the ends of the words of a line.
fn word_ends(line: &str) -> impl Iterator<Item = usize> {
    let is_blank = |c: Option<char>| c.is_none_or(|c| c == ' ' || c == '\t');
    line.char_indices().filter_map(move |(at, c)| {
        let end = at + c.len_utf8();
        (!is_blank(Some(c)) && is_blank(line[end..].chars().next())).then_some(end)
    })
}

const fn is_field_sign(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '*' | ',' | '-' | '/' | '?' | '~' | '#')
}

/// Returns `true` if a sixth word is another field, as in the schedules of other programs, and not
/// a command.
fn is_field(word: &str) -> bool {
    let is_weekday = |part: &str| {
        let days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
        days.iter().any(|day| day.eq_ignore_ascii_case(part))
    };
    word.chars().all(is_field_sign) || word.split([',', '-']).all(is_weekday)
}

/// Returns `true` if what follows a schedule and a tab is a time zone, and a name after another
/// tab; and not a command.
fn is_list(columns: &str) -> bool {
    let (first, name) = columns.split_once('\t').unwrap_or((columns, ""));
    let (first, name) = (first.trim(), name.trim());
    if first.is_empty() {
        return !name.starts_with('/');
    }
    let is_zone_sign = |c: char| c.is_ascii_alphanumeric() || "_+-/".contains(c);
    if first.starts_with('/') || !first.chars().all(is_zone_sign) {
        return false;
    }
    // Misspelled time zones remain time zones, unless a command follows a user.
    !is_user(first) || zone(first).is_ok() || !name.contains(['/', '|', '&', ';', '$', '>'])
}

/// Returns `true` for a word that may be the name of a user, and is no program.
fn is_user(word: &str) -> bool {
    let is_sign = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_-".contains(c);
    let program = word.trim_end_matches(|c: char| c.is_ascii_digit());
    word.len() <= USER_LETTERS_MAX
        && word.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
        && word.chars().all(is_sign)
        && !PROGRAMS.contains(&program)
}

/// Returns a command without its input, which follows the first `%` that has no `\` before it.
fn without_input(command: &str) -> &str {
    let mut signs = command.match_indices('%').map(|(at, _)| at);
    let end = signs.find(|at| !command[..*at].ends_with('\\'));
    command[..end.unwrap_or(command.len())].trim_end()
}
