//! The built-in skill that explains the protocol to models.

use std::sync::{Arc, LazyLock};

use dibber_skill::contract::skills_protocol::Guide;
use dibber_skill::skill::{PROTOCOL_FILE_NAME, SKILL_FILE_NAME};
use dibber_text::Source;

use crate::skill::{ProtocolSkill, SkillSource, manifest_of};

/// The name of the skill.
pub const GUIDE_NAME: &str = "skills.protocol.guide";

const TEXT: &str = include_str!("../guide/SKILL.md");

const FILES: &[(&str, &str)] =
    &[(SKILL_FILE_NAME, TEXT), (PROTOCOL_FILE_NAME, include_str!("../guide/skill.toml"))];

/// Returns the guide: the `SKILL.md` of the built-in skill.
pub fn guide() -> Guide {
    Guide { content: TEXT.to_owned(), warnings: Vec::new() }
}

/// Returns the built-in skill.
pub(crate) fn built_in() -> Arc<ProtocolSkill> {
    static SKILL: LazyLock<Arc<ProtocolSkill>> = LazyLock::new(|| {
        let source = Source::new(PROTOCOL_FILE_NAME, FILES[1].1);
        let (manifest, _) = manifest_of(&source).unwrap_or_default();
        let skill = ProtocolSkill::from_manifest(manifest, SkillSource::BuiltIn(FILES));
        Arc::new(skill.expect("the built-in manifest is valid"))
    });
    Arc::clone(&SKILL)
}
