//! The heartbeats of a pull: those of `sprout.yaml` become what the server has.
//!
//! A heartbeat that was changed, cancelled or made on the server is written; one that was changed
//! here alone stays. The name is merged apart from the schedule. What a server does not list, such as
//! inputs, is kept from `sprout.yaml`; where that does not have it, nothing is written.

use std::collections::{BTreeMap, BTreeSet};

use super::heartbeat_content::{
    as_listed, has_equal_content, in_form_of, is_as_left, with_listed_cron, with_name,
};
use super::heartbeat_merge::merge;
use super::heartbeat_pull_step::{
    HeartbeatConflictKind, HeartbeatSides, PulledHeartbeats, UnwrittenReason,
};
use super::heartbeat_run::{
    colliding_run, has_equal_run, has_foreign_run, is_as_recorded, other_run,
};
use super::listed_heartbeat::complete;
use super::pull::{PullPlan, pulled_file, recorded_heartbeats, set_file};
use super::pull_error::PullError;
use super::replaced_heartbeats::replacement;
use crate::publish::duplicate_records::forget_duplicates;
use crate::publish::heartbeat_forms::is_same_name;
use crate::publish::lock_files::LockFiles;
use crate::publish::published::PublishedHeartbeat;
use dibber_skill::contract::{HeartbeatCreate, HeartbeatId, HeartbeatListItem};
use dibber_skill::manifest::MANIFEST_FILE_NAME;
use dibber_skill::revision::HeartbeatRevision;

/// Adds the heartbeats to the plan of a pull.
pub fn plan_pulled_heartbeats(
    plan: &mut PullPlan,
    sides: HeartbeatSides<'_>,
    locks: &mut LockFiles,
) -> Result<(), PullError> {
    let mut known = recorded_heartbeats(&plan.directory, &plan.skill_id, locks)?;
    forget_duplicates(&mut known, |name| {
        sides.drafts.iter().any(|draft| draft.name == name)
            || sides.undrafted.iter().any(|undrafted| undrafted == name)
    });
    let manifest = plan.files.iter().find(|file| file.name == MANIFEST_FILE_NAME);
    let before = manifest.map_or(String::new(), |file| file.text.clone());
    let names = known.iter().map(|(name, _)| name.clone()).collect();
    let (text, drafts) = (before.clone(), sides.drafts.to_vec());
    let (pulled, replacements) = (PulledHeartbeats::default(), Vec::new());
    let mut merger = Merger { plan, sides, names, drafts, replacements, text, pulled };
    for (name, record) in &known {
        merger.merge_recorded(name, record, locks);
    }
    for item in sides.listed {
        let is_of_skill = item.run_skill_id.as_ref() == Some(&merger.plan.skill_id);
        // The whole lock is searched, so only for those of the skill.
        let is_known = || {
            known.iter().any(|(_, record)| record.heartbeat_id == item.heartbeat_id)
                || locks.is_heartbeat_recorded(&item.heartbeat_id)
                || merger.replacements.contains(&item.heartbeat_id)
        };
        if is_of_skill && !is_known() {
            merger.merge_unrecorded(item);
        }
    }
    let Merger { text, pulled, .. } = merger;
    let is_written = |id: &HeartbeatId| {
        pulled.cancelled.contains(id)
            || pulled.records.iter().any(|(_, record)| record.heartbeat_id == *id)
    };
    plan.unlisted_heartbeats.retain(|id| !is_written(id));
    plan.heartbeats = pulled;
    if text != before {
        let file = pulled_file(&plan.directory, MANIFEST_FILE_NAME.to_owned(), text)?;
        set_file(&mut plan.files, file);
    }
    Ok(())
}

pub(super) struct Merger<'a> {
    pub(super) plan: &'a PullPlan,
    pub(super) sides: HeartbeatSides<'a>,
    /// The names under which heartbeats are recorded.
    names: BTreeSet<String>,
    /// The heartbeats of the directory that belong to none of the server yet.
    drafts: Vec<HeartbeatCreate>,
    /// The heartbeats of the server that took the place of a recorded one.
    replacements: Vec<HeartbeatId>,
    /// The text of `sprout.yaml` so far.
    pub(super) text: String,
    pub(super) pulled: PulledHeartbeats,
}

