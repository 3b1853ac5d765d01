//! `sprout.yaml`: what is read of it, every fault with its place, and how its file is found.

use std::fmt::Write;

use dibber_lint::Settings;
use dibber_skill::contract::{Category, MissedFires};
use dibber_skill::discover;
use dibber_skill::draft::Draft;
use dibber_skill::manifest::{
    self, MANIFEST_BYTES_MAX, MANIFEST_FILE_NAME, Manifest, ManifestProblem, ManifestProblemKind,
    PROBLEMS_MAX,
};
use dibber_skill::skill::{self, Bundle, NodeKind, Resource, Skill};
use dibber_text::Source;

use proptest::prelude::*;
use proptest::sample::select;

use crate::support::command::Dibber;
use crate::support::{Tree, shown};

const SKILL: &str = "---\nname: trip\ndescription: Plans a day trip for the family. Use when \
                     somebody asks where to go.\n---\n# Trip\n\nPlan it.\n";

fn parse(text: &str) -> (Manifest, Vec<ManifestProblem>) {
    manifest::parse(&Source::new(MANIFEST_FILE_NAME, text))
}

fn problems(text: &str) -> Vec<ManifestProblem> {
    parse(text).1
}

/// Each problem with its place, the bytes there, and its help.
fn show(text: &str) -> String {
    let source = Source::new(MANIFEST_FILE_NAME, text);
    let mut out = String::new();
    for ManifestProblem { kind, problem, .. } in manifest::parse(&source).1 {
        let place = source.line_column(problem.place.start);
        let written = dibber_text::Shown::to_be_masked(source.slice(problem.place)).to_string();
        let kind = match kind {
            ManifestProblemKind::UnknownKey => "unknown key",
            ManifestProblemKind::Invalid => "invalid",
        };
        writeln!(
            out,
            "{}:{} {kind} {written:?}: {}",
            place.line,
            place.column,
            shown(&problem.message)
        )
        .expect("a string");
        writeln!(out, "  {}", problem.help.as_ref().map_or_else(|| "no help".to_owned(), shown))
            .expect("a string");
        for label in &problem.labels {
            let line = source.line_column(label.place.start).line;
            writeln!(out, "  line {line}: {}", shown(&label.message)).expect("a string");
        }
    }
    out
}

/// The help for the only fault of a manifest.
fn help(text: &str) -> String {
    let found = problems(text);
    assert_eq!(found.len(), 1, "{text:?}: {found:?}");
    shown(found[0].problem.help.as_ref().expect("help"))
}

#[test]
fn every_valid_key_and_value_is_read() {
    let text = r#"# how it is published
label: &label Check-in
summary: >
  Asks how homework
  is going.
category: home_agent
hands: [task.list, task_create]
inputs:
  - name: child_name
    type: string
    description: 'How the child is called'
  - { name: today, required: False }
kidCallable: true
ageRange: 5-7
canvases:
- 0b9f3c1e-7a52-4d8e-9c40-5e1f2a3b4c5d
heartbeats:
  - name: *label
    cron: 0 16 * * 1-5
    tz: Europe/Berlin
    input: { today: "{{fireDate}}", child_name: 3 }
    assignmentSkill: sk_1
    postResultNotify: false
    missedFires: skip
"#;
    let (manifest, faults) = parse(text);
    assert_eq!(faults, []);
    let label = manifest.label.expect("a label");
    assert_eq!((label.value.as_str(), &text[label.span.range()]), ("Check-in", "Check-in"));
    assert_eq!(manifest.summary.expect("a summary").value, "Asks how homework is going.\n");
    assert_eq!(manifest.category.expect("a category").value, Category::HomeAgent);
    let hands: Vec<_> = manifest.hands.iter().flatten().map(|hand| hand.value.as_str()).collect();
    assert_eq!(hands, ["task.list", "task_create"]);
    let inputs = manifest.inputs.expect("inputs");
    let names: Vec<_> =
        inputs.iter().map(|input| (input.name.value.as_str(), input.is_required)).collect();
    assert_eq!(names, [("child_name", true), ("today", false)]);
    assert_eq!(inputs[0].kind.as_ref().expect("a type").value, "string");
    let description = inputs[0].description.as_ref().expect("a description");
    assert_eq!(&text[description.span.range()], "'How the child is called'");
    assert!(manifest.kid_callable.expect("a boolean").value);
    assert_eq!(manifest.age_range.expect("ages").value, "5-7");
    assert_eq!(manifest.canvases.len(), 1);
    let heartbeat = &manifest.heartbeats[0];
    assert_eq!(heartbeat.name.value, "Check-in");
    assert_eq!(&text[heartbeat.name.span.range()], "*label");
    assert_eq!(heartbeat.cron.value, "0 16 * * 1-5");
    assert_eq!(heartbeat.time_zone.as_ref().expect("a zone").value, "Europe/Berlin");
    let input: Vec<_> =
        heartbeat.input.iter().map(|(name, value)| (name.value.as_str(), value.as_str())).collect();
    assert_eq!(input, [("today", Some("{{fireDate}}")), ("child_name", Some("3"))]);
    assert_eq!(heartbeat.assignment_skill.as_ref().expect("a skill").value, "sk_1");
    assert!(!heartbeat.post_result_notify.as_ref().expect("a boolean").value);
    assert_eq!(heartbeat.missed_fires.as_ref().expect("a word").value, MissedFires::Skip);
}

