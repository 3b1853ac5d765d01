//! What a person has to know of a skill before it is installed.

mod findings;
mod hints;
mod scripts;
mod skill_review;

pub use findings::ReviewFinding;
pub use hints::{Hint, HintKind};
pub use scripts::{Script, ScriptSign};
pub use skill_review::{SkillReview, review};
