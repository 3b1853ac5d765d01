//! Skills whose directories are renamed, moved or removed after they were published.

use std::fs;

use serde_json::{Value, json};

use super::push::{PLAN, Project};
use crate::support::server_process::Serving;
use crate::support::{Tree, timeless};

const OLD: &str = "skills/plan-my-week";
const NEW: &str = "skills/our-week";

/// Moves the directory of the skill.
fn rename(project: &Project, from: &str, to: &str) {
    let target = project.tree.path().join(to);
    fs::create_dir_all(target.parent().expect("a directory")).expect("a directory");
    fs::rename(project.tree.path().join(from), target).expect("a move");
}

fn project() -> Project {
    let project = Project::new();
    assert_eq!(project.run(&["push", "--yes"]).code, 0);
    project
}

/// Writes another content of the skill, with the name of its directory.
fn edit(project: &Project, directory: &str) {
    let name = directory.rsplit('/').next().expect("a name");
    let text = PLAN.replace("plan-my-week", name).replace("Plan the", "Think of the");
    project.tree.write(&format!("{directory}/SKILL.md"), text.as_bytes());
}

#[test]
fn a_moved_directory_is_the_same_skill() {
    let project = project();
    rename(&project, OLD, "skills/home/plan-my-week");
    let mut shown = project.show(&["push", "--dry-run"]);
    shown += &project.show(&["diff"]);
    shown += &project.show(&["push", "--yes"]);
    shown += &project.show(&["push", "--yes"]);
    insta::assert_snapshot!(shown);
    assert_eq!(project.skills().len(), 1);
    let lock = project.tree.read("dibber.lock");
    assert!(lock.contains("skills/home/plan-my-week\"") && lock.matches("[[skill]]").count() == 1);
}

#[test]
fn a_directory_that_was_moved_and_edited_is_not_taken_for_the_same_unseen() {
    let project = project();
    rename(&project, OLD, "home/plan-my-week");
    edit(&project, "home/plan-my-week");
    let mut shown = project.show(&["push", "--dry-run"]);
    shown += &project.show(&["push", "--yes"]);
    let json = project.json(&["push", "--dry-run", "--json"], "push.schema.json");
    assert_eq!(json["items"][0]["movedFrom"], OLD);
    let id = project.skills()[0]["skillId"].as_str().expect("an id").to_owned();
    shown += &project.show(&["skill", "link", "home/plan-my-week", &id]).replace(&id, "sk_ID");
    shown += &project.show(&["push", "--yes"]);
    insta::assert_snapshot!(shown);
    assert_eq!(project.skills().len(), 1);
}

/// The label of a skill says nothing of its folder's name.
#[test]
fn a_skill_is_found_by_the_name_of_its_folder() {
    let project = Project::new();
    project.tree.write(&format!("{OLD}/sprout.yaml"), b"label: Tea\n");
    assert_eq!(project.run(&["push", "--yes"]).code, 0);
    for command in [&["skill", "get", "plan-my-week"][..], &["pull", "plan-my-week", "--dry-run"]] {
        let ended = project.run(command);
        assert_eq!(ended.code, 0, "{}", ended.show());
    }
    // A label comes first.
    edit(&project, NEW);
    project.tree.write(&format!("{NEW}/sprout.yaml"), b"label: Plan my week\n");
    assert_eq!(project.run(&["push", "--yes"]).code, 0);
    let shown = project.run(&["skill", "get", "plan-my-week"]);
    assert!(shown.stdout.starts_with("Plan my week"), "{}", shown.show());
    edit(&project, "home/our-week");
    project.tree.write("home/our-week/sprout.yaml", b"label: Walk\n");
    assert_eq!(project.run(&["push", "--yes"]).code, 0);
    let several = project.run(&["skill", "archive", "our-week", "--yes"]);
    assert!(several.stderr.contains("`our-week` is ambiguous: 2 skills"), "{}", several.show());
    assert_eq!(several.code, 2, "{}", several.show());
}

#[test]
fn a_directory_that_is_gone_is_reported() {
    let project = project();
    fs::remove_dir_all(project.tree.path().join(OLD)).expect("a directory");
    let other = "---\nname: our-week\ndescription: Sings. Use when a parent wants a song.\n---\n\n\
                 # Sing\n\nSing.\n";
    project.tree.write(&format!("{NEW}/SKILL.md"), other.as_bytes());
    let mut shown = project.show(&["push", "--dry-run"]);
    let json = project.json(&["push", "--yes", "--json"], "push.schema.json");
    assert_eq!(json["gone"][0]["path"], OLD);
    assert_eq!(json["items"][0]["action"], Value::from("create"));
    shown += &project.show(&["skill", "unlink", OLD]);
    shown += &project.show(&["skill", "unlink", OLD]);
    shown += &project.show(&["push", "--yes"]);
    insta::assert_snapshot!(shown);
    assert_eq!(project.skills().len(), 2);
}

