//! A skill as data: its directory, its frontmatter with a span for every key and value, its body.
//!
//! Parsing never fails: it returns the skill and the [`Fault`]s. Nothing here reads a file,
//! and nothing here judges: what is wrong and how much it matters is for the rules to say.

mod allowed_tools;
mod bundle;
mod fault;
mod frontmatter;
mod markdown;
pub mod name;
mod node;
mod parsed;
mod pieces;
mod placeholder;
mod positions;
mod recover;
mod resource;
mod schema;
mod tree_builder;
mod unread;
mod yaml;
pub mod yaml_scalar;

pub use allowed_tools::{split_tools, tools_of};
pub use bundle::{
    Bundle, BundleFile, BundleKind, FILES_MAX, FileKind, FileTree, NestedFiles, NestedSkills,
    PROTOCOL_FILE_NAME, SKILL_FILE_NAME, SKILL_FILE_NAMES, TreeFile,
};
pub use fault::{Fault, FaultKind, InsteadOfFrontmatter};
pub use frontmatter::{FRONTMATTER_BYTES_MAX, Frontmatter, is_like_fence};
pub use markdown::{Heading, Link, LinkKind, Markdown};
pub use node::{Entry, Node, NodeKind, ScalarStyle};
pub use parsed::{SKILL_BYTES_MAX, Skill};
pub use pieces::{
    Key, KeyStyle, Value, after_closing, indentation, is_block_header, key_of, lines_of, trimmed,
};
pub use placeholder::{
    INPUT_NAME_RULE, Placeholder, PlaceholderKind, corrected_name, is_input_name, placeholder_of,
    placeholders,
};
pub use positions::skip_blanks;
pub use resource::Resource;
pub use schema::{ScalarType, type_in_yaml_1_1, type_in_yaml_1_2};
pub use tree_builder::{ALIASES_MAX, DEPTH_MAX, NODES_MAX};
pub use unread::{UnreadFile, UnreadSecret};
pub use yaml::{parse_entry, parses_as_mapping};

/// Parses a whole file of YAML with the limits of frontmatter; what is broken is left out, and
/// the rest is read.
pub fn parse_yaml(text: &str) -> (Option<Node>, Vec<Fault>) {
    frontmatter::parse_file(text)
}
