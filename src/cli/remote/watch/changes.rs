//! What has changed since it was read last.
//!
//! A version says that a resource has changed, and not how. Of the activity and the inbox, the server
//! is asked for what came after what is known, so that several changes between two answers are all
//! found.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Map, Value};

use dibber_client::{Client, ClientError};
use dibber_skill::contract::{
    ACTIVITY_URI, ActivityEvent, CardState, ErrorCode, INBOX_URI, InboxCard, InboxListArguments,
    OpenEnum, ResourceVersion, ResourceWaitArguments, ResultId, WatchedResource,
};

/// The most cards of the inbox that are compared, the newest ones.
const CARDS_MAX: usize = 2_000;
/// The event before the first one.
const BEFORE_ALL: &str = "ev_0";
/// The reason of an error: the server has no event with this id any more.
const UNKNOWN_EVENT: &str = "UNKNOWN_EVENT";

/// What is watched, and what is known of it.
pub(super) struct Watched {
    resources: Vec<WatchedResource>,
    /// The id of the newest event.
    event: Option<String>,
    cards: Option<BTreeMap<ResultId, OpenEnum<CardState>>>,
}

/// A change of a resource.
pub(super) struct Change {
    pub(super) uri: String,
    pub(super) version: String,
    pub(super) news: News,
}

/// What has changed.
pub(super) enum News {
    /// What has happened, the oldest first.
    Events(Vec<ActivityEvent>),
    /// The cards that are new, or in another state, the oldest first.
    Cards(Vec<InboxCard>),
    /// What the resource contains now.
    State(Map<String, Value>),
}

impl Watched {
    /// Reads what is there, so that what comes after it is news.
    pub(super) async fn begin(client: &Client, uris: &[String]) -> Result<Self, ClientError> {
        let resource = |uri: &String| WatchedResource { uri: uri.clone(), since_version: None };
        let mut watched =
            Self { resources: uris.iter().map(resource).collect(), event: None, cards: None };
        let wait = watched.arguments(Duration::ZERO, false);
        watched.set_versions(&client.resource_wait(&wait).await?.resources);
        if uris.iter().any(|uri| uri == ACTIVITY_URI) {
            watched.event = Some(newest_event(client).await?);
        }
        if uris.iter().any(|uri| uri == INBOX_URI) {
            let cards = cards(client).await?.into_iter();
            watched.cards = Some(cards.map(|card| (card.result_id, card.state)).collect());
        }
        Ok(watched)
    }

    /// Waits for changes, for so long at most. If this fails, the next call returns them.
    pub(super) async fn next(
        &mut self,
        client: &Client,
        time: Duration,
    ) -> Result<Vec<Change>, ClientError> {
        let answer = client.resource_wait(&self.arguments(time, true)).await?;
        let stale = answer.resources.iter().filter(|resource| resource.changed);
        let mut changes = Vec::new();
        let (mut events, mut new_cards) = (self.event.clone(), self.cards.clone());
        for ResourceVersion { uri, version, state, .. } in stale {
            let news = match (uri.as_str(), &mut events, &mut new_cards) {
                (ACTIVITY_URI, Some(last), _) => News::Events(events_after(client, last).await?),
                (INBOX_URI, _, Some(known)) => News::Cards(changed_cards(client, known).await?),
                _ => News::State(state.clone().unwrap_or_default()),
            };
            let is_empty = match &news {
                News::Events(events) => events.is_empty(),
                News::Cards(cards) => cards.is_empty(),
                News::State(_) => false,
            };
            if !is_empty {
                changes.push(Change { uri: uri.clone(), version: version.clone(), news });
            }
        }
        // Only now is all of it known.
        (self.event, self.cards) = (events, new_cards);
        self.set_versions(&answer.resources);
        Ok(changes)
    }

    fn arguments(&self, time: Duration, has_state: bool) -> ResourceWaitArguments {
        ResourceWaitArguments {
            resources: self.resources.clone(),
            timeout_ms: Some(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
            include_state: has_state.then_some(true),
        }
    }

    fn set_versions(&mut self, versions: &[ResourceVersion]) {
        for (resource, known) in self.resources.iter_mut().zip(versions) {
            resource.since_version = Some(known.version.clone());
        }
    }
}

async fn newest_event(client: &Client) -> Result<String, ClientError> {
    let newest = client.latest_activity(1).await?;
    let id = newest.items.first().map(|event| event.event_id.as_str().to_owned());
    Ok(id.unwrap_or_else(|| BEFORE_ALL.to_owned()))
}

/// Returns the events after the last one that is known. If the server does not have that one any
/// more, as after a restoration of its database, the newest one is known from then on.
async fn events_after(
    client: &Client,
    last: &mut String,
) -> Result<Vec<ActivityEvent>, ClientError> {
    let events = match client.activity_since(last).await {
        Err(ClientError::Refused(error)) if error.reason.as_deref() == Some(UNKNOWN_EVENT) => {
            *last = newest_event(client).await?;
            return Ok(Vec::new());
        }
        events => events?.items,
    };
    if let Some(newest) = events.last() {
        newest.event_id.as_str().clone_into(last);
    }
    Ok(events)
}

/// Returns the cards that are not archived, the newest first.
async fn cards(client: &Client) -> Result<Vec<InboxCard>, ClientError> {
    Ok(client.cards(&InboxListArguments::default(), CARDS_MAX).await?.items)
}

/// Returns the cards that are new or in another state than is known.
async fn changed_cards(
    client: &Client,
    known: &mut BTreeMap<ResultId, OpenEnum<CardState>>,
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
        match client.card(&id).await {
            Ok(card) if card.state == OpenEnum::Known(CardState::Archived) => changed.push(card),
            Ok(_) => {}
            Err(ClientError::Refused(error)) if error.code == ErrorCode::DomainNotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(changed)
}
