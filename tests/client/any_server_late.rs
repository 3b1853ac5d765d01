//! Servers of another make that ignore the keys of writes, and create something after the answer was
//! lost, such as behind a gateway that does not wait for them.

use jiff::SignedDuration;
use serde_json::json;

use super::any_server_world::{ForeignEdit, Stored, Ways, World};
use crate::support::command::Ended;

const CREATE: [&str; 8] =
    ["heartbeat", "create", "Tea", "--cron", "0 9 * * *", "--skill", "plan", "--yes"];
const PUSH: [&str; 3] = ["push", "--yes", "plan"];

/// The creations that are sent, and what the server has of their kind.
const CREATIONS: [(&[&str], &str); 3] =
    [(&PUSH, "skill_write"), (&PUSH, "heartbeat_create"), (&CREATE, "heartbeat_create")];

/// A world in which the answer to the creation of a tool is this status, and how that ends.
fn unanswered(command: &[&str], tool: &'static str, status: u16) -> (World, Ended) {
    let world = World::new(Ways { ignores_keys: true, ..Ways::default() });
    if tool != "skill_write" {
        world.run(&["push", "--yes", "--no-heartbeats", "plan"]);
    }
    world.stored().unanswered = Some((tool, status));
    let ended = world.run(command);
    (world, ended)
}

/// Returns how many skills or heartbeats there are.
fn count(world: &World, tool: &str) -> usize {
    if tool == "skill_write" { world.stored().skills.len() } else { world.made() }
}

fn assert_journal_is_empty(world: &World) {
    let journal = world.run_alone(&["journal", "list"]);
    assert_eq!(journal.stdout, "", "{}", journal.show());
}

#[test]
fn a_creation_that_may_still_take_effect_is_sent_once() {
    for (command, tool) in CREATIONS {
        let (world, lost) = unanswered(command, tool, 504);
        assert_eq!((lost.code, world.sent(tool)), (7, 1), "{}", lost.show());
        let error = "is unknown: it answered HTTP 504; the server may still create it";
        assert!(lost.stderr.contains(error), "{}", lost.show());
        let help = "help: wait a minute, and run the same command again";
        assert!(lost.stderr.contains(help), "{}", lost.show());
        world.arrive();
        let found = world.run(command);
        assert_eq!((found.code, count(&world, tool)), (0, 1), "{}", found.show());
        assert_eq!(world.sent(tool), 1, "{}", found.show());
        assert_journal_is_empty(&world);
    }
}

#[test]
fn a_creation_that_never_arrived_is_sent_by_the_next_run() {
    for (command, tool) in CREATIONS {
        let (world, lost) = unanswered(command, tool, 502);
        assert_eq!((lost.code, world.sent(tool)), (7, 1), "{}", lost.show());
        // The first call may still take effect.
        let early = world.run(command);
        assert_eq!((early.code, world.sent(tool)), (7, 1), "{}", early.show());
        assert!(early.stderr.contains("s ago, and nothing of it is found"), "{}", early.show());
        world.age_journal();
        world.stored().unanswered = Some((tool, 502));
        for _ in 0..2 {
            let lost = world.run(command);
            assert_eq!((lost.code, world.sent(tool)), (7, 2), "{}", lost.show());
        }
        world.age_journal();
        let made = world.run(command);
        assert_eq!((made.code, count(&world, tool)), (0, 1), "{}", made.show());
        assert!(!made.stderr.contains("has appeared"), "{}", made.show());
        if tool == "skill_write" {
            let again = "plan was sent for the second time";
            assert!(made.stderr.contains(again), "{}", made.show());
            assert!(made.stderr.contains("`dibber skill list --server"), "{}", made.show());
        }
        assert_journal_is_empty(&world);
    }
}

#[test]
fn an_unanswered_creation_is_waited_for_from_when_the_answer_is_lost() {
    for (command, tool) in CREATIONS {
        let world = World::new(Ways { ignores_keys: true, ..Ways::default() });
        if tool != "skill_write" {
            world.run(&["push", "--yes", "--no-heartbeats", "plan"]);
        }
        world.stored().unanswered = Some((tool, 502));
        world.age_journal_while_unanswered();
        let lost = world.run(command);
        assert_eq!((lost.code, world.sent(tool)), (7, 1), "{}", lost.show());
        let early = world.run(command);
        assert_eq!((early.code, world.sent(tool)), (7, 1), "{}", early.show());
    }
}

