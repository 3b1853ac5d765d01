//! Parsing a skill: the exact bytes of every key and value, and what is read of broken files.

use dibber_skill::skill::{Bundle, Entry, Fault, FaultKind, Node, NodeKind, Skill};
use dibber_text::{Source, Span};
use proptest::prelude::*;

fn parse(text: &str) -> Skill {
    parse_bytes(text.as_bytes().to_vec())
}

fn parse_bytes(bytes: Vec<u8>) -> Skill {
    let bundle = Bundle::of_text("trip-planner", Some("trip-planner".to_owned()));
    Skill::parse(bundle, Source::from_bytes("trip-planner/SKILL.md", bytes), Vec::new())
}

/// Every key and value of the frontmatter `content` as its bytes in the file, outermost
/// first; a mapping or a list comes before its values.
fn slices(content: &str) -> Vec<String> {
    let skill = parse(&format!("---\n{content}\n---\nbody\n"));
    assert_eq!(skill.faults, [], "{content:?}");
    let mut slices = Vec::new();
    for entry in skill.fields() {
        collect(&skill, entry, &mut slices);
    }
    slices
}

fn collect(skill: &Skill, entry: &Entry, slices: &mut Vec<String>) {
    collect_node(skill, &entry.key, slices);
    collect_node(skill, &entry.value, slices);
}

fn collect_node(skill: &Skill, node: &Node, slices: &mut Vec<String>) {
    slices.push(skill.source.slice(node.span).to_owned());
    match &node.kind {
        NodeKind::Scalar { .. } => {}
        NodeKind::Sequence(items) => {
            for item in items {
                collect_node(skill, item, slices);
            }
        }
        NodeKind::Mapping(entries) => {
            for entry in entries {
                collect(skill, entry, slices);
            }
        }
    }
}

#[test]
fn plain_values() {
    assert_eq!(slices("name: x y  \nb :  2"), ["name", "x y", "b", "2"]);
    assert_eq!(slices("a: x # c\nb: y\t# c"), ["a", "x", "b", "y"]);
    assert_eq!(
        slices("a: one\n  two\n\n  three # c\nb: x"),
        ["a", "one\n  two\n\n  three", "b", "x"]
    );
}

#[test]
fn characters_of_more_than_one_byte_before_a_value() {
    assert_eq!(
        slices("# häß 😀\nä: ö 😀 # ü\nnäme: \"ü\" # é\nb: x"),
        ["ä", "ö 😀", "näme", "\"ü\"", "b", "x"]
    );
    assert_eq!(
        slices("a: [é, \"ü😀\", {ñ: 日本}] # 日\nb: x"),
        ["a", "[é, \"ü😀\", {ñ: 日本}]", "é", "\"ü😀\"", "{ñ: 日本}", "ñ", "日本", "b", "x"]
    );
}

#[test]
fn every_kind_of_line_break() {
    for line_break in ["\n", "\r\n", "\r"] {
        let content = ["# é", "a: é", "b: |", "  é", "", "c: 'x", "  y' # c", "d: é"];
        let skill = parse(&format!("---{line_break}{}{line_break}---", content.join(line_break)));
        assert_eq!(skill.faults, []);
        let values: Vec<_> =
            skill.fields().iter().map(|entry| skill.source.slice(entry.value.span)).collect();
        let (block, quoted) = (format!("|{line_break}  é"), format!("'x{line_break}  y'"));
        assert_eq!(values, ["é", &block, &quoted, "é"], "{line_break:?}");
    }
}

#[test]
fn next_line_and_separators_do_not_break_a_line() {
    for c in ['\u{85}', '\u{2028}', '\u{2029}'] {
        let value = format!("x{c}y{c}");
        let found = slices(&format!("a: {value} # {c}\nb: \"{c}\" # c\nc: z"));
        assert_eq!(found, ["a", &value, "b", &format!("\"{c}\""), "c", "z"]);
        assert_eq!(
            slices(&format!("a: |\n  {value}\nb: z")),
            ["a", &format!("|\n  {value}"), "b", "z"]
        );
    }
}

