//! Posting a card to the family's inbox.

use serde_json::{Map, Value, json};

use super::activity;
use super::family_limits::FAMILY_RESULTS_MAX;
use super::id;
use super::store::{Card, Event, FamilyId, StoreResult, Writer};
use dibber_skill::contract::{
    ActivityRefs, ActivityType, CardKind, CardState, ChatId, HeartbeatId, ResultId, RunId, SkillId,
    UserId, WireEnum,
};

/// A card to post.
pub(super) struct NewCard {
    /// The skill that it is about.
    pub(super) skill_id: SkillId,
    /// The chat of the heartbeat, or that of the family.
    pub(super) thread_id: ChatId,
    /// The user in whose name it is posted.
    pub(super) user_id: UserId,
    /// Who posts it; none for the server.
    pub(super) actor: Option<UserId>,
    /// The heartbeat that it is about.
    pub(super) heartbeat_id: Option<HeartbeatId>,
    /// The run that it is about.
    pub(super) run_id: Option<RunId>,
    /// What it says.
    pub(super) kind: CardKind,
    /// The summary, and the data of a result.
    pub(super) result: Map<String, Value>,
    /// When it is posted.
    pub(super) at: i64,
}

/// A card that was posted.
pub(super) struct Posted {
    /// The id.
    pub(super) id: ResultId,
    /// Its thread.
    pub(super) thread_id: ChatId,
}

/// Posts a card, and records it in the activity. It takes the place of the oldest one if the family
/// has too many.
pub(super) fn post(store: &dyn Writer, family: &FamilyId, card: NewCard) -> StoreResult<Posted> {
    let NewCard { actor, at, .. } = card;
    let card = Card {
        id: id::new(),
        skill_id: card.skill_id,
        thread_id: card.thread_id,
        user_id: card.user_id,
        heartbeat_id: card.heartbeat_id,
        run_id: card.run_id,
        kind: card.kind,
        state: CardState::Unread,
        posted_at: at,
        result: card.result,
    };
    store.add_card(family, &card, FAMILY_RESULTS_MAX)?;
    let refs = ActivityRefs {
        skill_id: Some(card.skill_id),
        heartbeat_id: card.heartbeat_id,
        result_id: Some(card.id.clone()),
        run_id: card.run_id,
        user_id: None,
    };
    let payload = Map::from_iter([("kind".to_owned(), json!(card.kind.name()))]);
    let event = Event { kind: ActivityType::ResultPosted, actor, refs, payload, at };
    activity::record(store, family, &event)?;
    Ok(Posted { id: card.id, thread_id: card.thread_id })
}
