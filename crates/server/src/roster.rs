//! The names of a family's children, for the safety checks.

use super::failure::Failure;
use super::store::{FamilyId, Reader};
use dibber_skill::names::Roster;

/// Returns the roster of the children of a family. A damaged name is an error, since what contains
/// it could not be refused.
pub(super) fn load(store: &(impl Reader + ?Sized), family: &FamilyId) -> Result<Roster, Failure> {
    Ok(Roster::new(&store.child_names(family)?.complete()?))
}
