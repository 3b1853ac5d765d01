//! Skills whose directory was moved or renamed since they were published.

use std::collections::BTreeMap;

use super::skill_step::{MoveEvidence, MovedSkill, SkillDraft};
use crate::journal::Unfinished;
use crate::publish::lock_file::LockFileError;
use crate::publish::lock_files::{LockFiles, UnusedRecord};
use crate::publish::lock_key::LockKey;
use dibber_skill::content_hash::{ContentHash, field_hashes_of_write};
use dibber_skill::contract::SKILL_WRITE;

/// The fields by which a skill is recognised.
const TEXT_FIELDS: [&str; 3] = ["name", "description", "prompt"];

/// Returns, for each draft without a record, the skill that it was before it was moved, if there is
/// exactly one that it can have been, and that can have been no other. `by_subject` are the writes
/// that were begun and have not ended.
pub(super) fn find(
    drafts: &[SkillDraft<'_>],
    is_known: &[bool],
    by_subject: &BTreeMap<String, Vec<Unfinished>>,
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
    if gone.is_empty() {
        return Ok(moved);
    }
    // They are compared with every record.
    let new: Vec<_> = new.into_iter().map(|(index, draft)| (index, NewSkill::new(draft))).collect();
    for evidence in [MoveEvidence::SameContent, MoveEvidence::SameName, MoveEvidence::SameField] {
        let mut pairs = Vec::new();
        for (index, skill) in new.iter().filter(|(index, _)| moved[*index].is_none()) {
            let candidates = gone.iter().enumerate();
            let is_candidate =
                |record: &UnusedRecord| is_match(evidence, skill, record, by_subject);
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

/// Returns, for each draft of which nothing is known, the directory in which the creation of a skill
/// with its content was interrupted, if that directory is gone, and no other draft is as good.
pub(super) fn find_created(
    drafts: &[SkillDraft<'_>],
    is_known: &[bool],
    by_subject: &BTreeMap<String, Vec<Unfinished>>,
) -> Vec<Option<LockKey>> {
    let mut found: Vec<Option<LockKey>> = drafts.iter().map(|_| None).collect();
    let writes = by_subject.iter().flat_map(|(subject, writes)| {
        writes.iter().filter_map(move |write| Some((subject, write.details.as_ref()?)))
    });
    let creations: Vec<_> = writes.filter(|(_, write)| write.tool == SKILL_WRITE).collect();
    if creations.is_empty() {
        return found;
    }
    let contents: Vec<_> = drafts.iter().map(SkillDraft::content).collect();
    for (subject, write) in creations {
        let is_it = |index: &usize| {
            !is_known[*index] && write.target.as_deref() == Some(contents[*index].as_str())
        };
        let mut same = (0..drafts.len()).filter(is_it);
        if let (Some(index), None) = (same.next(), same.next()) {
            let key = drafts[index].key.with_subject(subject).filter(|key| !key.has_skill());
            found[index] = found[index].take().or(key);
        }
    }
    found
}

/// A draft without a record, with what it is compared by.
struct NewSkill<'a> {
    draft: &'a SkillDraft<'a>,
    spec_hash: String,
    content: ContentHash,
    fields: BTreeMap<&'static str, String>,
}

impl<'a> NewSkill<'a> {
    fn new(draft: &'a SkillDraft<'a>) -> Self {
        Self {
            draft,
            spec_hash: draft.hash.to_string(),
            content: draft.content(),
            fields: field_hashes_of_write(draft.arguments),
        }
    }
}

fn is_match(
    evidence: MoveEvidence,
    skill: &NewSkill<'_>,
    gone: &UnusedRecord,
    by_subject: &BTreeMap<String, Vec<Unfinished>>,
) -> bool {
    if !skill.draft.key.has_same_file(&gone.key) {
        return false;
    }
    match evidence {
        MoveEvidence::SameContent => {
            let content = skill.content.as_str();
            let is_content = |hash: &Option<String>| hash.as_deref() == Some(content);
            let interrupted = by_subject.get(&gone.key.subject()).into_iter().flatten();
            let mut writes = interrupted.filter_map(|write| write.details.as_ref());
            gone.published.spec_hash == skill.spec_hash
                || is_content(&gone.published.content_hash)
                || writes.any(|write| is_content(&write.target))
        }
        MoveEvidence::SameName => skill.draft.key.has_same_name(&gone.key),
        MoveEvidence::SameField => {
            let theirs = &gone.published.fields;
            TEXT_FIELDS.iter().any(|field| skill.fields.get(field) == theirs.get(*field))
        }
    }
}
