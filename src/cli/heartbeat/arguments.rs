//! The arguments of `dibber heartbeat preview`, and the options that they mean.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::builder::RangedU64ValueParser;
use clap::{Args, ValueEnum};

use super::start::FromTime;
use crate::cli::default_zone::DefaultZone;
use crate::cli::default_zone::zone_argument;
use crate::cli::error::CommandError;
use crate::cli::locale_clock::clock_of_locale;
use crate::cli::output::{Output, STANDARD_STREAM};
use dibber_schedule::{ClockFormat, ScheduleText, ScheduleZoneError, WITHIN_MINUTES_MAX};
use dibber_skill::discover::{self, FoundSkill};
use dibber_skill::draft::Draft;
use dibber_skill::label::label_key;
use dibber_text::{message, quote};

/// The default number of fires.
const FIRES_DEFAULT: usize = 5;
/// The most fires of a schedule.
const FIRES_MAX: u64 = 1_000;
/// The default number of days of a calendar.
const DAYS_DEFAULT: &str = "90";
/// The most days of a calendar: ten years.
const DAYS_MAX: u64 = 3_660;
/// The most directories in which a title is searched for: a mistyped schedule may be one, and the
/// current directory a home directory.
const TITLE_DIRECTORIES_MAX: usize = 4_000;
/// The most skills that are read for their titles.
const TITLES_MAX: usize = 1_000;

/// Show when heartbeats run, in words and times, without a server
///
/// Shows each schedule in words, its next fires in local time, how often it fires in 24 hours,
/// what changes of the clocks do to it, and which heartbeats fire at the same time. A schedule is
/// in words, such as `every day at 7:30pm` or `twice a day at 8 and 20`, or in five fields, which
/// are read as Debian's cron reads them: a day has to match both of the day fields when
/// one of them begins with `*`, and either of them otherwise; a time that a change of the clocks
/// skips fires at the first minute after it, and one that comes twice fires once; a schedule whose
/// minute or hour begins with `*` follows the clock on the wall. Exits with 3 when a server would
/// refuse a schedule.
#[derive(Args)]
pub(super) struct PreviewArgs {
    /// Schedules in quotes, such as `"weekdays at 7:30pm"` or `"0 8 * * 1-5"`; folders or files in
    /// skills, for the heartbeats of their sprout.yaml, or titles of skills; or `-` for a list on
    /// standard input
    #[arg(value_name = "SCHEDULE|PATH")]
    what: Vec<OsString>,

    /// Read a crontab, or a list: a schedule on each line, or a schedule, a time zone and a name
    /// with tabs between them; several are shown as a table
    #[arg(long, value_name = "FILE")]
    cron_file: Vec<PathBuf>,

    /// The time zone of typed and listed schedules [default: that of this computer]
    #[arg(long, value_name = "ZONE", value_parser = zone_argument)]
    tz: Option<String>,

    /// Show the fires after this time, as RFC 3339 or in the zone of the first schedule; of a
    /// date, the whole day [default: now]
    #[arg(long, value_name = "TIME")]
    from: Option<String>,

    /// The number of fires to show [default: 5]; with it, each schedule of a list has its page
    #[arg(short = 'n', value_name = "COUNT")]
    #[arg(value_parser = RangedU64ValueParser::<usize>::new().range(1..=FIRES_MAX))]
    fires: Option<usize>,

    /// Report fires that are at most so many minutes apart as conflicts
    #[arg(long, value_name = "MINUTES", default_value = "0", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(..=i64::from(WITHIN_MINUTES_MAX)))]
    within: u32,

    /// Count all schedules together against the cap
    #[arg(long)]
    together: bool,

    /// Write times on a clock of 12 or 24 hours [default: that of your locale; 12 in JSON]
    #[arg(long, value_name = "HOURS", hide_possible_values = true)]
    clock: Option<ClockArg>,

    /// Draw a week by the hour, a month as a calendar page, or a year by the day
    #[arg(long, value_name = "SPAN", conflicts_with = "json")]
    picture: Option<Span>,

