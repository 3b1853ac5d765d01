//! What must be true of any text, however broken: nothing panics, every span lies where it points,
//! and fixing comes to an end that stays.

use std::path::Path;

use dibber_lint::fix::{fix, fix_once};
use dibber_lint::{RULES, Settings};
use dibber_skill::diagnostic::{Applicability, Diagnostic, Level, Range};
use dibber_skill::discover;
use dibber_skill::skill::{Bundle, BundleFile, FileKind, Resource, Skill};
use dibber_text::{LineColumn, Source, Span};
use proptest::prelude::*;
use proptest::sample::select;

use crate::lint::rules::{cases_that_fire, with_case_directory};
use crate::support::{TODAY, only, setting};

/// The number of inputs that each property is tried on.
const TEXTS: u32 = 192;
/// The maximum number of pieces in a generated text.
const PIECES_MAX: usize = 24;

/// The pieces of a generated text: what fields, values, links and comments are made of, right
/// and wrong.
const PIECES: [&str; 96] = [
    "---",
    "---\n",
    "--- \n",
    "\n---\n",
    "...\n",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\t",
    " ",
    "  ",
    "\u{FEFF}",
    "\u{200B}\u{200D}\u{200B}",
    "\u{E0068}\u{E0069}\u{E007F}",
    "\u{202E}",
    "\u{0}",
    "\u{1B}[31m",
    "\u{85}",
    "👩‍👩‍👧",
    "é",
    "名前",
    "क्‍ष",
    "name: trip-planner\n",
    "name: Trip Planner\n",
    "name: 123\n",
    "name:\n",
    "name",
    "Name: x\n",
    "name: \"a\\e[2Jb\"\n",
    "description: Plans trips. Use when somebody asks for one.\n",
    "description: Plans: trips\n",
    "description: >\n  Plans trips.\n  Use when asked.\n",
    "description: |\nflat\n",
    "description: >-\n",
    "description: @home\n",
    "description: \"never closed\n",
    "description: 'it's here'\n",
    "description: <b>x</b>\n",
    "compatibility: ",
    "license: MIT\n",
    "license: yes\n",
    "metadata:\n",
    "metadata: {version: 1.0, on: off}\n",
    "  version: 1.0\n",
    "  author: [a, b]\n",
    "metadata: {a: {b: {c: d}}}\n",
    "allowed-tools: Read, Write\n",
    "allowed-tools: [Read, 'Bash(git:*)']\n",
    "allowed-tools:\n  - Read\n",
    "user-invokable: true\n",
    "triggers: [a]\n",
    "- item\n",
    "? key\n",
    ": value\n",
    "&a x",
    "*a",
    "<<: *a\n",
    "!!str 1",
    "%YAML 1.1\n",
    "key: ",
    "\"",
    "'",
    "[",
    "]",
    "{",
    "}",
    "#",
    ", ",
    "# dibber: allow long-name — known\n",
    "<!-- dibber: allow broken-link — known -->\n",
    "<!-- dibber: allow",
    "<!-- dibber: alow nothing -->",
    "# Heading\n",
    "```\n",
    "```sh\ncurl https://example.com/x.sh | sh\n```\n",
    "~~~~\n",
    "    indented\n",
    "[a](references/a.md)",
    "[a](references/no.md)",
    "[a](../other/SKILL.md)",
    "![](assets\\pic.png)",
    "[x]: references/gone.md\n",
    "<references/a.md>",
    "[a](<a b.md> \"t\")",
    "[",
    "](",
    "scripts\\run.sh",
    "`scripts/gone.py`",
    "/Users/ada/projects/x",
    "C:\\Users\\ada\\x",
    "curl -fsSL https://example.com/install.sh | sudo bash\n",
    "TODO: write this\n",
    "[Insert the name here]\n",
    "$ARGUMENTS and !`git status`\n",
    "claude",
];

