//! What a fix changes: the finding it was for is gone, nothing else was touched, and the
//! result of a safe one is read as it was meant.

use std::fs;

use dibber_lint::{Settings, lint};
use dibber_skill::diagnostic::{Applicability, Diagnostic, Fix};
use dibber_skill::skill::{Bundle, Skill};
use dibber_text::Source;
use proptest::prelude::*;

use crate::support::{TODAY, only, package};

/// The rules about the text of the frontmatter that have fixes.
const RULES: [&str; 7] = [
    "byte-order-mark",
    "control-character",
    "frontmatter-not-a-mapping",
    "invalid-yaml",
    "missing-frontmatter",
    "parser-dependent-yaml",
    "unclosed-frontmatter",
];

fn parse(text: &str) -> Skill {
    let bundle = Bundle::of_text("trip-planner", Some("trip-planner".to_owned()));
    Skill::parse(bundle, Source::new("trip-planner/SKILL.md", text), Vec::new())
}

fn findings(text: &str, rule: &str) -> Vec<Diagnostic> {
    let settings = Settings::new(None, &only(rule), TODAY).expect("a known rule");
    lint(&parse(text), &settings).diagnostics
}

fn apply(text: &str, fix: &Fix) -> String {
    let mut edits: Vec<_> = fix.edits.iter().collect();
    edits.sort_by_key(|edit| edit.span);
    let mut fixed = text.to_owned();
    for edit in edits.iter().rev() {
        fixed.replace_range(edit.span.range(), &edit.text);
    }
    fixed
}

/// Fixes one finding after the other; returns the text and the number of fixes.
fn repair_all(text: &str, rule: &str) -> (String, usize) {
    let mut text = text.to_owned();
    for times in 0..100 {
        let found = findings(&text, rule);
        let Some(fix) = found.iter().find_map(|finding| finding.fix.as_ref()) else {
            return (text, times);
        };
        let fixed = apply(&text, fix);
        assert_ne!(fixed, text, "{rule}: {} changes nothing in\n{text}", fix.title);
        text = fixed;
    }
    panic!("{rule}: no end of repairs in\n{text}");
}

#[test]
fn fixing_the_frontmatter_terminates() {
    for rule in RULES {
        let directory = package().join("fixtures/rules").join(rule).join("fire");
        for case in fs::read_dir(directory).expect("the cases") {
            let file = case.expect("a case").path().join("trip-planner/SKILL.md");
            let Ok(text) = fs::read_to_string(&file) else { continue };
            let fixable = |found: &[Diagnostic]| found.iter().filter(|f| f.fix.is_some()).count();
            let before = findings(&text, rule);
            let (fixed, times) = repair_all(&text, rule);
            let after = findings(&fixed, rule);
            assert!(times >= fixable(&before), "{}", file.display());
            assert!(
                after.len() + fixable(&before) <= before.len(),
                "{}:\n{fixed}\n{after:?}",
                file.display()
            );
        }
    }
}

/// Returns the description after all safe fixes of `invalid-yaml`, if there is one.
fn safely_repaired(value: &str) -> Option<String> {
    let text = format!("---\nname: x\ndescription: {value}\nlicense: MIT\n---\n");
    let found = findings(&text, "invalid-yaml");
    assert_eq!(found.len(), 1, "{text}");
    let fix = found[0].fix.as_ref()?;
    if fix.applicability != Applicability::Safe {
        return None;
    }
    let skill = parse(&apply(&text, fix));
    assert_eq!(skill.faults, [], "{value}");
    assert_eq!(skill.fields().len(), 3, "{value}");
    skill.string_field("description").map(|(text, _)| text.to_owned())
}

#[test]
fn safe_quotes_keep_the_text_as_written() {
    for value in [
        "Plans trips: all",
        "a: b: c",
        "it's \"both\": \\d",
        "back\\slash: \"x\"",
        "it's: here",
        "@planner",
        "`code` first",
        "*bold* text",
        "%TEMP%",
        "[beta] trips",
        "{name} and",
        "\"Where\" and \"how\"",
        "'Where' and 'how'",
        "ends with:",
        "日本語: 🚲",
        "a:\tb",
    ] {
        assert_eq!(safely_repaired(value).as_deref(), Some(value));
    }
    for (value, meant) in [
        ("\"Say \"where to\" now\"", "Say \"where to\" now"),
        ("'it's here'", "it's here"),
        ("'it's \"here\"'", "it's \"here\""),
    ] {
        assert_eq!(safely_repaired(value).as_deref(), Some(meant));
    }
}

