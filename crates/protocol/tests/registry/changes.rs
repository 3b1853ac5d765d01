//! Files that change while a registry is open.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use dibber_protocol::{ProblemEffect, Registry};

use crate::support::{Shelf, listed, manifest, open, problem};

/// Opens a registry of which every file has been confirmed, so that only times decide.
fn settled(shelf: &Shelf) -> Registry {
    let registry = shelf.registry();
    registry.index();
    let index = registry.index();
    assert!(Arc::ptr_eq(&index, &registry.index()), "nothing has changed");
    registry
}

#[test]
fn changes_are_seen_without_a_restart() {
    let shelf = Shelf::new();
    shelf.skill("deep/a.b", "a.b", "1.0.0");
    let registry = settled(&shelf);
    shelf.skill("deep/a.b@1.1.0", "a.b", "1.1.0");
    shelf.touch("deep");
    assert_eq!(listed(&registry.index()), ["a.b 1.1.0"], "a version was added");
    shelf.write("deep/a.b@1.1.0/skill.toml", manifest("a.b", "1.1.1"));
    shelf.touch("deep/a.b@1.1.0/skill.toml");
    assert_eq!(listed(&registry.index()), ["a.b 1.1.1"], "a manifest was changed");
    shelf.write("deep/new.toml", manifest("a.b", "1.2.0"));
    fs::rename(shelf.path("deep/new.toml"), shelf.path("deep/a.b/skill.toml")).expect("a file");
    assert_eq!(listed(&registry.index()), ["a.b 1.2.0"], "a manifest was replaced");
    fs::remove_dir_all(shelf.path("deep/a.b")).expect("a skill");
    assert_eq!(listed(&registry.index()), ["a.b 1.1.1"], "a version was removed");
    fs::rename(shelf.path("deep"), shelf.path("other")).expect("a directory");
    assert_eq!(listed(&registry.index()), ["a.b 1.1.1"], "a directory was renamed");
    fs::remove_dir_all(shelf.path("other")).expect("a directory");
    assert_eq!(listed(&registry.index()), [""; 0]);
}

#[test]
fn an_unchanged_registry_keeps_its_index() {
    let shelf = Shelf::new();
    for number in 0..200 {
        shelf.skill(&format!("{number}"), &format!("a.b{number}"), "1.0.0");
    }
    let registry = settled(&shelf);
    let index = registry.index();
    shelf.write("7/SKILL.md", "other instructions");
    shelf.write("7/code/main.py", "");
    assert!(Arc::ptr_eq(&index, &registry.index()), "only manifests are in an index");
}

#[test]
fn what_was_read_once_is_read_again_before_only_times_decide() {
    let shelf = Shelf::new();
    shelf.skill("a.b", "a.b", "1.0.0");
    let registry = shelf.registry().with_interval(Duration::from_secs(1 << 20));
    let first = registry.index();
    let registry = registry.with_interval(Duration::ZERO);
    let second = registry.index();
    assert!(!Arc::ptr_eq(&first, &second));
    assert!(Arc::ptr_eq(&second, &registry.index()));
}

#[test]
fn an_index_that_was_taken_does_not_change() {
    let shelf = Shelf::new();
    shelf.skill("a.b", "a.b", "1.0.0");
    let registry = shelf.registry();
    let index = registry.index();
    shelf.skill("c.d", "c.d", "1.0.0");
    assert_eq!(listed(&registry.index()).len(), 2);
    assert_eq!(listed(&index), ["a.b 1.0.0"]);
}

#[test]
fn files_are_compared_at_most_once_in_an_interval() {
    let shelf = Shelf::new();
    shelf.skill("a.b", "a.b", "1.0.0");
    let registry = shelf.registry().with_interval(Duration::from_secs(1 << 20));
    shelf.skill("c.d", "c.d", "1.0.0");
    assert_eq!(listed(&registry.index()), ["a.b 1.0.0"]);
    assert_eq!(listed(&registry.with_interval(Duration::ZERO).index()).len(), 2);
}

#[test]
fn a_manifest_that_is_added_or_removed_makes_another_skill() {
    let shelf = Shelf::new();
    shelf.plain("story", "bedtime-story");
    let registry = settled(&shelf);
    shelf.write("story/skill.toml", manifest("story.of.bedtime", "1.0.0"));
    shelf.touch("story");
    assert_eq!(listed(&registry.index()), ["story.of.bedtime 1.0.0"]);
    registry.index();
    fs::remove_file(shelf.path("story/skill.toml")).expect("a file");
    assert_eq!(listed(&registry.index()), ["bedtime-story 0.0.0"]);
    shelf.plain("story", "morning-story");
    shelf.touch("story/SKILL.md");
    assert_eq!(listed(&registry.index()), ["morning-story 0.0.0"]);
}

