//! What is said of a run over many skills beside its output: a bar on standard error, once
//! somebody has waited long enough, and a closing line.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::ui::Ui;

/// How long a terminal waits before it is shown that something is going on.
const PROGRESS_AFTER: Duration = Duration::from_millis(500);

/// Whether somebody wants to be told how a run goes: the bar, and the closing line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ClosingLine {
    /// They do.
    Print,
    /// They want the output alone.
    Omit,
}

impl ClosingLine {
    /// Prints it, unless it was to be quiet.
    pub(super) const fn unless(is_quiet: bool) -> Self {
        if is_quiet { Self::Omit } else { Self::Print }
    }
}

/// How far a run over many skills is.
pub(super) enum Progress {
    /// Nobody is told.
    Off,
    /// It may soon be over.
    Waiting {
        /// When it began.
        started: Instant,
        /// How many there are.
        skills: usize,
        /// How many are done.
        done: u64,
    },
    /// Somebody has waited.
    Shown(ProgressBar),
}

impl Progress {
    /// Begins to wait, when there is a terminal to show the bar at.
    pub(super) fn new(ui: &Ui, closing_line: ClosingLine, started: Instant, skills: usize) -> Self {
        if ui.has_live_stderr() && closing_line == ClosingLine::Print {
            Self::Waiting { started, skills, done: 0 }
        } else {
            Self::Off
        }
    }

    /// Counts one skill as done.
    pub(super) fn tick(&mut self) {
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

    /// Does something for which the bar has to be out of the way.
    pub(super) fn suspend<R>(&self, action: impl FnOnce() -> R) -> R {
        match self {
            Self::Shown(bar) => bar.suspend(action),
            Self::Off | Self::Waiting { .. } => action(),
        }
    }

    /// Takes the bar away for good.
    pub(super) fn hide(&mut self) {
        if let Self::Shown(bar) = self {
            bar.finish_and_clear();
            *self = Self::Off;
        }
    }
}

fn bar_style() -> ProgressStyle {
    ProgressStyle::with_template("{bar:40} {pos}/{len} skills").expect("the template is constant")
}