#[test]
fn every_fault_is_reported_at_once_with_its_span() {
    insta::assert_snapshot!(show(
        r"name: Check in
label: 7
summary:
category: homeagent
hands: task_create, task_list
inputs:
  - child_name
  - child_id: string
  - name: child name
    type: text
    required: yes
    optional: true
  - {type: strng}
  - name: {{input.x}}
  - [a]
  -
kid_callable: true
kidCallable: yes
timezone: Europe/Berlin
ageRange: 7
canvases: ~
heartbeats:
  - schedule: 0 8 * * *
    timezone: Europe/Berlin
    input: [a]
  - name: x
    cron: [0, 8]
    postResultNotify: 'no'
    missedFires: sometimes
    input: {1: 2, a: 3}
  - oops
kidCallable: true
zebra: 1
? [a]
: b
: x
<<: y
"
    ));
}

#[test]
fn a_broken_value_hides_no_other_fault() {
    insta::assert_snapshot!(show(
        "label: Check: in\nsummary: \"x\nkidCallable: yes\ninputs:\n\t- name: a\nzebra: 1\n"
    ));
    insta::assert_snapshot!(show("label: a\n---\nsummary: 5\n"));
    insta::assert_snapshot!(show("---\nlabel: a\n---\n"));
    insta::assert_snapshot!(show("---\nlabel: a\n...\nlabel: b\n"));
    insta::assert_snapshot!(show("---\n  label: a\n summary: 5\n"));
    insta::assert_snapshot!(show("# x\n---\nhands: [a\n"));
    insta::assert_snapshot!(show("hands:\n  - [a\nheartbeats:\n  - zebra\n  - name: *a\n"));
}

#[test]
fn keys_are_suggested_for_what_people_write() {
    for (written, key) in [
        ("kid_callable", "kidCallable"),
        ("kid-callable", "kidCallable"),
        ("KIDCALLABLE", "kidCallable"),
        ("age-range", "ageRange"),
        ("ages", "ageRange"),
        ("Label", "label"),
        ("lable", "label"),
        ("title", "label"),
        ("description", "summary"),
        ("allowed-tools", "hands"),
        ("inputVariables", "inputs"),
        ("input", "inputs"),
        ("canvas_ids", "canvases"),
        ("response_model", "result"),
        ("schedule", "heartbeats"),
        ("heartbeat", "heartbeats"),
    ] {
        assert_eq!(help(&format!("{written}: x\n")), format!("write `{key}`"));
    }
    for (written, key) in [("timezone", "tz"), ("time_zone", "tz"), ("label", "name")] {
        let text = format!("heartbeats: [{{name: a, cron: b, {written}: c}}]\n");
        let there = format!("remove it; `{key}` is already set");
        let expected = if key == "name" { there } else { format!("write `{key}`") };
        assert_eq!(help(&text), expected);
    }
    assert!(help("zebra: x\n").ends_with("canvases, result, heartbeats"));
    assert!(help("inputs: [{name: a, zebra: x}]\n").ends_with("type, description, required"));
}

