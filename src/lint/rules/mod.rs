//! One file per rule; the slice below is all there is to registering one.

mod missing_description;
mod missing_name;

use super::Rule;

/// Every rule, by group and then by name.
pub static RULES: &[&Rule] = &[
    // spec
    &missing_description::RULE,
    &missing_name::RULE,
    // portability
    // structure
    // writing
    // security
];
