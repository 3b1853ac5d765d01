//! The skill that the answers make: a description, inputs, a schedule, a title and a folder.

use super::{Interview, draft_of};
use crate::cli::new::arguments::with_trigger;
use crate::cli::new::free_text::{cut, parse_value, without_loose_end};
use crate::cli::new::name_lists::first_names;
use crate::cli::new::spoken_names::{
    CHILD_NAME, NameCount, child_name_input, clean_folder, in_case_of, name_spans, typed_names,
    without_names,
};
use crate::cli::new::topic::Topic;
use crate::cli::term::wording::capitalized;
use dibber_skill::contract::{InputVariable, SkillWrite};
use dibber_skill::scaffold::{Answers, Detail, FOR_WHOM, Schedule, Template};
use dibber_skill::skill::name;
use dibber_text::Span;

/// The most characters of a title that is made from what the skill does.
const TITLE_CHARACTERS_MAX: usize = 60;
/// The most characters of a folder's name that is made from a title.
const FOLDER_CHARACTERS_MAX: usize = 40;
/// The most folders of one name, each with another number.
const FOLDERS_MAX: usize = 99;

/// When it is used, while only what it does is known.
const SOME_OCCASION: &str = "a parent asks for it, or for something that is much like it";

impl Interview<'_> {
    /// Returns the answers that make the skill.
    pub(in crate::cli::new) fn answers(&self) -> Answers {
        let mut answers = self.known.answers.clone();
        let Some(template) = self.template() else { return answers };
        if let Some(description) = self.description(template) {
            answers.description = Some(description);
        }
        let is_named = self.has_name() && template.slots.iter().any(|slot| slot.name == FOR_WHOM);
        if answers.inputs.is_empty() {
            answers.inputs = self.inputs(is_named);
        }
        for slot in template.slots {
            let Some(text) = self.reply(&Topic::Slot(slot.name)) else { continue };
            let text = self.clean(text);
            answers.details.entry(slot.name.to_owned()).or_insert(Detail::Text(text));
        }
        if is_named {
            answers.details.insert(FOR_WHOM.to_owned(), self.whom());
        }
        self.add_schedule(&mut answers);
        answers.kid_callable = answers.kid_callable.or_else(|| self.is_kid_callable());
        if answers.kid_callable == Some(true) && answers.ages.is_none() {
            answers.ages = self.answer(&Topic::Ages);
        }
        answers.label = answers.label.or_else(|| Some(self.title()));
        answers.name = answers.name.or_else(|| self.folder());
        answers
    }

    /// Returns for whom it is, with the input for the name of the child in its place; after the words
    /// if only another answer has the name.
    fn whom(&self) -> Detail {
        let whom = self.answer(&Topic::Slot(FOR_WHOM));
        let whom = whom.filter(|text| !self.is_names_of_children(text)).unwrap_or_default();
        let (before, after) = match self.first_names(&whom) {
            Some((span, _)) => (self.clean(&whom[..span.start]), self.clean(&whom[span.end..])),
            None if whom.is_empty() => (String::new(), String::new()),
            None => {
                let words = self.clean(whom.trim_end_matches(['.', '!', ' ']));
                let are = match self.child_names() {
                    NameCount::One => "child is",
                    NameCount::Several => "children are",
                };
                (format!("{words} (the {are} called "), ")".to_owned())
            }
        };
        Detail::Input { before, name: CHILD_NAME.to_owned(), after }
    }

    /// Returns the place of the first name in an answer, or of the list that begins with it, and
    /// whether it is one.
    pub(super) fn first_names(&self, text: &str) -> Option<(Span, bool)> {
        first_names(text, &name_spans(text, self.known.roster, self.spoken_names()))
    }

    /// Returns how many names become an input.
    pub(in crate::cli::new) fn child_names(&self) -> NameCount {
        let several = |are_several| if are_several { NameCount::Several } else { NameCount::One };
        let whom = self.answer(&Topic::Slot(FOR_WHOM)).unwrap_or_default();
        if self.is_names_of_children(&whom) {
            return several(typed_names(&whom).len() > 1);
        }
        if let Some((_, is_list)) = self.first_names(&whom) {
            return several(is_list);
        }
        let what = self.reply(&Topic::What).unwrap_or_default();
        let names = name_spans(what, self.known.roster, self.spoken_names());
        NameCount::count(what, &names)
    }

    fn add_schedule(&self, answers: &mut Answers) {
        if let (None, Some(schedule)) = (&answers.schedule, self.schedule()) {
            let zone = schedule.zone.or_else(|| self.answer(&Topic::Zone));
            answers.schedule = Some(Schedule {
                cron: schedule.expression,
                time_zone: zone.filter(|zone| !zone.is_empty()),
                ..Schedule::default()
            });
        }
        let values = self.topics().into_iter().filter_map(|topic| {
            let Topic::Value(input) = &topic else { return None };
            Some((input.clone(), parse_value(&self.answer(&topic)?).ok()?))
        });
        let values: Vec<_> = values.collect();
        if let Some(schedule) = &mut answers.schedule {
            schedule.values.extend(values);
        }
    }

    fn description(&self, template: &Template) -> Option<String> {
        let what = capitalized(&self.clean(self.reply(&Topic::What)?));
        let when = self.reply(&Topic::WhenUsed).map(|when| self.clean(when));
        let known = if template.trigger.is_empty() { SOME_OCCASION } else { template.trigger };
        Some(with_trigger(&what, when.as_deref().unwrap_or(known)))
    }

    fn inputs(&self, is_named: bool) -> Vec<InputVariable> {
        let input = |name: String, description: String| InputVariable {
            name,
            description: Some(description),
            ..InputVariable::default()
        };
        let changes = self.changes().into_iter();
        let mut inputs: Vec<InputVariable> =
            is_named.then(|| child_name_input(self.child_names())).into_iter().collect();
        for (name, words) in changes {
            if inputs.iter().all(|input| input.name != name) {
                inputs.push(input(name, capitalized(&words)));
            }
        }
        inputs
    }

    /// Returns the inputs that need a value in a scheduled run: all but dates.
    pub(super) fn valued_inputs(&self, draft: &SkillWrite) -> impl Iterator<Item = String> {
        let given = &self.known.answers.inputs;
        let own = if given.is_empty() { self.inputs(self.has_name()) } else { given.clone() };
        let inputs = draft.input_variables.clone().into_iter().chain(own);
        let inputs = inputs.filter(|input| !input.is_date());
        inputs.map(|input| input.name)
    }

    pub(super) fn title(&self) -> String {
        if let Some(title) = self.reply(&Topic::Title) {
            return in_case_of(title, self.clean(title));
        }
        let last = |name: &str| name::to_heading(name.rsplit('.').next().unwrap_or(name));
        if let Some(name) = &self.known.answers.name {
            return last(name);
        }
        let template = self.template();
        let known = template.map(|template| last(template.skill)).unwrap_or_default();
        match self.reply(&Topic::What) {
            Some(what) if self.default_of_template(what) => known,
            Some(what) => capitalized(&cut(&self.clean(what), TITLE_CHARACTERS_MAX)),
            None => known,
        }
    }

    /// Takes words for the title, which can be changed at the end, unless there is one.
    pub(in crate::cli::new) fn suggest_title(&mut self, words: &str) {
        let is_possible = self.known.answers.label.is_none() && self.reply(&Topic::Title).is_none();
        if is_possible && self.known.answers.name.is_some() {
            // Words that are too long for a title are only the name of the folder.
            let _ = self.accept(&Topic::Title, words);
        }
    }

    /// Returns `true` if this is what the template says that the skill does.
    fn default_of_template(&self, what: &str) -> bool {
        let draft = self.template().and_then(draft_of);
        draft.is_some_and(|draft| draft.description.starts_with(what))
    }

    /// Returns the name of the folder: the one that was typed, or one that is free.
    pub(super) fn folder(&self) -> Option<String> {
        let typed = self.reply(&Topic::Folder);
        let typed = typed.and_then(|folder| clean_folder(folder, |words| self.clean(words)));
        if typed.is_some() {
            return typed;
        }
        draft_of(self.template()?)?;
        let title = self.known.answers.label.clone().unwrap_or_else(|| self.title());
        let name = name::corrected_to_ascii(&title).map(|name| short_name(&name).to_owned());
        let name = name.unwrap_or_else(|| self.template().map_or("", |it| it.skill).to_owned());
        let numbered = (2..=FOLDERS_MAX).map(|number| format!("{name}-{number}"));
        let mut names = std::iter::once(name.clone()).chain(numbered);
        names.find(|name| !(self.known.is_taken)(name))
    }

    /// Returns a typed name of a folder as a skill may have it, if that is clear.
    pub(super) fn folder_of(&self, typed: &str) -> String {
        let is_published = self.template().is_some_and(|it| draft_of(it).is_some());
        let corrected = name::corrected_to_ascii(typed).filter(|_| is_published);
        corrected.unwrap_or_else(|| typed.to_owned())
    }

    /// Returns a string with "the child" in place of names.
    pub(super) fn clean(&self, text: &str) -> String {
        without_names(text, self.known.roster, self.spoken_names())
    }
}

/// Returns the words of an ASCII name, with hyphens between them, that are short enough.
fn short_name(name: &str) -> &str {
    if name.len() <= FOLDER_CHARACTERS_MAX {
        return name;
    }
    let end = name[..=FOLDER_CHARACTERS_MAX].rfind('-').unwrap_or(FOLDER_CHARACTERS_MAX);
    without_loose_end(&name[..end], '-')
}

#[cfg(test)]
mod tests {
    use super::short_name;

    #[test]
    fn names_of_folders_end_at_a_word() {
        assert_eq!(short_name("bedtime-story"), "bedtime-story");
        let long = "tell-a-story-about-the-animals-that-live-in-the-forest";
        assert_eq!(short_name(long), "tell-a-story-about-the-animals-that-live");
        let loose = "tell-a-calm-story-for-the-children-about-dragons";
        assert_eq!(short_name(loose), "tell-a-calm-story-for-the-children");
        assert_eq!(short_name(&format!("{}-{}", "a".repeat(30), "b".repeat(30))), "a".repeat(30));
        assert_eq!(short_name(&"a".repeat(60)), "a".repeat(40));
    }
}
