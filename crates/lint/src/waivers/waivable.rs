//! Resolves the names of rules in waivers.

use crate::rules::{RULES, rule};
use crate::unchecked::UNCHECKED_SKILL;
use dibber_skill::diagnostic::{Group, RuleMeta};
use dibber_text::{closest_match, ellipsize};

/// Why a name in a waiver is not a rule that can be waived.
pub(super) struct NotWaivable {
    pub(super) message: String,
    pub(super) help: String,
}

/// Returns the rule with that name, if its findings can be waived.
pub(super) fn waivable_rule(name: &str) -> Result<&'static RuleMeta, NotWaivable> {
    match rule(name) {
        Some(rule) if rule.meta.group == Group::Waivers => Err(NotWaivable {
            message: format!("`{name}` checks waivers and cannot be waived"),
            help: format!("change its level: `{name} = \"allow\"` in `dibber.toml`"),
        }),
        Some(rule) => Ok(&rule.meta),
        None if name == "all" || Group::from_name(name).is_some() => Err(NotWaivable {
            message: format!("`{name}` is a group of rules, but a waiver needs single rules"),
            help: "list the rules, separated by commas".to_owned(),
        }),
        None if name == UNCHECKED_SKILL.id => Err(NotWaivable {
            message: format!("`{name}` reports a bug in dibber and cannot be waived"),
            help: "remove the waiver".to_owned(),
        }),
        None => Err(NotWaivable {
            message: format!("unknown rule `{}`", ellipsize(name)),
            help: match closest_match(name, RULES.iter().map(|rule| rule.meta.id)) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => "`dibber rules` lists the rules".to_owned(),
            },
        }),
    }
}
