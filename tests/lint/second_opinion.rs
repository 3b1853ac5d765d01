//! `parser-dependent-yaml` against the second parser itself: every difference is reported, also
//! where the rule skips the second parser.

use dibber_lint::{Settings, lint};
use dibber_skill::skill::{Bundle, Node, NodeKind, ScalarType, Skill};
use dibber_text::Source;
use proptest::prelude::*;
use serde_yaml::Value;

use crate::support::{TODAY, only};

fn parse(content: &str) -> Skill {
    let bundle = Bundle::of_text("trip-planner", Some("trip-planner".to_owned()));
    let source = Source::new("trip-planner/SKILL.md", format!("---\n{content}\n---\n"));
    Skill::parse(bundle, source, Vec::new())
}

/// Returns `true` if both parsers read the same strings at the same places.
fn agree(ours: &Node, theirs: &Value) -> bool {
    match (&ours.kind, theirs) {
        (_, Value::Tagged(tagged)) => agree(ours, &tagged.value),
        (NodeKind::Mapping(entries), Value::Mapping(mapping)) => {
            entries.len() == mapping.len()
                && entries.iter().zip(mapping).all(|(entry, (key, value))| {
                    agree(&entry.key, key) && agree(&entry.value, value)
                })
        }
        (NodeKind::Sequence(items), Value::Sequence(values)) => {
            items.len() == values.len()
                && items.iter().zip(values).all(|(item, value)| agree(item, value))
        }
        (NodeKind::Scalar { text, .. }, Value::String(other)) => text == other,
        (NodeKind::Scalar { .. }, Value::Null | Value::Bool(_) | Value::Number(_)) => {
            ours.tag.is_some() || ours.scalar_type() != Some(ScalarType::Text) || {
                let text = ours.as_str().unwrap_or_default();
                text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.'))
            }
        }
        _ => false,
    }
}

fn check(content: &str) {
    let skill = parse(content);
    if !skill.faults.is_empty() {
        return;
    }
    let frontmatter = skill.frontmatter.as_ref().expect("frontmatter");
    let root = frontmatter.root.as_ref().expect("a mapping");
    let theirs = serde_yaml::from_str::<Value>(skill.source.slice(frontmatter.content));
    let is_same = match &theirs {
        Ok(theirs) => agree(root, theirs),
        Err(error) => error.to_string().contains("control characters"),
    };
    let settings = Settings::new(None, &only("parser-dependent-yaml"), TODAY).expect("known rules");
    let found = lint(&skill, &settings).diagnostics;
    assert!(is_same || !found.is_empty(), "{content:?}: {theirs:?}");
}

const WORDS: [&str; 44] = [
    "a", "name", "é", "日本", "x y", "1", "~", "yes", "#", " # c", "'", "\"", "'q'", "\"q\"", ": ",
    ":", ":\n  ", " ", "\n", "\n", "\n  ", "\n    ", "\n- ", "\n  - ", "- ", "? ", "-", "--",
    "...", "%", "@", "!", "&", "*", "|", ">", "[", "]", "{", "}", ",", "=", "\u{A0}", "a: b\n",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_difference_is_missed(words in prop::collection::vec(prop::sample::select(&WORDS[..]), 0..25)) {
        check(&words.concat());
        check(&format!("k: {}", words.concat()));
    }

    #[test]
    fn no_difference_is_missed_in_what_looks_right(
        lines in prop::collection::vec(
            ("( {0,4}|(  )?- )", "[a-z\"'é][a-z \"'é-]{0,6}", ": ?", "[a-z0-9\"'#é:,?!.\u{a0}({\\[*&%@|>-][ a-z0-9\"'#é:,.\u{a0}\\]})&*-]{0,12}"),
            1..6,
        ),
    ) {
        let lines: Vec<_> = lines.into_iter().map(|(a, b, c, d)| format!("{a}{b}{c}{d}")).collect();
        check(&lines.join("\n"));
    }
}
