//! Connecting a directory with a stored skill, without publishing it.

use super::authored_files::{included_paths, spec_hash};
use super::published::{Published, to_recorded_fields};
use dibber_skill::content_hash::{ContentHash, field_hashes};
use dibber_skill::contract::StoredSkill;
use dibber_skill::draft::Draft;
use dibber_skill::skill::Skill;

/// Returns the record that a directory is this stored skill. If their contents differ, the record
/// contains no hash: neither is known to come from the other, and a push must not overwrite the
/// stored one unseen.
pub fn create_record(skill: &Skill, stored: &StoredSkill) -> Published {
    let draft = Draft::new(skill);
    let content = ContentHash::of_stored(stored);
    let arguments = draft.certain().ok();
    let same = arguments.filter(|arguments| ContentHash::of_write(arguments) == content);
    Published {
        skill_id: stored.skill_id.clone(),
        spec_hash: same.and_then(spec_hash).map(|hash| hash.to_string()).unwrap_or_default(),
        content_hash: same.map(|_| content.to_string()),
        include: same.map(|_| included_paths(&draft)).unwrap_or_default(),
        fields: same.map(|_| to_recorded_fields(field_hashes(stored))).unwrap_or_default(),
        ..Published::default()
    }
}
