//! Every report format: how it looks, and that nothing in a file can break it.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::time::Duration;

use dibber::cli::term::summary_line;
use dibber_lint::RULES;
use dibber_lint::report::{
    Color, Context, FORMATS, Problem, Style, Summary, format as format_named,
};
use dibber_skill::diagnostic::{
    Applicability, Diagnostic, Edit, Excerpt, Fix, FixAvailability, Group, Level, LevelSource,
    Range, RuleMeta,
};
use dibber_text::{Source, Span};
use serde_json::Value;

use crate::lint::reports_of_hostile_text::check_xml;
use crate::support::{Tree, package};

pub(crate) const PLAIN: Style = Style { color: Color::Never, width: 80 };
const COLORED: Style = Style { color: Color::Always, width: 80 };

static ODD: RuleMeta = RuleMeta {
    id: "odd-text",
    group: Group::Writing,
    level: Level::Warn,
    fix: FixAvailability::Sometimes(Applicability::Safe),
    since: "0.1.0",
    summary: "the text is odd",
    docs: "# What it does\n\nFinds [odd](https://example.org) text such as `{input}`.\n",
};

/// A file, as the finding's place sees it: the text between `«` and `»` is the place itself,
/// that between `‹` and `›` a label.
pub(crate) fn diagnostic(path: &str, marked: &str, message: &str) -> Diagnostic {
    let mut text = String::new();
    let (mut place, mut labels) = (Span::empty(0), Vec::new());
    for c in marked.chars() {
        match c {
            '«' => place = Span::empty(text.len()),
            '»' => place.end = text.len(),
            '‹' => labels.push(Span::empty(text.len())),
            '›' => labels.last_mut().expect("a label began").end = text.len(),
            c => text.push(c),
        }
    }
    let source = Source::new(path, text.clone());
    let labels = labels.into_iter().map(|span| (Range::new(&source, span), "see here".to_owned()));
    Diagnostic {
        rule: &ODD,
        level: Level::Warn,
        level_source: LevelSource::Default,
        path: path.to_owned(),
        range: Some(Range::new(&source, place)),
        message: message.to_owned(),
        note: None,
        help: None,
        labels: labels.collect(),
        excerpt: Some(Excerpt { text, line: 1, column: 1, offset: 0 }),
        fix: None,
        fingerprint: format!("{:016x}", path.bytes().map(u64::from).sum::<u64>()),
    }
}

/// Moves the excerpt down, as if there were lines above it.
fn lower(mut diagnostic: Diagnostic, lines: usize, bytes: usize) -> Diagnostic {
    let excerpt = diagnostic.excerpt.as_mut().expect("an excerpt");
    excerpt.line += lines;
    excerpt.offset += bytes;
    let places = diagnostic.labels.iter_mut().map(|label| &mut label.0);
    for range in diagnostic.range.iter_mut().chain(places) {
        range.span = range.span.shift(bytes);
        range.start.line += lines;
        range.end.line += lines;
    }
    diagnostic
}

pub(crate) fn fix(applicability: Applicability, title: &str, span: Span, text: &str) -> Fix {
    let edits = vec![Edit { span, text: text.to_owned() }];
    Fix { title: title.to_owned(), applicability, edits }
}

/// Findings of every kind: of real rules, with everything a finding can have, and hostile.
fn findings() -> Vec<Diagnostic> {
    let tree = Tree::from_archive(
        "-- trip-planner/SKILL.md --\n---\ndescription: Plans a day trip.\n---\n# Trip\n\
         -- weather/SKILL.md --\n---\nname: weather\ndescription:\n---\n",
        false,
    );
    let mut findings = tree.lint(&[]);
    for (index, finding) in findings.iter_mut().enumerate() {
        // The true ones name the temporary directory.
        finding.fingerprint = format!("{index:016x}");
    }
    findings.extend([with_everything(), of_a_file(), with_two_lines()]);
    findings.extend(hostile());
    findings
}

