//! One fault, one finding: if two rules find the same fault, only the more specific one reports
//! it.
//!
//! This comes after levels and waivers, so that a finding that is not reported replaces none.

use std::collections::HashSet;

use super::judged::Judged;
use crate::rule::Rule;
use crate::rules::delegated::{BLANK_LABEL, UNDECLARED_PLACEHOLDER, UNUSED_INPUT};
use crate::rules::{
    broken_link, description_without_trigger, frontmatter_not_a_mapping, heavy_body, invalid_name,
    invalid_yaml, long_body, missing_description, missing_frontmatter, missing_mentioned_file,
    name_not_directory, non_string_field, short_description, unclosed_frontmatter,
};
use dibber_skill::skill::Skill;
use dibber_text::Message;

/// What two findings of the same fault have in common.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Match {
    /// They start on the same line.
    Line,
    /// They are in the same file.
    File,
    /// The weaker one is about a file as a whole, and the other one is in that file.
    WholeFile,
    /// They have the same message, wherever they are.
    Message,
    /// Their help quotes the same correction first.
    Correction,
}

/// The weaker rule, the stronger rule, and what their findings have in common.
static PAIRS: [(&Rule, &Rule, Match); 12] = [
    // Without a description, the summary is blank as well.
    (&BLANK_LABEL, &frontmatter_not_a_mapping::RULE, Match::WholeFile),
    (&BLANK_LABEL, &invalid_yaml::RULE, Match::WholeFile),
    (&BLANK_LABEL, &missing_description::RULE, Match::Line),
    (&BLANK_LABEL, &missing_description::RULE, Match::WholeFile),
    (&BLANK_LABEL, &missing_frontmatter::RULE, Match::File),
    (&BLANK_LABEL, &non_string_field::RULE, Match::WholeFile),
    (&BLANK_LABEL, &unclosed_frontmatter::RULE, Match::File),
    (&description_without_trigger::RULE, &short_description::RULE, Match::Line),
    (&heavy_body::RULE, &long_body::RULE, Match::File),
    (&missing_mentioned_file::RULE, &broken_link::RULE, Match::Message),
    (&name_not_directory::RULE, &invalid_name::RULE, Match::Line),
    (&UNUSED_INPUT, &UNDECLARED_PLACEHOLDER, Match::Correction),
];

/// The part of a finding that has to be equal.
#[derive(PartialEq, Eq, Hash)]
enum MatchKey {
    Line(String, Option<usize>),
    File(String),
    Message(Message),
    Correction(Option<String>),
}

/// Drops each finding whose fault a more specific rule reports.
pub(super) fn drop_weaker(skill: &Skill, reported: &mut Vec<Judged>) {
    let is_of = |judged: &Judged, rule: &Rule| judged.finding.rule.id == rule.meta.id;
    for &(weaker, stronger, by) in &PAIRS {
        let strong = reported.iter().filter(|judged| is_of(judged, stronger));
        let keys: HashSet<MatchKey> = strong.map(|judged| match_key(skill, judged, by)).collect();
        if !keys.is_empty() {
            let is_weaker = |judged: &Judged| {
                is_of(judged, weaker)
                    && (by != Match::WholeFile || judged.source_and_span(skill).is_none())
                    && keys.contains(&match_key(skill, judged, by))
            };
            reported.retain(|judged| !is_weaker(judged));
        }
    }
}

fn match_key(skill: &Skill, judged: &Judged, by: Match) -> MatchKey {
    match by {
        Match::Line => {
            let start = judged.source_and_span(skill);
            let line = start.map(|(source, span)| source.lines().line(span.start));
            MatchKey::Line(judged.path.clone(), line)
        }
        Match::File | Match::WholeFile => MatchKey::File(judged.path.clone()),
        Match::Message => MatchKey::Message(judged.finding.message.clone()),
        Match::Correction => {
            let help = judged.finding.help.as_ref();
            MatchKey::Correction(help.and_then(|help| help.quotes().next()).map(str::to_owned))
        }
    }
}
