//! The resources that a client watches while it is connected.

use std::sync::Mutex;
use std::time::Duration;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use tokio::sync::Notify;
use tokio::time::sleep;

use super::access::{self, RefusedResource};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::mutex::lock;
use crate::server::Server;
use crate::store::{Reader, Resource, StoreError, StoreExt, Subscriber};
use crate::times;

/// The most resources that one client watches.
pub(crate) const WATCHED_MAX: usize = 64;

/// How long after midnight a new day is reported, so that no clock is still on the day before.
const AFTER_MIDNIGHT: Duration = Duration::from_secs(1);

/// The longest time for which the next day is waited for at once: the clock of a wait stops while the
/// machine sleeps.
const DAY_CHECK: Duration = Duration::from_mins(1);

/// What a client watches.
pub(crate) struct Watch {
    server: Server,
    caller: Caller,
    subscriber: Subscriber,
    zone: TimeZone,
    /// The day of the family that was reported last.
    reported_day: Mutex<Date>,
    /// Notified when a resource was added.
    added: Notify,
}

impl Server {
    /// Lets a caller watch resources.
    pub(crate) async fn watch(&self, caller: Caller) -> Result<Watch, Failure> {
        let family = caller.family.clone();
        let zone = self.store.read(move |store| times::family_zone(store, &family)).await?;
        let subscriber = self.store.changes().subscribe(&caller.family);
        let (server, added) = (self.clone(), Notify::new());
        let reported_day = Mutex::new(begun_day(self.now(), &zone).date());
        Ok(Watch { server, caller, subscriber, zone, reported_day, added })
    }
}

impl Watch {
    /// Watches further resources. Every change that is committed after this is reported.
    pub(crate) async fn add(&self, uris: Vec<String>) -> Result<(), RefusedResource> {
        let caller = self.caller.clone();
        let find = move |store: &dyn Reader| access::find_all(store, &caller, &uris);
        let resources = self.server.store.read(find).await?;
        let watched = self.subscriber.resources();
        let new = resources.into_iter().enumerate().filter(|(_, it)| !watched.contains(it));
        let (indices, new): (Vec<_>, Vec<_>) = new.unzip();
        let first_too_many = indices.get(WATCHED_MAX - watched.len()).copied();
        if first_too_many.is_some() || self.subscriber.watch(&new).is_err() {
            let message = "too many resources are watched";
            let fix = "watch fewer of them, or end a subscription first";
            let failure = Failure::bad_input("TOO_MANY_WATCHED", message, fix);
            return Err(RefusedResource { index: first_too_many, failure });
        }
        let (family, watched) = (self.caller.family.clone(), new.clone());
        let read = move |store: &dyn Reader| {
            let versions = watched.iter().map(|it| store.version(&family, it));
            Ok::<_, StoreError>((versions.collect::<Result<Vec<_>, _>>()?, store.newest_version()?))
        };
        let (versions, newest) = self.server.store.read(read).await?;
        for (resource, version) in new.iter().zip(versions) {
            self.subscriber.set_known(resource, version);
        }
        self.server.store.follow(newest);
        self.added.notify_one();
        Ok(())
    }

    /// Stops watching a resource; returns `true` if it was watched.
    pub(crate) fn remove(&self, uri: &str) -> bool {
        Resource::from_uri(uri).is_some_and(|resource| self.subscriber.unwatch(&resource))
    }

    /// Reports everything that is watched as if it had changed.
    pub(crate) fn report_all(&self) {
        self.subscriber.report(|_| true);
    }

    /// Waits until a resource has changed, and returns its URI. A future that is dropped before it is
    /// ready takes nothing away.
    pub(crate) async fn next(&self) -> String {
        loop {
            let until_check = self.report_day();
            tokio::select! {
                biased;
                changed = self.subscriber.next() => return changed.to_string(),
                () = self.added.notified() => {}
                () = sleep(until_check.unwrap_or(Duration::MAX)), if until_check.is_some() => {}
            }
        }
    }

    /// Reports a day that is watched, if another one has begun since it was reported; returns when to
    /// check it again.
    fn report_day(&self) -> Option<Duration> {
        let is_day = |resource: &Resource| matches!(resource, Resource::Today(_));
        if !self.subscriber.resources().iter().any(is_day) {
            return None;
        }
        let now = begun_day(self.server.now(), &self.zone);
        let reported = std::mem::replace(&mut *lock(&self.reported_day), now.date());
        if reported != now.date() {
            self.subscriber.report(is_day);
        }
        let midnight = now.tomorrow().and_then(|day| day.start_of_day()).ok()?;
        let time = midnight.timestamp().duration_since(now.timestamp()).unsigned_abs();
        Some(time.min(DAY_CHECK))
    }
}

/// Returns a time on the day that is reported at `now`.
fn begun_day(now: Timestamp, zone: &TimeZone) -> Zoned {
    let before = now.checked_sub(AFTER_MIDNIGHT).unwrap_or(now);
    before.to_zoned(zone.clone())
}
