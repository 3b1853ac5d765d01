//! The labels of what results and events are about, which have only ids.

use std::collections::BTreeMap;

use dibber_skill::contract::{ActivityActor, ActivityEvent, HeartbeatId, InboxCard, SkillId};

use super::site::Site;
use crate::authorization::sign_in::BrowserSession;
use crate::failure::Failure;
use crate::store::{Reader, StoreError, StoreExt, StoreResult};

/// Labels of skills, schedules and grown-ups, by their ids: no two kinds have the same.
#[derive(Default)]
pub(super) struct Labels(BTreeMap<String, String>);

/// The ids whose labels are shown.
#[derive(Default)]
pub(super) struct Ids {
    skills: Vec<SkillId>,
    heartbeats: Vec<HeartbeatId>,
}

impl Ids {
    /// Adds what a result is about.
    pub(super) fn add_card(&mut self, card: &InboxCard) {
        self.skills.push(card.skill_id.clone());
    }

    /// Adds what an event is about.
    pub(super) fn add_event(&mut self, event: &ActivityEvent) {
        self.skills.extend(event.refs.skill_id.clone());
        self.heartbeats.extend(event.refs.heartbeat_id.clone());
    }

    /// Looks up the labels. What is gone or damaged has none.
    pub(super) async fn find(
        self,
        site: &Site,
        session: &BrowserSession,
    ) -> Result<Labels, Failure> {
        let family = session.family.clone();
        let read = move |store: &dyn Reader| -> Result<_, Failure> {
            let mut labels = Labels::default();
            for user in store.users(&family)?.rows {
                labels.0.insert(user.id.as_str().to_owned(), user.name);
            }
            for id in self.skills {
                if let Some(skill) = present(store.skill(&family, &id))? {
                    labels.0.insert(id.as_str().to_owned(), skill.written.name);
                }
            }
            for id in self.heartbeats {
                if let Some(heartbeat) = present(store.heartbeat(&family, &id))? {
                    labels.0.insert(id.as_str().to_owned(), heartbeat.name);
                }
            }
            Ok(labels)
        };
        site.server.store().read(read).await
    }
}

impl Labels {
    /// Returns the label of the skill of a result.
    pub(super) fn of_card(&self, card: &InboxCard) -> Option<&str> {
        self.get(card.skill_id.as_str())
    }

    /// Returns the label of what an event is about: its schedule, or else its skill.
    pub(super) fn of_event(&self, event: &ActivityEvent) -> Option<&str> {
        let heartbeat = event.refs.heartbeat_id.as_ref().and_then(|id| self.get(id.as_str()));
        let skill = || event.refs.skill_id.as_ref().and_then(|id| self.get(id.as_str()));
        heartbeat.or_else(skill)
    }

    /// Returns the name of who did something; none if it was the server.
    pub(super) fn of_actor(&self, event: &ActivityEvent) -> Option<&str> {
        match &event.actor {
            ActivityActor::User { user_id } => self.get(user_id.as_str()),
            ActivityActor::Server => None,
        }
    }

    fn get(&self, id: &str) -> Option<&str> {
        self.0.get(id).map(String::as_str)
    }
}

/// Returns a row, and none if it is damaged: the list has one label less.
fn present<T>(found: StoreResult<Option<T>>) -> Result<Option<T>, Failure> {
    match found {
        Err(StoreError::Damaged) => Ok(None),
        found => Ok(found?),
    }
}
