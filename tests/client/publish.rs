//! `dibber.lock`, the change that a push makes, and the files that a pull writes.

use std::collections::BTreeMap;

use dibber_client::publish::{
    AuthoredFiles, Lock, Published, PublishedHeartbeat, SkillPatch, Unchangeable, directory_name,
};
use dibber_skill::content_hash::{ContentHash, field_hash};
use dibber_skill::contract::{
    AgeRangeChange, Category, Decision, InputVariable, MissedFires, SKILL_WRITE, SkillUpdate,
    SkillWrite, StoredModel, StoredSkill,
};
use dibber_skill::draft::{self, Draft};
use dibber_skill::manifest::MANIFEST_FILE_NAME;
use dibber_skill::skill::{Bundle, BundleFile, FileKind, Resource, Skill};
use dibber_skill::spec_hash::SpecHash;
use dibber_text::Source;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::support::test_roster;

fn stored() -> StoredSkill {
    StoredSkill {
        skill_id: "sk_1".into(),
        name: "Plan my week".to_owned(),
        description: "Plans the week. Use on Sundays.".to_owned(),
        category: Category::Generic,
        prompt: "\n# Plan my week\n\nAsk for {{input.day}}.\n".to_owned(),
        hands_referenced: vec!["task_create".to_owned()],
        input_variables: vec![InputVariable { name: "day".to_owned(), ..InputVariable::default() }],
        kid_callable: false,
        age_range: None,
        canvas_ids: Vec::new(),
        response_model: StoredModel::None,
        archived: Some(false),
        last_triggered_at: None,
        content_hash: None,
    }
}

/// The arguments of which a stored skill comes.
fn written(stored: &StoredSkill) -> SkillWrite {
    SkillWrite {
        name: stored.name.clone(),
        description: stored.description.clone(),
        category: Some(stored.category),
        prompt: stored.prompt.clone(),
        hands_referenced: stored.hands_referenced.clone(),
        input_variables: stored.input_variables.clone(),
        kid_callable: Some(stored.kid_callable),
        canvas_ids: stored.canvas_ids.clone(),
        age_range: stored.age_range.clone(),
        response_model: stored.response_model.model().cloned(),
    }
}

fn published(id: &str) -> Published {
    Published {
        skill_id: id.into(),
        spec_hash: "h_00".to_owned(),
        server_hash: None,
        fields: BTreeMap::new(),
        content_hash: Some("c_00".to_owned()),
        include: vec!["references/days.md".to_owned(), "a \"b\".txt".to_owned()],
        heartbeats: BTreeMap::new(),
    }
}

fn heartbeat(id: &str, content_hash: Option<&str>) -> PublishedHeartbeat {
    let content_hash = content_hash.map(str::to_owned);
    let fields = content_hash.iter().map(|hash| ("name".to_owned(), hash.replace("c_", "f_")));
    // What an earlier version has not recorded is read as the default, which is not written.
    let missed =
        content_hash.as_ref().map(|_| ("missedFires".to_owned(), field_hash(&MissedFires::Once)));
    let fields = fields.chain(missed).collect();
    PublishedHeartbeat {
        heartbeat_id: id.into(),
        content_hash,
        fields,
        stored: BTreeMap::new(),
        is_unlisted: false,
    }
}

