//! The spec-hash: canonical JSON against the samples of RFC 8785, what has no hash, and what a hash
//! depends on.

use std::fs;

use dibber_skill::contract::{
    CanvasId, Category, InputVariable, SKILL_WRITE, SkillWrite, WireEnum,
};
use dibber_skill::discover;
use dibber_skill::draft::Draft;
use dibber_skill::spec_hash::{INTEGER_MAX, NotAHash, SpecHash, canonical_json};
use dibber_text::strict_json::parse as parse_json;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::skill::drafting::skill;
use crate::support::package;

/// How many values each property is tried on.
const VALUES: u32 = 256;

/// The numbers of appendix B of RFC 8785: the bits of the double-precision float, and its form.
const NUMBERS: [(u64, &str); 24] = [
    (0x0000_0000_0000_0000, "0"),
    (0x8000_0000_0000_0000, "0"),
    (0x0000_0000_0000_0001, "5e-324"),
    (0x8000_0000_0000_0001, "-5e-324"),
    (0x7FEF_FFFF_FFFF_FFFF, "1.7976931348623157e+308"),
    (0xFFEF_FFFF_FFFF_FFFF, "-1.7976931348623157e+308"),
    (0x4340_0000_0000_0000, "9007199254740992"),
    (0xC340_0000_0000_0000, "-9007199254740992"),
    (0x4430_0000_0000_0000, "295147905179352830000"),
    (0x44B5_2D02_C7E1_4AF5, "9.999999999999997e+22"),
    (0x44B5_2D02_C7E1_4AF6, "1e+23"),
    (0x44B5_2D02_C7E1_4AF7, "1.0000000000000001e+23"),
    (0x444B_1AE4_D6E2_EF4E, "999999999999999700000"),
    (0x444B_1AE4_D6E2_EF4F, "999999999999999900000"),
    (0x444B_1AE4_D6E2_EF50, "1e+21"),
    (0x3EB0_C6F7_A0B5_ED8C, "9.999999999999997e-7"),
    (0x3EB0_C6F7_A0B5_ED8D, "0.000001"),
    (0x41B3_DE43_5555_5553, "333333333.3333332"),
    (0x41B3_DE43_5555_5554, "333333333.33333325"),
    (0x41B3_DE43_5555_5555, "333333333.3333333"),
    (0x41B3_DE43_5555_5556, "333333333.3333334"),
    (0x41B3_DE43_5555_5557, "333333333.33333343"),
    (0xBECB_F647_612F_3696, "-0.0000033333333333333333"),
    (0x4314_3FF3_C1CB_0959, "1424953923781206.2"),
];

#[test]
fn numbers_are_written_as_in_appendix_b() {
    for (bits, form) in NUMBERS {
        assert_eq!(canonical_json(&json!(f64::from_bits(bits))), form, "{bits:#x}");
        let parsed = parse_json(form).expect("a number");
        assert_eq!(canonical_json(&parsed), form, "{form} read again");
    }
}

#[test]
fn keys_are_sorted_as_in_section_3_2_3() {
    let text = r#"{
        "\u20ac": "Euro Sign",
        "\r": "Carriage Return",
        "\ufb33": "Hebrew Letter Dalet With Dagesh",
        "1": "One",
        "\ud83d\ude00": "Emoji: Grinning Face",
        "\u0080": "Control",
        "\u00f6": "Latin Small Letter O With Diaeresis"
    }"#;
    let canonical = canonical_json(&parse_json(text).expect("JSON"));
    assert_eq!(
        canonical,
        "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u{80}\":\"Control\",\
         \"\u{F6}\":\"Latin Small Letter O With Diaeresis\",\"\u{20AC}\":\"Euro Sign\",\
         \"\u{1F600}\":\"Emoji: Grinning Face\",\
         \"\u{FB33}\":\"Hebrew Letter Dalet With Dagesh\"}"
    );
}

