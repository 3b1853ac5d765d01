//! What a heartbeat is called: by its name in any case, and by its skill.

use serde_json::Value;

use super::push_heartbeats::{PUSH, Project};

fn published() -> Project {
    let project = Project::new();
    assert_eq!(project.run(&PUSH).code, 0);
    project
}

/// The names of the heartbeats that are paused.
fn paused(project: &Project) -> Vec<String> {
    let listed = project.json(&["heartbeat", "list"]);
    let items = listed["items"].as_array().expect("a list").iter();
    let paused = items.filter(|item| item["enabled"] == false);
    paused.map(|item| item["name"].as_str().expect("a name").to_owned()).collect()
}

#[test]
fn a_list_names_the_skill_of_each() {
    let project = published();
    insta::assert_snapshot!(project.show(&[&["heartbeat", "list"]]));
    let listed = project.json(&["heartbeat", "list"]);
    assert_eq!(listed["items"][0]["skillName"], "The plan of the day");
    assert_eq!(listed["items"][0]["skillInput"]["today"], "{{fireDate}}");
}

#[test]
fn a_preview_finds_a_skill_by_its_title() {
    let project = published();
    let by_title = project.run(&["heartbeat", "preview", "the plan of the day"]);
    let by_folder = project.run(&["heartbeat", "preview", "day-plan"]);
    assert_eq!((by_title.code, by_title.stdout), (0, by_folder.stdout));
    assert_eq!(project.run(&["heartbeat", "preview", "the plan of the week"]).code, 3);
}

#[test]
fn a_name_is_found_in_any_case() {
    let project = published();
    assert_eq!(project.run(&["heartbeat", "pause", "before SCHOOL"]).code, 0);
    assert_eq!(paused(&project), ["Before school"]);
}

#[test]
fn a_skill_names_its_only_heartbeat() {
    let project = published();
    insta::assert_snapshot!(project.show(&[&["heartbeat", "pause", "day-plan"]]));
    assert_eq!(project.run(&["heartbeat", "cancel", "Sundays", "--yes"]).code, 0);
    for (index, name) in ["day-plan", "./day-plan", "the plan of the day"].iter().enumerate() {
        let switch = if index % 2 == 0 { "pause" } else { "resume" };
        let ended = project.run(&["heartbeat", switch, name]);
        assert_eq!(ended.code, 0, "{}", ended.show());
        assert_eq!(paused(&project).len(), 1 - index % 2);
    }
    assert_eq!(project.run(&["heartbeat", "resume", "no-skill"]).code, 5);
}

#[test]
fn an_error_has_one_shape() {
    let project = published();
    let switch = |names: &[&str]| -> Value {
        let ended = project.run(&[&["heartbeat", "pause", "--json"], names].concat());
        assert_eq!(ended.code, 5, "{}", ended.show());
        serde_json::from_str(&ended.stdout).unwrap_or_else(|_| panic!("{}", ended.show()))
    };
    let alone = switch(&["Teatime"]);
    assert_eq!(alone["items"][0]["error"]["code"], "DOMAIN_NOT_FOUND", "{alone:#}");
    assert_eq!(switch(&["Teatime", "Sundays"])["items"][0], alone["items"][0]);
}

#[test]
fn a_label_of_several_skills_is_not_an_unknown_heartbeat() {
    let project = published();
    let files = ["SKILL.md", "sprout.yaml"].map(|name| {
        let text = project.tree.read(&format!("day-plan/{name}"));
        (name, text.replace("name: day-plan", "name: day-plan-again").replace("events", "plans"))
    });
    for (name, text) in files {
        project.tree.write(&format!("day-plan-again/{name}"), text.as_bytes());
    }
    assert_eq!(project.run(&["push", "day-plan-again", "--yes", "--no-heartbeats"]).code, 0);
    let ended = project.run(&["heartbeat", "pause", "The plan of the day"]);
    assert_eq!(ended.code, 2, "{}", ended.show());
    assert!(!ended.stderr.contains("unknown heartbeat"), "{}", ended.show());
    assert!(ended.stderr.contains("The plan of the day"), "{}", ended.show());
}
