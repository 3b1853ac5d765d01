//! One file per rule; the slice below is all there is to registering one.

mod allowed_tools_format;
mod angle_brackets_in_description;
mod client_only_syntax;
mod invalid_name;
mod long_compatibility;
mod long_description;
mod long_name;
mod missing_description;
mod missing_name;
mod name_not_directory;
mod non_ascii_name;
mod non_string_field;
mod non_string_metadata;
mod unknown_field;
mod vendor_word_in_name;

use super::Rule;

/// Every rule, by group and then by name.
pub static RULES: &[&Rule] = &[
    // spec
    &allowed_tools_format::RULE,
    &invalid_name::RULE,
    &long_compatibility::RULE,
    &long_description::RULE,
    &long_name::RULE,
    &missing_description::RULE,
    &missing_name::RULE,
    &name_not_directory::RULE,
    &non_ascii_name::RULE,
    &non_string_field::RULE,
    &non_string_metadata::RULE,
    &unknown_field::RULE,
    // portability
    &angle_brackets_in_description::RULE,
    &client_only_syntax::RULE,
    &vendor_word_in_name::RULE,
    // structure
    // writing
    // security
];
