//! Heartbeats of a server that does not list which skill they run: one may be that of `sprout.yaml`.

use super::heartbeat_content::{has_equal_content, in_form_of, record_of};
use super::heartbeat_description::{DescribedRun, described_run};
use super::heartbeat_step::{
    Assumed, HeartbeatBlocked, HeartbeatKey, HeartbeatStep, HeartbeatUnchanged,
    UnrecordedHeartbeats,
};
use super::heartbeats::Comparer;
use super::possible_duplicates::unknown;
use super::skill_step::ForeignChanges;
use crate::publish::heartbeat_forms::is_same_name;
use dibber_skill::contract::{HeartbeatCreate, HeartbeatListItem};

impl Comparer<'_> {
    /// Takes the only heartbeat that is the same as this one as far as the server lists it. Where it
    /// does not say either, in a description, which skill that runs, this is assumed; unless another
    /// one of `sprout.yaml` may be it as well, or changes there are overwritten.
    pub(super) async fn take_alike(
        &mut self,
        create: &HeartbeatCreate,
    ) -> Result<Option<HeartbeatStep>, HeartbeatBlocked> {
        if self.policy.unrecorded == UnrecordedHeartbeats::Create {
            return Ok(None);
        }
        let alike: Vec<_> = self.alike(create).collect();
        let [only] = alike[..] else { return Ok(None) };
        let is_assumed = match described_run(create, only, self.client).await? {
            DescribedRun::Same => false,
            DescribedRun::Unknown => true,
            DescribedRun::Other => return Ok(None),
        };
        let may_be = |other: &&HeartbeatCreate| is_alike(other, only);
        let is_only = self.unrecorded.iter().filter(may_be).nth(1).is_none();
        let is_kept = self.policy.foreign_changes == ForeignChanges::Block;
        if is_assumed && !(is_only && is_kept) {
            return Ok(None);
        }
        let id = only.heartbeat_id.clone();
        let Some(listed) = self.take(&id).map(Box::new) else { return Ok(None) };
        let child_id = create.child_id.clone().or_else(|| listed.child_id.clone());
        let create = HeartbeatCreate { child_id, ..create.clone() };
        let unrecorded = Some(record_of(&create, &listed));
        let duplicates = Vec::new();
        let assumed = if is_assumed { Assumed::Skill } else { Assumed::Nothing };
        let unchanged = HeartbeatUnchanged { listed, unrecorded, assumed, duplicates };
        Ok(Some(HeartbeatStep::Unchanged(unchanged)))
    }

    /// Returns an error if the server may have a heartbeat already that is not recorded, and only a
    /// certain one is created. One that is paused does not fire beside the new one. The creation that an
    /// interrupted run has begun compares by itself what has only the same name.
    pub(super) fn require_new(
        &self,
        create: &HeartbeatCreate,
        key: &HeartbeatKey,
    ) -> Result<(), HeartbeatBlocked> {
        let is_required = self.policy.unrecorded == UnrecordedHeartbeats::FindCertain
            && self.policy.foreign_changes == ForeignChanges::Block;
        if !is_required {
            return Ok(());
        }
        let has_same_name = |item: &&HeartbeatListItem| is_same_name(&item.name, &create.name);
        let mut same_name = unknown(&self.listed.items, self.locks).filter(has_same_name);
        let alike = self.alike(create).find(|item| item.enabled);
        let is_begun = self.unfinished.contains_key(&key.subject());
        let of_name = || same_name.find(|item| item.enabled).filter(|_| !is_begun);
        match alike.or_else(of_name) {
            Some(item) => Err(HeartbeatBlocked::MayExist {
                heartbeat_id: item.heartbeat_id.clone(),
                has_same_schedule: alike.is_some(),
            }),
            None => Ok(()),
        }
    }

    fn alike(&self, create: &HeartbeatCreate) -> impl Iterator<Item = &HeartbeatListItem> {
        unknown(&self.listed.items, self.locks).filter(|item| is_alike(create, item))
    }
}

/// Returns `true` if a heartbeat is the same as one that is listed, as far as it is.
fn is_alike(create: &HeartbeatCreate, item: &HeartbeatListItem) -> bool {
    has_equal_content(create, &in_form_of(create, item, None), None)
}
