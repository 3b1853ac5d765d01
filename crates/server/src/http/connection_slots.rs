//! The slots of connections: which ones are open, and which one is closed for a new one.
//!
//! Every new connection is accepted at once, since only its first request can have a token. Those
//! without a token have slots of their own. When these are in use, the oldest of these connections is
//! closed for the new one, but only if what it sent was read; while all of them wait to be read,
//! which takes no longer than to read them, the new one waits, too.
//!
//! Connections with a token are shared out among the tokens: one makes room for another only if its
//! token has no fewer of them, the longest idle one of the token with the most first. One that is in use
//! is closed only if its token has the most by far, so that no token can keep the others out.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::Notify;

use super::limits::Limits;
use crate::mutex::lock;

/// The slots of a server.
#[derive(Debug)]
pub(super) struct ConnectionSlots {
    limits: Limits,
    registry: Mutex<Registry>,
    /// Notified when a new connection that waits for a slot may try again.
    changed: Notify,
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
    /// The token, as its hash; none as long as no known one was sent.
    token: Option<TokenHash>,
    closing: Arc<Notify>,
}

type TokenHash = [u8; 32];

/// The connections of one token.
#[derive(Debug, Default)]
struct Holding {
    count: usize,
    /// The one that is idle for the longest time: since when, and its id.
    longest_idle: Option<(u64, u64)>,
    /// The id of the oldest one that is in use.
    oldest_in_use: Option<u64>,
}

/// How far a connection is trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trust {
    /// It has sent something that is still to be read.
    Unread,
    /// It has sent no token yet; a request is being checked, which may have one.
    Asking,
    /// It has sent no token, though all that it has sent was read, or a request was answered.
    Unauthenticated,
    /// It has sent a known token; no request is being answered since that tick.
    Idle(u64),
    /// It has sent a known token; a request is being answered.
    InUse,
}

/// The slot of one connection, which is free again when this is dropped.
#[derive(Debug)]
pub(super) struct ConnectionSlot {
    slots: Arc<ConnectionSlots>,
    id: u64,
    closing: Arc<Notify>,
}

/// Keeps a connection from being closed while its request is answered.
#[derive(Debug)]
pub(super) struct InUse<'a>(&'a ConnectionSlot);

impl ConnectionSlots {
    pub(super) fn new(limits: Limits) -> Arc<Self> {
        Arc::new(Self { limits, registry: Mutex::default(), changed: Notify::new() })
    }

    /// Returns the slot of a new connection, for which another one may be closed.
    pub(super) async fn admit(self: &Arc<Self>, peer: IpAddr, has_sent: bool) -> ConnectionSlot {
        loop {
            if let Some(slot) = self.try_admit(peer, has_sent) {
                return slot;
            }
            self.changed.notified().await;
        }
    }

    fn try_admit(self: &Arc<Self>, peer: IpAddr, has_sent: bool) -> Option<ConnectionSlot> {
        let mut registry = self.registry();
        if registry.count(Trust::is_without_token) >= self.limits.unauthenticated_max {
            let oldest = registry.oldest_of_most_crowded_peer()?;
            registry.close(oldest);
        }
        let id = registry.tick();
        let closing = Arc::new(Notify::new());
        let occupant = Occupant {
            peer: network(peer),
            trust: if has_sent { Trust::Unread } else { Trust::Unauthenticated },
            token: None,
            closing: Arc::clone(&closing),
        };
        registry.open.insert(id, occupant);
        Some(ConnectionSlot { slots: Arc::clone(self), id, closing })
    }

    fn registry(&self) -> MutexGuard<'_, Registry> {
        lock(&self.registry)
    }
}

impl ConnectionSlot {
    /// Waits until the connection has to be closed for another one.
    pub(super) async fn wait_for_close(&self) {
        self.closing.notified().await;
    }

    /// Records that everything that the connection has sent was read, and is not a whole request.
    pub(super) fn record_all_read(&self) {
        self.end_turn(Trust::Unread);
    }