#[test]
fn a_resumed_creation_that_changed_nothing_is_not_waited_for() {
    for command in [&PUSH[..], &CREATE] {
        let tool = "heartbeat_create";
        let (world, lost) = unanswered(command, tool, 502);
        assert_eq!((lost.code, world.sent(tool)), (7, 1), "{}", lost.show());
        world.age_journal();
        world.fail(tool, "PERMISSION_DENIED");
        let denied = world.run(command);
        assert!(denied.code != 0 && world.sent(tool) == 2, "{}", denied.show());
        world.repair();
        let made = world.run(command);
        assert_eq!((made.code, count(&world, tool)), (0, 1), "{}", made.show());
        assert_journal_is_empty(&world);
    }
}

#[test]
fn a_heartbeat_of_the_name_of_one_that_may_still_be_made_is_waited_for() {
    let (world, lost) = unanswered(&PUSH, "heartbeat_create", 502);
    assert_eq!(lost.code, 7, "{}", lost.show());
    let create = |name: &str| {
        let create = ["heartbeat", "create", name, "--cron", "0 9 * * *", "--skill", "plan"];
        world.run(&[&create[..], &["--yes"]].concat())
    };
    let early = create("Weekly plan");
    assert_eq!((early.code, world.sent("heartbeat_create")), (7, 1), "{}", early.show());
    assert!(early.stderr.contains("another run has sent `Weekly plan`"), "{}", early.show());
    let other = create("Tea");
    assert_eq!((other.code, world.sent("heartbeat_create")), (0, 2), "{}", other.show());
    world.age_journal();
    let made = create("Weekly plan");
    assert_eq!((made.code, world.sent("heartbeat_create")), (0, 3), "{}", made.show());
}

#[test]
fn a_creation_that_an_earlier_version_has_sent_is_waited_for() {
    let (world, lost) = unanswered(&PUSH, "heartbeat_create", 502);
    assert_eq!(lost.code, 7, "{}", lost.show());
    world.forget_when_sent();
    let early = world.run(&PUSH);
    assert_eq!((early.code, world.sent("heartbeat_create")), (7, 1), "{}", early.show());
}

#[test]
fn a_creation_that_changed_nothing_is_sent_again() {
    for (command, tool) in CREATIONS {
        let (world, made) = unanswered(command, tool, 429);
        assert_eq!((made.code, world.sent(tool)), (0, 2), "{}", made.show());
        assert_eq!(count(&world, tool), 1, "{}", made.show());
    }
}

#[test]
fn a_creation_that_arrives_after_it_was_sent_again_is_announced() {
    for (command, tool) in CREATIONS {
        let (world, lost) = unanswered(command, tool, 504);
        assert_eq!(lost.code, 7, "{}", lost.show());
        world.age_journal();
        let made = world.run(command);
        assert_eq!((made.code, count(&world, tool)), (0, 2), "{}", made.show());
        let is_skill = tool == "skill_write";
        let ids = if is_skill { ["sk_0", "sk_1"] } else { ["hb_1", "hb_2"] };
        let ends = if is_skill {
            "keep sk_0: run `dibber skill archive --cancel-heartbeats sk_1 "
        } else {
            "dibber heartbeat cancel hb_1"
        };
        let is_announced = made.stderr.contains("has appeared") && made.stderr.contains(ends);
        assert!(is_announced, "{}", made.show());
        assert!(ids.iter().all(|id| made.stderr.contains(id)), "{}", made.show());
    }
}

#[test]
fn a_skill_whose_label_has_appeared_since_the_plan_is_not_created() {
    let world = World::new(Ways { ignores_keys: true, ..Ways::default() });
    // The first call is the dry-run of the plan.
    world.stored().edited_after = Some(("skill_write", |stored| {
        let prompt = "Another one.";
        stored.skills.push(json!({
            "skillId": "sk_other", "name": "Plan", "category": "generic", "prompt": prompt,
            "description": prompt, "archived": false,
        }));
    }));
    let blocked = world.run(&PUSH);
    assert_eq!((blocked.code, world.sent("skill_write")), (3, 0), "{}", blocked.show());
    assert!(blocked.stderr.contains("`dibber skill link plan sk_other"), "{}", blocked.show());
    assert_journal_is_empty(&world);
    let new = world.run(&["push", "--yes", "--new", "plan"]);
    assert_eq!((new.code, world.sent("skill_write")), (0, 1), "{}", new.show());
}

#[test]
fn a_skill_that_was_edited_since_an_unanswered_creation_is_not_created_at_once() {
    let (world, lost) = unanswered(&PUSH, "skill_write", 504);
    assert_eq!(lost.code, 7, "{}", lost.show());
    let path = world.tree.path().join("plan/SKILL.md");
    let text = std::fs::read_to_string(&path).expect("a skill");
    let text = text.replace("# Plan", "# Other plan") + "\nMore.\n";
    std::fs::write(&path, text).expect("a directory");
    let early = world.run(&PUSH);
    assert_eq!((early.code, world.sent("skill_write")), (7, 1), "{}", early.show());
    world.arrive();
    let found = world.run(&PUSH);
    assert_eq!((found.code, world.sent("skill_write")), (0, 1), "{}", found.show());
    assert!(found.stderr.contains("Updated plan as sk_0"), "{}", found.show());
    assert_journal_is_empty(&world);
}

