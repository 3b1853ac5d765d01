//! The analyzers: what speaks against writing a skill, seen from its arguments alone.

mod audience;
mod canvases;
mod fields;
mod hands;
mod names;
mod placeholders;

use std::collections::BTreeMap;

use super::origins::Argument;
use crate::contract::{Decision, SkillWrite};
use crate::names::Roster;
use dibber_text::Span;

pub use audience::{AGE_MAX, is_age_range};
pub use canvases::is_canvas_id;

/// The most verdicts of one reason that are given one by one; the last one counts the rest.
pub const REPORTED_MAX: usize = 100;

/// Why something speaks against writing a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// A child's name stands in the label, the description, the prompt or what an input is for.
    ChildName,
    /// The label, the description or the prompt is blank.
    BlankField,
    /// The prompt has a placeholder that no input declares.
    UndeclaredPlaceholder,
    /// The prompt has something that was meant as a placeholder, or an input has a name that no
    /// placeholder can hold.
    MalformedPlaceholder,
    /// Two inputs bear the same name.
    DuplicateInput,
    /// An input that the prompt does not use.
    UnusedInput,
    /// A tool that no public page names.
    UnknownHand,
    /// The hands are those of a skill that runs and of one that schedules.
    MixedShape,
    /// A child may launch it, and no ages are given.
    KidCallableWithoutAgeRange,
    /// A child may launch it, and it is for the home agent alone.
    KidCallableHomeAgent,
    /// A child may launch it, and it uses a tool that touches what a child earns or is allowed.
    SensitiveKidHand,
    /// The ages are not written as `5-7`.
    InvalidAgeRange,
    /// There are more canvases than a skill may link.
    TooManyCanvases,
    /// A canvas is not a UUID.
    InvalidCanvasId,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Self; 14] = [
        Self::ChildName,
        Self::BlankField,
        Self::UndeclaredPlaceholder,
        Self::MalformedPlaceholder,
        Self::DuplicateInput,
        Self::UnusedInput,
        Self::UnknownHand,
        Self::MixedShape,
        Self::KidCallableWithoutAgeRange,
        Self::KidCallableHomeAgent,
        Self::SensitiveKidHand,
        Self::InvalidAgeRange,
        Self::TooManyCanvases,
        Self::InvalidCanvasId,
    ];

    /// The code on the wire.
    pub const fn code(self) -> &'static str {
        match self {
            Self::ChildName => "PII_IN_PROMPT",
            Self::BlankField => "BLANK_FIELD",
            Self::UndeclaredPlaceholder => "UNDECLARED_PLACEHOLDER",
            Self::MalformedPlaceholder => "MALFORMED_PLACEHOLDER",
            Self::DuplicateInput => "DUPLICATE_INPUT",
            Self::UnusedInput => "UNUSED_INPUT",
            Self::UnknownHand => "UNKNOWN_HAND",
            Self::MixedShape => "MIXED_SHAPE",
            Self::KidCallableWithoutAgeRange => "AGE_RANGE_REQUIRED",
            Self::KidCallableHomeAgent => "KID_CALLABLE_HOME_AGENT",
            Self::SensitiveKidHand => "SENSITIVE_KID_HAND",
            Self::InvalidAgeRange => "INVALID_AGE_RANGE",
            Self::TooManyCanvases => "CANVAS_LIMIT_EXCEEDED",
            Self::InvalidCanvasId => "INVALID_CANVAS_ID",
        }
    }

    /// What asks for it when a skill is changed.
    pub const fn gate(self) -> Gate {
        match self {
            Self::BlankField | Self::TooManyCanvases | Self::InvalidCanvasId => Gate::Ownership,
            Self::ChildName
            | Self::UndeclaredPlaceholder
            | Self::MalformedPlaceholder
            | Self::DuplicateInput
            | Self::UnusedInput => Gate::Safety,
            Self::UnknownHand
            | Self::MixedShape
            | Self::KidCallableWithoutAgeRange
            | Self::KidCallableHomeAgent
            | Self::SensitiveKidHand
            | Self::InvalidAgeRange => Gate::Policy,
        }
    }

    /// What it alone leads to.
    pub const fn decision(self) -> Decision {
        match self {
            Self::UnusedInput
            | Self::UnknownHand
            | Self::KidCallableHomeAgent
            | Self::SensitiveKidHand => Decision::Review,
            _ => Decision::Refuse,
        }
    }
}

/// What a change of a skill has to pass. Which gates it opens depends on the fields that it
/// changes; a new skill passes all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// Every change: the skill is the family's, and stays one.
    Ownership,
    /// A change of the prompt: nobody is named, and every placeholder can be filled in.
    Safety,
    /// A change of who may launch it, and of the ages: they go together.
    Policy,
}

/// One thing that speaks against writing a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Why.
    pub reason: Reason,
    /// The argument that it is about.
    pub argument: Argument,
    /// The bytes of the argument's text that it is about; none for all of it.
    pub part: Option<Span>,
    /// What is wrong, as a sentence fragment.
    pub message: String,
    /// The way out.
    pub fix: String,
    /// What was probably meant in the place of the part.
    pub correction: Option<String>,
    /// Another argument that helps to understand it, and what is to be seen there.
    pub related: Option<(Argument, &'static str)>,
}

impl Verdict {
    fn new(
        reason: Reason,
        argument: Argument,
        message: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Self {
            reason,
            argument,
            part: None,
            message: message.into(),
            fix: fix.into(),
            correction: None,
            related: None,
        }
    }

    fn part(mut self, part: Span) -> Self {
        self.part = Some(part);
        self
    }

    fn correction(mut self, correction: Option<String>) -> Self {
        self.correction = correction;
        self
    }

    fn related(mut self, argument: Argument, text: &'static str) -> Self {
        self.related = Some((argument, text));
        self
    }
}

/// Everything that speaks against writing a skill with these arguments; of one reason, at most
/// [`REPORTED_MAX`] verdicts.
pub fn analyze(arguments: &SkillWrite, roster: &Roster) -> Vec<Verdict> {
    let mut verdicts = Verdicts::default();
    names::analyze(arguments, roster, &mut verdicts);
    fields::analyze(arguments, &mut verdicts);
    placeholders::analyze(arguments, &mut verdicts);
    hands::analyze(arguments, &mut verdicts);
    audience::analyze(arguments, &mut verdicts);
    canvases::analyze(arguments, &mut verdicts);
    verdicts.finish()
}

/// The verdicts so far, and how many there are of each reason.
#[derive(Default)]
struct Verdicts {
    all: Vec<Verdict>,
    counts: BTreeMap<Reason, usize>,
}

impl Verdicts {
    /// Counts a verdict, and makes it unless there are enough of its reason: a hostile prompt
    /// must not fill the memory with them.
    fn push(&mut self, reason: Reason, make: impl FnOnce(Reason) -> Verdict) {
        let count = self.counts.entry(reason).or_default();
        *count += 1;
        if *count <= REPORTED_MAX {
            self.all.push(make(reason));
        }
    }

    /// The verdicts; the last of a reason that has too many says how many more there are.
    fn finish(mut self) -> Vec<Verdict> {
        for (reason, count) in self.counts {
            let last = self.all.iter_mut().rfind(|verdict| verdict.reason == reason);
            if let Some(last) = last.filter(|_| count > REPORTED_MAX) {
                last.message += &format!(" (and {} more like this one)", count - REPORTED_MAX);
            }
        }
        self.all
    }
}
