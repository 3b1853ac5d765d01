//! One file per rule; the slice below is all there is to registering one.

mod allowed_tools_format;
mod angle_brackets_in_description;
mod assignment_skill_is_run_skill;
mod blank_label;
mod broken_link;
mod byte_order_mark;
mod cadence_over_cap;
mod case_collision;
mod child_name;
mod client_only_syntax;
mod control_character;
mod deep_reference_chain;
mod description_without_trigger;
mod duplicate_input;
mod duplicate_key;
pub(super) mod duplicate_skill;
mod expired_waiver;
mod frontmatter_not_a_mapping;
mod heartbeat_name;
mod heavy_body;
mod hidden_unicode;
mod home_path;
mod invalid_age_range;
mod invalid_canvas_id;
mod invalid_cron;
mod invalid_manifest;
mod invalid_name;
mod invalid_yaml;
mod kid_callable_home_agent;
mod kid_callable_without_age_range;
mod link_outside_skill;
mod long_body;
mod long_compatibility;
mod long_description;
mod long_name;
mod malformed_placeholder;
mod malformed_waiver;
mod miscased_filename;
mod missing_description;
mod missing_frontmatter;
mod missing_mentioned_file;
mod missing_name;
mod mixed_shape;
mod name_not_directory;
mod nested_skill;
mod never_fires;
mod non_ascii_name;
mod non_string_field;
mod non_string_metadata;
mod not_utf8;
mod oversized_skill;
mod parser_dependent_yaml;
mod piped_shell;
mod placeholder_text;
mod reserved_file_name;
mod schedule_conflict;
mod secret;
mod sensitive_kid_hand;
mod short_description;
mod symlink_outside;
mod too_many_canvases;
mod unclosed_frontmatter;
mod undeclared_heartbeat_input;
mod undeclared_placeholder;
mod unknown_field;
mod unknown_hand;
mod unknown_manifest_key;
mod unknown_time_zone;
mod unreferenced_file;
mod unused_input;
mod unused_waiver;
mod vague_name;
mod vendor_word_in_name;
mod windows_path;

pub(super) use child_name::RULE as CHILD_NAME;
pub(super) use expired_waiver::RULE as EXPIRED_WAIVER;
pub(super) use invalid_yaml::RULE as INVALID_YAML;
pub(super) use malformed_waiver::RULE as MALFORMED_WAIVER;
pub(super) use unused_waiver::RULE as UNUSED_WAIVER;

use crate::rule::Rule;

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
    &assignment_skill_is_run_skill::RULE,
    &blank_label::RULE,
    &cadence_over_cap::RULE,
    &child_name::RULE,
    &duplicate_input::RULE,
    &heartbeat_name::RULE,
    &invalid_age_range::RULE,
    &invalid_canvas_id::RULE,
    &invalid_cron::RULE,
    &invalid_manifest::RULE,
    &kid_callable_home_agent::RULE,
    &kid_callable_without_age_range::RULE,
    &malformed_placeholder::RULE,
    &mixed_shape::RULE,
    &never_fires::RULE,
    &schedule_conflict::RULE,
    &sensitive_kid_hand::RULE,
    &too_many_canvases::RULE,
    &undeclared_heartbeat_input::RULE,
    &undeclared_placeholder::RULE,
    &unknown_hand::RULE,
    &unknown_manifest_key::RULE,
    &unknown_time_zone::RULE,
    &unused_input::RULE,
    // waivers
    &expired_waiver::RULE,
    &malformed_waiver::RULE,
    &unused_waiver::RULE,
];

/// Returns the rule with that id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.meta.id == id).copied()
}
