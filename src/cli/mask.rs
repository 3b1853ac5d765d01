//! Masking of secrets and children's names in text from a file.

use dibber_lint::Privacy;
use dibber_skill::names::Roster;
use dibber_text::Mask;

/// Returns the text with every character of a secret or a child's name replaced by `*`. The
/// caller that prints it escapes it for a terminal.
pub(super) fn mask(text: &str, roster: &Roster) -> String {
    Privacy { roster }.mask(text).into_owned()
}