#[test]
fn quoted_values_end_at_their_quote() {
    assert_eq!(
        slices("a: \"x\"  \nb: 'it''s' # 'c'\nc: \"\\\"\" # \"c\""),
        ["a", "\"x\"", "b", "'it''s'", "c", "\"\\\"\""]
    );
    assert_eq!(
        slices("\"a\" : 'x\n  y' # c\n'b': \"x \\\n  y\""),
        ["\"a\"", "'x\n  y'", "'b'", "\"x \\\n  y\""]
    );
    assert_eq!(slices("a: \"\"\nb: ''\nc: \"é\\\\\""), ["a", "\"\"", "b", "''", "c", "\"é\\\\\""]);
}

#[test]
fn block_scalars_start_at_their_indicator() {
    for header in ["|", ">", "|-", "|+", ">-", ">+", "|2-", ">2", "| # é | c"] {
        let value = format!("{header}\n  é x\n\n  y");
        let found = slices(&format!("a: {value}\n\nb:\n- {value}\n- z\nc: {header}"));
        let header_alone = header.split(' ').next().expect("a header");
        let list = found[3].clone();
        assert!(list.starts_with("- ") && list.ends_with("- z"), "{list:?}");
        assert_eq!(found, ["a", &value, "b", &list, &value, "z", "c", header_alone], "{header}");
    }
    assert_eq!(
        slices("a: |\n\n\n  x\n   \n  \n# c\nb: >\nc: y"),
        ["a", "|\n\n\n  x", "b", ">", "c", "y"]
    );
    assert_eq!(
        slices("m:\n  a: &x |\n    é\n  b: !!str >-\n    y"),
        ["m", "a: &x |\n    é\n  b: !!str >-\n    y", "a", "|\n    é", "b", ">-\n    y"]
    );
}

#[test]
fn empty_values_start_after_their_colon() {
    for (content, key) in [("a:", "b"), ("b:\na: x", "b"), ("? b\na: x", "b"), ("'b' : # c", "b")] {
        let skill = parse(&format!("---\n{content}\n---\n"));
        assert_eq!(skill.faults, []);
        let entry = skill.field(key).unwrap_or_else(|| skill.field("a").expect("a"));
        let value = entry.value.span;
        assert!(value.is_empty() && value.start > entry.key.span.start, "{content:?}: {value:?}");
        let before = &skill.source.text()[..value.start];
        assert!(before.ends_with([':', 'b']), "{content:?}: {before:?}");
    }
    assert_eq!(
        slices("a: [{b: , c}, d: ]\ne: !!str\nf: &x\ng: {}\nh: []"),
        [
            "a",
            "[{b: , c}, d: ]",
            "{b: , c}",
            "b",
            "",
            "c",
            "",
            "d:",
            "d",
            "",
            "e",
            "",
            "f",
            "",
            "g",
            "{}",
            "h",
            "[]"
        ]
    );
}

#[test]
fn flow_collections_end_at_their_bracket() {
    assert_eq!(
        slices("a: [x, y] # ]\nb: {\n  c: [1 , 2 ] , # }\n  \"d\":e } # c\nf: z"),
        [
            "a",
            "[x, y]",
            "x",
            "y",
            "b",
            "{\n  c: [1 , 2 ] , # }\n  \"d\":e }",
            "c",
            "[1 , 2 ]",
            "1",
            "2",
            "\"d\"",
            "e",
            "f",
            "z"
        ]
    );
    assert_eq!(
        slices("a: [[b]: c, d: e]\n"),
        ["a", "[[b]: c, d: e]", "[b]: c", "[b]", "b", "c", "d: e", "d", "e"]
    );
}

#[test]
fn block_collections_end_with_their_last_child() {
    assert_eq!(
        slices("a:\n- x # c\n- y # c\n\n# c\nb:\n  - k: 1\n    l: 2\n  -\nc: z"),
        [
            "a",
            "- x # c\n- y",
            "x",
            "y",
            "b",
            "- k: 1\n    l: 2\n  -",
            "k: 1\n    l: 2",
            "k",
            "1",
            "l",
            "2",
            "",
            "c",
            "z"
        ]
    );
    assert_eq!(slices("a:\n  {b: c}: d\n"), ["a", "{b: c}: d", "{b: c}", "b", "c", "d"]);
}

#[test]
fn anchors_tags_and_aliases() {
    assert_eq!(
        slices("a: &x é\nb: *x # c\n&k c: !!str 1\nd: !<tag:yaml.org,2002:str> &y 'z'\ne: *y"),
        ["a", "é", "b", "*x", "c", "1", "d", "'z'", "e", "*y"]
    );
    assert_eq!(
        slices("a: &x\n  b: 1\nc: !l &y\n- d\ne: &z [f]"),
        ["a", "b: 1", "b", "1", "c", "- d", "d", "e", "[f]", "f"]
    );
}

