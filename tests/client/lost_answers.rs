//! A write whose answer was lost, then other changes, then the same write again: success is
//! reported only for a state that the command has produced.

use crate::support::interceptor::Mode;
use crate::support::writers::{SKILL, World, Writer};

const PUSH: [&str; 3] = ["push", "--yes", SKILL];

/// The ways in which a write can take effect without an answer.
const LOST: [Mode; 2] = [Mode::LoseAnswer, Mode::HoldAnswer];

fn push(world: &World, writer: &Writer, line: &str) {
    writer.set_line(line);
    let ended = world.run(writer, &PUSH);
    assert_eq!(ended.code, 0, "{}", ended.show());
    assert_eq!(world.last_lines(), [line]);
}

/// Runs a command that takes effect, and whose answer is lost.
fn lose(world: &World, writer: &Writer, arguments: &[&str], mode: Mode) {
    let end = world.run_with(writer, arguments, mode);
    let expected = if mode == Mode::LoseAnswer { Some(7) } else { None };
    assert_eq!(end.code(), expected, "{}", end.show());
}

#[test]
fn a_push_after_a_lost_one_and_other_changes_is_written() {
    for mode in LOST {
        let world = World::new();
        let writer = Writer::new();
        push(&world, &writer, "old");
        writer.set_line("new");
        lose(&world, &writer, &PUSH, mode);
        assert_eq!(world.last_lines(), ["new"]);
        // What was lost is found to be there, and is no longer unfinished.
        let again = world.run(&writer, &PUSH);
        assert!(again.stderr.starts_with("Nothing to publish"), "{}", again.show());
        assert_eq!(writer.unfinished(), 0);
        push(&world, &writer, "old");
        push(&world, &writer, "new");
        // The same without a push in between that finds it.
        writer.set_line("newer");
        lose(&world, &writer, &PUSH, mode);
        push(&world, &writer, "new");
        push(&world, &writer, "newer");
        assert_eq!(writer.unfinished(), 0);
        // Another writer takes the change back before it is repeated.
        writer.set_line("newest");
        lose(&world, &writer, &PUSH, mode);
        let other = writer.cloned();
        other.set_line("newer");
        let forced = world.run(&other, &["push", "--yes", "--force", SKILL]);
        assert_eq!(forced.code, 0, "{}", forced.show());
        assert_eq!(world.last_lines(), ["newer"]);
        push(&world, &writer, "newest");
    }
}

#[test]
fn a_skill_whose_creation_was_lost_is_created_once() {
    for mode in [Mode::LoseAnswer, Mode::HoldAnswer, Mode::HoldRequest] {
        let world = World::new();
        let writer = Writer::new();
        writer.set_line("first");
        let end = world.run_with(&writer, &PUSH, mode);
        assert_ne!(end.code(), Some(0), "{}", end.show());
        // Nothing of it is sent again before it was shown and agreed to.
        let before = world.last_lines();
        writer.set_line("second");
        assert_eq!(world.run(&writer, &["push", SKILL]).code, 2);
        let expected = format!("h_{}", "0".repeat(64));
        assert_eq!(world.run(&writer, &["push", "--yes", "--expect", &expected, SKILL]).code, 3);
        assert_eq!(world.last_lines(), before);
        // Although it has changed meanwhile, it is no second skill.
        push(&world, &writer, "second");
        assert_eq!(writer.unfinished(), 0);
        push(&world, &writer, "first");
    }
}

#[test]
fn an_interrupted_creation_is_replaced_with_new() {
    let world = World::new();
    let writer = Writer::new();
    lose(&world, &writer, &PUSH, Mode::HoldAnswer);
    writer.set_line("another");
    let made = world.run(&writer, &["push", "--yes", "--new", SKILL]);
    assert_eq!(made.code, 0, "{}", made.show());
    assert_eq!(world.last_lines(), ["the old text", "another"]);
    assert_eq!(writer.unfinished(), 0);
}

