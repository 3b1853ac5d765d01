//! Writing waiver comments for the findings of a skill.
//!
//! This only plans: the caller writes the new string, or shows it. All comments go into `SKILL.md`:
//! one at the end of the line for a finding in the body, before the block for one in a fenced block,
//! and one at the top of the frontmatter, which covers the whole skill, for all others, also for the
//! length of the body. The result is
//! linted again, and a comment that covers nothing is not written.

use std::collections::{BTreeMap, BTreeSet};

use super::fix::{Fixed, is_link_outside};
use super::lint::{Limit, Linted, lint_for_run};
use super::rule::Check;
use super::rules::rule;
use super::selection::Selection;
use super::settings::Settings;
use dibber_skill::diagnostic::{Diagnostic, Group, Level, RuleMeta};
use dibber_skill::skill::Skill;

/// The most characters of a reason.
const REASON_CHARACTERS_MAX: usize = 200;
/// The most findings of a rule in one body that get comments of their own; with more, one comment
/// covers the whole skill.
const LINES_MAX: usize = 10;
/// The rules about all of `SKILL.md` that point at one of its lines: a comment there would cover
/// nothing as soon as the lines before it change.
const RULES_ABOUT_THE_WHOLE: [&str; 1] = ["long-body"];
/// The most passes in which waivers are added.
const PASSES_MAX: usize = 4;
/// The most rules in one comment.
const RULES_PER_COMMENT_MAX: usize = 10;

/// Why findings are waived, as it is written into a comment: one line of visible characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaiverReason(String);

impl WaiverReason {
    /// Parses a reason. The error says what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let text = text.trim();
        if !text.chars().any(char::is_alphanumeric) {
            return Err("the reason is empty");
        }
        if text.chars().count() > REASON_CHARACTERS_MAX {
            return Err("the reason has more than 200 characters");
        }
        if text.contains("--") {
            return Err("the reason contains `--`, which may end a comment");
        }
        if text.contains(|c: char| c.is_control() || dibber_text::is_invisible(c)) {
            return Err("the reason has a line break or an invisible character");
        }
        Ok(Self(text.to_owned()))
    }

    /// Returns the reason.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Which findings get waivers, and why.
#[derive(Clone, Debug)]
pub struct NewWaivers {
    /// The reason of all of them.
    pub reason: WaiverReason,
    /// The rules that were named: an error about security is waived only if its rule is.
    pub named: Selection,
}

impl NewWaivers {
    /// Returns `true` if a finding gets a waiver.
    pub fn cover(&self, diagnostic: &Diagnostic) -> bool {
        let meta = diagnostic.rule;
        let runs_on_skills = rule(meta.id).is_some_and(|rule| !matches!(rule.check, Check::Runner));
        let needs_name = meta.group == Group::Security && diagnostic.level == Level::Deny;
        runs_on_skills && meta.group != Group::Waivers && (!needs_name || self.named.names(meta))
    }
}

/// The comments of a skill: rules by the byte that theirs is inserted at.
#[derive(Clone, Default)]
struct Comments {
    /// At the end of a line.
    in_lines: BTreeMap<usize, BTreeSet<&'static str>>,
    /// On a line of their own.
    above: BTreeMap<usize, BTreeSet<&'static str>>,
    /// At the top of the frontmatter.
    in_skill: BTreeSet<&'static str>,
    /// The start of the frontmatter, if there is one.
    top: Option<usize>,
}

/// Adds waivers for the findings of a skill, and for those that are found only once others are waived:
/// a consequence of another finding is not reported beside it.
///
/// A `SKILL.md` that may not be written, as for fixes, stays as it is.
pub(super) fn add_waivers(skill: Skill, settings: &Settings, new: &NewWaivers) -> Fixed {
    let mut fixed = add_waivers_once(skill, settings, new);
    for _ in 1..PASSES_MAX {
        let found = &fixed.linted.outcome.diagnostics;
        if fixed.applied.is_empty() || !found.iter().any(|diagnostic| new.cover(diagnostic)) {
            break;
        }
        let next = add_waivers_once(fixed.skill, settings, new);
        let has_more = !next.applied.is_empty();
        fixed.applied.extend(next.applied);
        fixed.waived_security += next.waived_security;
        (fixed.skill, fixed.linted) = (next.skill, next.linted);
        if !has_more {
            break;
        }
    }
    fixed
}

fn add_waivers_once(skill: Skill, settings: &Settings, new: &NewWaivers) -> Fixed {
    let linted = lint_for_run(&skill, settings, Limit::PerRule);
    let found = linted.outcome.diagnostics.iter().filter(|diagnostic| new.cover(diagnostic));
    let found: Vec<&Diagnostic> = found.collect();
    if found.is_empty() || !skill.is_whole_text() || is_link_outside(&skill) {
        return Fixed { skill, applied: Vec::new(), waived_security: 0, linted };
    }
    let mut comments = Comments::of(&skill, &found);
    let rules: Vec<&'static RuleMeta> = found.iter().map(|diagnostic| diagnostic.rule).collect();
    let ids: Vec<&'static str> = rules.iter().map(|rule| rule.id).collect();
    let text = skill.source.text().to_owned();
    let lint_with = |skill: Skill, comments: &Comments| {
        let skill = skill.with_text(comments.insert(&text, &new.reason));
        let linted = lint_for_run(&skill, settings, Limit::PerRule);
        (skill, linted)
    };
    let (mut skill, mut linted) = lint_with(skill, &comments);
    // What no comment at its place covers is waived in the whole skill, if that helps.
    let rest = remaining(&linted, &ids);
    if !rest.is_empty() {
        comments.in_skill.extend(&rest);
        comments.remove_from_body(&rest);
        (skill, linted) = lint_with(skill, &comments);
        let rest = remaining(&linted, &ids);
        if !rest.is_empty() {
            comments.in_skill.retain(|id| !rest.contains(id));
            (skill, linted) = lint_with(skill, &comments);
        }
    }
    let waived = comments.rules();
    let waived: Vec<_> = rules.into_iter().filter(|rule| waived.contains(rule.id)).collect();
    let waived_security = waived.iter().filter(|rule| rule.group == Group::Security).count();
    let applied = waived.iter().map(|rule| format!("Waive `{}`", rule.id)).collect();
    Fixed { skill, applied, waived_security, linted }
}

