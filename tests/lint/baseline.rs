//! What is new: baselines, and the lines that have changed.

use dibber_lint::baseline::{Baseline, BaselineError};
use dibber_lint::changed::ChangedLines;
use dibber_lint::{Settings, Waivers, report_findings};
use dibber_skill::diagnostic::{Diagnostic, Finding, Place};
use dibber_skill::skill::{Bundle, Skill};
use dibber_text::{Source, Span, message, quote};
use proptest::prelude::*;

/// Findings of one rule in a file: on whole lines, and of the file as a whole.
fn findings(path: &str, text: &str, lines: &[usize], of_file: &[&str]) -> Vec<Diagnostic> {
    let rule = &dibber_lint::rule("missing-name").expect("a rule").meta;
    let (directory, _) = path.rsplit_once('/').unwrap_or(("", path));
    let skill = Skill::parse(Bundle::of_text(directory, None), Source::new(path, text), Vec::new());
    let on_lines = lines.iter().map(|&line| {
        let span = skill.source.lines().line_span(text, line);
        Finding::new(rule, span, message!["found ", quote(skill.source.slice(span))])
    });
    let name = path.rsplit('/').next().unwrap_or(path).to_owned();
    let of_file = of_file
        .iter()
        .map(|message| Finding::at(rule, Place::File(name.clone()), message![quote(message)]));
    let findings = on_lines.chain(of_file).collect();
    report_findings(&skill, &Settings::default(), findings, Waivers::Apply).diagnostics
}

fn new_ones(baseline: &mut Baseline, found: &[Diagnostic]) -> Vec<String> {
    let new = found.iter().filter(|found| !baseline.is_known(found));
    new.map(|found| found.message.clone()).collect()
}

#[test]
fn a_baseline_has_one_finding_on_a_line_sorted() {
    let mut found = findings("b/SKILL.md", "one\ntwo\none\n", &[1, 2, 3], &["too large"]);
    found.extend(findings("a/SKILL.md", "\u{202E}\"\\\t\u{1}\u{E0041}é\n", &[1], &[]));
    let text = Baseline::new(&found).render();
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("baseline", text);
    });
    assert_eq!(Baseline::parse(&text), Ok(Baseline::new(&found)));
    serde_json::from_str::<serde_json::Value>(&text).expect("JSON");
    assert_eq!(Baseline::default().render(), "{\n  \"version\": 1,\n  \"findings\": []\n}\n");
    assert_eq!(Baseline::parse(&Baseline::default().render()), Ok(Baseline::default()));
}

#[test]
fn a_known_finding_is_known_after_its_line_has_moved_and_counted() {
    let before = findings("a/SKILL.md", "one\ntwo\n", &[1, 2], &["too large"]);
    let after = findings("a/SKILL.md", "new\n\n  two\none\none\n", &[1, 3, 4, 5], &["too large"]);
    let mut baseline = Baseline::new(&before);
    assert_eq!(new_ones(&mut baseline, &after), ["found new", "found one"]);
    assert!(baseline.is_empty());

    let mut baseline = Baseline::new(&before);
    let elsewhere = findings("b/SKILL.md", "one\n", &[1], &["too large", "too small"]);
    assert_eq!(new_ones(&mut baseline, &elsewhere).len(), 3);
    assert_eq!(baseline.left(), 3);
}

#[test]
fn findings_of_whole_files_are_known_by_their_rule_and_counted() {
    let mut baseline = Baseline::new(&findings("a/SKILL.md", "", &[], &["2 files are too many"]));
    let found = findings("a/SKILL.md", "", &[], &["there are 3 files", "too small"]);
    assert_eq!(new_ones(&mut baseline, &found), ["too small"]);
    assert!(baseline.is_empty());
}

#[test]
fn an_invalid_baseline_is_refused_with_a_reason() {
    let message = |text: &str| Baseline::parse(text).expect_err("no baseline").to_string();
    assert_eq!(message("{"), "not a baseline: EOF while parsing an object at line 1 column 1");
    assert_eq!(
        message("[]"),
        "not a baseline: invalid length 0, expected a table with a version at line 1 column 2"
    );
    assert_eq!(Baseline::parse("{\"version\": 2, \"lines\": []}"), Err(BaselineError::Version(2)));
    assert_eq!(
        message("{\"version\": 2}"),
        "unsupported baseline version 2, expected 1; write the baseline again"
    );
    assert!(message("{\"version\": 1, \"findings\": [{\"rule\": 1}]}").contains("line 1"));
}

proptest! {
    #[test]
    fn a_rendered_baseline_parses_to_the_same_baseline(
        lines in proptest::collection::vec(any::<String>(), 0..8),
        path in "[a-z\"\\\\\u{7}\u{202E}\u{1F600}/ ]{0,12}",
    ) {
        let text = lines.join("\n");
        let count = Source::new("", text.as_str()).lines().count(&text);
        let found = findings(&path, &text, &(1..=count).collect::<Vec<_>>(), &["a", "a", "b"]);
        let baseline = Baseline::new(&found);
        let rendered = baseline.render();
        prop_assert_eq!(Baseline::parse(&rendered), Ok(baseline.clone()));
        prop_assert_eq!(baseline.left(), found.len());
        let mut parsed = Baseline::parse(&rendered).expect("a baseline");
        prop_assert!(found.iter().all(|found| parsed.is_known(found)));
        prop_assert!(parsed.is_empty());
    }

    #[test]
    fn any_text_can_be_read_as_a_diff(text in "(diff --git |\\+\\+\\+ |@@ -1,2 \\+[0-9]{1,20},[0-9]{1,20} @@|\"|\\\\[0-9]|a b|\n|\t|é){0,30}") {
        ChangedLines::parse(&text);
    }
}

