//! What must not be shown of untrusted text: secrets and children's names.

use std::borrow::Cow;

use crate::names::Roster;
use crate::scan::secrets;
use dibber_text::Mask;

/// Masks secrets first, then the names of children. It is the mask for everything that is shown
/// outside of a report, which masks by itself.
#[derive(Clone, Copy, Debug)]
pub struct Privacy<'a> {
    /// The names of the children.
    pub roster: &'a Roster,
}

impl Mask for Privacy<'_> {
    fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match mask_secrets(text) {
            Cow::Borrowed(text) => self.roster.mask(text),
            Cow::Owned(text) => Cow::Owned(self.roster.mask(&text).into_owned()),
        }
    }

    fn is_final(&self) -> bool {
        true
    }
}

/// Masks every key and token in a string with `*`, for a caller that shows a file as it is. Its
/// lines stay the same.
pub fn mask_secrets(text: &str) -> Cow<'_, str> {
    match secrets::find(text) {
        secrets if secrets.is_empty() => Cow::Borrowed(text),
        secrets => Cow::Owned(secrets::mask(text, 0, &secrets)),
    }
}
