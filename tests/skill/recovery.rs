//! What is still read of frontmatter that is broken: every key but the broken one, one fault for
//! each broken line, and the fault where the line is broken.

use dibber_skill::skill::{Bundle, FaultKind, NodeKind, Skill};
use dibber_text::Source;

fn parse(text: &str) -> Skill {
    let bundle = Bundle::of_text("trip-planner", Some("trip-planner".to_owned()));
    Skill::parse(bundle, Source::new("trip-planner/SKILL.md", text), Vec::new())
}

/// Each key with its text, and each fault with its line and what is wrong.
fn read(text: &str) -> String {
    use std::fmt::Write;
    let skill = parse(text);
    let mut out = String::new();
    for field in skill.fields() {
        let key = field.key.as_str().unwrap_or("?");
        let value = match &field.value.kind {
            NodeKind::Scalar { text, .. } => text.clone(),
            _ => skill.source.slice(field.value.span).to_owned(),
        };
        writeln!(out, "{key} = {value:?}").expect("a string");
    }
    for fault in &skill.faults {
        let place = skill.source.line_column(fault.span.start);
        let what = match &fault.kind {
            FaultKind::InvalidYaml { entry, .. } => {
                let first = skill.source.slice(*entry).lines().next().unwrap_or_default();
                format!("invalid, in {first:?}")
            }
            kind => format!("{kind:?}"),
        };
        writeln!(out, "{}:{} {what}", place.line, place.column).expect("a string");
    }
    writeln!(out, "whole: {}", skill.has_whole_frontmatter()).expect("a string");
    out
}

fn check(content: &str, expected: &str) {
    let found = read(&format!("---\n{content}\n---\n\nbody\n"));
    assert_eq!(found.trim(), expected.trim(), "\n{content}\n");
}

#[test]
fn a_colon_in_a_value() {
    check(
        "name: x\ndescription: Use it: often\n  and: with care\nlicense: MIT",
        r#"
name = "x"
description = "Use it: often"
license = "MIT"
3:20 invalid, in "description: Use it: often"
whole: true"#,
    );
}

#[test]
fn each_broken_line_is_one_fault() {
    check(
        "name: 'x\ndescription: `a` b\nlicense: MIT: 2\ncompatibility: \"any\" system",
        r#"
name = "x"
description = "`a` b"
license = "MIT: 2"
compatibility = "any\" system"
2:7 invalid, in "name: 'x"
3:14 invalid, in "description: `a` b"
4:13 invalid, in "license: MIT: 2"
5:22 invalid, in "compatibility: \"any\" system"
whole: true"#,
    );
}

#[test]
fn quotes_and_brackets_over_several_lines_keep_their_lines() {
    check(
        "description: \"a\nb: c\nd: e\"\nmetadata: {\nx: [1,\ny], z: 2\n}\nname: x",
        r#"
description = "a b: c d: e"
metadata = "{\nx: [1,\ny], z: 2\n}"
name = "x"
2:14 invalid, in "description: \"a"
6:1 invalid, in "metadata: {"
whole: true"#,
    );
}

#[test]
fn a_flattened_block_scalar_takes_its_lines() {
    check(
        "description: >\nUse it when: somebody asks.\n\nAnd so on\nname: x",
        r#"
description = "Use it when: somebody asks. And so on"
name = "x"
3:1 invalid, in "description: >"
whole: true"#,
    );
}

#[test]
fn nested_keys_are_read_one_by_one() {
    check(
        "metadata:\n  # who\n  author: a: b\n  version: \"1\"\n  tags:\n    - x: y: z\nname: x",
        r#"
metadata = "author: a: b\n  version: \"1\"\n  tags:\n    - x: y: z"
name = "x"
4:12 invalid, in "  author: a: b"
7:11 invalid, in "  tags:"
whole: true"#,
    );
}