    /// Records that a request has arrived. Returns `true` if the connection has sent no known token
    /// before; then [`Self::record_answer`] has to follow.
    pub(super) fn record_request(&self) -> bool {
        let mut registry = self.slots.registry();
        let occupant = registry.open.get_mut(&self.id);
        let Some(occupant) = occupant.filter(|occupant| occupant.trust.is_without_token()) else {
            return false;
        };
        occupant.trust = Trust::Asking;
        true
    }

    /// Records that a request was answered.
    pub(super) fn record_answer(&self) {
        self.end_turn(Trust::Asking);
    }

    fn end_turn(&self, from: Trust) {
        let mut registry = self.slots.registry();
        if registry.open.get(&self.id).is_some_and(|occupant| occupant.trust == from) {
            registry.set(self.id, Trust::Unauthenticated);
            self.slots.changed.notify_one();
        }
    }

    /// Records that the connection has sent a known token, with this hash, and that its request is
    /// being answered. Returns `None` if there is no room for it among the connections with a token.
    pub(super) fn authenticate(&self, token: TokenHash) -> Option<InUse<'_>> {
        let mut registry = self.slots.registry();
        // It is not open any more if it was closed for another one a moment ago.
        let is_new = registry.open.get(&self.id)?.trust.is_without_token();
        let is_authenticated = |trust: Trust| !trust.is_without_token();
        if is_new && registry.count(is_authenticated) >= self.slots.limits.authenticated_max {
            let closed = registry.room_for(token)?;
            registry.close(closed);
        }
        registry.set(self.id, Trust::InUse);
        if let Some(occupant) = registry.open.get_mut(&self.id) {
            occupant.token = Some(token);
        }
        self.slots.changed.notify_one();
        Some(InUse(self))
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.slots.registry().open.remove(&self.id);
        self.slots.changed.notify_one();
    }
}

impl Drop for InUse<'_> {
    fn drop(&mut self) {
        let mut registry = self.0.slots.registry();
        let now = registry.tick();
        registry.set(self.0.id, Trust::Idle(now));
    }
}

impl Trust {
    fn is_without_token(self) -> bool {
        matches!(self, Self::Unread | Self::Asking | Self::Unauthenticated)
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

    fn close(&mut self, id: u64) {
        if let Some(occupant) = self.open.remove(&id) {
            occupant.closing.notify_one();
        }
    }

    /// Returns the oldest connection that had its turn and sent no token, of the peer that has
    /// the most of them: a peer with few keeps them however many another one opens.
    fn oldest_of_most_crowded_peer(&self) -> Option<u64> {
        let mut peers: HashMap<IpAddr, (usize, Reverse<u64>)> = HashMap::new();
        for (id, occupant) in &self.open {
            if occupant.trust == Trust::Unauthenticated {
                peers.entry(occupant.peer).or_insert((0, Reverse(*id))).0 += 1;
            }
        }
        peers.into_values().max().map(|(_, Reverse(oldest))| oldest)
    }

    /// Returns the connection that makes room for another one of a token.
    fn room_for(&self, token: TokenHash) -> Option<u64> {
        let holdings = self.holdings();
        let own = holdings.get(&token).map_or(0, |holding| holding.count);
        let others = holdings.values().filter(|holding| holding.count >= own);
        let idle = others.clone().filter_map(|holding| Some((holding, holding.longest_idle?)));
        if let Some((_, (_, id))) =
            idle.max_by_key(|(holding, idle)| (holding.count, Reverse(*idle)))
        {
            return Some(id);
        }
        let most = others.max_by_key(|holding| holding.count)?;
        if most.count > own + 1 { most.oldest_in_use } else { None }
    }

    fn holdings(&self) -> HashMap<TokenHash, Holding> {
        let mut holdings: HashMap<TokenHash, Holding> = HashMap::new();
        for (id, occupant) in &self.open {
            let Some(token) = occupant.token else { continue };
            let holding = holdings.entry(token).or_default();
            holding.count += 1;
            match occupant.trust {
                Trust::Idle(since) => {
                    let idle = (since, *id);
                    holding.longest_idle =
                        Some(holding.longest_idle.map_or(idle, |other| other.min(idle)));
                }
                _ => holding.oldest_in_use = holding.oldest_in_use.or(Some(*id)),
            }
        }
        holdings
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