#[test]
fn a_manifest_is_read_again_after_it_was_invalid() {
    let shelf = Shelf::new();
    shelf.skill("a.b", "a.b", "1.0.0");
    let registry = settled(&shelf);
    shelf.write("a.b/skill.toml", "name = ");
    shelf.touch("a.b/skill.toml");
    let index = registry.index();
    assert_eq!(listed(&index), [""; 0]);
    problem(&index, &shelf.path("a.b"));
    registry.index();
    shelf.write("a.b/skill.toml", manifest("a.b", "1.0.1"));
    shelf.touch("a.b/skill.toml");
    let index = registry.index();
    assert_eq!(listed(&index), ["a.b 1.0.1"]);
    assert_eq!(index.problems(), []);
}

#[test]
fn a_root_that_is_missing_for_a_moment_keeps_its_skills() {
    let shelf = Shelf::new();
    shelf.skill("share/a.b", "a.b", "1.0.0");
    let registry = open([shelf.root("share")]);
    registry.index();
    fs::rename(shelf.path("share"), shelf.path("away")).expect("a directory");
    for _ in 0..3 {
        let index = registry.index();
        assert_eq!(listed(&index), ["a.b 1.0.0"]);
        let missing = problem(&index, &shelf.path("share"));
        assert_eq!(
            missing.reason,
            "the directory does not exist; the skills found before are still listed"
        );
    }
    fs::rename(shelf.path("away"), shelf.path("share")).expect("a directory");
    let index = registry.index();
    assert_eq!((listed(&index), index.problems()), (vec!["a.b 1.0.0".to_owned()], &[][..]));
    fs::remove_dir_all(shelf.path("share/a.b")).expect("a skill");
    assert_eq!(listed(&registry.index()), [""; 0]);
}

#[test]
fn a_root_that_is_created_later_is_found() {
    let shelf = Shelf::new();
    let registry = open([shelf.root("later")]);
    let missing = problem(&registry.index(), &shelf.path("later"));
    assert_eq!(missing.effect, ProblemEffect::Skipped);
    shelf.skill("later/a.b", "a.b", "1.0.0");
    let index = registry.index();
    assert_eq!(listed(&index), ["a.b 1.0.0"]);
    assert_eq!(index.problems(), []);
}

#[cfg(unix)]
#[test]
fn a_root_may_be_a_link_that_is_repointed() {
    let shelf = Shelf::new();
    shelf.skill("releases/1/a.b", "a.b", "1.0.0");
    shelf.skill("releases/2/a.b", "a.b", "2.0.0");
    std::os::unix::fs::symlink("releases/1", shelf.path("current")).expect("a link");
    let registry = open([shelf.root("current")]);
    registry.index();
    assert_eq!(listed(&registry.index()), ["a.b 1.0.0"]);
    std::os::unix::fs::symlink("releases/2", shelf.path("next")).expect("a link");
    fs::rename(shelf.path("next"), shelf.path("current")).expect("a link");
    assert_eq!(listed(&registry.index()), ["a.b 2.0.0"]);
}

#[test]
fn no_change_is_lost_while_files_are_read() {
    const CHANGES: usize = 60;
    let shelf = Shelf::new();
    for number in 0..300 {
        shelf.skill(&format!("{number}"), &format!("a.b{number}"), "1.0.0");
    }
    let registry = shelf.registry();
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    let names = listed(&registry.index());
                    assert!(names.len() >= 299, "others are listed all the time");
                }
            });
        }
        for change in 0..CHANGES {
            // Each version is longer than the one before, so that a coarse clock does not matter.
            let version = format!("1.0.0-{}", "a".repeat(change + 1));
            shelf.write("next.toml", manifest("a.b7", &version));
            fs::rename(shelf.path("next.toml"), shelf.path("7/skill.toml")).expect("a file");
        }
        is_done.store(true, Ordering::Relaxed);
    });
    let last = format!("1.0.0-{}", "a".repeat(CHANGES));
    let found = registry.index().find("a.b7", None).expect("a skill");
    assert_eq!(found.version.to_string(), last);
}

#[test]
fn a_problem_that_appears_is_reported_once() {
    let shelf = Shelf::new();
    shelf.skill("a", "a.b", "1.0.0");
    let (sender, problems) = std::sync::mpsc::channel();
    let registry = shelf.registry().with_report(move |problem| {
        sender.send(problem.path.clone()).expect("the test receives");
    });
    registry.index();
    assert_eq!(problems.try_iter().count(), 0);
    shelf.write("a/skill.toml", "x = [");
    shelf.touch("a/skill.toml");
    registry.index();
    assert_eq!(problems.try_iter().collect::<Vec<_>>(), [shelf.path("a")]);
    shelf.skill("c", "c.d", "1.0.0");
    registry.index();
    registry.index();
    assert_eq!(problems.try_iter().count(), 0, "the problem is known");
}
