//! Heartbeats: what may be made and changed, by whom, and what a parent should hear about it.
//!
//! Each change is planned before it is made, so that `heartbeat_describe` sees exactly what the
//! tools that write will do.

mod actions;
mod ages;
mod create;
mod faults;
mod fields;
mod roles;
mod schedule;
mod skills;
mod update;
mod warnings;

pub(super) use create::{Creation, look_up, plan as plan_creation};
pub(super) use faults::Faults;
pub(super) use fields::{CREATE, PATCH, UPDATE};
pub(super) use schedule::{cadence, next_fire, of_heartbeat};
pub(super) use skills::missing_inputs;
pub(super) use update::{Change, MemberChange, plan as plan_change};
pub(super) use warnings::{Planned, warnings};

use super::failure::Failure;
use super::store::{FamilyId, Heartbeat, HeartbeatList, HeartbeatState, Reader};

/// How many heartbeats are read at once.
const READ_AT_ONCE: usize = 500;

/// The heartbeats of a family that fire.
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
