//! The word before a message.

use dibber_skill::diagnostic::Level;

/// Returns the word for a level before a message.
pub(super) const fn severity(level: Level) -> &'static str {
    match level {
        Level::Deny => "error",
        Level::Allow | Level::Warn => "warning",
    }
}