/// The sample of section 3.2.2, and its bytes from section 3.2.4.
#[test]
fn values_are_written_as_in_section_3_2_2() {
    let text = r#"{
        "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
        "literals": [null, true, false]
    }"#;
    let canonical = canonical_json(&parse_json(text).expect("JSON"));
    let bytes = "7b 22 6c 69 74 65 72 61 6c 73 22 3a 5b 6e 75 6c 6c 2c 74 72 \
                 75 65 2c 66 61 6c 73 65 5d 2c 22 6e 75 6d 62 65 72 73 22 3a \
                 5b 33 33 33 33 33 33 33 33 33 2e 33 33 33 33 33 33 33 2c 31 \
                 65 2b 33 30 2c 34 2e 35 2c 30 2e 30 30 32 2c 31 65 2d 32 37 \
                 5d 2c 22 73 74 72 69 6e 67 22 3a 22 e2 82 ac 24 5c 75 30 30 \
                 30 66 5c 6e 41 27 42 5c 22 5c 5c 5c 5c 5c 22 2f 22 7d";
    let shown: Vec<_> = canonical.bytes().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(shown.join(" "), bytes);
}

#[test]
fn control_characters_have_their_short_form_or_four_digits() {
    let all: String = (0..0x20_u8).map(char::from).chain(['\u{7F}', '\u{2028}', '/']).collect();
    assert_eq!(
        canonical_json(&json!(all)),
        "\"\\u0000\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\b\\t\\n\\u000b\\f\\r\\u000e\\u000f\
         \\u0010\\u0011\\u0012\\u0013\\u0014\\u0015\\u0016\\u0017\\u0018\\u0019\\u001a\\u001b\\u001c\
         \\u001d\\u001e\\u001f\u{7F}\u{2028}/\""
    );
}

fn hash_of_text(arguments: &str) -> Result<SpecHash, String> {
    let arguments = parse_json(arguments).map_err(|error| error.to_string())?;
    let Value::Object(arguments) = arguments else { panic!("{arguments} is not an object") };
    SpecHash::compute(SKILL_WRITE, &arguments).map_err(|error| error.to_string())
}

