//! A write whose answer was lost, then a change by another client, then the same command again: it
//! settles the write of its own, and touches nothing that another client has made or taken away.

use dibber_skill::contract::{HeartbeatChange, HeartbeatId, SkillUpdate};

use crate::support::command::Dibber;
use crate::support::interceptor::Mode;
use crate::support::writers::{SKILL, World, Writer};

const PUSH: [&str; 3] = ["push", "--yes", SKILL];
const CREATE: [&str; 8] =
    ["heartbeat", "create", "Tea", "--cron", "0 9 * * *", "--skill", SKILL, "--yes"];

/// Runs a command that has to end with a code, and returns what it says.
fn expect(world: &World, writer: &Writer, arguments: &[&str], code: i32) -> String {
    let ended = world.run(writer, arguments);
    assert_eq!(ended.code, code, "{}", ended.show());
    ended.stderr
}

/// Runs a command that takes effect, and whose answer is lost.
fn lose(world: &World, writer: &Writer, arguments: &[&str]) {
    let end = world.run_with(writer, arguments, Mode::LoseAnswer);
    assert_eq!(end.code(), Some(7), "{}", end.show());
}

/// A skill that is published.
fn published() -> (World, Writer) {
    let (world, writer) = (World::new(), Writer::new());
    expect(&world, &writer, &PUSH, 0);
    (world, writer)
}

fn crons(world: &World) -> Vec<String> {
    world.snapshot().heartbeats.into_iter().map(|item| item.cron).collect()
}

fn only_id(world: &World) -> HeartbeatId {
    let heartbeats = world.snapshot().heartbeats;
    assert_eq!(heartbeats.len(), 1);
    heartbeats[0].heartbeat_id.clone()
}

/// Another client makes a heartbeat of the same name.
fn add_namesake(world: &World) {
    let skill = world.snapshot().skills[0].skill_id.clone();
    world.add_heartbeat("Tea", "0 19 * * *", &skill);
}

#[test]
fn a_cancel_leaves_a_heartbeat_that_has_the_name_since() {
    let (world, writer) = published();
    expect(&world, &writer, &CREATE, 0);
    let cancel = ["heartbeat", "cancel", "Tea", "--yes"];
    lose(&world, &writer, &cancel);
    add_namesake(&world);
    let said = expect(&world, &writer, &cancel, 0);
    assert_eq!(crons(&world), ["0 19 * * *"], "{said}");
    let namesake = only_id(&world);
    assert!(said.contains("was cancelled\n"), "{said}");
    let command = format!("`dibber heartbeat cancel {namesake} --server");
    assert!(said.contains(&command), "{said}");
    assert_eq!(writer.unfinished(), 0);
    // From now on, the name is that of the other one.
    expect(&world, &writer, &cancel, 0);
    assert!(crons(&world).is_empty());
}

#[test]
fn a_change_is_not_made_to_a_heartbeat_that_has_the_name_since() {
    let changes: [&[&str]; 3] = [
        &["heartbeat", "pause", "Tea"],
        &["heartbeat", "pause", SKILL],
        &["heartbeat", "edit", "Tea", "--schedule", "0 10 * * *", "--yes"],
    ];
    for change in changes {
        let (world, writer) = published();
        expect(&world, &writer, &CREATE, 0);
        let first = only_id(&world);
        lose(&world, &writer, change);
        world.change_heartbeat(&first, HeartbeatChange::Cancel);
        add_namesake(&world);
        for _ in 0..2 {
            let said = expect(&world, &writer, change, 3);
            assert!(said.contains(&format!("({first}), which is gone by now")), "{said}");
            let heartbeats = world.snapshot().heartbeats;
            assert!(heartbeats[0].enabled, "{said}");
            assert_eq!(heartbeats[0].cron, "0 19 * * *", "{said}");
        }
        // The other one is changed by its id, and by its name once the entry is discarded.
        let id = only_id(&world).to_string();
        expect(&world, &writer, &["heartbeat", "resume", "Tea"], 0);
        expect(&world, &writer, &["heartbeat", "pause", &id], 0);
        expect(&world, &writer, &["heartbeat", "resume", &id], 0);
        let discard = Dibber::new(["journal", "discard", "--all"]).data(writer.data().path());
        assert_eq!(discard.run().code, 0);
        expect(&world, &writer, change, 0);
    }
}

