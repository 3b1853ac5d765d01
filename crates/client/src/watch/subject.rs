//! What is watched, and what is known of it.
//!
//! A version says that a resource has changed, and not how. Of the activity and the inbox, the server
//! is asked for what came after what is known, so that several changes between two answers are all
//! found.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::super::client::Client;
use super::super::error::ClientError;
use super::change::ResourceNews;
use dibber_skill::contract::{
    ACTIVITY_URI, ActivityEvent, ActivityType, CardState, ErrorCode, INBOX_URI, InboxCard,
    InboxListArguments, OpenEnum, ResultId,
};

/// The most cards of the inbox that are compared, the newest ones.
const CARDS_MAX: usize = 2_000;
/// The event before the first one.
const BEFORE_ALL: &str = "ev_0";
/// What the ids of events of a server of dibber have before their number.
const EVENT_PREFIX: &str = "ev_";
/// The reason of an error: the server has no event with this id any more.
const UNKNOWN_EVENT: &str = "UNKNOWN_EVENT";

/// The states of cards.
type CardStates = BTreeMap<ResultId, OpenEnum<CardState>>;

/// A resource, and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    pub(super) uri: String,
    /// The version that is known.
    pub(super) version: Option<String>,
    known: Known,
}

/// What is known of a resource beside its version.
#[derive(Clone, Debug)]
enum Known {
    Activity(ActivityPosition),
    /// Of the events, only the posted cards are news.
    PostedCards(ActivityPosition),
    Inbox(CardStates),
    /// Nothing: its state is all that there is to know.
    Nothing,
}

/// Up to where the activity is known.
#[derive(Clone, Debug)]
struct ActivityPosition {
    /// The id of the newest event.
    newest: String,
    /// The number of events after it that are known to be missing.
    missing: u64,
}

/// What has changed in a subject.
#[derive(Debug)]
pub(super) struct SubjectNews {
    pub(super) news: ResourceNews,
    /// Whether something else has changed that cannot be returned any more.
    pub(super) has_gap: bool,
}

impl Subject {
    /// Reads what is known of the resource from here on.
    pub(super) async fn resource(
        client: &Client,
        uri: String,
        version: Option<String>,
    ) -> Result<Self, ClientError> {
        let known = match uri.as_str() {
            ACTIVITY_URI => Known::Activity(ActivityPosition::read(client).await?),
            INBOX_URI => {
                let cards = cards(client).await?.into_iter();
                Known::Inbox(cards.map(|card| (card.result_id, card.state)).collect())
            }
            _ => Known::Nothing,
        };
        Ok(Self { uri, version, known })
    }

    /// Returns the cards that are posted from here on.
    pub(super) async fn posted_cards(
        client: &Client,
        version: Option<String>,
    ) -> Result<Self, ClientError> {
        let known = Known::PostedCards(ActivityPosition::read(client).await?);
        Ok(Self { uri: ACTIVITY_URI.to_owned(), version, known })
    }

    /// Returns `true` if only `resource_wait` returns what has changed.
    pub(super) const fn has_state(&self) -> bool {
        matches!(self.known, Known::Nothing)
    }

    /// Returns what has changed since the last call. `state` is the present one, of a resource that
    /// has one.
    pub(super) async fn read_news(
        &mut self,
        client: &Client,
        state: Option<Map<String, Value>>,
    ) -> Result<SubjectNews, ClientError> {
        let (news, has_gap) = match &mut self.known {
            Known::Activity(position) => {
                let (events, has_gap) = position.read_events(client).await?;
                (ResourceNews::Events(events), has_gap)
            }
            Known::PostedCards(position) => {
                let (events, has_gap) = position.read_events(client).await?;
                (ResourceNews::Cards(posted_cards(client, events).await?), has_gap)
            }
            Known::Inbox(states) => {
                (ResourceNews::Cards(changed_cards(client, states).await?), false)
            }
            Known::Nothing => (ResourceNews::State(state.unwrap_or_default()), false),
        };
        Ok(SubjectNews { news, has_gap })
    }
}

