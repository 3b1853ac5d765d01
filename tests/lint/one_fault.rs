//! One problem, one finding: which of two rules that find the same problem is reported.

use dibber_skill::diagnostic::Level;

use crate::support::{Tree, setting};

/// Returns the rules that are reported, in the order of their findings.
fn reported(archive: &str, allowed: &[&str]) -> Vec<&'static str> {
    let levels: Vec<_> = allowed.iter().map(|rule| setting(rule, Level::Allow)).collect();
    let found = Tree::from_archive(archive, false).lint(&levels);
    found.iter().map(|diagnostic| diagnostic.rule.id).collect()
}

fn skill(name: &str, description: &str, body: &str) -> String {
    format!(
        "-- trip-planner/SKILL.md --\n---\nname: {name}\ndescription: {description}\n---\n{body}\n"
    )
}

const DESCRIPTION: &str = "Plans a day trip. Use when somebody asks where to go at the weekend.";

#[test]
fn an_invalid_name_that_differs_from_the_directory_too() {
    let archive = skill("Day_Trips", DESCRIPTION, "Ask how far.");
    assert_eq!(reported(&archive, &[]), ["invalid-name"]);
    assert_eq!(reported(&archive, &["invalid-name"]), ["name-not-directory"]);
}

#[test]
fn a_description_that_is_too_short_to_say_when() {
    let archive = skill("trip-planner", "Plans a day trip.", "Ask how far.");
    assert_eq!(reported(&archive, &[]), ["short-description"]);
    assert_eq!(reported(&archive, &["short-description"]), ["description-without-trigger"]);
}

#[test]
fn a_body_of_too_many_lines_and_tokens() {
    let body = "Ask how far they want to travel, and with whom, and what they like.\n".repeat(600);
    let archive = skill("trip-planner", DESCRIPTION, &body);
    assert_eq!(reported(&archive, &[]), ["long-body"]);
    assert_eq!(reported(&archive, &["long-body"]), ["heavy-body"]);
}

#[test]
fn a_missing_file_that_is_linked_and_mentioned() {
    let body = "See [the trains](references/trains.md).\n\nRead `references/trains.md` first.";
    let archive = skill("trip-planner", DESCRIPTION, body);
    let archive = archive + "-- trip-planner/references/buses.md --\nTake the bus.\n";
    let others = ["unreferenced-file"];
    assert_eq!(reported(&archive, &others), ["broken-link"]);
    assert_eq!(
        reported(&archive, &["unreferenced-file", "broken-link"]),
        ["missing-mentioned-file"]
    );
}

/// Returns the files of a skill that is published with this `sprout.yaml`.
fn published(frontmatter: &str, body: &str, manifest: &str) -> String {
    format!(
        "-- weekend-plan/SKILL.md --\n---\nname: weekend-plan\n{frontmatter}---\n{body}\n\
         -- weekend-plan/sprout.yaml --\n{manifest}"
    )
}

const WEEKEND: &str =
    "description: Plans a weekend. Use when somebody asks what to do on Sunday.\n";

#[test]
fn a_summary_that_is_blank_because_the_description_is_missing() {
    let missing = [
        ("", "missing-description"),
        ("description: \"\"\n", "missing-description"),
        ("description:\n", "missing-description"),
        ("description: # Plans a weekend\n", "missing-description"),
        ("descripton: Plans a weekend.\n", "missing-description"),
        ("description: 2048\n", "non-string-field"),
        ("description: [Plans a weekend.]\n", "non-string-field"),
    ];
    for (frontmatter, rule) in missing {
        let archive = published(frontmatter, "Plan the weekend.", "label: Weekend plan\n");
        assert_eq!(reported(&archive, &["unknown-field"]), [rule], "{frontmatter:?}");
        assert_eq!(
            reported(&archive, &["unknown-field", rule]),
            ["blank-label"],
            "{frontmatter:?}"
        );
    }
}