#[test]
fn keys_that_are_indented_by_mistake() {
    check(
        "  name: x\ndescription: y",
        r#"
name = "x"
description = "y"
3:1 invalid, in "description: y"
whole: true"#,
    );
    check(
        "license: MIT\n  name: x\n description: y: z",
        r#"
license = "MIT"
name = "x"
description = "y: z"
3:7 invalid, in "license: MIT"
whole: true"#,
    );
}

#[test]
fn anchors_are_known_across_pieces() {
    check(
        "name: &n x\ntitle: *n\ndescription: a: b",
        r#"
name = "x"
title = "*n"
description = "a: b"
4:15 invalid, in "description: a: b"
whole: true"#,
    );
}

#[test]
fn lines_that_are_no_keys() {
    check(
        "name:x\ndescription：y\nlicense: MIT\nSome text\n# c",
        r#"
name = "x"
description = "y"
license = "MIT"
2:1 invalid, in "name:x"
3:1 invalid, in "description：y"
5:1 invalid, in "license: MIT"
whole: true"#,
    );
    check(
        "name = x\nlicense: MIT",
        r#"
license = "MIT"
2:1 invalid, in "name = x"
whole: false"#,
    );
}

#[test]
fn a_second_document_is_a_fault() {
    check(
        "name: x\n...\ndescription: y",
        r#"
name = "x"
description = "y"
4:1 invalid, in "description: y"
whole: true"#,
    );
    check(
        "[a]\nname: x",
        r#"
name = "x"
2:1 invalid, in "[a]"
whole: false"#,
    );
}

#[test]
fn each_limit_is_reported_once() {
    let deep = format!("name: x\nm: {}{}", "[".repeat(20), "]".repeat(20));
    let found = read(&format!("---\n{deep}\n---\n"));
    assert!(found.contains("name = \"x\""), "{found}");
    assert!(found.contains("3:19 Limit { what: \"levels of nesting\", max: 16 }"), "{found}");
    assert_eq!(found.matches("Limit").count(), 1, "{found}");

    let many: Vec<_> = (0..5_000).map(|index| format!("k{index}: 1\n")).collect();
    let many = many.concat();
    let found = read(&format!("---\nname: x\n{many}---\n"));
    assert_eq!(found.matches("Limit").count(), 1);
    assert!(parse(&format!("---\n{many}---\n")).fields().len() <= 4_001);

    let aliases: Vec<_> = (0..20).map(|index| format!("k{index}: *a\n")).collect();
    let aliases = aliases.concat();
    let found = read(&format!("---\na: &a x\n{aliases}---\n"));
    assert_eq!(found.matches("Limit").count(), 1, "{found}");

    let long = format!("---\nname: {}\n---\n", "x".repeat(70_000));
    assert!(read(&long).contains("Limit { what: \"bytes\", max: 65536 }"));
}

#[test]
fn many_broken_lines_are_reported_up_to_a_limit() {
    let broken = "a: b: c\n".repeat(8_000);
    let skill = parse(&format!("---\n{broken}---\n"));
    let invalid = |kind: &FaultKind| matches!(kind, FaultKind::InvalidYaml { .. });
    assert_eq!(skill.faults.iter().filter(|fault| invalid(&fault.kind)).count(), 100);
}

#[test]
fn an_unclosed_frontmatter_ends_where_the_body_begins() {
    for body in ["# Trip planner", "Some text.", "```sh\nls\n```", "* item", "----", " ---", "—"]
    {
        let text =
            format!("---\nname: x\n\n# c\ndescription: |\n  y\n\n  z\n\n{body}\n\nkey: value\n");
        let skill = parse(&text);
        let frontmatter = skill.frontmatter.as_ref().expect("frontmatter");
        assert!(skill.source.slice(frontmatter.content).ends_with("  z\n"), "{body}");
        assert_eq!(skill.fields().len(), 2, "{body}");
        assert_eq!(skill.faults.len(), 1, "{body}: {:?}", skill.faults);
    }
    let skill = parse("---\n\n# Trip planner\n\nSome text.\n");
    assert_eq!(skill.faults.len(), 1, "{:?}", skill.faults);
}
