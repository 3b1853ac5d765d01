//! Where reports go, and the progress that a terminal shows meanwhile.

use std::path::Path;
use std::time::Instant;

use super::arguments::{Action, Apply, LintInput, LintOptions};
use super::configuration::current_dir;
use super::sink::Sink;
use crate::cli::error::CommandError;
use crate::cli::term::diff::Diff;
use crate::cli::term::progress::{Progress, SummaryLine};
use crate::cli::term::style::Style;
use crate::cli::term::summary_line::summary_line;
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_lint::report::{Context, Problem, Report, RepositoryPaths, Summary};
use dibber_lint::workspace::SkillChange;
use dibber_lint::{RULES, UNCHECKED_SKILL};
use dibber_skill::diagnostic::Diagnostic;
use dibber_skill::discover::repository_root;
use dibber_skill::names::Roster;
use dibber_text::{Message, message, quote_in_full, quote_path};

/// The most changed files that are listed; the rest is counted.
const CHANGED_FILES_MAX: usize = 1_000;

/// The reports under way.
pub(super) struct Output<'a> {
    ui: &'a mut Ui,
    sinks: Vec<Sink>,
    started: Instant,
    progress: Progress,
    summary_line: SummaryLine,
    has_report: bool,
    /// What was done with changed files.
    verb: &'static str,
    changed: Vec<ChangedFile>,
    more_changed: usize,
}

/// A file that was changed, and the titles of the changes.
struct ChangedFile {
    path: String,
    titles: Vec<String>,
}

impl<'a> Output<'a> {
    /// Opens the reports; a file is written beside its target until it is finished.
    pub(super) fn new(
        options: &LintOptions,
        roster: &Roster,
        ui: &'a mut Ui,
        started: Instant,
    ) -> Result<Self, CommandError> {
        let sinks = open_sinks(options, roster, ui)?;
        Ok(Self {
            ui,
            has_report: !sinks.is_empty() && options.action.reports(),
            verb: match options.action.change() {
                Some(SkillChange::AddWaivers(_)) => "Added waivers to",
                _ => "Fixed",
            },
            sinks,
            started,
            progress: Progress::Off,
            summary_line: options.summary_line,
            changed: Vec::new(),
            more_changed: 0,
        })
    }

    /// Starts to show the progress over that many skills.
    pub(super) fn start_progress(&mut self, skills: usize) {
        self.progress = Progress::new(self.ui, self.summary_line, self.started, skills);
    }

    /// Adds a finding to the reports.
    pub(super) fn diagnostic(&mut self, diagnostic: &Diagnostic) -> Result<(), CommandError> {
        self.add(|report, out| report.diagnostic(diagnostic, out))
    }

    /// Ends a skill in the reports, after its findings.
    pub(super) fn checked(&mut self, path: &str) -> Result<(), CommandError> {
        self.add(|report, out| report.checked(path, out))
    }

    /// Reports a skill that could not be checked: in the reports, or on standard error if there are
    /// none.
    pub(super) fn unchecked(&mut self, diagnostic: &Diagnostic) -> Result<(), CommandError> {
        if self.has_report {
            self.diagnostic(diagnostic)?;
            return self.checked(&diagnostic.path);
        }
        self.progress.hide();
        let path = quote_in_full(&diagnostic.path);
        self.ui.error(&CommandError::new(message![path, ": ", quote_in_full(&diagnostic.message)]));
        Ok(())
    }

    /// Prints the skill of standard input after its fixes; reports then go elsewhere.
    pub(super) fn print_fixed(&mut self, bytes: &[u8]) -> Result<(), CommandError> {
        self.ui.print(bytes)
    }

    /// Adds a diff.
    pub(super) fn diff(&mut self, diff: &Diff) -> Result<(), CommandError> {
        let Self { sinks, ui, progress, .. } = self;
        sinks.iter_mut().try_for_each(|sink| sink.add_diff(ui, progress, diff))
    }

    /// Reports the fixes that were written to a file.
    pub(super) fn fixed(&mut self, path: &str, titles: &[String]) -> Result<(), CommandError> {
        self.changed(path, titles);
        self.add(|report, out| report.fixed(path, titles, out))
    }

    /// Lists a file that was changed, and what was done with it, after the reports.
    pub(super) fn changed(&mut self, path: &str, titles: &[String]) {
        if self.changed.len() < CHANGED_FILES_MAX {
            self.changed.push(ChangedFile { path: path.to_owned(), titles: titles.to_vec() });
        } else {
            self.more_changed += 1;
        }
    }