#[test]
fn skills_whose_directories_are_gone_are_archived_on_request() {
    let project = project();
    project.tree.write("skills/sing/SKILL.md", PLAN.replace("plan-my-week", "sing").as_bytes());
    assert_eq!(project.run(&["push", "--yes"]).code, 0);
    fs::remove_dir_all(project.tree.path().join(OLD)).expect("a directory");
    let mut shown = project.show(&["push", "--prune"]);
    assert_eq!(project.skills().len(), 2);
    shown += &project.show(&["push", "--prune", "--yes"]);
    shown += &project.show(&["push", "--prune", "--yes"]);
    insta::assert_snapshot!(shown);
    assert_eq!(project.skills().len(), 1);
    assert_eq!(project.tree.read("dibber.lock").matches("[[skill]]").count(), 1);
}

/// The path of a folder that is gone names what is archived; a mistyped one archives nothing.
#[test]
fn a_prune_takes_the_path_of_a_folder_that_is_gone() {
    let project = project();
    for name in ["sing", "song"] {
        let text = PLAN.replace("plan-my-week", name);
        project.tree.write(&format!("skills/{name}/SKILL.md"), text.as_bytes());
    }
    assert_eq!(project.run(&["push", "--yes"]).code, 0);
    for gone in ["skills/sing", "skills/song"] {
        fs::remove_dir_all(project.tree.path().join(gone)).expect("a directory");
    }
    let mut shown = project.show(&["push", "--prune", "--yes", "skills/sing", "skills/sng"]);
    assert_eq!(project.skills().len(), 3);
    shown += &project.show(&["push", "--prune", "--yes", "skills/sing"]);
    shown += &project.show(&["push", "--prune", "--yes", "skills/sing"]);
    assert_eq!(recorded(&project), [OLD, "skills/song"]);
    insta::assert_snapshot!(shown);
}

/// An archived skill does not stay active.
#[test]
fn a_skill_that_is_published_again_after_its_archival_has_no_warning() {
    let project = project();
    let again = project.run(&["push", "--new", "--dry-run"]);
    assert!(again.stderr.contains("stays active"), "{}", again.show());
    assert_eq!(project.run(&["skill", "archive", OLD, "--yes"]).code, 0);
    let again = project.run(&["push", "--new", "--yes"]);
    assert_eq!((again.code, again.stderr.contains("stays active")), (0, false), "{}", again.show());
}

/// What `--prune` has archived is offered when its folder is restored.
#[test]
fn a_directory_that_is_restored_names_its_archived_skill() {
    let project = project();
    fs::remove_dir_all(project.tree.path().join(OLD)).expect("a directory");
    let pruned = project.run(&["push", "--prune", "--yes"]);
    assert_eq!(pruned.code, 0, "{}", pruned.show());
    let pulled = project.run(&["pull", OLD]);
    let all = project.json(&["skill", "list", "--archived", "--json"], "skill-list.schema.json");
    let id = all["items"][0]["skillId"].as_str().expect("an id");
    let help = format!("({id}) is archived; `dibber skill unarchive {id}` brings it back");
    assert!(pulled.code == 5 && pulled.stderr.contains(&help), "{}", pulled.show());
    project.tree.write(&format!("{OLD}/SKILL.md"), PLAN.as_bytes());
    insta::assert_snapshot!(project.show(&["push", "--dry-run"]));
    assert_eq!(project.run(&["skill", "unarchive", id, "--yes"]).code, 0);
    assert_eq!(project.run(&["skill", "link", OLD, id]).code, 0);
    let again = project.run(&["push", "--yes"]);
    assert!(again.stderr.contains("Nothing to publish"), "{}", again.show());
    assert_eq!(project.skills().len(), 1);
}

#[test]
fn a_skill_that_was_moved_out_of_the_path_is_not_archived() {
    let project = Project::new();
    fs::remove_dir_all(project.tree.path().join(OLD)).expect("a directory");
    let sing =
        "---\nname: same\ndescription: Sings. Use when a parent wants a song.\n---\n\nSing.\n";
    project.tree.write("skills/same/SKILL.md", sing.as_bytes());
    let manifest = b"heartbeats:\n  - name: Mondays\n    cron: \"0 9 * * 1\"\n";
    project.tree.write("skills/same/sprout.yaml", manifest);
    let ended = project.run(&["push", "--yes"]);
    assert_eq!(ended.code, 0, "{}", ended.show());
    rename(&project, "skills/same", "more/same");
    project.tree.write(&format!("{OLD}/SKILL.md"), PLAN.as_bytes());
    let mut shown = project.show(&["push", "--dry-run", "skills"]);
    shown += &project.show(&["push", "--prune", "--dry-run", "skills"]);
    let json = project.json(&["push", "--prune", "--yes", "skills", "--json"], "push.schema.json");
    assert!(json["gone"].as_array().is_none_or(Vec::is_empty), "{json:#}");
    let listed = project.run(&["heartbeat", "list"]);
    assert!(listed.stdout.contains("Mondays"), "{}", listed.show());
    shown += &project.show(&["push", "--prune", "--yes", "skills", "more"]);
    insta::assert_snapshot!(shown);
    assert_eq!(project.skills().len(), 2);
}

