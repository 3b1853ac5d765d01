//! Mutated skills, many of them: nothing panics, every place lies in its file, and fixing ends.
//!
//! `DIBBER_FUZZ` sets how many are tried, and `DIBBER_CORPUS` names a directory with further skills
//! to begin with. Each input has a number, and is the same in each run over the same seeds.

use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use dibber_lint::Settings;
use dibber_lint::fix::{Fixed, fix};
use dibber_lint::report::{Context, FORMATS, Summary};
use dibber_skill::contract::SKILL_WRITE;
use dibber_skill::diagnostic::{Applicability, Diagnostic, Level};
use dibber_skill::draft::{self, Draft};
use dibber_skill::manifest::MANIFEST_FILE_NAME;
use dibber_skill::skill::{Bundle, BundleFile, FileKind, Resource, Skill};
use dibber_skill::spec_hash::SpecHash;
use dibber_text::{Source, Span};
use serde_json::Value;

use crate::lint::reports::PLAIN;
use crate::support::mutation::{Files, input, seeds};
use crate::support::{TODAY, setting, test_roster};

/// How many inputs are tried unless `DIBBER_FUZZ` gives another number.
const INPUTS: u64 = 400;
/// How many inputs that fail are shown.
const FAILURES_SHOWN_MAX: usize = 5;
/// How many smaller inputs are tried to find the smallest that fails.
const SHRINKS_MAX: usize = 2_000;

fn skill(files: &Files) -> Skill {
    let mut bundle = Bundle::of_text("skills/trip-planner", Some("trip-planner".to_owned()));
    bundle.skill_file_bytes = files.skill.len() as u64;
    let manifest = files.manifest.as_deref();
    let resources = manifest.into_iter().map(|text| {
        let source = Source::new(format!("skills/trip-planner/{MANIFEST_FILE_NAME}"), text);
        Resource::new(MANIFEST_FILE_NAME, source)
    });
    let paths = ["SKILL.md", "references/a.md", "scripts/run.sh"].into_iter();
    for path in paths.chain(manifest.map(|_| MANIFEST_FILE_NAME)) {
        let path = path.to_owned();
        bundle.files.push(BundleFile { path, kind: FileKind::Regular(10) });
    }
    let source = Source::new("skills/trip-planner/SKILL.md", files.skill.as_str());
    Skill::parse(bundle, source, resources.collect())
}

fn check_span(text: &str, span: Span, what: &Diagnostic) {
    let is_inside = span.start <= span.end && text.get(span.range()).is_some();
    assert!(is_inside, "{}: {span:?} is not in {} bytes", what.rule.id, text.len());
}

fn check_places(skill: &Skill, found: &[Diagnostic]) {
    let resources = || skill.resources.iter().map(|resource| &resource.source);
    for diagnostic in found {
        let source = std::iter::once(&skill.source)
            .chain(resources())
            .find(|source| source.path() == diagnostic.path);
        let labels = diagnostic.labels.iter().map(|(range, _)| range);
        for range in diagnostic.range.iter().chain(labels) {
            check_span(source.expect("a file").text(), range.span, diagnostic);
        }
        for edit in diagnostic.fix.iter().flat_map(|fix| &fix.edits) {
            check_span(skill.source.text(), edit.span, diagnostic);
        }
    }
}

/// Renders findings in every format, and reads them back where a program would.
fn check_reports(found: &[Diagnostic]) {
    for format in FORMATS {
        let context = Context {
            style: PLAIN,
            rules: Vec::new(),
            version: "0",
            homepage: "",
            fails_on: Level::Deny,
            repository: None,
        };
        let (mut report, mut out) = ((format.open)(context), Vec::new());
        report.begin(&mut out);
        for diagnostic in found {
            report.diagnostic(diagnostic, &mut out);
        }
        report.end(&Summary::default(), &mut out);
        if matches!(format.name, "json" | "sarif" | "gitlab") {
            serde_json::from_slice::<Value>(&out).expect("JSON");
        }
    }
}