#[test]
fn a_heartbeat_that_was_paused_without_an_answer_is_paused_again() {
    for mode in LOST {
        let world = World::new();
        let writer = Writer::new();
        push(&world, &writer, "old");
        let create =
            ["heartbeat", "create", "Tea", "--cron", "0 9 * * *", "--skill", SKILL, "--yes"];
        assert_eq!(world.run(&writer, &create).code, 0);
        let is_enabled = || world.snapshot().heartbeats[0].enabled;
        lose(&world, &writer, &["heartbeat", "pause", "Tea"], mode);
        assert!(!is_enabled());
        assert_eq!(world.run(&writer, &["heartbeat", "resume", "Tea"]).code, 0);
        assert!(is_enabled());
        for _ in 0..2 {
            let paused = world.run(&writer, &["heartbeat", "pause", "Tea"]);
            assert_eq!(paused.code, 0, "{}", paused.show());
            assert!(!is_enabled());
        }
        assert_eq!(writer.unfinished(), 0);
    }
}

#[test]
fn a_member_who_was_added_without_an_answer_is_added_again() {
    let world = World::new();
    let writer = Writer::new();
    push(&world, &writer, "old");
    let create = ["heartbeat", "create", "Tea", "--cron", "0 9 * * *", "--skill", SKILL, "--yes"];
    assert_eq!(world.run(&writer, &create).code, 0);
    let user = "us_aunt";
    world.test_server.change(|store| {
        use dibber_server::store::{FamilyId, User};
        let aunt = User { id: "us_aunt".into(), name: "Aunt".to_owned() };
        let family = FamilyId::from(crate::support::wire::HOME.to_owned());
        store.add_user(&family, &aunt).expect("a user");
    });
    let members = |change: &str| world.run(&writer, &["heartbeat", "members", "Tea", change, user]);
    lose(&world, &writer, &["heartbeat", "members", "Tea", "--add", user], Mode::LoseAnswer);
    // Another writer removes the member before the same command is repeated.
    let removed = world.run(&writer.cloned(), &["heartbeat", "members", "Tea", "--remove", user]);
    assert_eq!(removed.code, 0, "{}", removed.show());
    let added = members("--add");
    assert_eq!(added.code, 0, "{}", added.show());
    // Only a member can be promoted.
    let promoted = members("--promote");
    assert_eq!(promoted.code, 0, "{}", promoted.show());
}

#[test]
fn a_skill_that_was_renamed_without_an_answer_is_renamed_again() {
    for mode in LOST {
        let world = World::new();
        let writer = Writer::new();
        push(&world, &writer, "old");
        let rename = |name| ["skill", "update", SKILL, "--name", name, "--yes"];
        let name = || world.snapshot().skills[0].name.clone();
        lose(&world, &writer, &rename("Ferns"), mode);
        for expected in ["Mosses", "Ferns", "Ferns", "Mosses"] {
            let renamed = world.run(&writer, &rename(expected));
            assert_eq!(renamed.code, 0, "{}", renamed.show());
            assert_eq!(name(), expected);
        }
        assert_eq!(writer.unfinished(), 0);
    }
}

#[test]
fn a_heartbeat_that_was_cancelled_after_a_lost_answer_is_created_again() {
    let create = ["heartbeat", "create", "Tea", "--cron", "0 9 * * *", "--skill", SKILL, "--yes"];
    for mode in LOST {
        let world = World::new();
        let writer = Writer::new();
        push(&world, &writer, "old");
        let ids = || world.snapshot().heartbeats.into_iter().map(|item| item.heartbeat_id);
        lose(&world, &writer, &create, mode);
        let first = ids().next().expect("a heartbeat");
        assert_eq!(world.run(&writer, &["heartbeat", "cancel", first.as_str(), "--yes"]).code, 0);
        let made = world.run(&writer, &create);
        assert_eq!(made.code, 0, "{}", made.show());
        assert_eq!(ids().count(), 1);
        assert_ne!(ids().next(), Some(first));
        assert_eq!(writer.unfinished(), 0);
    }
}