#[test]
fn heartbeats_that_do_the_same_as_one_are_named() {
    let lists = &["runSkillId", "tz", "skillInput"];
    let world = World::new(Ways { ignores_keys: true, lists, ..Ways::default() });
    world.run(&["push", "--yes", "--no-heartbeats", "plan"]);
    world.stored().unanswered = Some(("heartbeat_create", 504));
    let lost = world.run(&PUSH);
    assert_eq!(lost.code, 7, "{}", lost.show());
    world.arrive();
    // The call of another run has arrived, too.
    let mut duplicate = world.heartbeats()[0].clone();
    duplicate["heartbeatId"] = "hb_9".into();
    world.stored().heartbeats.push(duplicate);
    for _ in 0..2 {
        let pushed = world.run(&PUSH);
        assert_eq!((pushed.code, world.sent("heartbeat_create")), (0, 1), "{}", pushed.show());
        let help = "also has hb_9, which runs the same skill at the same times; `dibber heartbeat \
                    cancel hb_9";
        assert!(pushed.stderr.contains(help), "{}", pushed.show());
        assert_journal_is_empty(&world);
    }
}

#[test]
fn what_the_same_push_creates_is_not_taken_for_what_was_lost() {
    let world = World::new(Ways { ignores_keys: true, ..Ways::default() });
    world.write("other", "Ada", "0 18 * * 5", "America/New_York");
    world.stored().unanswered = Some(("skill_write", 502));
    let push = ["push", "--yes", "--no-heartbeats", "plan", "other"];
    let lost = world.run(&push);
    assert_eq!((lost.code, count(&world, "skill_write")), (7, 1), "{}", lost.show());
    assert!(!lost.stderr.contains("may be what it has created"), "{}", lost.show());
    world.age_journal();
    let pushed = world.run(&push);
    assert_eq!((pushed.code, count(&world, "skill_write")), (0, 2), "{}", pushed.show());
}

/// A world in which the answer to a creation was lost, it was sent again, and the first call has not
/// arrived yet.
fn created_twice() -> World {
    let (world, lost) = unanswered(&PUSH, "skill_write", 504);
    assert_eq!(lost.code, 7, "{}", lost.show());
    world.age_journal();
    let late = world.stored().take_late();
    let made = world.run(&PUSH);
    assert_eq!((made.code, count(&world, "skill_write")), (0, 1), "{}", made.show());
    assert!(!made.stderr.contains("has appeared"), "{}", made.show());
    world.stored().set_late(late);
    world
}

/// Returns how often the skills were listed.
fn listed(world: &World) -> usize {
    let calls = world.server.calls();
    calls.iter().filter(|call| call.message["params"]["name"] == "skill_list").count()
}

const DUPLICATE: &str = "also has sk_1, a duplicate of plan (sk_0)";
const ARCHIVE: &str = "keep sk_0: run `dibber skill archive --cancel-heartbeats sk_1 --server";

#[test]
fn a_skill_that_arrives_long_after_it_was_created_again_is_named() {
    let world = created_twice();
    let none = world.run(&PUSH);
    assert!(!none.stderr.contains("duplicate"), "{}", none.show());
    world.arrive();
    for command in [&PUSH[..], &PUSH, &["diff", "plan"], &["push", "--dry-run", "plan"]] {
        let named = world.run(command);
        assert_eq!((named.code, count(&world, "skill_write")), (0, 2), "{}", named.show());
        let warns = named.stderr.contains(DUPLICATE) && named.stderr.contains(ARCHIVE);
        assert!(warns, "{}", named.show());
    }
    let doctor = world.run(&["doctor"]);
    let expected = format!("{DUPLICATE}\n  help: {ARCHIVE}");
    assert!(doctor.stdout.contains(&expected), "{}", doctor.show());
    // The folder was edited since: the duplicate has what was sent first.
    let path = world.tree.path().join("plan/SKILL.md");
    let text = std::fs::read_to_string(&path).expect("a skill") + "\nMore.\n";
    std::fs::write(&path, text).expect("a directory");
    for _ in 0..2 {
        let named = world.run(&PUSH);
        assert!(named.code == 0 && named.stderr.contains(DUPLICATE), "{}", named.show());
    }
    let archived = world.run(&["skill", "archive", "sk_1", "--yes"]);
    assert_eq!(archived.code, 0, "{}", archived.show());
    let none = world.run(&PUSH);
    assert!(!none.stderr.contains("duplicate"), "{}", none.show());
}