impl<'a> Merger<'a> {
    fn merge_recorded(&mut self, name: &str, record: &PublishedHeartbeat, locks: &LockFiles) {
        let item = self.sides.listed.iter().find(|item| item.heartbeat_id == record.heartbeat_id);
        let draft = self.take_draft(name, record, item);
        if draft.is_none() && self.may_be_undrafted(name) {
            return self.keep_undrafted(name, record, item);
        }
        let is_lost = self.plan.unlisted_heartbeats.contains(&record.heartbeat_id);
        match (item, draft) {
            (None, _) if !self.sides.is_complete => {
                self.add_unwritten(&record.heartbeat_id, name, UnwrittenReason::MayBeDamaged);
            }
            (None, _) if locks.is_never_listed(record, self.listed_ids()) => {
                self.add_unwritten(&record.heartbeat_id, name, UnwrittenReason::Unlisted);
            }
            (None, None) => self.pulled.cancelled.push(record.heartbeat_id.clone()),
            (None, Some(draft)) => match self.replacement(&draft, locks) {
                Some(item) => self.replace(item, &draft),
                None => self.remove(&draft, record),
            },
            (Some(item), Some(draft)) => self.merge(item, &draft, record),
            (Some(item), None) if is_lost || !self.sides.keeps_changes => {
                self.add(item, Some(record));
            }
            (Some(item), None) => {
                if !is_as_left(item, None, record, &BTreeMap::new()) {
                    self.conflict(name, HeartbeatConflictKind::Removed, (None, Some(item)));
                }
            }
        }
    }

