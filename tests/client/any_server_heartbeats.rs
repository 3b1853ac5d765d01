//! Heartbeats on a server of another make, which lists little of them.

use serde_json::{Value, json};

use super::any_server_world::{Ways, World};
use crate::support::Tree;
use crate::support::command::Ended;

#[test]
fn a_heartbeat_of_another_skill_is_not_taken_for_that_of_a_new_one() {
    for warning in [None, Some("already_assigned")] {
        let world = World::new(Ways { warning, ..Ways::default() });
        world.push("plan");
        world.run(&["heartbeat", "create", "plan", "--yes"]);
        let others = Tree::new();
        others.write("dibber.toml", b"");
        let world = World { tree: others, ..world };
        world.write("other", "Ada", "0 17 * * 5", "America/New_York");
        let before = world.heartbeats().len();
        let ended = world.push("other");
        assert!(!ended.stderr.contains("up to date"), "{}", ended.show());
        // One that the server warns about is made by the next push.
        let expected = if warning.is_none() { before + 1 } else { before };
        assert_eq!(world.heartbeats().len(), expected, "{}", ended.show());
    }
}

#[test]
fn a_name_or_a_schedule_that_is_not_valid_is_not_taken_over() {
    for (field, value) in [
        ("name", "x\nhands: [evil_tool]"),
        ("name", " "),
        ("cron", "0 99 * * *"),
        ("cron", "0 9 * * *\nhands: []"),
    ] {
        let world = World::new(Ways::default());
        world.push("plan");
        let before = world.tree.read("plan/sprout.yaml");
        world.stored().heartbeats[0][field] = value.into();
        for (command, message) in [
            (&["push", "--merge", "--yes", "plan"][..], "it was changed on"),
            (&["pull", "--force", "plan"], "its name or its schedule on"),
        ] {
            let ended = world.run(command);
            assert_eq!(ended.code, 3, "{}", ended.show());
            let expected = format!("error: Weekly plan: {message} {}", world.server.url());
            assert!(ended.stderr.contains(&expected), "{}", ended.show());
            assert_eq!(world.tree.read("plan/sprout.yaml"), before);
            let heartbeats = world.heartbeats();
            assert_eq!((heartbeats.len(), &heartbeats[0][field]), (1, &value.into()));
        }
    }
}

#[test]
fn an_id_that_means_something_to_a_shell_is_not_read() {
    let long = "a".repeat(300);
    for id in ["sk_x;touch$IFS/tmp/pwn", "sk_ x", "sk_\u{1b}[31mq", "--yes", "-h", "../../x", &long]
    {
        let world = World::new(Ways::default());
        world.stored().next_id = Some(id.to_owned());
        let ended = world.push("plan");
        assert_ne!(ended.code, 0, "{}", ended.show());
        assert!(ended.stderr.contains("an id "), "{}", ended.show());
        assert!(!ended.show().contains(id), "{}", ended.show());
        let lock = std::fs::read_to_string(world.tree.path().join("dibber.lock"));
        assert!(!lock.unwrap_or_default().contains(id));
    }
}

#[test]
fn a_warning_of_the_server_s_own_is_shown_and_escaped() {
    let world = World::new(Ways { warning: Some("take\u{1b} care"), ..Ways::default() });
    let first = world.push("plan");
    let described = world.run(&["heartbeat", "describe", "plan"]);
    let again = world.push("plan");
    assert_eq!(world.made(), 1, "{}", again.show());
    // The preview of a new skill says when its heartbeat fires next, which depends on the clock.
    let shown = first.stderr + &described.show() + &again.show();
    let shown = shown.replace(&world.server.url(), "URL");
    insta::assert_snapshot!("any_warning", shown);
}

#[test]
fn a_commit_that_ends_in_an_error_without_a_code_is_resumed() {
    let world = World::new(Ways { loses_commit: true, ..Ways::default() });
    let first = world.push("plan");
    assert_ne!(first.code, 0, "{}", first.show());
    let listed = world.run_alone(&["journal", "list"]);
    assert!(listed.stdout.contains("skill_write"), "{}", listed.show());
    let second = world.push("plan");
    assert_eq!(second.code, 0, "{}", second.show());
    assert_eq!(world.stored().skills.len(), 1, "{}", second.show());
    // What a merge starts from is recorded as after any other push.
    let fields = |world: &World| {
        let lock = world.tree.read("dibber.lock");
        lock.lines().filter(|line| line.contains("fields")).map(str::to_owned).collect::<Vec<_>>()
    };
    let other = World::new(Ways::default());
    other.push("plan");
    assert_eq!(fields(&world), fields(&other), "{}", second.show());
    assert!(!fields(&other).is_empty());
}

