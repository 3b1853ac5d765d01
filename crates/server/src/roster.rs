//! The names of a family's children, for the safety checks.

use super::failure::Failure;
use super::store::{FamilyId, Reader};
use dibber_skill::names::{List, Roster};

/// The names of the children of a family.
pub(super) fn of(store: &(impl Reader + ?Sized), family: &FamilyId) -> Result<Roster, Failure> {
    let names: Vec<_> = store.children(family)?.into_iter().map(|child| child.name).collect();
    let (list, _) = List::parse(&names.join("\n"));
    Ok(list.roster())
}
