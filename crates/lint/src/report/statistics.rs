//! Statistics in place of findings: how many findings of each rule there are.

use std::collections::BTreeMap;

use serde::Serialize;

use super::format::Report;
use super::json_summary::{SummaryV2, summary_v2};
use super::json_text;
use super::paint::{Ink, paint};
use super::problem::{HeldProblems, Problem};
use super::style::Style;
use super::summary::Summary;
use dibber_skill::diagnostic::{Applicability, Diagnostic, Level, RuleMeta};

/// The version of the shape in JSON.
const VERSION: u32 = 1;
/// The mark of a rule whose findings all have a safe fix.
const FIXABLE: &str = "[*]";
/// The mark of a rule some of whose findings have a safe fix.
const SOME_FIXABLE: &str = "[-]";

/// The number of findings of each rule.
#[derive(Default)]
struct Counts(BTreeMap<&'static str, Count>);

struct Count {
    rule: &'static RuleMeta,
    errors: usize,
    warnings: usize,
    fixable: usize,
    fixable_unsafe: usize,
}

impl Count {
    const fn all(&self) -> usize {
        self.errors + self.warnings
    }
}

impl Counts {
    fn add(&mut self, diagnostic: &Diagnostic) {
        let rule = diagnostic.rule;
        let new = Count { rule, errors: 0, warnings: 0, fixable: 0, fixable_unsafe: 0 };
        let count = self.0.entry(rule.id).or_insert(new);
        match diagnostic.level {
            Level::Deny => count.errors += 1,
            Level::Warn | Level::Allow => count.warnings += 1,
        }
        match diagnostic.fix.as_ref().map(|fix| fix.applicability) {
            Some(Applicability::Safe) => count.fixable += 1,
            Some(Applicability::Unsafe) => count.fixable_unsafe += 1,
            None => {}
        }
    }

    /// Returns the counts, the most frequent rule first.
    fn sorted(&self) -> Vec<&Count> {
        let mut counts: Vec<&Count> = self.0.values().collect();
        counts.sort_by_key(|count| (std::cmp::Reverse(count.all()), count.rule.id));
        counts
    }
}

/// One line for each rule.
pub(super) struct StatisticsText {
    style: Style,
    counts: Counts,
}

impl StatisticsText {
    pub(super) fn new(style: Style) -> Self {
        Self { style, counts: Counts::default() }
    }
}

impl Report for StatisticsText {
    fn diagnostic(&mut self, diagnostic: &Diagnostic, _out: &mut Vec<u8>) {
        self.counts.add(diagnostic);
    }

    fn end(&mut self, _summary: &Summary, out: &mut Vec<u8>) {
        let counts = self.counts.sorted();
        let widest = |length: fn(&Count) -> usize| {
            counts.iter().map(|count| length(count)).max().unwrap_or_default()
        };
        let number_width = widest(|count| count.all().to_string().len());
        let id_width = widest(|count| count.rule.id.len());
        let mut text = String::new();
        let mut has_mark = false;
        for count in &counts {
            let mark = match count.fixable {
                0 => "",
                some if some < count.all() => SOME_FIXABLE,
                _ => FIXABLE,
            };
            has_mark |= !mark.is_empty();
            text += &format!("{:>number_width$}  ", count.all());
            let ink = if count.errors > 0 { Ink::Error } else { Ink::Warning };
            paint(&mut text, self.style.color, ink, count.rule.id);
            let gap = id_width - count.rule.id.len();
            text += &format!("{:gap$}  {mark:3}  {}\n", "", count.rule.summary);
        }
        if has_mark {
            text += &format!(
                "\n{FIXABLE} all fixable with --fix, {SOME_FIXABLE} some fixable with --fix\n"
            );
        }
        out.extend_from_slice(text.as_bytes());
    }
}

/// The same as JSON; `schemas/lint-statistics.schema.json` describes it.
#[derive(Default)]
pub(super) struct StatisticsJson {
    counts: Counts,
    problems: HeldProblems,
}

#[derive(Serialize)]
struct DocumentV1<'a> {
    version: u32,
    items: Vec<CountV1<'a>>,
    problems: Vec<Problem>,
    summary: SummaryV2,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CountV1<'a> {
    rule: &'a str,
    group: &'a str,
    summary: &'a str,
    count: usize,
    errors: usize,
    warnings: usize,
    fixable: usize,
    fixable_unsafe: usize,
}

impl Report for StatisticsJson {
    fn diagnostic(&mut self, diagnostic: &Diagnostic, _out: &mut Vec<u8>) {
        self.counts.add(diagnostic);
    }

    fn problem(&mut self, problem: &Problem, _out: &mut Vec<u8>) {
        self.problems.push(problem);
    }

    fn end(&mut self, summary: &Summary, out: &mut Vec<u8>) {
        let items = self.counts.sorted().into_iter().map(|count| CountV1 {
            rule: count.rule.id,
            group: count.rule.group.name(),
            summary: count.rule.summary,
            count: count.all(),
            errors: count.errors,
            warnings: count.warnings,
            fixable: count.fixable,
            fixable_unsafe: count.fixable_unsafe,
        });
        let document = DocumentV1 {
            version: VERSION,
            items: items.collect(),
            problems: self.problems.take(),
            summary: summary_v2(summary),
        };
        json_text::write_pretty(&document, out);
    }
}
