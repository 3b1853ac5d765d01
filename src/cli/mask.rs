//! What may be shown of a text that comes from a file.

use crate::lint;
use crate::names::Roster;

/// A text with `*` in the place of every character of a secret or a child's name. Escaping it for
/// a terminal is left to whoever prints it.
pub(super) fn mask(text: &str, roster: &Roster) -> String {
    roster.mask(&lint::mask_secrets(text)).into_owned()
}
