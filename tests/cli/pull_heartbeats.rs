//! The heartbeats of a pull, and of a push that merges: `sprout.yaml` gets what the server has.

use super::push_heartbeats::{PUSH, Project};
use crate::support::Tree;
use crate::support::command::Dibber;

/// Runs a command on the same server without the records of the project.
fn elsewhere(project: &Project, arguments: &[&str]) {
    let tree = Tree::new();
    let ended = Dibber::new(arguments).in_directory(tree.path()).data(project.data.path()).run();
    assert_eq!(ended.code, 0, "{}", ended.show());
}

fn edit(project: &Project, name: &str, options: &[&str]) {
    elsewhere(project, &[&["heartbeat", "edit", name, "--yes"], options].concat());
}

/// Publishes the skill.
fn published() -> Project {
    let project = Project::new();
    project.change("heartbeats:\n", "heartbeats:\n  # The children leave at eight.\n");
    assert_eq!(project.run(&PUSH).code, 0);
    project
}

/// The next push changes nothing.
fn assert_up_to_date(project: &Project, heartbeats: usize) {
    let before = project.listed();
    assert_eq!(before.len(), heartbeats, "{before:#?}");
    let lock = project.tree.read("dibber.lock");
    let ended = project.run(&PUSH);
    assert_eq!(ended.code, 0, "{}", ended.show());
    let count =
        if heartbeats == 1 { "1 heartbeat is" } else { &format!("{heartbeats} heartbeats are") };
    assert!(ended.stderr.contains(&format!("{count} up to date")), "{}", ended.show());
    assert_eq!(project.tree.read("dibber.lock"), lock);
    assert_eq!(project.listed(), before);
}

#[test]
fn what_was_changed_on_the_server_is_written() {
    let project = published();
    edit(&project, "Sundays", &["--cron", "30 8 * * 0", "--name", "On Sunday"]);
    edit(&project, "Before school", &["--tz", "Europe/Paris"]);
    let diff = ["diff", "day-plan"];
    let dry_run = ["pull", "day-plan", "--dry-run"];
    let pull = ["pull", "day-plan"];
    insta::assert_snapshot!(project.show(&[&diff, &dry_run, &pull, &pull, &diff]));
    assert_up_to_date(&project, 2);
}

#[test]
fn a_folder_with_the_old_inputs_is_warned_of() {
    let project = published();
    for (options, part) in [
        (&["--input", "today=Monday", "--input", "whom="][..], "the old inputs of `Sundays`"),
        (&["--missed", "skip"], "the old `missedFires` of `Sundays`"),
    ] {
        let edit = ["heartbeat", "edit", "Sundays", "--yes"];
        let ended = project.run(&[&edit, options].concat());
        assert!(ended.stderr.contains(part), "{}", ended.show());
    }
    let same = ["heartbeat", "edit", "Sundays", "--yes", "--input", "today={{fireDate}}"];
    let ended = project.run(&[&same[..], &["--input", "whom="]].concat());
    assert!(!ended.stderr.contains("the old"), "{}", ended.show());
}

#[test]
fn inputs_that_were_changed_on_the_server_are_written() {
    let project = published();
    let inputs = ["--input", "today=Monday", "--input", "whom="];
    edit(&project, "Sundays", &inputs);
    assert_eq!(project.run(&PUSH).code, 3);
    let pulled = project.run(&["pull", "day-plan"]);
    assert_eq!(pulled.code, 0, "{}", pulled.show());
    assert!(project.tree.read("day-plan/sprout.yaml").contains("today: Monday"));
    assert_up_to_date(&project, 2);
    // What both sides have changed stays on both.
    edit(&project, "Sundays", &["--input", "today=Tuesday", "--input", "whom="]);
    project.change("today: Monday", "today: Sunday");
    for command in [&["pull", "day-plan"][..], &["push", "--yes", "--merge"]] {
        let ended = project.run(command);
        assert_eq!(ended.code, 3, "{}", ended.show());
        assert!(ended.stderr.contains("both have changed the inputs"), "{}", ended.show());
        assert!(project.tree.read("day-plan/sprout.yaml").contains("today: Sunday"));
    }
}

