//! What is said about a skill.

use std::fs;

use dibber_skill::contract::skills_protocol::{DescribeDetail, RpcReason};
use serde_json::{Value, json};

use crate::support::{GUIDE, Shelf, describe, manifest, refusal};

const TEXT: &str = "---\nname: Countdown\nshort_description: Counts.\ntags: [dates, 7]\nage: 3\n\
                    other:\n  deep: [true, null, 1.5]\n---\n\n# Countdown\n\nÄhm.\n";

fn shelf() -> Shelf {
    let shelf = Shelf::new();
    let manifest = "name = \"a.b\"\nversion = \"1.2.3\"\ndescription = \"It counts.\"\nkind = \
                    \"action\"\nsince = 2026-11-27\n[runtime]\nlanguage = \"python\"\nentrypoint = \
                    \"code/main.py\"\n[input_schema]\ntype = \"object\"\n";
    shelf.write("a.b/skill.toml", manifest);
    shelf.write("a.b/SKILL.md", TEXT);
    shelf
}

#[test]
fn each_detail_adds_to_the_one_before() {
    let index = shelf().registry().index();
    // The directory is gone, and the manifest is in the index.
    let described = describe(&index, "a.b", DescribeDetail::Manifest).expect("a description");
    let value = serde_json::to_value(&described).expect("JSON");
    let expected = json!({"skill": {
        "name": "a.b", "version": "1.2.3", "kind": "action", "namespace": "a",
        "manifest": {
            "name": "a.b", "version": "1.2.3", "description": "It counts.", "kind": "action",
            "since": "2026-11-27",
            "runtime": {"language": "python", "entrypoint": "code/main.py"},
            "input_schema": {"type": "object"},
        },
    }});
    assert_eq!(value, expected);

    let shelf = shelf();
    let index = shelf.registry().index();
    let summary = describe(&index, "a.b", DescribeDetail::Summary).expect("a description").skill;
    let frontmatter = json!({
        "name": "Countdown", "short_description": "Counts.", "tags": ["dates", 7], "age": 3,
        "other": {"deep": [true, null, 1.5]},
    });
    assert_eq!(summary.frontmatter.map(Value::Object), Some(frontmatter));
    assert_eq!(summary.documentation.as_deref(), Some("# Countdown\n\nÄhm.\n"));
    let full = describe(&index, "a.b", DescribeDetail::Full).expect("a description").skill;
    assert_eq!(full.documentation.as_deref(), Some(TEXT));
}

#[test]
fn a_summary_has_500_characters_of_the_body() {
    let shelf = shelf();
    let body = "ö".repeat(501);
    shelf.write("a.b/SKILL.md", format!("---\nname: x\n---\n\n{body}"));
    let index = shelf.registry().index();
    let skill = describe(&index, "a.b", DescribeDetail::Summary).expect("a description").skill;
    assert_eq!(skill.documentation, Some(format!("{}…", "ö".repeat(500))));
}

#[test]
fn a_skill_without_a_manifest_has_the_one_that_it_would_have() {
    let shelf = Shelf::new();
    shelf.plain("x", "bedtime-story");
    let index = shelf.registry().index();
    let described = describe(&index, "bedtime-story", DescribeDetail::Summary).expect("it").skill;
    let expected = json!({
        "name": "bedtime-story", "version": "0.0.0", "description": "Does bedtime-story.",
        "kind": "instruction",
    });
    assert_eq!(Value::Object(described.manifest), expected);
    assert_eq!((&*described.namespace, &*described.kind), ("tests", "instruction"));
    assert_eq!(described.frontmatter.expect("frontmatter")["name"], "bedtime-story");
}

#[test]
fn a_skill_without_instructions_is_described_with_a_warning() {
    let shelf = Shelf::new();
    shelf.write("a.b/skill.toml", manifest("a.b", "1.0.0"));
    let index = shelf.registry().index();
    let described = describe(&index, "a.b", DescribeDetail::Full).expect("a description");
    assert_eq!(described.warnings, ["the skill has no `SKILL.md`"]);
    assert_eq!(described.skill.documentation, None);
}

#[test]
fn instructions_may_be_anything() {
    let shelf = shelf();
    let index = shelf.registry().index();
    for text in [
        &b""[..],
        b"\xff\xfe not UTF-8",
        b"---\nname: [unclosed\n---\nbody",
        b"---\n- a list\n---\n",
        b"---\n? [complex]: key\n1: 2\n---\n",
        b"---\na: &a [x]\nb: *a\na: again\n---\n",
        b"---\nno end",
    ] {
        shelf.write("a.b/SKILL.md", text);
        for detail in [DescribeDetail::Summary, DescribeDetail::Full] {
            describe(&index, "a.b", detail).expect("a description");
        }
    }
    shelf.write("a.b/SKILL.md", "a".repeat((1 << 20) + 1));
    let shown = refusal(describe(&index, "a.b", DescribeDetail::Full), RpcReason::FileTooLarge);
    assert_eq!(
        shown,
        "`SKILL.md` is larger than 1 MiB; call `describe_skill` with the detail `manifest`"
    );
}

#[test]
fn a_directory_that_has_changed_since_is_a_clear_error() {
    let shelf = shelf();
    let index = shelf.registry().index();
    fs::remove_dir_all(shelf.path("a.b")).expect("a directory");
    let removed = "the skill `a.b` 1.2.3 has just been removed; call `list_skills` for the skills \
                   that there are";
    let found = describe(&index, "a.b", DescribeDetail::Summary);
    assert_eq!(refusal(found, RpcReason::SkillNotFound), removed);
    shelf.write("a.b", "now a file");
    let found = describe(&index, "a.b", DescribeDetail::Summary);
    assert_eq!(refusal(found, RpcReason::SkillNotFound), removed);
    describe(&index, "a.b", DescribeDetail::Manifest).expect("the index has it");
}

#[test]
fn the_guide_is_described_like_any_other_skill() {
    let index = Shelf::new().registry().index();
    let described = describe(&index, GUIDE, DescribeDetail::Full).expect("the guide").skill;
    assert_eq!((&*described.version, &*described.kind), ("0.1.0", "instruction"));
    assert_eq!(described.namespace, "skills");
    assert_eq!(described.manifest["name"], GUIDE);
    assert_eq!(described.documentation, Some(dibber_protocol::guide().content));
}
