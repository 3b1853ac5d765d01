//! `dibber diff`: what a push would change, and why it would stop.

use super::push::{PLAN, Project};

const SKILL: &str = "skills/plan-my-week";
const MANIFEST: &str = "skills/plan-my-week/sprout.yaml";
const HEARTBEAT: &str = "heartbeats:\n  - name: Tea\n    cron: 0 9 * * *\n    tz: Europe/Berlin\n    input: {day: Monday}\n";

/// A state in which a push stops.
struct Situation {
    name: &'static str,
    bring_about: fn(&Project),
    /// What both commands say about it.
    reason: &'static str,
    /// What `diff` says instead.
    of_diff: Option<&'static str>,
}

const SITUATIONS: &[Situation] = &[
    Situation {
        name: "archived on the server",
        bring_about: |project| succeed(project, &["skill", "archive", SKILL, "--yes"]),
        reason: "which is archived now",
        of_diff: None,
    },
    Situation {
        name: "denied by lint",
        bring_about: |project| {
            let text = PLAN.replace("name: plan-my-week", "name: another-name");
            project.tree.write(&format!("{SKILL}/SKILL.md"), text.as_bytes());
        },
        reason: "1 finding at level deny",
        of_diff: None,
    },
    Situation {
        name: "a field that an update cannot change",
        bring_about: |project| project.tree.write(MANIFEST, b"category: home_agent\n"),
        reason: "the category cannot be changed in a skill that is published",
        of_diff: None,
    },
    Situation {
        name: "a key that sprout.yaml does not have",
        bring_about: |project| project.tree.write(MANIFEST, b"lable: Our week\n"),
        reason: "`lable`",
        of_diff: None,
    },
    Situation {
        name: "a child's name",
        bring_about: |project| {
            let child = ["family", "add-child", "--born", "2019-04-30", "--name", "Zebediah"];
            succeed(project, &child);
            let text = PLAN.replace("Plan the week", "Ask Zebediah about the week");
            project.tree.write(&format!("{SKILL}/SKILL.md"), text.as_bytes());
        },
        reason: "is refused: PII_IN_PROMPT",
        of_diff: None,
    },
    Situation {
        name: "changed on the server and here",
        bring_about: |project| {
            let update = ["skill", "update", SKILL, "--name", "Our week", "--yes"];
            succeed(project, &update);
            project.tree.write(MANIFEST, b"label: My week\n");
        },
        reason: "changed on local since it was last published or pulled here",
        of_diff: None,
    },
    Situation {
        name: "moved and edited",
        bring_about: |project| {
            let text = PLAN.replace("plan-my-week", "other").replace("Plan the", "Think of the");
            project.tree.write("skills/other/SKILL.md", text.as_bytes());
            let old = project.tree.path().join(SKILL);
            std::fs::remove_dir_all(old).expect("a directory");
        },
        reason: "may be skills/plan-my-week at a new path",
        of_diff: Some("`dibber push --yes` does not send it"),
    },
    Situation {
        name: "a heartbeat too many",
        bring_about: |project| {
            let often = HEARTBEAT.replace("0 9", "0 7,8,9,10,11");
            project.tree.write(MANIFEST, often.as_bytes());
        },
        reason: "fires",
        of_diff: None,
    },
    Situation {
        name: "a heartbeat without an input",
        bring_about: |project| {
            let without = HEARTBEAT.replace("    input: {day: Monday}\n", "");
            project.tree.write(MANIFEST, without.as_bytes());
        },
        reason: "`day`",
        of_diff: None,
    },
    Situation {
        name: "a heartbeat that was changed on the server and here",
        bring_about: |project| {
            project.tree.write(MANIFEST, HEARTBEAT.as_bytes());
            succeed(project, &["push", "--yes"]);
            let edit = ["heartbeat", "edit", "Tea", "--cron", "0 10 * * *", "--yes"];
            succeed(project, &edit);
            project.tree.write(MANIFEST, HEARTBEAT.replace("0 9", "0 11").as_bytes());
        },
        reason: "changed on local",
        of_diff: None,
    },
];

fn succeed(project: &Project, arguments: &[&str]) {
    let ended = project.run(arguments);
    assert_eq!(ended.code, 0, "{arguments:?}: {}", ended.show());
}

#[test]
fn a_diff_says_why_a_push_would_stop() {
    let mut failures = Vec::new();
    for Situation { name, bring_about, reason, of_diff } in SITUATIONS {
        let project = Project::new();
        succeed(&project, &["push", "--yes"]);
        bring_about(&project);
        let says = |arguments: &[&str], reason: &str| {
            let ended = project.run(arguments);
            let text = format!("{} {}", ended.stdout, ended.stderr);
            let words: Vec<_> = text.split_whitespace().collect();
            (ended.code, words.join(" ").contains(reason), ended.show())
        };
        let (diff, push) =
            (says(&["diff"], of_diff.unwrap_or(reason)), says(&["push", "--yes"], reason));
        if push.0 == 0 || !push.1 {
            failures.push(format!("{name}, push:\n{}", push.2));
        }
        if !diff.1 {
            failures.push(format!("{name}, diff:\n{}", diff.2));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
