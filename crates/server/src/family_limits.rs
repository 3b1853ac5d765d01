//! How much a family may have: one token must not fill the disk for all families of a server.

use super::failure::Failure;

/// The most skills of a family, archived ones included.
pub const FAMILY_SKILLS_MAX: usize = 10_000;

/// The most heartbeats of a family that are not cancelled.
pub const FAMILY_HEARTBEATS_MAX: usize = 1_000;

/// The most cancelled heartbeats of a family; one that is cancelled takes the place of the one that
/// was cancelled first.
pub const FAMILY_CANCELLED_MAX: usize = 1_000;

/// The most results in the inbox of a family; a new one takes the place of the oldest.
pub const FAMILY_RESULTS_MAX: usize = 10_000;

/// The most events in the activity of a family; a new one takes the place of the oldest.
pub const FAMILY_EVENTS_MAX: usize = 10_000;

/// Refuses another skill of a family that has so many.
pub(super) fn check_skills(count: usize) -> Result<(), Failure> {
    let fix = "change a skill that is not used any more with skill_update; skill_archive with \
               archived false unarchives one";
    check(count, FAMILY_SKILLS_MAX, "skills, archived ones included", fix)
}

/// Refuses another heartbeat of a family that has so many.
pub(super) fn check_heartbeats(count: usize) -> Result<(), Failure> {
    let fix = "cancel a heartbeat that is not needed with heartbeat_update";
    check(count, FAMILY_HEARTBEATS_MAX, "heartbeats", fix)
}

fn check(count: usize, max: usize, what: &str, fix: &str) -> Result<(), Failure> {
    if count < max {
        return Ok(());
    }
    let message = format!("the family has {count} {what}, and the maximum is {max}");
    Err(Failure::bad_input("FAMILY_LIMIT", message, fix))
}