#[test]
fn a_heartbeat_of_a_file_whose_creation_was_lost_is_created_once() {
    let schedule = |cron: &str| format!("heartbeats:\n  - name: Tea\n    cron: {cron}\n");
    let modes = [Mode::LoseAnswer, Mode::HoldAnswer, Mode::HoldRequest];
    let commands: [&[&str]; 2] = [&["heartbeat", "create", SKILL, "--yes"], &PUSH];
    for (mode, create) in modes.into_iter().flat_map(|mode| commands.map(|it| (mode, it))) {
        let world = World::new();
        let writer = Writer::new();
        push(&world, &writer, "old");
        let manifest = format!("{SKILL}/sprout.yaml");
        writer.tree.write(&manifest, schedule("0 9 * * *").as_bytes());
        let end = world.run_with(&writer, create, mode);
        assert_ne!(end.code(), Some(0), "{}", end.show());
        // Although its schedule is another one by now, it is no second heartbeat.
        writer.tree.write(&manifest, schedule("0 10 * * *").as_bytes());
        let made = world.run(&writer, create);
        assert_eq!(made.code, 0, "{}", made.show());
        let crons = world.snapshot().heartbeats.into_iter().map(|item| item.cron);
        assert_eq!(crons.collect::<Vec<_>>(), ["0 10 * * *"], "{}", made.show());
        assert_eq!(writer.unfinished(), 0);
    }
}

/// The first update is still on its way when its writer takes it back.
#[test]
fn a_push_that_may_still_take_effect_is_not_forgotten() {
    let world = World::new();
    let writer = Writer::new();
    push(&world, &writer, "old");
    writer.set_line("regret");
    lose(&world, &writer, &PUSH, Mode::HoldRequest);
    writer.set_line("old");
    let ended = world.run(&writer, &PUSH);
    assert_eq!(ended.code, 0, "{}", ended.show());
    assert!(ended.stderr.contains("may still take effect"), "{}", ended.show());
    assert_eq!(writer.unfinished(), 1);
    world.interceptor.release();
    let arrives = (0..10_000).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(2));
        world.last_lines() == ["regret"]
    });
    assert!(arrives);
    // It is recognised as one of this writer's own, and is no conflict.
    push(&world, &writer, "old");
    assert_eq!(writer.unfinished(), 0);
}

/// The directory of a copy looks like that of the first skill after a move, but what was created
/// for it is known.
#[test]
fn a_copy_whose_creation_was_lost_is_not_taken_for_the_moved_original() {
    let copy = "copies/water-plants";
    let world = World::new();
    let writer = Writer::new();
    push(&world, &writer, "old");
    writer.set_line("copied");
    let original = writer.tree.path().join(SKILL);
    let target = writer.tree.path().join(copy);
    std::fs::create_dir_all(target.parent().expect("a directory")).expect("a directory");
    std::fs::rename(&original, &target).expect("a move");
    lose(&world, &writer, &["push", "--yes", "--new", copy], Mode::LoseAnswer);
    let ended = world.run(&writer, &["push", "--yes", copy]);
    assert_eq!(ended.code, 0, "{}", ended.show());
    assert_eq!(world.last_lines(), ["old", "copied"]);
    assert_eq!(writer.unfinished(), 0);
}

#[test]
fn a_skill_whose_creation_was_lost_is_not_pulled_into_another_folder() {
    let world = World::new();
    let writer = Writer::new();
    writer.set_line("first");
    lose(&world, &writer, &PUSH, Mode::LoseAnswer);
    let pulled = world.run(&writer, &["pull", "--all", "--into", "into"]);
    assert_eq!(pulled.code, 0, "{}", pulled.show());
    let note = format!("is that of an interrupted push of {SKILL}; `dibber push {SKILL} --server");
    assert!(pulled.stderr.contains(&note), "{}", pulled.show());
    assert!(!writer.tree.path().join("into").exists());
    push(&world, &writer, "first");
    assert_eq!(writer.unfinished(), 0);
    // What is recorded is pulled again.
    let pulled = world.run(&writer, &["pull", "--all", "--into", "into"]);
    assert!(pulled.stderr.contains("up to date"), "{}", pulled.show());
}

#[test]
fn a_skill_that_was_pulled_before_its_creation_was_recorded_names_the_other_folder() {
    let other = "into/water-plants";
    let world = World::new();
    let writer = Writer::new();
    writer.set_line("first");
    lose(&world, &writer, &PUSH, Mode::LoseAnswer);
    let pulled = world.run(&writer, &["pull", "Water plants", "--into", "into"]);
    assert_eq!(pulled.code, 0, "{}", pulled.show());
    for _ in 0..2 {
        let ended = world.run(&writer, &PUSH);
        assert_eq!(ended.code, 3, "{}", ended.show());
        let error = format!("error: {SKILL}: it was published by an interrupted push as sk_");
        assert!(ended.stderr.contains(&error), "{}", ended.show());
        let help =
            format!("and pulled into {other} meanwhile\nhelp: `dibber skill unlink {other} ");
        assert!(ended.stderr.contains(&help), "{}", ended.show());
    }
    assert_eq!(world.run(&writer, &["skill", "unlink", other]).code, 0);
    push(&world, &writer, "first");
    assert_eq!(writer.unfinished(), 0);
}