#[test]
fn skills_are_archived_and_put_to_use_again() {
    let project = project();
    let mut shown = project.show(&["skill", "archive", OLD]);
    assert_eq!(project.skills().len(), 1);
    shown += &project.show(&["skill", "archive", OLD, "PLAN MY week", "--yes"]);
    assert!(project.skills().is_empty());
    shown += &project.show(&["skill", "archive", OLD]);
    project.tree.write("skills/plan-my-week/sprout.yaml", b"label: Our week\n");
    shown += &project.show(&["push", "--yes"]);
    let json = ["skill", "unarchive", "plan-my-week", "--yes", "--json"];
    let json = project.json(&json, "skill-archive.schema.json");
    assert_eq!(json["items"][0]["changed"], true);
    shown += &project.show(&["push", "--yes"]);
    insta::assert_snapshot!(shown);
    assert_eq!(project.skills()[0]["name"], "Our week");
}

#[test]
fn several_skills_are_archived_by_the_beginnings_of_their_ids() {
    let project = project();
    project.tree.write("skills/sing/SKILL.md", PLAN.replace("plan-my-week", "sing").as_bytes());
    assert_eq!(project.run(&["push", "--yes"]).code, 0);
    let skills = project.skills();
    let ids: Vec<&str> = skills.iter().filter_map(|skill| skill["skillId"].as_str()).collect();
    let beginnings = [&ids[0][..20], &ids[1][..20]];
    let plan = [&["skill", "archive"], &beginnings[..], &["-n"]].concat();
    assert_eq!(project.run(&plan).code, 0);
    assert_eq!(project.skills().len(), 2);
    let ambiguous = project.run(&["skill", "get", "sk_"]);
    assert_eq!(ambiguous.code, 2, "{}", ambiguous.show());
    assert!(ambiguous.stderr.contains(ids[0]) && ambiguous.stderr.contains(ids[1]));
    let all = [&["skill", "archive", "nothing"], &beginnings[..], &["-y"]].concat();
    let shown = project.show(&all);
    let shown = shown.replace(beginnings[0], "sk_1…").replace(beginnings[1], "sk_2…");
    insta::assert_snapshot!(shown);
    assert!(project.skills().is_empty());
    let json = ["skill", "unarchive", "nothing", beginnings[0], "-y", "--json"];
    let ended = project.run(&json);
    assert_eq!(ended.code, 5, "{}", ended.show());
    let json: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    assert_eq!(json["items"][0]["skillId"], ids[0], "{json:#}");
    assert_eq!(json["errors"][0]["exitCode"], 5, "{json:#}");
}

#[test]
fn two_directories_that_may_have_been_the_same_are_both_new() {
    let project = project();
    edit(&project, NEW);
    project.tree.write("skills/a/plan-my-week/SKILL.md", PLAN.as_bytes());
    project.tree.write("skills/b/plan-my-week/SKILL.md", PLAN.as_bytes());
    fs::remove_dir_all(project.tree.path().join(OLD)).expect("a directory");
    let json = project.json(&["push", "--yes", "--json"], "push.schema.json");
    let skills = json["items"].as_array().expect("skills");
    assert!(skills.iter().all(|skill| skill["movedFrom"].is_null()), "{json:#}");
    assert_eq!(json["gone"].as_array().map(Vec::len), Some(1));
}

/// Two folders that are linked to one skill; its heartbeat is recorded for the second one alone.
fn shared_skill() -> Project {
    let project = Project::new();
    let heartbeat = "heartbeats:\n  - name: Tea\n    cron: 0 9 * * *\n    input: {day: Monday}\n";
    project.tree.write(&format!("{OLD}/sprout.yaml"), heartbeat.as_bytes());
    assert_eq!(project.run(&["push", "--yes"]).code, 0);
    let lock = project.tree.read("dibber.lock");
    let start = lock.find("[[skill]]").expect("a block");
    let (servers, second) = lock.split_at(start);
    let (first, _) = second.split_once("[skill.heartbeats]").expect("heartbeats");
    let first = first.replace(OLD, "a/plan-my-week");
    project.tree.write("dibber.lock", format!("{servers}{first}\n{second}").as_bytes());
    for file in ["SKILL.md", "sprout.yaml"] {
        let text = project.tree.read(&format!("{OLD}/{file}"));
        project.tree.write(&format!("a/plan-my-week/{file}"), text.as_bytes());
    }
    project
}

