//! What is suspicious in any text, whatever it is the text of: hidden characters, secrets, and
//! commands that run what they download.
//!
//! The linter reports it in files, and the analyzers of a draft in arguments.

pub mod downloads;
pub mod hidden_characters;
pub mod hidden_in_label;
pub mod secrets;
pub mod word_finder;
