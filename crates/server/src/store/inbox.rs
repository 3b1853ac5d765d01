//! The inbox: the cards that a family reads.

use serde_json::{Map, Value};

use dibber_skill::contract::{
    CardKind, CardState, ChatId, HeartbeatId, ResultId, RunId, SkillId, UserId,
};

use super::error::StoreResult;
use super::families::FamilyId;
use super::listed::Listed;

/// A card of the inbox: the result of a run, or a notice of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// The id.
    pub id: ResultId,
    /// The skill that it is about.
    pub skill_id: SkillId,
    /// The chat in which it is shown.
    pub thread_id: ChatId,
    /// The user in whose name it was posted.
    pub user_id: UserId,
    /// The heartbeat that it is about, which may be gone.
    pub heartbeat_id: Option<HeartbeatId>,
    /// The run that it is about, which may be gone.
    pub run_id: Option<RunId>,
    /// What it says.
    pub kind: CardKind,
    /// Whether it was read.
    pub state: CardState,
    /// When it was posted.
    pub posted_at: i64,
    /// The result.
    pub result: Map<String, Value>,
}

/// Which cards to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardList {
    /// The id of the card after which the page begins; none for the first page.
    pub after: Option<ResultId>,
    /// The most cards.
    pub limit: usize,
    /// Only cards in this state; without it, cards that are not archived.
    pub state: Option<CardState>,
    /// Only cards of this thread.
    pub thread: Option<ChatId>,
}

/// Looks up cards.
pub trait ReadInbox {
    /// Returns the card with this id.
    fn card(&self, family: &FamilyId, id: &ResultId) -> StoreResult<Option<Card>>;
    /// Returns a page of cards, the newest first. It is the reverse of the
    /// [listing order](super#listing-order): a card that is posted between two pages comes before
    /// both, and none is skipped or repeated. After a card that the family does not have, there is
    /// an empty page: it was one of the oldest, and all that came after it are gone, too.
    fn cards(&self, family: &FamilyId, list: &CardList) -> StoreResult<Listed<Card>>;
    /// Returns `true` if a thread has a card.
    fn has_cards(&self, family: &FamilyId, thread: &ChatId) -> StoreResult<bool>;
}

/// Changes the inbox.
pub trait WriteInbox: ReadInbox {
    /// Adds a card, and deletes the oldest ones of the family beyond so many.
    fn add_card(&self, family: &FamilyId, card: &Card, kept: usize) -> StoreResult<()>;
    /// Sets the state of a card; returns `true` if it was another one.
    fn set_card_state(
        &self,
        family: &FamilyId,
        id: &ResultId,
        state: CardState,
    ) -> StoreResult<bool>;
}
