//! The inbox and the activity of a family. Other servers may not have them.

use serde_json::Value;

use super::client::Client;
use super::error::ClientError;
use super::listing::{Listed, Pages};
use super::retry_safety::RetrySafety;
use super::typed::{object, read_answer};
use dibber_skill::contract::{
    ACTIVITY_LIST, ActivityEvent, ActivityListArguments, INBOX_LIST, INBOX_UPDATE, InboxCard,
    InboxListArguments, InboxUpdate, InboxUpdated, PAGE_ITEMS_MAX, Page, ResultId,
};

/// The most pages of a list of cards or events.
const PAGES_MAX: usize = 1_000;

impl Client {
    /// Lists cards, the newest first, up to a limit.
    pub async fn cards(
        &self,
        filter: &InboxListArguments,
        limit: usize,
    ) -> Result<Listed<InboxCard>, ClientError> {
        let (mut listed, mut pages) = (Listed::empty(), Pages::new(INBOX_LIST));
        for _ in 0..PAGES_MAX {
            let page_limit = limit.saturating_sub(listed.items.len()).min(PAGE_ITEMS_MAX);
            if page_limit == 0 {
                break;
            }
            let cursor = listed.take_cursor(&mut pages)?;
            let page = InboxListArguments { cursor, limit: Some(page_limit), ..filter.clone() };
            let page: Page<Value> = self.typed(INBOX_LIST, object(&page)).await?;
            listed.append(Listed::from_page(page), &mut pages, |card: &InboxCard| {
                card.result_id.as_str()
            });
            if listed.next_cursor.is_none() {
                break;
            }
        }
        listed.items.truncate(limit);
        Ok(listed)
    }

    /// Returns a card with all of its data.
    pub async fn card(&self, id: &ResultId) -> Result<InboxCard, ClientError> {
        let arguments =
            InboxListArguments { result_id: Some(id.clone()), ..InboxListArguments::default() };
        let page: Page<InboxCard> = self.typed(INBOX_LIST, object(&arguments)).await?;
        let card = page.items.into_iter().find(|card| card.result_id == *id);
        card.ok_or_else(|| {
            ClientError::Protocol(format!("the answer of `{INBOX_LIST}` lacks the card `{id}`"))
        })
    }

    /// `inbox_update`. To set a state a second time changes nothing.
    pub async fn inbox_update(&self, update: &InboxUpdate) -> Result<InboxUpdated, ClientError> {
        let safety = RetrySafety::Idempotent;
        let answer = self.send(INBOX_UPDATE, &object(update), Some(safety)).await?;
        read_answer(INBOX_UPDATE, answer, safety)
    }

    /// Lists what has happened after an event, the oldest first.
    pub async fn activity_since(&self, since: &str) -> Result<Listed<ActivityEvent>, ClientError> {
        let (mut listed, mut pages) = (Listed::empty(), Pages::new(ACTIVITY_LIST));
        for _ in 0..PAGES_MAX {
            let cursor = listed.take_cursor(&mut pages)?;
            let since = Some(since.to_owned());
            let arguments = ActivityListArguments { since, cursor, limit: Some(PAGE_ITEMS_MAX) };
            let page: Page<Value> = self.typed(ACTIVITY_LIST, object(&arguments)).await?;
            listed.append(Listed::from_page(page), &mut pages, |event: &ActivityEvent| {
                event.event_id.as_str()
            });
            if listed.next_cursor.is_none() {
                break;
            }
        }
        Ok(listed)
    }

    /// Lists what has happened last, the newest first, up to a limit.
    pub async fn latest_activity(
        &self,
        limit: usize,
    ) -> Result<Listed<ActivityEvent>, ClientError> {
        let limit = Some(limit.clamp(1, PAGE_ITEMS_MAX));
        let arguments = ActivityListArguments { limit, ..ActivityListArguments::default() };
        let page: Page<Value> = self.typed(ACTIVITY_LIST, object(&arguments)).await?;
        Ok(Listed::from_page(page))
    }
}
