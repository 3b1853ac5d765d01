//! From templates and answers to the files of a skill.

use std::fs;

use dibber_lint::{Settings, lint};
use dibber_skill::contract::{Category, InputVariable, PUBLIC_TOOLS, Sensitivity};
use dibber_skill::draft::{Draft, analyze};
use dibber_skill::names::Roster;
use dibber_skill::scaffold::{
    Answers, Detail, FOR_WHOM, Plan, Schedule, TEMPLATES, Template, plan, problems, template,
};
use dibber_skill::skill::parse_yaml;
use proptest::prelude::*;

use crate::support::{lint_directory, package, show, shown};

/// The messages of the linter and the analyzers about a plan.
fn objections(plan: &Plan) -> Vec<String> {
    let skill = plan.skill();
    let mut messages: Vec<String> = skill.faults.iter().map(|fault| format!("{fault:?}")).collect();
    let findings = lint(&skill, &Settings::default()).diagnostics;
    messages
        .extend(findings.iter().map(|finding| format!("{}: {}", finding.rule.id, finding.message)));
    let draft = Draft::new(&skill);
    messages.extend(draft.problems.iter().map(|(_, found)| shown(&found.problem.message)));
    let verdicts = analyze(draft.best_effort(), &Roster::default());
    messages.extend(verdicts.into_iter().map(|found| shown(&found.problem.message)));
    messages
}

fn text_of<'a>(plan: &'a Plan, path: &str) -> &'a str {
    let file = plan.files.iter().find(|file| file.path == path);
    &file.unwrap_or_else(|| panic!("no {path}")).text
}

#[test]
fn every_template_is_clean() {
    let findings = lint_directory(&package().join("crates/skill/templates"), &[]);
    assert!(findings.is_empty(), "{}", show(&findings));
    for template in TEMPLATES {
        assert_eq!(objections(&plan(template, &Answers::default())), [""; 0], "{}", template.name);
    }
}

/// What would be lost on the way from a template to a plan is seen here: a comment, a key.
#[test]
fn a_plan_without_answers_is_the_template() {
    for template in TEMPLATES {
        let plan = plan(template, &Answers::default());
        assert_eq!(plan.directory, template.skill);
        for (planned, file) in plan.files.iter().zip(template.files) {
            assert_eq!(planned.text, file.text, "{}: {}", template.name, file.path);
        }
    }
}

#[test]
fn every_file_of_a_template_is_in_it() {
    for template in TEMPLATES {
        let directory =
            package().join("crates/skill/templates").join(template.name).join(template.skill);
        let mut present = Vec::new();
        let mut directories = vec![directory.clone()];
        while let Some(next) = directories.pop() {
            for entry in fs::read_dir(next).expect("a directory") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    directories.push(path);
                } else {
                    let inside = path.strip_prefix(&directory).expect("a path inside");
                    present.push(inside.to_string_lossy().replace('\\', "/"));
                }
            }
        }
        present.sort();
        let known: Vec<_> = template.files.iter().map(|file| file.path).collect();
        assert_eq!(known, present, "{}", template.name);
    }
    let directories =
        fs::read_dir(package().join("crates/skill/templates")).expect("templates").count();
    assert_eq!(directories, TEMPLATES.len());
}

/// An answer replaces the text of its slot: there must be one place for it, and the trigger must be
/// that of the template's own description.
#[test]
fn every_slot_is_in_its_template_once() {
    for template in TEMPLATES {
        let plan = plan(template, &Answers::default());
        let text = text_of(&plan, "SKILL.md").replace('\n', " ");
        for slot in template.slots {
            assert_eq!(text.matches(slot.text).count(), 1, "{}: {}", template.name, slot.text);
        }
        let skill = plan.skill();
        let (description, _) = skill.string_field("description").expect("a description");
        if !template.slots.is_empty() {
            assert!(
                description.ends_with(&format!("Use when {}.", template.trigger)),
                "{description}"
            );
        }
    }
}

