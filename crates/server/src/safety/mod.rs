//! The safety check of the operator: a program that judges what is to be published.
//!
//! A tool asks for the reasons against a [`SafetySubject`] with [`Safety::reasons_for`]. The program
//! takes time, so it never runs inside a transaction of the store: if it has not judged exactly this
//! subject, the tool ends with [`Failure::NeedsSafetyCheck`], its transaction is rolled back, the
//! program runs, and the tool starts over with the reasons. What is written is therefore what was
//! judged, and a call that is answered from its idempotency key is not judged again.
//!
//! The program only adds reasons to the decision of the analyzers, so it can never make it less
//! strict; it does not judge what they refuse. If it fails, the call fails.
//!
//! [`Failure::NeedsSafetyCheck`]: crate::failure::Failure::NeedsSafetyCheck

mod checks;
mod command;
pub(super) mod contract;
mod reasons;
mod turns;

pub use command::{OnSafetyLine, SafetyCommand};
pub use contract::{
    SafetyDecision, SafetyKind, SafetyOutput, SafetyReason, SafetySubject, safety_input_schema,
    safety_output_schema,
};
pub(super) use reasons::Safety;
