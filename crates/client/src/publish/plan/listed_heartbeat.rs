//! A heartbeat of a server as a file gets it, and what is recorded of it then.

use super::heartbeat_missed::{MISSED_FIRES, listed_missed_fires};
use super::heartbeat_pull_step::UnwrittenReason;
use super::heartbeat_run::{RUN, content_of, keep_recorded_run};
use super::pull::PullPlan;
use crate::publish::published::PublishedHeartbeat;
use dibber_skill::content_hash::heartbeat_field_hashes;
use dibber_skill::contract::{HeartbeatCreate, HeartbeatListItem};

/// Returns a heartbeat of the server for the skill of a pull, if all of it is known.
pub(super) fn complete(
    item: &HeartbeatListItem,
    record: Option<&PublishedHeartbeat>,
    plan: &PullPlan,
    optional_inputs: &[String],
) -> Result<HeartbeatCreate, UnwrittenReason> {
    let time_zone = item.tz.clone().ok_or(UnwrittenReason::TimeZone)?;
    let mut input = item.skill_input.clone().unwrap_or_default();
    for name in optional_inputs {
        input.entry(name.clone()).or_insert_with(|| "".into());
    }
    let create = HeartbeatCreate {
        name: item.name.clone(),
        cron: item.cron.clone(),
        tz: Some(time_zone),
        run_skill_id: plan.skill_id.clone(),
        child_id: item.child_id.clone(),
        skill_input: Some(input),
        missed_fires: listed_missed_fires(item),
        ..HeartbeatCreate::default()
    };
    let either = item.post_result_notify.map_or_else(|| vec![false, true], |posts| vec![posts]);
    let candidate = |posts| HeartbeatCreate { post_result_notify: Some(posts), ..create.clone() };
    let mut candidates = either.into_iter().map(candidate);
    let has_no_inputs = plan.content.input_variables.is_empty();
    let recorded = record.and_then(|record| record.fields.get(RUN));
    let is_exact = |create: &HeartbeatCreate| match (&item.content_hash, recorded) {
        (Some(hash), _) => *hash == content_of(create),
        (None, Some(run)) => heartbeat_field_hashes(create).get(RUN) == Some(run),
        (None, None) => item.skill_input.is_some() || has_no_inputs,
    };
    candidates.find(is_exact).ok_or(UnwrittenReason::Inputs)
}

/// Keeps what was recorded of the parts that a server does not list, or that are others here: what
/// was changed of them here is still to be published.
pub(super) fn keep_unlisted(
    left: &mut PublishedHeartbeat,
    record: &PublishedHeartbeat,
    item: &HeartbeatListItem,
    is_run_of_draft: bool,
) {
    let keep = |left: &mut PublishedHeartbeat, field: &str| {
        let recorded = record.fields.get(field);
        left.fields.extend(recorded.map(|hash| (field.to_owned(), hash.clone())));
    };
    if !is_run_of_draft {
        keep(left, RUN);
        keep_recorded_run(left, record);
        // A record without it has no fields.
        let hash = item.content_hash.as_ref().or(record.content_hash.as_ref());
        left.content_hash = hash.cloned();
    }
    if item.content_hash.is_none() && item.tz.is_none() {
        keep(left, "tz");
    }
    if listed_missed_fires(item).is_none() {
        keep(left, MISSED_FIRES);
    }
}
