//! The arguments of `dibber lint`.

use std::path::PathBuf;

use clap::{ArgMatches, Args};

use super::formats::{Destination, FormatParser, ReportChoice, TypedFormat, TypedReports, reports};
use crate::cli::command::parse_args;
use crate::cli::error::CommandError;
use crate::cli::output::{Output, STANDARD_STREAM};
use crate::cli::term::progress::SummaryLine;
use dibber_lint::workspace::{ConfigChoice, PathsWithoutSkill, SkillChange};
use dibber_lint::{LevelSetting, NewWaivers, Selection, WaiverReason, Waivers};
use dibber_skill::diagnostic::{Applicability, Level, LevelSource};
use dibber_skill::discover::{self, IgnoreFiles};

/// Check skills
///
/// Checks every skill at and below the given paths: its frontmatter, its text, and the other files
/// in its directory. Exits with 1 if there are findings at level `deny`.
#[expect(
    clippy::struct_excessive_bools,
    reason = "flags as typed; `LintOptions` makes enums of them"
)]
#[derive(Args)]
pub(super) struct LintArgs {
    /// Directories, or files in skills; `-` for standard input
    #[arg(default_value = ".", hide_default_value = true)]
    paths: Vec<PathBuf>,

    /// The path of the skill on standard input
    #[arg(long, value_name = "PATH")]
    stdin_filename: Option<PathBuf>,

    /// The format of the report, by default `human`; with a file, a report besides (can be repeated)
    #[arg(long, value_name = "FORMAT[=FILE]", value_parser = FormatParser)]
    format: Vec<TypedFormat>,

    /// Print JSON: the same as `--format json`
    #[arg(long)]
    json: bool,

    /// Count the findings of each rule, instead of listing them
    #[arg(long)]
    statistics: bool,

    /// Write the report to a file; `-` for standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Check only these rules: ids, groups or `all`, separated by commas
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    select: Vec<String>,

    /// Do not check these rules
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    ignore: Vec<String>,

    /// Set the level of a rule, a group or `all`: allow, warn or deny (can be repeated)
    #[arg(long, short, value_name = "RULE=LEVEL", value_parser = level_setting)]
    level: Vec<LevelSetting>,

    /// Exit with 1 for warnings, too
    #[arg(long)]
    deny_warnings: bool,

    /// Apply the safe fixes
    #[arg(long)]
    fix: bool,

    /// Apply the unsafe fixes, too, which should be reviewed
    #[arg(long)]
    unsafe_fixes: bool,

    /// Show the changes of the fixes as a diff, and write nothing
    #[arg(long, conflicts_with_all = ["format", "json", "statistics"])]
    diff: bool,

    /// Write nothing: with `--fix` or `--unsafe-fixes`, show the changes as `--diff` does
    #[arg(long, short = 'n', conflicts_with_all = ["format", "json", "statistics", "write_baseline"])]
    dry_run: bool,

    /// Write waiver comments for the findings into the skills; those about security that are errors
    /// only if `--select` names their rules
    ///
    /// A comment in the body is a part of the prompt, and is published with its reason. A waiver in
    /// the frontmatter or in `dibber.toml` is not.
    #[arg(long, requires = "reason",
        conflicts_with_all = ["fix", "unsafe_fixes", "baseline", "write_baseline", "no_inline_waivers",
        "since"])]
    add_waivers: bool,

    /// Why the findings are waived
    #[arg(long, value_name = "TEXT", requires = "add_waivers", value_parser = waiver_reason)]
    reason: Option<WaiverReason>,

    /// Report only findings on lines changed since a git revision
    #[arg(long, value_name = "REV")]
    since: Option<String>,

    /// Report only findings that are not in this baseline
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// Write all findings into a baseline, and report nothing
    #[arg(long, value_name = "FILE", conflicts_with_all = ["baseline", "fix", "unsafe_fixes", "diff"])]
    write_baseline: Option<PathBuf>,

    /// The configuration to use instead of the nearest `dibber.toml`
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Use no `dibber.toml`
    #[arg(long, conflicts_with = "config")]
    no_config: bool,

    /// Do not apply waivers in the skills, as for contributions of others; those in `dibber.toml`
    /// still are
    #[arg(long)]
    no_inline_waivers: bool,

    /// Check skills and files that git ignores, too
    #[arg(long)]
    no_ignore: bool,

    /// Skip paths without a skill, as in a commit hook, which passes every changed file
    #[arg(long)]
    skip_non_skills: bool,

    /// Lint again whenever a file changes, until Ctrl-C
    #[arg(long, conflicts_with_all = ["fix", "unsafe_fixes", "add_waivers", "diff", "dry_run",
        "write_baseline", "stdin_filename"])]
    watch: bool,

    /// Do not print the summary line
    #[arg(long, short)]
    quiet: bool,
}

