//! One file per rule; the slice below is all there is to registering one.

mod byte_order_mark;
mod control_character;
mod duplicate_key;
mod frontmatter_not_a_mapping;
mod invalid_yaml;
mod miscased_filename;
mod missing_description;
mod missing_frontmatter;
mod missing_name;
mod not_utf8;
mod parser_dependent_yaml;
mod unclosed_frontmatter;

use super::Rule;

/// Every rule, by group and then by name.
pub static RULES: &[&Rule] = &[
    // spec
    &byte_order_mark::RULE,
    &control_character::RULE,
    &duplicate_key::RULE,
    &frontmatter_not_a_mapping::RULE,
    &invalid_yaml::RULE,
    &miscased_filename::RULE,
    &missing_description::RULE,
    &missing_frontmatter::RULE,
    &missing_name::RULE,
    &not_utf8::RULE,
    &unclosed_frontmatter::RULE,
    // portability
    &parser_dependent_yaml::RULE,
    // structure
    // writing
    // security
];
