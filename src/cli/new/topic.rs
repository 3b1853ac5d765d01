//! What the questions are about.

use dibber_skill::contract::LABEL_CHARACTERS_MAX;
use dibber_skill::names::AnswerKind;
use dibber_skill::scaffold::{FOR_WHOM, TEMPLATES, Template, TemplateAudience};
use dibber_text::{Message, message, quote_in_full};

use super::explanation;
use super::free_text::value_question;
use super::rhythm::RHYTHMS;
use super::zone;
use crate::cli::term::answer_line::{item_of, item_with_word_of};

/// The most characters of the sentence that says what a skill does.
const WHAT_CHARACTERS_MAX: usize = 300;

/// The item that leads to the templates for developers.
pub(super) const FOR_DEVELOPERS: &str = "for developers: scripts, assignments, the home agent";

/// What an answer is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Topic {
    /// The template, or that it is one for developers.
    Purpose,
    /// The template, of those for developers.
    DeveloperTemplate,
    /// What the skill does.
    What,
    /// When it is used, if the template does not know.
    WhenUsed,
    /// A part of the template's text, by the name of its slot.
    Slot(&'static str),
    /// The inputs.
    Changes,
    /// The days on which it runs by itself.
    Rhythm,
    /// The time of these days.
    Time,
    /// The value of this input at these runs.
    Value(String),
    /// The time zone.
    Zone,
    /// Whether a child may start it.
    KidCallable,
    /// The ages of these children.
    Ages,
    /// The label.
    Title,
    /// The name of the folder, and of the skill.
    Folder,
    /// Which words of the answers are names of children.
    Names,
}

impl Topic {
    /// Returns the key under which the answer is kept.
    pub(super) fn key(&self) -> String {
        let key = match self {
            Self::Purpose => "purpose",
            Self::DeveloperTemplate => "developer-template",
            Self::What => "what",
            Self::WhenUsed => "when-used",
            Self::Slot(name) => return format!("slot {name}"),
            Self::Changes => "changes",
            Self::Rhythm => "rhythm",
            Self::Time => "time",
            Self::Value(input) => return format!("value {input}"),
            Self::Zone => "zone",
            Self::KidCallable => "kid-callable",
            Self::Ages => "ages",
            Self::Title => "title",
            Self::Folder => "folder",
            Self::Names => "names",
        };
        key.to_owned()
    }

    /// Returns `true` if it is asked even though there is a default. Other defaults are shown at
    /// the end, where every answer can be changed.
    pub(super) fn is_always_asked(&self) -> bool {
        match self {
            Self::Slot(name) => *name == FOR_WHOM,
            _ => matches!(
                self,
                Self::Purpose
                    | Self::DeveloperTemplate
                    | Self::What
                    | Self::Changes
                    | Self::Rhythm
                    | Self::Time
            ),
        }
    }

    /// Returns the question.
    pub(super) fn question(&self, template: Option<&Template>) -> Message {
        let question = match self {
            Self::Purpose => "What should happen?",
            Self::DeveloperTemplate => "Which template?",
            Self::What => {
                "What exactly? Say it in one sentence of at most 300 characters, such as: tell a \
                 story about animals."
            }
            Self::WhenUsed => {
                "When should it be used? Use it when … (with the answer before: at least 50 \
                 characters)"
            }
            Self::Slot(name) => {
                let slots = template.map_or(&[][..], |template| template.slots);
                slots.iter().find(|slot| slot.name == *name).map_or("", |slot| slot.question)
            }
            Self::Changes => {
                "What is different each time? Separate several with commas, such as: hero, place."
            }
            Self::Rhythm => {
                "When should it run by itself? You can type it, too: every day at 7:30pm."
            }
            Self::Time => "At what time? (such as 7:30pm or 19:30)",
            Self::Value(input) => return value_question(input),
            Self::Zone => zone::QUESTION,
            Self::KidCallable => "May a child start it? (yes or no)",
            Self::Ages => "For which ages? (such as 5-7)",
            Self::Title => {
                let question = "Under which title should your family find it? (at most ";
                return message![question, LABEL_CHARACTERS_MAX, " characters)"];
            }
            Self::Folder if template.is_some_and(|template| template.trigger.is_empty()) => {
                "What is its name, and that of its folder?"
            }
            Self::Folder => "What should its folder be called?",
            Self::Names => {
                "Which words are names of children? Separate several with commas, or type none."
            }
        };
        question.into()
    }

