//! A bar on standard error, once somebody has waited long enough.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How long a terminal waits before it is shown that something is going on.
const PROGRESS_AFTER: Duration = Duration::from_millis(500);

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
    /// Begins to wait.
    pub(super) const fn new(started: Instant, skills: usize) -> Self {
        Self::Waiting { started, skills, done: 0 }
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