#[test]
fn a_summary_that_is_blank_because_there_is_no_frontmatter() {
    let files = [
        ("Plan the weekend.\n", "missing-frontmatter"),
        ("", "missing-frontmatter"),
        ("---\n- weekend-plan\n---\nPlan the weekend.\n", "frontmatter-not-a-mapping"),
        ("---\nname: weekend-plan\n", "unclosed-frontmatter"),
    ];
    for (text, rule) in files {
        let archive = format!(
            "-- weekend-plan/SKILL.md --\n{text}-- weekend-plan/sprout.yaml --\nlabel: Weekend\n"
        );
        assert_eq!(reported(&archive, &[]), [rule], "{text:?}");
    }
}

#[test]
fn a_blank_field_of_sprout_yaml_is_not_a_fault_of_the_description() {
    let archive = published("", "Plan the weekend.", "label: \"\"\nsummary: \"\"\n");
    assert_eq!(reported(&archive, &[]), ["missing-description", "blank-label", "blank-label"]);
    let archive = published("", "", "label: Weekend plan\n");
    assert_eq!(reported(&archive, &[]), ["missing-description", "blank-label"]);
}

#[test]
fn a_placeholder_that_misspells_the_input_which_nothing_else_uses() {
    let inputs = "inputs:\n  - name: child_name\n  - name: day\n";
    let archive = published(WEEKEND, "Plan {{input.day}} with {{input.chld_name}}.", inputs);
    assert_eq!(reported(&archive, &[]), ["undeclared-placeholder"]);
    assert_eq!(reported(&archive, &["undeclared-placeholder"]), ["unused-input"]);
    let archive = published(WEEKEND, "Plan a trip with {{input.chld_name}}.", inputs);
    assert_eq!(reported(&archive, &[]), ["undeclared-placeholder", "unused-input"]);
    let archive = published(WEEKEND, "Plan {{input.day}} by the {{input.lake}}.", inputs);
    assert_eq!(reported(&archive, &[]), ["undeclared-placeholder", "unused-input"]);
}

#[test]
fn a_malformed_placeholder_that_nothing_else_uses() {
    let inputs = "inputs:\n  - name: child_name\n";
    for written in ["{{ input.child_name }}", "{{inputs.child_name}}", "{{input.child-name}}"] {
        let archive = published(WEEKEND, &format!("Plan a trip with {written}."), inputs);
        assert_eq!(reported(&archive, &[]), ["malformed-placeholder"], "{written}");
    }
}

#[test]
fn ages_that_cannot_be_read() {
    let ages = ["ageRange: 5+\n", "ageRange: \"\"\n", "ageRange: \"7\"\n"];
    for age_range in ages {
        let manifest = format!("kidCallable: true\n{age_range}");
        let archive = published(WEEKEND, "Plan the weekend.", &manifest);
        assert_eq!(reported(&archive, &[]), ["invalid-age-range"], "{age_range}");
    }
}

#[test]
fn ages_that_sprout_yaml_gives_in_another_way() {
    let ages = [
        ("ageRange: 7\n", "invalid-manifest"),
        ("ageRange: [5, 7]\n", "invalid-manifest"),
        ("ageRange:\n", "invalid-manifest"),
        ("age_range: 5-7\n", "unknown-manifest-key"),
        ("ageranges: 5-7\n", "unknown-manifest-key"),
    ];
    for (age_range, rule) in ages {
        let manifest = format!("kidCallable: true\n{age_range}");
        let archive = published(WEEKEND, "Plan the weekend.", &manifest);
        assert_eq!(reported(&archive, &[]), [rule], "{age_range}");
        let unreported = reported(&archive, &[rule]);
        assert_eq!(unreported, ["kid-callable-without-age-range"], "{age_range}");
    }
    let manifest = "kidCallable: true\nlable: Weekend plan\n";
    let archive = published(WEEKEND, "Plan the weekend.", manifest);
    assert_eq!(reported(&archive, &[]), ["kid-callable-without-age-range", "unknown-manifest-key"]);
}

