//! The heartbeats of a pull in the text of `sprout.yaml`, and those that cannot be written there.

use super::heartbeat_content::{as_listed, in_form_of, record_of};
use super::heartbeat_pull_step::{
    HeartbeatConflict, HeartbeatConflictKind, UnwrittenHeartbeat, UnwrittenReason, new_heartbeat,
};
use super::heartbeat_run::has_equal_run;
use super::listed_heartbeat::{complete, keep_unlisted};
use super::pulled_heartbeats::Merger;
use crate::publish::manifest_text::HEADER;
use crate::publish::published::PublishedHeartbeat;
use dibber_skill::contract::{HeartbeatCreate, HeartbeatId, HeartbeatListItem, TIME_ZONE_DEFAULT};
use dibber_skill::draft::is_publishable_heartbeat;
use dibber_skill::manifest::{self, Heartbeat, MANIFEST_FILE_NAME};
use dibber_skill::revision::{HeartbeatRevision, revise_heartbeat, schedule_for};
use dibber_text::Source;

impl Merger<'_> {
    /// Writes a heartbeat of the server in the place of the one of the name `current`, with what it
    /// runs with. Returns `false` if that is not possible.
    pub(super) fn rewrite(
        &mut self,
        item: &HeartbeatListItem,
        current: &str,
        record: Option<&PublishedHeartbeat>,
    ) -> bool {
        if !self.is_of_skill(item) {
            return false;
        }
        let inputs = self.sides.optional_inputs;
        let complete = |record| complete(item, record, self.plan, inputs);
        let Ok(create) = complete(record).or_else(|_| complete(None)) else { return false };
        if !is_publishable_heartbeat(&create.name, &create.cron, create.tz.as_deref()) {
            return false;
        }
        let before = self.text.clone();
        let mut new = new_heartbeat(&create, inputs);
        if let Some(heartbeat) = self.in_text(current) {
            new.cron = schedule_for(&heartbeat, &new.cron, &new.time_zone);
        }
        let is_written = self.revise(&HeartbeatRevision::Remove { current: current.to_owned() })
            && !self.is_in_text(&create.name)
            && self.revise(&HeartbeatRevision::Add(new));
        if is_written {
            self.pulled.records.push((create.name.clone(), record_of(&create, item)));
        } else {
            self.text = before;
        }
        is_written
    }

    /// Writes a heartbeat to the file, where it has the name `current`, and records what the server
    /// has.
    pub(super) fn write(
        &mut self,
        item: &HeartbeatListItem,
        current: &str,
        wanted: &HeartbeatCreate,
        record: Option<&PublishedHeartbeat>,
    ) {
        if !is_publishable_heartbeat(&wanted.name, &wanted.cron, wanted.tz.as_deref()) {
            return self.conflict(current, HeartbeatConflictKind::Invalid, (None, Some(item)));
        }
        let formed = in_form_of(wanted, item, record);
        let listed = as_listed(wanted, &formed);
        let recorded_run = record.and_then(|record| record.fields.get("run"));
        let is_run_of_draft = has_equal_run(&listed, item, record);
        if !is_run_of_draft && recorded_run.is_none() {
            return self.report_unwritten(item, UnwrittenReason::Inputs);
        }
        if wanted.name != current && self.is_in_text(&wanted.name) {
            return self.report_unwritten(item, UnwrittenReason::NameTaken);
        }
        let revision = if self.is_in_text(current) {
            HeartbeatRevision::Set {
                current: current.to_owned(),
                name: wanted.name.clone(),
                cron: wanted.cron.clone(),
                time_zone: wanted.tz.clone().unwrap_or_else(|| TIME_ZONE_DEFAULT.to_owned()),
                missed_fires: wanted.missed_fires.unwrap_or_default(),
            }
        } else {
            HeartbeatRevision::Add(new_heartbeat(wanted, self.sides.optional_inputs))
        };
        if !self.revise(&revision) {
            return self.report_unwritten(item, UnwrittenReason::Notation);
        }
        let mut left = record_of(&listed, item);
        if let Some(record) = record {
            keep_unlisted(&mut left, record, item, is_run_of_draft);
        }
        self.pulled.records.push((wanted.name.clone(), left));
    }

    /// Adds a heartbeat that the file does not have, if all of it is known.
    pub(super) fn add(&mut self, item: &HeartbeatListItem, record: Option<&PublishedHeartbeat>) {
        if !is_publishable_heartbeat(&item.name, &item.cron, item.tz.as_deref()) {
            return self.report_unwritten(item, UnwrittenReason::Invalid);
        }
        if self.is_in_text(&item.name) {
            return self.report_unwritten(item, UnwrittenReason::NameTaken);
        }
        let create = match complete(item, record, self.plan, self.sides.optional_inputs) {
            Ok(create) => create,
            Err(reason) => return self.report_unwritten(item, reason),
        };
        if self.revise(&HeartbeatRevision::Add(new_heartbeat(&create, self.sides.optional_inputs)))
        {
            let record = record_of(&create, item);
            self.pulled.records.push((create.name, record));
        } else {
            self.report_unwritten(item, UnwrittenReason::Notation);
        }
    }

    /// Changes the text, and returns `true` if that was possible.
    pub(super) fn revise(&mut self, revision: &HeartbeatRevision) -> bool {
        let text = if self.text.is_empty() { HEADER } else { &self.text };
        let Ok(revised) = revise_heartbeat(text, revision) else { return false };
        self.text = revised;
        true
    }

    /// Returns the heartbeat of this name of the text.
    fn in_text(&self, name: &str) -> Option<Heartbeat> {
        let (manifest, _) = manifest::parse(&Source::new(MANIFEST_FILE_NAME, self.text.as_str()));
        manifest.heartbeats.into_iter().find(|heartbeat| heartbeat.name.value == name)
    }

    pub(super) fn is_in_text(&self, name: &str) -> bool {
        self.in_text(name).is_some()
    }

    pub(super) fn conflict(
        &mut self,
        name: &str,
        kind: HeartbeatConflictKind,
        (ours, theirs): (Option<&HeartbeatCreate>, Option<&HeartbeatListItem>),
    ) {
        self.pulled.conflicts.push(HeartbeatConflict {
            name: name.to_owned(),
            kind,
            ours: ours.cloned().map(Box::new),
            theirs: theirs.cloned().map(Box::new),
        });
    }

    /// Reports a heartbeat whose file does not have what it runs on the server.
    pub(super) fn report_unwritten_run(&mut self, item: &HeartbeatListItem) {
        let is_of_skill = self.is_of_skill(item);
        let reason =
            if is_of_skill { UnwrittenReason::Inputs } else { UnwrittenReason::OtherSkill };
        self.report_unwritten(item, reason);
    }

    /// Returns `true` if a heartbeat runs the skill of the pull, as far as the server lists it.
    fn is_of_skill(&self, item: &HeartbeatListItem) -> bool {
        item.run_skill_id.as_ref().is_none_or(|id| *id == self.plan.skill_id)
    }

    pub(super) fn report_unwritten(&mut self, item: &HeartbeatListItem, reason: UnwrittenReason) {
        self.add_unwritten(&item.heartbeat_id, &item.name, reason);
    }

    pub(super) fn add_unwritten(&mut self, id: &HeartbeatId, name: &str, reason: UnwrittenReason) {
        let (heartbeat_id, name) = (id.clone(), name.to_owned());
        self.pulled.unwritten.push(UnwrittenHeartbeat { heartbeat_id, name, reason });
    }
}
