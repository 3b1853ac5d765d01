//! Where a report goes, and the progress that a terminal shows meanwhile.

use std::path::Path;
use std::time::Instant;

use super::arguments::{Action, LintInput, LintOptions};
use crate::cli::error::CommandError;
use crate::cli::term::progress::{Progress, SummaryLine};
use crate::cli::term::style::{Color, Style};
use crate::cli::term::summary_line::summary_line;
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use crate::cli::write::NewFile;
use dibber_lint::report::{Context, Problem, Report, Summary};
use dibber_lint::{RULES, UNCHECKED_SKILL};
use dibber_skill::diagnostic::Diagnostic;
use dibber_text::{message, quote_in_full, quote_path};

/// The number of bytes of a report that are collected before they are written.
const CHUNK_BYTES: usize = 64 << 10;

/// The report under way.
pub(super) struct Output<'a> {
    ui: &'a mut Ui,
    report: Box<dyn Report>,
    file: Option<NewFile>,
    bytes: Vec<u8>,
    started: Instant,
    progress: Progress,
    summary_line: SummaryLine,
    style: Style,
    reports: bool,
}

impl<'a> Output<'a> {
    /// Opens the report; a file is written beside its target until it is finished.
    pub(super) fn new(
        options: &LintOptions,
        ui: &'a mut Ui,
        started: Instant,
    ) -> Result<Self, CommandError> {
        let file = options.output.as_deref().map(NewFile::create).transpose()?;
        let color = if file.is_some() { Color::Never } else { ui.stdout_color() };
        let style = Style { color, width: ui.width() };
        let context = Context {
            style,
            rules: RULES.iter().map(|rule| &rule.meta).chain([&UNCHECKED_SKILL]).collect(),
            version: env!("CARGO_PKG_VERSION"),
        };
        let progress = Progress::Off;
        let report = (options.format.open)(context);
        let (summary_line, reports) = (options.summary_line, reports(options));
        let bytes = Vec::new();
        let mut output =
            Self { ui, report, file, bytes, started, progress, summary_line, style, reports };
        if output.reports {
            output.report.begin(&mut output.bytes);
        }
        Ok(output)
    }

    /// Starts to show the progress over that many skills.
    pub(super) fn start_progress(&mut self, skills: usize) {
        self.progress = Progress::new(self.ui, self.summary_line, self.started, skills);
    }

    /// Adds a finding to the report.
    pub(super) fn diagnostic(&mut self, diagnostic: &Diagnostic) -> Result<(), CommandError> {
        if self.reports {
            self.report.diagnostic(diagnostic, &mut self.bytes);
        }
        if self.bytes.len() >= CHUNK_BYTES { self.flush() } else { Ok(()) }
    }

    /// Reports a skill that could not be checked: in the report, or on standard error if there is
    /// none.
    pub(super) fn unchecked(&mut self, diagnostic: &Diagnostic) -> Result<(), CommandError> {
        if self.reports {
            return self.diagnostic(diagnostic);
        }
        self.progress.hide();
        let path = quote_in_full(&diagnostic.path);
        self.ui.error(&CommandError::new(message![path, ": ", quote_in_full(&diagnostic.message)]));
        Ok(())
    }

    /// Prints the skill of standard input after its fixes; the report then goes elsewhere.
    pub(super) fn print_fixed(&mut self, bytes: &[u8]) -> Result<(), CommandError> {
        self.ui.print(bytes)
    }

    /// Adds a diff.
    pub(super) fn diff(&mut self, diff: &str) -> Result<(), CommandError> {
        self.bytes.extend_from_slice(diff.as_bytes());
        if self.bytes.len() >= CHUNK_BYTES { self.flush() } else { Ok(()) }
    }

    /// Reports a path that could not be read, on standard error and in the report.
    pub(super) fn problem(&mut self, problem: &Problem) {
        self.progress.hide();
        self.ui.error(&CommandError::new(quote_in_full(&problem.message)));
        if self.reports {
            self.report.problem(problem, &mut self.bytes);
        }
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

    /// Ends the report, and prints the summary line on standard error.
    pub(super) fn finish(mut self, mut summary: Summary) -> Result<(), CommandError> {
        summary.elapsed = self.started.elapsed();
        if self.reports {
            self.report.end(&summary, &mut self.bytes);
        }
        self.flush()?;
        if let Some(file) = self.file.take() {
            file.finish()?;
        }
        self.progress.hide();
        // If nothing was checked, the errors above say why, and "no findings" would be wrong.
        let has_checked = summary.skills > 0 || summary.problems == 0;
        if self.summary_line == SummaryLine::Print && has_checked {
            let style = Style { color: self.ui.stderr_color(), ..self.style };
            self.ui.eprint_rendered(&summary_line(&summary, style));
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), CommandError> {
        let bytes = std::mem::take(&mut self.bytes);
        match &mut self.file {
            Some(file) => file.write(&bytes),
            None => self.progress.suspend(|| self.ui.print(&bytes)),
        }
    }
}

/// Returns `true` if there is a report: standard output may be for a diff, or for the fixed skill.
fn reports(options: &LintOptions) -> bool {
    match (&options.action, &options.input) {
        (Action::Report, _) | (Action::Fix(_), LintInput::Paths(_)) => true,
        (Action::Fix(_), LintInput::StandardInput(_)) => options.output.is_some(),
        (Action::ShowFixes(_) | Action::WriteBaseline(_), _) => false,
    }
}
