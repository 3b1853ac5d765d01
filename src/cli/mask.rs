//! What may be shown of text that comes from a file.

use dibber_skill::names::Roster;

/// Returns the text with `*` in the place of every character of a secret or a child's name.
/// Escaping it for a terminal is left to the caller that prints it.
pub(super) fn mask(text: &str, roster: &Roster) -> String {
    roster.mask(&dibber_lint::mask_secrets(text)).into_owned()
}
