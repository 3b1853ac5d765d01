//! Whose turn it is: few programs run at the same time, and for a family only one, so that no
//! family makes the others wait for long.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

use crate::mutex::lock;
use crate::store::FamilyId;

/// The most programs that run at the same time.
const PROCESSES_MAX: usize = 4;
/// The most programs that run at the same time for one family.
const FAMILY_PROCESSES_MAX: usize = 1;

/// The turns of all families, in the order of asking.
#[derive(Debug)]
pub(super) struct Turns {
    all: Semaphore,
    /// Those of the families that wait or have a turn.
    by_family: Mutex<HashMap<FamilyId, Arc<Semaphore>>>,
}

/// A turn, which ends when this is dropped.
#[derive(Debug)]
pub(super) struct Turn<'a> {
    _any: SemaphorePermit<'a>,
    _of_family: OwnedSemaphorePermit,
}

impl Turns {
    pub(super) fn new() -> Self {
        Self { all: Semaphore::new(PROCESSES_MAX), by_family: Mutex::default() }
    }

    /// Waits for the turn of a family. While it waits for another call of the same family, it takes
    /// no place that another family could have.
    pub(super) async fn wait(&self, family: &FamilyId) -> Turn<'_> {
        let of_family = self.of_family(family).acquire_owned().await;
        let any = self.all.acquire().await;
        Turn {
            _any: any.expect("the semaphore is never closed"),
            _of_family: of_family.expect("the semaphore is never closed"),
        }
    }

    fn of_family(&self, family: &FamilyId) -> Arc<Semaphore> {
        let mut by_family = lock(&self.by_family);
        // A semaphore that nothing refers to has neither a turn nor a call that waits.
        by_family.retain(|_, turns| Arc::strong_count(turns) > 1);
        let new = || Arc::new(Semaphore::new(FAMILY_PROCESSES_MAX));
        Arc::clone(by_family.entry(family.clone()).or_insert_with(new))
    }
}