const DIFF: &str = r#"diff --git trip/SKILL.md trip/SKILL.md
index 0f1e2d3..4b5a697 100644
--- trip/SKILL.md
+++ trip/SKILL.md
@@ -2 +2 @@ name: trip
-old
+new
@@ -5,2 +4,0 @@
--- gone/SKILL.md
-+++ gone/SKILL.md
@@ -9,0 +8,3 @@
++++ plus/SKILL.md
+--- minus/SKILL.md
+@@ -1 +1,100 @@
\ No newline at end of file
diff --git "gr\303\274n \"x\"\t/SKILL.md" "gr\303\274n \"x\"\t/SKILL.md"
new file mode 100644
index 0000000..1
--- /dev/null
+++ "gr\303\274n \"x\"\t/SKILL.md"
@@ -0,0 +1,2 @@
+a
+b
diff --git a b/SKILL.md a b/SKILL.md
--- a b/SKILL.md	
+++ a b/SKILL.md	
@@ -1 +1 @@
-a
+b
diff --git from/SKILL.md to/SKILL.md
similarity index 100%
rename from from/SKILL.md
rename to to/SKILL.md
diff --git gone/SKILL.md gone/SKILL.md
deleted file mode 100644
index 1..0
--- gone/SKILL.md
+++ /dev/null
@@ -1,2 +0,0 @@
-a
-b
diff --git image/logo.png image/logo.png
index 1..2 100644
Binary files image/logo.png and image/logo.png differ
diff --git run/me run/me
old mode 100644
new mode 100755
"#;

/// The lines, up to the twelfth, on which a finding counts, and 0 when one of the whole file does.
fn counted(changed: &ChangedLines, path: &str) -> Vec<usize> {
    let found = findings(path, &"x\n".repeat(12), &(1..=12).collect::<Vec<_>>(), &["whole"]);
    let covered = found.iter().filter(|found| changed.covers(found));
    covered.map(|found| found.range.as_ref().map_or(0, |range| range.start.line)).collect()
}

#[test]
fn findings_count_on_lines_that_have_changed() {
    let changed = ChangedLines::parse(DIFF);
    assert_eq!(counted(&changed, "trip/SKILL.md"), [0, 2, 8, 9, 10]);
    assert_eq!(counted(&changed, "grün \"x\"\t/SKILL.md"), [0, 1, 2]);
    assert_eq!(counted(&changed, "a b/SKILL.md"), [0, 1]);
    assert_eq!(counted(&changed, "to/SKILL.md"), [0]);
    assert_eq!(counted(&changed, "image/logo.png"), [0]);
    assert_eq!(counted(&changed, "run/me"), [0]);
    for untouched in ["from/SKILL.md", "plus/SKILL.md", "minus/SKILL.md", "/dev/null", "other"] {
        assert_eq!(counted(&changed, untouched), [] as [usize; 0], "{untouched}");
    }
    assert!(ChangedLines::parse("").is_empty());
    assert!(!changed.is_empty());
}

#[test]
fn a_finding_over_several_lines_counts_when_one_of_them_has_changed() {
    let changed = ChangedLines::parse("+++ a/SKILL.md\n@@ -3 +3 @@\n-x\n+y\n");
    let rule = &dibber_lint::rule("missing-name").expect("a rule").meta;
    let source = Source::new("a/SKILL.md", "1\n2\n3\n4\n");
    let skill = Skill::parse(Bundle::of_text("a", None), source, Vec::new());
    let covers = |start, end| {
        let findings = vec![Finding::new(rule, Span::new(start, end), "found")];
        let settings = Settings::default();
        let outcome = report_findings(&skill, &settings, findings, Waivers::Apply);
        changed.covers(&outcome.diagnostics[0])
    };
    assert!(covers(0, 5));
    assert!(covers(4, 8));
    assert!(!covers(0, 4), "it ends before the third line");
    assert!(covers(4, 4));
    assert!(!covers(6, 8));
}

#[test]
fn new_files_and_several_directories_can_be_joined() {
    let mut changed = ChangedLines::parse(DIFF).in_directory("../repo/");
    changed.add_whole_file("new/SKILL.md");
    changed.extend(ChangedLines::parse("+++ a\n@@ -0,0 +7 @@\n+x\n"));
    changed.extend(ChangedLines::parse("+++ a\n@@ -0,0 +3 @@\n+x\n+++ new/SKILL.md\n"));
    assert_eq!(counted(&changed, "../repo/trip/SKILL.md"), [0, 2, 8, 9, 10]);
    assert_eq!(counted(&changed, "new/SKILL.md").len(), 13);
    assert_eq!(counted(&changed, "a"), [0, 3, 7]);
    assert_eq!(counted(&changed, "trip/SKILL.md"), [] as [usize; 0]);
}