    /// Returns what the question means.
    pub(super) fn explanation(&self) -> Message {
        let explanation = match self {
            Self::Purpose => return explanation::purpose(),
            Self::DeveloperTemplate => explanation::DEVELOPER_TEMPLATE,
            Self::What => explanation::WHAT,
            Self::WhenUsed => explanation::WHEN_USED,
            Self::Slot(FOR_WHOM) => explanation::FOR_WHOM,
            Self::Slot(_) => explanation::SLOT,
            Self::Changes => explanation::CHANGES,
            Self::Rhythm => explanation::SCHEDULE,
            Self::Time => explanation::TIME,
            Self::Value(_) => explanation::VALUE,
            Self::Zone => explanation::ZONE,
            Self::KidCallable => explanation::KID_CALLABLE,
            Self::Ages => explanation::AGES,
            Self::Title => explanation::TITLE,
            Self::Folder => explanation::FOLDER,
            Self::Names => explanation::NAMES,
        };
        explanation.into()
    }

    /// Returns the most characters of the answer, if it has a limit of its own.
    pub(super) const fn characters_max(&self) -> Option<usize> {
        match self {
            Self::What => Some(WHAT_CHARACTERS_MAX),
            Self::Title => Some(LABEL_CHARACTERS_MAX),
            _ => None,
        }
    }

    /// Returns `true` for an answer in words of one's own.
    pub(super) const fn is_in_words(&self) -> bool {
        matches!(
            self,
            Self::What
                | Self::WhenUsed
                | Self::Slot(_)
                | Self::Changes
                | Self::Rhythm
                | Self::Title
        )
    }

    /// Returns what kind of answer it is to search for names; none for one without words.
    pub(super) fn answer_kind(&self) -> Option<AnswerKind> {
        match self {
            Self::Slot(FOR_WHOM) => Some(AnswerKind::ForWhom),
            Self::What | Self::WhenUsed | Self::Title | Self::Slot(_) => Some(AnswerKind::Sentence),
            Self::Changes | Self::Folder => Some(AnswerKind::Names),
            _ => None,
        }
    }

    /// Returns the words for it in the summary of all answers.
    pub(super) fn label(&self) -> Message {
        let label = match self {
            Self::Purpose => "purpose",
            Self::DeveloperTemplate => "template",
            Self::What => "what it does",
            Self::WhenUsed => "when to use it",
            Self::Slot(FOR_WHOM) => "for whom",
            Self::Slot(name) => *name,
            Self::Changes => "different each time",
            Self::Rhythm => "runs by itself",
            Self::Time => "time",
            Self::Value(input) => return message!["with ", quote_in_full(input)],
            Self::Zone => "time zone",
            Self::KidCallable => "a child may start it",
            Self::Ages => "ages",
            Self::Title => "title",
            Self::Folder => "folder",
            Self::Names => "names of children",
        };
        label.into()
    }

    /// Returns the items from which the answer is chosen, if any.
    pub(super) fn items(&self) -> Vec<String> {
        match self {
            Self::Purpose => {
                summaries(TemplateAudience::Parents).chain([FOR_DEVELOPERS.to_owned()]).collect()
            }
            Self::DeveloperTemplate => summaries(TemplateAudience::Developers).collect(),
            Self::Rhythm => RHYTHMS.map(str::to_owned).to_vec(),
            _ => Vec::new(),
        }
    }
}

/// Returns the template for these readers that an answer means: by its number in [`Topic::items`],
/// its words or its name.
pub(super) fn template_of(typed: &str, audience: TemplateAudience) -> Option<&'static Template> {
    let known = TEMPLATES.iter().filter(|template| template.audience == audience);
    let summaries: Vec<String> = summaries(audience).collect();
    let by_words = item_of(typed, &summaries).and_then(|index| known.clone().nth(index));
    by_words.or_else(|| known.clone().find(|template| template.name.eq_ignore_ascii_case(typed)))
}

/// Returns the template for parents that a sentence means by one word of [`Topic::items`].
pub(super) fn template_with_word_of(typed: &str) -> Option<&'static Template> {
    let index = item_with_word_of(typed, &Topic::Purpose.items())?;
    TEMPLATES.iter().filter(|it| it.audience == TemplateAudience::Parents).nth(index)
}

fn summaries(audience: TemplateAudience) -> impl Iterator<Item = String> {
    let known = TEMPLATES.iter().filter(move |template| template.audience == audience);
    known.map(|template| template.summary.to_owned())
}