impl ActivityPosition {
    /// Returns the position after the newest event.
    async fn read(client: &Client) -> Result<Self, ClientError> {
        let newest = client.latest_activity(1).await?;
        let id = newest.items.first().map(|event| event.event_id.as_str().to_owned());
        Ok(Self { newest: id.unwrap_or_else(|| BEFORE_ALL.to_owned()), missing: 0 })
    }

    /// Returns the events after this position, and whether others are missing. If the server does not
    /// have the newest event that is known, as after a restoration of its database, what has happened
    /// since is not known, and the position is after its newest event from then on.
    async fn read_events(
        &mut self,
        client: &Client,
    ) -> Result<(Vec<ActivityEvent>, bool), ClientError> {
        let listed = match client.activity_since(&self.newest).await {
            Err(ClientError::Refused(error)) if error.reason.as_deref() == Some(UNKNOWN_EVENT) => {
                *self = Self::read(client).await?;
                return Ok((Vec::new(), true));
            }
            listed => listed?,
        };
        // Only a server of dibber is known to number the events of a family one after another.
        let is_numbered = client.is_server_of_dibber().await?;
        let first = listed.items.first().filter(|_| is_numbered);
        let removed = first.map_or(0, |first| events_between(&self.newest, first));
        let unreadable = u64::try_from(listed.unreadable.len()).unwrap_or(u64::MAX);
        let missing = unreadable.saturating_add(listed.damaged).max(removed);
        let has_gap = missing > self.missing;
        match listed.items.last() {
            Some(newest) => {
                *self = Self { newest: newest.event_id.as_str().to_owned(), missing: 0 };
            }
            // The next answer has them again.
            None => self.missing = missing,
        }
        Ok((listed.items, has_gap))
    }
}

/// Returns the number of events between two.
fn events_between(before: &str, after: &ActivityEvent) -> u64 {
    let number = |id: &str| id.strip_prefix(EVENT_PREFIX)?.parse::<u64>().ok();
    let numbers = number(before).zip(number(after.event_id.as_str()));
    numbers.map_or(0, |(before, after)| after.saturating_sub(before).saturating_sub(1))
}

/// Returns the cards that were posted in these events, without those that are gone by now.
async fn posted_cards(
    client: &Client,
    events: Vec<ActivityEvent>,
) -> Result<Vec<InboxCard>, ClientError> {
    let is_post = |event: &ActivityEvent| event.kind == OpenEnum::Known(ActivityType::ResultPosted);
    let posted = events.into_iter().filter(is_post);
    let mut cards = Vec::new();
    for id in posted.filter_map(|event| event.refs.result_id) {
        cards.extend(card(client, &id).await?);
    }
    Ok(cards)
}

/// Returns the cards that are not archived, the newest first.
async fn cards(client: &Client) -> Result<Vec<InboxCard>, ClientError> {
    Ok(client.cards(&InboxListArguments::default(), CARDS_MAX).await?.items)
}

/// Returns a card, unless it is gone.
async fn card(client: &Client, id: &ResultId) -> Result<Option<InboxCard>, ClientError> {
    match client.card(id).await {
        Ok(card) => Ok(Some(card)),
        Err(ClientError::Refused(error)) if error.code == ErrorCode::DomainNotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns the cards that are new or in another state than is known.
async fn changed_cards(
    client: &Client,
    known: &mut CardStates,
) -> Result<Vec<InboxCard>, ClientError> {
    let present = cards(client).await?;
    let mut gone = std::mem::take(known);
    let mut changed = Vec::new();
    for card in present.into_iter().rev() {
        let before = gone.remove(&card.result_id);
        known.insert(card.result_id.clone(), card.state.clone());
        if before.as_ref() != Some(&card.state) {
            changed.push(card);
        }
    }
    // What is not listed any more is archived, or one of the oldest.
    for id in gone.into_keys() {
        let archived = card(client, &id).await?;
        changed.extend(archived.filter(|it| it.state == OpenEnum::Known(CardState::Archived)));
    }
    Ok(changed)
}