#[test]
fn inputs_are_shown_how_to_be_written() {
    for (inputs, way_out) in [
        ("\n  - child_name", "write `- name: child_name`"),
        ("\n  - child_name: string", "write `- name: child_name`"),
        ("child_name", "write each item on a line of its own: `- name: child_name`"),
        ("\n  child: string", "write each item on a line of its own: `- name: child`"),
        ("\n  - name: child name", "write `child_name`"),
        ("\n  - name: '{{input.child_name}}'", "write `child_name`"),
        ("\n  - name: input.day", "write `day`"),
        ("\n  - name: 5", "put it in quotes: `\"5\"`"),
        ("\n  - {name: a, type: bool}", "write `boolean`"),
        ("\n  - {name: a, type: String}", "write `string`"),
        ("\n  - {name: a, required: no}", "write `false`"),
        ("\n  - {name: a, required: 'true'}", "write `true`, without quotes"),
        ("\n  - {type: date}", "add `name: child_name`"),
    ] {
        assert_eq!(help(&format!("inputs: {inputs}\n")), way_out, "{inputs}");
    }
}

#[test]
fn too_many_faults_are_counted() {
    let keys = |count: usize| (0..count).map(|key| format!("key{key}: 1\n")).collect::<String>();
    assert_eq!(problems(&keys(PROBLEMS_MAX)).len(), PROBLEMS_MAX);
    let found = problems(&keys(1_500));
    assert_eq!(found.len(), PROBLEMS_MAX + 1);
    let last = &found[PROBLEMS_MAX];
    assert_eq!(
        shown(&last.problem.message),
        format!("{} more problems begin here", 1_500 - PROBLEMS_MAX)
    );
    assert_eq!(last.problem.place.start, keys(PROBLEMS_MAX).len());
}

#[test]
fn a_manifest_has_a_largest_size() {
    let of_size = |bytes: usize| format!("label: {}", "a".repeat(bytes - "label: ".len()));
    let (manifest, faults) = parse(&of_size(MANIFEST_BYTES_MAX));
    assert!(manifest.label.is_some() && faults.is_empty(), "{faults:?}");
    for bytes in [MANIFEST_BYTES_MAX + 1, 1_000_000] {
        let (manifest, faults) = parse(&of_size(bytes));
        assert_eq!(manifest, Manifest::default());
        let messages: Vec<_> = faults.iter().map(|found| shown(&found.problem.message)).collect();
        assert_eq!(messages, ["`sprout.yaml` is larger than 64 KiB, and was not read"]);
    }
}

#[test]
fn hostile_manifests_come_to_an_end() {
    let names = ["b", "c", "d", "e", "f", "g", "h", "i", "j"];
    let mut bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n".to_owned();
    let mut before = "a";
    for name in names {
        writeln!(bomb, "{name}: &{name} [*{before}, *{before}, *{before}]").expect("a string");
        before = name;
    }
    let wide = format!("a: &a [{}]\nb: [{}]\n", "x, ".repeat(900), "*a, ".repeat(12));
    let texts = [
        bomb,
        wide,
        format!("label: {}", "[".repeat(60_000)),
        format!("hands: {}{}", "[".repeat(40), "]".repeat(40)),
        format!("inputs: {}", "{a: ".repeat(15_000)),
        "- ".repeat(30_000),
        "? ".repeat(30_000),
        "a: &a *a\n".repeat(5_000),
        "label: &a {b: *a}\n".to_owned(),
        format!("hands: [{}]", "1,".repeat(3_500)),
        "a\n".repeat(30_000),
        "\"".repeat(60_000),
        "!!bool a: !!int b\n".repeat(3_000),
        format!("label: {}", "{".repeat(60_000)),
        "\t\r\n".repeat(20_000),
    ];
    for text in texts {
        let found = problems(&text);
        assert!(
            !found.is_empty() && found.len() <= PROBLEMS_MAX + 1,
            "{text:.60}: {}",
            found.len()
        );
        for fault in found {
            assert!(text.get(fault.problem.place.range()).is_some(), "{text:.60}: {fault:?}");
        }
    }
}