/// The keys of whole lines.
const KEYS: [&str; 16] = [
    "name",
    "name",
    "description",
    "description",
    "license",
    "compatibility",
    "metadata",
    "metadata",
    "allowed-tools",
    "user-invokable",
    "triggers",
    "Version",
    "\"quoted\"",
    "? complex",
    "# comment",
    "été",
];

/// The values of whole lines; an empty one is replaced by a piece.
const VALUES: [&str; 40] = [
    "",
    "",
    "",
    " trip-planner",
    " Trip Planner",
    " trip--planner ",
    " \"trip-planner\" # why",
    " 123",
    " 1.10",
    " no",
    " ~",
    " 2024-01-01",
    " 0o14",
    " 1_000",
    " Plans trips. Use when somebody asks for one.",
    " Plans trips: by train # really",
    " `code` first: then",
    " \"Say \"where\" to\"",
    " 'it's here'",
    " \"never closed",
    " [a, b: c",
    " {a: 1.0, b: {c: yes}}",
    " [1, 2.0, three]",
    " |\n  one\n\n   two",
    " >\nflat\ntext",
    " >-\n  a: b\n  # no comment",
    "\n  version: 1.0\n  ok: yes",
    "\n  version: 1.0 # c\n  list:\n  - a\n  - 2\n",
    "\n\ttab: 1",
    "\n- a\n- b",
    "\n  - Read\n  - 'Bash(git:*)'\n",
    " Read, Write,Bash(git:*)",
    " Read Write",
    " &a [x]",
    " *a",
    " !!int 3",
    " a\n  b\n\n  c: d",
    " @x %y",
    "no space",
    " \u{2028} \u{200B}é\u{202E}",
];

/// Things that look like keys; joined here so that no scanner takes this file for a leak.
fn token() -> impl Strategy<Value = String> {
    let tokens = vec![
        ["gh", "p_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17"].concat(),
        ["AK", "IAQ3EGRT7YH2LKXW5B"].concat(),
        ["-----BEGIN RSA ", "PRIVATE KEY-----\nMIIEpAIBAAKCAQEAx7hQé\n-----END"].concat(),
        ["sk-", "ant-api03-", &"k9Zq7Lw2".repeat(11), "Zq7Lw2AA"].concat(),
    ];
    select(tokens)
}

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        12 => select(PIECES.to_vec()).prop_map(str::to_owned),
        1 => token(),
        1 => any::<char>().prop_map(String::from),
        1 => "[a-z: ]{1,12}",
        1 => (select(PIECES.to_vec()), 1..40_usize).prop_map(|(piece, times)| piece.repeat(times)),
    ]
}

/// A frontmatter of whole lines: keys, and values that suit them or not.
fn fields() -> impl Strategy<Value = String> {
    let field = (select(KEYS.to_vec()), select(VALUES.to_vec()), piece());
    let line = field.prop_map(|(key, value, piece)| match value {
        "" => format!("{key}: {}\n", piece.trim_end()),
        _ => format!("{key}:{value}\n"),
    });
    prop::collection::vec(line, 1..7).prop_map(|lines| lines.concat())
}

/// Text of pieces, most with a frontmatter around the first of them.
fn text() -> impl Strategy<Value = String> {
    let pieces = || prop::collection::vec(piece(), 0..PIECES_MAX).prop_map(|parts| parts.concat());
    let front = prop_oneof![1 => pieces(), 2 => fields()];
    let opening =
        select(vec!["---\n", "---\n", "---\n", "\u{FEFF}---\n", "\n---\n", "```\n---\n", ""]);
    let closing = select(vec!["\n---\n", "---\n", "---\n", "---", "\n", ""]);
    let whole = (opening, front, closing, pieces())
        .prop_map(|(opening, front, closing, body)| format!("{opening}{front}{closing}{body}"));
    let text = prop_oneof![4 => whole, 1 => pieces()];
    let line_ends = prop_oneof![3 => Just("\n"), 1 => Just("\r\n"), 1 => Just("\r")];
    (text, line_ends).prop_map(|(text, end)| text.replace('\n', end))
}

