//! One file per rule; the slice below is all there is to registering one.

mod expired_waiver;
mod malformed_waiver;
mod missing_description;
mod missing_name;
mod unused_waiver;

use super::Rule;

// What the runner finds, it finds under these.
pub(super) use expired_waiver::RULE as EXPIRED_WAIVER;
pub(super) use malformed_waiver::RULE as MALFORMED_WAIVER;
pub(super) use unused_waiver::RULE as UNUSED_WAIVER;

/// Every rule, by group and then by name.
pub static RULES: &[&Rule] = &[
    // spec
    &missing_description::RULE,
    &missing_name::RULE,
    // portability
    // structure
    // writing
    // security
    // waivers
    &expired_waiver::RULE,
    &malformed_waiver::RULE,
    &unused_waiver::RULE,
];
