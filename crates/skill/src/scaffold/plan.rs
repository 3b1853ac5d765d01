//! The files of a new skill.

use super::answers::Answers;
use super::skill_file;
use super::sprout_file::Publication;
use super::templates::Template;
use crate::manifest::MANIFEST_FILE_NAME;
use crate::skill::{
    Bundle, BundleFile, BundleKind, FileKind, PROTOCOL_FILE_NAME, Resource, SKILL_FILE_NAME, Skill,
    name,
};
use dibber_text::Source;

/// A directory to create, and everything in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The name of the directory.
    pub directory: String,
    /// The files, sorted by path.
    pub files: Vec<PlannedFile>,
}

/// A file to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedFile {
    /// The path from the skill's directory, with `/` between its parts.
    pub path: String,
    /// The text.
    pub text: String,
    /// Whether it is executable.
    pub is_executable: bool,
}

/// Puts the answers into a template.
pub fn plan(template: &Template, answers: &Answers) -> Plan {
    let directory = answers.name.clone().unwrap_or_else(|| template.skill.to_owned());
    let title = title(answers);
    let template = template.for_name(answers.name.as_deref());
    let files = template.files.iter().map(|file| {
        let text = match file.path {
            SKILL_FILE_NAME => skill_file::write(template, answers, title.as_deref()),
            MANIFEST_FILE_NAME => {
                let mut publication = Publication::from_template(file.text);
                publication.apply(answers, title.as_deref());
                publication.write()
            }
            PROTOCOL_FILE_NAME => skill_file::write_protocol(file.text, answers),
            _ => file.text.to_owned(),
        };
        PlannedFile { path: file.path.to_owned(), text, is_executable: file.is_executable }
    });
    Plan { directory, files: files.collect() }
}

/// Returns the title, unless the template's own is used.
fn title(answers: &Answers) -> Option<String> {
    let of_name = || {
        let name = answers.name.as_deref()?;
        Some(name::to_heading(name.rsplit('.').next().unwrap_or(name)))
    };
    answers.label.as_ref().map(|label| label.trim().to_owned()).or_else(of_name)
}

impl Plan {
    /// Returns the skill as it will be parsed once it is written.
    pub fn skill(&self) -> Skill {
        let is_protocol = self.files.iter().any(|file| file.path == PROTOCOL_FILE_NAME);
        let mut bundle = Bundle::of_text(self.directory.clone(), Some(self.directory.clone()));
        if is_protocol {
            bundle.kind = BundleKind::SkillsProtocol;
        }
        let mut source = Source::new(String::new(), String::new());
        let mut resources = Vec::new();
        for file in &self.files {
            let bytes = file.text.len() as u64;
            let kind = FileKind::Regular(bytes);
            bundle.files.push(BundleFile { path: file.path.clone(), kind });
            let text = Source::new(bundle.path_of(&file.path), file.text.clone());
            if file.path == SKILL_FILE_NAME {
                bundle.skill_file_bytes = bytes;
                source = text;
            } else {
                resources.push(Resource::new(file.path.clone(), text));
            }
        }
        Skill::parse(bundle, source, resources)
    }
}
