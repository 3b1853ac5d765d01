//! Paths that could not be checked.

use serde::Serialize;

/// The most problems that a report holds until its end; the rest is only counted.
const PROBLEMS_HELD_MAX: usize = 1_000;

/// A path that could not be checked, also as it is written in JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The path, as shown.
    pub path: String,
    /// What went wrong, as one sentence that names the path.
    pub message: String,
}

/// The problems that a report holds until its end, because they come after the findings.
#[derive(Debug, Default)]
pub struct HeldProblems {
    held: Vec<Problem>,
    dropped: usize,
}

impl HeldProblems {
    /// Adds a problem, or only counts it if there are too many.
    pub fn push(&mut self, problem: &Problem) {
        if self.held.len() < PROBLEMS_HELD_MAX {
            self.held.push(problem.clone());
        } else {
            self.dropped += 1;
        }
    }

    /// Takes the problems; the last one has the number of those beyond the limit.
    pub fn take(&mut self) -> Vec<Problem> {
        let mut problems = std::mem::take(&mut self.held);
        if self.dropped > 0 {
            let message = format!("{} more paths could not be checked", self.dropped);
            problems.push(Problem { path: String::new(), message });
        }
        problems
    }
}