fn check_draft(skill: &Skill) {
    let draft = Draft::new(skill);
    let faults = dibber_lint::draft_faults(skill, &draft);
    let verdicts = draft::analyze(draft.best_effort(), &test_roster());
    dibber_lint::draft_reasons(skill, &draft, &verdicts);
    let decision = draft::policy_decision(&verdicts, &());
    draft::preview(draft.best_effort());
    let arguments = serde_json::to_value(draft.best_effort()).expect("JSON");
    let hash = SpecHash::compute(SKILL_WRITE, arguments.as_object().expect("an object"));
    let hash = hash.expect("there are no numbers among the arguments");
    draft::next_step(SKILL_WRITE, decision.decision, hash);
    assert!(faults.iter().all(|fault| !fault.message.is_empty()));
}

/// Fixes a skill; fixing it again changes nothing.
fn check_fixes(files: &Files, applicability: Applicability, settings: &Settings) {
    let Fixed { skill: fixed, applied, .. } = fix(skill(files), settings, applicability, |_| true);
    if applied.is_empty() {
        return;
    }
    check_places(&fixed, &dibber_lint::lint(&fixed, settings).diagnostics);
    check_draft(&fixed);
    let once = Files { skill: fixed.source.text().to_owned(), manifest: files.manifest.clone() };
    let again = fix(skill(&once), settings, applicability, |_| true);
    assert_eq!(again.applied, Vec::<String>::new(), "{applicability:?} in {:?}", once.skill);
}

fn check(files: &Files, settings: &Settings) {
    let skill = skill(files);
    let found = dibber_lint::lint(&skill, settings).diagnostics;
    check_places(&skill, &found);
    check_reports(&found);
    check_draft(&skill);
    if found.iter().any(|diagnostic| diagnostic.fix.is_some()) {
        for applicability in [Applicability::Safe, Applicability::Unsafe] {
            check_fixes(files, applicability, settings);
        }
    }
}

fn fails(files: &Files, settings: &Settings) -> bool {
    catch_unwind(AssertUnwindSafe(|| check(files, settings))).is_err()
}

/// Returns a part of an input that still fails: lines are left out, then characters.
fn shrink(mut files: Files, settings: &Settings) -> Files {
    let mut tries = 0;
    if files.manifest.is_some() {
        let without = Files { manifest: None, ..files.clone() };
        files = if fails(&without, settings) { without } else { files };
    }
    for is_end in [|c: char| c == '\n', |_: char| true] {
        let mut at = 0;
        while tries < SHRINKS_MAX {
            let parts: Vec<&str> = files.skill.split_inclusive(is_end).collect();
            if at >= parts.len() {
                break;
            }
            let smaller = [&parts[..at], &parts[at + 1..]].concat().concat();
            let smaller = Files { skill: smaller, ..files.clone() };
            tries += 1;
            if fails(&smaller, settings) {
                files = smaller;
            } else {
                at += 1;
            }
        }
    }
    files
}

fn count() -> u64 {
    let asked = std::env::var("DIBBER_FUZZ").ok();
    asked.map_or(INPUTS, |count| count.parse().expect("DIBBER_FUZZ is a number"))
}

/// Returns the numbers of inputs that fail, tried by all processors.
fn failing(seeds: &[Files], count: u64, settings: &Settings) -> Vec<u64> {
    let next = AtomicU64::new(0);
    let work = || {
        let mut failing = Vec::new();
        while failing.len() < FAILURES_SHOWN_MAX {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                break;
            }
            if fails(&input(seeds, number), settings) {
                failing.push(number);
            }
        }
        failing
    };
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
    })
}

#[test]
fn no_mutated_skill_is_too_broken_to_be_checked() {
    let settings = Settings::new(None, &[setting("all", Level::Warn)], TODAY);
    let settings = settings.expect("known rules").with_roster(test_roster());
    let seeds = seeds();
    let mut failing = failing(&seeds, count(), &settings);
    failing.sort_unstable();
    let shown: String = failing
        .iter()
        .take(FAILURES_SHOWN_MAX)
        .map(|number| format!("input {number}: {:?}\n", shrink(input(&seeds, *number), &settings)))
        .collect();
    assert!(failing.is_empty(), "{} of {} inputs fail:\n{shown}", failing.len(), count());
}
