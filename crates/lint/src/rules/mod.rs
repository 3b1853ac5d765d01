//! The registry of rules.
//!
//! A rule is a file with its check, a Markdown file of the same name with its documentation, and
//! a line in [`RULES`]. Rules whose findings come from elsewhere have no file of their own but an
//! item in `delegated` or `skill_toml`.

mod allowed_tools_format;
mod angle_brackets_in_description;
pub(super) mod broken_link;
mod byte_order_mark;
mod case_collision;
pub(super) mod child_name;
mod client_only_syntax;
mod conflict_markers;
mod control_character;
mod deep_reference_chain;
pub(super) mod delegated;
pub(super) mod description_without_trigger;
pub(super) mod duplicate_key;
pub(super) mod duplicate_skill;
pub(super) mod frontmatter_not_a_mapping;
pub(super) mod heavy_body;
pub(super) mod hidden_unicode;
mod home_path;
pub(super) mod invalid_name;
pub(super) mod invalid_yaml;
mod link_outside_skill;
pub(super) mod long_body;
mod long_compatibility;
mod long_description;
mod long_name;
mod miscased_filename;
pub(super) mod missing_description;
pub(super) mod missing_frontmatter;
pub(super) mod missing_mentioned_file;
mod missing_name;
pub(super) mod name_not_directory;
mod nested_skill;
mod non_ascii_name;
pub(super) mod non_string_field;
mod non_string_metadata;
pub(super) mod not_utf8;
pub(super) mod oversized_skill;
mod parser_dependent_yaml;
pub(super) mod piped_shell;
mod placeholder_text;
mod reserved_file_name;
pub(super) mod secret;
pub(super) mod short_description;
mod skill_toml;
mod symlink_outside;
pub(super) mod unclosed_frontmatter;
mod unknown_field;
mod unreferenced_file;
mod vague_name;
mod vendor_word_in_name;
mod windows_path;

use crate::rule::Rule;

pub use short_description::CHARACTERS_MIN as DESCRIPTION_CHARACTERS_MIN;

/// Every rule, by group and then by name.
pub static RULES: &[&Rule] = &[
    // spec
    &allowed_tools_format::RULE,
    &byte_order_mark::RULE,
    &control_character::RULE,
    &duplicate_key::RULE,
    &frontmatter_not_a_mapping::RULE,
    &invalid_name::RULE,
    &invalid_yaml::RULE,
    &long_compatibility::RULE,
    &long_description::RULE,
    &long_name::RULE,
    &miscased_filename::RULE,
    &missing_description::RULE,
    &missing_frontmatter::RULE,
    &missing_name::RULE,
    &name_not_directory::RULE,
    &non_ascii_name::RULE,
    &non_string_field::RULE,
    &non_string_metadata::RULE,
    &not_utf8::RULE,
    &unclosed_frontmatter::RULE,
    &unknown_field::RULE,
    // portability
    &angle_brackets_in_description::RULE,
    &case_collision::RULE,
    &client_only_syntax::RULE,
    &parser_dependent_yaml::RULE,
    &reserved_file_name::RULE,
    &vendor_word_in_name::RULE,
    &windows_path::RULE,
    // structure
    &broken_link::RULE,
    &conflict_markers::RULE,
    &deep_reference_chain::RULE,
    &duplicate_skill::RULE,
    &heavy_body::RULE,
    &link_outside_skill::RULE,
    &long_body::RULE,
    &missing_mentioned_file::RULE,
    &nested_skill::RULE,
    &oversized_skill::RULE,
    &unreferenced_file::RULE,
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
    &symlink_outside::RULE,
    // sprout
    &delegated::ABBREVIATED_TIME_ZONE,
    &delegated::ASSIGNMENT_SKILL_IS_RUN_SKILL,
    &delegated::BLANK_LABEL,
    &delegated::CADENCE_OVER_CAP,
    &child_name::RULE,
    &delegated::DUPLICATE_HEARTBEAT,
    &delegated::DUPLICATE_INPUT,
    &delegated::HEARTBEAT_NAME,
    &delegated::INVALID_AGE_RANGE,
    &delegated::INVALID_CANVAS_ID,
    &delegated::INVALID_CRON,
    &delegated::INVALID_MANIFEST,
    &delegated::KID_CALLABLE_HOME_AGENT,
    &delegated::KID_CALLABLE_WITHOUT_AGE_RANGE,
    &delegated::MALFORMED_PLACEHOLDER,
    &delegated::MISSING_HEARTBEAT_INPUT,
    &delegated::MIXED_SHAPE,
    &delegated::NEVER_FIRES,
    &delegated::OVERSIZED_TEXT,
    &delegated::SCHEDULE_CONFLICT,
    &delegated::SENSITIVE_KID_HAND,
    &delegated::TOO_MANY_CANVASES,
    &delegated::UNDECLARED_HEARTBEAT_INPUT,
    &delegated::UNDECLARED_PLACEHOLDER,
    &delegated::UNKNOWN_HAND,
    &delegated::UNKNOWN_MANIFEST_KEY,
    &delegated::UNKNOWN_TIME_ZONE,
    &delegated::UNPUBLISHED_FILE,
    &delegated::UNSCHEDULABLE_SKILL,
    &delegated::UNUSED_INPUT,
    // protocol
    &skill_toml::INVALID_DOTTED_NAME,
    &skill_toml::INVALID_SKILL_TOML,
    &skill_toml::INVALID_VERSION,
    &skill_toml::MISSING_ENTRYPOINT,
    &skill_toml::MISSING_EXPORT,
    &skill_toml::TOML_NAME_NOT_DIRECTORY,
    &skill_toml::UNDECLARED_SECRET,
    &skill_toml::UNKNOWN_SKILL_TOML_KEY,
    &skill_toml::UNRUNNABLE_SKILL,
    // waivers
    &delegated::EXPIRED_WAIVER,
    &delegated::MALFORMED_WAIVER,
    &delegated::UNUSED_WAIVER,
];

/// Returns the rule with that id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.meta.id == id).copied()
}