fn load(tree: &Tree) -> Skill {
    let (found, errors) = discover::find(&[tree.path().to_owned()]);
    assert!(errors.is_empty(), "{errors:?}");
    discover::load(&found[0]).expect("a skill")
}

fn label(skill: &Skill) -> Option<String> {
    let draft = Draft::new(skill);
    assert_eq!(draft.problems, []);
    draft.manifest?.label.map(|label| label.value)
}

#[test]
fn a_manifest_is_read_in_a_directory_of_any_size() {
    let tree = Tree::new();
    tree.write("SKILL.md", SKILL.as_bytes());
    tree.write("sprout.yaml", b"label: Day trip\n");
    // Nine megabytes of text, and more files than are listed, all before it.
    let text = "a quiet line\n".repeat(80_000);
    for number in 0..9 {
        tree.write(&format!("assets/{number}.txt"), text.as_bytes());
    }
    for number in 0..10_050 {
        tree.write(&format!("data/{number}"), b"");
    }
    let skill = load(&tree);
    assert!(skill.bundle.files_left_out > 0 && skill.resource("assets/8.txt").is_none());
    let paths: Vec<_> = skill.resources.iter().map(|file| &file.path).collect();
    assert!(paths.is_sorted(), "{paths:?}");
    assert_eq!(label(&skill).as_deref(), Some("Day trip"));
}

#[test]
fn an_unsaved_skill_uses_the_manifest_next_to_it() {
    let tree = Tree::new();
    tree.write("SKILL.md", b"old");
    tree.write("sprout.yaml", b"label: Day trip\n");
    let path = tree.path().join("SKILL.md");
    let skill = discover::load_text(Some(&path), SKILL.as_bytes().to_vec());
    assert_eq!(label(&skill).as_deref(), Some("Day trip"));
    assert_eq!(label(&discover::load_text(None, SKILL.as_bytes().to_vec())), None);
}

#[test]
fn a_manifest_of_a_skill_further_down_is_not_this_ones() {
    let tree = Tree::new();
    tree.write("SKILL.md", SKILL.as_bytes());
    tree.write("inner/SKILL.md", SKILL.as_bytes());
    tree.write("inner/sprout.yaml", b"label: Inner\n");
    tree.write("assets/sprout.yaml", b"label: Example\n");
    assert_eq!(label(&load(&tree)), None);
}

#[cfg(unix)]
#[test]
fn a_manifest_that_is_not_a_file_is_reported() {
    type Make = fn(&Tree);
    let cases: [(&str, Make); 5] = [
        ("is a symbolic link, which is not followed", |tree| tree.link("sprout.yaml", "SKILL.md")),
        ("is a symbolic link, which is not followed", |tree| tree.link("sprout.yaml", "nowhere")),
        ("is a symbolic link, which is not followed", |tree| tree.link("sprout.yaml", "/dev/zero")),
        ("is a pipe, a socket or a device", |tree| {
            let path = tree.path().join("sprout.yaml");
            let made = std::process::Command::new("mkfifo").arg(path).status();
            assert!(made.expect("mkfifo").success());
        }),
        ("is larger than 64 KiB, and was not read", |tree| {
            tree.write("sprout.yaml", "label: a\n".repeat(250_000).as_bytes());
        }),
    ];
    for (message, make) in cases {
        let tree = Tree::new();
        tree.write("SKILL.md", SKILL.as_bytes());
        make(&tree);
        let path = tree.path().join("SKILL.md");
        let unsaved = discover::load_text(Some(&path), SKILL.as_bytes().to_vec());
        for skill in [load(&tree), unsaved] {
            let draft = Draft::new(&skill);
            assert_eq!(draft.manifest, Some(Manifest::default()));
            let messages: Vec<_> =
                draft.problems.iter().map(|(_, found)| shown(&found.problem.message)).collect();
            assert_eq!(messages, [format!("`sprout.yaml` {message}")]);
        }
    }
}

#[test]
fn faults_are_reported_as_findings() {
    let tree = Tree::new();
    tree.write("trip/SKILL.md", SKILL.as_bytes());
    tree.write("trip/sprout.yaml", b"label: Day: trip\nkid_callable: true\nlabel: b\n");
    let ended = Dibber::lint(tree.path(), ["trip"]).env("COLUMNS", "80").run();
    insta::assert_snapshot!(ended.show());
}