#[test]
fn a_lock_has_a_block_for_each_skill_and_server() {
    let mut lock = Lock::default();
    lock.record("skills/b", "https://a.example/mcp", published("sk_3"));
    lock.record("skills/a", "https://b.example/mcp", published("sk_2"));
    lock.record("skills/a", "srv_1/fam_1", published("sk_4"));
    lock.record("skills/a", "https://a.example/mcp", published("sk_1"));
    assert!(lock.record_heartbeat(
        "skills/a",
        "https://a.example/mcp",
        "Every \"day\"",
        heartbeat("hb_1", None)
    ));
    assert!(lock.record_heartbeat(
        "skills/a",
        "https://a.example/mcp",
        "Sundays",
        heartbeat("hb_2", Some("c_01"))
    ));
    assert!(!lock.record_heartbeat(
        "skills/c",
        "https://a.example/mcp",
        "Every day",
        heartbeat("hb_1", None)
    ));
    insta::assert_snapshot!(lock.write());
    assert_eq!(Lock::parse(&lock.write()), Ok(lock.clone()));
    // The same skill again keeps its heartbeats, and another one does not.
    lock.record("skills/a", "https://a.example/mcp", published("sk_1"));
    let heartbeats = |lock: &Lock| {
        lock.get("skills/a", "https://a.example/mcp").map(|entry| entry.heartbeats.len())
    };
    assert_eq!(heartbeats(&lock), Some(2));
    // A heartbeat has one name, and may lose its record.
    lock.record_heartbeat(
        "skills/a",
        "https://a.example/mcp",
        "Mondays",
        heartbeat("hb_2", Some("c_02")),
    );
    assert_eq!(heartbeats(&lock), Some(2));
    lock.remove_heartbeat("skills/a", "https://a.example/mcp", &"hb_2".into());
    assert_eq!(heartbeats(&lock), Some(1));
    lock.record("skills/a", "https://a.example/mcp", published("sk_9"));
    assert_eq!(heartbeats(&lock), Some(0));
    assert_eq!(
        lock.paths_of("https://b.example/mcp", &"sk_2".into()).collect::<Vec<_>>(),
        ["skills/a"]
    );
}

#[test]
fn a_lock_keeps_the_skills_that_were_added() {
    let digest = format!("sha256:{}", "0".repeat(64));
    let added = format!(
        "\n[[added]] # \"good\"\nname = \"good\"\nsource = \"./good\"\n\
         directories = [\".agents/skills/good\"]\ndigest = \"{digest}\"\n[added.files]\n\
         \"SKILL.md\" = \"{digest}\"\n\"run.sh\" = {{ digest = \"{digest}\", executable = true }}\n"
    );
    let mut lock = Lock::parse(&format!("version = 2\n{added}")).expect("a lock");
    assert!(lock.write().ends_with(&added), "{}", lock.write());
    lock.record("skills/a", "https://a.example/mcp", published("sk_1"));
    let written = lock.write();
    assert!(written.ends_with(&added) && written.contains("[[skill]]"), "{written}");
    assert_eq!(Lock::parse(&written), Ok(lock));
    let invalid = written.replace("name = \"good\"", "name = \"../good\"");
    Lock::parse(&invalid).expect_err("an invalid name");
}

#[test]
fn a_lock_of_an_earlier_form_loses_what_differs_between_machines() {
    let block = |server: &str, time: &str| {
        format!(
            "[[skill]]\npath = \"a\"\nserver = \"srv_1/fam_1\"\nserverName = \"{server}\"\nskillId = \
             \"sk_1\"\nspecHash = \"h\"\ntime = \"{time}\"\n"
        )
    };
    let read = |server, time| Lock::parse(&format!("version = 2\n\n{}", block(server, time)));
    let here = read("local", "2026-01-01T00:00:00Z").expect("a lock");
    let there = read("https://a.example/mcp", "2026-01-02T00:00:00Z").expect("a lock");
    let blocks = |lock: &Lock| lock.write().split_once("[[skill]]").map(|it| it.1.to_owned());
    assert_eq!(blocks(&here), blocks(&there));
    assert_eq!(Lock::parse(&here.write()), Ok(here.clone()));
    let addresses: Vec<_> = there.servers_of("a").map(|(_, address, _)| address).collect();
    assert_eq!(addresses, [Some("https://a.example/mcp")]);
}

#[test]
fn a_path_in_a_lock_is_the_same_in_any_spelling() {
    let lock = |path: &str| {
        let block = "server = \"s\"\nskillId = \"sk_1\"\nspecHash = \"h\"\n";
        Lock::parse(&format!("version = 2\n[[skill]]\npath = \"{path}\"\n{block}"))
    };
    for path in ["./pa/quiz/", "pa//quiz", "pa/./quiz"] {
        assert_eq!(lock(path), lock("pa/quiz"), "{path}");
    }
    assert_eq!(lock("./"), lock("."));
    assert!(lock("./pa/../quiz").is_err());
}

