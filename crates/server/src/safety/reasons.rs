//! What the safety check says about a call.

use dibber_skill::contract::{Decision, PolicyDecision, PolicyReason};
use dibber_text::{Mask, Shown};

use super::contract::{SafetyDecision, SafetyOutput, SafetyReason, SafetySubject};
use crate::failure::Failure;
use crate::program_log::cut;

/// The most reasons that are passed on.
const REASONS_MAX: usize = 20;
/// The most characters of a reason or of its path.
const REASON_CHARACTERS_MAX: usize = 500;

/// What is known about the safety of a call.
#[derive(Clone, Debug)]
pub(crate) enum Safety {
    /// The server has no safety check.
    Off,
    /// It has one, which has not judged the call yet.
    Unchecked,
    /// It has judged this subject.
    Checked(Box<SafetySubject>, SafetyReasons),
}

impl Safety {
    /// Returns the reasons against publishing a subject.
    pub(crate) fn reasons_for(&self, subject: SafetySubject) -> Result<SafetyReasons, Failure> {
        match self {
            Self::Off => Ok(SafetyReasons::default()),
            Self::Checked(checked, reasons) if **checked == subject => Ok(reasons.clone()),
            Self::Checked(..) | Self::Unchecked => {
                Err(Failure::NeedsSafetyCheck(Box::new(subject)))
            }
        }
    }

    /// Returns `true` if the check asks for a review.
    pub(crate) fn asks_for_review(&self) -> bool {
        let Self::Checked(_, SafetyReasons { reasons }) = self else { return false };
        reasons.first().is_some_and(|first| first.decision == Decision::Review)
    }
}

/// What the check adds to the reasons of the server's own checks: nothing if it approves. All of
/// them have the same decision.
#[derive(Clone, Debug, Default)]
pub(crate) struct SafetyReasons {
    pub(crate) reasons: Vec<PolicyReason>,
}

impl SafetyReasons {
    /// Reads the output of the program, masked by `mask`.
    pub(super) fn new(output: SafetyOutput, mask: &dyn Mask) -> Self {
        let (code, default, fix) = match output.decision {
            SafetyDecision::Approve => return Self::default(),
            SafetyDecision::Review => {
                ("SAFETY_REVIEW", "the safety check asks for a review", "show it to the parent")
            }
            SafetyDecision::Refuse => (
                "SAFETY_REJECTED",
                "the safety check refuses it",
                "change what the reason names, and preview it again",
            ),
        };
        let mut given = output.reasons;
        given.truncate(REASONS_MAX);
        if given.is_empty() {
            given.push(SafetyReason::Message(default.to_owned()));
        }
        let reason = |given| {
            let (message, path) = match given {
                SafetyReason::Message(message) => (message, String::new()),
                SafetyReason::Located { message, path } => (message, path),
            };
            PolicyReason {
                reason: code.into(),
                decision: output.decision.into(),
                path: shown(&path, mask),
                message: shown(&message, mask),
                fix: fix.to_owned(),
            }
        };
        Self { reasons: given.into_iter().map(reason).collect() }
    }

    /// Adds the reasons to a decision.
    pub(crate) fn add_to(self, decision: &mut PolicyDecision) {
        let strictest = self.reasons.iter().map(|reason| reason.decision).max();
        decision.decision = decision.decision.max(strictest.unwrap_or(Decision::Allow));
        decision.reasons.extend(self.reasons);
    }
}

/// Returns a string of the program: masked, shortened and escaped.
fn shown(text: &str, mask: &dyn Mask) -> String {
    let masked = mask.mask(text);
    let short = match cut(&masked, REASON_CHARACTERS_MAX) {
        whole if whole.len() == masked.len() => whole,
        // Half of a word would not be masked by the client.
        start => start.rsplit_once(char::is_whitespace).map_or("", |(words, _)| words),
    };
    Shown::new(short, &()).in_full().to_string()
}