/// Each write of a push in its turn: the skill, a heartbeat that is made, changed or cancelled.
#[test]
fn a_push_with_heartbeats_that_lost_an_answer_is_finished_by_the_same_command() {
    let manifest = format!("{SKILL}/sprout.yaml");
    let first =
        "heartbeats:\n  - name: Tea\n    cron: 0 9 * * *\n  - name: Nap\n    cron: 0 13 * * *\n";
    let second =
        "heartbeats:\n  - name: Tea\n    cron: 0 10 * * *\n  - name: Walk\n    cron: 0 15 * * *\n";
    for mode in LOST {
        for before in 0..4 {
            let world = World::new();
            let writer = Writer::new();
            let names = || {
                let listed = world.snapshot().heartbeats.into_iter();
                let mut names: Vec<_> =
                    listed.map(|item| format!("{} {}", item.name, item.cron)).collect();
                names.sort();
                names
            };
            writer.tree.write(&manifest, first.as_bytes());
            world.interceptor.pass_first(before);
            world.run_with(&writer, &PUSH, mode);
            world.interceptor.pass_first(0);
            push(&world, &writer, "old");
            assert_eq!(names(), ["Nap 0 13 * * *", "Tea 0 9 * * *"], "{before}");
            writer.tree.write(&manifest, second.as_bytes());
            world.interceptor.pass_first(before);
            world.run_with(&writer, &PUSH, mode);
            world.interceptor.pass_first(0);
            push(&world, &writer, "old");
            assert_eq!(names(), ["Tea 0 10 * * *", "Walk 0 15 * * *"], "{before}");
            assert_eq!(world.snapshot().skills.len(), 1);
            assert_eq!(writer.unfinished(), 0, "{before}");
        }
    }
}

/// `push --new` publishes everything once more, so the same command cannot resume it.
#[test]
fn a_push_of_new_skills_that_lost_an_answer_publishes_nothing_twice() {
    let (other, all) = ("window-plants", ["push", "--yes", "--new", SKILL, "window-plants"]);
    for arguments in [&all[..4], &all[..]] {
        let world = World::new();
        let writer = Writer::new();
        let manifest = "heartbeats:\n  - name: Tea\n    cron: 0 9 * * *\n";
        if arguments.len() < all.len() {
            writer.tree.write(&format!("{SKILL}/sprout.yaml"), manifest.as_bytes());
        }
        let copy = writer.tree.read(&format!("{SKILL}/SKILL.md")).replace("water-plants", other);
        writer
            .tree
            .write(&format!("{other}/SKILL.md"), copy.replace("# Water", "# Window").as_bytes());
        world.interceptor.pass_first(1);
        lose(&world, &writer, arguments, Mode::LoseAnswer);
        world.interceptor.pass_first(0);
        let again = world.run(&writer, arguments);
        assert_eq!(again.code, 3, "{}", again.show());
        // Both are written at the same time, so that either of them may be the one that is lost.
        let is_named = |skill: &&&str| {
            let error = "error: an interrupted push has published";
            again.stderr.contains(&format!("{error} {skill} already, or may have"))
        };
        let named = arguments[3..].iter().find(is_named);
        let named = *named.unwrap_or_else(|| panic!("{}", again.show()));
        let others = arguments[3..].iter().filter(|skill| **skill != named);
        let publish = |options: &[&str], skill: &str| {
            let ended = world.run(&writer, &[&["push", "--yes"], options, &[skill]].concat());
            assert_eq!(ended.code, 0, "{}", ended.show());
        };
        others.for_each(|skill| publish(&["--new"], skill));
        publish(&[], named);
        let snapshot = world.snapshot();
        assert_eq!(snapshot.skills.len(), arguments.len() - 3);
        assert_eq!(snapshot.heartbeats.len(), usize::from(arguments.len() < all.len()));
        assert_eq!(writer.unfinished(), 0);
    }
}
