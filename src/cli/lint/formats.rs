//! Which reports a run writes, and where.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use clap::builder::{OsStringValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgMatches, Command as ClapCommand};

use crate::cli::error::CommandError;
use crate::cli::output::{Output, STANDARD_STREAM};
use dibber_lint::report::{FORMATS, Format};
use dibber_text::{message, quote_path};

/// The format for people.
const HUMAN: &str = "human";
/// The format of programs.
const JSON: &str = "json";
/// The format of annotations in GitHub Actions.
const GITHUB: &str = "github";
/// The variable that GitHub Actions sets to `true`.
const GITHUB_ACTIONS: &str = "GITHUB_ACTIONS";

/// A format as typed: `FORMAT` or `FORMAT=FILE`.
#[derive(Clone, Debug)]
pub(super) struct TypedFormat {
    format: &'static Format,
    file: Option<PathBuf>,
}

/// Parses a [`TypedFormat`], and lists the formats in the help.
#[derive(Clone, Debug)]
pub(super) struct FormatParser;

impl TypedValueParser for FormatParser {
    type Value = TypedFormat;

    fn parse_ref(
        &self,
        command: &ClapCommand,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<TypedFormat, clap::Error> {
        let typed = OsStringValueParser::new()
            .try_map(|typed| typed.into_string().map_err(|_| "the name of the file is not UTF-8"))
            .parse_ref(command, argument, value)?;
        let (name, file) = match typed.split_once('=') {
            Some((name, file)) => (name, Some(PathBuf::from(file))),
            None => (typed.as_str(), None),
        };
        let names = PossibleValuesParser::new(names());
        let name = names.parse_ref(command, argument, OsStr::new(name))?;
        let format = dibber_lint::report::format(&name).expect("the name of a format");
        Ok(TypedFormat { format, file: file.filter(|file| file.as_os_str() != STANDARD_STREAM) })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(names().map(PossibleValue::new)))
    }
}

fn names() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().map(|format| format.name)
}

/// What a report contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// The findings.
    Findings,
    /// The number of findings of each rule.
    Statistics,
}

/// One report of a run.
#[derive(Clone, Debug)]
pub(super) struct ReportChoice {
    pub(super) format: &'static Format,
    pub(super) content: Content,
    pub(super) destination: Destination,
}

/// Where a report goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Destination {
    /// Where the data of the run goes, or a file of its own.
    Data(Output),
    /// Beside the data.
    StandardError,
}

impl Destination {
    /// Returns `true` for standard output.
    pub(super) fn is_standard_output(&self) -> bool {
        *self == Self::Data(Output::StandardOutput)
    }
}

/// The arguments that say which reports there are.
pub(super) struct TypedReports {
    pub(super) formats: Vec<TypedFormat>,
    pub(super) is_json: bool,
    pub(super) is_statistics: bool,
    pub(super) output: Option<PathBuf>,
}

/// Returns the reports of a run, that on standard output or in the file of `--output` first.
///
/// If no format is asked for there, it is the one for people, and GitHub Actions gets its
/// annotations besides: it reads them from standard error, too, where they are in no one's way.
pub(super) fn reports(typed: TypedReports) -> Result<Vec<ReportChoice>, CommandError> {
    let TypedReports { formats, is_json, is_statistics, output } = typed;
    let output = output.filter(|file| file.as_os_str() != STANDARD_STREAM);
    let (files, mains): (Vec<_>, Vec<_>) =
        formats.into_iter().partition(|typed| typed.file.is_some());
    let mut mains = mains.into_iter().map(|typed| typed.format).chain(json(is_json));
    let main = mains.next();
    if let (Some(first), Some(second)) = (main, mains.next()) {
        return Err(two_formats(first, second));
    }
    let has_annotations = files.iter().any(|typed| typed.format.name == GITHUB);
    let is_in_actions = env::var_os(GITHUB_ACTIONS).is_some_and(|value| value == "true");
    let annotates = is_in_actions && !has_annotations && main.is_none() && output.is_none();
    let format = main.unwrap_or_else(|| named(HUMAN));
    let content = if is_statistics { Content::Statistics } else { Content::Findings };
    if is_statistics && format.statistics.is_none() {
        let message = message!["`--statistics` has no `", format.name, "` form"];
        return Err(CommandError::new(message).help("the formats human, concise and json have one"));
    }
    let destination = Destination::Data(output.map_or(Output::StandardOutput, Output::File));
    let mut reports = vec![ReportChoice { format, content, destination }];
    reports.extend(files.into_iter().filter_map(|TypedFormat { format, file }| {
        let destination = Destination::Data(Output::File(file?));
        Some(ReportChoice { format, content: Content::Findings, destination })
    }));
    check_files(&reports)?;
    if annotates {
        let destination = Destination::StandardError;
        let format = named(GITHUB);
        reports.push(ReportChoice { format, content: Content::Findings, destination });
    }
    Ok(reports)
}

/// Returns `true` if the report on standard output is JSON by its format.
pub(in crate::cli) fn prints_json(matches: &ArgMatches) -> bool {
    let formats = matches.try_get_many::<TypedFormat>("format").ok().flatten();
    formats.into_iter().flatten().any(|typed| typed.file.is_none() && typed.format.name == JSON)
}

fn json(is_json: bool) -> Option<&'static Format> {
    is_json.then(|| named(JSON))
}

fn named(name: &str) -> &'static Format {
    dibber_lint::report::format(name).expect("there is a format of that name")
}

fn two_formats(first: &Format, second: &Format) -> CommandError {
    let (first, second) = (first.name, second.name);
    if first == second {
        return CommandError::new(message!["the format `", first, "` is given twice"])
            .help("leave one out");
    }
    CommandError::new(message!["two formats for one output: `", first, "` and `", second, "`"])
        .help(message!["write one of them to a file: `--format ", second, "=FILE`"])
}

/// Checks that no two reports go to the same file.
fn check_files(reports: &[ReportChoice]) -> Result<(), CommandError> {
    let mut targets: Vec<PathBuf> = Vec::new();
    for report in reports {
        let Destination::Data(Output::File(file)) = &report.destination else { continue };
        if file.as_os_str().is_empty() {
            let name = report.format.name;
            return Err(CommandError::new(message!["`--format ", name, "=` names no file"])
                .help(message!["write `--format ", name, "=FILE`"]));
        }
        let target = target_of(file);
        if targets.contains(&target) {
            let message = message!["two reports go to ", quote_path(file)];
            return Err(CommandError::new(message).help("give each a file of its own"));
        }
        targets.push(target);
    }
    Ok(())
}

/// Returns the path of the file that is written, the same for all ways to it. What cannot be read
/// is left as it is typed: a report there cannot be written either.
fn target_of(file: &Path) -> PathBuf {
    if let Ok(target) = fs::canonicalize(file) {
        return target;
    }
    let (Some(parent), Some(name)) = (file.parent(), file.file_name()) else {
        return file.to_owned();
    };
    let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
    fs::canonicalize(parent).map_or_else(|_| file.to_owned(), |parent| parent.join(name))
}
