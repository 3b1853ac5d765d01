//! Waiting for changes again and again.

use std::time::Duration;

use tokio::time::Instant;

use super::super::client::Client;
use super::super::error::ClientError;
use super::change::{ResourceChange, WatchEvent};
use super::interruption::Interruption;
use super::subject::{Subject, SubjectNews};
use dibber_skill::contract::{
    ACTIVITY_URI, RESOURCE_WAIT, ResourceVersion, ResourceWaitArguments, WAIT_MILLISECONDS_MAX,
    WatchedResource,
};

/// How long to wait between two questions to a server that does not report changes.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// Watches resources of a server.
///
/// It waits for changes with the tool `resource_wait`. A server without that tool is asked every few
/// seconds for what is new in its activity and its inbox. After an interruption, what has changed
/// meanwhile is returned; a change has a gap if the server does not have all of it any more.
pub struct Watcher<'a> {
    client: &'a Client,
    /// Whether the server has the tool that waits.
    can_wait: bool,
    subjects: Vec<Subject>,
    interruption: Interruption,
    /// What has changed during an interruption, and was not returned yet.
    pending: Vec<ResourceChange>,
}

impl<'a> Watcher<'a> {
    /// Reads what is there of these resources: what comes after it is a change.
    ///
    /// # Errors
    /// If a resource cannot be read; [`ClientError::NoTool`] if the server does not report the changes
    /// of one.
    pub async fn of_resources(client: &'a Client, uris: &[String]) -> Result<Self, ClientError> {
        let mut watcher = Self::new(client).await?;
        let versions = watcher.versions(uris).await?;
        for (uri, version) in uris.iter().zip(versions) {
            watcher.subjects.push(Subject::resource(client, uri.clone(), version).await?);
        }
        if !watcher.can_wait && watcher.subjects.iter().any(Subject::has_state) {
            return Err(ClientError::NoTool(RESOURCE_WAIT.to_owned()));
        }
        Ok(watcher)
    }

    /// Watches the cards that are posted from now on. They are changes of the activity.
    ///
    /// # Errors
    /// If the activity cannot be read.
    pub async fn of_posted_cards(client: &'a Client) -> Result<Self, ClientError> {
        let mut watcher = Self::new(client).await?;
        let version = watcher.versions(&[ACTIVITY_URI.to_owned()]).await?.swap_remove(0);
        watcher.subjects.push(Subject::posted_cards(client, version).await?);
        Ok(watcher)
    }

    async fn new(client: &'a Client) -> Result<Self, ClientError> {
        let can_wait = client.can_wait_for_changes().await?;
        let interruption = Interruption::default();
        Ok(Self { client, can_wait, subjects: Vec::new(), interruption, pending: Vec::new() })
    }

    /// Returns the present versions of resources, if the server reports versions.
    async fn versions(&self, uris: &[String]) -> Result<Vec<Option<String>>, ClientError> {
        if !self.can_wait {
            return Ok(vec![None; uris.len()]);
        }
        let resource = |uri: &String| WatchedResource { uri: uri.clone(), since_version: None };
        let wait = ResourceWaitArguments {
            resources: uris.iter().map(resource).collect(),
            timeout_ms: Some(0),
            include_state: None,
        };
        let resources = self.client.resource_wait(&wait).await?.resources;
        Ok(resources.into_iter().map(|resource| Some(resource.version)).collect())
    }

    /// Waits for the next event, for so long at most; without a limit, until there is one.
    ///
    /// # Errors
    /// If the server refuses, or fails several times in a row.
    pub async fn next(
        &mut self,
        limit: Option<Duration>,
    ) -> Result<Option<WatchEvent>, ClientError> {
        if !self.pending.is_empty() {
            return Ok(Some(WatchEvent::Changes(std::mem::take(&mut self.pending))));
        }
        let end = limit.and_then(|limit| Instant::now().checked_add(limit));
        let left =
            || end.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()));
        while !left().is_zero() {
            tokio::time::sleep(self.pause().min(left())).await;
            // That the server answers again is reported at once, and not at the next change.
            let time = if self.interruption.is_open() { Duration::ZERO } else { left() };
            let changes = match self.read_changes(time).await {
                Ok(changes) => changes,
                Err(error) => match self.interruption.count(error)? {
                    Some(reason) => return Ok(Some(WatchEvent::Interrupted(reason))),
                    None => continue,
                },
            };
            if self.interruption.end() {
                self.pending = changes;
                return Ok(Some(WatchEvent::Resumed));
            }
            if !changes.is_empty() {
                return Ok(Some(WatchEvent::Changes(changes)));
            }
        }
        Ok(None)
    }

    /// Returns how long to wait before the server is asked.
    fn pause(&self) -> Duration {
        let pause = self.interruption.pause(self.client.options().retry.max);
        if self.can_wait { pause } else { pause.max(POLL_INTERVAL) }
    }

    /// Returns what has changed, as soon as something has, or at the end of the time. If this fails,
    /// the next call returns it.
    async fn read_changes(&mut self, time: Duration) -> Result<Vec<ResourceChange>, ClientError> {
        let answers = self.wait(time).await?;
        let mut subjects = self.subjects.clone();
        let mut changes = Vec::new();
        for (subject, answer) in subjects.iter_mut().zip(answers) {
            if answer.as_ref().is_some_and(|answer| !answer.changed) {
                continue;
            }
            let (version, state) = answer.map(|answer| (answer.version, answer.state)).unzip();
            subject.version = version;
            let SubjectNews { news, has_gap } =
                subject.read_news(self.client, state.flatten()).await?;
            if has_gap || !news.is_empty() {
                let (uri, version) = (subject.uri.clone(), subject.version.clone());
                changes.push(ResourceChange { uri, version, has_gap, news });
            }
        }
        // Only now is all of it known.
        self.subjects = subjects;
        Ok(changes)
    }

    /// Waits for other versions than are known, and returns the present ones; none of a server that does
    /// not report versions. One call has to be answered before the timeout of the client.
    async fn wait(&self, time: Duration) -> Result<Vec<Option<ResourceVersion>>, ClientError> {
        if !self.can_wait {
            return Ok(vec![None; self.subjects.len()]);
        }
        let time_max = Duration::from_millis(WAIT_MILLISECONDS_MAX);
        let time = time.min(time_max).min(self.client.options().timeout / 2);
        let resources = self.subjects.iter().map(|subject| WatchedResource {
            uri: subject.uri.clone(),
            since_version: subject.version.clone(),
        });
        let wait = ResourceWaitArguments {
            resources: resources.collect(),
            timeout_ms: u64::try_from(time.as_millis()).ok(),
            include_state: self.subjects.iter().any(Subject::has_state).then_some(true),
        };
        let resources = self.client.resource_wait(&wait).await?.resources;
        Ok(resources.into_iter().map(Some).collect())
    }
}
