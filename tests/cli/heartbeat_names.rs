//! What a heartbeat is called: by its name in any case, and by its skill.

use serde_json::Value;

use super::push_heartbeats::{PUSH, Project};
use crate::support::Tree;
#[cfg(unix)]
use crate::support::terminal::Terminal;
use dibber_skill::discover;

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
    let preview = |what| project.run(&["heartbeat", "preview", "--from", "2026-03-02", what]);
    let (by_title, by_folder) = (preview("the plan of the day"), preview("day-plan"));
    assert_eq!((by_title.code, by_title.stdout), (0, by_folder.stdout));
    assert_eq!(preview("the plan of the week").code, 3);
    let manifest = "label: M\u{e4}rchen \u{c4}rger\nheartbeats:\n- {name: A, cron: 0 8 * * *}\n";
    project.tree.write("tale/sprout.yaml", manifest.as_bytes());
    project.tree.write("tale/SKILL.md", b"---\nname: tale\ndescription: A tale.\n---\n# A tale\n");
    let (by_title, by_folder) = (preview(" m\u{c4}rchen \u{e4}rger"), preview("tale"));
    assert_eq!((by_title.code, by_title.stdout), (0, by_folder.stdout), "{}", by_title.stderr);
}

/// A mistyped schedule in a large directory does not read all of it.
#[test]
fn titles_are_searched_for_in_so_many_directories() {
    let tree = Tree::new();
    for path in ["a/SKILL.md", "b/c/SKILL.md", "b/d/e/SKILL.md"] {
        tree.write(path, b"---\nname: a\n---\n");
    }
    let found = |directories_max| {
        let (found, _) = discover::find_near(&[tree.path().to_owned()], directories_max);
        found.len()
    };
    assert_eq!([0, 2, 3, 4, 5, 6].map(found), [0, 0, 1, 1, 2, 3]);
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

/// The name of a child in the new name of a heartbeat is asked about, as in a title; with `--yes` it
/// is taken as it was typed.
#[cfg(unix)]
#[test]
fn a_new_name_is_asked_about() {
    let (tree, data) = (Tree::new(), Tree::new());
    let skill =
        b"---\nname: owls\ndescription: Tells of owls. Use when a story is wanted.\n---\n# Owls\n";
    tree.write("owls/SKILL.md", skill);
    let manifest = b"label: Owls\nheartbeats:\n- {name: Evening, cron: 0 19 * * *}\n";
    tree.write("owls/sprout.yaml", manifest);
    let ended = Terminal::start(tree.path(), &data, &["push", "owls", "--yes"]).end();
    assert_eq!(ended.1, 0, "{}", ended.0);
    let line = ["heartbeat", "edit", "Evening", "--name", "Mia's bedtime"];
    let mut terminal = Terminal::start(tree.path(), &data, &line);
    terminal.answer("Is `Mia` the name of a child?", "yes");
    terminal.answer("Change the heartbeat?", "yes");
    let (shown, code) = terminal.end();
    assert!(code == 0 && shown.contains("  name        The child's bedtime"), "{shown}");
    let line = ["heartbeat", "edit", "The child's bedtime", "--name", "Mia's owls", "--yes"];
    let (shown, code) = Terminal::start(tree.path(), &data, &line).end();
    assert!(code == 0 && shown.contains("  name        Mia's owls"), "{shown}");
    // The folder has the first name, whatever the server has called it since.
    let warning = "the folder owls still has the old name of `Evening`";
    assert!(shown.replace('\n', " ").contains(warning), "{shown}");
}
