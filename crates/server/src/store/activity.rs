//! What has happened in a family.

use serde_json::{Map, Value};

use dibber_skill::contract::{ActivityRefs, ActivityType, UserId};

use super::error::StoreResult;
use super::families::FamilyId;
use super::listed::Listed;

/// Something that has happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// What it was.
    pub kind: ActivityType,
    /// The user who did it; none if it was the server or the owner of its machine.
    pub actor: Option<UserId>,
    /// What it is about. Some of that may be gone by now.
    pub refs: ActivityRefs,
    /// A few details: no prompt, and nothing that a child is called.
    pub payload: Map<String, Value>,
    /// When it happened.
    pub at: i64,
}

/// An event with its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberedEvent {
    /// The number. The events of a family are counted in the order in which they were committed, so
    /// that a reader who has seen one finds all later ones by its number.
    pub number: i64,
    /// The event.
    pub event: Event,
}

/// Which events to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventList {
    /// The order.
    pub order: EventOrder,
    /// The number of the event after which the page begins, in this order; none for the first page.
    pub after: Option<i64>,
    /// Only events of this time or a later one.
    pub since: Option<i64>,
    /// The most events.
    pub limit: usize,
}

/// The order of a list of events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EventOrder {
    /// The newest comes first.
    #[default]
    NewestFirst,
    /// The oldest comes first.
    OldestFirst,
}

/// Looks up what has happened.
pub trait ReadActivity {
    /// Returns a page of events. A page begins after a number, so that no event is skipped and none
    /// repeated, whatever happens between two pages.
    fn events(&self, family: &FamilyId, list: &EventList) -> StoreResult<Listed<NumberedEvent>>;
    /// Returns the number of the newest event; 0 if there is none.
    fn newest_event(&self, family: &FamilyId) -> StoreResult<i64>;
}

/// Records what has happened.
pub trait WriteActivity: ReadActivity {
    /// Adds an event with the next number, and deletes the oldest ones of the family beyond so many.
    fn add_event(&self, family: &FamilyId, event: &Event, kept: usize) -> StoreResult<()>;
    /// Adds several events, those of each family in this order, as [`add_event`](Self::add_event) does.
    fn add_events(&self, events: &[(FamilyId, Event)], kept: usize) -> StoreResult<()> {
        events.iter().try_for_each(|(family, event)| self.add_event(family, event, kept))
    }
}