#[test]
fn answers_replace_the_slots() {
    let details = [
        (
            FOR_WHOM.to_owned(),
            Detail::Input {
                before: String::new(),
                name: "child_name".to_owned(),
                after: String::new(),
            },
        ),
        ("length".to_owned(), Detail::Text("ten *short* minutes".to_owned())),
    ];
    let answers = Answers {
        inputs: vec![input("child_name", None)],
        details: details.into(),
        ..Answers::default()
    };
    let plan = plan(template("story").expect("a template"), &answers);
    assert_eq!(objections(&plan), [""; 0]);
    let line = "The story is for {{input.child_name}}. It lasts ten \\*short\\* minutes when";
    assert!(text_of(&plan, "SKILL.md").contains(line), "{}", text_of(&plan, "SKILL.md"));
}

/// An agent that runs the skill sees only the body.
#[test]
fn the_body_says_all_that_the_skill_does() {
    let cases = [
        ("Tell a story about Dr. Seuss and Mr. Owl. Use when asked.", "Dr. Seuss and Mr. Owl."),
        ("Tell of two owls. They never fight. It rhymes! Use when asked.", "fight. It rhymes!"),
        (
            "Tell of owls. Use short words. They rhyme. Use when asked.",
            "Use short words. They rhyme.",
        ),
        ("Tell of two owls. They never fight.", "Tell of two owls. They never fight."),
    ];
    for (description, end) in cases {
        let answers = Answers { description: Some(description.to_owned()), ..Answers::default() };
        let plan = plan(template("story").expect("a template"), &answers);
        let text = text_of(&plan, "SKILL.md");
        let (_, body) = text.split_once("\n# ").expect("a heading");
        let paragraph = body.lines().nth(2).expect("a paragraph");
        assert!(paragraph.ends_with(end), "{text}");
    }
}

#[test]
fn programs_are_executable_in_the_repository_too() {
    #[cfg(unix)]
    for template in TEMPLATES {
        use std::os::unix::fs::PermissionsExt;
        let directory =
            package().join("crates/skill/templates").join(template.name).join(template.skill);
        for file in template.files {
            let mode =
                fs::metadata(directory.join(file.path)).expect("a file").permissions().mode();
            assert_eq!(mode & 0o100 != 0, file.is_executable, "{}", file.path);
        }
    }
}

#[test]
fn answers_are_written_to_their_fields() {
    let answers = Answers {
        name: Some("bus-times".to_owned()),
        label: Some("When *does* the bus go?".to_owned()),
        description: Some(
            "Says when the next bus goes: \"now\" or later. Use when asked.".to_owned(),
        ),
        category: Some(Category::Generic),
        inputs: vec![input("stop", None), input("day", Some("date"))],
        hands: vec!["task.list".to_owned()],
        schedule: Some(Schedule {
            cron: "0 8 * * 1-5".to_owned(),
            time_zone: Some("Europe/Berlin".to_owned()),
            values: [("stop".to_owned(), "Elm Street: north".to_owned())].into(),
        }),
        ..Answers::default()
    };
    let generic = template("generic").expect("a template");
    assert_eq!(problems(generic, &answers), []);
    let plan = plan(generic, &answers);
    let files = plan
        .files
        .iter()
        .map(|file| format!("-- {}/{} --\n{}", plan.directory, file.path, file.text));
    insta::assert_snapshot!(files.collect::<String>());
}

fn input(name: &str, kind: Option<&str>) -> InputVariable {
    InputVariable {
        name: name.to_owned(),
        kind: kind.map(str::to_owned),
        description: Some(format!("The {name}: which one?")),
    }
}

