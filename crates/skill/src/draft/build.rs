//! The arguments: from `sprout.yaml` if it has the field, otherwise from `SKILL.md`.

use std::collections::BTreeSet;
use std::fmt;

use super::hands;
use super::include::{IncludedFile, JoinedPrompt, join_included, why_not_included};
use super::origins::{Argument, Origins, Written};
use crate::contract::{CanvasId, InputVariable, PROMPT_CHARACTERS_MAX, SkillWrite, wire_name};
use crate::diagnostic::Place;
use crate::manifest::{self, Located, MANIFEST_FILE_NAME, Manifest, ManifestProblem};
use crate::skill::{
    BundleFile, BundleKind, FileKind, Placeholder, PlaceholderKind, Skill, name, placeholders,
};
use dibber_text::{Message, Problem, Source, Span, message, quote};

/// File names that were meant as `sprout.yaml`, in any case.
const MISNAMED: [&str; 2] = [MANIFEST_FILE_NAME, "sprout.yml"];

/// The arguments of `skill_write`, and where they came from.
#[derive(Clone, Debug)]
pub struct Draft {
    /// What `sprout.yaml` contains; none when there is no such file.
    pub manifest: Option<Manifest>,
    /// What is wrong with `sprout.yaml`, each with its place.
    pub problems: Vec<(Place, ManifestProblem)>,
    /// `false` if a file cannot be read as it was meant. It does not follow from `problems`, which
    /// a caller may filter.
    is_certain: bool,
    arguments: SkillWrite,
    origins: Origins,
}

/// The error for arguments that may differ from what was meant, because a file of the skill
/// cannot be read completely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UncertainDraft;

impl fmt::Display for UncertainDraft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a file of the skill cannot be read completely")
    }
}

impl std::error::Error for UncertainDraft {}

/// Returns `true` if a skill defines how it is published: it has a `sprout.yaml`, or a file that
/// was meant as one.
pub fn is_authored(skill: &Skill) -> bool {
    skill.bundle.file(MANIFEST_FILE_NAME).is_some()
        || manifest_source(skill).is_some()
        || misnamed_manifest(skill).is_some()
}

/// Returns the file that was meant as the `sprout.yaml` of a skill that has none.
fn misnamed_manifest(skill: &Skill) -> Option<&BundleFile> {
    let is_similar = |name: &str| MISNAMED.iter().any(|other| other.eq_ignore_ascii_case(name));
    skill.bundle.files.iter().find(|file| is_similar(&file.path))
}

fn manifest_source(skill: &Skill) -> Option<(usize, &Source)> {
    let index = skill.resources.iter().position(|file| file.path == MANIFEST_FILE_NAME)?;
    Some((index, &skill.resources[index].source))
}

impl Draft {
    /// Creates the arguments of a skill. Nothing is added that neither file contains, and a tool
    /// or a canvas that is named twice is sent once.
    ///
    /// Problems in the files never end it: what cannot be read is left out of the arguments,
    /// which are then not [`certain`](Self::certain).
    pub fn new(skill: &Skill) -> Self {
        let mut builder = Builder::new(skill);
        builder.name();
        builder.description();
        builder.prompt();
        builder.hands();
        builder.inputs();
        builder.audience();
        builder.result();
        builder.draft
    }

    /// Returns the arguments to hash and send. Arguments that may differ from what was meant are
    /// an error, so that they cannot be sent by mistake.
    pub fn certain(&self) -> Result<&SkillWrite, UncertainDraft> {
        if self.is_certain { Ok(&self.arguments) } else { Err(UncertainDraft) }
    }

    /// Returns the arguments as far as they could be read: to analyze and to preview them.
    pub const fn best_effort(&self) -> &SkillWrite {
        &self.arguments
    }

    /// Returns the place of some bytes of an argument, or of an argument as a whole. What was not
    /// given has none.
    pub fn place(&self, argument: Argument, part: Option<Span>) -> Option<Place> {
        self.origins.place(argument, part)
    }

    /// Returns the inputs that a run may leave out; they are then filled with an empty string.
    pub fn optional_inputs(&self) -> impl Iterator<Item = &str> {
        let inputs = self.manifest.iter().flat_map(|manifest| manifest.inputs.iter().flatten());
        inputs.filter(|input| !input.is_required).map(|input| input.name.value.trim())
    }
}

struct Builder<'a> {
    skill: &'a Skill,
    draft: Draft,
    /// The index of `sprout.yaml` among the resources, and its text.
    manifest_file: Option<(usize, &'a Source)>,
    manifest: Manifest,
}

impl<'a> Builder<'a> {
    fn new(skill: &'a Skill) -> Self {
        let manifest_file = manifest_source(skill);
        let (manifest, problems) = match manifest_file {
            Some((index, source)) => {
                let (manifest, problems) = manifest::parse(source);
                let problems = problems.into_iter();
                let placed =
                    problems.map(|found| (Place::Resource(index, found.problem.place), found));
                (Some(manifest), placed.collect())
            }
            None => without_source(skill),
        };
        let draft = Draft {
            manifest: manifest.clone(),
            is_certain: problems.is_empty() && skill.faults.is_empty() && skill.is_whole_text(),
            problems,
            arguments: SkillWrite::default(),
            origins: Origins::default(),
        };
        Self { skill, draft, manifest_file, manifest: manifest.unwrap_or_default() }
    }

