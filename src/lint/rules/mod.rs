//! One file per rule; the slice below is all there is to registering one.

mod description_without_trigger;
mod hidden_unicode;
mod home_path;
mod missing_description;
mod missing_name;
mod piped_shell;
mod placeholder_text;
mod secret;
mod short_description;
mod vague_name;

use super::Rule;

/// Every rule, by group and then by name.
pub static RULES: &[&Rule] = &[
    // spec
    &missing_description::RULE,
    &missing_name::RULE,
    // portability
    // structure
    // writing
    &description_without_trigger::RULE,
    &placeholder_text::RULE,
    &short_description::RULE,
    &vague_name::RULE,
    // security
    &hidden_unicode::RULE,
    &home_path::RULE,
    &piped_shell::RULE,
    &secret::RULE,
];