    /// Reports a path that could not be read, on standard error and in the reports.
    pub(super) fn problem(
        &mut self,
        problem: &Problem,
        help: Option<Message>,
    ) -> Result<(), CommandError> {
        self.progress.hide();
        let error = CommandError::new(quote_in_full(&problem.message));
        self.ui.error(&match help {
            Some(help) => error.help(help),
            None => error,
        });
        self.add(|report, out| report.problem(problem, out))
    }

    fn add(&mut self, add: impl Fn(&mut dyn Report, &mut Vec<u8>)) -> Result<(), CommandError> {
        let Self { sinks, ui, progress, .. } = self;
        sinks.iter_mut().try_for_each(|sink| sink.add(ui, progress, &add))
    }

    /// Reports on standard error how many findings a new baseline has.
    pub(super) fn baseline_written(&mut self, findings: usize, path: &Path) {
        if self.summary_line == SummaryLine::Print {
            self.progress.hide();
            let findings = quantity(findings, "finding", "findings");
            self.ui.eprintln(message![
                "Wrote ",
                quote_in_full(&findings),
                " to ",
                quote_path(path)
            ]);
        }
    }

    /// Counts one skill as done.
    pub(super) fn tick(&mut self) {
        self.progress.tick();
    }

    /// Ends the reports. Lists what was fixed and prints the summary line on standard error.
    ///
    /// `unnamed` is the number of errors about security that got no waiver because their rules were
    /// not named.
    pub(super) fn finish(
        mut self,
        mut summary: Summary,
        unnamed: usize,
    ) -> Result<(), CommandError> {
        summary.elapsed = self.started.elapsed();
        self.add(|report, out| report.end(&summary, out))?;
        for sink in self.sinks {
            sink.finish(self.ui, &self.progress)?;
        }
        self.progress.hide();
        if unnamed > 0 {
            let errors = quantity(unnamed, "error", "errors");
            let errors = quote_in_full(&errors);
            self.ui.warning(message![
                errors,
                " about security not waived: name the rules with `--select`"
            ]);
        }
        if self.summary_line == SummaryLine::Omit {
            return Ok(());
        }
        list_changed(self.ui, self.verb, &self.changed, self.more_changed);
        // If nothing was checked, the errors above say why, and "no findings" would be wrong.
        if summary.skills > 0 || summary.problems == 0 {
            let style = Style { color: self.ui.stderr_color(), width: self.ui.width() };
            self.ui.eprint_rendered(&summary_line(&summary, style));
        }
        Ok(())
    }
}

/// Opens the outputs of a run. Standard output may be for the fixed skill, which is no report.
fn open_sinks(options: &LintOptions, roster: &Roster, ui: &Ui) -> Result<Vec<Sink>, CommandError> {
    let reports = options.reports.iter();
    match (&options.action, &options.input) {
        (Action::WriteBaseline(_), _) => Ok(Vec::new()),
        (Action::Change(_, Apply::Show), _) => {
            reports.take(1).map(|main| Sink::diff(&main.destination)).collect()
        }
        (action, input) => {
            let prints_skill = action.changes() && matches!(input, LintInput::StandardInput(_));
            let context = context(options, roster, ui);
            reports
                .filter(|report| !prints_skill || !report.destination.is_standard_output())
                .map(|report| Sink::report(report, &context, ui))
                .collect()
        }
    }
}

fn context(options: &LintOptions, roster: &Roster, ui: &Ui) -> Context {
    let current_dir = current_dir();
    let root = repository_root(&current_dir);
    Context {
        style: Style { color: ui.stdout_color(), width: ui.width() },
        rules: RULES.iter().map(|rule| &rule.meta).chain([&UNCHECKED_SKILL]).collect(),
        version: env!("CARGO_PKG_VERSION"),
        homepage: env!("CARGO_PKG_REPOSITORY"),
        fails_on: options.fails_on,
        repository: root.and_then(|root| RepositoryPaths::new(root, &current_dir, roster)),
    }
}

/// Lists what was changed, file by file; changes of the same title are counted.
fn list_changed(ui: &mut Ui, verb: &'static str, files: &[ChangedFile], more: usize) {
    for ChangedFile { path, titles } in files {
        ui.eprintln(message![verb, " ", quote_in_full(path), ":"]);
        let mut counts: Vec<(&str, usize)> = Vec::new();
        for title in titles {
            match counts.iter_mut().find(|(known, _)| known == title) {
                Some((_, count)) => *count += 1,
                None => counts.push((title, 1)),
            }
        }
        for (title, count) in counts {
            let times = if count > 1 { format!(" ({count} times)") } else { String::new() };
            ui.eprintln(message!["  ", quote_in_full(title), quote_in_full(&times)]);
        }
    }
    if more > 0 {
        let files = quantity(more, "file", "files");
        ui.eprintln(message![verb, " ", quote_in_full(&files), " more"]);
    }
}