    fn name(&mut self) {
        self.draft.arguments.name = if let Some(label) = self.manifest.label.clone() {
            self.manifest_text(Argument::Name, &label)
        } else if let Some(heading) = &self.skill.markdown().heading {
            self.skill_file_text(Argument::Name, &heading.text, heading.span)
        } else if let Some((name, span)) = self.skill.string_field("name") {
            self.skill_file_text(Argument::Name, &name::to_heading(name), span)
        } else {
            // Not the name of the directory: the arguments do not depend on where it is.
            String::new()
        };
    }

    fn description(&mut self) {
        self.draft.arguments.description = if let Some(summary) = self.manifest.summary.clone() {
            self.manifest_text(Argument::Description, &summary)
        } else if let Some((text, span)) = self.frontmatter_description() {
            self.skill_file_text(Argument::Description, text, span)
        } else {
            String::new()
        };
    }

    /// Returns the description of `SKILL.md`; in a Skills Protocol bundle, otherwise the short one.
    fn frontmatter_description(&self) -> Option<(&'a str, Span)> {
        let skill = self.skill;
        let short = || match skill.bundle.kind {
            BundleKind::SkillsProtocol => skill.string_field("short_description"),
            BundleKind::AgentSkill => None,
        };
        skill.string_field("description").or_else(short)
    }

    fn prompt(&mut self) {
        let body = self.skill.body_text();
        let returns = body.match_indices("\r\n").enumerate();
        // The prompt lacks one byte for each earlier carriage return.
        let after_return = returns.map(|(earlier, (at, _))| at - earlier).collect();
        self.draft.arguments.prompt = body.replace("\r\n", "\n");
        let start = self.skill.body.start;
        let rest = self.include();
        let written = if rest.is_empty() {
            Written::Exactly { start, after_return }
        } else {
            Written::Joined { start, after_return, rest }
        };
        let place = Place::SkillFile(self.skill.body);
        self.draft.origins.set(Argument::Prompt, place, written);
    }

    /// Appends the included files to the prompt. Returns the offsets from which on it comes from
    /// them, and the items of `sprout.yaml` that include them.
    fn include(&mut self) -> Vec<(usize, Place)> {
        let include = std::mem::take(&mut self.manifest.include);
        let mut files = Vec::new();
        for path in &include {
            let resource = self.skill.resources.iter().find(|it| it.path == path.value);
            if let Some(resource) = resource {
                files.push((path.value.as_str(), resource.source.text().replace("\r\n", "\n")));
            } else {
                let (what, help) = why_not_included(&self.skill.bundle, &path.value);
                self.include_problem(path, what, help);
            }
        }
        let files: Vec<_> = files.iter().map(|(path, text)| IncludedFile { path, text }).collect();
        let joined = join_included(&self.draft.arguments.prompt, &files);
        let Some(JoinedPrompt { prompt, starts }) = joined else {
            if let Some(first) = include.first() {
                let help = "change the line that has `##` and the path of an included file";
                self.include_problem(first, "has its heading in the text already", help);
            }
            return Vec::new();
        };
        if !files.is_empty() && prompt.chars().count() > PROMPT_CHARACTERS_MAX {
            let what =
                message!["makes the prompt longer than ", PROMPT_CHARACTERS_MAX, " characters"];
            self.include_problem(include.last().expect("a file"), what, "include fewer files");
            return Vec::new();
        }
        self.draft.arguments.prompt = prompt;
        let is_joined = |path: &&Located<String>| files.iter().any(|file| file.path == path.value);
        let places = include.iter().filter(is_joined).map(|path| self.in_manifest(path.span));
        starts.into_iter().zip(places).collect()
    }

    fn include_problem(
        &mut self,
        path: &Located<String>,
        what: impl Into<Message>,
        help: &'static str,
    ) {
        let message = message!["`", quote(&path.value), "` ", what.into()];
        let problem = Problem::new(path.span, message).with_help(help);
        let place = self.in_manifest(path.span);
        self.draft.problems.push((place, ManifestProblem::invalid(problem)));
        self.draft.is_certain = false;
    }

    fn hands(&mut self) {
        let named = match self.manifest.hands.take() {
            Some(hands) => {
                hands.into_iter().map(|hand| (self.in_manifest(hand.span), hand)).collect()
            }
            None => hands::allowed_tools(self.skill),
        };
        let mut seen = BTreeSet::new();
        for (place, hand) in named {
            let hand = wire_name(&hand.value);
            if seen.insert(hand.clone()) {
                let hands = &mut self.draft.arguments.hands_referenced;
                self.draft.origins.set(Argument::Hand(hands.len()), place, Written::Otherwise);
                hands.push(hand);
            }
        }
    }

