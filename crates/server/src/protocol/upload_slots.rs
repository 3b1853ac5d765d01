//! How many large blobs arrive at once.

use std::sync::{Arc, Mutex};

use super::blobs::BlobOwner;
use crate::mutex::lock;

/// The most large blobs that arrive at once.
pub(crate) const UPLOADS_MAX: usize = 4;

/// The most large blobs of one family that arrive at once: the rest is for the others.
pub(crate) const UPLOADS_OF_FAMILY_MAX: usize = 3;

/// The most large blobs of one owner that arrive at once: the rest is for the others of the family.
pub(crate) const UPLOADS_OF_OWNER_MAX: usize = 2;

/// The owners of the large blobs that arrive.
#[derive(Debug, Default)]
pub(super) struct UploadSlots(Mutex<Vec<BlobOwner>>);

/// The slot of one upload, which is free again when this is dropped.
#[derive(Debug)]
pub(super) struct UploadSlot {
    slots: Arc<UploadSlots>,
    owner: BlobOwner,
}

impl UploadSlots {
    /// Returns a slot; none if too many are in use.
    pub(super) fn acquire(slots: &Arc<Self>, owner: &BlobOwner) -> Option<UploadSlot> {
        let mut owners = lock(&slots.0);
        let of_family = owners.iter().filter(|other| other.family() == owner.family()).count();
        let of_owner = owners.iter().filter(|other| *other == owner).count();
        if owners.len() >= UPLOADS_MAX
            || of_family >= UPLOADS_OF_FAMILY_MAX
            || of_owner >= UPLOADS_OF_OWNER_MAX
        {
            return None;
        }
        owners.push(owner.clone());
        Some(UploadSlot { slots: Arc::clone(slots), owner: owner.clone() })
    }
}

impl Drop for UploadSlot {
    fn drop(&mut self) {
        let mut owners = lock(&self.slots.0);
        if let Some(at) = owners.iter().position(|owner| *owner == self.owner) {
            owners.swap_remove(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use dibber_skill::contract::FamilyId;

    use super::*;

    fn owner(family: &str, token: u8) -> BlobOwner {
        BlobOwner::token(FamilyId::from(family), &[token; 32])
    }

    #[test]
    fn one_owner_leaves_room_for_the_others() {
        let slots = Arc::default();
        let acquire = |family, token| UploadSlots::acquire(&slots, &owner(family, token));
        let first = acquire("fam_a", 1);
        let _second = acquire("fam_a", 1).expect("a slot");
        assert!(acquire("fam_a", 1).is_none());
        let _others = ["fam_b", "fam_c"].map(|family| acquire(family, 2).expect("a slot"));
        assert!(acquire("fam_d", 3).is_none());
        drop(first);
        assert!(acquire("fam_d", 3).is_some());
    }

    #[test]
    fn the_tokens_of_one_family_leave_room_for_other_families() {
        let slots = Arc::default();
        let acquire = |family, token| UploadSlots::acquire(&slots, &owner(family, token));
        let _of_family = [1, 1, 2].map(|token| acquire("fam_a", token).expect("a slot"));
        assert!(acquire("fam_a", 2).is_none());
        assert!(acquire("fam_a", 3).is_none());
        assert!(acquire("fam_b", 4).is_some());
    }
}
