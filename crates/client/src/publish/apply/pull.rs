//! Recording a skill whose files were written.

use jiff::Timestamp;

use crate::publish::lock::{Published, format_time};
use crate::publish::lock_files::{LockFileError, LockFiles};
use crate::publish::plan::PullPlan;

/// Records that a directory has the content of a stored skill, unless that is recorded. `now` is
/// the present.
pub fn record_pulled(
    plan: &PullPlan,
    now: Timestamp,
    locks: &mut LockFiles,
) -> Result<(), LockFileError> {
    let published = Published {
        skill_id: plan.skill_id.clone(),
        spec_hash: plan.spec_hash.map(|hash| hash.to_string()).unwrap_or_default(),
        content_hash: Some(plan.content_hash.to_string()),
        time: format_time(now),
        ..Published::default()
    };
    let key = locks.key(&plan.directory);
    let is_recorded = locks.get(&key)?.is_some_and(|known| {
        known.skill_id == published.skill_id
            && known.spec_hash == published.spec_hash
            && known.content_hash == published.content_hash
    });
    if is_recorded { Ok(()) } else { locks.record(vec![(key, published)]) }
}