/// Every rule warns.
fn all_rules() -> Settings {
    Settings::new(None, &[setting("all", Level::Warn)], TODAY).expect("known rules")
}

/// A skill in a directory with a few files, one of which is `notes`.
fn skill(text: &str, notes: &str) -> Skill {
    let mut bundle = Bundle::of_text("skills/trip-planner", Some("trip-planner".to_owned()));
    bundle.skill_file_bytes = text.len() as u64;
    for path in ["SKILL.md", "assets/pic.png", "references/a.md", "scripts/run.sh"] {
        let kind = FileKind::Regular(10);
        bundle.files.push(BundleFile { path: path.to_owned(), kind });
    }
    let resource = Source::new("skills/trip-planner/references/a.md", notes);
    let resources = vec![Resource::new("references/a.md", resource)];
    Skill::parse(bundle, Source::new("skills/trip-planner/SKILL.md", text), resources)
}

fn found(skill: &Skill) -> Vec<Diagnostic> {
    dibber_lint::lint(skill, &all_rules()).diagnostics
}

fn safe_and_unsafe() -> [Applicability; 2] {
    [Applicability::Safe, Applicability::Unsafe]
}

fn has_fix(diagnostic: &Diagnostic, applicability: Applicability) -> bool {
    diagnostic.fix.as_ref().is_some_and(|fix| fix.applicability <= applicability)
}

/// Counts the slow way.
fn line_column(text: &str, at: usize) -> LineColumn {
    let mut place = LineColumn { line: 1, column: 1 };
    for (index, c) in text[..at].char_indices() {
        let ends_line = c == '\n' || (c == '\r' && !text[index + 1..].starts_with('\n'));
        place = if ends_line {
            LineColumn { line: place.line + 1, column: 1 }
        } else {
            LineColumn { column: place.column + 1, ..place }
        };
    }
    place
}

fn check_span(text: &str, span: Span, what: &str) {
    assert!(
        span.start <= span.end && text.get(span.range()).is_some(),
        "{what}: {span:?} is not in a text of {} bytes, or cuts a character",
        text.len()
    );
}

fn check_range(text: &str, range: &Range, what: &str) {
    check_span(text, range.span, what);
    assert_eq!(range.start, line_column(text, range.span.start), "{what}: start of {range:?}");
    assert_eq!(range.end, line_column(text, range.span.end), "{what}: end of {range:?}");
}

fn check_places(skill: &Skill) {
    for diagnostic in found(skill) {
        let what = format!("{}: {}", diagnostic.rule.id, diagnostic.message);
        let sources = skill.resources.iter().map(|resource| &resource.source);
        let source = std::iter::once(&skill.source)
            .chain(sources)
            .find(|source| source.path() == diagnostic.path);
        match (&diagnostic.range, source) {
            (Some(range), Some(source)) => check_range(source.text(), range, &what),
            (Some(_), None) => panic!("{what}: a range in {}", diagnostic.path),
            (None, _) => assert!(diagnostic.labels.is_empty(), "{what}: labels without a file"),
        }
        for (range, _) in &diagnostic.labels {
            check_range(source.expect("a file").text(), range, &what);
        }
        let mut edits: Vec<Span> =
            diagnostic.fix.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span).collect();
        edits.sort();
        for span in edits.iter().copied() {
            check_span(skill.source.text(), span, &what);
        }
        assert!(edits.windows(2).all(|pair| !pair[0].overlaps(pair[1])), "{what}: {edits:?}");
    }
}

fn check_fixing(text: &str, applicability: Applicability) {
    let once = fix(skill(text, ""), &all_rules(), applicability, |_| true).skill;
    let left: Vec<_> = found(&once)
        .into_iter()
        .filter(|diagnostic| has_fix(diagnostic, applicability))
        .map(|diagnostic| (diagnostic.rule.id, diagnostic.fix))
        .collect();
    assert!(left.is_empty(), "{applicability:?} leaves {left:?} in\n{:?}", once.source.text());
    let again = fix(skill(once.source.text(), ""), &all_rules(), applicability, |_| true);
    assert_eq!(again.skill.source.text(), once.source.text());
    assert!(again.applied.is_empty());
}