#[test]
fn an_invalid_lock_is_reported_with_the_reason() {
    let block = "[[skill]]\npath = \"a\"\nserver = \"s\"\nskillId = \"sk_1\"\nspecHash = \"h\"\n\
                 time = \"t\"\n";
    let cases = [
        String::new(),
        "version = 3\n[new]\n".to_owned(),
        "version = 1\n[[skill]]\npath = \"a\"\n".to_owned(),
        format!("version = 1\n{block}token = \"x\"\n"),
        format!("version = 1\n{block}{block}"),
        format!("version = 1\n{block}path = \"b\"\n"),
        format!("version = 1\n<<<<<<< HEAD\n{block}=======\n{block}>>>>>>> other\n"),
        "version = 1\nskill = ".to_owned(),
        format!("version = 2\n{}", block.replace("\"a\"", "\"/etc\"")),
        format!("version = 2\n{}", block.replace("\"a\"", "\"../pa/quiz\"")),
        format!("version = 2\n{block}[skill.heartbeats]\n\"Daily\" = {{ heartbeatId = 5 }}\n"),
        // A merge that kept the lines of both sides.
        format!("version = 2\n{block}[skill.heartbeats]\ninclude = [\"a.md\"]\n"),
    ];
    let output = cases.iter().map(|text| {
        let error = Lock::parse(text).expect_err("no lock");
        format!("{error}\n  {}\n", error.help)
    });
    insta::assert_snapshot!(output.collect::<String>());
}

#[test]
fn an_update_sends_only_what_changes() {
    let old = stored();
    assert_eq!(SkillPatch::between(&old, &written(&old)), SkillPatch::Nothing);
    // A field that is not given has the default of a new skill.
    let bare = SkillWrite { category: None, kid_callable: None, ..written(&old) };
    assert_eq!(SkillPatch::between(&old, &bare), SkillPatch::Nothing);
    let new = SkillWrite {
        name: "Plan".to_owned(),
        prompt: "Ask for {{input.day}}.".to_owned(),
        age_range: Some("5-7".to_owned()),
        kid_callable: Some(true),
        canvas_ids: vec!["B".into()],
        ..written(&old)
    };
    let with_canvas = StoredSkill { canvas_ids: vec!["a".into()], ..old.clone() };
    let update = SkillUpdate {
        skill_id: "sk_1".into(),
        name: Some("Plan".to_owned()),
        description: None,
        instructions: Some("Ask for {{input.day}}.".to_owned()),
        kid_callable: Some(true),
        age_range: Some(AgeRangeChange::to(Some("5-7"))),
        add_canvas_ids: vec!["B".into()],
        remove_canvas_ids: vec!["a".into()],
        response_model: None,
        expected_hash: None,
    };
    assert_eq!(SkillPatch::between(&with_canvas, &new), SkillPatch::Update(Box::new(update)));
    let same_canvas = StoredSkill { canvas_ids: vec!["b".into()], ..old.clone() };
    let capital = SkillWrite { canvas_ids: vec!["B".into()], ..written(&old) };
    assert_eq!(SkillPatch::between(&same_canvas, &capital), SkillPatch::Nothing);
}

#[test]
fn fields_that_an_update_cannot_change_are_named() {
    let old = StoredSkill { age_range: Some("5-7".to_owned()), ..stored() };
    let new = SkillWrite {
        category: Some(Category::HomeAgent),
        hands_referenced: Vec::new(),
        input_variables: Vec::new(),
        age_range: None,
        ..written(&old)
    };
    let expected =
        [Unchangeable::Category, Unchangeable::HandsReferenced, Unchangeable::InputVariables];
    assert_eq!(SkillPatch::between(&old, &new), SkillPatch::Impossible(expected.to_vec()));
    let without_ages = SkillWrite { age_range: None, ..written(&old) };
    let SkillPatch::Update(update) = SkillPatch::between(&old, &without_ages) else {
        panic!("an update removes ages");
    };
    assert_eq!(update.age_range, Some(AgeRangeChange::Remove));
}