fn with_everything() -> Diagnostic {
    let text = "name: trip\ndescription: «Plans: a day trip»\n‹name›: trip\n";
    let mut finding = diagnostic("trip-planner/SKILL.md", text, "the value holds a `: `");
    finding.level = Level::Deny;
    finding.level_source =
        LevelSource::Config { path: "dibber.toml".to_owned(), line: 7, key: "writing".to_owned() };
    finding.note = Some("YAML reads a mapping here".to_owned());
    finding.help = Some("put the value in quotes".to_owned());
    let span = finding.range.as_ref().expect("a range").span;
    finding.fix = Some(fix(Applicability::Safe, "Quote the value", span, "\"Plans: a day trip\""));
    lower(finding, 1, 4)
}

fn of_a_file() -> Diagnostic {
    let mut finding = diagnostic("trip-planner/scripts/C:/100%,a b.sh", "", "nothing names it");
    (finding.range, finding.excerpt) = (None, None);
    finding.level_source = LevelSource::CommandLine("odd-text=warn".to_owned());
    finding.help = Some("name it in `SKILL.md`\nor delete it".to_owned());
    finding
}

fn with_two_lines() -> Diagnostic {
    let text = "«First line,\n  second line,\n\nlast line» and more\n";
    let mut finding = diagnostic("./notes/SKILL.md", text, "the paragraph says nothing");
    finding.note = Some("all of it".to_owned());
    let span = finding.range.as_ref().expect("a range").span;
    finding.fix = Some(fix(Applicability::Unsafe, "Delete the paragraph", span, ""));
    finding
}

fn hostile() -> Vec<Diagnostic> {
    let text = "a\u{1B}[31m «b\tc\u{202E}d\u{E0041}» ]]> \"'<&> 漢字 ‹é›\r\n";
    let message = "a\n::error file=x::y %0A \u{1B}[2J ]]> \"quoted\" <tag> & {0} [go](https://x)\0";
    let mut first = diagnostic("ev\u{1B}]il/::,%\n/SKILL.md", text, message);
    first.note = Some("one\ttwo\u{7}".to_owned());
    first.help = Some("three\r\n##[add-mask]four \u{FFFE}\u{200B}".to_owned());
    let mut second = first.clone();
    second.message.truncate(1);
    second.labels.clear();
    vec![first, second]
}

fn problem() -> Problem {
    let path = "locked/SKILL.md".to_owned();
    let message = "cannot read locked/SKILL.md: permission denied\u{1B}[1m".to_owned();
    Problem { path, message }
}

fn summary() -> Summary {
    Summary {
        skills: 12,
        errors: 2,
        warnings: 5,
        fixable: 3,
        fixable_unsafe: 1,
        fixed: 0,
        would_fix: 0,
        would_waive: 0,
        waived: 4,
        waived_security: 0,
        known: 0,
        problems: 1,
        elapsed: Duration::from_micros(8_400),
    }
}

/// Writes a whole report as a run would, with the problem after the first finding.
pub(crate) fn report(
    format: &str,
    style: Style,
    findings: &[Diagnostic],
    problems: &[Problem],
) -> String {
    let rules = vec![&RULES[0].meta, &ODD];
    let format = format_named(format).expect("a format of that name");
    let mut report = (format.open)(Context {
        style,
        rules,
        version: "0.1.0",
        homepage: "https://example.com/dibber",
        fails_on: Level::Deny,
        repository: None,
    });
    let (mut bytes, mut out) = (Vec::new(), Vec::new());
    report.begin(&mut out);
    for (index, finding) in findings.iter().enumerate() {
        report.diagnostic(finding, &mut out);
        if index == 0 {
            for problem in problems {
                report.problem(problem, &mut out);
            }
        }
        bytes.append(&mut out);
    }
    report.end(&summary(), &mut out);
    bytes.append(&mut out);
    String::from_utf8(bytes).expect("a report is UTF-8")
}

fn snapshot(name: &str, report: &str) {
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name, report);
    });
}