/// What it does with a changed heartbeat, by what the server then has.
fn pushed(world: &World, who: &str, cron: &str, tz: &str) -> (Ended, Value) {
    world.write("plan", who, cron, tz);
    let ended = world.push("plan");
    let [heartbeat] = &world.heartbeats()[..] else { panic!("{}", ended.show()) };
    (ended, heartbeat.clone())
}

#[test]
fn a_change_of_what_the_server_does_not_list_is_published() {
    let world = World::new(Ways::default());
    world.push("plan");
    let (ended, heartbeat) = pushed(&world, "Ada", "0 17 * * 5", "Europe/Berlin");
    assert_eq!(ended.code, 0, "{}", ended.show());
    assert_eq!(heartbeat["heartbeatId"], "hb_1", "{}", ended.show());
    assert!(ended.stderr.contains("changed `Weekly plan`"), "{}", ended.show());
    let (ended, heartbeat) = pushed(&world, "Ben", "0 17 * * 5", "Europe/Berlin");
    assert_eq!((ended.code, &heartbeat["heartbeatId"]), (0, &json!("hb_2")), "{}", ended.show());
    // Together with what it lists.
    let (ended, heartbeat) = pushed(&world, "Eve", "0 18 * * 5", "Europe/Berlin");
    assert_eq!((ended.code, &heartbeat["heartbeatId"]), (0, &json!("hb_3")), "{}", ended.show());
    assert_eq!(heartbeat["cron"], "0 18 * * 5");
    let again = world.push("plan");
    assert!(again.stderr.contains("1 heartbeat is up to date"), "{}", again.show());
    assert_eq!(world.made(), 3);
}

#[test]
fn a_change_of_what_the_server_lists_is_its_own() {
    let world = World::new(Ways::default());
    world.push("plan");
    world.stored().heartbeats[0]["cron"] = "0 9 * * 5".into();
    for (who, cron) in [("Ada", "0 17 * * 5"), ("Ben", "0 17 * * 5"), ("Ada", "0 18 * * 5")] {
        let (ended, heartbeat) = pushed(&world, who, cron, "America/New_York");
        assert_eq!(ended.code, 3, "{}", ended.show());
        assert_eq!(heartbeat["cron"], "0 9 * * 5", "{}", ended.show());
    }
    // Neither a push without it nor one without its directory cancels it unseen.
    let manifest = world.tree.read("plan/sprout.yaml");
    let (without, _) = manifest.split_once("heartbeats:").expect("heartbeats");
    world.tree.write("plan/sprout.yaml", without.as_bytes());
    let ended = world.push("plan");
    assert_eq!((ended.code, world.heartbeats().len()), (3, 1), "{}", ended.show());
    std::fs::remove_dir_all(world.tree.path().join("plan")).expect("a directory");
    let ended = world.run(&["push", "--yes", "--prune"]);
    assert_eq!((ended.code, world.heartbeats().len()), (3, 1), "{}", ended.show());
}

#[test]
fn a_lock_of_an_earlier_version_is_compared_by_what_is_listed() {
    let world = World::new(Ways::default());
    world.push("plan");
    let lock = world.tree.read("dibber.lock");
    let (before, after) = lock.rsplit_once(", fields = {").expect("a heartbeat with fields");
    let (_, after) = after.split_once(" }").expect("the end of the fields");
    world.tree.write("dibber.lock", format!("{before}{after}").as_bytes());
    let ended = world.push("plan");
    assert_eq!(ended.code, 0, "{}", ended.show());
    assert_eq!(world.tree.read("dibber.lock"), lock);
    assert_eq!(world.made(), 1);
}

#[test]
fn a_page_says_what_the_server_does_not_list() {
    for (lists, unlisted) in [
        (&[][..], Some("does not list inputs, the child, or whether results are posted:")),
        (&["skillInput"], Some("does not list whether results are posted:")),
        (&["skillInput", "postResultNotify"], None),
    ] {
        let world = World::new(Ways { lists, ..Ways::default() });
        world.push("plan");
        if lists.contains(&"postResultNotify") {
            world.stored().heartbeats[0]["postResultNotify"] = false.into();
        }
        let described = world.run(&["heartbeat", "describe", "plan"]);
        let page = described.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(page.contains("does not list"), unlisted.is_some(), "{}", described.show());
        assert!(unlisted.is_none_or(|unlisted| page.contains(unlisted)), "{}", described.show());
    }
}