#[test]
fn the_heartbeats_of_one_of_two_folders_of_a_skill_stay_recorded() {
    for is_unlinked in [true, false] {
        let project = shared_skill();
        let directory = project.tree.path().join(OLD);
        if is_unlinked {
            assert_eq!(project.run(&["skill", "unlink", OLD]).code, 0);
            let lock = project.tree.read("dibber.lock");
            assert!(lock.contains("\"Tea\"") && !lock.contains(OLD), "{lock}");
        }
        fs::remove_dir_all(directory).expect("a directory");
        let checked = project.run(&["doctor"]).show();
        assert!(!checked.contains("archives its skill"), "{checked}");
        let is_named = checked.contains("another folder that exists is the same skill");
        assert_eq!(is_named, !is_unlinked, "{checked}");
        let pushed = project.run(&["push", "--yes"]);
        assert!(pushed.stderr.contains("1 heartbeat is up to date"), "{}", pushed.show());
        assert!(!pushed.stderr.contains("made `Tea`"), "{}", pushed.show());
        assert_eq!(project.run(&["skill", "unlink", OLD]).code, if is_unlinked { 5 } else { 0 });
        let lock = project.tree.read("dibber.lock");
        assert!(lock.contains("\"Tea\"") && !lock.contains(OLD), "{lock}");
    }
}

#[test]
fn a_deleted_folder_of_a_shared_skill_is_unlinked_from_a_server_at_another_address() {
    let project = shared_skill();
    fs::remove_dir_all(project.tree.path().join(OLD)).expect("a directory");
    let serving = Serving::start_in(project.data.path());
    let url = format!("http://{}/mcp", serving.address);
    let unlink = || {
        let token = serving.token();
        let run = project.dibber(&["skill", "unlink", OLD, "--server", &url]);
        run.env("DIBBER_TOKEN", &token).run()
    };
    let unlinked = unlink();
    assert_eq!(unlinked.code, 0, "{}", unlinked.show());
    assert!(
        unlinked.stderr.contains("Its heartbeats were not cancelled: `Tea`"),
        "{}",
        unlinked.show()
    );
    let lock = project.tree.read("dibber.lock");
    assert!(lock.contains("\"Tea\"") && !lock.contains(OLD), "{lock}");
    assert_eq!(unlink().code, 5);
}

#[test]
fn an_unlink_names_the_heartbeats_that_go_on() {
    let project = Project::new();
    let heartbeat = "heartbeats:\n  - name: Tea\n    cron: 0 9 * * *\n    input: {day: Monday}\n";
    project.tree.write(&format!("{OLD}/sprout.yaml"), heartbeat.as_bytes());
    assert_eq!(project.run(&["push", "--yes"]).code, 0);
    let id = project.skills()[0]["skillId"].clone();
    let ended = project.run(&["skill", "unlink", OLD]);
    assert!(ended.stderr.contains("Its heartbeats were not cancelled: `Tea`;"), "{}", ended.show());
    let id = id.as_str().expect("an id");
    let linked = ["skill", "link", OLD, id, "--json"];
    let linked = project.json(&linked, "skill-link.schema.json");
    assert_eq!((&linked["path"], &linked["same"]), (&OLD.into(), &true.into()));
    let unlinked = ["skill", "unlink", OLD, "--json"];
    let unlinked = project.json(&unlinked, "skill-unlink.schema.json");
    assert_eq!((&unlinked["skillId"], &unlinked["heartbeats"]), (&id.into(), &json!(["Tea"])));
    // Linked again, it is cancelled once sprout.yaml no longer has it.
    assert_eq!(project.run(&["skill", "link", OLD, id]).code, 0);
    project.tree.write(&format!("{OLD}/sprout.yaml"), b"label: Plan my week\n");
    let pushed = project.run(&["push", "--yes"]);
    assert!(pushed.stderr.contains("cancelled `Tea`"), "{}", pushed.show());
}

/// A published skill with a heartbeat.
fn scheduled() -> Project {
    let project = Project::new();
    let heartbeat = "heartbeats:\n  - name: Tea\n    cron: 0 9 * * *\n    input: {day: Monday}\n";
    project.tree.write(&format!("{OLD}/sprout.yaml"), heartbeat.as_bytes());
    assert_eq!(project.run(&["push", "--yes"]).code, 0);
    project
}

#[test]
fn a_skill_that_a_heartbeat_runs_is_not_archived_unasked() {
    let project = scheduled();
    let archive = ["skill", "archive", OLD];
    let mut shown = timeless(&project.show(&[&archive[..], &["-n"]].concat()));
    let others = ["Plan my week", "nothing", "-y"];
    shown += &timeless(&project.show(&[&archive[..], &others].concat()));
    insta::assert_snapshot!(shown);
    assert_eq!(project.skills().len(), 1);
}

