//! What those who accept archives refuse.

use dibber_skill::skill::{SKILL_FILE_NAME, Skill};
use dibber_text::{Message, Span, message, quote, quote_in_full};

use super::destination::Destination;
use crate::contents::SkillContents;
use crate::description::describe;

/// The fields of the specification.
const FIELDS: [&str; 6] =
    ["allowed-tools", "compatibility", "description", "license", "metadata", "name"];

/// The words that names of skills must not contain (Anthropic's documentation of the API).
const RESERVED_WORDS: [&str; 2] = ["anthropic", "claude"];

/// Something that would be refused, or that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackProblem {
    /// The file; none for the skill as a whole.
    pub path: Option<String>,
    /// The line and column in that file, from 1.
    pub position: Option<(usize, usize)>,
    /// What is wrong.
    pub message: Message,
    /// What to do about it.
    pub help: Option<Message>,
    /// The skill would be refused.
    pub is_error: bool,
}

impl PackProblem {
    pub(super) fn of_skill(message: impl Into<Message>, help: impl Into<Message>) -> Self {
        let (message, help) = (message.into(), Some(help.into()));
        Self { path: None, position: None, message, help, is_error: true }
    }
}

/// Returns what a destination would refuse, or what differs from the specification if there is none.
pub fn pack_problems(
    contents: &SkillContents,
    destination: Option<Destination>,
) -> Vec<PackProblem> {
    let skill = contents.parse();
    let mut rules = Rules { contents, skill: &skill, problems: Vec::new() };
    rules.check_description(destination);
    let Some(destination) = destination else { return rules.problems };
    rules.check_file_name(destination);
    if destination.is_strict() {
        rules.check_strict(destination);
    }
    rules.check_length(destination);
    rules.check_sizes(destination);
    if destination == Destination::WellKnown {
        rules.check_paths();
    }
    rules.problems
}

struct Rules<'a> {
    contents: &'a SkillContents,
    skill: &'a Skill,
    problems: Vec<PackProblem>,
}

impl Rules<'_> {
    fn report_at(&mut self, span: Span, message: Message, help: Option<Message>, is_error: bool) {
        let place = self.skill.source.line_column(span.start);
        self.problems.push(PackProblem {
            path: Some(self.contents.skill_file().0.as_str().to_owned()),
            position: Some((place.line, place.column)),
            message,
            help,
            is_error,
        });
    }

    /// Reports what differs from the specification, which every destination refuses.
    fn check_description(&mut self, destination: Option<Destination>) {
        let described = describe(self.skill);
        let is_error = destination.is_some() || described.description.is_none();
        for problem in described.problems {
            self.report_at(problem.place, problem.message, problem.help, is_error);
        }
    }

    fn check_file_name(&mut self, destination: Destination) {
        let path = self.contents.skill_file().0.as_str();
        if path != SKILL_FILE_NAME {
            let title = destination.title();
            let message = message!["`", quote(path), "` is not found by ", title];
            self.problems.push(PackProblem {
                path: Some(path.to_owned()),
                ..PackProblem::of_skill(message, "rename it to `SKILL.md`")
            });
        }
    }

    fn check_strict(&mut self, destination: Destination) {
        let skill = self.skill;
        for entry in skill.fields() {
            let key = entry.key.as_str().unwrap_or_default();
            if !FIELDS.contains(&key) {
                let message = message!["`", quote(key), "` is refused by ", destination.title()];
                let help = "remove it, or move it into `metadata`".into();
                self.report_at(entry.key.span, message, Some(help), true);
            }
        }
        if let Some(field) = skill.field("name")
            && let Some(name) = field.value.as_text()
            && let Some(word) = RESERVED_WORDS.iter().find(|word| name.contains(**word))
        {
            let message = message!["the name contains `", *word, "`, which is reserved"];
            self.report_at(field.value.span, message, Some("choose another name".into()), true);
        }
        if let Some(field) = skill.field("description")
            && let Some(text) = field.value.as_text()
            && text.contains(['<', '>'])
        {
            let message = message!["`description` contains `<` or `>`"];
            self.report_at(field.value.span, message, Some("write it without tags".into()), true);
        }
    }

    fn check_length(&mut self, destination: Destination) {
        let Some(max) = destination.description_characters_max() else { return };
        let Some(field) = self.skill.field("description") else { return };
        let characters = field.value.as_text().map_or(0, |text| text.trim().chars().count());
        if characters > max {
            let (span, title) = (field.value.span, destination.title());
            let message = message![
                "`description` has ",
                characters,
                " characters; ",
                title,
                " accepts ",
                max
            ];
            self.report_at(span, message, Some("shorten it".into()), true);
        }
    }

    fn check_sizes(&mut self, destination: Destination) {
        let title = destination.title();
        let files = self.contents.files().len();
        if let Some(max) = destination.files_max().filter(|max| files > *max) {
            let message = message!["the skill has ", files, " files; ", title, " accepts ", max];
            self.problems.push(PackProblem::of_skill(message, "leave files out, or join them"));
        }
        let bytes = self.contents.size();
        if let Some(max) = destination.bytes_max().filter(|max| bytes > *max) {
            let message = message!["the skill has ", bytes, " bytes; ", title, " accepts ", max];
            self.problems.push(PackProblem::of_skill(message, "leave files out"));
        }
        let Some(max) = destination.file_bytes_max() else { return };
        for (path, file) in self.contents.files() {
            let bytes = file.bytes.len() as u64;
            if bytes > max {
                let message = message!["the file has ", bytes, " bytes; ", title, " accepts ", max];
                self.problems.push(PackProblem {
                    path: Some(path.as_str().to_owned()),
                    ..PackProblem::of_skill(message, "leave it out, or split it")
                });
            }
        }
    }

    /// Some clients accept only such paths, as the first draft of the index said.
    fn check_paths(&mut self) {
        for (path, _) in self.contents.files() {
            if path.as_str().bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ') {
                continue;
            }
            let message = message![
                "the path `",
                quote_in_full(path.as_str()),
                "` has characters that are not ASCII, which some clients refuse"
            ];
            self.problems.push(PackProblem {
                path: Some(path.as_str().to_owned()),
                is_error: false,
                ..PackProblem::of_skill(message, "rename it")
            });
        }
    }
}