#[test]
fn integers_that_a_float_cannot_hold_have_no_hash() {
    let max = INTEGER_MAX;
    for number in [
        format!("{}", max + 1),
        format!("-{}", max + 1),
        "9007199254740992.0".to_owned(),
        "9007199254740993.0".to_owned(),
        "18446744073709551615".to_owned(),
        "-9223372036854775808".to_owned(),
        "100000000000000000000000".to_owned(),
        "1e20".to_owned(),
        "-1E+300".to_owned(),
    ] {
        let error = hash_of_text(&format!(r#"{{"a": [true, {{"b/~": {number}}}]}}"#));
        let error = error.expect_err(&number);
        assert!(error.contains("at `/a/1/b~1~0` is too large to be exact in JSON"), "{error}");
    }
    for number in [
        max.to_string(),
        format!("-{max}"),
        format!("{max}.0"),
        "1e15".to_owned(),
        "0.5".to_owned(),
    ] {
        hash_of_text(&format!(r#"{{"a": [true, {{"b": {number}}}]}}"#)).expect(&number);
    }
}

/// What does not count for the hash is not looked at either.
#[test]
fn dry_run_and_spec_hash_do_not_count() {
    let hash = hash_of_text(r#"{"name": "a"}"#).expect("a hash");
    for also in [r#""dryRun": true"#, r#""dryRun": 1e99"#, r#""specHash": "h_0""#] {
        assert_eq!(hash_of_text(&format!(r#"{{{also}, "name": "a"}}"#)), Ok(hash), "{also}");
    }
    // Only the call's own: a value may have a key of that name.
    let inner = hash_of_text(r#"{"name": {"dryRun": true}}"#).expect("a hash");
    assert_ne!(inner, hash_of_text(r#"{"name": {}}"#).expect("a hash"));
}

#[test]
fn the_tool_counts() {
    let arguments = Map::from_iter([("name".to_owned(), json!("a"))]);
    let of = |tool| SpecHash::compute(tool, &arguments).expect("a hash");
    assert_ne!(of("skill_write"), of("canvas_create"));
}

#[test]
fn json_that_readers_may_take_for_different_things_is_refused() {
    let long = "x".repeat(100_000);
    let many = |open: &str, close: &str| open.repeat(10_000) + "1" + &close.repeat(10_000);
    for (text, error) in [
        (r#"{"a": 1, "a": 1}"#.to_owned(), "duplicate key `a` at line 1 column 12"),
        (r#"{"a": [0, {"b": 1, "\u0062": 2}]}"#.to_owned(), "duplicate key `b`"),
        (format!(r#"{{"{long}": 1, "{long}": 1}}"#), "duplicate key `…` at line 1"),
        ("NaN".to_owned(), "expected value"),
        ("[Infinity]".to_owned(), "expected value"),
        ("-Infinity".to_owned(), "invalid number"),
        ("1e999".to_owned(), "number out of range"),
        ("01".to_owned(), "invalid number"),
        (r#""\ud800""#.to_owned(), "unexpected end of hex escape"),
        (r#""\ud800\u0041""#.to_owned(), "lone leading surrogate"),
        (r#""\udc00""#.to_owned(), "lone leading surrogate"),
        ("\"\u{1}\"".to_owned(), "control character"),
        ("{} {}".to_owned(), "trailing characters"),
        ("[1,]".to_owned(), "trailing comma"),
        ("// a comment\n1".to_owned(), "expected value"),
        ("\u{FEFF}1".to_owned(), "expected value"),
        (String::new(), "EOF"),
        (many("[", "]"), "recursion limit exceeded"),
        (many(r#"{"a":"#, "}"), "recursion limit exceeded"),
    ] {
        let found = parse_json(&text).expect_err(error).to_string();
        assert!(found.contains(error), "{found}");
        assert!(found.len() < 200, "{found}");
    }
    // In two objects, a key may be the same.
    assert!(parse_json(r#"[{"a": 1}, {"a": {"a": 1}}]"#).is_ok());
}

#[test]
fn only_one_spelling_of_a_hash_is_read() {
    let hash = hash_of_text("{}").expect("a hash");
    let text = hash.to_string();
    assert_eq!(text.parse(), Ok(hash));
    assert_eq!(format!("{hash:?}"), text);
    let digits = &text[2..];
    for wrong in [
        String::new(),
        "h_".to_owned(),
        digits.to_owned(),
        format!("H_{digits}"),
        format!("h_{}", digits.to_uppercase() + "A"),
        format!("h_{}", digits.replacen(|c: char| c.is_ascii_digit(), "g", 1)),
        format!("h_{}A", &digits[1..]),
        format!("h_{}", &digits[1..]),
        format!("{text}0"),
        format!(" {text}"),
        format!("{text}\n"),
        format!("h_{}é", &digits[2..]),
    ] {
        assert_eq!(wrong.parse::<SpecHash>(), Err(NotAHash), "{wrong:?}");
    }
}

fn hash_of(arguments: &SkillWrite) -> SpecHash {
    let Ok(Value::Object(arguments)) = serde_json::to_value(arguments) else { panic!("an object") };
    SpecHash::compute(SKILL_WRITE, &arguments).expect("strings have a hash")
}

/// The hashes of these fixtures were computed without this program, by
/// `"h_" + sha256(json.dumps({"tool": "skill_write", "arguments": …}, sort_keys=True,
/// separators=(",", ":"), ensure_ascii=False).encode()).hexdigest()` of Python over the
/// `arguments.json` beside each skill, which was written by hand.
#[test]
fn fixed_skills_keep_their_hashes() {
    let (found, errors) = discover::find(&[package().join("fixtures/spec-hash")]);
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(found.len(), 4);
    for found in found {
        let skill = discover::load(&found).expect("a readable skill");
        let draft = Draft::new(&skill);
        assert!(draft.problems.is_empty(), "{:?}", draft.problems);
        let read = |name| fs::read_to_string(found.directory.join(name)).expect("a file");
        let expected = parse_json(&read("arguments.json")).expect("JSON");
        assert_eq!(serde_json::to_value(draft.best_effort()).expect("JSON"), expected);
        assert_eq!(hash_of(draft.best_effort()).to_string(), read("spec-hash").trim_end());
    }
}

/// A change of one argument, in words and done.
type Change = (&'static str, fn(&mut SkillWrite));

/// Changes of every argument; some of them change nothing of some calls.
const CHANGES: [Change; 22] = [
    ("a longer name", |call| call.name.push('x')),
    ("a longer description", |call| call.description.push(' ')),
    ("another category", |call| {
        call.category = match call.category {
            Some(Category::HomeAgent) => Some(Category::Generic),
            _ => Some(Category::HomeAgent),
        }
    }),
    ("a category that is the default", |call| {
        call.category = call.category.xor(Some(Category::Generic));
    }),
    ("a longer prompt", |call| call.prompt.push('\n')),
    ("a prompt with another line end", |call| call.prompt.insert(0, '\r')),
    ("one more hand", |call| call.hands_referenced.push(String::new())),
    ("another first hand", |call| call.hands_referenced.insert(0, "x_y".to_owned())),
    ("one more input", |call| call.input_variables.push(InputVariable::default())),
    ("an input's name", |call| call.input_variables[0].name.push('x')),
    ("an input's type", |call| call.input_variables[0].kind = Some("x".to_owned())),
    ("an input's description", |call| {
        call.input_variables[0].description = Some("x".to_owned());
    }),
    ("an input's blank description", |call| {
        call.input_variables[0].description = Some(String::new());
    }),
    ("inputs in another order", |call| call.input_variables.reverse()),
    ("another truth", |call| {
        call.kid_callable = call.kid_callable.map_or(Some(true), |is| Some(!is));
    }),
    ("a truth that is the default", |call| call.kid_callable = call.kid_callable.xor(Some(false))),
    ("one more canvas", |call| call.canvas_ids.push(String::new().into())),
    ("another first canvas", |call| call.canvas_ids.insert(0, "y".into())),
    ("no canvas", |call| {
        call.canvas_ids = if call.canvas_ids.is_empty() { vec!["z".into()] } else { Vec::new() };
    }),
    ("a response model", |call| {
        call.response_model = Some(Map::from_iter([("type".to_owned(), json!("object"))]));
    }),
    ("other ages", |call| call.age_range = Some("x-y".to_owned())),
    ("no ages or some", |call| call.age_range = call.age_range.take().xor(Some("5-7".to_owned()))),
];

prop_compose! {
    fn inputs()(
        name in ".{0,5}",
        kind in any::<Option<bool>>(),
        description in proptest::option::of(".{0,5}"),
    )
        -> InputVariable
    {
        InputVariable { name, kind: kind.map(|kind| kind.to_string()), description }
    }
}

prop_compose! {
    fn calls()(
        name in any::<String>(),
        description in any::<String>(),
        category in proptest::option::of(proptest::sample::select(Category::all())),
        prompt in any::<String>(),
        hands_referenced in proptest::collection::vec("[a-z_]{0,6}", 0..3),
        input_variables in proptest::collection::vec(inputs(), 2..4),
        kid_callable in any::<Option<bool>>(),
        canvas_ids in proptest::collection::vec("[a-f0-9-]{0,6}", 0..3),
        age_range in proptest::option::of("[0-9-]{0,3}"),
    ) -> SkillWrite {
        SkillWrite {
            name, description, category, prompt, hands_referenced, input_variables, kid_callable,
            canvas_ids: canvas_ids.into_iter().map(CanvasId::from).collect(), age_range,
            response_model: None,
        }
    }
}

/// The same value as JSON text with the keys of every object turned round, and spaces.
fn backwards(value: &Value) -> String {
    match value {
        Value::Object(entries) => {
            let entry =
                |(key, value): (&String, &Value)| format!("{} : {}", json!(key), backwards(value));
            let entries: Vec<_> = entries.iter().rev().map(entry).collect();
            format!("{{ {} }}", entries.join(" ,\n"))
        }
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(backwards).collect();
            format!("[{}\t]", items.join(", "))
        }
        other => other.to_string(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: VALUES, ..ProptestConfig::default() })]

    #[test]
    fn any_change_of_an_argument_changes_the_hash(call in calls()) {
        for (what, change) in CHANGES {
            let mut changed = call.clone();
            change(&mut changed);
            if changed == call {
                continue;
            }
            prop_assert_ne!(hash_of(&changed), hash_of(&call), "{}", what);
        }
    }

    #[test]
    fn the_order_of_keys_and_the_form_of_the_json_do_not_count(call in calls()) {
        let json = serde_json::to_value(&call).expect("JSON");
        prop_assert_eq!(hash_of_text(&backwards(&json)), Ok(hash_of(&call)));
    }

    #[test]
    fn floats_are_read_and_written_without_loss(bits in any::<u64>()) {
        let float = f64::from_bits(bits);
        prop_assume!(float.is_finite());
        let canonical = canonical_json(&parse_json(&format!("{float:e}")).expect("a number"));
        let read = canonical.parse::<f64>().expect("a number");
        // The canonical form knows one zero.
        prop_assert_eq!(read.to_bits(), (float + 0.0).to_bits());
    }
}

const SKILL: &str = "---
name: check-in
description: Rewrites the check-in. Use every morning.
allowed-tools: task.list
---

# Check in

For {{input.child_name}}:

- read the list
- `write` it\\
";

/// The parts of a `sprout.yaml`, one key each.
const MANIFEST: [&str; 8] = [
    "label: \"Morning check-in\"\n",
    "summary: |\n  Reads the list\n  and writes.\n\n  Twice.\n",
    "category: home_agent\n",
    "hands:\n  - task_list\n  - task_update\n",
    "inputs:\n  - name: child_name\n    description: >\n      The name\n      of the child\n",
    "kidCallable: false\n",
    "ageRange: 5-7\n",
    "canvases: [123e4567-e89b-12d3-a456-426614174000]\n",
];

fn hash_of_files(skill_file: &str, manifest: &str) -> SpecHash {
    let skill = skill(skill_file, Some(manifest));
    let draft = Draft::new(&skill);
    assert!(draft.problems.is_empty(), "{:?}", draft.problems);
    hash_of(draft.best_effort())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: VALUES, ..ProptestConfig::default() })]

    #[test]
    fn nothing_but_the_arguments_counts(
        skill_returns in any::<bool>(),
        manifest_returns in any::<bool>(),
        has_marks in any::<bool>(),
        parts in Just(MANIFEST.to_vec()).prop_shuffle(),
        comments in proptest::collection::vec(any::<bool>(), MANIFEST.len()),
    ) {
        let parts = parts.iter().zip(comments).map(|(part, has_comment)| {
            let comment = if has_comment { "# A comment: {{input.x}}\n\n" } else { "" };
            format!("{comment}{part}")
        });
        let with_returns = |text: String, has_returns| {
            if has_returns { text.replace('\n', "\r\n") } else { text }
        };
        let mark = if has_marks { "\u{FEFF}" } else { "" };
        let skill_file = with_returns(format!("{mark}{SKILL}"), skill_returns);
        let manifest = format!("{mark}{}", parts.collect::<String>());
        let manifest = with_returns(manifest, manifest_returns);
        let plain = hash_of_files(SKILL, &MANIFEST.concat());
        prop_assert_eq!(hash_of_files(&skill_file, &manifest), plain);
    }
}

/// Every part of the manifest counts, and so does every line of the skill that is sent.
#[test]
fn every_change_of_the_files_counts() {
    let whole = hash_of_files(SKILL, &MANIFEST.concat());
    for left_out in 0..MANIFEST.len() {
        let mut parts = MANIFEST.to_vec();
        let part = parts.remove(left_out);
        assert_ne!(hash_of_files(SKILL, &parts.concat()), whole, "{part}");
    }
    let body = SKILL.find("# Check in").expect("a heading");
    for (at, _) in SKILL[body..].char_indices() {
        let mut changed = SKILL.to_owned();
        changed.insert(body + at, 'x');
        assert_ne!(hash_of_files(&changed, &MANIFEST.concat()), whole, "{changed}");
    }
    // Of the frontmatter, `sprout.yaml` replaces everything here.
    let other = SKILL.replace("name: check-in", "name: other").replace("Rewrites", "Reads");
    assert_eq!(hash_of_files(&other, &MANIFEST.concat()), whole);
}
