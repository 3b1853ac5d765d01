//! Who may launch a skill, and for which ages it is.

use super::problem::{DraftProblems, problem};
use super::reason::Reason;
use crate::age_range::AgeRange;
use crate::contract::{Category, PublicTool, Sensitivity, SkillWrite};
use crate::draft::origins::Argument;
use dibber_text::{message, quote};

/// `INVALID_AGE_RANGE`, `AGE_RANGE_REQUIRED`, `KID_CALLABLE_HOME_AGENT` and
/// `SENSITIVE_KID_HAND`.
pub(super) fn analyze(arguments: &SkillWrite, problems: &mut DraftProblems) {
    let ages = arguments.age_range.as_deref().unwrap_or_default();
    if let (Some(_), Err(problem)) = (&arguments.age_range, ages.parse::<AgeRange>()) {
        problems
            .push(Reason::InvalidAgeRange, || problem.map_place(|()| Argument::AgeRange.into()));
    }
    if arguments.kid_callable == Some(true) {
        kid_callable(arguments, problems);
    }
}

fn kid_callable(arguments: &SkillWrite, problems: &mut DraftProblems) {
    if arguments.age_range.is_none() {
        problems.push(Reason::KidCallableWithoutAgeRange, || {
            let message = "a child may launch the skill, but it has no age range";
            let help = "add `ageRange` with the lowest and the highest age, such as `\"5-7\"`";
            problem(Argument::KidCallable, message, help)
        });
    }
    if arguments.category == Some(Category::HomeAgent) {
        problems.push(Reason::KidCallableHomeAgent, || {
            let message = "a child may launch the skill, but only the home agent runs it, which \
                           a child cannot reach";
            let help = "remove `kidCallable`, or change the category to `generic`";
            problem(Argument::KidCallable, message, help)
                .with_label(Argument::Category.into(), "for the home agent only")
        });
    }
    for (index, hand) in arguments.hands_referenced.iter().enumerate() {
        if PublicTool::named(hand).is_some_and(|tool| tool.sensitivity == Sensitivity::High) {
            problems.push(Reason::SensitiveKidHand, || {
                let message = message![
                    "a child may launch the skill, and it uses `",
                    quote(hand),
                    "`, which at once changes what \
                     a child earns or is allowed"
                ];
                let help = "let only a parent launch the skill, or do not use this tool";
                problem(Argument::Hand(index), message, help)
                    .with_label(Argument::KidCallable.into(), "a child may launch it")
            });
        }
    }
}
