//! Parsing a skill file alone.

use dibber_skill::skill::{Bundle, Skill};
use dibber_text::Source;

/// Parses a `SKILL.md` without looking at the files beside it.
pub(crate) fn parse_skill_file(shown: &str, bytes: Vec<u8>) -> Skill {
    let mut bundle = Bundle::of_text("", None);
    bundle.skill_file_bytes = bytes.len() as u64;
    Skill::parse(bundle, Source::from_bytes(shown, bytes), Vec::new())
}