#[test]
fn formats_have_unique_names_and_summaries_without_a_full_stop() {
    let names: BTreeSet<_> = FORMATS.iter().map(|format| format.name).collect();
    assert_eq!(names.len(), FORMATS.len());
    for format in FORMATS {
        assert!(!format.summary.ends_with('.'), "{}", format.name);
    }
    assert!(format_named("xml").is_none());
}

#[test]
fn every_format_looks_as_it_did() {
    for format in FORMATS {
        let report = report(format.name, PLAIN, &findings(), &[problem()]);
        // Escape codes would make the snapshot unreadable, and there must be none.
        assert!(!report.contains('\u{1B}'), "{}", format.name);
        snapshot(&format!("report-{}", format.name), &report);
    }
}

#[test]
fn every_format_reports_that_nothing_was_found() {
    let mut all = String::new();
    for format in FORMATS {
        let report = report(format.name, PLAIN, &[], &[]);
        write!(all, "# {}\n{report}", format.name).expect("a string");
    }
    snapshot("report-of-nothing", &all);
}

#[test]
fn reports_for_people_look_as_they_did_in_color() {
    let findings = [with_everything(), of_a_file(), with_two_lines()];
    let mut all = report("human", COLORED, &findings, &[]);
    all += &report("concise", COLORED, &findings, &[]);
    all += &summary_line(&summary(), COLORED);
    snapshot("report-in-color", &all.replace('\u{1B}', "␛"));
}

/// Lines that are hard to set: long, wide, cut, empty, at the end.
#[test]
fn human_sets_difficult_lines() {
    let words = "every word of a long description counts ".repeat(30);
    let wide = "漢字".repeat(60);
    let tags: String = "ab".chars().cycle().take(60).map(|c| shifted(c, 0xE0000)).collect();
    let texts = [
        ("a short mark in a long line", format!("{words}«here»{words}\n")),
        ("a mark at the end of a long line", format!("{words}«here»")),
        ("a long mark", format!("description: «{words}»\n")),
        ("two marks far apart", format!("«one» {words} ‹two›\n")),
        ("wide characters", format!("{wide}«漢字 and é»{wide}\n")),
        ("wide characters that fit", "漢字 «漢字» ‹漢字›\n".to_owned()),
        ("characters nobody sees", format!("«{tags}»\n")),
        ("tabs", "\t- \t«item\t» end\n".to_owned()),
        ("an empty mark", "name:«» \n".to_owned()),
        ("an empty mark at the end", "name: x\n«»".to_owned()),
        ("a line break alone", "name: x«\r\n»more\n".to_owned()),
        ("an empty file", "«»".to_owned()),
        ("a long mark over lines", format!("«{words}\n{words}\n{words}»\n")),
        ("labels in other lines", "‹one›\n‹two› «three» ‹four›\n\n‹five›\n".to_owned()),
        ("labels across the mark", "«one ‹two› three»\n".to_owned()),
    ];
    let mut all = String::new();
    for (what, text) in texts {
        let mut finding = diagnostic("notes/SKILL.md", &text, what);
        finding.note = Some("the note at the mark".to_owned());
        write!(all, "{}", report("human", PLAIN, &[finding], &[])).expect("a string");
    }
    for line in all.lines().filter(|line| !line.is_ascii()) {
        assert!(line.chars().count() <= 80, "too long: {line}");
    }
    snapshot("report-human-lines", &all);
}

fn shifted(c: char, by: u32) -> char {
    char::from_u32(u32::from(c) + by).expect("a character")
}

#[test]
fn human_sets_long_words_and_narrow_terminals() {
    let long = "a note that is much too long to stand beside the mark in one line ".repeat(2);
    let mut finding = diagnostic("notes/SKILL.md", "some text «and a mark» ‹end›\n", &long);
    finding.note = Some(long.trim().to_owned());
    finding.help = Some(format!("{long}\n{}", "word".repeat(30)));
    let mut cut = lower(finding.clone(), 99, 5_000);
    cut.excerpt.as_mut().expect("an excerpt").column = 700;
    cut.range.as_mut().expect("a range").start.column += 699;
    cut.labels[0].0 = Range { span: Span::new(1, 2), ..cut.labels[0].0.clone() };
    let mut all = String::new();
    for width in [80, 40, 1] {
        let style = Style { color: Color::Never, width };
        all += &report("human", style, &[finding.clone(), cut.clone()], &[]);
    }
    snapshot("report-human-widths", &all);
}