/// After a conflict of dibber.lock was resolved, the folder may be linked to either.
#[test]
fn a_folder_that_is_linked_to_the_larger_of_two_duplicates_is_linked_to_the_smaller() {
    let world = created_twice();
    world.arrive();
    for arguments in [&["skill", "unlink", "plan"][..], &["skill", "link", "plan", "sk_1"]] {
        let ended = world.run(arguments);
        assert_eq!(ended.code, 0, "{}", ended.show());
    }
    // Of three, all advice names the same.
    let mut third = world.stored().skills[1].clone();
    third["skillId"] = "sk_2".into();
    world.stored().skills.push(third);
    let third = "keep sk_0: run `dibber skill archive --cancel-heartbeats sk_2 ";
    let keep = ARCHIVE;
    let link = "`, and then `dibber skill unlink plan --server";
    let push = ["push", "--yes", "--no-heartbeats", "plan"];
    for command in [&push[..], &["diff", "--no-heartbeats", "plan"], &["doctor"]] {
        let named = world.run(command);
        let shown = format!("{}{}", named.stdout, named.stderr);
        let is_named = [keep, link, third].iter().all(|expected| shown.contains(expected));
        assert!(named.code == 0 && is_named, "{}", named.show());
    }
    for arguments in [
        &["skill", "archive", "--cancel-heartbeats", "--yes", "sk_1", "sk_2"][..],
        &["skill", "unlink", "plan"],
        &["skill", "link", "plan", "sk_0"],
        &push,
    ] {
        let ended = world.run(arguments);
        let is_silent = !ended.stderr.contains("duplicate");
        assert!(ended.code == 0 && is_silent, "{}", ended.show());
    }
}

#[test]
fn a_creation_that_was_sent_again_is_remembered_for_a_day() {
    let world = created_twice();
    world.arrive();
    let before = listed(&world);
    world.age_journal_by(SignedDuration::from_hours(25));
    let silent = world.run(&PUSH);
    assert_eq!((silent.code, listed(&world) - before), (0, 0), "{}", silent.show());
    assert!(!silent.stderr.contains("duplicate"), "{}", silent.show());
    // What lists the skills for another reason names the duplicate all the same.
    world.write("other", "Ada", "0 18 * * 5", "America/New_York");
    let named = world.run(&["push", "--yes", "--no-heartbeats", "plan", "other"]);
    assert!(named.code == 0 && named.stderr.contains(DUPLICATE), "{}", named.show());
}

#[test]
fn a_push_without_changes_lists_no_skills() {
    let (world, made) = unanswered(&PUSH, "skill_write", 429);
    assert_eq!(made.code, 0, "{}", made.show());
    let before = listed(&world);
    let pushed = world.run(&PUSH);
    assert_eq!((pushed.code, listed(&world) - before), (0, 0), "{}", pushed.show());
}

/// Lets another machine create a skill with the label of the plan right before the push creates it.
fn add_simultaneous(stored: &mut Stored, id: &str) {
    let prompt = "Another one.";
    stored.skills.push(json!({
        "skillId": id, "name": "plan", "category": "generic", "prompt": prompt,
        "description": prompt, "archived": false,
    }));
}

#[test]
fn of_two_skills_that_were_published_at_once_every_machine_keeps_the_same() {
    for (id, kept, archived) in [("sk_2", "sk_1", "sk_2"), ("sk_0", "sk_0", "sk_1")] {
        let world = World::new(Ways { ignores_keys: true, ..Ways::default() });
        // The dry-run of the plan is followed by the list right before the creation.
        let after_dry_run: ForeignEdit = match id {
            "sk_2" => |stored| {
                let after_list: ForeignEdit = |stored| add_simultaneous(stored, "sk_2");
                stored.edited_after = Some(("skill_list", after_list));
            },
            _ => |stored| {
                let after_list: ForeignEdit = |stored| add_simultaneous(stored, "sk_0");
                stored.edited_after = Some(("skill_list", after_list));
            },
        };
        world.stored().edited_after = Some(("skill_write", after_dry_run));
        let made = world.run(&["push", "--yes", "--no-heartbeats", "plan"]);
        assert_eq!((made.code, count(&world, "skill_write")), (0, 2), "{}", made.show());
        let keep =
            format!("keep {kept}: run `dibber skill archive --cancel-heartbeats {archived} ");
        let link = format!("`dibber skill link plan {kept} ");
        let is_named = made.stderr.contains(&keep) && made.stderr.contains(&link);
        assert!(is_named, "{}", made.show());
    }
}
