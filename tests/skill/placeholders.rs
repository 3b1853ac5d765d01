//! Placeholders: which text is one, which was meant as one, and what rendering makes of them.

use dibber_skill::contract::InputVariable;
use dibber_skill::draft::{MissingInputs, Rendered, render};
use dibber_skill::skill::{Placeholder, PlaceholderKind, placeholders};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

/// The number of inputs that each property is tried on.
const TEXTS: u32 = 512;
/// The maximum number of pieces in a generated text.
const PIECES_MAX: usize = 24;

/// One line for each placeholder: its bytes, and what it is.
fn show(text: &str) -> String {
    let line = |Placeholder { span, kind }: Placeholder| {
        let bytes = &text[span.range()];
        match kind {
            PlaceholderKind::Input(name) => format!("{bytes:?} is the input {name}\n"),
            PlaceholderKind::Lookalike(name) => format!("{bytes:?} looks like {name}\n"),
            PlaceholderKind::Malformed { fault, meant: Some(meant) } => {
                format!("{bytes:?} {fault}; meant {meant}\n")
            }
            PlaceholderKind::Malformed { fault, meant: None } => format!("{bytes:?} {fault}\n"),
        }
    };
    placeholders(text).into_iter().map(line).collect()
}

#[test]
fn well_formed() {
    for text in [
        "{{input.name}}",
        "{{input.child_name}}",
        "{{input._}}",
        "{{input.A1}}",
        "{{input.input}}",
        "for {{input.name}},",
        "`{{input.name}}`",
        "```\n{{input.name}}\n```",
        "    {{input.name}}",
        "<!-- {{input.name}} -->",
        "line\r\n{{input.name}}\r\n",
        "é{{input.name}}é",
        // The money is not of any other language.
        "${{input.name}}",
        "{\"of\": {\"child\": {{input.name}}}}",
        "{ {{input.name}} }",
    ] {
        let found = placeholders(text);
        let [Placeholder { span, kind: PlaceholderKind::Input(name) }] = &found[..] else {
            panic!("{text}: {found:?}")
        };
        assert_eq!(text[span.range()], format!("{{{{input.{name}}}}}"), "{text}");
    }
}