#[test]
fn an_input_that_sprout_yaml_declares_in_another_way() {
    let inputs = [
        ("  - child_name\n", "invalid-manifest"),
        ("  - child-name\n", "invalid-manifest"),
        ("  - name: child-name\n", "invalid-manifest"),
        ("  - name: [child_name]\n", "invalid-manifest"),
        ("  - nam: child_name\n", "unknown-manifest-key"),
        ("  - {nam: child_name, type: string}\n", "unknown-manifest-key"),
    ];
    for (input, rule) in inputs {
        let manifest = format!("inputs:\n  - name: day\n{input}");
        let body = "Plan {{input.day}} with {{input.child_name}}.";
        let archive = published(WEEKEND, body, &manifest);
        assert_eq!(reported(&archive, &[]), [rule], "{input}");
        assert_eq!(reported(&archive, &[rule]), ["undeclared-placeholder"], "{input}");
        let archive = published(WEEKEND, "Plan {{input.day}} by the {{input.lake}}.", &manifest);
        assert_eq!(reported(&archive, &[]), ["undeclared-placeholder", rule], "{input}");
    }
    let manifest = "inputs:\n  - name: child_name\ninputs:\n  - name: day\n";
    let archive = published(WEEKEND, "Plan {{input.day}} with {{input.child_name}}.", manifest);
    assert_eq!(reported(&archive, &[]), ["invalid-manifest"]);
    // Where the YAML is broken, the lines around it are unknown.
    let manifest = "inputs:\n  - name: day\n  - name: \"child_name\n";
    let archive = published(WEEKEND, "Plan {{input.day}} with {{input.child_name}}.", manifest);
    assert_eq!(reported(&archive, &[]), ["invalid-manifest"]);
}

#[test]
fn three_faults_of_one_button_for_children() {
    // Each needs a fix of its own, and fixing one leaves the others.
    let manifest = "category: home_agent\nkidCallable: true\nhands:\n  - gems_adjust\n";
    let archive = published(WEEKEND, "Plan the weekend.", manifest);
    let rules = ["kid-callable-home-agent", "kid-callable-without-age-range", "sensitive-kid-hand"];
    assert_eq!(reported(&archive, &[]), rules);
}

/// Returns the rules that are reported for a skill with these lines under `heartbeats`, which need
/// no values.
fn reported_for_heartbeats(heartbeats: &str, allowed: &[&str]) -> Vec<&'static str> {
    let input = "inputs:\n  - name: day\n    required: false\n";
    let manifest = format!("{input}heartbeats:\n{heartbeats}");
    reported(&published(WEEKEND, "Plan {{input.day}}.", &manifest), allowed)
}

#[test]
fn a_heartbeat_that_cannot_be_read_is_not_judged_by_its_times() {
    let heartbeats = [
        ("  - {name: a, cron: 61 8-24/0 32 13 9}\n", "invalid-cron"),
        ("  - {name: a, cron: \"*/0 * * * *\"}\n  - {name: b, cron: 0 8 * * *}\n", "invalid-cron"),
        ("  - {name: a, cron: \"* * * * *\", tz: Londn}\n", "unknown-time-zone"),
        ("  - {name: a, cron: 0 8 31 2 *, tz: Londn}\n", "unknown-time-zone"),
        ("  - {name: a, cron: \"*/5 * 31 2 *\"}\n", "never-fires"),
        (
            "  - {name: a, cron: \"*/5 * * * *\"}\n  - {name: b, cron: 0 8 * * *}\n",
            "cadence-over-cap",
        ),
        ("  - {name: a, cron: * 8 * * *}\n", "invalid-manifest"),
        ("  - name: a\n    cron: * * * * *\n", "invalid-manifest"),
        ("  - name: a\n    cron: */10 7 * * *\n", "invalid-manifest"),
        ("  - {name: [a], cron: \"* * * * *\"}\n", "invalid-manifest"),
        ("  - {cron: \"* * * * *\"}\n", "invalid-manifest"),
    ];
    for (lines, rule) in heartbeats {
        assert_eq!(reported_for_heartbeats(lines, &[]), [rule], "{lines}");
    }
}

