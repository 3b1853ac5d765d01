//! The names of a family's children, for the safety checks.

use super::failure::Failure;
use super::store::{FamilyId, Reader};
use dibber_skill::names::{Name, Roster};

/// Returns the roster of the children of a family.
pub(super) fn load(store: &(impl Reader + ?Sized), family: &FamilyId) -> Result<Roster, Failure> {
    let children = store.children(family)?;
    // A name was parsed before it was stored, so no name is left out.
    let names: Vec<Name> =
        children.iter().filter_map(|child| Name::parse(&child.name).ok()).collect();
    Ok(Roster::new(&names))
}