    fn inputs(&mut self) {
        let Some(inputs) = self.manifest.inputs.take() else { return self.inputs_of_prompt() };
        for (index, input) in inputs.into_iter().enumerate() {
            let name = self.manifest_text(Argument::InputName(index), &input.name);
            let kind = input.kind.as_ref();
            let kind = kind.map(|kind| self.manifest_text(Argument::InputType(index), kind));
            let description = input.description.as_ref();
            let description =
                description.map(|text| self.manifest_text(Argument::InputDescription(index), text));
            self.draft.arguments.input_variables.push(InputVariable { name, kind, description });
        }
    }

    /// Derives the inputs from the placeholders, in the order of their first use.
    fn inputs_of_prompt(&mut self) {
        let mut seen = BTreeSet::new();
        let prompt = self.draft.arguments.prompt.clone();
        for Placeholder { span, kind } in placeholders(&prompt) {
            let PlaceholderKind::Input(name) = kind else { continue };
            if seen.insert(name.clone()) {
                let place = self.draft.origins.place(Argument::Prompt, Some(span));
                let place = place.unwrap_or(Place::SkillFile(self.skill.body));
                let inputs = &mut self.draft.arguments.input_variables;
                let argument = Argument::InputName(inputs.len());
                self.draft.origins.set(argument, place, Written::Otherwise);
                inputs.push(InputVariable { name, ..InputVariable::default() });
            }
        }
    }

    fn audience(&mut self) {
        if let Some(category) = self.manifest.category.take() {
            let place = self.in_manifest(category.span);
            self.draft.origins.set(Argument::Category, place, Written::Otherwise);
            self.draft.arguments.category = Some(category.value);
        }
        if let Some(kid_callable) = self.manifest.kid_callable.take() {
            let place = self.in_manifest(kid_callable.span);
            self.draft.origins.set(Argument::KidCallable, place, Written::Otherwise);
            self.draft.arguments.kid_callable = Some(kid_callable.value);
        }
        if let Some(ages) = self.manifest.age_range.take() {
            self.draft.arguments.age_range = Some(self.manifest_text(Argument::AgeRange, &ages));
        }
        self.canvases();
    }

    fn result(&mut self) {
        if let Some(model) = self.manifest.result.take() {
            let place = self.in_manifest(model.span);
            self.draft.origins.set(Argument::ResponseModel, place, Written::Otherwise);
            self.draft.arguments.response_model = Some(model.value);
        }
    }

    fn canvases(&mut self) {
        let mut seen = BTreeSet::new();
        for canvas in std::mem::take(&mut self.manifest.canvases) {
            if seen.insert(canvas.value.trim().to_ascii_lowercase()) {
                let index = self.draft.arguments.canvas_ids.len();
                let canvas = self.manifest_text(Argument::Canvas(index), &canvas);
                let canvas = CanvasId::from(canvas).stored_form();
                self.draft.arguments.canvas_ids.push(canvas.into());
            }
        }
    }

    fn manifest_text(&mut self, argument: Argument, text: &Located<String>) -> String {
        let place = self.in_manifest(text.span);
        let source = self.manifest_file.map_or("", |(_, source)| source.text());
        let (trimmed, written) = as_written(source, &text.value, text.span);
        self.draft.origins.set(argument, place, written);
        trimmed
    }

    fn skill_file_text(&mut self, argument: Argument, text: &str, span: Span) -> String {
        let (trimmed, written) = as_written(self.skill.source.text(), text, span);
        self.draft.origins.set(argument, Place::SkillFile(span), written);
        trimmed
    }

    fn in_manifest(&self, span: Span) -> Place {
        match self.manifest_file {
            Some((index, _)) => Place::Resource(index, span),
            None => Place::File(MANIFEST_FILE_NAME.to_owned()),
        }
    }
}

/// Returns a string without surrounding whitespace and with line feeds only, and how it is
/// written in its file. Whitespace at the end is what a block scalar leaves; it has no meaning.
fn as_written(file: &str, text: &str, span: Span) -> (String, Written) {
    let text = text.trim().replace("\r\n", "\n");
    // From the end, since a block scalar may have a comment in its first line.
    let at = file[span.range()].rfind(&text).filter(|_| !text.is_empty());
    let written = at.map_or(Written::Otherwise, |at| Written::Exactly {
        start: span.start + at,
        after_return: Vec::new(),
    });
    (text, written)
}

/// Returns the manifest of a skill whose `sprout.yaml` has no source, which is empty, and why it
/// has none, if one was meant to be there.
fn without_source(skill: &Skill) -> (Option<Manifest>, Vec<(Place, ManifestProblem)>) {
    let problem = match skill.bundle.file(MANIFEST_FILE_NAME) {
        Some(file) => Some(unreadable(&file.kind)),
        None => misnamed_manifest(skill).map(misnamed),
    };
    (problem.is_some().then(Manifest::default), problem.into_iter().collect())
}

fn misnamed(file: &BundleFile) -> (Place, ManifestProblem) {
    (Place::File(file.path.clone()), ManifestProblem::misnamed(&file.path))
}

fn unreadable(kind: &FileKind) -> (Place, ManifestProblem) {
    (Place::File(MANIFEST_FILE_NAME.to_owned()), ManifestProblem::unreadable(kind))
}
