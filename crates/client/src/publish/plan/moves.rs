//! Skills whose directory was moved or renamed since they were published.

use std::collections::BTreeMap;
use std::path::Path;

use super::skill_step::{MoveEvidence, MovedSkill, SkillDraft};
use crate::journal::Unfinished;
use crate::publish::lock_file::LockFileError;
use crate::publish::lock_files::{LockFiles, MissingRecord};
use crate::publish::lock_key::LockKey;
use dibber_skill::content_hash::{ContentHash, field_hashes_of_write};
use dibber_skill::contract::SKILL_WRITE;

/// The fields by which a skill is recognised.
const TEXT_FIELDS: [&str; 3] = ["name", "description", "prompt"];

/// Returns, for each draft without a record, the skill that it was before it was moved, if that is
/// known or there is exactly one that it can have been, and that can have been no other. `by_subject` are the writes
/// that were begun and have not ended.
pub(super) fn find(
    drafts: &[SkillDraft<'_>],
    is_known: &[bool],
    by_subject: &BTreeMap<String, Vec<Unfinished>>,
    locks: &mut LockFiles,
) -> Result<Vec<Option<MovedSkill>>, LockFileError> {
    let mut moved: Vec<_> = drafts.iter().map(|draft| draft.moved.clone()).collect();
    let new = drafts.iter().zip(is_known).enumerate();
    let new = new.filter(|(_, (draft, is_known))| !**is_known && draft.moved.is_none());
    let new: Vec<_> = new.map(|(index, (draft, _))| (index, draft)).collect();
    let Some((_, first)) = new.first() else { return Ok(moved) };
    let mut missing = locks.missing_records(&first.key)?;
    for (_, draft) in &new {
        if !draft.key.has_same_file(&first.key) {
            let more = locks.missing_records(&draft.key)?;
            let is_new =
                |record: &MissingRecord| missing.iter().all(|known| known.key != record.key);
            let more: Vec<_> = more.into_iter().filter(is_new).collect();
            missing.extend(more);
        }
    }
    missing.retain(|record| moved.iter().flatten().all(|moved| moved.from != record.key));
    if missing.is_empty() {
        return Ok(moved);
    }
    let new: Vec<_> = new.into_iter().map(|(index, draft)| (index, NewSkill::new(draft))).collect();
    let mut missing: Vec<_> = missing.into_iter().map(Some).collect();
    for evidence in [MoveEvidence::SameContent, MoveEvidence::SameName, MoveEvidence::SameField] {
        let mut signs = Signs::default();
        for (index, skill) in new.iter().filter(|(index, _)| moved[*index].is_none()) {
            signs.add_new(*index, &skill.draft.key, skill.signs(evidence));
        }
        for (at, record) in missing.iter().enumerate() {
            let Some(record) = record else { continue };
            signs.add_missing(at, &record.key, signs_of(record, evidence, by_subject));
        }
        for (index, at) in signs.only_pairs() {
            let Some(MissingRecord { key: from, published, .. }) = missing[at].take() else {
                continue;
            };
            moved[index] = Some(MovedSkill { from, published, evidence });
        }
    }
    Ok(moved)
}

/// Returns, for each draft of which nothing is known, the directory in which the creation of a skill
/// with its content was interrupted, if that directory is missing, and no other draft is as good.
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

    /// Returns by what it is recognised.
    fn signs(&self, evidence: MoveEvidence) -> Vec<String> {
        match evidence {
            MoveEvidence::SameContent => {
                vec![of_spec(&self.spec_hash), of_content(self.content.as_str())]
            }
            MoveEvidence::SameName => self.draft.key.directory_name().into_iter().collect(),
            MoveEvidence::SameField => of_fields(|field| self.fields.get(field)),
        }
    }
}

/// By what drafts and missing skills can be the same, and which have it.
#[derive(Default)]
struct Signs<'a> {
    shared: BTreeMap<(&'a Path, String), Sharing>,
}

/// The drafts and the missing skills that have the same sign.
#[derive(Default)]
struct Sharing {
    new: Vec<usize>,
    missing: Vec<usize>,
}

impl<'a> Signs<'a> {
    fn add_new(&mut self, index: usize, key: &'a LockKey, signs: Vec<String>) {
        for sign in signs {
            self.shared.entry((key.lock_file(), sign)).or_default().new.push(index);
        }
    }

    fn add_missing(&mut self, at: usize, key: &'a LockKey, signs: Vec<String>) {
        for sign in signs {
            self.shared.entry((key.lock_file(), sign)).or_default().missing.push(at);
        }
    }

    /// Returns the pairs of a draft and a missing skill that have a sign in common, each with no other.
    /// It takes a time that grows with the number of signs, not with that of pairs.
    fn only_pairs(&self) -> Vec<(usize, usize)> {
        let mut of_new: BTreeMap<usize, Partner> = BTreeMap::new();
        let mut of_missing: BTreeMap<usize, Partner> = BTreeMap::new();
        for Sharing { new, missing } in self.shared.values() {
            for index in new {
                of_new.entry(*index).or_default().add(missing);
            }
            for at in missing {
                of_missing.entry(*at).or_default().add(new);
            }
        }
        let pairs = of_new.iter().filter_map(|(index, partner)| Some((*index, partner.only()?)));
        pairs.filter(|(_, at)| of_missing.get(at).is_some_and(|it| it.only().is_some())).collect()
    }
}

/// What shares a sign with a draft or a missing skill.
#[derive(Clone, Copy, Default)]
enum Partner {
    #[default]
    None,
    One(usize),
    Several,
}

impl Partner {
    fn add(&mut self, others: &[usize]) {
        // Two that are not the same are enough to know.
        for other in others.iter().take(2) {
            *self = match *self {
                Self::None => Self::One(*other),
                Self::One(known) if known == *other => Self::One(known),
                Self::One(_) | Self::Several => Self::Several,
            };
        }
    }

    const fn only(self) -> Option<usize> {
        match self {
            Self::One(other) => Some(other),
            Self::None | Self::Several => None,
        }
    }
}

/// Returns by what a missing skill is recognised.
fn signs_of(
    missing: &MissingRecord,
    evidence: MoveEvidence,
    by_subject: &BTreeMap<String, Vec<Unfinished>>,
) -> Vec<String> {
    let MissingRecord { key, published } = missing;
    let mut signs = match evidence {
        MoveEvidence::SameContent => {
            let interrupted = by_subject.get(&key.subject()).into_iter().flatten();
            let writes = interrupted.filter_map(|write| write.details.as_ref());
            let contents = writes.filter_map(|write| write.target.as_deref());
            let contents = contents.chain(published.content_hash.as_deref());
            contents.map(of_content).chain([of_spec(&published.spec_hash)]).collect()
        }
        MoveEvidence::SameName => key.directory_name().into_iter().collect(),
        MoveEvidence::SameField => of_fields(|field| published.fields.get(field)),
    };
    // A skill is counted once for each sign.
    signs.sort();
    signs.dedup();
    signs
}

fn of_spec(hash: &str) -> String {
    format!("spec {hash}")
}

fn of_content(hash: &str) -> String {
    format!("content {hash}")
}

fn of_fields<'a>(hash_of: impl Fn(&'static str) -> Option<&'a String>) -> Vec<String> {
    let signs = TEXT_FIELDS.iter().filter_map(|field| Some(format!("{field} {}", hash_of(field)?)));
    signs.collect()
}
