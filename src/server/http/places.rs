//! The places of connections: which ones are open, and which one makes room for another.
//!
//! Every new connection is let in at once, since only its first request can show a token. Those
//! without a token have places of their own; when these are taken, one of them is closed for the
//! newcomer, if possible one that had its turn. A connection with a token is closed for another
//! one only while it is idle.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::Limits;

/// The places of a server.
#[derive(Debug)]
pub(super) struct Places {
    limits: Limits,
    registry: Mutex<Registry>,
}

#[derive(Debug, Default)]
struct Registry {
    /// Counts admissions and requests.
    ticks: u64,
    /// By the tick of their admission, so from the oldest to the newest.
    open: BTreeMap<u64, Occupant>,
}

#[derive(Debug)]
struct Occupant {
    /// The address at the other end, as [`network`] gives it.
    peer: IpAddr,
    trust: Trust,
    closing: Arc<Notify>,
}

/// What a connection has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trust {
    /// Nothing yet, but it has sent something that is still to be read.
    Unread,
    /// No token, though all that it has sent was read, or one of its requests was answered.
    Unauthenticated,
    /// A known token; no request is being answered since that tick.
    Idle(u64),
    /// A known token; a request is being answered.
    InUse,
}

/// The place of one connection, which is free again when this is dropped.
#[derive(Debug)]
pub(super) struct Place {
    places: Arc<Places>,
    id: u64,
    closing: Arc<Notify>,
}

/// Keeps a connection from being closed while its request is answered.
#[derive(Debug)]
pub(super) struct InUse<'a>(&'a Place);

impl Places {
    pub(super) fn new(limits: Limits) -> Arc<Self> {
        Arc::new(Self { limits, registry: Mutex::default() })
    }

    /// Gives a new connection its place; closes another one if there is none.
    pub(super) fn admit(self: &Arc<Self>, peer: IpAddr, has_sent: bool) -> Place {
        let mut registry = self.registry();
        if registry.count(Trust::is_without_token) >= self.limits.unauthenticated_max {
            let closed = registry
                .oldest_of_most_crowded_peer(|trust| trust == Trust::Unauthenticated)
                .or_else(|| registry.oldest_of_most_crowded_peer(Trust::is_without_token));
            registry.close(closed);
        }
        let id = registry.tick();
        let closing = Arc::new(Notify::new());
        let occupant = Occupant {
            peer: network(peer),
            trust: if has_sent { Trust::Unread } else { Trust::Unauthenticated },
            closing: Arc::clone(&closing),
        };
        registry.open.insert(id, occupant);
        Place { places: Arc::clone(self), id, closing }
    }

    fn registry(&self) -> MutexGuard<'_, Registry> {
        self.registry.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    /// Returns when the connection has to make room for another one.
    pub(super) async fn closing(&self) {
        self.closing.notified().await;
    }

    /// Returns `true` if the connection has shown a known token.
    pub(super) fn is_authenticated(&self) -> bool {
        let registry = self.places.registry();
        registry.open.get(&self.id).is_some_and(|occupant| !occupant.trust.is_without_token())
    }

    /// Notes that the connection had its turn: what it has sent was read.
    pub(super) fn had_turn(&self) {
        let mut registry = self.places.registry();
        if registry.open.get(&self.id).is_some_and(|occupant| occupant.trust == Trust::Unread) {
            registry.set(self.id, Trust::Unauthenticated);
        }
    }

    /// Notes that the connection has shown a known token, and that its request is being answered.
    /// Returns `None` if every place of such connections is in use.
    pub(super) fn authenticate(&self) -> Option<InUse<'_>> {
        let mut registry = self.places.registry();
        // It is not open any more if it was closed for another one a moment ago.
        let is_new = registry.open.get(&self.id)?.trust.is_without_token();
        let is_authenticated = |trust: Trust| !trust.is_without_token();
        if is_new && registry.count(is_authenticated) >= self.places.limits.authenticated_max {
            let longest_idle = registry.longest_idle()?;
            registry.close(Some(longest_idle));
        }
        registry.set(self.id, Trust::InUse);
        Some(InUse(self))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.registry().open.remove(&self.id);
    }
}

impl Drop for InUse<'_> {
    fn drop(&mut self) {
        let mut registry = self.0.places.registry();
        let now = registry.tick();
        registry.set(self.0.id, Trust::Idle(now));
    }
}

impl Trust {
    fn is_without_token(self) -> bool {
        matches!(self, Self::Unread | Self::Unauthenticated)
    }
}

impl Registry {
    fn tick(&mut self) -> u64 {
        self.ticks += 1;
        self.ticks
    }

    fn count(&self, has: impl Fn(Trust) -> bool) -> usize {
        self.open.values().filter(|occupant| has(occupant.trust)).count()
    }

    fn set(&mut self, id: u64, trust: Trust) {
        if let Some(occupant) = self.open.get_mut(&id) {
            occupant.trust = trust;
        }
    }

    fn close(&mut self, id: Option<u64>) {
        if let Some(occupant) = id.and_then(|id| self.open.remove(&id)) {
            occupant.closing.notify_one();
        }
    }

    /// Returns the oldest of these connections of the peer that has the most of them, so that a
    /// peer with few keeps them however many another one opens.
    fn oldest_of_most_crowded_peer(&self, is_counted: impl Fn(Trust) -> bool) -> Option<u64> {
        let mut peers: HashMap<IpAddr, (usize, Reverse<u64>)> = HashMap::new();
        for (id, occupant) in &self.open {
            if is_counted(occupant.trust) {
                peers.entry(occupant.peer).or_insert((0, Reverse(*id))).0 += 1;
            }
        }
        peers.into_values().max().map(|(_, Reverse(oldest))| oldest)
    }

    fn longest_idle(&self) -> Option<u64> {
        let idle = self.open.iter().filter_map(|(id, occupant)| match occupant.trust {
            Trust::Idle(since) => Some((since, *id)),
            Trust::Unread | Trust::Unauthenticated | Trust::InUse => None,
        });
        idle.min().map(|(_, id)| id)
    }
}

/// Returns what counts as one peer: an IPv4 address, or an IPv6 network of 64 bits, of which one
/// machine usually has all addresses.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address @ IpAddr::V4(_) => address,
    }
}