#[test]
fn a_change_is_resumed_although_another_heartbeat_has_the_name_too() {
    let (world, writer) = published();
    expect(&world, &writer, &CREATE, 0);
    let pause = ["heartbeat", "pause", "Tea"];
    let end = world.run_with(&writer, &pause, Mode::HoldRequest);
    assert_eq!(end.code(), None);
    add_namesake(&world);
    expect(&world, &writer, &pause, 0);
    let enabled = |cron: &str| {
        let heartbeats = world.snapshot().heartbeats;
        heartbeats.iter().find(|item| item.cron == cron).expect("a heartbeat").enabled
    };
    assert!(!enabled("0 9 * * *"));
    assert!(enabled("0 19 * * *"));
}

#[test]
fn an_edit_of_a_name_is_not_made_to_a_heartbeat_that_has_the_old_name_since() {
    let (world, writer) = published();
    expect(&world, &writer, &CREATE, 0);
    let rename = ["heartbeat", "edit", "Tea", "--name", "Nap", "--yes"];
    lose(&world, &writer, &rename);
    add_namesake(&world);
    expect(&world, &writer, &rename, 0);
    let mut names: Vec<_> = world.snapshot().heartbeats.into_iter().map(|item| item.name).collect();
    names.sort();
    assert_eq!(names, ["Nap", "Tea"]);
    assert_eq!(writer.unfinished(), 0);
}

#[test]
fn a_heartbeat_of_a_push_that_was_cancelled_since_is_not_made_again() {
    let (world, writer) = published();
    declare(&writer, "0 9 * * *");
    lose(&world, &writer, &PUSH);
    world.change_heartbeat(&only_id(&world), HeartbeatChange::Cancel);
    for _ in 0..2 {
        let said = expect(&world, &writer, &PUSH, 3);
        assert!(said.contains("it was cancelled on "), "{said}");
        assert!(said.contains(&format!("`dibber push --force {SKILL} --server")), "{said}");
        assert!(crons(&world).is_empty(), "{said}");
        assert_eq!(writer.unfinished(), 0);
    }
    expect(&world, &writer, &[&PUSH[..], &["--force"]].concat(), 0);
    assert_eq!(crons(&world), ["0 9 * * *"]);
}

fn declare(writer: &Writer, cron: &str) {
    let manifest = format!("heartbeats:\n  - name: Tea\n    cron: {cron}\n");
    writer.tree.write(&format!("{SKILL}/sprout.yaml"), manifest.as_bytes());
}

#[test]
fn a_heartbeat_that_was_cancelled_by_another_client_since_is_not_created_again() {
    let (world, writer) = published();
    lose(&world, &writer, &CREATE);
    world.change_heartbeat(&only_id(&world), HeartbeatChange::Cancel);
    for _ in 0..2 {
        let said = expect(&world, &writer, &CREATE, 3);
        assert!(said.contains("it was cancelled on "), "{said}");
        assert!(crons(&world).is_empty(), "{said}");
    }
    expect(&world, &writer, &[&CREATE[..], &["--force"]].concat(), 0);
    assert_eq!(crons(&world), ["0 9 * * *"]);
    assert_eq!(writer.unfinished(), 0);
}

#[test]
fn a_skill_of_a_lost_push_that_was_edited_since_is_compared_as_usual() {
    for mode in [Mode::LoseAnswer, Mode::HoldAnswer] {
        let (world, writer) = (World::new(), Writer::new());
        let end = world.run_with(&writer, &PUSH, mode);
        assert_ne!(end.code(), Some(0), "{}", end.show());
        let skill_id = world.snapshot().skills[0].skill_id.clone();
        let description = Some("Waters every plant. Use when the soil is dry.".to_owned());
        world.update(&SkillUpdate { skill_id, description, ..SkillUpdate::default() });
        let said = expect(&world, &writer, &PUSH, 3);
        assert!(said.contains("was changed on "), "{said}");
        expect(&world, &writer, &["pull", "--yes", SKILL], 0);
        let skill = writer.tree.read(&format!("{SKILL}/SKILL.md"));
        assert!(skill.contains("Waters every plant."), "{skill}");
        let said = expect(&world, &writer, &PUSH, 0);
        assert!(said.starts_with("Nothing to publish"), "{said}");
        assert_eq!(world.snapshot().skills.len(), 1);
        assert_eq!(writer.unfinished(), 0);
    }
}

#[test]
fn a_heartbeat_of_a_lost_push_that_was_edited_since_is_compared_as_usual() {
    let (world, writer) = published();
    declare(&writer, "0 9 * * *");
    lose(&world, &writer, &PUSH);
    let change = HeartbeatChange::EditSchedule { cron: Some("0 11 * * *".to_owned()), tz: None };
    world.change_heartbeat(&only_id(&world), change);
    let said = expect(&world, &writer, &PUSH, 3);
    assert!(said.contains("since it was last set from here"), "{said}");
    expect(&world, &writer, &["pull", "--yes", SKILL], 0);
    let manifest = writer.tree.read(&format!("{SKILL}/sprout.yaml"));
    assert!(manifest.contains("0 11 * * *"), "{manifest}");
    expect(&world, &writer, &PUSH, 0);
    assert_eq!(crons(&world), ["0 11 * * *"]);
    assert_eq!(writer.unfinished(), 0);
}

