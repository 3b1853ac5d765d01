//! Who may launch a skill, and for which ages it is.

use super::{Argument, Reason, Verdict, Verdicts};
use crate::contract::{Category, PublicTool, Sensitivity, SkillWrite};
use dibber_text::ellipsize;

/// The oldest age of a child, in years.
pub const AGE_MAX: u8 = 18;

/// `INVALID_AGE_RANGE`, `AGE_RANGE_REQUIRED`, `KID_CALLABLE_HOME_AGENT` and
/// `SENSITIVE_KID_HAND`.
pub(super) fn analyze(arguments: &SkillWrite, verdicts: &mut Verdicts) {
    if let Some(ages) = &arguments.age_range
        && !is_age_range(ages)
    {
        verdicts.push(Reason::InvalidAgeRange, |reason| {
            invalid_ages(reason, ages, meant_ages(ages).as_deref())
        });
    }
    if arguments.kid_callable == Some(true) {
        kid_callable(arguments, verdicts);
    }
}

fn kid_callable(arguments: &SkillWrite, verdicts: &mut Verdicts) {
    if arguments.age_range.is_none() {
        verdicts.push(Reason::KidCallableWithoutAgeRange, |reason| {
            let message = "a child may launch the skill, and nothing says for which ages it is";
            let fix = "add `ageRange` with the youngest and the oldest age, as in `\"5-7\"`";
            Verdict::new(reason, Argument::KidCallable, message, fix)
        });
    }
    if arguments.category == Some(Category::HomeAgent) {
        verdicts.push(Reason::KidCallableHomeAgent, |reason| {
            let message = "a child may launch the skill, but only the home agent can run it, and \
                           a child cannot reach that agent";
            let fix = "take out `kidCallable`, or make the category `generic`";
            Verdict::new(reason, Argument::KidCallable, message, fix)
                .related(Argument::Category, "for the home agent alone")
        });
    }
    for (index, hand) in arguments.hands_referenced.iter().enumerate() {
        if PublicTool::named(hand).is_some_and(|tool| tool.sensitivity == Sensitivity::High) {
            verdicts.push(Reason::SensitiveKidHand, |reason| {
                let message = format!(
                    "a child may launch the skill, and it uses `{}`, which changes at once what \
                     a child earns or is allowed",
                    ellipsize(hand)
                );
                let fix = "let a parent launch the skill, or do without that tool";
                Verdict::new(reason, Argument::Hand(index), message, fix)
                    .related(Argument::KidCallable, "a child may launch it")
            });
        }
    }
}

fn invalid_ages(reason: Reason, ages: &str, meant: Option<&str>) -> Verdict {
    let message = format!("`{}` is not a range of ages", ellipsize(ages));
    let fix = match meant {
        Some(meant) => format!("write `\"{meant}\"`"),
        None => format!(
            "write the youngest and the oldest age, as in `\"5-7\"`; {AGE_MAX} is the oldest"
        ),
    };
    Verdict::new(reason, Argument::AgeRange, message, fix)
}

/// Tells whether these are ages as they are written: `5-7`.
pub fn is_age_range(text: &str) -> bool {
    meant_ages(text).as_deref() == Some(text)
}

/// The range of ages that was probably meant, as it is to be written: for `5`, `5-5`; for `5+`,
/// up to the oldest; for anything else with two ages in it, from the younger to the older.
fn meant_ages(text: &str) -> Option<String> {
    let is_digit = |c: char| c.is_ascii_digit();
    let numbers = text.split(|c| !is_digit(c)).filter(|number| !number.is_empty());
    let ages: Vec<u8> = numbers.map(|number| number.parse().ok()).collect::<Option<_>>()?;
    let (one, other) = match ages[..] {
        [age] if text.trim_end().ends_with('+') => (age, AGE_MAX),
        [age] => (age, age),
        [one, other] => (one, other),
        _ => return None,
    };
    let (youngest, oldest) = (one.min(other), one.max(other));
    (oldest <= AGE_MAX).then(|| format!("{youngest}-{oldest}"))
}
