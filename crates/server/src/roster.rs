//! The names of a family's children, for the safety checks.

use std::borrow::Cow;

use super::failure::Failure;
use super::store::{FamilyId, Reader};
use dibber_skill::names::Roster;
use dibber_skill::privacy::Privacy;
use dibber_text::Mask;

/// Masks secrets and the names of a family's children in an answer. It is not final: the client
/// masks the names on the list of its user, which the server does not know.
#[derive(Clone, Copy)]
pub(super) struct FamilyMask<'a> {
    pub(super) roster: &'a Roster,
}

impl Mask for FamilyMask<'_> {
    fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        Privacy { roster: self.roster }.mask(text)
    }
}

/// Returns what a client has sent as an error may repeat it: nothing of it if the names of the
/// children are not known.
pub(super) fn mask_names<'t>(text: &'t str, roster: Option<&Roster>) -> Cow<'t, str> {
    roster.map_or("****".into(), |roster| FamilyMask { roster }.mask(text))
}

/// Returns the roster of the children of a family. A damaged name is an error, since what contains
/// it could not be refused.
pub(super) fn load(store: &(impl Reader + ?Sized), family: &FamilyId) -> Result<Roster, Failure> {
    Ok(Roster::new(&store.child_names(family)?.complete()?))
}
