//! `describe_skill`.

use dibber_skill::contract::skills_protocol::{
    DescribeDetail, DescribeSkill, DescribedSkill, RpcError, SkillDescription,
};
use dibber_skill::protocol::frontmatter_as_json;
use dibber_skill::skill::{Bundle, SKILL_BYTES_MAX, SKILL_FILE_NAME, SKILL_FILE_NAMES, Skill};
use dibber_text::{Source, message};

use super::index::Index;
use super::read_file::{changed_error, open_folder, too_large};
use crate::refusal::shown;
use crate::skill::{ProtocolSkill, SkillSource};
use dibber_text::folder::{FileError, read_whole};

/// The most characters of the body of `SKILL.md` in a summary.
const SUMMARY_CHARACTERS: usize = 500;

impl Index {
    /// Describes a skill. The manifest is that of the index; `SKILL.md` is read now.
    pub fn describe(&self, call: &DescribeSkill) -> Result<DescribedSkill, RpcError> {
        let skill = self.find(&call.name, call.version.as_deref())?;
        let detail = call.detail.unwrap_or_default();
        let mut description = SkillDescription {
            name: skill.name.clone(),
            version: skill.version.to_string(),
            kind: skill.kind.name().to_owned(),
            namespace: skill.namespace.clone(),
            manifest: skill.manifest_json(),
            frontmatter: None,
            documentation: None,
        };
        let mut warnings = Vec::new();
        if detail != DescribeDetail::Manifest {
            match skill_file(&skill)? {
                Ok(text) => add_documentation(&mut description, text, detail),
                Err(warning) => warnings.push(warning),
            }
        }
        Ok(DescribedSkill { skill: description, warnings })
    }
}

fn add_documentation(description: &mut SkillDescription, text: Source, detail: DescribeDetail) {
    let parsed = Skill::parse(Bundle::of_text("", None), text, Vec::new());
    if parsed.frontmatter.is_some() {
        description.frontmatter = Some(frontmatter_as_json(&parsed));
    }
    description.documentation = Some(match detail {
        DescribeDetail::Full => parsed.source.text().to_owned(),
        _ => beginning(parsed.body_text().trim_start()),
    });
}

/// Returns the beginning of a string, with a mark if there is more.
fn beginning(text: &str) -> String {
    match text.trim_end().char_indices().nth(SUMMARY_CHARACTERS) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// Returns the text of `SKILL.md`, or why a skill has none.
fn skill_file(skill: &ProtocolSkill) -> Result<Result<Source, String>, RpcError> {
    if let SkillSource::BuiltIn(files) = skill.source() {
        let text = files.iter().find(|(name, _)| *name == SKILL_FILE_NAME);
        return Ok(Ok(Source::new(SKILL_FILE_NAME, text.map_or("", |(_, text)| *text))));
    }
    let folder = open_folder(skill)?;
    let mut found = FileError::NotFound;
    for name in SKILL_FILE_NAMES {
        let read = |file| read_whole(file, SKILL_BYTES_MAX as u64);
        match folder.open_file(name).and_then(read) {
            Ok(bytes) => return Ok(Ok(Source::from_bytes(SKILL_FILE_NAME, bytes))),
            Err(FileError::TooLarge(_)) => return Err(too_large(skill, name)),
            Err(FileError::Io(error)) => return Err(changed_error(skill, &FileError::Io(error))),
            Err(FileError::NotFound) => {}
            Err(error) => found = error,
        }
    }
    Ok(Err(match found {
        FileError::NotFound => shown(&message!["the skill has no `", SKILL_FILE_NAME, "`"]),
        error => format!("`{SKILL_FILE_NAME}` {error}"),
    }))
}