/// The options of a run of `dibber lint`.
pub(super) struct LintOptions {
    pub(super) input: LintInput,
    pub(super) action: Action,
    /// The reports, that on standard output first.
    pub(super) reports: Vec<ReportChoice>,
    pub(super) selection: Selection,
    pub(super) levels: Vec<LevelSetting>,
    /// The level from which findings fail the run.
    pub(super) fails_on: Level,
    pub(super) since: Option<String>,
    pub(super) baseline: Option<PathBuf>,
    pub(super) config: ConfigChoice,
    pub(super) comments: Waivers,
    pub(super) ignore_files: IgnoreFiles,
    pub(super) paths_without_skill: PathsWithoutSkill,
    pub(super) summary_line: SummaryLine,
    /// Whether to lint again whenever a file changes.
    pub(super) watches: bool,
}

/// Where the skills come from.
pub(super) enum LintInput {
    /// Files and directories.
    Paths(Vec<PathBuf>),
    /// One skill on standard input, and its path.
    StandardInput(Option<PathBuf>),
}

/// What is done with the findings.
#[derive(Clone, Debug)]
pub(super) enum Action {
    /// They are reported.
    Report,
    /// Those that a change removes are, and the others are reported.
    Change(SkillChange, Apply),
    /// They are written into a baseline.
    WriteBaseline(PathBuf),
}

/// Whether a change is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Apply {
    /// It is.
    Write,
    /// It is shown as a diff.
    Show,
}

impl Action {
    /// Returns the change that is planned.
    pub(super) const fn change(&self) -> Option<&SkillChange> {
        match self {
            Self::Change(change, _) => Some(change),
            Self::Report | Self::WriteBaseline(_) => None,
        }
    }

    /// Returns `true` if skills are written.
    pub(super) const fn changes(&self) -> bool {
        matches!(self, Self::Change(_, Apply::Write))
    }

    /// Returns `true` if findings are reported.
    pub(super) const fn reports(&self) -> bool {
        matches!(self, Self::Report | Self::Change(_, Apply::Write))
    }
}

impl LintOptions {
    /// Interprets the arguments.
    pub(super) fn new(matches: &ArgMatches) -> Result<Self, CommandError> {
        let typed: LintArgs = parse_args(matches);
        if typed.watch && typed.paths.iter().any(|path| path.as_os_str() == STANDARD_STREAM) {
            return Err(CommandError::new("standard input cannot be watched")
                .help("give directories, or files in skills"));
        }
        let selection = selection(&typed.select, &typed.ignore)?;
        let action = typed.action(&selection)?;
        let reports = reports(TypedReports {
            formats: typed.format,
            is_json: typed.json,
            is_statistics: typed.statistics,
            output: typed.output,
        })?;
        let is_file = |report: &ReportChoice| {
            matches!(report.destination, Destination::Data(Output::File(_)))
        };
        if typed.watch && reports.iter().any(is_file) {
            return Err(CommandError::new("`--watch` does not write a report to a file")
                .help("leave out `--watch`, or write the report to standard output"));
        }
        Ok(Self {
            input: input(typed.paths, typed.stdin_filename)?,
            action,
            reports,
            selection,
            levels: typed.level,
            fails_on: if typed.deny_warnings { Level::Warn } else { Level::Deny },
            since: typed.since,
            baseline: typed.baseline,
            config: match (typed.config, typed.no_config) {
                (Some(file), _) => ConfigChoice::File(file),
                (None, true) => ConfigChoice::Nothing,
                (None, false) => ConfigChoice::Nearest,
            },
            comments: if typed.no_inline_waivers { Waivers::Ignore } else { Waivers::Apply },
            ignore_files: if typed.no_ignore { IgnoreFiles::Ignore } else { IgnoreFiles::Apply },
            paths_without_skill: if typed.skip_non_skills {
                PathsWithoutSkill::Skip
            } else {
                PathsWithoutSkill::Report
            },
            summary_line: SummaryLine::unless(typed.quiet),
            watches: typed.watch,
        })
    }
}