#[test]
fn side_by_side() {
    insta::assert_snapshot!(show("{{input.a}}{{input.b}}{{input.a}}}{{{{input.c}}}}"), @r#"
    "{{input.a}}" is the input a
    "{{input.b}}" is the input b
    "{{input.a}}" is the input a
    "{{{{input.c}}}}" has more than two braces; meant c
    "#);
}

#[test]
fn spaces_and_other_words() {
    let text = "{{ input.a }} {{input.a }} {{input .a}} {{\tinput.\u{A0}a}} \
                {{inputs.a}} {{Input.a}} {{INPUT.a}} {{ inputs.a_b }}";
    insta::assert_snapshot!(show(text), @r#"
    "{{ input.a }}" has spaces inside the braces; meant a
    "{{input.a }}" has spaces inside the braces; meant a
    "{{input .a}}" has spaces inside the braces; meant a
    "{{\tinput.\u{a0}a}}" has spaces inside the braces; meant a
    "{{inputs.a}}" does not begin with `input.`; meant a
    "{{Input.a}}" does not begin with `input.`; meant a
    "{{INPUT.a}}" does not begin with `input.`; meant a
    "{{ inputs.a_b }}" does not begin with `input.`; meant a_b
    "#);
}

#[test]
fn names_that_are_none() {
    let text = "{{input.}} {{input. }} {{input}} {{ inputs }} {{input.1st}} {{input.child-name}} \
                {{input.child name}} {{input.child.name}} {{input..a}} {{input.naïve}} \
                {{input.名前}} {{input.a | upper}} {{input.a's}} {{input.-}}";
    insta::assert_snapshot!(show(text), @r#"
    "{{input.}}" names no input
    "{{input. }}" names no input
    "{{input}}" names no input
    "{{ inputs }}" names no input
    "{{input.1st}}" has a name that begins with a digit
    "{{input.child-name}}" has a name with other characters than a to z, digits and `_`; meant child_name
    "{{input.child name}}" has a name with other characters than a to z, digits and `_`; meant child_name
    "{{input.child.name}}" has a name with other characters than a to z, digits and `_`; meant child_name
    "{{input..a}}" has a name with other characters than a to z, digits and `_`; meant a
    "{{input.naïve}}" has a name with other characters than a to z, digits and `_`
    "{{input.名前}}" has a name with other characters than a to z, digits and `_`
    "{{input.a | upper}}" has a name with other characters than a to z, digits and `_`
    "{{input.a's}}" has a name with other characters than a to z, digits and `_`
    "{{input.-}}" has a name with other characters than a to z, digits and `_`
    "#);
}

#[test]
fn too_many_braces() {
    insta::assert_snapshot!(show("{{{input.a}}} {{{input.a}} {{{ input.a }}}} {{{{{{input.}}"), @r#"
    "{{{input.a}}}" has more than two braces; meant a
    "{{{input.a}}" has more than two braces; meant a
    "{{{ input.a }}}" has more than two braces; meant a
    "{{{{{{input.}}" names no input
    "#);
}

#[test]
fn never_closed() {
    for (text, shown) in [
        (
            "Hi {{input.a, how are you",
            "\"{{input.a\" is not closed with `}}` on its line; meant a\n",
        ),
        ("Hi {{input.a", "\"{{input.a\" is not closed with `}}` on its line; meant a\n"),
        ("{{input.a}, hi", "\"{{input.a}\" is not closed with `}}` on its line; meant a\n"),
        ("{{input.a b}", "\"{{input.a b}\" is not closed with `}}` on its line; meant a_b\n"),
        ("{{input.a\r\n}}", "\"{{input.a\" is not closed with `}}` on its line; meant a\n"),
        ("{{input.a\n}}", "\"{{input.a\" is not closed with `}}` on its line; meant a\n"),
        ("{{\ninput.a}}", ""),
        ("{{input.", "\"{{input.\" is not closed with `}}` on its line\n"),
        ("{{input.1", "\"{{input.1\" is not closed with `}}` on its line\n"),
        ("{{inputs.a", "\"{{inputs.a\" is not closed with `}}` on its line; meant a\n"),
        ("{{input and so on", ""),
        ("{{", ""),
        ("{{{{", ""),
        ("}}", ""),
    ] {
        assert_eq!(show(text), shown, "{text}");
    }
}

#[test]
fn inside_each_other() {
    insta::assert_snapshot!(show("{{input.{{input.a}}}} {{input.a {{input.b}} {{input.{c}}}"), @r#"
    "{{input." is not closed before the next brace opens
    "{{input.a}}" is the input a
    "{{input.a" is not closed before the next brace opens; meant a
    "{{input.b}}" is the input b
    "{{input." is not closed before the next brace opens
    "#);
}

#[test]
fn names_that_may_be_inputs() {
    let text = "{{child_name}} {{ child_name }} {{{child_name}}} {input.child_name} {{fireDate}}";
    insta::assert_snapshot!(show(text), @r#"
    "{{child_name}}" looks like child_name
    "{{ child_name }}" looks like child_name
    "{{{child_name}}}" looks like child_name
    "{input.child_name}" looks like child_name
    "{{fireDate}}" looks like fireDate
    "#);
}

#[test]
fn text_of_other_languages_is_left_alone() {
    for text in [
        "${{ inputs.name }}",
        "${{ inputs.child-name }}",
        "${{ github.event.inputs.name }}",
        "${{ secrets.TOKEN }}",
        "${{name}}",
        "{{inputs.parameters.message}}",
        "{{ .Values.input.name }}",
        "{{#if input.name}}",
        "{{/if}}",
        "{{> partial}}",
        "{{user.name}}",
        "{{ name | upper }}",
        "{% if input.name %}",
        "${input.name}",
        "{input.name | upper}",
        "{input}",
        "{name}",
        "{{inputName}",
        "{{}}",
        "{{ }}",
        "{}",
        "const a = {{ a: 1 }}",
        "\\frac{{1}{2}}",
    ] {
        assert_eq!(show(text), "", "{text}");
    }
}

fn declared(names: &[&str]) -> Vec<InputVariable> {
    let input = |name: &&str| InputVariable { name: (*name).to_owned(), ..Default::default() };
    names.iter().map(input).collect()
}

fn rendered(prompt: &str, names: &[&str], values: Value) -> Result<Rendered, MissingInputs> {
    let Value::Object(values) = values else { panic!("{values} is not an object") };
    render(prompt, &declared(names), &values)
}

#[test]
fn values_are_never_filled_in_again() {
    let values = json!({"a": "{{input.b}}", "b": "{{input.a}} {{input.b}}"});
    let rendered = rendered("{{input.a}}, {{input.b}}.", &["a", "b"], values).expect("all given");
    assert_eq!(rendered.prompt, "{{input.b}}, {{input.a}} {{input.b}}.");
}

#[test]
fn pieces_of_braces_around_a_value_are_not_read_again() {
    let rendered =
        rendered("{{{input.a}}} {{{{input.a}} {{input.{{input.a}}}}", &["a"], json!({"a": "x"}));
    assert_eq!(rendered.expect("given").prompt, "{{{input.a}}} {{{{input.a}} {{input.x}}");
}

#[test]
fn values_that_are_not_strings_are_json() {
    let values = json!({
        "text": "a \"b\"\n", "number": 1.5, "whole": 7, "truth": true, "nothing": null,
        "list": [1, "two", null], "object": {"b": 1, "a": "x y"},
    });
    let names = ["text", "number", "whole", "truth", "nothing", "list", "object"];
    let prompt = names.map(|name| format!("{{{{input.{name}}}}}")).join("|");
    let rendered = rendered(&prompt, &names, values).expect("all given");
    assert_eq!(
        rendered.prompt,
        "a \"b\"\n|1.5|7|true|null|[1,\"two\",null]|{\"a\":\"x y\",\"b\":1}"
    );
}

#[test]
fn every_missing_input_is_named_and_no_other() {
    let missing = rendered("{{input.b}}", &["c", "b", "a", "c"], json!({"a": "", "d": "x"}));
    assert_eq!(missing, Err(MissingInputs(vec!["c".to_owned(), "b".to_owned()])));
}

#[test]
fn keys_that_no_input_asks_for_are_ignored_and_named() {
    let rendered = rendered("{{input.a}} {{input.b}}", &["a"], json!({"a": 1, "b": 2, "c": 3}));
    let rendered = rendered.expect("given");
    assert_eq!(rendered.prompt, "1 {{input.b}}");
    assert_eq!(rendered.ignored, ["b", "c"]);
}

#[test]
fn placeholders_that_a_heartbeat_fills_in_are_unchanged() {
    let values = json!({"today": "{{fireDate}}", "fireDate": "2026-01-01"});
    let rendered = rendered("{{fireDate}} {{input.today}}", &["today"], values).expect("given");
    assert_eq!(rendered.prompt, "{{fireDate}} {{fireDate}}");
}

/// The pieces of a generated text.
const PIECES: [&str; 32] = [
    "{",
    "}",
    "{{",
    "}}",
    "{{{",
    "}}}",
    "input.",
    "inputs.",
    "Input.",
    "input",
    ".",
    "a",
    "child_name",
    "{{input.a}}",
    "{{input.child_name}}",
    "{{input.b}}",
    "{{ input.a }}",
    "{{a}}",
    "{input.a}",
    "{{fireDate}}",
    "$",
    "\n",
    "\r\n",
    "\r",
    " ",
    "\u{A0}",
    "é",
    "名",
    "\u{200B}",
    "1",
    "-",
    "`",
];

fn texts() -> impl Strategy<Value = String> {
    let pieces = proptest::collection::vec(select(&PIECES[..]), 0..PIECES_MAX);
    prop_oneof![pieces.prop_map(|pieces| pieces.concat()), any::<String>()]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: TEXTS, ..ProptestConfig::default() })]

    /// Slicing the text also shows that the span lies on the boundaries of characters.
    #[test]
    fn placeholders_are_in_order_and_do_not_overlap(text in texts()) {
        let mut read_to = 0;
        for Placeholder { span, kind } in placeholders(&text) {
            prop_assert!(read_to <= span.start && span.start < span.end, "{text:?}: {span:?}");
            let bytes = &text[span.range()];
            prop_assert!(bytes.starts_with('{') && !bytes.contains(['\r', '\n']), "{bytes:?}");
            if let PlaceholderKind::Input(name) = kind {
                prop_assert_eq!(bytes, format!("{{{{input.{name}}}}}"));
            }
            read_to = span.end;
        }
    }

    /// Found in the plainest way there is: by cutting the text at every `{{input.a}}`.
    #[test]
    fn empty_values_take_out_the_declared_placeholders_alone(text in texts()) {
        let values: Map<String, Value> =
            ["a", "child_name"].map(|name| (name.to_owned(), json!(""))).into_iter().collect();
        let rendered = render(&text, &declared(&["a", "child_name"]), &values).expect("given");
        let mut expected = String::new();
        let mut rest = text.as_str();
        while let Some(c) = rest.chars().next() {
            let is_after_brace = text[..text.len() - rest.len()].ends_with('{');
            let taken = ["{{input.a}}", "{{input.child_name}}"];
            let taken = taken.into_iter().find(|one| rest.starts_with(one) && !is_after_brace);
            if taken.is_none() {
                expected.push(c);
            }
            rest = &rest[taken.map_or(c.len_utf8(), str::len)..];
        }
        prop_assert_eq!(rendered.prompt, expected, "{:?}", text);
    }

    /// What is offered instead of a slip is a placeholder.
    #[test]
    fn corrections_are_well_formed(text in texts()) {
        for Placeholder { kind, .. } in placeholders(&text) {
            if let PlaceholderKind::Malformed { meant: Some(meant), .. } = kind {
                let corrected = dibber_skill::skill::placeholder_of(&meant);
                let found = placeholders(&corrected);
                prop_assert_eq!(found.len(), 1, "{}", &corrected);
                prop_assert_eq!(&found[0].kind, &PlaceholderKind::Input(meant));
            }
        }
    }
}