#[test]
fn complex_keys() {
    assert_eq!(
        slices("? é x\n: y\n? [a, b]\n: - c\n? |\n  k\n: z"),
        ["é x", "y", "[a, b]", "a", "b", "- c", "c", "|\n  k", "z"]
    );
}

/// Every span of the tree, and of the faults.
fn spans(skill: &Skill) -> Vec<Span> {
    fn of_node(node: &Node, spans: &mut Vec<Span>) {
        spans.push(node.span);
        match &node.kind {
            NodeKind::Scalar { .. } => {}
            NodeKind::Sequence(items) => items.iter().for_each(|item| of_node(item, spans)),
            NodeKind::Mapping(entries) => {
                for entry in entries {
                    of_node(&entry.key, spans);
                    of_node(&entry.value, spans);
                }
            }
        }
    }
    let mut spans = vec![skill.body];
    for fault in &skill.faults {
        spans.push(fault.span);
        match fault.kind {
            FaultKind::InvalidYaml { entry, .. } => spans.push(entry),
            FaultKind::DuplicateKey { first, .. } => spans.push(first),
            _ => {}
        }
    }
    if let Some(frontmatter) = &skill.frontmatter {
        spans.extend([frontmatter.opening, frontmatter.content]);
        spans.extend(frontmatter.closing);
        frontmatter.root.iter().for_each(|root| of_node(root, &mut spans));
    }
    spans
}

fn check_spans(skill: &Skill) {
    let text = skill.source.text();
    for span in spans(skill) {
        assert!(span.start <= span.end && span.end <= text.len(), "{span:?} in {text:?}");
        assert!(text.is_char_boundary(span.start), "{span:?} in {text:?}");
        assert!(text.is_char_boundary(span.end), "{span:?} in {text:?}");
    }
}

/// Pieces from which frontmatter is thrown together, good and bad.
const PIECES: [&str; 58] = [
    "name",
    "a",
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
    "- ",
    "? ",
    "[",
    "]",
    "{",
    "}",
    ",",
    ", ",
    "\"",
    "'",
    "''",
    "\\",
    "\\\"",
    "|",
    ">",
    "|-\n",
    ">+\n  ",
    "&a ",
    "*a",
    "!!str ",
    "!<x>",
    "# c",
    " # é",
    "%",
    "@",
    "`",
    "---",
    "\n---\n",
    "...",
    "\n...\n",
    "\u{FEFF}",
    "\u{85}",
    "\u{2028}",
    "\0",
    "\u{7}",
    "x: y\n",
    "k: 'v'\n",
    "b: \"w\"\n",
    "<<",
    "~",
    "1",
    "日本: 語\n",
    "l:\n  - m\n",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_bytes_parse(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        check_spans(&parse_bytes(bytes));
    }

    #[test]
    fn any_mixture_parses(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40)) {
        check_spans(&parse(&format!("---\n{}\n---\nbody", pieces.concat())));
        check_spans(&parse(&pieces.concat()));
    }

    #[test]
    fn plain_entries_have_exact_spans(
        entries in prop::collection::vec(("[a-zé日😀][a-z0-9é_-]{0,8}", "[A-Zé日😀][a-z0-9 é😀.-]{0,20}[a-z]"), 1..8),
        comment in "[ -~é😀]{0,10}",
        line_break in prop::sample::select(&["\n", "\r\n", "\r"][..]),
    ) {
        let mut text = format!("---{line_break}");
        for (index, (key, value)) in entries.iter().enumerate() {
            let comment = format!("# {comment}{line_break}");
            text.extend([comment.as_str(), key, &index.to_string(), ": ", value, " ", &comment]);
        }
        let skill = parse(&format!("{text}---{line_break}"));
        prop_assert_eq!(&skill.faults, &[] as &[Fault]);
        prop_assert_eq!(skill.fields().len(), entries.len());
        for (index, ((key, value), entry)) in entries.iter().zip(skill.fields()).enumerate() {
            prop_assert_eq!(skill.source.slice(entry.key.span), format!("{key}{index}"));
            prop_assert_eq!(skill.source.slice(entry.value.span), value);
            prop_assert_eq!(entry.value.as_str(), Some(value.as_str()));
        }
    }
}
