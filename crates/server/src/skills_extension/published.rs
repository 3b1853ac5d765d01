//! The published skills of a family as skills with one file, which is made from what is stored.

use std::fmt::Write as _;

use dibber_catalog::{
    ContentsBuilder, ContentsLimits, FileContents, Offer, SkillContents, SkillPath, escape_path,
};
use dibber_skill::contract::{InputVariable, SkillId};
use dibber_skill::skill::SKILL_FILE_NAME;
use dibber_skill::skill::name::{CHARACTERS_MAX, corrected_to_ascii};

use crate::store::Skill;

/// What the URIs of published skills begin with after the scheme; no directory of the server has it.
pub(super) const FAMILY: &str = "family";

/// Returns a skill as it is offered; none if it has nothing that can be a name or a description.
pub(super) fn offer(skill: &Skill) -> Offer {
    let path = format!("{FAMILY}/{}/{}", escape_path(skill.id.as_str()), name(skill));
    Offer::of_contents(contents(skill).map(|contents| (path, contents))).0
}

/// Returns the id of the skill that a URI is about, if it is one of a published skill.
pub(super) fn id_of(uri: &str) -> Option<SkillId> {
    let path = uri.strip_prefix("skill://")?.strip_prefix(FAMILY)?.strip_prefix('/')?;
    let id = path.split('/').next().filter(|id| !id.is_empty())?;
    Some(SkillId::from(id))
}

fn contents(skill: &Skill) -> Option<SkillContents> {
    let mut builder = ContentsBuilder::new(ContentsLimits::MCP);
    let file = FileContents { bytes: text(skill).into_bytes(), is_executable: false };
    builder.insert(SkillPath::new(SKILL_FILE_NAME).ok()?, file).ok()?;
    builder.finish().ok()
}

/// Returns the name: the label with only the characters that a name may have, or the id.
fn name(skill: &Skill) -> String {
    let label: String = skill.written.name.trim().chars().take(CHARACTERS_MAX).collect();
    corrected_to_ascii(&label).unwrap_or_else(|| {
        let letters = skill.id.as_str().chars().filter(char::is_ascii_alphanumeric);
        format!("skill-{}", letters.map(|c| c.to_ascii_lowercase()).take(32).collect::<String>())
    })
}

/// Returns the text of `SKILL.md`.
fn text(skill: &Skill) -> String {
    let written = &skill.written;
    let description = match written.description.trim() {
        "" => written.name.trim(),
        description => description,
    };
    let mut text = format!("---\nname: {}\ndescription: {}\n", name(skill), quoted(description));
    if !written.hands_referenced.is_empty() {
        let hands: Vec<_> = written.hands_referenced.iter().map(String::as_str).collect();
        let _ = writeln!(text, "allowed-tools: {}", quoted(&hands.join(" ")));
    }
    let _ = write!(text, "metadata:\n  skill-id: {}\n", quoted(skill.id.as_str()));
    let _ = write!(text, "---\n\n{}\n", written.prompt.trim_end());
    if !written.input_variables.is_empty() {
        text.push_str("\n## Inputs\n\nBefore you begin, put a value in the place of each:\n\n");
        written.input_variables.iter().for_each(|input| add_input(&mut text, input));
    }
    text
}

fn add_input(text: &mut String, input: &InputVariable) {
    let _ = write!(text, "- `{{{{input.{}}}}}`", input.name);
    if let Some(kind) = &input.kind {
        let _ = write!(text, " ({kind})");
    }
    if let Some(description) = &input.description {
        // A list item has one line.
        let words: Vec<_> = description.split_whitespace().collect();
        let _ = write!(text, ": {}", words.join(" "));
    }
    text.push('\n');
}

/// Returns a string in quotation marks as YAML has them, on one line.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            // What YAML takes as the end of a line, or does not allow.
            '\0'..='\u{1F}' | '\u{7F}'..='\u{9F}' | '\u{2028}' | '\u{2029}' | '\u{FEFF}' => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(letter));
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}
