//! Heartbeats: what may be created and changed, by whom, and what a parent should hear about it.
//!
//! Each change is planned before it is written, so that `heartbeat_describe` sees exactly what the
//! tools that write will do.

mod actions;
mod ages;
mod create;
mod problems;
mod roles;
mod schedule;
mod skills;
mod update;
mod warnings;

pub(super) use create::{Creation, plan as plan_creation, resolve};
pub(super) use problems::Problems;
pub(super) use schedule::{cadence, next_fire, schedule_of};
pub(super) use skills::missing_inputs;
pub(super) use update::{MemberChange, PlannedUpdate, plan as plan_change};
pub(super) use warnings::{PlannedHeartbeat, warnings};

use super::failure::Failure;
use super::store::{FamilyId, Heartbeat, HeartbeatList, HeartbeatState, Reader};

/// The heartbeats that are read from the store at once.
const READ_AT_ONCE: usize = 500;

/// Returns the heartbeats of a family that fire.
fn active(store: &dyn Reader, family: &FamilyId) -> Result<Vec<Heartbeat>, Failure> {
    let mut active = Vec::new();
    let mut after = None;
    loop {
        let page = store.heartbeats(family, &HeartbeatList { after, limit: READ_AT_ONCE })?;
        let Some(last) = page.last() else { return Ok(active) };
        after = Some(last.id.clone());
        active.extend(page.into_iter().filter(|it| it.state == HeartbeatState::Active));
    }
}
