//! The safety check of whoever runs the server: a program that judges what is to be published.
//!
//! A tool asks for the verdict on a [`SafetySubject`] with [`Safety::verdict`]. The program takes
//! time, so it never runs inside a transaction of the store: without a verdict on exactly this
//! subject the tool ends with [`Failure::NeedsSafetyCheck`], its transaction is rolled back, the
//! program runs, and the tool starts over with the verdict. What is written is therefore what was
//! judged, and a call that is answered from its idempotency key is not judged again.
//!
//! The verdict only adds reasons to the decision of the analyzers, so it can never make it less
//! strict. If the program fails, the call fails.

mod checks;
mod command;
pub(super) mod contract;
mod verdict;

pub use command::SafetyCommand;
pub use contract::{
    SafetyDecision, SafetyKind, SafetyOutput, SafetyReason, SafetySubject, safety_input_schema,
    safety_output_schema,
};
pub(super) use verdict::Safety;
