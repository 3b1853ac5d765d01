//! Where a report goes, and what a waiting person is shown meanwhile.

use std::time::Instant;

use super::arguments::{Action, Input, Options};
use crate::cli::error::CommandError;
use crate::cli::term::closing::closing_line;
use crate::cli::term::progress::{ClosingLine, Progress};
use crate::cli::term::style::{Color, Style};
use crate::cli::term::ui::Ui;
use crate::cli::write::NewFile;
use dibber_lint::report::{Context, Problem, Report, Summary};
use dibber_lint::{RULES, UNCHECKED_SKILL};
use dibber_skill::diagnostic::Diagnostic;
use dibber_text::escape_line;

/// How many bytes of a report are gathered before they are written.
const CHUNK_BYTES: usize = 64 << 10;

/// The report under way.
pub(super) struct Output<'a> {
    ui: &'a mut Ui,
    report: Box<dyn Report>,
    file: Option<NewFile>,
    bytes: Vec<u8>,
    started: Instant,
    progress: Progress,
    closing_line: ClosingLine,
    style: Style,
    reports: bool,
}

impl<'a> Output<'a> {
    /// Opens the report; a file is written beside its target until it is finished.
    pub(super) fn new(
        options: &Options,
        ui: &'a mut Ui,
        started: Instant,
        skills: usize,
    ) -> Result<Self, CommandError> {
        let file = options.output.as_deref().map(NewFile::create).transpose()?;
        let color = if file.is_some() { Color::Never } else { ui.stdout_color() };
        let style = Style { color, width: ui.width() };
        let context = Context {
            style,
            rules: RULES.iter().map(|rule| &rule.meta).chain([&UNCHECKED_SKILL]).collect(),
            version: env!("CARGO_PKG_VERSION"),
        };
        let progress = Progress::new(ui, options.closing_line, started, skills);
        let report = (options.format.open)(context);
        let (closing_line, reports) = (options.closing_line, reports(options));
        let bytes = Vec::new();
        let mut output =
            Self { ui, report, file, bytes, started, progress, closing_line, style, reports };
        if output.reports {
            output.report.begin(&mut output.bytes);
        }
        Ok(output)
    }

    /// Adds a finding to the report.
    pub(super) fn diagnostic(&mut self, diagnostic: &Diagnostic) -> Result<(), CommandError> {
        if self.reports {
            self.report.diagnostic(diagnostic, &mut self.bytes);
        }
        if self.bytes.len() >= CHUNK_BYTES { self.flush() } else { Ok(()) }
    }

    /// Says that a skill could not be checked: in the report, or on standard error when there is
    /// none.
    pub(super) fn unchecked(&mut self, diagnostic: &Diagnostic) -> Result<(), CommandError> {
        if self.reports {
            return self.diagnostic(diagnostic);
        }
        self.progress.hide();
        let path = escape_line(&diagnostic.path);
        self.ui.error(&CommandError::new(format!("{path}: {}", diagnostic.message)));
        Ok(())
    }

    /// Gives back the text of standard input after its fixes; the report then goes elsewhere.
    pub(super) fn filtered(&mut self, bytes: &[u8]) -> Result<(), CommandError> {
        self.ui.print(bytes)
    }

    /// Adds what is no finding: a diff.
    pub(super) fn text(&mut self, text: &str) -> Result<(), CommandError> {
        self.bytes.extend_from_slice(text.as_bytes());
        if self.bytes.len() >= CHUNK_BYTES { self.flush() } else { Ok(()) }
    }

    /// Says that a path could not be looked at, on standard error and in the report.
    pub(super) fn problem(&mut self, problem: &Problem) {
        self.progress.hide();
        self.ui.error(&CommandError::new(problem.message.clone()));
        if self.reports {
            self.report.problem(problem, &mut self.bytes);
        }
    }

    /// Counts one skill as done.
    pub(super) fn tick(&mut self) {
        self.progress.tick();
    }

    /// Ends the report, and says on standard error how it went.
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
        // Nothing was looked at: the errors above have said why, and "no findings" would be a lie.
        let has_looked = summary.skills > 0 || summary.problems == 0;
        if self.closing_line == ClosingLine::Print && has_looked {
            let style = Style { color: self.ui.stderr_color(), ..self.style };
            self.ui.say(&closing_line(&summary, style));
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

/// A report is made unless standard output is for something else: a diff, or a repaired text.
fn reports(options: &Options) -> bool {
    match (&options.action, &options.input) {
        (Action::Report, _) | (Action::Fix(_), Input::Paths(_)) => true,
        (Action::Fix(_), Input::StandardInput(_)) => options.output.is_some(),
        (Action::ShowFixes(_) | Action::WriteBaseline(_), _) => false,
    }
}