#[test]
fn a_byte_order_mark_and_other_line_ends_change_nothing() {
    let tree = Tree::new();
    tree.write("SKILL.md", SKILL.as_bytes());
    tree.write("sprout.yaml", "\u{FEFF}label: Day trip\r\nhands:\r\n  - task_list\r\n".as_bytes());
    assert_eq!(label(&load(&tree)).as_deref(), Some("Day trip"));
}

/// What manifests are put together from, right and wrong.
const PIECES: [&str; 60] = [
    "label: Trip\n",
    "label:\n",
    "label: a: b\n",
    "label: 7\n",
    "summary: >\n  text\n",
    "summary: |\nflat\n",
    "summary: \"open\n",
    "summary: {{input.x}}\n",
    "summary: {{input.x}} y\n",
    "summary: 'it's'\n",
    "category: homeagent\n",
    "hands: [a, b]\n",
    "hands: [a, b\n",
    "hands: a, b\n",
    "hands:\n  - a\n  - 1\n",
    "inputs:\n",
    "  - name: child name\n",
    "  - child_name\n",
    "  - child_name: string\n",
    "    type: text\n",
    "    required: yes\n",
    "\t- name: a\n",
    "inputs: {a: b}\n",
    "kidCallable: yes\n",
    "kid_callable: true\n",
    "ageRange: 5-7\n",
    "heartbeats:\n  - name: a\n    cron: * * * * *\n",
    "    input: {1: [2], é: {}}\n",
    "canvases: ~\n",
    "canvases: *a\n",
    "? [a]\n: b\n",
    ": x\n",
    "<<: *a\n",
    "&a x\n",
    "- item\n",
    "---\n",
    "--- # x\n",
    "...\n",
    "%YAML 1.2\n",
    "# dibber: allow secret — known\n",
    "# dibber: alow\n",
    "#\n",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "  ",
    "\u{FEFF}",
    "\u{0}",
    "\u{1B}[31m",
    "\u{2028}",
    "é",
    "👩‍👩‍👧: 名前\n",
    "!!str 1",
    "!!bool yes",
    "\"",
    "{",
    "}",
    "[",
    "]",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_manifest_can_be_read(pieces in prop::collection::vec(select(&PIECES[..]), 0..20)) {
        let text = pieces.concat();
        for fault in problems(&text) {
            prop_assert!(text.get(fault.problem.place.range()).is_some(), "{fault:?} in {text:?}");
        }
        let source = Source::new("trip/sprout.yaml", text.clone());
        let resources = vec![Resource::new(MANIFEST_FILE_NAME, source)];
        let source = Source::new("trip/SKILL.md", SKILL);
        let skill = Skill::parse(Bundle::of_text("trip", None), source, resources);
        for found in dibber_lint::lint(&skill, &Settings::default()).diagnostics {
            let of_manifest = found.path == "trip/sprout.yaml";
            let text = if of_manifest { text.as_str() } else { SKILL };
            let labels = found.labels.iter().map(|(range, _)| range);
            for range in found.range.iter().chain(labels) {
                prop_assert!(text.get(range.span.range()).is_some(), "{found:?} in {text:?}");
            }
        }
    }

    /// What is no mapping, or no YAML, is never taken for a manifest without faults.
    #[test]
    fn every_broken_manifest_has_a_problem(pieces in prop::collection::vec(select(&PIECES[..]), 0..20)) {
        let text = pieces.concat();
        let (root, found) = skill::parse_yaml(&text);
        let is_mapping = matches!(root.map(|root| root.kind), Some(NodeKind::Mapping(_)));
        let has_only_comments = text
            .lines()
            .all(|line| line.trim_matches(' ').is_empty() || line.trim_start().starts_with('#'));
        if has_only_comments {
            prop_assert!(problems(&text).is_empty(), "{text:?}");
        } else if !is_mapping || !found.is_empty() {
            prop_assert!(!problems(&text).is_empty(), "{found:?} of {text:?}");
        }
    }
}
