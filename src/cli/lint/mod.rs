//! `dibber lint`.

mod arguments;

pub(super) mod configuration;
mod output;
mod run;
mod since;

use std::borrow::Cow;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::{ArgMatches, Args};

use super::command::Command;
use super::error::CommandError;
use super::exit::Exit;
use super::term::ui::Ui;
use arguments::{Action, Input, LintArgs, Options};
use dibber_lint::Settings;
use dibber_lint::baseline::Baseline;
use dibber_skill::discover::{self, DiscoverError, FoundSkill};
use dibber_skill::names::Roster;
use dibber_skill::skill::SKILL_BYTES_MAX;
use dibber_text::file;
use output::Output;
use run::{Plan, Run};

pub(super) use configuration::today;

pub(super) const COMMAND: Command = Command { name: "lint", define: LintArgs::augment_args, run };

/// The most bytes of a baseline that are read (64 MiB): room for several hundred thousand findings.
const BASELINE_BYTES_MAX: u64 = 64 << 20;

/// One skill that waits for its turn.
enum Job {
    /// In a folder.
    Found(FoundSkill),
    /// Already read, to be thought of at that path.
    Text(Option<PathBuf>, Vec<u8>),
}

impl Job {
    /// Returns the path of the skill file, as it is shown.
    fn shown(&self) -> String {
        match self {
            Self::Found(found) => found.shown_skill_file(),
            Self::Text(Some(path), _) => discover::shown_path(path),
            Self::Text(None, _) => discover::NO_PATH.to_owned(),
        }
    }
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let started = Instant::now();
    let options = Options::new(matches)?;
    let roster = ui.names()?;
    let settings = configuration::settings(&options, ui)?.with_roster(Arc::clone(&roster));
    let changes = options.since.as_deref();
    let changes = changes.map(|revision| since::changed_lines(revision, &options.input));
    let changes = changes.transpose()?.map(|changes| changes.masked(&roster));
    let baseline = options.baseline.as_deref().map(read_baseline).transpose()?;
    let (jobs, problems) = jobs(&options, &settings, &roster)?;
    let output = Output::new(&options, ui, started, jobs.len())?;
    let (options, settings, changes, roster) = (&options, &settings, changes.as_ref(), &*roster);
    let plan = Plan { options, settings, changes, roster };
    Run::new(plan, baseline, output).run(&jobs, &problems)
}

fn jobs(
    options: &Options,
    settings: &Settings,
    roster: &Roster,
) -> Result<(Vec<Job>, Vec<DiscoverError>), CommandError> {
    match &options.input {
        Input::Paths(paths) => {
            let (mut found, problems) = discover::find(paths);
            found.retain(|skill| !settings.is_excluded(&skill.shown_skill_file()));
            Ok((found.into_iter().map(Job::Found).collect(), problems))
        }
        Input::StandardInput(path) => {
            let mut bytes = Vec::new();
            // One byte more than the limit shows that there is more.
            std::io::stdin()
                .lock()
                .take(SKILL_BYTES_MAX as u64 + 1)
                .read_to_end(&mut bytes)
                .map_err(|error| CommandError::io("cannot read standard input", error))?;
            let is_cut = bytes.len() > SKILL_BYTES_MAX;
            if is_cut && matches!(options.action, Action::Fix(_)) {
                let message = format!("standard input is larger than {SKILL_BYTES_MAX} bytes");
                return Err(CommandError::new(message).help("fix the file in its place"));
            }
            if matches!(options.action, Action::Fix(_)) {
                check_may_go_out(&bytes, roster)?;
            }
            Ok((vec![Job::Text(path.clone(), bytes)], Vec::new()))
        }
    }
}

/// What comes in on standard input to be repaired goes out again. It cannot when a name stands in
/// it: no output shows one, and a text with stars in it would be another text.
fn check_may_go_out(bytes: &[u8], roster: &Roster) -> Result<(), CommandError> {
    let text = String::from_utf8_lossy(bytes);
    if let Cow::Borrowed(_) = roster.mask(&text) {
        return Ok(());
    }
    let message = "a child's name stands in the text on standard input, and no output of dibber \
                   shows one";
    Err(CommandError::new(message).help("fix the file in its place"))
}

fn read_baseline(path: &Path) -> Result<Baseline, CommandError> {
    let bytes = file::read_regular_argument(path, BASELINE_BYTES_MAX)
        .map_err(|error| CommandError::read(&path.display(), error))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| CommandError::new(format!("{} is not UTF-8", path.display())))?;
    Baseline::parse(&text).map_err(|error| {
        CommandError::new(format!("{}: {error}", path.display()))
            .help("write it anew with `dibber lint --write-baseline FILE`")
    })
}