#[test]
fn what_runs_of_missed_times_is_written() {
    let project = published();
    edit(&project, "Sundays", &["--missed", "skip"]);
    edit(&project, "Before school", &["--missed", "all", "--tz", "Europe/Paris"]);
    let stopped = project.run(&PUSH);
    assert_eq!(stopped.code, 3, "{}", stopped.show());
    assert_eq!(project.run(&["pull", "day-plan"]).code, 0);
    insta::assert_snapshot!(project.tree.read("day-plan/sprout.yaml"));
    assert_up_to_date(&project, 2);
    edit(&project, "Sundays", &["--missed", "once"]);
    project.change("0 9 * * 0", "0 10 * * 0");
    let merged = project.run(&["push", "--yes", "--merge"]);
    assert_eq!(merged.code, 0, "{}", merged.show());
    assert!(project.tree.read("day-plan/sprout.yaml").contains("missedFires: once"));
    assert_up_to_date(&project, 2);
    edit(&project, "Sundays", &["--missed", "skip"]);
    project.change("missedFires: once", "missedFires: all");
    let collides = project.run(&["push", "--yes", "--merge"]);
    assert_eq!(collides.code, 3, "{}", collides.show());
    assert!(collides.stderr.contains("both have changed the missed times"), "{}", collides.show());
}

#[test]
fn heartbeats_of_the_server_are_added_and_removed() {
    let project = published();
    elsewhere(&project, &["heartbeat", "cancel", "Sundays", "--yes"]);
    let tea = ["heartbeat", "create", "Tea", "--cron", "0 17 * * *", "--tz", "Europe/Berlin"];
    let inputs = ["--input", "today={{fireDate}}", "--input", "whom=", "--yes"];
    elsewhere(&project, &[&tea[..], &["--skill", "The plan of the day"], &inputs].concat());
    insta::assert_snapshot!(project.show(&[&["pull", "--all"]]));
    assert_up_to_date(&project, 2);
    elsewhere(&project, &["heartbeat", "cancel", "Before school", "--yes"]);
    elsewhere(&project, &["heartbeat", "cancel", "Tea", "--yes"]);
    assert_eq!(project.run(&["pull", "day-plan"]).code, 0);
    assert!(!project.tree.read("day-plan/sprout.yaml").contains("heartbeats"));
    let ended = project.run(&PUSH);
    assert!(ended.stderr.contains("up to date"), "{}", ended.show());
    assert_eq!(project.listed(), [""; 0]);
}

#[test]
fn quotes_stay_and_a_comment_goes_with_its_heartbeat() {
    let project = published();
    project.change("label: The plan of the day", "label: 'Day: a plan'");
    assert_eq!(project.run(&PUSH).code, 0);
    elsewhere(&project, &["skill", "update", "Day: a plan", "--name", "Day: the plan", "--yes"]);
    elsewhere(&project, &["heartbeat", "cancel", "Before school", "--yes"]);
    edit(&project, "Sundays", &["--cron", "0 10 * * 0"]);
    let before = project.tree.read("day-plan/sprout.yaml");
    assert!(before.contains("cron: \"0 9 * * 0\""), "{before}");
    assert_eq!(project.run(&["pull", "day-plan"]).code, 0);
    let after = project.tree.read("day-plan/sprout.yaml");
    assert!(after.contains("label: 'Day: the plan'\n"), "{after}");
    assert!(after.contains("cron: \"0 10 * * 0\"\n"), "{after}");
    assert!(!after.contains("leave at eight") && after.contains("Sundays"), "{after}");
}

#[test]
fn a_directory_that_was_removed_is_restored_with_its_heartbeats() {
    let project = published();
    edit(&project, "Sundays", &["--cron", "30 8 * * 0"]);
    std::fs::remove_dir_all(project.tree.path().join("day-plan")).expect("a directory");
    assert_eq!(project.run(&["pull", "./day-plan"]).code, 0);
    insta::assert_snapshot!(project.tree.read("day-plan/sprout.yaml"));
    assert_up_to_date(&project, 2);
}

