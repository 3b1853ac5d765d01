//! Skills whose directory was moved or renamed since they were published.

use super::skill_step::{MoveEvidence, MovedSkill, SkillDraft};
use crate::publish::lock_file::LockFileError;
use crate::publish::lock_files::{LockFiles, UnusedRecord};

/// Returns, for each draft without a record, the skill that it was before it was moved, if there is
/// exactly one that it can have been, and that can have been no other.
pub(super) fn find(
    drafts: &[SkillDraft<'_>],
    is_known: &[bool],
    locks: &mut LockFiles,
) -> Result<Vec<Option<MovedSkill>>, LockFileError> {
    let mut moved: Vec<Option<MovedSkill>> = drafts.iter().map(|_| None).collect();
    let new = drafts.iter().zip(is_known).enumerate().filter(|(_, (_, is_known))| !**is_known);
    let new: Vec<_> = new.map(|(index, (draft, _))| (index, draft)).collect();
    let Some((_, first)) = new.first() else { return Ok(moved) };
    let mut gone = locks.unused_records(&first.key)?;
    for (_, draft) in &new {
        if !draft.key.has_same_file(&first.key) {
            let more = locks.unused_records(&draft.key)?;
            let is_new = |record: &UnusedRecord| gone.iter().all(|known| known.key != record.key);
            let more: Vec<_> = more.into_iter().filter(is_new).collect();
            gone.extend(more);
        }
    }
    for evidence in [MoveEvidence::SameContent, MoveEvidence::SameName] {
        let mut pairs = Vec::new();
        for (index, draft) in new.iter().filter(|(index, _)| moved[*index].is_none()) {
            let candidates = gone.iter().enumerate();
            let is_candidate = |record: &UnusedRecord| is_match(evidence, draft, record);
            pairs.extend(
                candidates.filter(|(_, record)| is_candidate(record)).map(|(at, _)| (*index, at)),
            );
        }
        let is_only = |pair: &&(usize, usize)| {
            pairs.iter().filter(|other| other.0 == pair.0 || other.1 == pair.1).count() == 1
        };
        let mut only: Vec<_> = pairs.iter().filter(is_only).copied().collect();
        // The last ones first: the positions of the others stay valid.
        only.sort_by_key(|(_, at)| std::cmp::Reverse(*at));
        for (index, at) in only {
            let UnusedRecord { key: from, published, .. } = gone.swap_remove(at);
            moved[index] = Some(MovedSkill { from, published, evidence });
        }
    }
    Ok(moved)
}

fn is_match(evidence: MoveEvidence, draft: &SkillDraft<'_>, gone: &UnusedRecord) -> bool {
    if !draft.key.has_same_file(&gone.key) {
        return false;
    }
    match evidence {
        MoveEvidence::SameContent => {
            gone.published.spec_hash == draft.hash.to_string()
                || gone.published.content_hash.as_deref() == Some(draft.content().as_str())
        }
        MoveEvidence::SameName => draft.key.has_same_name(&gone.key),
    }
}
