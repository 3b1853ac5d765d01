//! One report under way, and where its bytes go.

use super::formats::{Content, Destination, ReportChoice};
use crate::cli::error::CommandError;
use crate::cli::output::Output;
use crate::cli::term::diff::Diff;
use crate::cli::term::progress::Progress;
use crate::cli::term::style::{Color, Style};
use crate::cli::term::ui::Ui;
use crate::cli::write::NewFile;
use dibber_lint::report::{self, Context, Report};

/// The number of bytes of a report that are collected before they are written.
const CHUNK_BYTES: usize = 64 << 10;

/// One output of a run.
pub(super) struct Sink {
    /// The report; there is none if the output is a diff.
    report: Option<Box<dyn Report>>,
    target: Target,
    bytes: Vec<u8>,
}

enum Target {
    StandardOutput,
    StandardError,
    /// A file, which is written beside its target until it is finished.
    File(NewFile),
}

impl Sink {
    /// Opens an output for a report.
    pub(super) fn report(
        choice: &ReportChoice,
        context: &Context,
        ui: &Ui,
    ) -> Result<Self, CommandError> {
        let target = Target::open(&choice.destination)?;
        let color = target.color(ui);
        let context = Context { style: Style { color, ..context.style }, ..context.clone() };
        let mut report = match (choice.content, choice.format.statistics) {
            (Content::Statistics, Some(open)) => open(context),
            _ => report::open(choice.format, context),
        };
        let mut bytes = Vec::new();
        report.begin(&mut bytes);
        Ok(Self { report: Some(report), target, bytes })
    }

    /// Opens an output for a diff.
    pub(super) fn diff(destination: &Destination) -> Result<Self, CommandError> {
        Ok(Self { report: None, target: Target::open(destination)?, bytes: Vec::new() })
    }

    /// Adds to the report, if there is one.
    pub(super) fn add(
        &mut self,
        ui: &mut Ui,
        progress: &Progress,
        add: impl FnOnce(&mut dyn Report, &mut Vec<u8>),
    ) -> Result<(), CommandError> {
        if let Some(report) = &mut self.report {
            add(&mut **report, &mut self.bytes);
        }
        self.write_chunk(ui, progress)
    }

    /// Adds to the diff, if it is one.
    pub(super) fn add_diff(
        &mut self,
        ui: &mut Ui,
        progress: &Progress,
        diff: &Diff,
    ) -> Result<(), CommandError> {
        if self.report.is_none() {
            let diff = diff.rendered(self.target.color(ui));
            self.bytes.extend_from_slice(diff.as_bytes());
        }
        self.write_chunk(ui, progress)
    }

    /// Writes what is left, and puts a file in its place.
    pub(super) fn finish(mut self, ui: &mut Ui, progress: &Progress) -> Result<(), CommandError> {
        self.flush(ui, progress)?;
        match self.target {
            Target::File(file) => file.finish(),
            Target::StandardOutput | Target::StandardError => Ok(()),
        }
    }

    fn write_chunk(&mut self, ui: &mut Ui, progress: &Progress) -> Result<(), CommandError> {
        if self.bytes.len() >= CHUNK_BYTES { self.flush(ui, progress) } else { Ok(()) }
    }

    fn flush(&mut self, ui: &mut Ui, progress: &Progress) -> Result<(), CommandError> {
        let bytes = std::mem::take(&mut self.bytes);
        match &mut self.target {
            Target::File(file) => file.write(&bytes),
            Target::StandardOutput => progress.suspend(|| ui.print(&bytes)),
            Target::StandardError => {
                progress.suspend(|| ui.eprint(&bytes));
                Ok(())
            }
        }
    }
}

impl Target {
    /// Returns whether what is written there is coloured.
    fn color(&self, ui: &Ui) -> Color {
        match self {
            Self::StandardOutput => ui.stdout_color(),
            Self::StandardError => ui.stderr_color(),
            Self::File(_) => Color::Never,
        }
    }

    fn open(destination: &Destination) -> Result<Self, CommandError> {
        Ok(match destination {
            Destination::Data(Output::StandardOutput) => Self::StandardOutput,
            Destination::StandardError => Self::StandardError,
            Destination::Data(Output::File(path)) => Self::File(NewFile::create(path)?),
        })
    }
}