/// What no edit covers is there afterwards, in its order.
fn check_first_pass(text: &str, applicability: Applicability) {
    let skill = skill(text, "");
    let diagnostics = found(&skill);
    let mut edits: Vec<Span> = diagnostics
        .iter()
        .filter(|diagnostic| has_fix(diagnostic, applicability))
        .flat_map(|diagnostic| diagnostic.fix.iter().flat_map(|fix| &fix.edits))
        .map(|edit| edit.span)
        .collect();
    edits.sort();
    let fixed = fix_once(text, &diagnostics, applicability);
    let fixed = fixed.map_or_else(|| text.to_owned(), |(fixed, _)| fixed);
    let mut rest = fixed.as_str();
    let mut at = 0;
    for span in edits.into_iter().chain([Span::empty(text.len())]) {
        let unchanged = &text[at..span.start.max(at)];
        let found = rest.find(unchanged);
        let found = found.unwrap_or_else(|| panic!("{unchanged:?} of {text:?} is not in {rest:?}"));
        rest = &rest[found + unchanged.len()..];
        at = at.max(span.end);
    }
}

/// `PROPTEST_CASES` sets another number of inputs.
fn config() -> ProptestConfig {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => config,
        None => ProptestConfig { cases: TEXTS, ..config },
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_bytes_are_linted(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        for path in [None, Some(Path::new("no/such/folder/SKILL.md"))] {
            let skill = discover::load_text(path, bytes.clone());
            check_places(&skill);
            for applicability in safe_and_unsafe() {
                let skill = discover::load_text(path, bytes.clone());
                fix(skill, &all_rules(), applicability, |_| true);
            }
        }
    }

    #[test]
    fn every_span_lies_in_its_file(text in text(), notes in text()) {
        check_places(&skill(&text, &notes));
    }

    #[test]
    fn fixing_comes_to_an_end_that_stays(text in text()) {
        for applicability in safe_and_unsafe() {
            check_fixing(&text, applicability);
        }
    }

    #[test]
    fn fixing_touches_nothing_else(text in text()) {
        for applicability in safe_and_unsafe() {
            check_first_pass(&text, applicability);
        }
    }

    #[test]
    fn fixing_keeps_line_ends_and_the_end(text in text()) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n").replace('\n', "\r\n");
        for applicability in safe_and_unsafe() {
            let fixed = fix(skill(&text, ""), &all_rules(), applicability, |_| true).skill;
            let fixed = fixed.source.text();
            prop_assert!(!fixed.replace("\r\n", "").contains(['\r', '\n']), "{text:?} {fixed:?}");
        }
    }
}

#[test]
fn a_fixed_finding_is_not_found_again() {
    for rule in RULES {
        for case in cases_that_fire(rule.meta.id) {
            with_case_directory(&case, |directory| fix_all_skills(rule.meta.id, directory, &case));
        }
    }
}

fn fix_all_skills(rule: &str, directory: &Path, case: &Path) {
    let settings = Settings::new(None, &only(rule), TODAY).expect("a known rule");
    let lint = |skill: &Skill| dibber_lint::lint(skill, &settings).diagnostics;
    let (skills, errors) = discover::find(&[directory.to_owned()]);
    assert!(errors.is_empty(), "{}: {errors:?}", case.display());
    let each = skills.iter().flat_map(|found| safe_and_unsafe().map(|how| (found, how)));
    for (found, applicability) in each {
        let skill = discover::load(found).expect("a readable skill");
        let can_be_fixed = skill.is_whole_text();
        let fixed = fix(skill, &settings, applicability, |_| true);
        let left = lint(&fixed.skill)
            .into_iter()
            .find(|found| found.rule.id == rule && has_fix(found, applicability));
        assert!(
            left.is_none() || !can_be_fixed,
            "{}: {left:?} in\n{}",
            case.display(),
            fixed.skill.source.text()
        );
    }
}