#[test]
fn a_directory_gets_a_valid_name() {
    let cases = [
        "Plan my week",
        "Ausflüge & mehr",
        "旅行の計画",
        "???",
        "",
        "CON",
        "com1",
        "../../etc/passwd",
        &"long ".repeat(40),
    ];
    let named = cases.map(|name| {
        let stored =
            StoredSkill { name: name.to_owned(), skill_id: "sk_2F-7/..".into(), ..stored() };
        format!("{name} -> {}\n", directory_name(&stored))
    });
    insta::assert_snapshot!(named.concat());
}

fn skill_of(files: &AuthoredFiles, directory: &str) -> Skill {
    let mut bundle = Bundle::of_text(directory, Some(directory.to_owned()));
    bundle.skill_file_bytes = files.skill.len() as u64;
    let mut resources = Vec::new();
    if let Some(manifest) = &files.manifest {
        let kind = FileKind::Regular(manifest.len() as u64);
        bundle.files.push(BundleFile { path: MANIFEST_FILE_NAME.to_owned(), kind });
        let source = Source::new(format!("{directory}/{MANIFEST_FILE_NAME}"), manifest.as_str());
        resources.push(Resource::new(MANIFEST_FILE_NAME, source));
    }
    let source = Source::new(format!("{directory}/SKILL.md"), files.skill.as_str());
    Skill::parse(bundle, source, resources)
}

#[test]
fn pulled_files_are_short() {
    let files = AuthoredFiles::of_stored(&stored(), "plan-my-week", &[]);
    assert!(files.is_exact);
    insta::assert_snapshot!(format!(
        "{}-- sprout.yaml --\n{}",
        files.skill,
        files.manifest.expect("one")
    ));
}

/// A `sprout.yaml` with comments, heartbeats and an input that may be left out.
const OWN: &str = "\
# Ours.
label: Plan my week # the label

# The tools.
hands: [task_create]
inputs:
  - name: day
    required: false
# When it runs.
heartbeats:
  - name: Sundays
    cron: 0 8 * * 0
";

#[test]
fn an_update_of_files_preserves_equivalent_text() {
    let files = AuthoredFiles {
        skill: "---\nname: plan-my-week\ndescription: Plans the week. Use on Sundays.\nlicense: \
                MIT\n---\n\n# Plan my week\n\nAsk for {{input.day}}.\n"
            .to_owned(),
        manifest: Some(OWN.to_owned()),
        included: Vec::new(),
        spec_hash: None,
        is_exact: true,
        loses_heartbeats: false,
    };
    let skill = skill_of(&files, "plan-my-week");
    let same = AuthoredFiles::update(&skill, &stored());
    assert_eq!((same.skill, same.manifest), (files.skill, files.manifest));
    let changed = StoredSkill {
        name: "Plan our week".to_owned(),
        description: "Plans it.".to_owned(),
        prompt: "Ask for {{input.day}}, twice.\n".to_owned(),
        hands_referenced: Vec::new(),
        input_variables: vec![InputVariable {
            name: "day".to_owned(),
            kind: Some("date".to_owned()),
            description: Some("Which: day".to_owned()),
        }],
        kid_callable: true,
        age_range: Some("5-7".to_owned()),
        ..stored()
    };
    let files = AuthoredFiles::update(&skill, &changed);
    assert!(files.is_exact);
    insta::assert_snapshot!(format!(
        "{}-- sprout.yaml --\n{}",
        files.skill,
        files.manifest.expect("one")
    ));
}

/// The server does not say which inputs are optional.
#[test]
fn optional_inputs_stay_optional_where_a_manifest_is_written_from_scratch() {
    let flow = "{label: Plan my week, inputs: [{name: day}, {name: place, required: false}]}\n";
    let files = AuthoredFiles {
        skill: "---\nname: plan-my-week\ndescription: Plans the week. Use on Sundays.\n---\n\n\
                # Plan my week\n\nAsk for {{input.day}} and {{input.place}}.\n"
            .to_owned(),
        manifest: Some(flow.to_owned()),
        included: Vec::new(),
        spec_hash: None,
        is_exact: true,
        loses_heartbeats: false,
    };
    let skill = skill_of(&files, "plan-my-week");
    let draft = Draft::new(&skill);
    let arguments = draft.certain().expect("a draft");
    let changed = StoredSkill {
        name: "Plan our week".to_owned(),
        description: arguments.description.clone(),
        prompt: arguments.prompt.clone(),
        input_variables: arguments.input_variables.clone(),
        hands_referenced: Vec::new(),
        ..stored()
    };
    let updated = AuthoredFiles::update(&skill, &changed);
    assert!(updated.is_exact);
    let skill = skill_of(&updated, "plan-my-week");
    let draft = Draft::new(&skill);
    assert_eq!(draft.optional_inputs().collect::<Vec<_>>(), ["place"], "{updated:?}");
}

