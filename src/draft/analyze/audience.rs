//! Who may launch a skill, and for which ages it is.

use super::{Argument, Reason, Verdict, Verdicts};
use crate::contract::{Category, PUBLIC_TOOLS, Sensitivity, SkillWrite};
use crate::text::shorten;

/// The oldest age of a child, in years.
const AGE_MAX: u8 = 18;

/// `AGE_RANGE_REQUIRED`, `INVALID_AGE_RANGE`, `KID_CALLABLE_HOME_AGENT` and
/// `SENSITIVE_KID_HAND`.
pub(super) fn analyze(arguments: &SkillWrite, verdicts: &mut Verdicts) {
    if let Some(ages) = &arguments.age_range
        && parse_ages(ages).is_none()
    {
        let message = format!("`{}` is no range of ages", shorten(ages));
        let fix = format!("write the youngest and the oldest age, up to {AGE_MAX}: `\"5-7\"`");
        let verdict = Verdict::new(Reason::InvalidAgeRange, Argument::AgeRange, message).fix(fix);
        verdicts.push(verdict);
    }
    if arguments.kid_callable != Some(true) {
        return;
    }
    if arguments.age_range.is_none() {
        let message = "a child may launch the skill, and it does not say for which ages it is";
        let reason = Reason::KidCallableWithoutAgeRange;
        let verdict = Verdict::new(reason, Argument::KidCallable, message);
        verdicts.push(verdict.fix("add `ageRange: \"5-7\"` with the ages that it is for"));
    }
    if arguments.category == Some(Category::HomeAgent) {
        let message = "a child may launch the skill, but it is for the home agent alone, which \
                       children do not reach";
        let verdict = Verdict::new(Reason::KidCallableHomeAgent, Argument::KidCallable, message);
        verdicts.push(verdict.fix("take `kidCallable` or `category: home_agent` out"));
    }
    for (index, hand) in arguments.hands_referenced.iter().enumerate() {
        let tool = PUBLIC_TOOLS.iter().find(|tool| tool.name == hand);
        if tool.is_some_and(|tool| tool.sensitivity == Sensitivity::High) {
            let message = format!("a child may launch the skill, and it uses `{hand}`");
            let verdict = Verdict::new(Reason::SensitiveKidHand, Argument::Hand(index), message);
            verdicts.push(verdict.fix("let a parent launch it, or do without that tool"));
        }
    }
}

/// The youngest and the oldest age of a text such as `5-7`.
pub(super) fn parse_ages(text: &str) -> Option<(u8, u8)> {
    let age = |text: &str| {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<u8>().ok().filter(|age| is_number && *age <= AGE_MAX)
    };
    let (youngest, oldest) = text.split_once('-')?;
    let ages = (age(youngest)?, age(oldest)?);
    (ages.0 <= ages.1).then_some(ages)
}
