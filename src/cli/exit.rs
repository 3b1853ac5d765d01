//! The exit codes.

use std::process::ExitCode;

/// How a run ended. The discriminants are the exit codes of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Everything was done, and nothing was found at level `deny`.
    Done = 0,
    /// There are findings at level `deny`.
    Findings = 1,
    /// The arguments, the configuration or a path are invalid, so not everything was done.
    Usage = 2,
    /// The skill would be refused: the code `BAD_INPUT`.
    BadInput = 3,
    /// The server does not allow it: the code `PERMISSION_DENIED`.
    PermissionDenied = 4,
    /// The server has no such thing: the code `DOMAIN_NOT_FOUND`.
    NotFound = 5,
    /// The server failed, cannot be reached, or has not done what it answered: `INTERNAL_ERROR`.
    /// What else was done in the run is reported.
    Failed = 6,
    /// A write may have taken place. The help says whether running the same command again
    /// resumes it.
    OutcomeUnknown = 7,
    /// A skill or code ran, and failed. That it was not run at all has the code of its reason.
    RunFailed = 8,
    /// A bug in the program prevented it from finishing.
    InternalError = 101,
    /// Interrupted with Ctrl-C.
    Interrupted = 130,
}

impl Exit {
    /// Returns the exit code that matters more: that a path was not checked matters more than what
    /// was found elsewhere, and an unknown outcome more than both.
    pub(super) const fn worst(self, other: Self) -> Self {
        if other.rank() > self.rank() { other } else { self }
    }

    /// Returns the error code of the contract, if there is one.
    pub(super) const fn code(self) -> Option<&'static str> {
        match self {
            Self::BadInput => Some("BAD_INPUT"),
            Self::PermissionDenied => Some("PERMISSION_DENIED"),
            Self::NotFound => Some("DOMAIN_NOT_FOUND"),
            Self::Failed => Some("INTERNAL_ERROR"),
            Self::Done
            | Self::Findings
            | Self::Usage
            | Self::OutcomeUnknown
            | Self::RunFailed
            | Self::InternalError
            | Self::Interrupted => None,
        }
    }

    const fn rank(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Findings => 1,
            Self::RunFailed => 2,
            Self::BadInput => 3,
            Self::PermissionDenied => 4,
            Self::NotFound => 5,
            Self::Usage => 6,
            Self::Failed => 7,
            Self::OutcomeUnknown => 8,
            Self::InternalError => 9,
            Self::Interrupted => 10,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_internal_error_outweighs_everything() {
        assert_eq!(Exit::Usage.worst(Exit::InternalError), Exit::InternalError);
        assert_eq!(Exit::InternalError.worst(Exit::BadInput), Exit::InternalError);
        assert_eq!(Exit::BadInput.worst(Exit::Usage), Exit::Usage);
    }
}