fn any_string() -> impl Strategy<Value = String> {
    prop_oneof![
        "[A-Za-z][A-Za-z ,.:'\"#-]{0,40}[a-z.]",
        "[a-zäßé旅:#&*!|>%@`{}\\[\\]\"'\\\\]{1,20}",
        Just("yes".to_owned()),
        Just("1.5".to_owned()),
        Just("null".to_owned()),
        Just("a\nb: c\n\n  d".to_owned()),
        Just("tab\there".to_owned()),
        Just("- x".to_owned()),
        "[a-z ]{900,1300}[a-z]",
    ]
}

fn a_stored_skill() -> impl Strategy<Value = StoredSkill> {
    let inputs = prop::collection::btree_map(
        "[a-z_][a-z0-9_]{0,8}",
        (
            prop::option::of(prop::sample::select(&["string", "date", "integer"][..])),
            prop::option::of(any_string()),
        ),
        0..4,
    );
    let prompt = prop::collection::vec(
        prop_oneof![
            any_string(),
            Just("# A heading".to_owned()),
            Just("---".to_owned()),
            Just(String::new())
        ],
        0..8,
    );
    let hands = prop::sample::subsequence(vec!["task_create", "task_list", "skill_get"], 0..=3);
    let facts =
        (any::<bool>(), prop::option::of(Just("5-7".to_owned())), any::<bool>(), any::<bool>());
    let texts = (any_string(), any_string(), a_response_model());
    (texts, inputs, prompt, hands, facts).prop_map(
        |(texts, inputs, prompt, hands, (is_home, age_range, is_for_kids, ends))| {
            let (name, description, response_model) = texts;
            let mut prompt = prompt.join("\n");
            for name in inputs.keys() {
                prompt += &format!("\n{{{{input.{name}}}}}");
            }
            if ends {
                prompt.push('\n');
            }
            let inputs = inputs.into_iter().map(|(name, (kind, description))| InputVariable {
                name,
                kind: kind.map(str::to_owned),
                description: description.map(|text| text.trim().to_owned()),
            });
            StoredSkill {
                name: name.trim().to_owned(),
                description: description.trim().to_owned(),
                category: if is_home { Category::HomeAgent } else { Category::Generic },
                prompt,
                hands_referenced: hands.into_iter().map(str::to_owned).collect(),
                input_variables: inputs.collect(),
                kid_callable: is_for_kids && age_range.is_some(),
                age_range,
                response_model: response_model.into(),
                ..stored()
            }
        },
    )
}