    /// Write that picture to a file, as SVG; a week unless `--picture` says otherwise; `-` prints it
    /// alone
    #[arg(long, value_name = "FILE")]
    svg: Option<Output>,

    /// Write the fires to a file, as a calendar for other programs; `-` prints it alone
    #[arg(long, value_name = "FILE")]
    ics: Option<Output>,

    /// The number of days in the calendar
    #[arg(long, value_name = "DAYS", default_value = DAYS_DEFAULT, requires = "ics")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=DAYS_MAX.cast_signed()))]
    days: u32,

    /// Print JSON, with the field names of a server's answer
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum ClockArg {
    #[value(name = "12")]
    Twelve,
    #[value(name = "24")]
    TwentyFour,
}

/// What a picture shows.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Span {
    /// A row for each day, a column for each hour.
    Week,
    /// A row for each week, a column for each weekday.
    Month,
    /// A row for each month, a column for each day.
    Year,
}

/// What a run does.
pub(super) struct Options {
    pub(super) sources: Vec<Source>,
    /// The zone that is named for typed and listed schedules.
    pub(super) zone: Option<String>,
    /// The zone of those for which none is named.
    pub(super) default_zone: DefaultZone,
    /// None for the present.
    pub(super) from: Option<FromTime>,
    pub(super) fires: usize,
    pub(super) list_layout: ListLayout,
    /// The most minutes between two fires in conflict.
    pub(super) within: u32,
    pub(super) cap: CapScope,
    pub(super) clock: ClockFormat,
    pub(super) show: Show,
    pub(super) svg: Option<(Output, Span)>,
    pub(super) calendar: Option<CalendarFile>,
}

/// A source of schedules.
pub(super) enum Source {
    /// A typed schedule.
    Schedule(String),
    /// The skills at a path.
    Skills(PathBuf),
    /// A list in a file.
    List(PathBuf),
    /// A list on standard input.
    StandardInput,
}

/// What the cap applies to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CapScope {
    /// Each schedule.
    Each,
    /// Each, and all of them together.
    Together,
}

/// How the schedules of lists are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ListLayout {
    /// A page for each.
    Pages,
    /// A row for each, if there are several.
    Table,
}

/// What is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Show {
    /// A page for people, and a picture if one is requested.
    Page(Option<Span>),
    /// What a server would answer.
    Json,
    /// Nothing, since a file is printed; what is wrong is shown all the same.
    Errors,
}

/// A calendar to write.
pub(super) struct CalendarFile {
    pub(super) output: Output,
    /// Its length.
    pub(super) days: u32,
}

impl Options {
    /// Converts the arguments.
    pub(super) fn new(typed: PreviewArgs) -> Result<Self, CommandError> {
        let mut sources = Vec::new();
        for argument in typed.what {
            match Source::titled(&argument) {
                titled if titled.is_empty() => sources.push(Source::from_argument(argument)?),
                titled => sources.extend(titled),
            }
        }
        sources.extend(typed.cron_file.into_iter().map(Source::from_list_path));
        if sources.is_empty() {
            sources.push(Source::Skills(PathBuf::from(".")));
        }
        let (picture, days) = (typed.picture, typed.days);
        let is_file_printed = [&typed.svg, &typed.ics].contains(&&Some(Output::StandardOutput));
        let show = match (typed.json, is_file_printed) {
            (true, true) => {
                return Err(CommandError::new("`--json` and a file `-` both print")
                    .help("give the file another name"));
            }
            (true, false) => Show::Json,
            (false, true) => Show::Errors,
            (false, false) => Show::Page(picture),
        };
        check_unused_zone(typed.tz.as_deref(), &sources)?;
        Ok(Self {
            sources,
            zone: typed.tz,
            default_zone: DefaultZone::of_typed(),
            from: typed.from.as_deref().map(FromTime::parse).transpose()?,
            fires: typed.fires.unwrap_or(FIRES_DEFAULT),
            list_layout: match typed.fires {
                Some(_) => ListLayout::Pages,
                None => ListLayout::Table,
            },
            within: typed.within,
            cap: if typed.together { CapScope::Together } else { CapScope::Each },
            clock: match typed.clock {
                Some(ClockArg::Twelve) => ClockFormat::Twelve,
                Some(ClockArg::TwentyFour) => ClockFormat::TwentyFour,
                // As a server answers.
                None if typed.json => ClockFormat::Twelve,
                None => clock_of_locale(),
            },
            show,
            svg: typed.svg.map(|output| (output, picture.unwrap_or(Span::Week))),
            calendar: typed.ics.map(|output| CalendarFile { output, days }),
        })
    }
}

