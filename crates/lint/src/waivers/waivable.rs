//! Resolves the names of rules in waivers.

use crate::rules::{RULES, rule};
use crate::unchecked::UNCHECKED_SKILL;
use dibber_skill::diagnostic::{Group, RuleMeta};
use dibber_text::{Problem, closest_match, message, quote};

/// Returns the rule with that name, if its findings can be waived.
pub(super) fn waivable_rule(name: &str) -> Result<&'static RuleMeta, Problem<()>> {
    match rule(name) {
        Some(rule) if rule.meta.group == Group::Waivers => {
            let id = rule.meta.id;
            let message = message!["`", id, "` checks waivers and cannot be waived"];
            let help = message!["change its level: `", id, " = \"allow\"` in `dibber.toml`"];
            Err(Problem::new((), message).with_help(help))
        }
        Some(rule) => Ok(&rule.meta),
        None if name == "all" || Group::from_name(name).is_some() => {
            let message = message![
                "`",
                quote(name),
                "` is a group of rules, but a waiver needs single rules"
            ];
            Err(Problem::new((), message).with_help("list the rules, separated by commas"))
        }
        None if name == UNCHECKED_SKILL.id => {
            let id = UNCHECKED_SKILL.id;
            let message = message!["`", id, "` reports a bug in dibber and cannot be waived"];
            Err(Problem::new((), message).with_help("remove the waiver"))
        }
        None => {
            let help = match closest_match(name, RULES.iter().map(|rule| rule.meta.id)) {
                Some(meant) => message!["did you mean `", meant, "`?"],
                None => message!["`dibber rules` lists the rules"],
            };
            Err(Problem::new((), message!["unknown rule `", quote(name), "`"]).with_help(help))
        }
    }
}