#[test]
fn an_archived_skill_has_no_heartbeat() {
    let project = scheduled();
    let archive = ["skill", "archive", "--cancel-heartbeats", OLD];
    let unagreed = project.run(&archive);
    assert_eq!((unagreed.code, project.skills().len()), (2, 1), "{}", unagreed.show());
    let json = [&archive[..], &["-n", "--json"]].concat();
    let json = project.json(&json, "skill-archive.schema.json");
    assert_eq!(json["items"][0]["cancelledHeartbeats"].as_array().map(Vec::len), Some(1));
    let mut shown = timeless(&project.show(&[&archive[..], &["-n"]].concat()));
    assert!(project.run(&["heartbeat", "list"]).stdout.contains("Tea"));
    shown += &timeless(&project.show(&[&archive[..], &["-y"]].concat()));
    shown += &timeless(&project.show(&[&archive[..], &["-y"]].concat()));
    insta::assert_snapshot!(shown);
    assert!(!project.run(&["heartbeat", "list"]).stdout.contains("Tea"));
    assert_eq!(project.skills().len(), 0);
    // Back in use, the skill gets its heartbeat with the next push.
    assert_eq!(project.run(&["skill", "unarchive", "Plan my week", "-y"]).code, 0);
    assert_eq!(project.run(&["push", "--yes"]).code, 0);
    assert!(project.run(&["heartbeat", "list"]).stdout.contains("Tea"));
}