/// Schemas with whatever YAML may read as something else.
fn a_response_model() -> impl Strategy<Value = Option<Map<String, Value>>> {
    let model = (any_string(), any_string(), any::<i32>()).prop_map(|(key, text, number)| {
        let choices = json!([text, number, 0.5, null, true, [], {}, [[text]], {(&*key): [number]}]);
        let properties = json!({
            (&*key): {"description": text, "enum": choices}, "yes": false, "1": {"maximum": number},
        });
        let model = json!({
            "type": ["object", "null"], "properties": properties, "required": ["yes", "1"],
        });
        model.as_object().cloned().expect("an object")
    });
    prop::option::of(model)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_push_after_a_pull_is_no_change(stored in a_stored_skill()) {
        let verdicts = draft::analyze(&written(&stored), &test_roster());
        prop_assume!(draft::policy_decision(&verdicts, &()).decision != Decision::Refuse);
        let directory = directory_name(&stored);
        let files = AuthoredFiles::of_stored(&stored, &directory, &[]);
        prop_assert!(files.is_exact, "{files:?}");
        let draft = Draft::new(&skill_of(&files, &directory));
        prop_assert_eq!(SkillPatch::between(&stored, draft.best_effort()), SkillPatch::Nothing);
        prop_assert_eq!(ContentHash::of_stored(&stored), ContentHash::of_write(draft.best_effort()));
        let arguments = serde_json::to_value(draft.best_effort()).expect("an object");
        let hash = SpecHash::compute(SKILL_WRITE, arguments.as_object().expect("an object"));
        prop_assert_eq!(hash.ok(), files.spec_hash);
        // Once more, nothing of it changes.
        let again = AuthoredFiles::update(&skill_of(&files, &directory), &stored);
        prop_assert_eq!(again, files);
    }

    #[test]
    fn a_pull_over_other_files_is_exact(old in a_stored_skill(), new in a_stored_skill()) {
        let verdicts = draft::analyze(&written(&new), &test_roster());
        prop_assume!(draft::policy_decision(&verdicts, &()).decision != Decision::Refuse);
        // Two skills have one content hash exactly when there is nothing to change between them.
        let half = StoredSkill { prompt: old.prompt.clone(), name: old.name.clone(), ..new.clone() };
        for (one, other) in [(&old, &new), (&new, &half), (&old, &half)] {
            let is_same = SkillPatch::between(one, &written(other)) == SkillPatch::Nothing;
            prop_assert_eq!(ContentHash::of_stored(one) == ContentHash::of_stored(other), is_same);
        }
        let files = AuthoredFiles::of_stored(&old, "a-folder", &[]);
        let files = AuthoredFiles::update(&skill_of(&files, "a-folder"), &new);
        prop_assert!(files.is_exact, "{files:?}");
    }
}

/// Returns the skill with a `sprout.yaml` that includes two files.
fn including_skill(body: &str, texts: &[String; 2]) -> Skill {
    let files = AuthoredFiles {
        skill: format!("---\nname: read\ndescription: Reads files.\n---\n{body}"),
        manifest: Some("include:\n  - references/a.md\n  - scripts/b.py\n".to_owned()),
        included: Vec::new(),
        spec_hash: None,
        is_exact: true,
        loses_heartbeats: false,
    };
    let mut skill = skill_of(&files, "read");
    for (path, text) in INCLUDED.iter().zip(texts) {
        let source = Source::new(format!("read/{path}"), text.as_str());
        let kind = FileKind::Regular(text.len() as u64);
        skill.bundle.files.push(BundleFile { path: (*path).to_owned(), kind });
        skill.resources.push(Resource::new(*path, source));
    }
    skill.bundle.files.sort_by(|a, b| a.path.cmp(&b.path));
    skill.resources.sort_by(|a, b| a.path.cmp(&b.path));
    skill
}

const INCLUDED: [&str; 2] = ["references/a.md", "scripts/b.py"];

/// Some lines of text, with what the headings and fences of included files consist of.
fn any_text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just("## references/a.md".to_owned()),
        Just("```".to_owned()),
        Just("````py".to_owned()),
        Just(String::new()),
        "[a-z `#]{0,9}",
    ];
    proptest::collection::vec(line, 0..6).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #[test]
    fn included_files_are_separated_again(
        body in any_text(),
        texts in [any_text(), any_text()],
        new_body in any_text(),
        new_texts in [any_text(), any_text()],
    ) {
        let old = including_skill(&body, &texts);
        let new = including_skill(&new_body, &new_texts);
        let draft = Draft::new(&new);
        let Ok(arguments) = draft.certain() else { return Ok(()) };
        let stored = StoredSkill {
            prompt: arguments.prompt.clone(),
            input_variables: Vec::new(),
            hands_referenced: Vec::new(),
            ..stored()
        };
        let files = AuthoredFiles::update(&old, &stored);
        prop_assert!(files.is_exact, "{files:?}");
        let included: Vec<_> = files.included.iter().map(|(_, text)| text).collect();
        prop_assert_eq!(included, new_texts.iter().collect::<Vec<_>>());
        prop_assert!(files.skill.ends_with(&new_body));
    }
}