#[test]
fn invalid_answers() {
    let generic = template("generic").expect("a template");
    let protocol = template("skills-protocol").expect("a template");
    let named = |name: &str| Answers { name: Some(name.to_owned()), ..Answers::default() };
    let scheduled = |cron: &str, zone: &str| Answers {
        schedule: Some(Schedule {
            cron: cron.to_owned(),
            time_zone: Some(zone.to_owned()),
            ..Schedule::default()
        }),
        ..Answers::default()
    };
    let of_input = |name: &str| Answers { inputs: vec![input(name, None)], ..Answers::default() };
    let cases = [
        (generic, named("Bus Times")),
        (generic, named("Ausflüge")),
        (generic, named("../up")),
        (generic, named("バス")),
        (generic, named("")),
        (generic, named(&"a".repeat(65))),
        (protocol, named("family-bus-times")),
        (protocol, named("bus-times")),
        (protocol, named("skills.protocol.guide")),
        (protocol, named("family")),
        (protocol, Answers { hands: vec!["task_list".to_owned()], ..named("a.b.c") }),
        (generic, Answers { label: Some("two\nlines".to_owned()), ..Answers::default() }),
        (generic, Answers { description: Some("a\u{1B}[31m".to_owned()), ..Answers::default() }),
        (generic, of_input("child name")),
        (generic, of_input("1")),
        (generic, Answers { inputs: vec![input("a", None), input("a", None)], ..named("bus") }),
        (template("daily-check-in").expect("a template"), scheduled("0 8 * * *", "UTC")),
    ];
    let mut output = String::new();
    for (template, answers) in cases {
        let faults = problems(template, &answers);
        assert!(!faults.is_empty(), "{answers:?}");
        for problem in faults {
            let help = shown(&problem.help.expect("help"));
            output += &dibber_text::escape(&format!("{}\n  {help}\n", shown(&problem.message)));
        }
    }
    insta::assert_snapshot!(output);
}

#[test]
fn schedules_that_are_right() {
    let generic = template("generic").expect("a template");
    for cron in [
        "0 8 * * 1-5",
        "30 7,12 * * mon,wed,FRI",
        "0 */6 * * *",
        "0 9 1 jan-jun/2 *",
        "5 4 * * 7",
        "0,30 8-9 * * *",
    ] {
        let schedule = Schedule { cron: cron.to_owned(), ..Schedule::default() };
        let answers = Answers { schedule: Some(schedule), ..Answers::default() };
        assert_eq!(problems(generic, &answers), [], "{cron}");
        assert_eq!(objections(&plan(generic, &answers)), [""; 0], "{cron}");
    }
}

/// Text that YAML or Markdown may read as something else.
const FRAGMENTS: [&str; 34] = [
    "plans",
    "the week",
    "\"quoted\"",
    "it's",
    "a: b",
    "# sharp",
    "- dash",
    "& more",
    "*star*",
    "| pipe",
    "> more",
    "100 %",
    "@home",
    "!bang",
    "{curly}",
    "[brackets]",
    "👩\u{200D}👧 family",
    "🎉",
    "算数を練習する",
    "Хорошо",
    "été à Noël",
    "true",
    "null",
    "~",
    "1.5",
    "yes:",
    "---",
    "…",
    "`code`",
    "snake_case_word",
    "two  spaces",
    "?",
    "'",
    "\"",
];

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&FRAGMENTS[..]), 1..40)
        .prop_map(|fragments| fragments.join(" "))
}

/// A description that names when to use the skill, and has no angle brackets.
fn description() -> impl Strategy<Value = String> {
    (text(), text(), any::<bool>()).prop_map(|(before, after, is_first)| {
        let when = "Use when a parent asks what the coming days will bring.";
        let text =
            if is_first { format!("{when} {before}") } else { format!("{before} {when} {after}") };
        text.replace('>', "").chars().take(1000).collect::<String>().trim().to_owned()
    })
}

fn inputs() -> impl Strategy<Value = Vec<InputVariable>> {
    let kinds = prop::option::of(prop::sample::select(&["string", "date", "number", "object"][..]));
    prop::collection::btree_map("[a-z_][a-zA-Z0-9_]{0,12}", (kinds, prop::option::of(text())), 0..4)
        .prop_map(|inputs| {
            let input = |(name, (kind, description)): (String, (Option<&str>, _))| InputVariable {
                name,
                kind: kind.map(str::to_owned),
                description,
            };
            inputs.into_iter().map(input).collect()
        })
}

/// Tools that no other one and no schedule excludes, in either spelling.
fn hands() -> impl Strategy<Value = Vec<String>> {
    const EXCLUDED: [&str; 4] =
        ["heartbeat_create", "task_create", "canvas_create", "canvas_update"];
    let names: Vec<&str> = PUBLIC_TOOLS
        .iter()
        .filter(|tool| tool.sensitivity != Sensitivity::High)
        .map(|tool| tool.name)
        .filter(|name| !EXCLUDED.contains(name))
        .collect();
    let spelled = (prop::sample::select(names), any::<bool>()).prop_map(|(name, is_dotted)| {
        if is_dotted { name.replacen('_', ".", 1) } else { name.to_owned() }
    });
    prop::collection::vec(spelled, 0..5)
}

