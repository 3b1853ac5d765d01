//! `dibber lint`.

mod arguments;

pub(super) mod configuration;
mod formats;
mod output;
mod reporter;
mod since;
mod sink;
mod watch;

use std::io::Read;
use std::path::Path;
use std::time::Instant;

use clap::{ArgMatches, Args};

use super::command::Command;
use super::error::CommandError;
use super::exit::Exit;
use super::term::ui::Ui;
use arguments::{Action, LintArgs, LintInput, LintOptions};
use dibber_lint::baseline::Baseline;
use dibber_lint::workspace::{Input, RunOptions, SkillChange};
use dibber_lint::{NewWaivers, Privacy, Workspace};
use dibber_skill::names::Roster;
use dibber_skill::skill::SKILL_BYTES_MAX;
use dibber_text::{Mask, file, message, quote_display, quote_path};
use output::Output;
use reporter::Reporter;

pub(super) use configuration::today;
pub(super) use formats::prints_json;

pub(super) const COMMAND: Command = Command { name: "lint", define: LintArgs::augment_args, run };

/// The most bytes of a baseline that are read (64 MiB): room for several hundred thousand findings.
const BASELINE_BYTES_MAX: u64 = 64 << 20;

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let options = LintOptions::new(matches)?;
    if options.watches {
        return watch::watch(&options, ui, |ui| lint(&options, ui));
    }
    lint(&options, ui)
}

/// Lints once.
fn lint(options: &LintOptions, ui: &mut Ui) -> Result<Exit, CommandError> {
    let started = Instant::now();
    let roster = ui.names()?;
    check_reason(&options.action, &roster)?;
    let settings = configuration::settings(options, ui)?
        .with_comments(options.comments)
        .with_selection(options.selection.clone());
    let workspace = Workspace::new(settings);
    let changes = options.since.as_deref();
    let changes = changes.map(|revision| since::changed_lines(revision, &options.input));
    let changes = changes.transpose()?.map(|changes| changes.masked(&roster));
    let baseline = options.baseline.as_deref().map(read_baseline).transpose()?;
    let input = read_input(options, &roster)?;
    let run_options = RunOptions {
        changes,
        baseline,
        ignore_files: options.ignore_files,
        paths_without_skill: options.paths_without_skill,
        change: options.action.change().cloned(),
    };
    let output = Output::new(options, &roster, ui, started)?;
    let mut reporter = Reporter::new(options, &input, &roster, output);
    let summary = workspace.run(&input, run_options, |event| reporter.handle(event))?;
    reporter.finish(summary)
}

/// Reads the skill on standard input, if that is the input.
fn read_input(options: &LintOptions, roster: &Roster) -> Result<Input, CommandError> {
    let path = match &options.input {
        LintInput::Paths(paths) => return Ok(Input::Paths(paths.clone())),
        LintInput::StandardInput(path) => path.clone(),
    };
    let mut bytes = Vec::new();
    // One byte more than the limit shows that there is more.
    std::io::stdin()
        .lock()
        .take(SKILL_BYTES_MAX as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| CommandError::io("cannot read standard input", error))?;
    if options.action.changes() {
        if bytes.len() > SKILL_BYTES_MAX {
            let message = message!["standard input is larger than ", SKILL_BYTES_MAX, " bytes"];
            return Err(CommandError::new(message).help("fix the file in place"));
        }
        check_may_be_printed(&bytes, roster)?;
    }
    Ok(Input::SkillFile { path, bytes })
}

/// Checks that the skill on standard input may be printed after its fixes. With a child's name in
/// it, it may not: no output shows one, and a masked name would be another text.
fn check_may_be_printed(bytes: &[u8], roster: &Roster) -> Result<(), CommandError> {
    let text = String::from_utf8_lossy(bytes);
    if !roster.has_name(&text) {
        return Ok(());
    }
    let message = "standard input contains a child's name, which no output of dibber shows";
    Err(CommandError::new(message).help("fix the file in place"))
}

/// Checks that the reason of new waivers has nothing in it that no output shows: it is written into
/// skills, which are published.
fn check_reason(action: &Action, roster: &Roster) -> Result<(), CommandError> {
    let Some(SkillChange::AddWaivers(NewWaivers { reason, .. })) = action.change() else {
        return Ok(());
    };
    let reason = reason.as_str();
    if (Privacy { roster }).mask(reason) == reason {
        return Ok(());
    }
    Err(CommandError::new("`--reason` contains a child's name or a secret")
        .help("give a reason without it: waiver comments are part of the skill"))
}

fn read_baseline(path: &Path) -> Result<Baseline, CommandError> {
    let bytes = file::read_regular_argument(path, BASELINE_BYTES_MAX)
        .map_err(|error| CommandError::read(path, error))
        .map_err(|error| error.help("`--write-baseline FILE` creates a baseline"))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| CommandError::new(message![quote_path(path), " is not UTF-8"]))?;
    Baseline::parse(&text).map_err(|error| {
        CommandError::new(message![quote_path(path), ": ", quote_display(error)])
            .help("write it again with `dibber lint --write-baseline FILE`")
    })
}
