//! The fields of the frontmatter as rules need them: whether a field is present, whether it is a
//! string, the spans of its characters, and the edits that replace it.

pub(super) mod allowed_tools;
mod clients;
mod entry;
pub(super) mod into_metadata;
mod presence;
mod string_field;
pub(super) mod unspecified;

pub(super) use entry::{after_colon, is_broken, own_line, quote_edit};
pub(super) use presence::{Presence, is_empty, presence};
pub(super) use string_field::StringField;
