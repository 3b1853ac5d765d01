//! Heartbeats: what may be created and changed, by whom, and what a parent should hear about it.
//!
//! Each change is planned before it is written, so that `heartbeat_describe` sees exactly what the
//! tools that write will do.

mod actions;
mod ages;
mod create;
mod roles;
mod schedule;
mod skills;
mod update;
mod warnings;

pub(super) use actions::parse as parse_change;
pub(super) use create::{
    Creation, add_safety_reasons, check_skills, plan as plan_creation, resolve, review_in_words,
};
pub(super) use schedule::{in_words, next_fire};
pub(super) use update::{MemberChange, PlannedUpdate, plan as plan_change};
pub(super) use warnings::{PlannedHeartbeat, warnings};