fn schedule() -> impl Strategy<Value = Schedule> {
    let zone =
        prop::option::of(prop::sample::select(&["UTC", "Europe/Berlin", "America/New_York"][..]));
    (0..60_u8, 0..24_u8, 0..8_u8, zone).prop_map(|(minute, hour, day, zone)| Schedule {
        cron: format!("{minute} {hour} * * {day}"),
        time_zone: zone.map(str::to_owned),
        ..Schedule::default()
    })
}

fn answers() -> impl Strategy<Value = (&'static Template, Answers)> {
    let name = prop::option::of("bus-[a-z0-9]{1,9}(-[a-z0-9]{1,9}){0,3}");
    let texts = (prop::option::of(text()), prop::option::of(description()));
    let ages = (any::<bool>(), 0..=18_u8, 0..=18_u8);
    let rest = (inputs(), hands(), prop::option::of(schedule()), 0..=5_usize);
    (0..TEMPLATES.len(), name, texts, ages, rest).prop_map(
        |(
            index,
            name,
            (label, description),
            (kid_callable, from, to),
            (inputs, hands, schedule, canvases),
        )| {
            let template = &TEMPLATES[index];
            let texts = Answers { name, label, description, ..Answers::default() };
            if template.name == "skills-protocol" {
                let dotted = |name: &String| format!("family.{}", name.replace('-', ".x"));
                let name = texts.name.as_ref().map(dotted);
                let is_long_enough = |name: &String| name.split('.').count() >= 3;
                return (template, Answers { name: name.filter(is_long_enough), ..texts });
            }
            let is_scheduler = template.name == "scheduler";
            let answers = Answers {
                category: Some(Category::Generic),
                kid_callable: Some(kid_callable),
                ages: Some(format!("{}-{}", from.min(to), from.max(to))),
                inputs,
                hands,
                schedule: schedule.filter(|_| !is_scheduler),
                canvases: vec!["0b6f4a1e-9c57-4a7d-8f11-3f5f3f1b2c3d".to_owned(); canvases],
                ..texts
            };
            (template, answers)
        },
    )
}

proptest! {
    #[test]
    fn whatever_is_typed_the_skill_is_clean((template, answers) in answers()) {
        prop_assert_eq!(problems(template, &answers), []);
        let plan = plan(template, &answers);
        prop_assert_eq!(objections(&plan), [""; 0], "{:#?}", plan.files);
        let draft = Draft::new(&plan.skill());
        if let Some(description) = &answers.description {
            prop_assert_eq!(&draft.best_effort().description, description);
        }
        for input in &answers.inputs {
            prop_assert!(draft.best_effort().input_variables.contains(input), "{:?}", input);
        }
        if let (Some(label), Some(_)) = (&answers.label, &draft.manifest) {
            prop_assert_eq!(&draft.best_effort().name, label);
        }
    }

    #[test]
    fn any_text_is_read_back_as_it_was_typed(label in "\\PC{1,60}", summary in ".{1,300}") {
        let answers = Answers {
            label: Some(label.trim().to_owned()),
            description: Some(summary.trim().to_owned()),
            ..Answers::default()
        };
        for template in TEMPLATES {
            let plan = plan(template, &answers);
            let skill = plan.skill();
            let read = skill.string_field("description").map(|(text, _)| text);
            prop_assert_eq!(read, Some(summary.trim()), "{}", text_of(&plan, "SKILL.md"));
            if plan.files.iter().any(|file| file.path == "sprout.yaml") {
                let (_, faults) = parse_yaml(text_of(&plan, "sprout.yaml"));
                prop_assert_eq!(faults, []);
                let draft = Draft::new(&skill);
                prop_assert_eq!(&draft.best_effort().name, label.trim());
            } else if !summary.contains(char::is_control) {
                let table: toml::Table = toml::from_str(text_of(&plan, "skill.toml")).expect("TOML");
                let written = table["description"].as_str().expect("a string");
                prop_assert!(summary.trim().starts_with(written), "{}", written);
            }
        }
    }
}