#[test]
fn changes_of_both_sides_are_merged_where_they_do_not_collide() {
    let project = published();
    edit(&project, "Sundays", &["--cron", "30 8 * * 0"]);
    edit(&project, "Before school", &["--name", "School"]);
    project.change("name: Sundays", "name: On Sunday");
    project.change("\"0 7 * * 1-5\"", "\"0 6 * * 1-5\"");
    let merge = ["push", "--yes", "--merge"];
    insta::assert_snapshot!(project.show(&[&PUSH, &merge]));
    assert_eq!(
        project.listed(),
        ["On Sunday: 30 8 * * 0 Europe/Berlin", "School: 0 6 * * 1-5 America/New_York"]
    );
    assert_up_to_date(&project, 2);
}

#[test]
fn changes_that_collide_stay_on_both_sides() {
    let project = published();
    edit(&project, "Sundays", &["--cron", "30 8 * * 0"]);
    edit(&project, "Before school", &["--cron", "30 6 * * 1-5"]);
    project.change("0 9 * * 0", "0 10 * * 0");
    let pull = ["pull", "day-plan"];
    insta::assert_snapshot!(project.show(&[&pull, &["push", "--yes", "--merge"]]));
    assert!(project.tree.read("day-plan/sprout.yaml").contains("0 10 * * 0"));
    assert_eq!(project.run(&["pull", "day-plan", "--force"]).code, 0);
    assert!(project.tree.read("day-plan/sprout.yaml").contains("30 8 * * 0"));
    assert_up_to_date(&project, 2);
}

#[test]
fn a_forced_pull_writes_the_inputs_of_the_server() {
    let project = published();
    project.change("today: \"{{fireDate}}\"\n  - name", "today: Monday\n  - name");
    assert_eq!(project.run(&["pull", "day-plan"]).code, 0);
    assert!(project.tree.read("day-plan/sprout.yaml").contains("Monday"));
    let forced = project.run(&["pull", "day-plan", "--force"]);
    assert_eq!(forced.code, 0, "{}", forced.show());
    let manifest = project.tree.read("day-plan/sprout.yaml");
    assert!(!manifest.contains("Monday"), "{}\n{manifest}", forced.show());
    assert_up_to_date(&project, 2);
}

#[test]
fn a_file_that_cannot_be_edited_keeps_its_heartbeats() {
    let project = published();
    let text = project.tree.read("day-plan/sprout.yaml");
    let (before, _) = text.split_once("heartbeats:").expect("heartbeats");
    let flow = "heartbeats: [{name: Sundays, cron: '0 9 * * 0', input: {today: '{{fireDate}}'}}]\n";
    project.tree.write("day-plan/sprout.yaml", format!("{before}{flow}").as_bytes());
    assert_eq!(project.run(&PUSH).code, 0);
    edit(&project, "Sundays", &["--tz", "Europe/Paris"]);
    let ended = project.run(&["pull", "day-plan"]);
    assert_eq!(ended.code, 0, "{}", ended.show());
    assert!(ended.stderr.contains("cannot be edited automatically"), "{}", ended.show());
    assert!(project.tree.read("day-plan/sprout.yaml").ends_with(flow));
}

#[test]
fn a_file_may_have_only_a_comment_left() {
    for note in ["# note\n", ""] {
        let project = Project::new();
        let heartbeat = "heartbeats:\n  - name: Tea\n    cron: 0 17 * * *\n";
        project.tree.write(
            "tea/SKILL.md",
            b"---\nname: tea\ndescription: Makes tea. Use when tea is asked for.\n---\n\nMake tea.\n",
        );
        project.tree.write("tea/sprout.yaml", format!("{note}{heartbeat}").as_bytes());
        let push = ["push", "--yes", "tea"];
        let ended = project.run(&push);
        assert_eq!(ended.code, 0, "{}", ended.show());
        elsewhere(&project, &["heartbeat", "cancel", "Tea", "--yes"]);
        assert_eq!(project.run(&["pull", "--yes", "tea"]).code, 0);
        assert_eq!(project.tree.read("tea/sprout.yaml"), note);
        for command in [&push[..], &["lint", "tea"]] {
            let ended = project.run(command);
            assert_eq!(ended.code, 0, "{}", ended.show());
        }
    }
}

