//! The heartbeats of a skill that is not on the server yet, which cannot describe them.

use std::sync::Arc;

use jiff::Timestamp;

use super::existing_schedules::ExistingSchedules;
use super::plan::PushItem;
use crate::cli::error::CommandError;
use crate::cli::remote::heartbeat::authored::AuthoredSkill;
use crate::cli::remote::heartbeat::plan::HeartbeatItem;
use crate::cli::remote::session::Session;
use dibber_client::publish::{
    ForeignChanges, HeartbeatCreation, HeartbeatStep, PlannedHeartbeat, Published, UndoneHeartbeat,
};
use dibber_schedule::{ClockFormat, Cron, Schedule, zone};
use dibber_skill::contract::{
    DescribedWarning, HeartbeatDescription, HeartbeatPreview, HeartbeatWarning, SkillId,
    TIME_ZONE_DEFAULT,
};
use dibber_skill::draft::cadence;
use dibber_skill::manifest::Heartbeat;

/// Plans the heartbeats of a skill that this push creates, as far as its files describe them.
pub(super) fn plan(
    item: &PushItem,
    existing: &ExistingSchedules,
    session: &Session,
) -> Result<Vec<HeartbeatItem>, CommandError> {
    let Some(draft) = &item.draft else { return Ok(Vec::new()) };
    let directory = draft.key.skill_directory();
    let published = Published::default();
    let skill = AuthoredSkill {
        directory: &directory,
        drafted: item.review.drafted(),
        key: &draft.key,
        published: &published,
    };
    let label = item.review.preview.as_ref().map_or("", |preview| preview.name.as_str());
    let planned = skill.heartbeats().iter().map(|heartbeat| {
        let mut create = skill.arguments(heartbeat);
        let unsent = session.wait(session.client.take_unsent(&mut create))?;
        let creation = HeartbeatCreation {
            create: Box::new(create),
            description: description(heartbeat, label, existing),
            replaced: None,
            is_paused: false,
            existing: Arc::default(),
            foreign_changes: ForeignChanges::Block,
            undoes: UndoneHeartbeat::Nothing,
            possible_duplicate: None,
        };
        let (name, step) = (heartbeat.name.value.clone(), HeartbeatStep::Create(creation));
        let planned = PlannedHeartbeat { name, key: None, unsent, step };
        Ok(HeartbeatItem { path: Some(item.review.path.clone()), planned })
    });
    planned.collect()
}

/// Returns when a heartbeat fires, as far as its file says it.
fn description(
    heartbeat: &Heartbeat,
    label: &str,
    existing: &ExistingSchedules,
) -> HeartbeatDescription {
    let wire = heartbeat.wire_schedule();
    let (cron, tz) = (wire.cron.as_str(), wire.time_zone.as_deref());
    let schedule = Cron::parse(cron).ok().zip(zone(tz.unwrap_or(TIME_ZONE_DEFAULT)).ok());
    let schedule = schedule.map(|(cron, zone)| Schedule { cron, zone });
    let is_simultaneous = schedule.as_ref().is_some_and(|it| existing.fire_with(it));
    let conflict = DescribedWarning::Known(HeartbeatWarning::ScheduleConflict);
    let next = schedule.and_then(|schedule| {
        let next = schedule.next(Timestamp::now())?.at.to_zoned(schedule.zone);
        Some(next.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string())
    });
    HeartbeatDescription {
        cadence_text: cadence(cron, tz, ClockFormat::default()).unwrap_or_else(|| cron.to_owned()),
        next_fire_at: next,
        preview: HeartbeatPreview {
            kind: "skill".to_owned(),
            skill_id: SkillId::default(),
            name: label.to_owned(),
        },
        warnings: is_simultaneous.then_some(conflict).into_iter().collect(),
    }
}
