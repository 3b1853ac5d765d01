//! Lock files of two branches, merged by git: both have added a skill, or one heartbeat is recorded
//! under two names.

use std::collections::BTreeMap;
use std::process::Command;

use dibber_client::publish::{Lock, Published, PublishedHeartbeat};
use serde_json::Value;

use super::any_server_world::{Ways, World};
use crate::support::Tree;

const SERVER: &str = "srv_1/fam_1";

fn record(lock: &mut Lock, path: &str, has_heartbeat: bool) {
    let published = Published {
        skill_id: format!("sk_{path}").as_str().into(),
        spec_hash: format!("h_{path}"),
        content_hash: Some(format!("c_{path}")),
        include: vec!["notes.md".to_owned()],
        ..Published::default()
    };
    lock.record(path, SERVER, published);
    if has_heartbeat {
        let heartbeat = PublishedHeartbeat {
            heartbeat_id: format!("hb_{path}").as_str().into(),
            content_hash: None,
            fields: BTreeMap::new(),
            stored: BTreeMap::new(),
            is_unlisted: false,
        };
        assert!(lock.record_heartbeat(path, SERVER, "Daily", heartbeat));
    }
}

/// What is to be done is to remove the markers, and no line is missing.
#[test]
fn skills_that_two_branches_have_added_are_kept_without_the_markers() {
    for has_heartbeat in [false, true] {
        let mut base = Lock::default();
        record(&mut base, "a", has_heartbeat);
        let (mut ours, mut theirs, mut both) = (base.clone(), base.clone(), base.clone());
        record(&mut ours, "x", has_heartbeat);
        record(&mut theirs, "y", has_heartbeat);
        record(&mut both, "x", has_heartbeat);
        record(&mut both, "y", has_heartbeat);
        let tree = Tree::new();
        for (name, lock) in [("base", &base), ("ours", &ours), ("theirs", &theirs)] {
            tree.write(name, lock.write().as_bytes());
        }
        let merge = ["merge-file", "-p", "ours", "base", "theirs"];
        let merged = Command::new("git").args(merge).current_dir(tree.path()).output();
        let merged = String::from_utf8(merged.expect("git").stdout).expect("UTF-8");
        let is_marker = |line: &&str| {
            ["<<<<<<<", "=======", ">>>>>>>"].iter().any(|marker| line.starts_with(marker))
        };
        assert_eq!(merged.lines().filter(is_marker).count(), 3, "{merged}");
        let kept = merged.lines().filter(|line| !is_marker(line));
        let kept: String = kept.map(|line| format!("{line}\n")).collect();
        assert_eq!(Lock::parse(&kept), Ok(both), "{kept}");
    }
}

/// A world whose lock file records the published heartbeat under a second name.
fn merged(second: &str) -> World {
    let world = World::new(Ways { lists: &["runSkillId", "tz", "skillInput"], ..Ways::default() });
    world.push("plan");
    let lock = world.tree.read("dibber.lock");
    let line = lock.lines().find(|line| line.starts_with("\"Weekly plan\"")).expect("a record");
    let other = line.replace("Weekly plan", second);
    world.tree.write("dibber.lock", format!("{lock}{other}\n").as_bytes());
    world
}

fn records(world: &World) -> usize {
    world.tree.read("dibber.lock").matches("hb_1").count()
}

fn ids(world: &World) -> Vec<Value> {
    world.heartbeats().iter().map(|it| it["heartbeatId"].clone()).collect()
}

#[test]
fn the_name_that_the_file_does_not_have_is_forgotten() {
    for second in ["A plan", "Zoo"] {
        let world = merged(second);
        let dry = world.run(&["push", "--dry-run", "plan"]);
        assert_eq!((dry.code, records(&world)), (0, 2), "{}", dry.show());
        let pushed = world.push("plan");
        assert_eq!((pushed.code, ids(&world)), (0, vec!["hb_1".into()]), "{}", pushed.show());
        let expected =
            format!("dibber.lock records `{second}` as the same heartbeat as `Weekly plan`");
        assert!(pushed.stderr.contains(&expected), "{}", pushed.show());
        assert_eq!(records(&world), 1);
        let again = world.push("plan");
        assert!(!again.stderr.contains("warning"), "{}", again.show());
    }
}

#[test]
fn of_two_names_in_the_file_one_is_new() {
    let world = merged("Zoo");
    let manifest = world.tree.read("plan/sprout.yaml");
    let (_, heartbeat) = manifest.split_once("heartbeats:\n").expect("heartbeats");
    let second = heartbeat.replace("Weekly plan", "Zoo").replace("0 17", "0 9");
    world.tree.write("plan/sprout.yaml", format!("{manifest}{second}").as_bytes());
    let dry = world.run(&["push", "--dry-run", "plan"]);
    assert_eq!(dry.code, 0, "{}", dry.show());
    assert!(dry.stdout.contains("Zoo (new heartbeat)"), "{}", dry.show());
    let pushed = world.push("plan");
    assert_eq!(pushed.code, 0, "{}", pushed.show());
    assert_eq!(ids(&world), ["hb_1", "hb_2"]);
    assert_eq!(world.heartbeats()[0]["name"], "Weekly plan");
}

#[test]
fn a_heartbeat_under_two_names_is_cancelled_once() {
    let world = merged("Zoo");
    let manifest = world.tree.read("plan/sprout.yaml");
    let (without, _) = manifest.split_once("heartbeats:").expect("heartbeats");
    world.tree.write("plan/sprout.yaml", without.as_bytes());
    let pushed = world.push("plan");
    assert_eq!((pushed.code, world.heartbeats().len()), (0, 0), "{}", pushed.show());
    assert_eq!(pushed.stderr.matches("cancelled `").count(), 1, "{}", pushed.show());
    assert_eq!(records(&world), 0);
    // With its directory.
    let world = merged("Zoo");
    std::fs::remove_dir_all(world.tree.path().join("plan")).expect("a directory");
    let planned = world.run(&["push", "--dry-run", "--prune"]);
    assert_eq!(planned.code, 0, "{}", planned.show());
    assert_eq!(planned.show().matches("hb_1").count(), 1, "{}", planned.show());
    let pruned = world.run(&["push", "--yes", "--prune"]);
    let cancels = world.server.calls();
    let cancels =
        cancels.iter().filter(|it| it.message["params"]["arguments"]["action"] == "cancel");
    assert_eq!(cancels.count(), 1, "{}", pruned.show());
}

#[test]
fn a_pull_compares_a_heartbeat_under_two_names_once() {
    let world = merged("A plan");
    world.stored().heartbeats[0]["cron"] = "0 9 * * 5".into();
    let pulled = world.run(&["pull", "--yes", "plan"]);
    assert_eq!(pulled.code, 0, "{}", pulled.show());
    let manifest = world.tree.read("plan/sprout.yaml");
    assert_eq!(manifest.matches("- name: Weekly plan").count(), 1, "{manifest}");
    assert!(manifest.contains("0 9 * * 5"), "{manifest}");
    assert_eq!(records(&world), 1);
}