    fn listed_ids(&self) -> impl Iterator<Item = &'a HeartbeatId> {
        self.sides.listed.iter().map(|item| &item.heartbeat_id)
    }

    /// Returns `true` if a recorded heartbeat may be one of the file that has no draft, if renamed.
    fn may_be_undrafted(&self, name: &str) -> bool {
        let mut undrafted = self.sides.undrafted.iter();
        undrafted.any(|other| other == name || !self.names.contains(other))
    }

    /// Keeps the file and the record of a heartbeat that has no draft.
    fn keep_undrafted(
        &mut self,
        name: &str,
        record: &PublishedHeartbeat,
        item: Option<&HeartbeatListItem>,
    ) {
        let is_changed = match item {
            None => self.sides.is_complete,
            Some(item) => !is_as_left(item, None, record, &BTreeMap::new()),
        };
        if is_changed {
            self.add_unwritten(&record.heartbeat_id, name, UnwrittenReason::UnknownAssignment);
        }
    }

    /// Returns the heartbeat that took the place of an unlisted one: of its skill, if it cannot be
    /// written in full, or else the only one of its name, if the server does not list the skill.
    fn replacement(
        &self,
        draft: &HeartbeatCreate,
        locks: &LockFiles,
    ) -> Option<&'a HeartbeatListItem> {
        let is_free = |item: &HeartbeatListItem| !self.replacements.contains(&item.heartbeat_id);
        let is_candidate = |item: &HeartbeatListItem| {
            is_free(item) && complete(item, None, self.plan, self.sides.optional_inputs).is_err()
        };
        let listed = self.sides.listed;
        replacement(draft, &self.plan.skill_id, listed, locks, is_candidate)
            .filter(|item| is_free(item))
    }

    /// Keeps a heartbeat of the directory in whose place the server has another one.
    fn replace(&mut self, item: &HeartbeatListItem, draft: &HeartbeatCreate) {
        self.replacements.push(item.heartbeat_id.clone());
        if self.sides.keeps_changes {
            let sides = (Some(draft), Some(item));
            return self.conflict(&draft.name, HeartbeatConflictKind::Replaced, sides);
        }
        self.pulled.loses_changes = true;
        let has_run = other_run(draft, item).is_empty();
        if has_run || !self.rewrite(item, &draft.name, None) {
            self.write(item, &draft.name, &as_listed(draft, item), None);
        }
    }

    /// Takes the heartbeat of the directory that is recorded under a name, or was renamed since.
    fn take_draft(
        &mut self,
        name: &str,
        record: &PublishedHeartbeat,
        item: Option<&HeartbeatListItem>,
    ) -> Option<HeartbeatCreate> {
        let is_renamed = |draft: &HeartbeatCreate| {
            !self.names.contains(&draft.name)
                && (is_as_recorded(&with_name(draft, name), record)
                    || item.is_some_and(|item| {
                        has_equal_content(&with_name(draft, &item.name), item, Some(record))
                    }))
        };
        let index = self.drafts.iter().position(|draft| draft.name == name);
        let index = index.or_else(|| self.drafts.iter().position(is_renamed))?;
        let mut draft = self.drafts.remove(index);
        draft.child_id = draft.child_id.or_else(|| item?.child_id.clone());
        Some(draft)
    }

    fn merge_unrecorded(&mut self, item: &HeartbeatListItem) {
        if self.sides.undrafted.iter().any(|name| is_same_name(name, &item.name)) {
            return self.report_unwritten(item, UnwrittenReason::UnknownAssignment);
        }
        let is_free = |draft: &&HeartbeatCreate| !self.names.contains(&draft.name);
        let with_child = |draft: &HeartbeatCreate| HeartbeatCreate {
            child_id: draft.child_id.clone().or_else(|| item.child_id.clone()),
            ..draft.clone()
        };
        let mut free = self.drafts.iter().filter(is_free).map(with_child);
        let has_same_name = |draft: &HeartbeatCreate| is_same_name(&draft.name, &item.name);
        let Some(draft) = free.find(|draft| {
            has_same_name(draft)
                || (item.content_hash.is_some() && has_equal_content(draft, item, None))
        }) else {
            return self.add(item, None);
        };
        self.drafts.retain(|other| other.name != draft.name);
        if has_equal_content(&draft, &in_form_of(&draft, item, None), None) {
            self.write(item, &draft.name, &draft, None);
        } else if self.sides.keeps_changes {
            let sides = (Some(&draft), Some(item));
            self.conflict(&draft.name, HeartbeatConflictKind::Created, sides);
        } else {
            self.pulled.loses_changes = true;
            self.write(item, &draft.name, &as_listed(&draft, item), None);
        }
    }

    /// Removes a heartbeat that was cancelled on the server.
    fn remove(&mut self, draft: &HeartbeatCreate, record: &PublishedHeartbeat) {
        let is_changed_here = !is_as_recorded(draft, record);
        if self.sides.keeps_changes && is_changed_here {
            let sides = (Some(draft), None);
            return self.conflict(&draft.name, HeartbeatConflictKind::Cancelled, sides);
        }
        self.pulled.loses_changes |= is_changed_here;
        let is_removed = !self.is_in_text(&draft.name)
            || self.revise(&HeartbeatRevision::Remove { current: draft.name.clone() });
        if is_removed {
            self.pulled.cancelled.push(record.heartbeat_id.clone());
        } else {
            self.add_unwritten(&record.heartbeat_id, &draft.name, UnwrittenReason::Notation);
        }
    }

    /// Merges the changes of both sides since a heartbeat was recorded.
    fn merge(
        &mut self,
        item: &HeartbeatListItem,
        draft: &HeartbeatCreate,
        record: &PublishedHeartbeat,
    ) {
        let draft = &with_listed_cron(draft, item);
        let formed = in_form_of(draft, item, Some(record));
        let listed = as_listed(draft, &formed);
        let has_run = || self.sides.keeps_changes || other_run(draft, item).is_empty();
        if has_equal_content(draft, &formed, Some(record)) && has_run() {
            return self.write(item, &draft.name, draft, Some(record));
        }
        if !self.sides.keeps_changes {
            self.pulled.loses_changes |= !is_as_recorded(draft, record);
            let has_run =
                has_equal_run(&listed, item, Some(record)) && other_run(&listed, item).is_empty();
            if has_run || !self.rewrite(item, &draft.name, Some(record)) {
                if has_foreign_run(draft, item, record) {
                    self.report_unwritten_run(item);
                }
                self.write(item, &draft.name, &listed, Some(record));
            }
            return;
        }
        if has_foreign_run(draft, item, record) {
            return self.take_run(item, draft, record);
        }
        let is_left = |item| is_as_left(item, Some(&listed), record, &BTreeMap::new());
        if is_left(item) || is_left(&formed) {
            // It was changed here alone.
            if !self.is_in_text(&draft.name) {
                self.write(item, &draft.name, draft, Some(record));
            }
            return;
        }
        match merge(draft, &listed, record) {
            Ok(merged) => self.write(item, &draft.name, &merged, Some(record)),
            Err(colliding) => {
                let sides = (Some(draft), Some(item));
                self.conflict(&draft.name, HeartbeatConflictKind::Changed(colliding), sides);
            }
        }
    }

    /// Takes over a heartbeat of which the server runs something else than it was sent, if it was not
    /// changed here.
    fn take_run(
        &mut self,
        item: &HeartbeatListItem,
        draft: &HeartbeatCreate,
        record: &PublishedHeartbeat,
    ) {
        if let Some(colliding) = colliding_run(draft, item, record) {
            let sides = (Some(draft), Some(item));
            return self.conflict(&draft.name, HeartbeatConflictKind::Changed(colliding), sides);
        }
        // What the server does not list would be lost.
        let has_unlisted = draft.assignment_skill_id.is_some()
            || (draft.post_result_notify == Some(true) && item.post_result_notify.is_none())
            || (draft.missed_fires.is_some() && item.missed_fires.is_none());
        if has_unlisted || !self.rewrite(item, &draft.name, Some(record)) {
            self.report_unwritten_run(item);
        }
    }
}