#[test]
fn summary_lines_count_in_words() {
    let none = Summary { skills: 1, elapsed: Duration::from_micros(300), ..Summary::default() };
    let mut lines = Vec::new();
    for summary in [
        none.clone(),
        Summary { errors: 1, fixable: 1, ..none.clone() },
        Summary { warnings: 1, fixable_unsafe: 1, elapsed: Duration::from_secs(3), ..none.clone() },
        Summary {
            fixed: 3,
            would_fix: 1,
            waived: 2,
            known: 40,
            elapsed: Duration::from_secs(95),
            ..none
        },
        summary(),
    ] {
        lines.push(summary_line(&summary, PLAIN).to_string());
    }
    snapshot("report-summary-lines", &lines.join("\n"));
}

#[test]
fn json_follows_its_schema_and_keeps_the_exact_text() {
    let path = package().join("schemas/lint-report.schema.json");
    let schema = fs::read_to_string(path).expect("the schema");
    let schema: Value = serde_json::from_str(&schema).expect("the schema is JSON");
    jsonschema::draft202012::meta::validate(&schema).expect("the schema is a schema");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let findings = findings();
    for findings in [&findings[..], &[]] {
        let value = parse(&report("json", PLAIN, findings, &[problem()]));
        let errors: Vec<_> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:#?}");
    }
    let value = parse(&report("json", PLAIN, &findings, &[]));
    for (index, finding) in findings.iter().enumerate() {
        assert_eq!(value["items"][index]["message"], finding.message);
        assert_eq!(value["items"][index]["path"], finding.path);
    }
}

#[test]
fn too_many_problems_are_counted() {
    let value = parse(&report("json", PLAIN, &hostile(), &vec![problem(); 1_234]));
    let problems = value["problems"].as_array().expect("an array");
    assert_eq!(problems.len(), 1_001);
    assert_eq!(problems[1_000]["message"], "234 more paths could not be checked");
}

#[test]
fn sarif_has_what_the_standard_requires() {
    let schema = fs::read_to_string(package().join("tests/reference/sarif-subset.schema.json"));
    let schema: Value = serde_json::from_str(&schema.expect("the schema")).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let findings = findings();
    for problems in [&[problem()][..], &[]] {
        let value = parse(&report("sarif", PLAIN, &findings, problems));
        let errors: Vec<_> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:#?}");
        let run = &value["runs"][0];
        let successful = &run["invocations"][0]["executionSuccessful"];
        assert_eq!(successful, &Value::Bool(problems.is_empty()));
        for result in run["results"].as_array().expect("results") {
            if let Some(index) = result["ruleIndex"].as_u64() {
                let index = usize::try_from(index).expect("an index");
                assert_eq!(result["ruleId"], run["tool"]["driver"]["rules"][index]["id"]);
            }
        }
    }
}

#[test]
fn gitlab_has_every_fingerprint_once() {
    let mut findings = findings();
    findings.extend(hostile());
    let value = parse(&report("gitlab", PLAIN, &findings, &[problem()]));
    let issues = value.as_array().expect("an array");
    let prints: BTreeSet<_> = issues.iter().map(|issue| issue["fingerprint"].to_string()).collect();
    assert_eq!(prints.len(), issues.len());
}

#[test]
fn junit_splits_the_suite_of_a_file_with_very_many_findings() {
    let findings = vec![with_everything(); 2_345];
    let report = report("junit", PLAIN, &findings, &[]);
    check_xml(&report);
    assert_eq!(report.matches("<testsuite ").count(), 3);
    assert_eq!(report.matches("<testcase ").count(), 2_345);
}

pub(crate) fn parse(report: &str) -> Value {
    serde_json::from_str(report).unwrap_or_else(|error| panic!("{error}:\n{report}"))
}
