//! Source text: byte spans, files, line numbers, problems, and how untrusted text is shown.
//!
//! Every package above refers to places in a file by byte [`Span`]s; lines and columns are
//! computed late, from the [`Source`], when something is shown to a person.
//!
//! | subject | items |
//! |---|---|
//! | text and places in it | [`Source`], [`Span`], [`LineIndex`], [`LineColumn`], [`Encoding`], [`SpanMap`], [`DecodedText`], [`json_pointer()`] |
//! | what is wrong, and its message | [`Problem`], [`Label`], [`Message`], [`closest_match()`], [`CappedByKey`] |
//! | showing untrusted text | [`Mask`], [`Shown`], [`escape()`], [`escape_line`], [`escape_controls`], [`escape_hidden`], [`unescape_line`], [`double_quoted()`], [`quote()`] and its variants |
//! | JSON without duplicate keys, and its numbers as written | [`strict_json`] |
//! | files: reading, replacing, locking, private ones | [`file`](mod@file), [`atomic_file`], [`file_lock`], [`private`] |
//! | whether a file has changed | [`FileStamp`] |
//! | files beneath a directory that may contain anything | [`folder`] |
//! | what is part of a skill | [`is_skill_part`] |
//! | running work that may panic | [`isolation`] |
//! | the same work for many items | [`parallel`] |

pub mod atomic_file;
mod attributes;
mod capped;
mod closest_match;
mod code_additions;
mod decoded;
mod double_quoted;
mod ellipsize;
mod encoded_char;
mod encoding;
mod escape;
pub mod file;
pub mod file_lock;
mod file_stamp;
pub mod folder;
mod hex;
mod html_reference;
pub mod isolation;
mod json_pointer;
mod leftovers;
mod lines;
mod masked_help;
mod masked_message;
mod message;
pub mod parallel;
pub mod private;
mod problem;
mod quote;
mod shell_word;
mod skill_part;
mod source;
mod span;
mod span_map;
pub mod strict_json;
mod untrusted;

pub use capped::CappedByKey;
pub use closest_match::closest_match;
pub use decoded::{DecodedText, decoded_surroundings, encoded_chars};
pub use double_quoted::double_quoted;
pub use encoded_char::{ENCODED_BYTES_MAX, EncodedChar};
pub use encoding::{Encoding, NotUtf8, windows_1252};
pub use escape::{
    escape, escape_controls, escape_hidden, escape_line, is_blank, is_invisible,
    is_terminal_control, is_variation_selector, unescape_line,
};
pub use file_stamp::FileStamp;
pub use hex::hex;
pub use json_pointer::json_pointer;
pub use lines::{LineColumn, LineIndex, line_around};
pub use message::{Message, Part, ShownMessage, quote_display, quote_path};
pub use problem::{Label, Problem};
pub use quote::{Quote, quote, quote_argument, quote_in_full, quote_indented, quote_lines};
pub use shell_word::shell_word;
pub use skill_part::{is_skill_part, plain_name};
pub use source::{BYTE_ORDER_MARK, Source};
pub use span::Span;
pub use span_map::SpanMap;
pub use untrusted::{MASKED, Mask, Shown, same_size_mask};