impl LintInput {
    /// Returns the paths that are linted.
    pub(super) fn paths(&self) -> &[PathBuf] {
        match self {
            Self::Paths(paths) => paths,
            Self::StandardInput(path) => path.as_slice(),
        }
    }
}

impl LintArgs {
    fn action(&self, selection: &Selection) -> Result<Action, CommandError> {
        let applicability =
            if self.unsafe_fixes { Applicability::Unsafe } else { Applicability::Safe };
        let is_fix = self.fix || self.unsafe_fixes;
        if self.dry_run && !is_fix && !self.diff && !self.add_waivers {
            let message = "`--dry-run` requires `--fix` or `--add-waivers`";
            return Err(CommandError::new(message)
                .help("add `--fix`, `--unsafe-fixes` or `--add-waivers --reason TEXT`"));
        }
        let apply = if self.diff || self.dry_run { Apply::Show } else { Apply::Write };
        Ok(match (&self.write_baseline, &self.reason) {
            (Some(file), _) => Action::WriteBaseline(file.clone()),
            (None, Some(reason)) => {
                let new = NewWaivers { reason: reason.clone(), named: selection.clone() };
                Action::Change(SkillChange::AddWaivers(new), apply)
            }
            (None, None) if is_fix || apply == Apply::Show => {
                Action::Change(SkillChange::Fix(applicability), apply)
            }
            (None, None) => Action::Report,
        })
    }
}

fn input(paths: Vec<PathBuf>, filename: Option<PathBuf>) -> Result<LintInput, CommandError> {
    let is_standard_input = |path: &PathBuf| path.as_os_str() == STANDARD_STREAM;
    if paths.iter().any(is_standard_input) {
        if paths.len() > 1 {
            return Err(CommandError::new("`-` cannot be given with other paths"));
        }
        return Ok(LintInput::StandardInput(filename.map(discover::from_current_directory)));
    }
    match filename {
        Some(_) => Err(CommandError::new("`--stdin-filename` needs the path `-`")
            .help("give `-` as the path to read a skill from standard input")),
        None => {
            Ok(LintInput::Paths(paths.into_iter().map(discover::from_current_directory).collect()))
        }
    }
}

fn waiver_reason(typed: &str) -> Result<WaiverReason, &'static str> {
    WaiverReason::parse(typed)
}

fn selection(selected: &[String], ignored: &[String]) -> Result<Selection, CommandError> {
    Selection::new(selected.to_vec(), ignored.to_vec())
        .map_err(|unknown| CommandError::new(unknown.message()).help(unknown.help()))
}

fn level_setting(typed: &str) -> Result<LevelSetting, String> {
    let (key, level) = typed
        .split_once('=')
        .ok_or("expected a rule and a level, such as `long-body=allow`".to_owned())?;
    let level = Level::from_name(level)
        .ok_or_else(|| format!("invalid level `{level}`: write allow, warn or deny"))?;
    let source = LevelSource::CommandLine(typed.to_owned());
    Ok(LevelSetting { key: key.to_owned(), level, source })
}