/// Returns an error for an unknown zone that no schedule would show: those of a skill have their own.
fn check_unused_zone(zone: Option<&str>, sources: &[Source]) -> Result<(), CommandError> {
    let Some(Err(unknown)) = zone.map(dibber_schedule::zone) else { return Ok(()) };
    if sources.iter().any(|source| !matches!(source, Source::Skills(_))) {
        return Ok(());
    }
    let error = ScheduleZoneError::Unknown(unknown);
    Err(CommandError::new(message!["--tz: ", error.message()]).help(error.help()))
}

impl Source {
    fn from_list_path(path: PathBuf) -> Self {
        if path.as_os_str() == STANDARD_STREAM { Self::StandardInput } else { Self::List(path) }
    }

    /// Returns the skills near the current directory that have this title; none if it is a schedule
    /// or a path.
    fn titled(argument: &OsStr) -> Vec<Self> {
        let is_schedule = |text: &str| text.trim().is_empty() || ScheduleText::parse(text).is_ok();
        let title = argument.to_str().filter(|text| *text != STANDARD_STREAM && !is_schedule(text));
        let Some(title) = title.filter(|text| Path::new(text).symlink_metadata().is_err()) else {
            return Vec::new();
        };
        let (found, _) = discover::find_near(&[PathBuf::from(".")], TITLE_DIRECTORIES_MAX);
        let title = label_key(title);
        let has_title = |found: &FoundSkill| {
            let read = || {
                discover::load_published(found)
                    .map(|it| label_key(&Draft::new(&it).best_effort().name))
            };
            discover::isolated(&found.shown_skill_file(), read).is_ok_and(|it| it == title)
        };
        let found = found.into_iter().take(TITLES_MAX).filter(has_title);
        found.map(|it| Self::Skills(it.directory)).collect()
    }

    /// Decides between a schedule and a path: what exists is a path, and what has several words
    /// is a schedule, valid or not.
    fn from_argument(argument: OsString) -> Result<Self, CommandError> {
        if argument == STANDARD_STREAM {
            return Ok(Self::StandardInput);
        }
        let path = PathBuf::from(argument);
        let Some(text) = path.to_str().filter(|_| path.symlink_metadata().is_err()) else {
            return Ok(Self::Skills(discover::from_current_directory(path)));
        };
        let is_meant_as_schedule = |c: char| c.is_whitespace() || "*,@:".contains(c);
        let parsed = ScheduleText::parse(text);
        if parsed.is_ok() || text.is_empty() || text.contains(is_meant_as_schedule) {
            return Ok(Self::Schedule(text.to_owned()));
        }
        let error =
            CommandError::new(message!["`", quote(text), "` is neither a schedule nor a path"]);
        let advice = parsed.err().and_then(|error| error.help());
        if let Some(advice) = advice.filter(|_| text.chars().all(char::is_alphabetic)) {
            return Err(error.help(advice));
        }
        let is_field = |c: char| c.is_ascii_digit() || c == '-' || c == '/';
        Err(if text.chars().all(is_field) {
            error.help("put the five fields of a schedule in quotes: `\"0 8 * * 1-5\"`")
        } else {
            error.help(
                "write a schedule in quotes, `\"weekdays at 8am\"` or `\"0 8 * * 1-5\"`; a path \
                 leads to a skill, or to its sprout.yaml",
            )
        })
    }
}