#[test]
fn a_skill_of_a_lost_push_that_was_archived_since_is_not_made_again() {
    let (world, writer) = (World::new(), Writer::new());
    lose(&world, &writer, &PUSH);
    let skill_id = world.snapshot().skills[0].skill_id.clone();
    world.archive(&skill_id, true);
    for _ in 0..2 {
        let said = expect(&world, &writer, &PUSH, 5);
        assert!(said.contains(&format!("`dibber skill unarchive {SKILL} --server")), "{said}");
        assert_eq!(world.snapshot_with_archived().skills.len(), 1, "{said}");
    }
    world.archive(&skill_id, false);
    expect(&world, &writer, &PUSH, 0);
    assert_eq!(world.snapshot_with_archived().skills.len(), 1);
    assert_eq!(writer.unfinished(), 0);
}

#[test]
fn a_lost_push_that_was_merged_since_ends_after_a_while() {
    let (world, writer) = published();
    let merge = ["push", "--merge", "--yes", SKILL];
    let skill_id = world.snapshot().skills[0].skill_id.clone();
    let describe = |description: &str| {
        let (skill_id, description) = (skill_id.clone(), Some(description.to_owned()));
        world.update(&SkillUpdate { skill_id, description, ..SkillUpdate::default() });
    };
    describe("Waters every plant. Use when the soil is dry.");
    writer.set_line("the new text");
    lose(&world, &writer, &merge);
    describe("Waters all plants. Use when the soil is dry.");
    let said = expect(&world, &writer, &merge, 0);
    assert!(said.contains("may still take effect"), "{said}");
    age_journal(&writer);
    let said = expect(&world, &writer, &PUSH, 0);
    assert!(!said.contains("may still take effect"), "{said}");
    assert_eq!(writer.unfinished(), 0);
}

/// Lets what was sent be sent two minutes earlier.
fn age_journal(writer: &Writer) {
    let earlier = |entry: &mut serde_json::Value, field: &str| {
        let Some(time) = entry.get(field).and_then(|time| time.as_str()) else { return };
        let time: jiff::Timestamp = time.parse().expect("a time");
        let earlier = time.saturating_sub(jiff::SignedDuration::from_secs(120)).expect("a time");
        entry[field] = earlier.to_string().into();
    };
    let entries = writer.journal_entries().into_iter().map(|(name, content)| {
        let mut entry = serde_json::from_slice(&content).expect("JSON");
        earlier(&mut entry, "begun");
        earlier(&mut entry, "sent");
        (name, serde_json::to_vec(&entry).expect("JSON"))
    });
    writer.restore_journal(&entries.collect::<Vec<_>>());
}

#[test]
fn a_created_heartbeat_that_was_changed_since_is_not_reported_as_it_was_sent() {
    let changes = [
        HeartbeatChange::EditName { name: "Coffee".to_owned() },
        HeartbeatChange::EditSchedule { cron: Some("30 5 * * 0".to_owned()), tz: None },
    ];
    for change in changes {
        let (world, writer) = published();
        lose(&world, &writer, &CREATE);
        let id = only_id(&world);
        world.change_heartbeat(&id, change);
        let said = expect(&world, &writer, &CREATE, 3);
        let expected = format!(
            "error: Tea: it was made by an interrupted run, and another writer has changed it since \
             ({id})\nhelp: `dibber heartbeat list --server "
        );
        assert!(said.contains(&expected), "{said}");
        assert_eq!(only_id(&world), id, "{said}");
        assert_eq!(writer.unfinished(), 0);
    }
}

#[test]
fn an_edit_shows_the_schedule_that_it_replaces() {
    let (world, writer) = published();
    expect(&world, &writer, &CREATE, 0);
    let id = only_id(&world);
    let edit = ["heartbeat", "edit", "Tea", "--schedule", "0 10 * * *", "--yes"];
    let said = expect(&world, &writer, &edit, 0);
    assert!(said.contains("\n  was   "), "{said}");
    assert!(said.contains("9am"), "{said}");
    let closing = format!("`Tea` ({id}): changed; it was Every day at 9am");
    assert!(said.contains(&closing), "{said}");
    // What it is already is not changed.
    let said = expect(&world, &writer, &edit, 0);
    assert!(said.ends_with(&format!("`Tea` ({id}): has this schedule already\n")), "{said}");
    assert_eq!(writer.unfinished(), 0);
}
