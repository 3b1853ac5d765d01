//! The progress bar of a run over many skills, which appears on standard error only if the run
//! takes long enough.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::ui::Ui;

/// How long a run takes before the bar appears.
const PROGRESS_AFTER: Duration = Duration::from_millis(500);

/// Whether to show the bar of a run and the line that closes it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum SummaryLine {
    /// Show both.
    Print,
    /// Show only the output.
    Omit,
}

impl SummaryLine {
    /// Returns the choice that `--quiet` makes.
    pub(in crate::cli) const fn unless(is_quiet: bool) -> Self {
        if is_quiet { Self::Omit } else { Self::Print }
    }
}

/// The progress of a run over many skills.
pub(in crate::cli) enum Progress {
    /// There is no terminal, or the bar is not wanted.
    Off,
    /// The run may be over before the bar is needed.
    Waiting {
        /// When the run began.
        started: Instant,
        /// The number of skills.
        skills: usize,
        /// The number of those that are done.
        done: u64,
    },
    /// The bar is shown.
    Shown(ProgressBar),
}

impl Progress {
    /// Creates the progress of a run that began at `started`.
    pub(in crate::cli) fn new(
        ui: &Ui,
        summary_line: SummaryLine,
        started: Instant,
        skills: usize,
    ) -> Self {
        if ui.has_live_stderr() && summary_line == SummaryLine::Print {
            Self::Waiting { started, skills, done: 0 }
        } else {
            Self::Off
        }
    }

    /// Counts one skill as done.
    pub(in crate::cli) fn tick(&mut self) {
        match self {
            Self::Off => {}
            Self::Waiting { started, skills, done } => {
                *done += 1;
                if started.elapsed() > PROGRESS_AFTER {
                    let bar = ProgressBar::new(*skills as u64).with_style(bar_style());
                    bar.set_position(*done);
                    *self = Self::Shown(bar);
                }
            }
            Self::Shown(bar) => bar.inc(1),
        }
    }

    /// Runs `action` with the bar cleared, for output of another kind.
    pub(in crate::cli) fn suspend<R>(&self, action: impl FnOnce() -> R) -> R {
        match self {
            Self::Shown(bar) => bar.suspend(action),
            Self::Off | Self::Waiting { .. } => action(),
        }
    }

    /// Removes the bar.
    pub(in crate::cli) fn hide(&mut self) {
        if let Self::Shown(bar) = self {
            bar.finish_and_clear();
            *self = Self::Off;
        }
    }
}

fn bar_style() -> ProgressStyle {
    ProgressStyle::with_template("{bar:40} {pos}/{len} skills").expect("the template is constant")
}
