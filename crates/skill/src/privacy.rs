//! What must not be shown of untrusted text: secrets and children's names.

use std::borrow::{Borrow, Cow};

use crate::names::Roster;
use crate::scan::secrets::{self, Secret};
use dibber_text::{Mask, Span};

/// Masks secrets first, then the names of children. Everything that is shown is masked by it.
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

impl Privacy<'_> {
    /// Returns the items of a list, masked: also a name whose words are in neighbouring items.
    pub fn mask_items(&self, items: &[impl Borrow<str>]) -> Vec<String> {
        let joined = items.join(" ");
        let joined = self.roster.mask(&joined);
        let mut joined = joined.chars();
        let masked = items.iter().map(|item| {
            let item = item.borrow();
            let across: String = joined.by_ref().take(item.chars().count()).collect();
            joined.next();
            merge_masked(item, &self.mask(item), &across)
        });
        masked.collect()
    }

    /// Returns a part of a string with secrets and names masked, even those that are only partly in
    /// it. `secrets` are those of the whole string. The part keeps its number of characters and of
    /// bytes, so that spans into it stay valid.
    ///
    /// # Panics
    /// If the part is not on character boundaries inside the text.
    pub fn mask_part(&self, text: &str, part: Span, secrets: &[Secret]) -> String {
        let original = &text[part.range()];
        let names = self.roster.mask_part(text, part);
        let secrets = secrets::mask(original, part.start, secrets);
        merge_masked(original, &secrets, &names)
    }
}

/// Returns a string with what is masked in either of two versions of it, which have as many
/// characters.
pub fn merge_masked(original: &str, one: &str, other: &str) -> String {
    let characters = original.chars().zip(one.chars()).zip(other.chars());
    characters.map(|((c, one), other)| if one == c { other } else { one }).collect()
}

fn mask_secrets(text: &str) -> Cow<'_, str> {
    match secrets::find(text) {
        secrets if secrets.is_empty() => Cow::Borrowed(text),
        secrets => Cow::Owned(secrets::mask(text, 0, &secrets)),
    }
}