#[test]
fn several_faults_of_one_heartbeat() {
    // Each needs a fix of its own, and fixing one leaves the others.
    let lines = "  - {name: \"\", cron: 0 8 * * 9, tz: Londn, input: {days: \"{{fireDate}}\"}, \
                 assignmentSkill: weekend-plan}\n";
    let rules = [
        "heartbeat-name",
        "invalid-cron",
        "unknown-time-zone",
        "undeclared-heartbeat-input",
        "assignment-skill-is-run-skill",
    ];
    assert_eq!(reported_for_heartbeats(lines, &[]), rules);
}

#[test]
fn heartbeats_at_the_same_time_are_reported_once_each() {
    for cron in ["0 8 * * *", "0 8,COUNT * * *"] {
        let heartbeat = |count: usize| {
            let cron = cron.replace("COUNT", &(count + 9).to_string());
            format!("  - {{name: Reminder {count}, cron: \"{cron}\"}}\n")
        };
        let lines: String = (0..10).map(heartbeat).collect();
        assert_eq!(reported_for_heartbeats(&lines, &[]), ["schedule-conflict"; 9], "{cron}");
    }
}

#[test]
fn a_heartbeat_whose_time_zone_is_written_in_another_way() {
    let zones = [
        ("timezone: Europe/London", "unknown-manifest-key"),
        ("tz:", "invalid-manifest"),
        ("tz: [Europe/London]", "invalid-manifest"),
    ];
    for (zone, rule) in zones {
        let cron = "cron: 0 8 * * *\n";
        let lines = format!("  - name: a\n    {cron}  - name: b\n    {cron}    {zone}\n");
        assert_eq!(reported_for_heartbeats(&lines, &[]), [rule], "{zone}");
        assert_eq!(reported_for_heartbeats(&lines, &[rule]), ["schedule-conflict"], "{zone}");
    }
}

#[test]
fn an_input_of_a_heartbeat_that_sprout_yaml_declares_in_another_way() {
    let heartbeat =
        "heartbeats:\n  - {name: a, cron: 0 8 * * *, input: {day: Sunday, \"child_name\": all}}\n";
    for input in ["  - child_name\n", "  - name: child-name\n", "  - {nam: child_name}\n"] {
        let manifest = format!("inputs:\n  - name: day\n{input}{heartbeat}");
        let archive = published(WEEKEND, "Plan {{input.day}}.", &manifest);
        let [rule] = reported(&archive, &[])[..] else { panic!("{input}: not one finding") };
        assert_eq!(reported(&archive, &[rule]), ["undeclared-heartbeat-input"], "{input}");
    }
}

#[test]
fn an_input_of_a_heartbeat_that_is_misspelled() {
    let heartbeat = |input: &str| {
        let inputs = "inputs:\n  - name: day\n  - name: child_name\n";
        let heartbeat = format!("  - {{name: a, cron: 0 8 * * *, input: {{{input}}}}}\n");
        let manifest = format!("{inputs}heartbeats:\n{heartbeat}");
        reported(
            &published(WEEKEND, "Plan {{input.day}} for {{input.child_name}}.", &manifest),
            &[],
        )
    };
    assert_eq!(heartbeat("day: Sunday, child_nam: all"), ["undeclared-heartbeat-input"]);
    // Correcting one leaves the other.
    let both = ["missing-heartbeat-input", "undeclared-heartbeat-input"];
    assert_eq!(heartbeat("child_nam: all"), both);
    assert_eq!(heartbeat("day: Sunday, family: all"), both);
}

#[test]
fn a_skill_with_a_heartbeat_that_makes_schedules_and_tasks() {
    let manifest = "hands: [task_create, heartbeat_create]\n\
                    heartbeats:\n  - {name: a, cron: 0 8 * * *}\n";
    let archive = published(WEEKEND, "Plan the weekend.", manifest);
    assert_eq!(reported(&archive, &[]), ["mixed-shape"]);
}
