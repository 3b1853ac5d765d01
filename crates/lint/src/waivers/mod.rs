//! Waivers: findings that somebody knows of and wants to keep.
//!
//! There are two kinds: comments in the files of a skill ([`comments`]) and tables in
//! `dibber.toml` ([`configured`]). Neither can keep the rules of the group `waivers` quiet.

mod comments;
mod configured;
mod cover;
mod directive;
mod yaml_comment;

pub(super) use comments::Comments;
pub(super) use configured::Configured;

use super::rules::{RULES, rule};
use super::unchecked::UNCHECKED_SKILL;
use dibber_skill::diagnostic::{Group, RuleMeta};
use dibber_text::{closest_match, ellipsize};

/// Why a name in a waiver names no rule that can be waived, and the way out.
struct NotWaivable {
    message: String,
    help: String,
}

/// The rule of that name, if its findings can be waived.
fn waivable(name: &str) -> Result<&'static RuleMeta, NotWaivable> {
    match rule(name) {
        Some(rule) if rule.meta.group == Group::Waivers => Err(NotWaivable {
            message: format!("`{name}` is about waivers and cannot be waived"),
            help: format!("give it another level: `{name} = \"allow\"` in `dibber.toml`"),
        }),
        Some(rule) => Ok(&rule.meta),
        None if name == "all" || Group::from_name(name).is_some() => Err(NotWaivable {
            message: format!("`{name}` stands for many rules, and a waiver is for single ones"),
            help: "name the rules, with commas between them".to_owned(),
        }),
        None if name == UNCHECKED_SKILL.id => Err(NotWaivable {
            message: format!("`{name}` reports a bug in dibber and cannot be waived"),
            help: "leave the waiver out".to_owned(),
        }),
        None => Err(NotWaivable {
            message: format!("there is no rule `{}`", ellipsize(name)),
            help: match closest_match(name, RULES.iter().map(|rule| rule.meta.id)) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => "`dibber rules` lists the rules".to_owned(),
            },
        }),
    }
}