#[test]
fn a_heartbeat_whose_assignment_skill_is_unknown_stays_here_and_in_the_lock() {
    let project = published();
    let lock = project.tree.read("dibber.lock");
    project.change("- name: Sundays\n", "- name: Sundays\n    assignmentSkill: nowhere\n");
    let text = project.tree.read("day-plan/sprout.yaml");
    edit(&project, "Sundays", &["--cron", "30 8 * * 0"]);
    assert_stays(&project, &text, &lock);
    elsewhere(&project, &["heartbeat", "cancel", "Sundays", "--yes"]);
    assert_stays(&project, &text, &lock);
}

/// A pull leaves the heartbeat Sundays as it is, and says why.
fn assert_stays(project: &Project, text: &str, lock: &str) {
    let ended = project.run(&["pull", "day-plan"]);
    assert_eq!(ended.code, 0, "{}", ended.show());
    assert!(ended.stderr.contains("`Sundays`"), "{}", ended.show());
    assert!(ended.stderr.contains("does not have its `assignmentSkill`"), "{}", ended.show());
    assert_eq!(project.tree.read("day-plan/sprout.yaml"), text);
    assert_eq!(project.tree.read("dibber.lock"), lock);
}

/// Publishes the skill with words instead of the cron of its first heartbeat.
fn published_in_words() -> Project {
    let project = Project::new();
    project.change("cron: \"0 7 * * 1-5\"", "cron: weekdays at 7:00am # with breakfast");
    assert_eq!(project.run(&PUSH).code, 0);
    project
}

#[test]
fn words_stay_where_the_server_has_another_cron_of_the_same_meaning() {
    let project = published_in_words();
    let before = project.tree.read("day-plan/sprout.yaml");
    for (cron, command) in [
        ("0 7 * * MON-FRI", &["pull", "day-plan"][..]),
        ("00 7 * * 1,2,3,4,5", &["pull", "--force", "day-plan"]),
        ("0 07 * * Mon-Fri", &["push", "--merge", "--yes"]),
    ] {
        edit(&project, "Before school", &["--cron", cron]);
        let ended = project.run(command);
        assert_eq!(ended.code, 0, "{}", ended.show());
        assert_eq!(project.tree.read("day-plan/sprout.yaml"), before, "{}", ended.show());
        assert_up_to_date(&project, 2);
        assert!(project.listed()[0].contains(cron), "{:?}", project.listed());
    }
    // What was changed there since is no conflict with the words here.
    edit(&project, "Before school", &["--cron", "0 8 * * MON"]);
    let ended = project.run(&["pull", "day-plan"]);
    assert_eq!(ended.code, 0, "{}", ended.show());
    let file = project.tree.read("day-plan/sprout.yaml");
    assert!(file.contains("cron: every Monday at 8am # with breakfast"), "{file}");
    assert_up_to_date(&project, 2);
}

#[test]
fn another_schedule_of_the_server_is_written_in_words_where_the_file_has_words() {
    let project = published_in_words();
    for (cron, tz, written) in [
        ("30 6 * * 1-5", "America/New_York", "cron: every weekday at 6:30am # with breakfast\n"),
        (
            "30 6 * * 1-5",
            "Europe/Paris",
            "cron: every weekday at 6:30am # with breakfast\n    tz: Europe/Paris\n",
        ),
        ("0 */6 * * *", "Europe/Paris", "cron: 0 */6 * * * # with breakfast\n"),
    ] {
        edit(&project, "Before school", &["--cron", cron, "--tz", tz]);
        let ended = project.run(&["pull", "day-plan"]);
        assert_eq!(ended.code, 0, "{}", ended.show());
        let file = project.tree.read("day-plan/sprout.yaml");
        assert!(file.contains(written), "{file}");
        assert_up_to_date(&project, 2);
    }
}