/// Returns the rules that are found as before, although there are comments for them.
fn remaining(linted: &Linted, ids: &[&'static str]) -> BTreeSet<&'static str> {
    let found = linted.outcome.diagnostics.iter().map(|diagnostic| diagnostic.rule.id);
    found.filter(|id| ids.contains(id)).collect()
}

impl Comments {
    fn of(skill: &Skill, found: &[&Diagnostic]) -> Self {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for diagnostic in found {
            *counts.entry(diagnostic.rule.id).or_default() += 1;
        }
        let top = skill.frontmatter.as_ref().map(|frontmatter| frontmatter.content.start);
        let mut comments = Self { top, ..Self::default() };
        for diagnostic in found {
            let id = diagnostic.rule.id;
            let is_about_a_line = counts[id] <= LINES_MAX && !RULES_ABOUT_THE_WHOLE.contains(&id);
            match place(skill, diagnostic).filter(|_| is_about_a_line) {
                Some(CommentPlace::EndOfLine(at)) => comments.in_lines.entry(at),
                Some(CommentPlace::Above(at)) => comments.above.entry(at),
                None => {
                    comments.in_skill.insert(id);
                    continue;
                }
            }
            .or_default()
            .insert(id);
        }
        // What the whole skill waives needs no comments in lines.
        let in_skill = comments.in_skill.clone();
        comments.remove_from_body(&in_skill);
        comments
    }

    fn remove_from_body(&mut self, ids: &BTreeSet<&'static str>) {
        for places in [&mut self.in_lines, &mut self.above] {
            for rules in places.values_mut() {
                rules.retain(|id| !ids.contains(id));
            }
            places.retain(|_, rules| !rules.is_empty());
        }
    }

    fn rules(&self) -> BTreeSet<&'static str> {
        let in_body = self.in_lines.values().chain(self.above.values()).flatten();
        in_body.chain(&self.in_skill).copied().collect()
    }

    /// Returns the text of the skill with the comments.
    fn insert(&self, text: &str, WaiverReason(reason): &WaiverReason) -> String {
        let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let mut inserted: BTreeMap<usize, String> = BTreeMap::new();
        if let Some(top) = self.top {
            let ids: Vec<&str> = self.in_skill.iter().copied().collect();
            for ids in ids.chunks(RULES_PER_COMMENT_MAX) {
                let comment = format!("# dibber: allow {} — {reason}{line_end}", ids.join(", "));
                *inserted.entry(top).or_default() += &comment;
            }
        }
        let comment = |ids: &BTreeSet<&str>| {
            let ids: Vec<&str> = ids.iter().copied().collect();
            format!("<!-- dibber: allow {} — {reason} -->", ids.join(", "))
        };
        for (at, ids) in &self.in_lines {
            *inserted.entry(*at).or_default() += &format!(" {}", comment(ids));
        }
        for (at, ids) in &self.above {
            let indent: String =
                text[*at..].chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
            *inserted.entry(*at).or_default() += &format!("{indent}{}{line_end}", comment(ids));
        }
        let mut out = String::with_capacity(text.len() + 256);
        let mut from = 0;
        for (at, comment) in inserted {
            out.push_str(&text[from..at]);
            out.push_str(&comment);
            from = at;
        }
        out.push_str(&text[from..]);
        out
    }
}

/// Where the comment for a finding in the body goes.
enum CommentPlace {
    EndOfLine(usize),
    Above(usize),
}

/// Returns the place of the comment for a finding; none if it is not in the body of `SKILL.md`.
fn place(skill: &Skill, diagnostic: &Diagnostic) -> Option<CommentPlace> {
    let source = &skill.source;
    let range = diagnostic.range.as_ref().filter(|_| diagnostic.path == source.path())?;
    let at = range.span.start;
    if at < skill.body.start {
        return None;
    }
    let (text, lines) = (source.text(), source.lines());
    let line = lines.line_span(text, lines.line(at));
    let code = skill.markdown().code.iter().find(|code| code.contains(at));
    let block = code.filter(|code| is_fenced(&text[code.start..]));
    if let Some(block) = block {
        return Some(CommentPlace::Above(lines.line_span(text, lines.line(block.start)).start));
    }
    // Two spaces at the end of a line are a line break, which the comment must not follow.
    let content = text[line.start..line.end].trim_end();
    (!content.is_empty()).then(|| CommentPlace::EndOfLine(line.start + content.len()))
}

/// Returns `true` if a block of code begins with a fence.
fn is_fenced(code: &str) -> bool {
    let code = code.trim_start();
    code.starts_with("```") || code.starts_with("~~~")
}
