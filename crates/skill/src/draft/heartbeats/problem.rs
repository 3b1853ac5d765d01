//! What is wrong with a heartbeat, and the collector that limits it.

use crate::draft::analyze::REPORTED_MAX;
use dibber_text::{CappedByKey, Problem, message};

/// What is wrong with a heartbeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HeartbeatReason {
    /// Its name is blank, too long, or looks like another one.
    Name,
    /// Another one of the same skill has its name.
    DuplicateName,
    /// Its schedule is not five fields of cron.
    InvalidCron,
    /// Its time zone does not exist.
    UnknownTimeZone,
    /// Its time zone is an abbreviation with another clock than the one that is probably meant.
    AbbreviatedTimeZone,
    /// No day matches its schedule.
    NeverFires,
    /// It fires more often than a server allows.
    OverCap,
    /// It fires in the same minute as another one.
    Conflict,
    /// The skill that it runs creates heartbeats, or is also named as its assignment skill.
    AssignmentIsRun,
    /// No heartbeat can run the skill: only the home agent does, or it edits canvases.
    UnschedulableSkill,
    /// It has a value for an input that the skill does not have.
    UndeclaredInput,
    /// It has no value for an input that every run needs.
    MissingInput,
}

impl HeartbeatReason {
    /// Returns `true` if the heartbeat cannot be published.
    pub fn is_refused(self) -> bool {
        !matches!(self, Self::AbbreviatedTimeZone | Self::Conflict)
    }
}

/// Something that is wrong with a heartbeat of `sprout.yaml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeartbeatProblem {
    /// Its kind.
    pub reason: HeartbeatReason,
    /// What is wrong, and where in the file. It always has help.
    pub problem: Problem,
}

/// The problems so far, a limited number of each reason.
pub(super) struct HeartbeatProblems(CappedByKey<HeartbeatReason, HeartbeatProblem>);

impl HeartbeatProblems {
    pub(super) const fn new() -> Self {
        Self(CappedByKey::new(REPORTED_MAX))
    }

    /// Adds a problem, which is only created if there are not enough of its reason yet.
    pub(super) fn push(&mut self, reason: HeartbeatReason, create: impl FnOnce() -> Problem) {
        self.0.push_with(reason, || HeartbeatProblem { reason, problem: create() });
    }

    /// Returns the problems; the last one of a reason that has too many counts the others.
    pub(super) fn finish(self) -> Vec<HeartbeatProblem> {
        self.0.into_items(|last, omitted| {
            let more = message![" (and ", omitted, " more like this one)"];
            last.problem.message.push(more);
        })
    }
}
