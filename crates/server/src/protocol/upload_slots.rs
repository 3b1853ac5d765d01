//! How many large blobs arrive at once.

use std::sync::{Arc, Mutex};

use crate::mutex::lock;

/// The most large blobs that arrive at once.
pub(crate) const UPLOADS_MAX: usize = 4;

/// The most large blobs of one owner that arrive at once: the rest is for the others.
pub(crate) const UPLOADS_OF_OWNER_MAX: usize = UPLOADS_MAX / 2;

/// The owners of the large blobs that arrive.
#[derive(Debug)]
pub(super) struct UploadSlots<K>(Mutex<Vec<K>>);

/// The slot of one upload, which is free again when this is dropped.
#[derive(Debug)]
pub(super) struct UploadSlot<K: Eq> {
    slots: Arc<UploadSlots<K>>,
    owner: K,
}

impl<K> Default for UploadSlots<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Clone + Eq> UploadSlots<K> {
    /// Returns a slot; none if too many are in use.
    pub(super) fn acquire(slots: &Arc<Self>, owner: &K) -> Option<UploadSlot<K>> {
        let mut owners = lock(&slots.0);
        let own = owners.iter().filter(|other| *other == owner).count();
        if owners.len() >= UPLOADS_MAX || own >= UPLOADS_OF_OWNER_MAX {
            return None;
        }
        owners.push(owner.clone());
        Some(UploadSlot { slots: Arc::clone(slots), owner: owner.clone() })
    }
}

impl<K: Eq> Drop for UploadSlot<K> {
    fn drop(&mut self) {
        let mut owners = lock(&self.slots.0);
        if let Some(at) = owners.iter().position(|owner| *owner == self.owner) {
            owners.swap_remove(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_owner_leaves_room_for_the_others() {
        let slots = Arc::default();
        let first = UploadSlots::acquire(&slots, &"a");
        let _second = UploadSlots::acquire(&slots, &"a").expect("a slot");
        assert!(UploadSlots::acquire(&slots, &"a").is_none());
        let _others = ["b", "c"].map(|owner| UploadSlots::acquire(&slots, &owner).expect("a slot"));
        assert!(UploadSlots::acquire(&slots, &"d").is_none());
        drop(first);
        assert!(UploadSlots::acquire(&slots, &"d").is_some());
    }
}