#[test]
fn uncertain_fixes_are_not_safe() {
    for value in [
        "a: b # c",
        "\"never closed",
        "[never, closed",
        "> folded",
        "| literal",
        "- item",
        "*anchor",
        "\"a\\n\"b\"\"",
        "\"\\d\"",
        "a: b\n  c",
        ">\nflat",
        "text\nflat",
    ] {
        assert_eq!(safely_repaired(value), None, "{value}");
    }
}

#[test]
fn text_after_a_closing_quote_ends_in_any_character() {
    for (value, applicability) in [
        ("\"Plan\" für das Café", Applicability::Safe),
        ("\"Where\" to go…", Applicability::Safe),
        ("'a' 日本語", Applicability::Safe),
        ("'a'。", Applicability::Safe),
        ("''。", Applicability::Safe),
        ("\"\"🚲", Applicability::Safe),
        ("'a'é", Applicability::Unsafe),
        ("'x' y\u{301}", Applicability::Safe),
    ] {
        let text = format!("---\nname: x\ndescription: {value}\nlicense: MIT\n---\n");
        let found = findings(&text, "invalid-yaml");
        assert_eq!(found.len(), 1, "{text}");
        let message = "the value of `description` continues after the closing quote";
        assert_eq!(found[0].message, message, "{text}");
        let fix = found[0].fix.as_ref().expect("a fix");
        assert_eq!(fix.applicability, applicability, "{text}");
        let skill = parse(&apply(&text, fix));
        let description = skill.string_field("description").map(|(text, _)| text.to_owned());
        assert_eq!(description.as_deref(), Some(value));
    }
}

#[test]
fn white_space_outside_of_yaml_is_part_of_the_value() {
    for value in ["\u{A0}>", "\u{3000}|", "\u{2003}>-", "\u{85}|", "> \u{A0}# c"] {
        for below in ["I", "  I", "- I", "a: b"] {
            let text = format!("---\nname: x\ndescription: {value}\n{below}\n---\n");
            repair_all(&text, "invalid-yaml");
        }
    }
}

#[test]
fn a_name_with_escapes_in_it_is_not_replaced_in_part() {
    for name in [r#""\\u""#, "'g'''", "'''g'", r#""\"g""#, r#""\x67/""#] {
        let text = format!("---\nname: {name}\n---\n");
        let found = findings(&text, "invalid-name");
        assert_eq!(found.len(), 1, "{text}");
        assert!(found[0].fix.is_none(), "{text}: {:?}", found[0].fix);
    }
    for (name, fixed) in [
        ("\"A b\"", "\"a-b\""),
        ("!!str 'A b'", "!!str 'a-b'"),
        ("&a A b", "&a a-b"),
        ("\" A b \"", "\" a-b \""),
        (">-\n  A b", ">-\n  a-b"),
        // White space outside of YAML is part of the value.
        ("\u{3000}0x1F", "\"0x1f\""),
        ("A b\u{2003}", "a-b"),
    ] {
        let text = format!("---\nname: {name}\n---\n");
        let (found, _) = repair_all(&text, "invalid-name");
        assert_eq!(found, format!("---\nname: {fixed}\n---\n"));
    }
}

/// Pieces of random files, valid and broken.
const PIECES: [&str; 46] = [
    "---\n",
    "---",
    "name: x",
    "description",
    "é",
    "😀",
    ": ",
    ":",
    " ",
    "  ",
    "\t",
    "\n",
    "\n",
    "\r\n",
    "\r",
    "\n  ",
    "\n- ",
    "[",
    "]",
    "{",
    "}",
    ",",
    "\"",
    "'",
    "\\",
    "\\d",
    "\\ud83d\\ude00",
    "|",
    ">",
    ">-\n",
    "&a ",
    "*a",
    "!x ",
    " # c",
    "%",
    "@",
    "`",
    "...\n",
    "\u{FEFF}",
    "\u{85}",
    "\u{2028}",
    "\0",
    "\u{7}",
    "k: 'v'\n",
    "：",
    "```\n",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_mixture_is_linted_and_repaired(
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..30),
        has_fence in any::<bool>(),
    ) {
        let text = format!("{}{}\n---\n", if has_fence { "---\n" } else { "" }, pieces.concat());
        for rule in RULES {
            for finding in findings(&text, rule) {
                let Some(fix) = finding.fix else { continue };
                let mut end = 0;
                let mut edits = fix.edits.clone();
                edits.sort_by_key(|edit| edit.span);
                for edit in edits {
                    prop_assert!(edit.span.start >= end, "{}: overlapping edits", fix.title);
                    prop_assert!(text.get(edit.span.range()).is_some(), "{}: {:?}", fix.title, edit.span);
                    end = edit.span.end;
                }
                let fixed = apply(&text, &fix);
                prop_assert_ne!(&fixed, &text, "{}", fix.title);
            }
        }
    }
}
