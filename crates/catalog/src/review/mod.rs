//! What a person has to know of a skill before it is installed.

mod changes;
mod findings;
mod hints;
mod scripts;
mod skill_review;

pub use changes::{FieldChange, FileChange, FileChangeKind, SkillChanges, compare};
pub use findings::ReviewFinding;
pub use hints::{Hint, HintKind};
pub use scripts::{Script, ScriptSign};
pub use skill_review::{SkillReview, review};