#[test]
fn a_lock_that_cannot_be_read_is_reported_once() {
    let project = project();
    project.tree.write(&format!("{NEW}/SKILL.md"), PLAN.replace("plan-my", "our").as_bytes());
    assert_eq!(project.run(&["push", "--yes"]).code, 0);
    let lock = format!("{}<<<<<<< HEAD\n", project.tree.read("dibber.lock"));
    project.tree.write("dibber.lock", lock.as_bytes());
    let both = |command: &[&'static str]| [command, &[OLD, NEW]].concat();
    for command in [both(&["skill", "archive", "-y"]), both(&["pull"]), both(&["push", "-y"])] {
        let ended = project.run(&command);
        let errors = ended.stderr.matches("it contains conflict markers").count();
        assert_eq!((ended.code, errors), (2, 1), "{}", ended.show());
    }
}

#[test]
fn a_link_does_not_replace_another() {
    let project = project();
    edit(&project, NEW);
    let mut shown = project.show(&["skill", "link", NEW, "plan-my-week"]);
    shown += &project.show(&["skill", "link", "skills/none", "plan-my-week"]);
    assert_eq!(project.run(&["push", NEW, "--yes"]).code, 0);
    shown += &project.show(&["skill", "link", NEW, OLD]);
    // A folder without a record is linked by what it is, and nothing is sent.
    assert_eq!(project.run(&["skill", "unlink", OLD]).code, 0);
    let id = project
        .skills()
        .iter()
        .find(|it| it["name"] == "Plan my week")
        .map(|it| it["skillId"].clone());
    let id = id.as_ref().and_then(Value::as_str).expect("an id").to_owned();
    let linked = project.show(&["skill", "link", OLD, &id]);
    shown += &linked.replace(&id, "sk_ID");
    shown += &project.show(&["push", "--yes"]);
    insta::assert_snapshot!(shown);
}

#[test]
fn a_directory_that_was_renamed_and_edited_is_not_published_twice() {
    let project = project();
    fs::remove_dir_all(project.tree.path().join(OLD)).expect("a directory");
    edit(&project, NEW);
    let mut shown = project.show(&["push", "--yes"]);
    assert_eq!(project.skills().len(), 1);
    assert_eq!(project.run(&["push", "--yes", "--new"]).code, 0);
    assert_eq!(project.skills().len(), 2);
    shown += &project.show(&["push", "--yes"]);
    insta::assert_snapshot!(shown);
}

#[test]
fn moves_are_listed_with_the_other_skills() {
    let project = project();
    project.tree.write("skills/sing/SKILL.md", PLAN.replace("plan-my-week", "sing").as_bytes());
    assert_eq!(project.run(&["push", "--yes"]).code, 0);
    rename(&project, OLD, "home/plan-my-week");
    insta::assert_snapshot!(project.show(&["push", "--yes"]));
}

#[test]
fn a_name_in_a_label_is_not_in_the_path_of_a_pull() {
    let project = Project::new();
    project.tree.write("skills/plan-my-week/sprout.yaml", b"label: Plan for Emma\n");
    assert_eq!(project.run(&["push", "--yes"]).code, 0);
    let names = project.data.path().join("names");
    let names = names.to_string_lossy().into_owned();
    let added = project.dibber(&["names", "add", "Emma"]).env("DIBBER_NAMES", &names).run();
    assert_eq!(added.code, 0, "{}", added.show());
    fs::remove_dir_all(project.tree.path().join("skills")).expect("a directory");
    fs::remove_file(project.tree.path().join("dibber.lock")).expect("a file");
    let pull = ["pull", "--all", "--into", "pulled"];
    let ended = project.dibber(&pull).env("DIBBER_NAMES", &names).run();
    assert_eq!(ended.code, 0, "{}", ended.show());
    assert!(!ended.show().to_lowercase().contains("emma"), "{}", ended.show());
    assert!(ended.stderr.contains(" is pulled/skill-sk"), "{}", ended.show());
    assert!(!project.tree.read("dibber.lock").contains("emma"));
    let again = project.dibber(&pull).env("DIBBER_NAMES", &names).run();
    assert!(again.stderr.contains("up to date"), "{}", again.show());
}

#[test]
fn a_name_in_the_former_path_is_masked() {
    let project = Project::new();
    rename(&project, OLD, "skills/emma/plan-my-week");
    project.tree.write("skills/sing/SKILL.md", PLAN.replace("plan-my-week", "sing").as_bytes());
    assert_eq!(project.run(&["push", "--yes"]).code, 0);
    let names = project.data.path().join("names");
    let names = names.to_string_lossy().into_owned();
    let added = project.dibber(&["names", "add", "Emma"]).env("DIBBER_NAMES", &names).run();
    assert_eq!(added.code, 0, "{}", added.show());
    let run = |arguments: &[&str]| {
        let ended = project.dibber(arguments).env("DIBBER_NAMES", &names).run();
        assert!(!ended.show().contains("emma"), "{}", ended.show());
        ended.show()
    };
    rename(&project, "skills/emma/plan-my-week", OLD);
    for arguments in [["diff"].as_slice(), &["push", "--yes"]] {
        let shown = run(arguments);
        assert!(shown.contains("(moved from"), "{shown}");
    }
}

const SING: &[u8] =
    b"---\nname: sing\ndescription: Sings. Use when a parent wants a song.\n---\n\nSing.\n";
const MONDAYS: &[u8] = b"heartbeats:\n  - name: Mondays\n    cron: \"0 9 * * 1\"\n";

/// Returns a project with one skill, which is published with its heartbeat.
fn project_of_sing() -> Project {
    let project = Project::new();
    fs::remove_dir_all(project.tree.path().join("skills")).expect("a directory");
    project.tree.write("skills/sing/SKILL.md", SING);
    project.tree.write("skills/sing/sprout.yaml", MONDAYS);
    assert_eq!(project.run(&["push", "--yes"]).code, 0);
    project
}

#[test]
fn two_directories_that_are_the_same_skill_are_reported() {
    let project = project_of_sing();
    // The copy has the same record without the heartbeat.
    let lock = project.tree.read("dibber.lock");
    let start = lock.find("[[skill]]").expect("a block");
    let block = lock[start..].split("[skill.heartbeats]").next().expect("a block");
    let copy = block.replace("skills/sing", "a-copy/sing");
    let lock = format!("{}{copy}\n{}", &lock[..start], &lock[start..]);
    project.tree.write("dibber.lock", lock.as_bytes());
    project.tree.write("a-copy/sing/SKILL.md", SING);
    insta::assert_snapshot!(project.show(&["push", "--yes"]));
}

/// A heartbeat of both directories is that of the one in which it is recorded, and is not cancelled.
#[test]
fn a_heartbeat_of_two_directories_is_made_once() {
    let project = project_of_sing();
    let lock = project.tree.read("dibber.lock");
    let start = lock.find("[[skill]]").expect("a block");
    let copy = lock[start..].replace("skills/sing", "a-copy/sing");
    let without = copy.split("[skill.heartbeats]").next().expect("a block");
    project.tree.write("a-copy/sing/SKILL.md", SING);
    project.tree.write("a-copy/sing/sprout.yaml", MONDAYS);
    let listed = project.run(&["heartbeat", "list", "--json"]).stdout;
    for (block, owner) in [(&copy[..], "a-copy/sing"), (without, "skills/sing")] {
        let lock = format!("{}{block}\n{}", &lock[..start], &lock[start..]);
        project.tree.write("dibber.lock", lock.as_bytes());
        for arguments in [&["push", "--yes"][..], &["push", "--yes", "--force"]] {
            let ended = project.run(arguments);
            let error = format!("it is the heartbeat of {owner}, which is the same skill");
            assert_eq!(ended.code, 3, "{}", ended.show());
            assert!(ended.stderr.contains(&error), "{}", ended.show());
            assert_eq!(project.run(&["heartbeat", "list", "--json"]).stdout, listed);
        }
    }
}

#[test]
fn a_refusal_of_the_server_names_the_file() {
    let project = project();
    let child = ["family", "add-child", "--born", "2019-04-30", "--name", "Zebediah"];
    assert_eq!(project.run(&child).code, 0);
    let text = PLAN.replace("Plan the week", "Ask Zebediah about the week");
    project.tree.write(&format!("{OLD}/SKILL.md"), text.as_bytes());
    insta::assert_snapshot!(project.show(&["push", "--yes"]));
    let label = "label: The week of Zebediah\n";
    project.tree.write(&format!("{OLD}/sprout.yaml"), label.as_bytes());
    insta::assert_snapshot!(project.show(&["push", "--yes"]));
}

/// Returns the paths that are recorded.
fn recorded(project: &Project) -> Vec<String> {
    let lock = project.tree.read("dibber.lock");
    let paths = lock.lines().filter_map(|line| line.strip_prefix("path = "));
    paths.map(|path| path.trim_matches('"').to_owned()).collect()
}

#[test]
fn a_pull_restores_a_directory_that_is_gone() {
    let project = project();
    fs::remove_dir_all(project.tree.path().join("skills")).expect("a directory");
    let mut shown = project.show(&["pull", "./skills/plan-my-week"]);
    fs::remove_dir_all(project.tree.path().join("skills")).expect("a directory");
    shown += &project.show(&["pull", "Plan my week"]);
    fs::remove_dir_all(project.tree.path().join("skills")).expect("a directory");
    shown += &project.show(&["pull", "--all"]);
    shown += &project.show(&["pull", "./skills/another"]);
    shown += &project.show(&["push", "--prune", "--yes"]);
    insta::assert_snapshot!(shown);
    assert_eq!(recorded(&project), [OLD]);
    assert_eq!(project.skills().len(), 1);
}

#[test]
fn a_recorded_path_outside_the_project_is_refused() {
    let project = project();
    fs::remove_dir_all(project.tree.path().join(OLD)).expect("a directory");
    let name = project.tree.path().file_name().expect("a name").to_string_lossy().into_owned();
    let outside = format!("../{name}-outside");
    let lock = project.tree.read("dibber.lock").replace(OLD, &outside);
    project.tree.write("dibber.lock", lock.as_bytes());
    let ended = project.run(&["pull", "Plan my week"]);
    assert_eq!(ended.code, 2, "{}", ended.show());
    assert!(ended.stderr.contains("dibber.lock"), "{}", ended.show());
    assert!(!project.tree.path().join(outside).exists());
}

#[test]
fn a_skill_that_was_pulled_into_another_directory_is_not_archived() {
    let project = project();
    fs::remove_dir_all(project.tree.path().join(OLD)).expect("a directory");
    let before = project.tree.read("dibber.lock");
    project.tree.write("other/keep", b"");
    assert_eq!(project.run(&["pull", "Plan my week", "--into", "other"]).code, 0);
    assert_eq!(recorded(&project), ["other/plan-my-week"]);
    // Git keeps the blocks of both sides.
    let block = &before[before.find("[[skill]]").expect("a block")..];
    let merged = format!("{}\n{block}", project.tree.read("dibber.lock"));
    project.tree.write("dibber.lock", merged.as_bytes());
    let shown = project.show(&["push", "--prune", "--yes"]);
    assert!(!shown.contains("gone") && !shown.contains("rchived"), "{shown}");
    assert_eq!(project.skills().len(), 1);
}

#[test]
fn a_moved_directory_that_lint_refuses_is_not_archived() {
    let project = project();
    project.tree.write("skills/sing/SKILL.md", PLAN.replace("plan-my-week", "sing").as_bytes());
    assert_eq!(project.run(&["push", "--yes"]).code, 0);
    rename(&project, OLD, NEW);
    let mut shown = project.show(&["push", "--prune", "--yes"]);
    assert_eq!(project.skills().len(), 2);
    let text = PLAN.replace("plan-my-week", "our-week");
    project.tree.write(&format!("{NEW}/SKILL.md"), text.as_bytes());
    shown += &project.show(&["push", "--prune", "--yes"]);
    assert_eq!(project.skills().len(), 2);
    assert_eq!(recorded(&project), [NEW, "skills/sing"]);
    // A file that cannot be compared with what was published.
    fs::remove_dir_all(project.tree.path().join("skills/sing")).expect("a directory");
    project.tree.write("skills/song/SKILL.md", b"# Sing\n");
    shown += &project.show(&["push", "--prune", "--yes"]);
    assert_eq!(project.skills().len(), 2);
    insta::assert_snapshot!(shown);
}

#[test]
fn a_skill_that_was_changed_on_the_server_is_not_archived_unseen() {
    let project = project();
    let update = ["skill", "update", "Plan my week", "--name", "Our week", "--yes"];
    assert_eq!(project.run(&update).code, 0);
    fs::remove_dir_all(project.tree.path().join(OLD)).expect("a directory");
    let mut shown = project.show(&["push", "--prune", "--yes"]);
    assert_eq!(project.skills().len(), 1);
    let plan = ["push", "--prune", "--json", "-n"];
    let json = project.json(&plan, "push.schema.json");
    assert_eq!(json["gone"][0]["error"]["exitCode"], 3, "{json:#}");
    assert_eq!(json["errors"], json!([]), "{json:#}");
    let json = project.json(&[&plan[..], &["--force"]].concat(), "push.schema.json");
    assert_eq!(json["gone"][0]["undoes"], json!(["label"]), "{json:#}");
    shown += &project.show(&["push", "--prune", "--yes", "--force"]);
    insta::assert_snapshot!(shown);
    assert!(project.skills().is_empty());
}

#[test]
fn a_copied_directory_is_not_linked_twice() {
    let project = project();
    project.tree.write("skills/copy/SKILL.md", PLAN.replace("plan-my-week", "copy").as_bytes());
    insta::assert_snapshot!(project.show(&["push", "--dry-run"]));
}

/// The server is at a port that nothing listens to.
#[test]
fn a_link_is_removed_without_asking_the_server() {
    const AWAY: [&str; 2] = ["--server", "http://127.0.0.1:9/mcp"];
    let project = project();
    let linked = project.tree.read("dibber.lock");
    let gone = linked.replace("\"local\"", "\"http://127.0.0.1:9/mcp\"");
    let unlink = |arguments: &[&str]| {
        project.show(&[&["skill", "unlink", "skills/plan-my-week"], arguments].concat())
    };
    project.tree.write("dibber.lock", gone.as_bytes());
    let mut shown = unlink(&AWAY);
    assert!(!project.tree.read("dibber.lock").contains("[[skill]]"));
    // The only link is meant if no server is named.
    project.tree.write("dibber.lock", gone.as_bytes());
    shown += &unlink(&[]);
    assert!(!project.tree.read("dibber.lock").contains("[[skill]]"));
    // Of two links, one has to be named.
    let block = gone.split_once("[[skill]]").expect("a record").1;
    let block = block.lines().map(|line| match line.split_once(" = ") {
        Some(("server", _)) => "server = \"http://127.0.0.1:1/mcp\"\n".to_owned(),
        _ => format!("{line}\n"),
    });
    let both = format!("{gone}\n[[skill]]{}", block.collect::<String>());
    project.tree.write("dibber.lock", both.as_bytes());
    shown += &unlink(&[]);
    assert_eq!(project.tree.read("dibber.lock"), both);
    shown += &unlink(&AWAY);
    assert_eq!(project.tree.read("dibber.lock").matches("[[skill]]").count(), 1);
    insta::assert_snapshot!(shown);
}

#[cfg(unix)]
#[test]
fn a_pull_does_not_follow_a_link_out_of_the_project() {
    use std::os::unix::fs::symlink;

    let project = project();
    let id = recorded(&project).concat();
    let elsewhere = Tree::new();
    std::fs::create_dir_all(project.tree.path().join("into")).expect("a directory");
    std::fs::create_dir_all(project.tree.path().join("real")).expect("a directory");
    fs::remove_dir_all(project.tree.path().join(OLD)).expect("a directory");
    let link = project.tree.path().join("into/plan-my-week");
    let pull = |arguments: &[&str]| {
        let label = ["pull", "Plan my week", "--into", "into"];
        project.run(&[&label, arguments].concat())
    };
    symlink(elsewhere.path(), &link).expect("a link");
    for arguments in [&[][..], &["--force"], &["--dry-run"]] {
        let ended = pull(arguments);
        assert_ne!(ended.code, 0, "{id} {}", ended.show());
        assert!(ended.stderr.contains("is a symbolic link"), "{}", ended.show());
    }
    assert_eq!(std::fs::read_dir(elsewhere.path()).expect("a directory").count(), 0);
    std::fs::remove_file(&link).expect("a link");
    symlink(project.tree.path().join("real"), &link).expect("a link");
    let ended = pull(&[]);
    assert_eq!(ended.code, 0, "{}", ended.show());
    assert!(project.tree.path().join("real/SKILL.md").exists());
}

/// Changes the summary of the skill on the server.
fn change_on_server(project: &Project) {
    let update = ["skill", "update", "Plan my week", "--description", "Plans. Use on Sunday."];
    assert_eq!(project.run(&[&update[..], &["--yes"]].concat()).code, 0);
}

#[test]
fn a_pull_writes_into_the_directory_that_a_skill_was_moved_to() {
    for arguments in [&["pull", NEW][..], &["pull", "--all"], &["pull", "Plan my week"]] {
        let project = project();
        rename(&project, OLD, NEW);
        change_on_server(&project);
        let ended = project.run(&[arguments, &["--dry-run"]].concat());
        assert_eq!((ended.code, recorded(&project)), (0, vec![OLD.to_owned()]), "{}", ended.show());
        let ended = project.run(arguments);
        assert_eq!(ended.code, 0, "{}", ended.show());
        assert!(ended.stderr.contains(&format!("into {NEW}")), "{}", ended.show());
        assert!(!project.tree.path().join(OLD).exists());
        assert_eq!(recorded(&project), [NEW]);
        let text = project.tree.read(&format!("{NEW}/SKILL.md"));
        assert!(text.contains("Use on Sunday."), "{text}");
    }
}

#[test]
fn a_pull_does_not_guess_that_an_edited_directory_was_moved() {
    let project = project();
    rename(&project, OLD, NEW);
    edit(&project, NEW);
    change_on_server(&project);
    let mut shown = project.show(&["pull", NEW]);
    shown += &project.show(&["pull", "--all"]);
    insta::assert_snapshot!(shown);
    assert!(!project.tree.path().join(OLD).exists());
    assert_eq!(recorded(&project), [OLD]);
}
